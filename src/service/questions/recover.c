/* Questions whose process ended while it worked on them are marked as interrupted, so
 * that no client waits forever; the user's messages are kept in the conversation. */
#include "service/questions/recover.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/process.h"
#include "base/str.h"
#include "service/questions/question.h"
#include "service/operation/share.h"
#include "store/store.h"

enum { RECOVER_MOST = 1000 };

/* The process is known to be dead if it ran on this machine; for other machines only the
 * lease tells. */
static bool is_left(struct dgm *dgm, const struct store_question *stored)
{
    struct err err;
    struct arena *arena = arena_new();
    const char *text = str_or_empty(stored->checkpoint);
    const char *owner =
        json_text_at(json_parse(arena, text, strlen(text), &err), "owner");
    enum process_fate fate = process_fate(owner);
    arena_free(arena);
    return fate == PROCESS_GONE ||
           (fate == PROCESS_UNKNOWN &&
            clock_wall_s() - stored->updated_at > dgm->options->agent_timeout_s);
}

static bool is_at_work(const struct store_question *stored)
{
    enum state state = STATE_INITIALIZING;
    return state_find(stored->state, &state) && state_get(state)->rest == REST_NO;
}

bool recover_is_left(struct dgm *dgm, const struct store_question *stored)
{
    if (store_shared(dgm->agent.store)) {
        return is_at_work(stored); /* a claim tells: it needs a lease that is over */
    }
    return is_at_work(stored) && is_left(dgm, stored);
}

void recover_interrupt(struct dgm *dgm, struct run *run)
{
    struct err err;
    (void)err_set(&err, ERR_INTERRUPTED,
                  "dragoman was ended while it worked on this question.");
    run_blame(run, &err);
    run_enter(run, EVENT_INTERRUPTED);
    const char *said = run->exchange.said ? run->exchange.said : run->question.text;
    if (run->question.session_id && !learn_was_said(dgm, run, said)) {
        learn_conversation(dgm, run, said);
    }
}

bool recover_one(struct dgm *dgm, const struct store_question *stored)
{
    struct err err;
    err_clear(&err);
    if (store_shared(dgm->agent.store) || /* those are taken over, see share.c */
        !recover_is_left(dgm, stored) || question_is_live(dgm, stored->id) ||
        /* of several that see it only one goes on */
        !store_question_claim(dgm->agent.store, stored->id, stored->state,
                              state_name(STATE_FAILED), &err)) {
        return false;
    }
    struct run *run =
        run_load(&dgm->agent, stored->checkpoint, strlen(stored->checkpoint), &err);
    if (!run) {
        LOG(LOG_SERVICE, LOG_WARN, "%s: %s", stored->id, err.message);
        return false;
    }
    recover_interrupt(dgm, run);
    LOG(LOG_SERVICE, LOG_INFO, "%s was interrupted in %s", stored->id, stored->state);
    run_free(run);
    return true;
}

size_t recover_all(struct dgm *dgm)
{
    struct err err;
    struct store_question *left = NULL;
    size_t count = 0;
    size_t done = 0;
    err_clear(&err);
    if (store_shared(dgm->agent.store)) {
        return share_take_over(dgm);
    }
    struct arena *arena = arena_new();
    if (!store_question_unrested(dgm->agent.store, arena, RECOVER_MOST, &left, &count,
                                 &err)) {
        LOG(LOG_SERVICE, LOG_WARN, "interrupted questions: %s", err.message);
    }
    for (size_t i = 0; i < count; i++) {
        done += recover_one(dgm, &left[i]);
    }
    arena_free(arena);
    return done;
}

size_t dgm_recover(struct dgm *dgm)
{
    struct err err;
    struct err flush;
    err_clear(&err);
    size_t done = instance_ready(dgm, &err) ? recover_all(dgm) : 0;
    if (done) {
        (void)store_flush(dgm->agent.store, &flush);
    }
    return done;
}
