/* Lets one question at a time read a schema that is not cached; the others wait. */
#include "knowledge/schema/schema_turn.h"

#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"

enum { LOOK_MS = 20 }; /* how often a waiter looks whether its question was stopped */

struct schema_turn_entry {
    char *datasource;
    pthread_t owner;
    bool ended;
    struct err failure;
    int waiting;
    struct schema_turn_entry *next;
};

void schema_turns_init(struct schema_turns *turns)
{
    *turns = (struct schema_turns){0};
    pthread_condattr_t monotonic;
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&turns->ended, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
}

/* Frees entries that have ended and have no waiters; all: everything. */
static void turns_sweep(struct schema_turns *turns, bool all)
{
    struct schema_turn_entry **link = &turns->first;
    while (*link) {
        struct schema_turn_entry *turn = *link;
        if (all || (turn->ended && turn->waiting == 0)) {
            *link = turn->next;
            memory_free(turn->datasource);
            memory_free(turn);
        } else {
            link = &turn->next;
        }
    }
}

void schema_turns_release(struct schema_turns *turns)
{
    turns_sweep(turns, true);
    (void)pthread_cond_destroy(&turns->ended);
}

static struct schema_turn_entry *turn_find(const struct schema_turns *turns,
                                           const char *datasource)
{
    struct schema_turn_entry *turn = turns->first;
    while (turn && (turn->ended || !str_equal(turn->datasource, datasource))) {
        turn = turn->next;
    }
    return turn;
}

static bool turn_held(const struct schema_turns *turns)
{
    for (const struct schema_turn_entry *turn = turns->first; turn; turn = turn->next) {
        if (!turn->ended && pthread_equal(turn->owner, pthread_self())) {
            return true;
        }
    }
    return false;
}

static void turn_start(struct schema_turns *turns, const char *datasource)
{
    struct schema_turn_entry *turn = memory_alloc(sizeof *turn);
    turn->datasource = memory_text(datasource);
    turn->owner = pthread_self();
    turn->next = turns->first;
    turns->first = turn;
}

static void wait_a_little(struct schema_turns *turns, pthread_mutex_t *lock)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(&turns->ended, lock, &until);
}

/* True if the other run has finished; false with err if waiting was given up. */
static bool turn_wait(struct schema_turns *turns, pthread_mutex_t *lock,
                      struct schema_turn_entry *turn, int64_t deadline_ms,
                      struct cancel *cancel, struct err *err)
{
    bool ok = true;
    turn->waiting++;
    while (ok && !turn->ended) {
        if (cancel_fired(cancel)) {
            ok = err_set(err, ERR_STOPPED, "Stopped while the schema was being read.");
        } else if (deadline_ms && clock_ms() >= deadline_ms) {
            ok = err_set(err, ERR_TIMEOUT, "Reading the schema took too long.");
        } else {
            wait_a_little(turns, lock);
        }
    }
    turn->waiting--;
    return ok;
}

enum schema_turn schema_turns_begin(struct schema_turns *turns, pthread_mutex_t *lock,
                                    const char *datasource, int64_t deadline_ms,
                                    struct cancel *cancel, struct err *err)
{
    for (;;) {
        struct schema_turn_entry *turn = turn_find(turns, datasource);
        if (!turn) {
            turn_start(turns, datasource);
            return SCHEMA_TURN_MINE;
        }
        if (turn_held(turns)) {
            /* Two questions that hold one turn each and want the other's would wait for
             * each other: who holds a turn reads without one. */
            return SCHEMA_TURN_MINE;
        }
        if (!turn_wait(turns, lock, turn, deadline_ms, cancel, err)) {
            turns_sweep(turns, false);
            return SCHEMA_TURN_GIVEN_UP;
        }
        struct err failure = turn->failure;
        turns_sweep(turns, false);
        if (failure.code == ERR_OK) {
            return SCHEMA_TURN_DONE;
        }
        if (failure.code != ERR_STOPPED && failure.code != ERR_TIMEOUT) {
            *err = failure;
            return SCHEMA_TURN_FAILED;
        }
    }
}

void schema_turns_end(struct schema_turns *turns, const char *datasource,
                      const struct err *failure)
{
    struct schema_turn_entry *turn = turn_find(turns, datasource);
    if (turn) {
        turn->ended = true;
        if (failure) {
            turn->failure = *failure;
        }
        (void)pthread_cond_broadcast(&turns->ended);
        turns_sweep(turns, false);
    }
}
