/*
 * Several processes with one store: follows, stops and takes over each other's
 * questions.
 */
#include "service/operation/share.h"

#include <stdio.h>
#include <string.h>

#include "agent/machine.h"
#include "base/json.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/workers.h"
#include "service/accounts/accounts.h"
#include "service/questions/recover.h"
#include "service/settings/settings.h"
#include "store/store.h"

enum {
    NEWS_THREADS = 2,
    TAKEN_MOST = 100, /* questions taken over at once */
    /* a question is not retried after this many processes have died with it */
    FENCE_MOST = 5,
};

struct news {
    struct dgm *dgm;
    enum stop_reason reason;
    char id[ID_SIZE];
};

/* On a worker: cancelling a query may need a connection of its own. */
static void stop_one(void *context)
{
    struct news *news = context;
    struct dgm *dgm = news->dgm;
    (void)pthread_mutex_lock(&dgm->lock);
    struct dgm_question *found = question_live(dgm, news->id);
    if (found) {
        (void)atomic_fetch_add(&found->references, 1);
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    if (found) {
        run_stop(found->run, news->reason);
        question_unref(found);
    }
    memory_free(news);
}

static void stop_later(struct dgm *dgm, const char *id, enum stop_reason reason)
{
    struct news *news = memory_alloc(sizeof *news);
    news->dgm = dgm;
    news->reason = reason;
    (void)snprintf(news->id, sizeof news->id, "%s", id);
    workers_submit(dgm->news, stop_one, news);
}

static void on_stop(void *context, const char *id)
{
    stop_later(context, id, STOP_USER);
}

/* Its result is no longer needed: stops the model call and the query. */
static void on_lost(void *context, const char *id)
{
    stop_later(context, id, STOP_SHUTDOWN);
}

static void on_changed(void *context, const char *id)
{
    follow_look(context, id);
}

static void on_revoked(void *context, const char *key)
{
    struct dgm *dgm = context;
    accounts_forget(dgm->accounts, key);
}

static void look_around(void *context)
{
    settings_follow(context);
    dictionary_follow(context);
    instance_sync_sources(context);
    limits_settle(context);
    (void)share_take_over(context);
}

static void on_round(void *context)
{
    struct dgm *dgm = context;
    follow_look(dgm, NULL); /* a notification may have been lost */
    workers_submit(dgm->news, look_around, dgm);
}

bool share_start(struct dgm *dgm, struct err *err)
{
    static const struct store_watcher watcher = {.stop = on_stop,
                                                 .lost = on_lost,
                                                 .changed = on_changed,
                                                 .revoked = on_revoked,
                                                 .round = on_round};
    if (!store_shared(dgm->agent.store) || dgm->news) {
        return true;
    }
    dgm->news = workers_new(NEWS_THREADS);
    if (!store_watch(dgm->agent.store, &watcher, dgm, err)) {
        workers_free(dgm->news);
        dgm->news = NULL;
        return false;
    }
    return true;
}

void share_stop(struct dgm *dgm)
{
    if (dgm->news) {
        store_unwatch(dgm->agent.store);
        workers_free(dgm->news);
        dgm->news = NULL;
    }
}

/* Restarts the question, keeping what is known. Nobody in this process waits for it;
 * clients follow it by its events. */
static bool go_on(struct dgm *dgm, const struct store_question *stored, const char *said,
                  struct err *err)
{
    struct run *run =
        run_load_again(&dgm->agent, stored->checkpoint, strlen(stored->checkpoint), err);
    if (!run) {
        return false;
    }
    run_note_said(run, said);
    run_checkpoint_claimed(run);
    struct dgm_question *question =
        question_new(dgm, run, NULL, said ? said : run->question.text);
    question->taken = true;
    if (!str_empty(run->question.key_id)) { /* counts towards the key that asked */
        (void)snprintf(question->key_id, sizeof question->key_id, "%s",
                       run->question.key_id);
        limits_take_over(dgm, question->key_id);
    }
    machine_start(run);
    dgm_question_free(question);
    return true;
}

/* Ends a question that should be stopped, or must not be retried. */
static bool bring_to_rest(struct dgm *dgm, const struct store_question *stored,
                          struct err *err)
{
    struct run *run =
        run_load(&dgm->agent, stored->checkpoint, strlen(stored->checkpoint), err);
    if (!run) {
        return false;
    }
    if (stored->stop) {
        run_enter(run, EVENT_STOP);
    } else {
        recover_interrupt(dgm, run);
    }
    run_free(run);
    return true;
}

static bool take_one(struct dgm *dgm, const struct store_question *stored)
{
    struct err err;
    err_clear(&err);
    if (question_is_live(dgm, stored->id) || !ask_has_room(dgm, &err) ||
        !store_question_claim(dgm->agent.store, stored->id, stored->state,
                              state_name(STATE_INITIALIZING), &err)) {
        return false; /* another process has claimed it first */
    }
    LOG(LOG_SERVICE, LOG_INFO, "%s is taken over, in %s", stored->id, stored->state);
    store_question_taken(dgm->agent.store);
    struct arena *arena = arena_new();
    json_t *json =
        json_parse(arena, stored->checkpoint, strlen(stored->checkpoint), &err);
    /* An approved write may have been executed, so it is never retried automatically. */
    bool writes = json_bool_at(json_object_get(json, "question"), "allow_write", false);
    bool again = !stored->stop && stored->fence < FENCE_MOST && !writes;
    bool ok = again ? go_on(dgm, stored, json_text_at(json, "said"), &err)
                    : bring_to_rest(dgm, stored, &err);
    if (!ok) {
        LOG(LOG_SERVICE, LOG_WARN, "%s: %s", stored->id, err.message);
    }
    arena_free(arena);
    return ok;
}

size_t share_take_over(struct dgm *dgm)
{
    struct err err;
    struct store_question *left = NULL;
    size_t count = 0;
    size_t taken = 0;
    struct arena *arena = arena_new();
    err_clear(&err);
    (void)pthread_mutex_lock(&dgm->lock);
    bool ready = dgm->ready && !dgm->closing;
    (void)pthread_mutex_unlock(&dgm->lock);
    if (ready && !store_question_orphans(dgm->agent.store, arena, TAKEN_MOST, &left,
                                         &count, &err)) {
        LOG(LOG_SERVICE, LOG_WARN, "questions of other processes: %s", err.message);
    }
    for (size_t i = 0; i < count; i++) {
        taken += take_one(dgm, &left[i]);
    }
    arena_free(arena);
    return taken;
}
