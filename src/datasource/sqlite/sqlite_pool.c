/* A pool of read-only connections to one SQLite file, renewed when the file is replaced.
 */
#include "datasource/sqlite/sqlite_driver.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"

enum {
    POOL_WAIT_MS = 50, /* how often a waiter looks at its stop signal */
    POOL_PATIENCE_MS = 60000,
};

bool sqlite_identify(const char *path, struct sqlite_identity *out)
{
    struct stat status;
    memset(out, 0, sizeof *out);
    if (stat(path, &status) != 0) {
        return false;
    }
    out->device = status.st_dev;
    out->inode = status.st_ino;
    out->size = status.st_size;
    out->changed = status.st_mtim;
    return true;
}

static bool sqlite_identity_same_file(const struct sqlite_identity *a,
                                      const struct sqlite_identity *b)
{
    return a->device == b->device && a->inode == b->inode;
}

bool sqlite_identity_equal(const struct sqlite_identity *a,
                           const struct sqlite_identity *b)
{
    return sqlite_identity_same_file(a, b) && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

void sqlite_disconnect(struct sqlite_connection *connection)
{
    (void)sqlite3_finalize(connection->version);
    sqlite_kept_drop(connection);
    (void)sqlite3_close(connection->db);
    memory_free(connection);
}

struct sqlite_connection *sqlite_connect(const char *path, enum sqlite_lock lock,
                                         const struct datasource_limits *limits,
                                         struct err *err)
{
    struct sqlite_connection *connection = memory_alloc(sizeof *connection);
    connection->lock = lock;
    connection->limits = limits;
    /* A name that begins with "file:" is a file's name here: URI is not among the flags,
     * and no flag lets SQLite create anything. */
    int access =
        lock == SQLITE_FOR_WRITING ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    int result =
        sqlite3_open_v2(path, &connection->db, access | SQLITE_OPEN_NOMUTEX, NULL);
    if (result == SQLITE_OK) {
        if (lock != SQLITE_FOR_WRITING) {
            sqlite_wal_open(connection, path);
        }
        sqlite_lock_apply(connection);
        return connection;
    }
    (void)sqlite_fail(connection, result, path, err);
    sqlite_disconnect(connection);
    return NULL;
}

void sqlite_pool_init(struct sqlite_state *state, const char *path)
{
    state->path = path;
    for (int lock = 0; lock < SQLITE_LOCKS; lock++) {
        state->places[lock].most = SQLITE_POOL_MOST;
    }
    (void)pthread_mutex_init(&state->lock, NULL);
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&state->released, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)sqlite_identify(path, &state->identity);
}

static void idle_close(struct sqlite_state *state)
{
    for (int lock = 0; lock < SQLITE_LOCKS; lock++) {
        while (state->idle[lock]) {
            struct sqlite_connection *connection = state->idle[lock];
            state->idle[lock] = connection->next;
            state->open[lock]--;
            sqlite_disconnect(connection);
        }
    }
}

void sqlite_pool_release(struct sqlite_state *state)
{
    sqlite_watch_release(state);
    idle_close(state);
    sqlite_wal_tidy(state);
    (void)pthread_cond_destroy(&state->released);
    (void)pthread_mutex_destroy(&state->lock);
}

static void reopen_locked(struct sqlite_state *state)
{
    state->generation++;
    state->signature_known = false;
    state->frozen = false;
    idle_close(state);
    (void)pthread_cond_broadcast(&state->released);
}

void sqlite_reopen(struct sqlite_state *state)
{
    (void)pthread_mutex_lock(&state->lock);
    reopen_locked(state);
    (void)pthread_mutex_unlock(&state->lock);
}

/* A file that was replaced must not be read through connections to the old one. */
static void pool_follow_file(struct sqlite_state *state,
                             const struct sqlite_identity *identity)
{
    if (!sqlite_identity_same_file(identity, &state->identity)) {
        state->identity = *identity;
        state->made_wal = false;
        reopen_locked(state);
    } else if (state->frozen &&
               !sqlite_wal_at_rest(state->path, &state->frozen_as, identity)) {
        reopen_locked(state);
    }
}

static bool pool_wait(struct sqlite_state *state, const struct datasource_limits *limits,
                      int64_t give_up_ms, struct err *err)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += POOL_WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(&state->released, &state->lock, &until);
    if (!limits_hold(limits, err)) {
        return false;
    }
    return clock_ms() < give_up_ms ||
           err_set(err, ERR_TIMEOUT, "Too many queries are running on this database.");
}

/* What was learned of statements under another schema does not hold any more. SQLite
 * itself compiles with the schema it knows until a step tells it better, and the columns
 * of a result are told before that. */
static void connection_follow(struct sqlite_connection *connection, unsigned schemas)
{
    if (connection->schemas == schemas) {
        return;
    }
    sqlite_kept_drop(connection);
    memset(connection->bounds, 0, sizeof connection->bounds);
    if (connection->schemas != 0 && connection->lock == SQLITE_FOR_READING) {
        connection->own_sql = true;
        (void)sqlite3_exec(connection->db, "SELECT 1 FROM sqlite_master LIMIT 1", NULL,
                           NULL, NULL);
        connection->own_sql = false;
    }
    connection->schemas = schemas;
}

/* An idle connection, or room for a new one; waits while there is neither. */
static bool pool_reserve(struct sqlite_state *state, enum sqlite_lock lock,
                         const struct datasource_limits *limits,
                         struct sqlite_connection **idle, struct places_holder *holder,
                         struct err *err)
{
    int64_t give_up_ms = clock_ms() + POOL_PATIENCE_MS;
    const char *owner = limits ? limits->owner : NULL;
    while (!places_free(&state->places[lock], owner)) {
        if (!pool_wait(state, limits, give_up_ms, err)) {
            return false;
        }
    }
    places_take(&state->places[lock], holder, owner);
    *idle = state->idle[lock];
    if (*idle) {
        state->idle[lock] = (*idle)->next;
    } else {
        state->open[lock]++;
    }
    return true;
}

static void lend(struct sqlite_state *state, struct sqlite_connection *connection,
                 const struct places_holder *holder,
                 const struct sqlite_identity *identity,
                 const struct datasource_limits *limits)
{
    struct places *places = &state->places[connection->lock];
    places_give(places, holder); /* from now on the connection has it */
    places_take(places, &connection->holder, holder->owner);
    connection->named = *identity;
    connection->limits = limits;
    sqlite_watch_begin(state, connection);
}

/* What a thread has just seen of a file: a question asks for the signature, has its SQL
 * checked and runs it, often in one go, and one look at the file is enough for that. It
 * is used once, and soon. */
enum { GLANCE_MS = 4 };

static _Thread_local struct {
    const struct sqlite_state *state;
    int64_t at_ms;
    struct sqlite_identity identity;
} glance;

void sqlite_glance_keep(const struct sqlite_state *state,
                        const struct sqlite_connection *connection)
{
    glance.state = state;
    glance.at_ms = clock_ms();
    glance.identity = connection->named;
}

static bool glance_use(const struct sqlite_state *state, struct sqlite_identity *out)
{
    if (glance.state != state) {
        return false;
    }
    glance.state = NULL;
    *out = glance.identity;
    return clock_ms() - glance.at_ms <= GLANCE_MS;
}

struct sqlite_connection *sqlite_take(struct datasource *source, enum sqlite_lock lock,
                                      const struct datasource_limits *limits,
                                      struct err *err)
{
    struct sqlite_state *state = source->state;
    struct sqlite_connection *connection = NULL;
    struct sqlite_identity identity;
    struct places_holder holder;
    /* before the lock: the disk is slow, and all who ask this database want it */
    bool there = (lock == SQLITE_FOR_READING && glance_use(state, &identity)) ||
                 sqlite_identify(state->path, &identity);
    if (!there && !file_source_check(state->path, err)) { /* says what is wrong */
        return NULL;
    }
    (void)pthread_mutex_lock(&state->lock);
    if (there) {
        pool_follow_file(state, &identity);
    }
    bool ready = pool_reserve(state, lock, limits, &connection, &holder, err);
    unsigned generation = state->generation;
    unsigned schemas = state->schemas;
    if (connection) {
        lend(state, connection, &holder, &identity, limits);
    }
    (void)pthread_mutex_unlock(&state->lock);
    if (!ready) {
        return NULL;
    }
    if (!connection) {
        connection = sqlite_connect(state->path, lock, limits, err);
        if (!connection) {
            (void)pthread_mutex_lock(&state->lock);
            state->open[lock]--;
            places_give(&state->places[lock], &holder);
            (void)pthread_cond_broadcast(&state->released);
            (void)pthread_mutex_unlock(&state->lock);
            return NULL;
        }
        connection->generation = generation;
        (void)pthread_mutex_lock(&state->lock);
        state->made_wal = state->made_wal || connection->made_wal;
        if (connection->frozen && connection->generation == state->generation) {
            state->frozen = true;
            state->frozen_as = connection->frozen_as;
        }
        lend(state, connection, &holder, &identity, limits);
        (void)pthread_mutex_unlock(&state->lock);
    }
    connection_follow(connection, schemas);
    connection->refused[0] = '\0';
    return connection;
}

void sqlite_give(struct datasource *source, struct sqlite_connection *connection)
{
    struct sqlite_state *state = source->state;
    (void)pthread_mutex_lock(&state->lock);
    sqlite_watch_end(state, connection);
    connection->limits = NULL;
    places_give(&state->places[connection->lock], &connection->holder);
    bool stale = connection->generation != state->generation;
    if (stale) {
        state->open[connection->lock]--;
    } else {
        connection->next = state->idle[connection->lock];
        state->idle[connection->lock] = connection;
    }
    (void)pthread_cond_broadcast(&state->released);
    (void)pthread_mutex_unlock(&state->lock);
    if (stale) {
        sqlite_disconnect(connection);
    }
}
