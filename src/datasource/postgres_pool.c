/* The connections to one PostgreSQL database: kept, looked at before use, made again. */
#include "datasource/postgres_driver.h"

#include <poll.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"

enum {
    POOL_MOST = 12,    /* connections to one database */
    POOL_WAIT_MS = 20, /* how often a waiter looks at its stop signal */
    POOL_PATIENCE_MS = 60000,
    PING_AFTER_MS = 30000, /* a connection that lay longer is asked before use */
    IDLE_MOST_MS = 300000, /* and one that lay this long is closed */
    BACKOFF_FIRST_MS = 50,
    BACKOFF_MOST_MS = 5000,
};

void postgres_pool_init(struct postgres_state *state)
{
    (void)pthread_mutex_init(&state->lock, NULL);
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&state->released, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    map_init(&state->types, false);
    state->memory = arena_new();
}

static void idle_close(struct postgres_state *state)
{
    while (state->idle) {
        struct postgres_session *session = state->idle;
        state->idle = session->next;
        state->open--;
        postgres_disconnect(session);
    }
}

void postgres_pool_release(struct postgres_state *state)
{
    idle_close(state);
    memory_free(state->schema);
    map_release(&state->types);
    arena_free(state->memory);
    (void)pthread_cond_destroy(&state->released);
    (void)pthread_mutex_destroy(&state->lock);
}

/* Did the server leave while the connection lay? A closed socket is readable. */
static bool session_alive(struct postgres_session *session)
{
    int64_t idle_ms = clock_ms() - session->idle_since_ms;
    struct pollfd socket = {.fd = PQsocket(session->connection), .events = POLLIN};
    if (idle_ms > IDLE_MOST_MS) {
        return false;
    }
    if (poll(&socket, 1, 0) > 0 && !PQconsumeInput(session->connection)) {
        return false;
    }
    if (PQstatus(session->connection) != CONNECTION_OK) {
        return false;
    }
    struct err ignored;
    return idle_ms < PING_AFTER_MS ||
           postgres_script(session, "SELECT 1", NULL, NULL, &ignored);
}

static bool pool_wait(struct postgres_state *state,
                      const struct datasource_limits *limits, int64_t give_up_ms,
                      struct err *err)
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

/* An idle connection, or room for a new one; waits while there is neither. After a
 * failure nobody tries again before the backoff is over. */
static bool pool_reserve(struct postgres_state *state,
                         const struct datasource_limits *limits,
                         struct postgres_session **idle, struct err *err)
{
    int64_t give_up_ms = clock_ms() + POOL_PATIENCE_MS;
    (void)pthread_mutex_lock(&state->lock);
    bool ok = true;
    while (ok && !state->idle && state->open >= POOL_MOST) {
        ok = pool_wait(state, limits, give_up_ms, err);
    }
    *idle = ok ? state->idle : NULL;
    if (*idle) {
        state->idle = (*idle)->next;
    } else if (ok && state->failures > 0 && clock_ms() < state->retry_at_ms) {
        *err = state->last;
        ok = false;
    } else if (ok) {
        state->open++;
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

static void pool_drop(struct postgres_state *state, struct postgres_session *session)
{
    if (session) {
        postgres_disconnect(session);
    }
    (void)pthread_mutex_lock(&state->lock);
    state->open--;
    (void)pthread_cond_broadcast(&state->released);
    (void)pthread_mutex_unlock(&state->lock);
}

/* A stop says nothing about the server; anything else makes the next try wait longer. */
static void backoff_note(struct postgres_state *state, const struct err *error)
{
    (void)pthread_mutex_lock(&state->lock);
    if (!error) {
        state->failures = 0;
    } else if (error->code == ERR_DATASOURCE_UNREACHABLE) {
        int64_t pause = BACKOFF_FIRST_MS;
        for (int i = 0; i < state->failures && pause < BACKOFF_MOST_MS; i++) {
            pause *= 2;
        }
        pause = pause < BACKOFF_MOST_MS ? pause : BACKOFF_MOST_MS;
        state->failures++;
        state->retry_at_ms = clock_ms() + pause;
        state->last = *error;
    }
    (void)pthread_mutex_unlock(&state->lock);
}

static struct postgres_session *pool_take(struct postgres_state *state,
                                          const struct datasource_limits *limits,
                                          struct err *err)
{
    struct postgres_session *session = NULL;
    for (;;) {
        if (!pool_reserve(state, limits, &session, err)) {
            return NULL;
        }
        if (!session) {
            break;
        }
        session->limits = limits;
        session->reused = true;
        session->answered = false;
        if (session_alive(session)) {
            return session;
        }
        pool_drop(state, session);
    }
    struct err error;
    err_clear(&error);
    session = postgres_connect(state, limits, &error);
    backoff_note(state, session ? NULL : &error);
    if (!session) {
        *err = error;
        pool_drop(state, NULL);
    }
    return session;
}

/* Those that nobody has needed for long; the list is yours to close. */
static struct postgres_session *idle_expired(struct postgres_state *state, int64_t now_ms)
{
    struct postgres_session *expired = NULL;
    for (struct postgres_session **at = &state->idle; *at;) {
        struct postgres_session *session = *at;
        if (now_ms - session->idle_since_ms < IDLE_MOST_MS) {
            at = &session->next;
            continue;
        }
        *at = session->next;
        session->next = expired;
        expired = session;
        state->open--;
    }
    return expired;
}

static void pool_give(struct postgres_state *state, struct postgres_session *session)
{
    if (session->broken || PQstatus(session->connection) != CONNECTION_OK ||
        PQtransactionStatus(session->connection) != PQTRANS_IDLE) {
        pool_drop(state, session);
        return;
    }
    session->limits = NULL;
    session->idle_since_ms = clock_ms();
    (void)pthread_mutex_lock(&state->lock);
    session->next = state->idle;
    state->idle = session;
    struct postgres_session *expired = idle_expired(state, session->idle_since_ms);
    (void)pthread_cond_broadcast(&state->released);
    (void)pthread_mutex_unlock(&state->lock);
    while (expired) {
        struct postgres_session *next = expired->next;
        postgres_disconnect(expired);
        expired = next;
    }
}

bool postgres_with(struct datasource *source, const struct datasource_limits *limits,
                   bool (*work)(struct postgres_session *session, void *context,
                                struct err *err),
                   void *context, struct err *err)
{
    struct postgres_state *state = source->state;
    for (;;) {
        struct postgres_session *session = pool_take(state, limits, err);
        if (!session) {
            return false;
        }
        bool ok = (atomic_load(&state->types_known) ||
                   postgres_types_load(session, state, err));
        session->answered = false;
        ok = ok && work(session, context, err);
        bool again = !ok && session->reused && !session->answered && session->broken &&
                     err->code == ERR_DATASOURCE_UNREACHABLE;
        pool_give(state, session);
        if (!again) {
            return ok;
        }
        err_clear(err);
    }
}
