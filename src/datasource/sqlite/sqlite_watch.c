/*
 * The watchman of one SQLite file: a thread that interrupts connections whose deadline
 * has passed or that were stopped. Counting the rows of a large table is one operation,
 * in which SQLite asks nobody but listens to an interrupt.
 */
#include "datasource/sqlite/sqlite_driver.h"

#include "base/clock.h"
#include "base/memory.h"

enum {
    WATCH_MS = 20,    /* how often busy connections are looked at */
    DROWSY_MS = 1000, /* without any query: then it sleeps until it is woken */
};

struct sqlite_watchman {
    struct sqlite_state *state;
    pthread_t thread;
    pthread_cond_t woken; /* with the state's lock */
    bool asleep;
    bool ending;
    int64_t last_ms; /* when something was busy */
};

static void doze(struct sqlite_watchman *man)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WATCH_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(&man->woken, &man->state->lock, &until);
}

/* The steps are counted by the thread that runs the query, and only there. */
static bool time_is_up(const struct sqlite_connection *one)
{
    const struct datasource_limits seen = {.cancel = one->limits->cancel,
                                           .deadline_ms = one->limits->deadline_ms};
    return limits_spent(&seen);
}

static void *watchman_main(void *context)
{
    struct sqlite_watchman *man = context;
    struct sqlite_state *state = man->state;
    (void)pthread_mutex_lock(&state->lock);
    while (!man->ending) {
        for (struct sqlite_connection *one = state->busy; one; one = one->next) {
            man->last_ms = clock_ms();
            if (time_is_up(one)) {
                /* again at every look: the first may come before the query has begun */
                sqlite3_interrupt(one->db);
            }
        }
        if (state->busy || clock_ms() - man->last_ms < DROWSY_MS) {
            doze(man);
        } else {
            man->asleep = true;
            (void)pthread_cond_wait(&man->woken, &state->lock);
            man->asleep = false;
            man->last_ms = clock_ms();
        }
    }
    (void)pthread_mutex_unlock(&state->lock);
    return NULL;
}

/* Without a thread the progress handler still looks, between operations. */
static void watchman_hire(struct sqlite_state *state)
{
    struct sqlite_watchman *man = memory_alloc(sizeof *man);
    pthread_condattr_t attributes;
    man->state = state;
    man->last_ms = clock_ms();
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&man->woken, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    if (pthread_create(&man->thread, NULL, watchman_main, man) == 0) {
        state->watchman = man;
    } else {
        (void)pthread_cond_destroy(&man->woken);
        memory_free(man);
    }
}

void sqlite_watch_begin(struct sqlite_state *state, struct sqlite_connection *connection)
{
    if (!connection->limits) {
        return;
    }
    connection->next = state->busy;
    state->busy = connection;
    if (!state->watchman) {
        watchman_hire(state);
    } else if (state->watchman->asleep) {
        (void)pthread_cond_signal(&state->watchman->woken);
    }
}

void sqlite_watch_end(struct sqlite_state *state, struct sqlite_connection *connection)
{
    for (struct sqlite_connection **at = &state->busy; *at; at = &(*at)->next) {
        if (*at == connection) {
            *at = connection->next;
            break;
        }
    }
}

void sqlite_watch_release(struct sqlite_state *state)
{
    struct sqlite_watchman *man = state->watchman;
    if (!man) {
        return;
    }
    (void)pthread_mutex_lock(&state->lock);
    man->ending = true;
    (void)pthread_cond_signal(&man->woken);
    (void)pthread_mutex_unlock(&state->lock);
    (void)pthread_join(man->thread, NULL);
    (void)pthread_cond_destroy(&man->woken);
    memory_free(man);
    state->watchman = NULL;
}
