/* The connections to one database on a server: kept, looked at before use, made again. */
#include "datasource/server/server_pool.h"

#include <time.h>

#include "base/clock.h"
#include "base/str.h"

enum {
    POOL_MOST = 10,    /* connections to one database */
    POOL_WAIT_MS = 20, /* how often a waiter looks at its stop signal */
    POOL_PATIENCE_MS = 60000,
    PING_AFTER_MS = 30000, /* a connection that lay longer is asked before use */
    IDLE_MOST_MS = 300000, /* and one that lay this long is closed */
    BACKOFF_FIRST_MS = 50,
    BACKOFF_MOST_MS = 5000,
};

void server_pool_init(struct server_pool *pool, const struct server_kind *kind,
                      void *state)
{
    pthread_condattr_t attributes;
    pool->kind = kind;
    pool->state = state;
    pool->places.most = POOL_MOST;
    (void)pthread_mutex_init(&pool->lock, NULL);
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&pool->released, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

void server_pool_release(struct server_pool *pool)
{
    while (pool->idle) {
        struct server_session *session = pool->idle;
        pool->idle = session->next;
        pool->open--;
        pool->kind->disconnect(session);
    }
    (void)pthread_cond_destroy(&pool->released);
    (void)pthread_mutex_destroy(&pool->lock);
}

static bool session_alive(const struct server_pool *pool, struct server_session *session)
{
    int64_t idle_ms = clock_ms() - session->idle_since_ms;
    return idle_ms <= IDLE_MOST_MS &&
           pool->kind->alive(session, idle_ms >= PING_AFTER_MS);
}

static bool pool_wait(struct server_pool *pool, const struct datasource_limits *limits,
                      int64_t give_up_ms, struct err *err)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += POOL_WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(&pool->released, &pool->lock, &until);
    if (!limits_hold(limits, err)) {
        return false;
    }
    return clock_ms() < give_up_ms ||
           err_set(err, ERR_TIMEOUT, "Too many queries are running on this database.");
}

/* An idle connection, or room for a new one; waits while there is neither. After a
 * failure nobody tries again before the backoff is over. */
static bool pool_reserve(struct server_pool *pool, const struct datasource_limits *limits,
                         struct places_holder *holder, struct server_session **idle,
                         struct err *err)
{
    int64_t give_up_ms = clock_ms() + POOL_PATIENCE_MS;
    (void)pthread_mutex_lock(&pool->lock);
    bool ok = true;
    const char *owner = limits ? limits->owner : NULL;
    while (ok && !places_free(&pool->places, owner)) {
        ok = pool_wait(pool, limits, give_up_ms, err);
    }
    *idle = ok ? pool->idle : NULL;
    if (*idle) {
        pool->idle = (*idle)->next;
    } else if (ok && pool->failures > 0 && clock_ms() < pool->retry_at_ms) {
        *err = pool->last;
        ok = false;
    } else if (ok) {
        pool->open++;
    }
    if (ok) {
        places_take(&pool->places, holder, owner);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return ok;
}

static void pool_drop(struct server_pool *pool, const struct places_holder *holder,
                      struct server_session *session)
{
    if (session) {
        pool->kind->disconnect(session);
    }
    (void)pthread_mutex_lock(&pool->lock);
    pool->open--;
    places_give(&pool->places, holder);
    (void)pthread_cond_broadcast(&pool->released);
    (void)pthread_mutex_unlock(&pool->lock);
}

/* A stop says nothing about the server; anything else makes the next try wait longer. */
static void backoff_note(struct server_pool *pool, const struct err *error)
{
    (void)pthread_mutex_lock(&pool->lock);
    if (!error) {
        pool->failures = 0;
    } else if (error->code == ERR_DATASOURCE_UNREACHABLE) {
        int64_t pause = BACKOFF_FIRST_MS;
        for (int i = 0; i < pool->failures && pause < BACKOFF_MOST_MS; i++) {
            pause *= 2;
        }
        pause = pause < BACKOFF_MOST_MS ? pause : BACKOFF_MOST_MS;
        pool->failures++;
        pool->retry_at_ms = clock_ms() + pause;
        pool->last = *error;
    }
    (void)pthread_mutex_unlock(&pool->lock);
}

static struct server_session *pool_take(struct server_pool *pool,
                                        const struct datasource_limits *limits,
                                        struct places_holder *holder, struct err *err)
{
    struct server_session *session = NULL;
    for (;;) {
        if (!pool_reserve(pool, limits, holder, &session, err)) {
            return NULL;
        }
        if (!session) {
            break;
        }
        session->limits = limits;
        session->reused = true;
        session->answered = false;
        if (session_alive(pool, session)) {
            return session;
        }
        pool_drop(pool, holder, session);
    }
    struct err error;
    err_clear(&error);
    session = pool->kind->connect(pool->state, limits, &error);
    backoff_note(pool, session ? NULL : &error);
    if (!session) {
        *err = error;
        pool_drop(pool, holder, NULL);
    }
    return session;
}

/* Those that nobody has needed for long; the list is yours to close. */
static struct server_session *idle_expired(struct server_pool *pool, int64_t now_ms)
{
    struct server_session *expired = NULL;
    for (struct server_session **at = &pool->idle; *at;) {
        struct server_session *session = *at;
        if (now_ms - session->idle_since_ms < IDLE_MOST_MS) {
            at = &session->next;
            continue;
        }
        *at = session->next;
        session->next = expired;
        expired = session;
        pool->open--;
    }
    return expired;
}

/* As it was when it was made, so that nobody meets what another left in it. */
static bool session_as_new(const struct server_pool *pool, struct server_session *session)
{
    bool fit = !session->broken && pool->kind->clean(session) &&
               (!session->worn || !pool->kind->renew || pool->kind->renew(session));
    session->worn = false;
    return fit && !session->broken;
}

static void pool_give(struct server_pool *pool, const struct places_holder *holder,
                      struct server_session *session)
{
    if (!session_as_new(pool, session)) {
        pool_drop(pool, holder, session);
        return;
    }
    session->limits = NULL;
    session->idle_since_ms = clock_ms();
    (void)pthread_mutex_lock(&pool->lock);
    session->next = pool->idle;
    pool->idle = session;
    places_give(&pool->places, holder);
    struct server_session *expired = idle_expired(pool, session->idle_since_ms);
    (void)pthread_cond_broadcast(&pool->released);
    (void)pthread_mutex_unlock(&pool->lock);
    while (expired) {
        struct server_session *next = expired->next;
        pool->kind->disconnect(expired);
        expired = next;
    }
}

bool server_pool_with(struct server_pool *pool, const struct datasource_limits *limits,
                      bool (*work)(struct server_session *session, void *context,
                                   struct err *err),
                      void *context, struct err *err)
{
    struct places_holder holder;
    for (;;) {
        struct server_session *session = pool_take(pool, limits, &holder, err);
        if (!session) {
            return false;
        }
        bool ok = !pool->kind->ready || pool->kind->ready(pool->state, session, err);
        session->answered = false;
        ok = ok && work(session, context, err);
        bool again = !ok && session->reused && !session->answered && session->broken &&
                     err->code == ERR_DATASOURCE_UNREACHABLE;
        pool_give(pool, &holder, session);
        if (!again) {
            return ok;
        }
        err_clear(err);
    }
}
