/* Deadlines of questions at work, and what has expired in the store. */
#include "service/janitor.h"

#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "service/house.h"
#include "service/question.h"
#include "store/store.h"

enum { ROUND_MS = 250 };

static void stop_late(struct dgm *dgm)
{
    int64_t now = clock_ms();
    for (struct dgm_question *at = dgm->live; at; at = at->next) {
        if (now > at->deadline_ms) {
            run_stop(at->run, STOP_DEADLINE);
        }
    }
}

static void clean(struct dgm *dgm)
{
    struct err err;
    err_clear(&err);
    if (!store_clean(dgm->agent.store, dgm->options->session_timeout_s, &err)) {
        LOG(LOG_SERVICE, LOG_WARN, "clean-up: %s", err.message);
    }
}

static void *janitor_main(void *context)
{
    struct dgm *dgm = context;
    int64_t cleaned = clock_ms();
    (void)pthread_mutex_lock(&dgm->lock);
    while (dgm->janitor_runs) {
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += ROUND_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        (void)pthread_cond_timedwait(&dgm->janitor_wake, &dgm->lock, &until);
        stop_late(dgm);
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
