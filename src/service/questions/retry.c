/* Asks a question again from the beginning and keeps what is already known. */
#include <string.h>

#include "agent/machine.h"
#include "base/str.h"
#include "service/accounts/access.h"
#include "service/accounts/accounts.h"
#include "service/questions/question.h"
#include "service/questions/recover.h"
#include "store/store.h"

/* Restarts a question that failed or was interrupted, keeping the user's answers and the
 * verdicts on single tables. */
static struct run *load_again(struct dgm *dgm, const struct store_question *stored,
                              struct err *err)
{
    bool over = str_equal(stored->state, state_name(STATE_FAILED)) ||
                str_equal(stored->state, state_name(STATE_STOPPED));
    bool left = recover_is_left(dgm, stored);
    if (!over && !left) {
        (void)err_set(
            err, ERR_NOT_WAITING,
            "Only a question that failed or was stopped can be retried (it is %s).",
            stored->state);
        return NULL;
    }
    struct run *run =
        run_load_again(&dgm->agent, stored->checkpoint, strlen(stored->checkpoint), err);
    if (run && !store_question_claim(dgm->agent.store, stored->id, stored->state,
                                     state_name(STATE_INITIALIZING), err)) {
        if (err->code == ERR_OK) {
            (void)err_set(err, ERR_NOT_WAITING, "The question is already being retried.");
        }
        run_free(run);
        run = NULL;
    }
    return run;
}

struct dgm_question *dgm_retry(struct dgm *dgm, const char *query_id,
                               const struct dgm_request *request, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct store_question stored = {0};
    struct run *run = NULL;
    const struct dgm_access *access = request ? request->access : NULL;
    bool entered = limits_enter(dgm, access, &err);
    if (entered && instance_ready(dgm, &err) && ask_has_room(dgm, &err) &&
        store_question_get(dgm->agent.store, arena, query_id ? query_id : "", &stored,
                           &err)) {
        if (request_sees_question(request, &stored)) {
            run = load_again(dgm, &stored, &err);
        } else {
            (void)err_set(&err, ERR_QUERY_NOT_FOUND,
                          "There is no question with this id.");
        }
    }
    arena_free(arena);
    if (entered) {
        request_settle(dgm, request, run);
    }
    if (run) {
        request_bound(request, run);
        run_checkpoint_claimed(run);
    }
    if (!run) {
        (void)instance_fail(error, &err);
        return NULL;
    }
    question_kept(dgm, request);
    struct dgm_question *question = question_new(dgm, run, request, run->question.text);
    machine_start(run);
    return question;
}
