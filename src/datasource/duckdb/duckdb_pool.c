/*
 * The open database and who uses it. A DuckDB file that is open for reading cannot be
 * written by any other program, so it is closed when nobody has asked for a while. One
 * thread, the watchman, does that. Each database is in a process of its own (engine.h),
 * which may end at any time: the next question opens it again.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "datasource/duckdb/duckdb.h"

enum {
    WATCH_MS = 10,  /* how often those that wait look at their limits */
    IDLE_MS = 5000, /* then the file is closed */
    PATIENCE_MS = 60000,
    STARVED_MS = 100, /* until somebody else may have given memory back */
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

void duckdb_wait(struct duckdb_source_state *state, int64_t most_ms)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += most_ms / 1000;
    until.tv_nsec += most_ms % 1000 * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_cond_timedwait(&state->changed, &state->lock, &until);
}

/* With the lock held. Those that still use it keep it until they are done. */
static void database_close(struct duckdb_source_state *state)
{
    if (state->engine) {
        engine_unref(state->engine);
        state->engine = NULL;
        if (state->maker) {
            state->maker->closed(state->maker->context);
        }
    }
}

/* With the lock held: a process that is gone is nobody's database. */
static bool database_lives(struct duckdb_source_state *state)
{
    if (state->engine && engine_dead(state->engine)) {
        database_close(state);
    }
    return state->engine != NULL;
}

static void *watchman_main(void *context)
{
    struct duckdb_source_state *state = context;
    (void)pthread_mutex_lock(&state->lock);
    while (!state->ending) {
        if (state->engine && state->busy.held == 0 && state->idle_ms > 0) {
            int64_t left = state->idle_since_ms + state->idle_ms - clock_ms();
            if (left <= 0) {
                database_close(state);
            } else {
                duckdb_wait(state, left);
            }
        } else {
            (void)pthread_cond_wait(&state->changed, &state->lock);
        }
    }
    (void)pthread_mutex_unlock(&state->lock);
    return NULL;
}

struct engine_setting duckdb_setting(const struct duckdb_source_state *state,
                                     enum engine_mode mode)
{
    return (struct engine_setting){.mode = mode,
                                   .path = state->path,
                                   .spill = state->spill,
                                   .memory_mb = state->options->sql_memory_mb,
                                   .disk_mb = state->options->staging_disk_mb};
}

bool duckdb_open_failed(const struct duckdb_source_state *state, struct err *err)
{
    if (err->code == ERR_NOT_A_DATABASE) {
        char said[sizeof err->detail];
        memcpy(said, err->detail, sizeof said);
        (void)duckdb_open_fail(state->path ? state->path : "memory", said, err);
    }
    return false;
}

static bool database_connect(struct duckdb_source_state *state,
                             const struct datasource_limits *limits, struct err *err)
{
    struct engine_setting setting =
        duckdb_setting(state, state->spill ? ENGINE_STAGE : ENGINE_READ);
    state->engine = engine_open(state->options, &setting, limits, err);
    return state->engine || duckdb_open_failed(state, err);
}

/* Without the lock. */
static struct engine *made(struct duckdb_source_state *state,
                           const struct datasource_limits *limits, struct err *err)
{
    const struct duckdb_maker *maker = state->maker;
    struct engine_setting setting = duckdb_setting(state, ENGINE_MAKE);
    struct duckdb_session session = {.limits = limits};
    struct arena *arena = arena_new();
    struct engine *engine = NULL;
    setting.file_open = maker->file_open;
    setting.context = maker->context;
    if (maker->find(maker->context, &setting.file_count, err)) {
        setting.places =
            arena_array(arena, setting.file_count + 1, sizeof *setting.places);
        engine = engine_open(state->options, &setting, limits, err);
    }
    bool ok = engine && engine_session_open(&session.line, engine, limits, err) &&
              maker->make(maker->context, &session, setting.places, err);
    engine_session_close(&session.line);
    if (!ok) {
        engine_unref(engine);
        engine = NULL;
    }
    arena_free(arena);
    return engine;
}

/* Call it with the lock held; it is released while the database is created, which may
 * take long and must react to a stop or a deadline. */
static bool database_make(struct duckdb_source_state *state,
                          const struct duckdb_session *asking, struct err *err)
{
    state->making = true;
    (void)pthread_mutex_unlock(&state->lock);
    struct engine *engine = made(state, asking->limits, err);
    (void)pthread_mutex_lock(&state->lock);
    state->making = false;
    (void)pthread_cond_broadcast(&state->changed);
    state->engine = engine;
    if (!engine) {
        state->maker->closed(state->maker->context);
    }
    return engine != NULL;
}

/* With the lock held. */
static bool database_open(struct duckdb_source_state *state,
                          const struct duckdb_session *session, struct err *err)
{
    struct stat_mark mark;
    bool lives = database_lives(state);
    const struct datasource_limits *limits = session ? session->limits : NULL;
    if (state->maker) {
        bool changed = lives && state->maker->changed(state->maker->context);
        if (lives && (!changed || state->busy.held > 0)) {
            return true;
        }
        database_close(state);
        return database_make(state, session, err);
    }
    if (!state->path) {
        /* what was staged is gone with the process that had it */
        return lives ||
               (!state->opened
                    ? database_connect(state, limits, err)
                    : err_set(err, ERR_DATASOURCE_UNREACHABLE,
                              "The process with the rows of this question has ended."));
    }
    if (!mark_read(state->path, &mark) || !file_source_check(state->path, err)) {
        return file_source_check(state->path, err) &&
               err_set(err, ERR_DATASOURCE_UNREACHABLE, "The file no longer exists.");
    }
    bool replaced = !mark_equal(&mark, &state->mark);
    if (lives && (!replaced || state->busy.held > 0)) {
        return true; /* a replaced file is followed as soon as nobody reads the old one */
    }
    database_close(state);
    bool opened = database_connect(state, limits, err);
    if (opened && replaced) {
        state->mark = mark;
        state->signature[0] = '\0';
    }
    return opened;
}

bool duckdb_signature_known(struct duckdb_source_state *state, char out[33])
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

static bool state_init(struct duckdb_source_state *state, struct err *err)
{
    if (!engine_ready(state->options, err)) {
        return false;
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    /* one more than an account can have: see base/places.h */
    size_t most = 1 + (cores > 1 ? (size_t)cores * 2 : 4);
    state->busy.most = most < DUCK_BUSY_MOST ? most : DUCK_BUSY_MOST;
    if (!state->path && !state->maker) {
        state->busy.most = SIZE_MAX; /* one question's own: it bounds itself */
    }
    state->idle_since_ms = clock_ms();
    (void)pthread_mutex_init(&state->lock, NULL);
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&state->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    bool ok = state->maker || database_open(state, NULL, err);
    state->opened = ok;
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

bool duckdb_state_init(struct duckdb_source_state *state, struct datasource *source,
                       struct err *err)
{
    state->path = source->path;
    state->options = source->options;
    state->idle_ms = state->path ? IDLE_MS : 0; /* what was put into memory stays */
    return state_init(state, err);
}

bool duckdb_state_init_maker(struct duckdb_source_state *state,
                             const struct options *options,
                             const struct duckdb_maker *maker, struct err *err)
{
    state->maker = maker;
    state->options = options;
    state->idle_ms = maker->idle_ms;
    return state_init(state, err);
}

void duckdb_state_release(struct duckdb_source_state *state)
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

static const char *owner_of(const struct duckdb_session *session)
{
    return session->limits ? session->limits->owner : NULL;
}

static bool begin_locked(struct duckdb_source_state *state,
                         struct duckdb_session *session, struct err *err)
{
    int64_t give_up_ms = clock_ms() + PATIENCE_MS;
    while (state->making || !places_free(&state->busy, owner_of(session))) {
        duckdb_wait(state, WATCH_MS);
        if (!limits_hold(session->limits, err)) {
            return false;
        }
        if (clock_ms() >= give_up_ms) {
            return err_set(err, ERR_TIMEOUT,
                           "Too many queries are running on this file.");
        }
    }
    if (!database_open(state, session, err) ||
        !engine_session_open(&session->line, state->engine, session->limits, err)) {
        return false;
    }
    places_take(&state->busy, &session->holder, owner_of(session));
    return true;
}

/* With the lock held: what a query that ran out of memory has left behind is given back
 * with the process, as soon as nobody uses it. What was made or staged stays. */
static void strained_close(struct duckdb_source_state *state)
{
    if (state->path && state->busy.held == 0 && state->engine &&
        atomic_load(&state->engine->strained)) {
        database_close(state);
    }
}

static void duckdb_leave(struct duckdb_source_state *state,
                         struct duckdb_session *session)
{
    if (session->lone) {
        duckdb_lone_end(state, session);
        return;
    }
    engine_session_close(&session->line);
    (void)pthread_mutex_lock(&state->lock);
    places_give(&state->busy, &session->holder);
    strained_close(state);
    state->idle_since_ms = clock_ms();
    (void)pthread_cond_broadcast(&state->changed);
    (void)pthread_mutex_unlock(&state->lock);
}

static bool begin_once(struct duckdb_source_state *state, struct duckdb_session *session,
                       struct err *err)
{
    (void)pthread_mutex_lock(&state->lock);
    bool ok = begin_locked(state, session, err);
    bool reads = state->locked || state->maker != NULL;
    (void)pthread_mutex_unlock(&state->lock);
    /* a file is opened for reading; a database in memory has only its transactions */
    if (ok && reads && !duckdb_statement(session, "BEGIN TRANSACTION READ ONLY", err)) {
        duckdb_leave(state, session);
        return false;
    }
    return ok;
}

/* A process may end at any time, also between being started and being asked. */
static bool duckdb_pool_begin(struct duckdb_source_state *state,
                              struct duckdb_session *session, struct err *err)
{
    enum { TRIES = 3 };
    for (int i = 0;; i++) {
        err_clear(err);
        if (begin_once(state, session, err)) {
            return true;
        }
        (void)pthread_mutex_lock(&state->lock);
        bool gone = session->source && state->engine && engine_dead(state->engine);
        bool starved = session->source && session->starved;
        if (starved) {
            duckdb_wait(state, STARVED_MS);
        }
        (void)pthread_mutex_unlock(&state->lock);
        if ((!gone && !starved) || i + 1 == TRIES || limits_spent(session->limits)) {
            return starved ? duckdb_crowded(err) : false;
        }
    }
}

bool duckdb_begin(struct datasource *source, const struct datasource_limits *limits,
                  struct duckdb_session *session, struct err *err)
{
    struct duckdb_source_state *state = source->state;
    bool staged = !state->path && !state->maker;
    *session = (struct duckdb_session){
        .limits = limits, .staged = staged, .source = staged ? NULL : source};
    return duckdb_pool_begin(state, session, err);
}

bool duckdb_renew(struct duckdb_session *session, struct err *err)
{
    struct duckdb_source_state *state = session->source->state;
    duckdb_leave(state, session);
    session->lost = !duckdb_pool_begin(state, session, err);
    return !session->lost;
}

/* A database that was made from files takes long to make again: there, others are given
 * the time to end. */
bool duckdb_renew_starved(struct duckdb_session *session, struct err *err)
{
    struct duckdb_source_state *state = session->source->state;
    if (!state->path) {
        (void)pthread_mutex_lock(&state->lock);
        duckdb_wait(state, STARVED_MS);
        (void)pthread_mutex_unlock(&state->lock);
        return duckdb_renew(session, err);
    }
    duckdb_leave(state, session);
    session->lost = !duckdb_lone_begin(state, session, err);
    return !session->lost;
}

void duckdb_end(struct datasource *source, struct duckdb_session *session)
{
    if (!session->lost) {
        duckdb_leave(source->state, session);
    }
}

/* ------------------------------------------------------------------ alone, to write */

/* With the lock held: no query runs, and none can start. */
static bool alone_wait(struct duckdb_source_state *state,
                       const struct datasource_limits *limits, struct err *err)
{
    int64_t give_up_ms = clock_ms() + PATIENCE_MS;
    while (state->making || state->busy.held > 0 || state->lone > 0) {
        duckdb_wait(state, WATCH_MS);
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

bool duckdb_alone(struct datasource *source, const struct datasource_limits *limits,
                  bool (*work)(struct duckdb_session *session, void *context,
                               struct err *err),
                  void *context, struct err *err)
{
    struct duckdb_source_state *state = source->state;
    struct duckdb_session session = {.limits = limits};
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
    state->making = true; /* other threads wait */
    (void)pthread_mutex_unlock(&state->lock);
    struct engine_setting setting = duckdb_setting(state, ENGINE_WRITE);
    struct engine *engine = engine_open(state->options, &setting, limits, err);
    bool ok = engine ? engine_session_open(&session.line, engine, limits, err) &&
                           work(&session, context, err)
                     : duckdb_open_failed(state, err);
    engine_session_close(&session.line);
    engine_unref(engine);
    (void)pthread_mutex_lock(&state->lock);
    state->making = false;
    (void)pthread_cond_broadcast(&state->changed);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
