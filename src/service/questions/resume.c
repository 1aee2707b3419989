/* A message to a question that waits for its user: an answer, or a new question. */
#include "service/questions/resume.h"

#include <string.h>

#include "agent/answering.h"
#include "agent/machine.h"
#include "base/str.h"
#include "service/accounts/access.h"
#include "service/accounts/accounts.h"
#include "service/operation/janitor.h"
#include "service/questions/question.h"
#include "store/store.h"

/* Of two simultaneous answers only one continues: an approved write runs once. */
static bool claim(struct dgm *dgm, const char *query_id, struct err *err)
{
    if (store_question_claim(dgm->agent.store, query_id, state_name(STATE_AWAIT_USER),
                             state_name(STATE_INITIALIZING), err)) {
        return true;
    }
    return err->code == ERR_OK
               ? err_set(err, ERR_NOT_WAITING, "The question was answered already.")
               : false;
}

/* Are its datasources available, and writable if a write was approved? Checked before
 * anything changes, so that the question still waits if not. */
static bool can_go_on(struct dgm *dgm, const struct run *run, bool writes,
                      struct err *err)
{
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(json_array_at(run->saved, "sources"), index, item)
    {
        const char *id = str_or_empty(json_text_at(item, "id"));
        const struct datasource_setting *source =
            instance_source(dgm, id, run->question.account);
        if (!source && str_starts_nocase(id, "dataset-")) {
            return err_set(err, ERR_DATASET_NOT_FOUND, "Dataset not found");
        }
        if (!source) {
            (void)err_set(err, ERR_DATASOURCE_NOT_FOUND,
                          "The question is about '%.60s', which is not configured here.",
                          id);
            return err_hint(err, "Give the database again; the question still waits.");
        }
        if (writes && !source->writable) {
            (void)err_set(err, ERR_WRITE_NOT_ALLOWED,
                          "The datasource '%.60s' is read-only.", id);
            return err_hint(err, "Declare it 'writable: true', or add --allow-write; the "
                                 "question still waits.");
        }
    }
    return true;
}

/* Loads a waiting question; for an approval only yes or no is accepted. */
static struct run *load_run(struct dgm *dgm, const struct store_question *stored,
                            bool approval, const char *said, struct err *err)
{
    if (!str_equal(stored->state, state_name(STATE_AWAIT_USER))) {
        (void)err_set(err, ERR_NOT_WAITING,
                      "The question is not waiting for an answer (it is %s).",
                      stored->state);
        if (str_equal(stored->state, state_name(STATE_STOPPED))) {
            (void)err_hint(err, "Ask it again, or repeat it with --retry.");
        }
        return NULL;
    }
    struct run *run =
        run_load(&dgm->agent, stored->checkpoint, strlen(stored->checkpoint), err);
    bool fits = run && (!approval || run->answer.clarification.kind == CLARIFY_APPROVAL);
    if (run && !fits) {
        (void)err_set(err, ERR_NOT_WAITING,
                      "The question waits for an answer, not for an approval.");
    }
    bool writes = fits && run->query.is_write && answering_says_yes(said);
    fits = fits && can_go_on(dgm, run, writes, err);
    if (fits && claim(dgm, stored->id, err)) {
        run_note_said(run, said);
        run_checkpoint_claimed(run);
        return run;
    }
    run_free(run);
    return NULL;
}

bool resume_find(struct dgm *dgm, struct arena *arena, const char *query_id,
                 struct store_question *out, struct err *err)
{
    if (store_question_get(dgm->agent.store, arena, query_id, out, err)) {
        return true;
    }
    return err->code == ERR_QUERY_NOT_FOUND && janitor_expire(dgm) &&
           store_question_get(dgm->agent.store, arena, query_id, out, err);
}

static struct run *load_waiting(struct dgm *dgm, const char *query_id, bool approval,
                                const char *said, const struct dgm_request *request,
                                struct err *err)
{
    struct arena *arena = arena_new();
    struct store_question stored = {0};
    struct run *run = NULL;
    if (instance_ready(dgm, err) &&
        resume_find(dgm, arena, query_id ? query_id : "", &stored, err)) {
        if (request_sees_question(request, &stored)) {
            run = load_run(dgm, &stored, approval, said, err);
        } else {
            (void)err_set(err, ERR_QUERY_NOT_FOUND, "There is no question with this id.");
        }
    }
    arena_free(arena);
    if (run) {
        request_bound(request, run);
    }
    return run;
}

/* Abandons the waiting question and starts a new one. */
static struct dgm_question *ask_instead(struct dgm *dgm, struct run *run,
                                        const char *said,
                                        const struct dgm_request *request,
                                        struct err *err)
{
    const struct question *left = &run->question;
    struct dgm_request instead = request ? *request : (struct dgm_request){0};
    bool wanted = instead.new_question;
    instead.question = said;
    instead.session_id = left->session_id;
    instead.account = left->account;
    instead.brain =
        str_empty(instead.brain) ? brain_kind_name(left->brain) : instead.brain;
    instead.datasource =
        str_empty(instead.datasource) ? left->datasource : instead.datasource;
    run_enter(run, EVENT_NEW_QUESTION);
    const char *note = arena_format(
        run->scratch, "Taken as a new question; \"%.200s\" is left open.", left->text);
    struct dgm_question *question = ask_start(dgm, &instead, wanted ? NULL : note, err);
    run_free(run);
    return question;
}

struct dgm_question *resume_say(struct dgm *dgm, const char *query_id, const char *said,
                                const struct dgm_request *request, struct err *err)
{
    struct run *run = NULL;
    if (ask_check_text(dgm->options, said, err)) {
        run = load_waiting(dgm, query_id, false, said, request, err);
    }
    if (!run) {
        return NULL;
    }
    if ((request && request->new_question) || answering_is_new(run, said)) {
        return ask_instead(dgm, run, said, request, err);
    }
    question_kept(dgm, request);
    struct dgm_question *question = question_new(dgm, run, request, said);
    machine_answer(run, said);
    return question;
}

const char *resume_waiting(struct dgm *dgm, struct arena *arena,
                           const struct dgm_request *request)
{
    struct err err;
    struct messages last = {0};
    struct store_question stored = {0};
    err_clear(&err);
    bool waits = !str_empty(request->session_id) && instance_store(dgm, &err) &&
                 store_message_list(dgm->agent.store, arena, request->session_id, 1,
                                    &last, &err) &&
                 last.count && last.items[0].query_id &&
                 resume_find(dgm, arena, last.items[0].query_id, &stored, &err) &&
                 request_sees_question(request, &stored) &&
                 str_equal(stored.state, state_name(STATE_AWAIT_USER));
    return waits ? stored.id : NULL;
}

struct dgm_question *dgm_resume(struct dgm *dgm, const char *query_id, const char *answer,
                                const struct dgm_request *request,
                                struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct dgm_question *question = NULL;
    if (limits_enter(dgm, request ? request->access : NULL, &err)) {
        question = resume_say(dgm, query_id, answer, request, &err);
        request_settle(dgm, request, question);
    }
    if (!question) {
        (void)instance_fail(error, &err);
    }
    return question;
}

struct dgm_question *dgm_approve(struct dgm *dgm, const char *query_id, bool yes,
                                 const struct dgm_request *request,
                                 struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct run *run = NULL;
    const char *said = yes ? "yes" : "no";
    if (limits_enter(dgm, request ? request->access : NULL, &err)) {
        run = load_waiting(dgm, query_id, true, said, request, &err);
        request_settle(dgm, request, run);
    }
    if (!run) {
        (void)instance_fail(error, &err);
        return NULL;
    }
    question_kept(dgm, request);
    struct dgm_question *question = question_new(dgm, run, request, said);
    machine_answer(run, said);
    return question;
}
