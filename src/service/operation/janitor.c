/* Stops questions at their deadline and deletes expired records. */
#include "service/operation/janitor.h"

#include <string.h>
#include <time.h>

#include "agent/sources/dataset_rows.h"
#include "base/clock.h"
#include "base/log.h"
#include "service/instance.h"
#include "service/questions/question.h"
#include "service/questions/recover.h"
#include "service/settings/settings.h"
#include "store/store.h"

enum { ROUND_MS = 250, FOLLOW_MS = 2000, EXPIRED_MOST = 1000, FOR_EVER_DAYS = 36500 };

static void stop_late(struct dgm *dgm)
{
    int64_t now = clock_ms();
    for (struct dgm_question *at = dgm->live; at; at = at->next) {
        if (now > at->deadline_ms) {
            run_stop(at->run, STOP_DEADLINE);
        }
    }
}

static bool expire(struct dgm *dgm, const struct store_question *late)
{
    struct err err;
    err_clear(&err);
    if (!store_question_claim(dgm->agent.store, late->id, state_name(STATE_AWAIT_USER),
                              state_name(STATE_INITIALIZING), &err)) {
        return false; /* answered or ended by another process meanwhile */
    }
    struct run *run =
        run_load(&dgm->agent, late->checkpoint, strlen(late->checkpoint), &err);
    if (!run) {
        LOG(LOG_SERVICE, LOG_WARN, "%s: %s", late->id, err.message);
        return false;
    }
    run_enter(run, EVENT_EXPIRED);
    run_free(run);
    return true;
}

bool janitor_expire(struct dgm *dgm)
{
    struct err err;
    err_clear(&err);
    struct arena *arena = arena_new();
    struct store_question *late = NULL;
    size_t count = 0;
    size_t ended = 0;
    if (!store_question_expired(dgm->agent.store, arena, state_name(STATE_AWAIT_USER),
                                EXPIRED_MOST, &late, &count, &err)) {
        LOG(LOG_SERVICE, LOG_WARN, "clean-up: %s", err.message);
    }
    for (size_t i = 0; i < count; i++) {
        ended += expire(dgm, &late[i]);
    }
    arena_free(arena);
    return ended > 0;
}

static void clean(struct dgm *dgm)
{
    struct err err;
    err_clear(&err);
    (void)janitor_expire(dgm);
    (void)recover_all(dgm);
    if (store_shared(dgm->agent.store)) {
        dataset_rows_sweep(dgm->agent.sources, dgm->agent.store);
    }
    int64_t days = dgm->options->session_history_days;
    /* ended conversations remain readable */
    if (!store_clean(dgm->agent.store, (days ? days : FOR_EVER_DAYS) * INT64_C(86400),
                     &err) ||
        (days &&
         !store_past_clean(dgm->agent.store, clock_wall_s() - days * 86400, &err))) {
        LOG(LOG_SERVICE, LOG_WARN, "clean-up: %s", err.message);
    }
}

static void *janitor_main(void *context)
{
    struct dgm *dgm = context;
    int64_t cleaned = clock_ms();
    int64_t followed = cleaned;
    (void)pthread_mutex_lock(&dgm->lock);
    while (dgm->janitor_runs) {
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += ROUND_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        (void)pthread_cond_timedwait(&dgm->janitor_wake, &dgm->lock, &until);
        stop_late(dgm);
        if (dgm->janitor_runs && clock_ms() - followed > FOLLOW_MS) {
            (void)pthread_mutex_unlock(&dgm->lock);
            settings_follow(dgm);
            dictionary_follow(dgm);
            (void)pthread_mutex_lock(&dgm->lock);
            followed = clock_ms();
        }
        if (dgm->janitor_runs &&
            clock_ms() - cleaned > dgm->options->session_cleanup_s * 1000) {
            (void)pthread_mutex_unlock(&dgm->lock);
            clean(dgm);
            (void)pthread_mutex_lock(&dgm->lock);
            cleaned = clock_ms();
        }
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    return NULL;
}

void janitor_start(struct dgm *dgm)
{
    dgm->janitor_runs = true;
    if (pthread_create(&dgm->janitor, NULL, janitor_main, dgm) != 0) {
        dgm->janitor_runs = false;
        LOG(LOG_SERVICE, LOG_ERROR, "no thread for deadlines: questions have none");
    }
}

void janitor_stop(struct dgm *dgm)
{
    (void)pthread_mutex_lock(&dgm->lock);
    bool runs = dgm->janitor_runs;
    dgm->janitor_runs = false;
    (void)pthread_cond_signal(&dgm->janitor_wake);
    (void)pthread_mutex_unlock(&dgm->lock);
    if (runs) {
        (void)pthread_join(dgm->janitor, NULL);
    }
}
