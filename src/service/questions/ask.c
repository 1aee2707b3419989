/* Checks a new question and starts it; also runs SQL that a user wrote. */
#include <string.h>

#include "agent/machine.h"
#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "model/brain.h"
#include "service/accounts/access.h"
#include "service/accounts/accounts.h"
#include "service/answers/feedback.h"
#include "service/questions/question.h"
#include "service/questions/reading.h"
#include "service/questions/resume.h"
#include "store/store.h"

enum { PARAMETERS_BYTES = 65536 };

bool ask_check_text(const struct options *options, const char *text, struct err *err)
{
    if (str_empty(text)) {
        return err_set(err, ERR_QUESTION_EMPTY, "The question is empty.");
    }
    size_t size = strlen(text);
    if (size > (size_t)options->question_max_bytes) {
        return err_set(err, ERR_QUESTION_TOO_LONG,
                       "The question is %zu bytes long; %lld are allowed.", size,
                       (long long)options->question_max_bytes);
    }
    size_t bad = 0;
    if (!utf8_valid(text, size, &bad)) {
        return err_set(err, ERR_INVALID_TEXT,
                       "The question is not valid UTF-8 (byte %zu).", bad + 1);
    }
    return true;
}

static bool check_brain(const char *brain, struct err *err)
{
    if (!str_empty(brain) && !brain_kind_wanted(brain_kind_find(brain))) {
        return err_set(err, ERR_USAGE,
                       "'%.32s' is not a valid value for brain; use auto, parser or llm.",
                       brain);
    }
    return true;
}

static bool check_parameters(const struct dgm_request *request, struct err *err)
{
    if (str_empty(request->parameters)) {
        return true;
    }
    struct arena *arena = arena_new();
    size_t size = strlen(request->parameters);
    bool good = size <= PARAMETERS_BYTES &&
                json_is_object(json_quick(arena, request->parameters, size));
    arena_free(arena);
    return good || err_set(err, ERR_USAGE,
                           "The parameters must be a JSON object of at most %d bytes.",
                           PARAMETERS_BYTES);
}

/* A conversation stays with its datasource. */
static bool check_session(struct dgm *dgm, struct arena *arena,
                          const struct dgm_access *access, struct question *question,
                          struct err *err)
{
    if (str_empty(question->session_id)) {
        return true;
    }
    struct store_session session = {0};
    if (!store_session_get(dgm->agent.store, arena, question->session_id, &session,
                           err)) {
        return false;
    }
    if (!question_may_see(session.account, question->account) ||
        !access_sees_session(access, &session)) {
        return err_set(err, ERR_SESSION_NOT_FOUND, "Session not found or expired");
    }
    if (str_empty(question->datasource)) {
        question->datasource = session.datasource;
    }
    /* A conversation continues even if its file is gone. */
    if (str_starts_nocase(str_or_empty(question->datasource), "dataset-") &&
        !instance_source(dgm, question->datasource, question->account)) {
        return err_set(err, ERR_DATASET_NOT_FOUND, "Dataset not found");
    }
    /* Every key for the datasource may read the conversation. */
    if (access && *access->key_id && session.datasource &&
        !str_equal_nocase(question->datasource, session.datasource)) {
        return err_set(err, ERR_USAGE, "The session is about another datasource.");
    }
    return true;
}

bool ask_has_room(struct dgm *dgm, struct err *err)
{
    (void)pthread_mutex_lock(&dgm->lock);
    bool room = dgm->live_count < (size_t)dgm->options->service_max_questions;
    (void)pthread_mutex_unlock(&dgm->lock);
    if (!room) {
        (void)err_set(err, ERR_BUSY, "Too many questions are running.");
        return err_hint(err, "Try again in a moment, or raise service.max_questions.");
    }
    return true;
}

/* "This is wrong" repeats the previous question, with the rest of the message as a hint;
 * "that's right" gets a thank-you. */
static struct run *make_judged(struct dgm *dgm, struct question *question,
                               const struct feedback *feedback, const char *rest)
{
    if (!feedback->good) {
        question->text = str_empty(rest) ? feedback->question : rest;
        question->datasource = feedback->datasource;
    }
    struct run *run = run_new(&dgm->agent, question, NULL);
    if (feedback->good) {
        run_reply_with(run, "Good to know; I will answer this question in the same way.");
    } else {
        run_rule_out_sql(run, feedback->sql);
        run_warn(
            run,
            "The previous answer is marked as wrong; its SQL will not be used again.");
    }
    return run;
}

static struct run *make_run(struct dgm *dgm, const struct dgm_request *request,
                            const char *text, bool sql, struct err *err)
{
    struct question question = {
        .text = text,
        .datasource = request->datasource,
        .session_id = request->session_id,
        .account = request_account(request),
        .brain = brain_kind_find(request->brain),
        .skip_plan = request->skip_plan,
        .skip_diagnosis = request->skip_diagnosis,
        .allow_write = request->allow_write,
        .dry_run = request->dry_run,
        .fresh = request->fresh,
        .skip_memory = request->skip_memory,
        .language = request->language,
        .parameters = request->parameters,
        .datasets = request->datasets,
        .key_id = request->access ? request->access->key_id : NULL,
        .reach = request->access ? request->access->datasources : NULL,
    };
    struct arena *arena = arena_new();
    struct run *run = NULL;
    if (check_brain(request->brain, err) && check_parameters(request, err) &&
        instance_ready(dgm, err) && ask_has_room(dgm, err) &&
        check_session(dgm, arena, request->access, &question, err)) {
        struct feedback feedback;
        const char *rest = NULL;
        run = !sql && feedback_message(dgm, arena, &question, &feedback, &rest)
                  ? make_judged(dgm, &question, &feedback, rest)
                  : run_new(&dgm->agent, &question, NULL);
    }
    arena_free(arena);
    return run;
}

struct dgm_question *ask_start(struct dgm *dgm, const struct dgm_request *request,
                               const char *note, struct err *err)
{
    struct run *run = NULL;
    if (ask_check_text(dgm->options, request->question, err)) {
        run = make_run(dgm, request, request->question, false, err);
    }
    if (run && note) {
        run_warn(run, "%s", note);
    }
    if (!run || !question_keep(dgm, run, request, err)) {
        run_free(run);
        return NULL;
    }
    struct dgm_question *question = question_new(dgm, run, request, request->question);
    machine_start(run);
    return question;
}

struct dgm_question *dgm_ask(struct dgm *dgm, const struct dgm_request *request,
                             struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct dgm_question *question = NULL;
    if (limits_enter(dgm, request->access, &err)) {
        const char *waiting = resume_waiting(dgm, arena, request);
        struct store_question last = {0};
        int64_t reading = waiting ? 0 : reading_said(dgm, arena, request, &last);
        question = waiting   ? resume_say(dgm, waiting, request->question, request, &err)
                   : reading ? reading_take(dgm, arena, &last, reading, request, &err)
                             : ask_start(dgm, request, NULL, &err);
        request_settle(dgm, request, question);
    }
    arena_free(arena);
    if (!question) {
        (void)instance_fail(error, &err);
    }
    return question;
}

static bool check_sql(const struct options *options, const char *sql, struct err *err)
{
    if (str_empty(sql)) {
        return err_set(err, ERR_QUESTION_EMPTY, "The SQL is empty.");
    }
    if (strlen(sql) > (size_t)options->sql_max_length) {
        (void)err_set(err, ERR_QUESTION_TOO_LONG, "The SQL is longer than %lld bytes.",
                      (long long)options->sql_max_length);
        return err_hint(err, "Shorten it, or raise sql.max_length.");
    }
    return utf8_valid(sql, strlen(sql), NULL) ||
           err_set(err, ERR_INVALID_TEXT, "The SQL is not valid UTF-8.");
}

struct dgm_question *dgm_run_sql(struct dgm *dgm, const char *sql,
                                 const struct dgm_request *request,
                                 struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct dgm_request none = {0};
    request = request ? request : &none;
    struct run *run = NULL;
    if (check_sql(dgm->options, sql, &err) && limits_enter(dgm, request->access, &err)) {
        run = make_run(dgm, request, sql, true, &err);
        if (run) {
            run_take_sql(run);
        }
        if (run && !question_keep(dgm, run, request, &err)) {
            run_free(run);
            run = NULL;
        }
        request_settle(dgm, request, run);
    }
    if (!run) {
        (void)instance_fail(error, &err);
        return NULL;
    }
    struct dgm_question *question = question_new(dgm, run, request, sql);
    machine_start(run);
    return question;
}

bool ask_deliver(struct dgm *dgm, const struct dgm_request *request, const char *sql,
                 const struct run_delivery *delivery, struct err *err)
{
    struct run *run = NULL;
    if (check_sql(dgm->options, sql, err) && limits_enter(dgm, request->access, err)) {
        run = make_run(dgm, request, sql, true, err);
        request_settle(dgm, request, run);
    }
    if (!run) {
        return false;
    }
    run_deliver(run, delivery);
    struct dgm_question *question = question_new(dgm, run, request, sql);
    machine_start(run);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    bool ok = !answer->answer->error;
    if (!ok) {
        *err = *answer->answer->error;
    } else if (answer->answer->clarification.kind == CLARIFY_APPROVAL) {
        ok = err_set(err, ERR_CLARIFICATION, "A person has to approve this query first.");
        (void)err_hint(err, "Run it, approve it, and take the rows of its answer.");
    } else if (!str_equal(answer->answer->state, state_name(STATE_FINISHED))) {
        ok = err_set(err, ERR_CLARIFICATION, "It is not clear which database is meant.");
    }
    dgm_question_free(question);
    return ok;
}
