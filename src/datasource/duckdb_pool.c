/*
 * The open database and who uses it. A DuckDB file that is open for reading cannot be
 * written by any other program, so it is closed when nobody has asked for a while. One
 * thread, the watchman, does that, and interrupts queries whose time is up.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "datasource/duckdb_driver.h"

enum {
    WATCH_MS = 10,  /* how often running queries are looked at */
    IDLE_MS = 5000, /* then the file is closed */
    PATIENCE_MS = 60000,
};

static bool mark_read(const char *path, struct stat_mark *mark)
{
    struct stat status;
    memset(mark, 0, sizeof *mark);
    if (stat(path, &status) != 0) {
        return false;
    }
    mark->device = status.st_dev;
    mark->inode = status.st_ino;
    mark->size = status.st_size;
    mark->changed = status.st_mtim;
    return true;
}

static bool mark_equal(const struct stat_mark *a, const struct stat_mark *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

static void wait_ms(struct duck_state *state, int64_t most_ms)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += most_ms / 1000;
    until.tv_nsec += most_ms % 1000 * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_cond_timedwait(&state->changed, &state->lock, &until);
}

/* With the lock held; nobody is using it. */
static void database_close(struct duck_state *state)
{
    if (state->database) {
        state->library->close(&state->database);
        state->database = NULL;
        if (state->maker && state->maker->closed) {
            state->maker->closed(state->maker->context);
        }
    }
}

static void *watchman_main(void *context)
{
    struct duck_state *state = context;
    (void)pthread_mutex_lock(&state->lock);
    while (!state->ending) {
        if (state->watched) {
            wait_ms(state, WATCH_MS);
        } else if (state->database && state->busy == 0 && state->idle_ms > 0) {
            int64_t left = state->idle_since_ms + state->idle_ms - clock_ms();
            if (left <= 0) {
                database_close(state);
            } else {
                wait_ms(state, left);
            }
        } else {
            (void)pthread_cond_wait(&state->changed, &state->lock);
        }
        for (struct duck_session *one = state->watched; one; one = one->next) {
            if (limits_spent(one->limits)) {
                /* again at every look: the first may come before the query has begun */
                state->library->interrupt(one->connection);
            }
        }
    }
    (void)pthread_mutex_unlock(&state->lock);
    return NULL;
}

static bool configured(struct duck_state *state, duckdb_config *config, struct err *err)
{
    bool ok =
        state->library->create_config(config) == DuckDBSuccess &&
        (state->maker ? duck_lock_prepare(state->library, *config, state->options, NULL)
                      : duck_lock_configure(state->library, *config, state->options,
                                            state->spill));
    if (!ok) {
        state->library->destroy_config(config);
        return err_set(err, ERR_INTERNAL, "DuckDB did not take its configuration.");
    }
    return true;
}

static bool database_connect(struct duck_state *state, struct err *err)
{
    duckdb_config config = NULL;
    char *message = NULL;
    if (!configured(state, &config, err)) {
        return false;
    }
    bool opened = state->library->open_ext(state->path, &state->database, config,
                                           &message) == DuckDBSuccess;
    state->library->destroy_config(&config);
    if (!opened) {
        state->database = NULL;
        (void)duck_open_fail(state->path ? state->path : "memory", message ? message : "",
                             err);
    }
    state->library->free(message);
    if (opened && state->spill &&
        !duck_lock_finish(state->library, state->database, state->spill)) {
        database_close(state);
        return err_set(err, ERR_INTERNAL, "DuckDB did not take its configuration.");
    }
    return opened;
}

static void watch(struct duck_state *state, struct duck_session *session)
{
    if (session->limits) {
        session->next = state->watched;
        state->watched = session;
        (void)pthread_cond_broadcast(&state->changed); /* wakes the watchman */
    }
}

static void unwatch(struct duck_state *state, struct duck_session *session)
{
    for (struct duck_session **at = &state->watched; *at; at = &(*at)->next) {
        if (*at == session) {
            *at = session->next;
            break;
        }
    }
}

/* With the lock held, which is let go meanwhile: making may take long, and a stop or a
 * deadline must reach it as it reaches a query. */
static bool database_make(struct duck_state *state, const struct duck_session *asking,
                          struct err *err)
{
    const struct duck_library *library = state->library;
    struct duck_session session = {.library = library, .limits = asking->limits};
    duckdb_config config = NULL;
    duckdb_database database = NULL;
    if (!configured(state, &config, err)) {
        return false;
    }
    bool ok = library->open_ext(":memory:", &database, config, NULL) == DuckDBSuccess &&
              library->connect(database, &session.connection) == DuckDBSuccess;
    library->destroy_config(&config);
    if (!ok) {
        library->close(&database);
        return err_set(err, ERR_INTERNAL, "DuckDB gave no database in memory.");
    }
    state->making = true;
    watch(state, &session);
    (void)pthread_mutex_unlock(&state->lock);
    ok = state->maker->make(state->maker->context, &session, err);
    (void)pthread_mutex_lock(&state->lock);
    unwatch(state, &session);
    library->disconnect(&session.connection);
    state->making = false;
    (void)pthread_cond_broadcast(&state->changed);
    state->database = database;
    if (!ok) {
        database_close(state);
    }
    return ok;
}

/* With the lock held. */
static bool database_open(struct duck_state *state, const struct duck_session *session,
                          struct err *err)
{
    struct stat_mark mark;
    if (state->maker) {
        bool changed = state->maker->changed(state->maker->context);
        if (state->database && (!changed || state->busy > 0)) {
            return true;
        }
        database_close(state);
        return database_make(state, session, err);
    }
    if (!state->path) {
        return state->database || database_connect(state, err);
    }
    if (!mark_read(state->path, &mark) || !file_source_check(state->path, err)) {
        return file_source_check(state->path, err) &&
               err_set(err, ERR_DATASOURCE_UNREACHABLE, "The file went away.");
    }
    bool replaced = !mark_equal(&mark, &state->mark);
    if (state->database && (!replaced || state->busy > 0)) {
        return true; /* a replaced file is followed as soon as nobody reads the old one */
    }
    database_close(state);
    bool opened = database_connect(state, err);
    if (opened && replaced) {
        state->mark = mark;
        state->signature[0] = '\0';
    }
    return opened;
}

bool duck_signature_known(struct duck_state *state, char out[33])
{
    struct stat_mark mark;
    (void)pthread_mutex_lock(&state->lock);
    bool known = state->signature[0] && mark_read(state->path, &mark) &&
                 mark_equal(&mark, &state->mark);
    if (known) {
        memcpy(out, state->signature, sizeof state->signature);
    }
    (void)pthread_mutex_unlock(&state->lock);
    return known;
}

static bool state_init(struct duck_state *state, struct err *err)
{
    state->library = duck_library(err);
    if (!state->library) {
        return false;
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    state->busy_most = cores > 1 ? (size_t)cores * 2 : 4;
    if (!state->path && !state->maker) {
        state->busy_most = SIZE_MAX; /* one question's own: it bounds itself */
    }
    state->idle_since_ms = clock_ms();
    (void)pthread_mutex_init(&state->lock, NULL);
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&state->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    bool ok = state->maker || database_open(state, NULL, err);
    if (ok && pthread_create(&state->watchman, NULL, watchman_main, state) != 0) {
        database_close(state);
        ok = err_set(err, ERR_INTERNAL, "No thread could be started.");
    }
    if (!ok) {
        (void)pthread_cond_destroy(&state->changed);
        (void)pthread_mutex_destroy(&state->lock);
    }
    return ok;
}

bool duck_state_init(struct duck_state *state, struct datasource *source, struct err *err)
{
    state->path = source->path;
    state->options = source->options;
    state->idle_ms = state->path ? IDLE_MS : 0; /* what was put into memory stays */
    return state_init(state, err);
}

bool duck_state_init_maker(struct duck_state *state, const struct options *options,
                           const struct duck_maker *maker, struct err *err)
{
    state->maker = maker;
    state->options = options;
    state->idle_ms = maker->idle_ms;
    return state_init(state, err);
}

void duck_state_release(struct duck_state *state)
{
    (void)pthread_mutex_lock(&state->lock);
    state->ending = true;
    (void)pthread_cond_broadcast(&state->changed);
    (void)pthread_mutex_unlock(&state->lock);
    (void)pthread_join(state->watchman, NULL);
    database_close(state);
    (void)pthread_cond_destroy(&state->changed);
    (void)pthread_mutex_destroy(&state->lock);
}

static bool begin_locked(struct duck_state *state, struct duck_session *session,
                         struct err *err)
{
    int64_t give_up_ms = clock_ms() + PATIENCE_MS;
    while (state->making || state->busy >= state->busy_most) {
        wait_ms(state, WATCH_MS);
        if (!limits_hold(session->limits, err)) {
            return false;
        }
        if (clock_ms() >= give_up_ms) {
            return err_set(err, ERR_TIMEOUT,
                           "Too many queries are running on this file.");
        }
    }
    if (!database_open(state, session, err)) {
        return false;
    }
    if (state->library->connect(state->database, &session->connection) != DuckDBSuccess) {
        return err_set(err, ERR_DATASOURCE_UNREACHABLE, "DuckDB gave no connection.");
    }
    state->busy++;
    watch(state, session);
    return true;
}

/* A file is opened for reading; a database in memory has only its transactions. */
static bool session_reads_only(struct duck_session *session)
{
    duckdb_result result;
    bool ok = session->library->query(session->connection, "BEGIN TRANSACTION READ ONLY",
                                      &result) == DuckDBSuccess;
    session->library->destroy_result(&result);
    return ok;
}

bool duck_begin(struct datasource *source, const struct datasource_limits *limits,
                struct duck_session *session, struct err *err)
{
    struct duck_state *state = source->state;
    *session = (struct duck_session){.library = state->library,
                                     .limits = limits,
                                     .staged = !state->path && !state->maker};
    (void)pthread_mutex_lock(&state->lock);
    bool ok = begin_locked(state, session, err);
    bool reads = state->locked || state->maker != NULL;
    (void)pthread_mutex_unlock(&state->lock);
    if (ok && reads && !session_reads_only(session)) {
        duck_end(source, session);
        return err_set(err, ERR_INTERNAL, "The staged rows could not be locked.");
    }
    return ok;
}

void duck_end(struct datasource *source, struct duck_session *session)
{
    struct duck_state *state = source->state;
    (void)pthread_mutex_lock(&state->lock);
    unwatch(state, session);
    (void)pthread_mutex_unlock(&state->lock);
    /* Ending a connection may wait for its query; the others need not wait with it. */
    state->library->disconnect(&session->connection);
    (void)pthread_mutex_lock(&state->lock);
    state->busy--;
    state->idle_since_ms = clock_ms();
    (void)pthread_cond_broadcast(&state->changed);
    (void)pthread_mutex_unlock(&state->lock);
}

/* ------------------------------------------------------------------ alone, to write */

/* With the lock held: nobody reads, and nobody begins to. */
static bool alone_wait(struct duck_state *state, const struct datasource_limits *limits,
                       struct err *err)
{
    int64_t give_up_ms = clock_ms() + PATIENCE_MS;
    while (state->making || state->busy > 0) {
        wait_ms(state, WATCH_MS);
        if (!limits_hold(limits, err)) {
            return false;
        }
        if (clock_ms() >= give_up_ms) {
            return err_set(err, ERR_DATABASE_LOCKED,
                           "Too many queries are running on this file.");
        }
    }
    return true;
}

static bool alone_open(struct duck_state *state, duckdb_database *database,
                       struct duck_session *session, struct err *err)
{
    const struct duck_library *library = state->library;
    duckdb_config config = NULL;
    char *message = NULL;
    if (library->create_config(&config) != DuckDBSuccess ||
        !duck_lock_writable(library, config, state->options)) {
        library->destroy_config(&config);
        return err_set(err, ERR_INTERNAL, "DuckDB did not take its configuration.");
    }
    bool ok = library->open_ext(state->path, database, config, &message) == DuckDBSuccess;
    library->destroy_config(&config);
    if (!ok) {
        *database = NULL;
        (void)duck_open_fail(state->path, message ? message : "", err);
    }
    library->free(message);
    return ok && (library->connect(*database, &session->connection) == DuckDBSuccess ||
                  err_set(err, ERR_DATASOURCE_UNREACHABLE, "DuckDB gave no connection."));
}

bool duck_alone(struct datasource *source, const struct datasource_limits *limits,
                bool (*work)(struct duck_session *session, void *context,
                             struct err *err),
                void *context, struct err *err)
{
    struct duck_state *state = source->state;
    struct duck_session session = {.library = state->library, .limits = limits};
    duckdb_database database = NULL;
    if (!state->path) {
        return err_set(err, ERR_WRITE_NOT_ALLOWED,
                       "Only a database file can be changed.");
    }
    (void)pthread_mutex_lock(&state->lock);
    if (!alone_wait(state, limits, err) || !file_source_check(state->path, err)) {
        (void)pthread_mutex_unlock(&state->lock);
        return false;
    }
    database_close(state);
    state->making = true; /* whoever comes now waits */
    (void)pthread_mutex_unlock(&state->lock);
    bool ok = alone_open(state, &database, &session, err);
    (void)pthread_mutex_lock(&state->lock);
    if (ok) {
        watch(state, &session);
    }
    (void)pthread_mutex_unlock(&state->lock);
    ok = ok && work(&session, context, err);
    (void)pthread_mutex_lock(&state->lock);
    unwatch(state, &session);
    (void)pthread_mutex_unlock(&state->lock);
    state->library->disconnect(&session.connection);
    state->library->close(&database);
    (void)pthread_mutex_lock(&state->lock);
    state->making = false;
    (void)pthread_cond_broadcast(&state->changed);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
