/* Asking through the public header: handles, many at once, stopping, resuming. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "agent/sources/sources.h"
#include "datasource/opening.h"
#include "service/instance.h"
#include "unit/service/instance_of_one.h"

#define COUNT_USERS                                                                      \
    ">>> understand repeat\n{\"tables\": [{\"name\": \"users\"}], \"sql\": \"SELECT "    \
    "COUNT(*) AS n FROM users\"}\n<<<\n"
#define SLOW ">>> understand repeat\ndelay_ms: 30000\n{\"sql\": \"SELECT 1\"}\n<<<\n"
#define DELETE_ALL                                                                       \
    ">>> understand repeat\n{\"tables\": [{\"name\": \"users\"}], \"sql\": \"UPDATE "    \
    "users SET id = id + 10\"}\n<<<\n"

static const char *const no_recall[] = {"agent.recall=false", NULL};

static void a_handle_outlives_nothing_it_should_not(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(&instance, COUNT_USERS, NULL));
    struct dgm_request request = {.question = "How many users are there?"};
    struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
    assert_non_null(question);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    assert_non_null(answer);
    assert_ptr_equal(dgm_question_wait(question, 0), answer); /* again and again */
    dgm_question_stop(question);                              /* too late: no matter */
    assert_string_equal(dgm_answer_text(answer, "status"), "finished");
    assert_string_equal(dgm_answer_text(answer, "query_id"), dgm_question_id(question));
    assert_int_equal(dgm_answer_rows(answer), 1);
    assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), "3");
    assert_false(dgm_answer_error(answer, &error));
    char *stored = dgm_answer_load(instance.dgm, dgm_question_id(question), &error);
    assert_non_null(stored);
    assert_non_null(strstr(stored, "\"finished\""));
    dgm_free(stored);
    dgm_question_free(question);
    /* A handle given back at once: the question goes on without it. */
    dgm_question_free(dgm_ask(instance.dgm, &request, &error));
    instance_of_one_close(&instance);
}

static void notice_give(struct datasource *source, void *context)
{
    opening_notice(source->opening, context);
}

/* An answer that came over a line that is less than it should be says so. */
static void a_plain_line_is_told_with_the_answer(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    static char notice[] = "The connection to the database is not encrypted";
    assert_true(instance_of_one_open(&instance, COUNT_USERS, no_recall));
    struct dgm_request request = {.question = "How many users are there?"};
    for (int round = 0; round < 2; round++) {
        struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
        assert_non_null(question);
        const char *json = dgm_answer_json(dgm_question_wait(question, -1));
        assert_non_null(json);
        assert_int_equal(strstr(json, "not encrypted") != NULL, round == 1);
        dgm_question_free(question);
        sources_each_open(instance.dgm->agent.sources, notice_give, notice);
    }
    instance_of_one_close(&instance);
}

static void requests_that_make_no_sense(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(&instance, COUNT_USERS, NULL));
    static const struct {
        struct dgm_request request;
        const char *code;
    } list[] = {
        {{.question = NULL}, "QUESTION_EMPTY"},
        {{.question = " \n "}, "QUESTION_EMPTY"},
        {{.question = "x", .brain = "cabbage"}, "USAGE"},
        {{.question = "x", .session_id = "nobody"}, "SESSION_NOT_FOUND"},
        {{.question = "\xff"}, "INVALID_TEXT"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        assert_null(dgm_ask(instance.dgm, &list[i].request, &error));
        assert_string_equal(error.code, list[i].code);
        assert_true(error.message[0] != '\0');
    }
    assert_null(dgm_ask(instance.dgm, &list[0].request, NULL)); /* nobody wants to know */
    assert_null(dgm_resume(instance.dgm, NULL, "yes", NULL, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_null(dgm_resume(instance.dgm, "q-nothing", NULL, NULL, &error));
    assert_string_equal(error.code, "QUESTION_EMPTY");
    assert_null(dgm_approve(instance.dgm, "q-nothing", true, NULL, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_null(dgm_run_sql(instance.dgm, NULL, NULL, &error));
    assert_string_equal(error.code, "QUESTION_EMPTY");
    struct dgm_request elsewhere = {.question = "How many?", .datasource = "atlantis"};
    struct dgm_question *question = dgm_ask(instance.dgm, &elsewhere, &error);
    assert_int_equal(dgm_answer_exit_status(dgm_question_wait(question, -1)), 10);
    dgm_question_free(question);
    instance_of_one_close(&instance);
}

enum { MANY = 60 };

static void many_at_once(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(&instance, COUNT_USERS, no_recall));
    struct dgm_question *questions[MANY];
    for (int i = 0; i < MANY; i++) {
        struct dgm_request request = {.question = "How many users are there?"};
        questions[i] = dgm_ask(instance.dgm, &request, &error);
        assert_non_null(questions[i]);
    }
    for (int i = 0; i < MANY; i++) {
        const struct dgm_answer *answer = dgm_question_wait(questions[i], -1);
        assert_string_equal(dgm_answer_text(answer, "status"), "finished");
        assert_int_equal(dgm_answer_llm_calls(answer), 1);
        dgm_question_free(questions[i]);
    }
    instance_of_one_close(&instance);
}

static void more_than_there_is_room_for(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    static const char *const settings[] = {"service.max_questions=2", NULL};
    assert_true(instance_of_one_open(&instance, SLOW, settings));
    struct dgm_request request = {.question = "How many users are there?"};
    struct dgm_question *one = dgm_ask(instance.dgm, &request, &error);
    struct dgm_question *two = dgm_ask(instance.dgm, &request, &error);
    assert_null(dgm_ask(instance.dgm, &request, &error));
    assert_string_equal(error.code, "BUSY");
    dgm_question_stop(one);
    assert_int_equal(dgm_answer_exit_status(dgm_question_wait(one, -1)), 130);
    dgm_question_free(one);
    dgm_question_stop(two);
    assert_non_null(dgm_question_wait(two, -1));
    dgm_question_free(two);
    instance_of_one_close(&instance);
}

static void waiting_has_an_end(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(&instance, SLOW, NULL));
    struct dgm_request request = {.question = "How many users are there?"};
    struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
    assert_null(dgm_question_wait(question, 10));
    dgm_question_stop(question);
    dgm_question_stop(question);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    assert_string_equal(dgm_answer_text(answer, "state"), "STOPPED");
    assert_true(dgm_answer_error(answer, &error));
    assert_string_equal(error.code, "STOPPED");
    dgm_question_free(question);
    instance_of_one_close(&instance);
}

struct heard {
    atomic_int interrupted;
    atomic_int ends;
};

static void listen_to(void *context, const struct dgm_event *event)
{
    struct heard *heard = context;
    if (event->kind == DGM_FAILED || event->kind == DGM_DONE) {
        atomic_fetch_add(&heard->ends, 1);
    }
}

static void closing_ends_what_is_at_work(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    struct heard heard = {0};
    assert_true(instance_of_one_open(&instance, SLOW, NULL));
    char id[64];
    struct dgm_request request = {.question = "How many users are there?",
                                  .observer = listen_to,
                                  .context = &heard};
    struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
    (void)snprintf(id, sizeof id, "%s", dgm_question_id(question));
    dgm_question_free(question);
    assert_true(instance_of_one_reopen(&instance, COUNT_USERS, NULL));
    assert_int_equal(atomic_load(&heard.ends), 1);
    char *stored = dgm_answer_load(instance.dgm, id, &error);
    assert_non_null(stored);
    assert_non_null(strstr(stored, "INTERRUPTED"));
    dgm_free(stored);
    instance_of_one_close(&instance);
}

/* Everybody who answers at once is told whether he was the first. */
struct approver {
    struct instance_of_one *instance;
    const char *id;
    atomic_int *done;
};

static void *approve(void *context)
{
    struct approver *approver = context;
    struct dgm_error error;
    struct dgm_question *question =
        dgm_approve(approver->instance->dgm, approver->id, true, NULL, &error);
    if (question) {
        const struct dgm_answer *answer = dgm_question_wait(question, -1);
        if (dgm_answer_exit_status(answer) == 0) {
            atomic_fetch_add(approver->done, 1);
        }
        dgm_question_free(question);
    }
    return NULL;
}

static void a_write_approved_by_many_runs_once(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    enum { APPROVERS = 8 };
    pthread_t threads[APPROVERS];
    atomic_int done = 0;
    assert_true(instance_of_one_open(&instance, DELETE_ALL, NULL));
    struct dgm_request request = {.question = "Renumber the users", .allow_write = true};
    struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    assert_string_equal(dgm_answer_clarification_type(answer), "approval");
    assert_int_equal(dgm_answer_rows_touched(answer), 3);
    assert_int_equal(instance_of_one_count(&instance, "SELECT MIN(id) FROM users"), 1);
    struct approver approver = {&instance, dgm_question_id(question), &done};
    for (int i = 0; i < APPROVERS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, approve, &approver), 0);
    }
    for (int i = 0; i < APPROVERS; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    dgm_question_free(question);
    assert_int_equal(atomic_load(&done), 1);
    assert_int_equal(instance_of_one_count(&instance, "SELECT MIN(id) FROM users"), 11);
    instance_of_one_close(&instance);
}

static void a_question_back_can_be_answered_in_another_process(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    char id[64];
    assert_true(instance_of_one_open(&instance, COUNT_USERS, NULL));
    struct dgm_request request = {.question = "show me users"};
    struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    assert_string_equal(dgm_answer_text(answer, "state"), "AWAIT_USER");
    assert_true(dgm_answer_options(answer) > 1);
    assert_string_equal(dgm_answer_option_value(answer, 0), "all users");
    (void)snprintf(id, sizeof id, "%s", dgm_question_id(question));
    dgm_question_free(question);
    assert_true(instance_of_one_reopen(&instance, COUNT_USERS, NULL));
    question = dgm_resume(instance.dgm, id, "1", NULL, &error);
    assert_non_null(question);
    assert_string_equal(dgm_question_id(question), id);
    answer = dgm_question_wait(question, -1);
    assert_string_equal(dgm_answer_text(answer, "status"), "finished");
    dgm_question_free(question);
    instance_of_one_close(&instance);
}

static void what_belongs_to_one_account_is_not_answered_by_another(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(&instance, COUNT_USERS, NULL));
    struct dgm_request ada = {.question = "show me users", .account = "ada"};
    struct dgm_request bob = {.question = "How many?", .account = "bob"};
    struct dgm_question *question = dgm_ask(instance.dgm, &ada, &error);
    const char *id = dgm_question_id(question);
    assert_non_null(dgm_question_wait(question, -1));
    assert_null(dgm_resume(instance.dgm, id, "1", &bob, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_null(dgm_approve(instance.dgm, id, true, &bob, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    struct dgm_question *more = dgm_resume(instance.dgm, id, "1", &ada, &error);
    assert_non_null(more);
    assert_non_null(dgm_question_wait(more, -1));
    dgm_question_free(more);
    dgm_question_free(question);
    char *session = dgm_session_new(instance.dgm, "ada", NULL, &error);
    bob.session_id = session;
    assert_null(dgm_ask(instance.dgm, &bob, &error));
    assert_string_equal(error.code, "SESSION_NOT_FOUND");
    dgm_free(session);
    instance_of_one_close(&instance);
}

struct order {
    atomic_int states;
    atomic_int sql;
    atomic_int rows;
    atomic_int done;
    atomic_int after_done;
};

static void keep_order(void *context, const struct dgm_event *event)
{
    struct order *order = context;
    atomic_fetch_add(&order->after_done, atomic_load(&order->done));
    atomic_fetch_add(&order->states, event->kind == DGM_STATUS);
    atomic_fetch_add(&order->sql, event->kind == DGM_SQL);
    atomic_fetch_add(&order->rows, event->kind == DGM_ROWS);
    atomic_fetch_add(&order->done, event->kind == DGM_DONE);
}

static void an_observer_hears_everything_once(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    struct order order = {0};
    assert_true(instance_of_one_open(&instance, COUNT_USERS, NULL));
    struct dgm_request request = {.question = "How many users are there?",
                                  .observer = keep_order,
                                  .context = &order};
    struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
    assert_non_null(dgm_question_wait(question, -1));
    dgm_question_free(question);
    assert_int_equal(atomic_load(&order.sql), 1);
    assert_int_equal(atomic_load(&order.rows), 1);
    assert_int_equal(atomic_load(&order.done), 1);
    assert_int_equal(atomic_load(&order.after_done), 0);
    assert_int_equal(atomic_load(&order.states), 23);
    instance_of_one_close(&instance);
}

/* Texts of the plan with the state in which they came, and when SQL was heard of. */
struct plan_heard {
    char text[512];
    size_t size;
};

static void hear_plan(void *context, const struct dgm_event *event)
{
    struct plan_heard *heard = context;
    bool said = event->kind == DGM_REASONING || event->kind == DGM_SQL;
    if (said && heard->size < sizeof heard->text) {
        heard->size +=
            (size_t)snprintf(heard->text + heard->size, sizeof heard->text - heard->size,
                             "%s: %s\n", event->kind == DGM_SQL ? "SQL" : event->state,
                             event->kind == DGM_SQL ? "" : event->text);
    }
}

#define PLANNED                                                                          \
    "{\"tables\": [{\"name\": \"users\"}], \"summary\": \"All of them.\", \"plan\": "    \
    "[\"Read users.\", \"Count.\"], \"sql\": \"SELECT COUNT(*) AS n FROM users\"}"

static void hear(const char *script, bool skip, const char *mode, const char *expected)
{
    struct instance_of_one instance;
    struct dgm_error error;
    struct plan_heard heard = {0};
    const char *const settings[] = {mode, NULL};
    assert_true(instance_of_one_open(&instance, script, settings));
    struct dgm_request request = {.question = "How many users are there?",
                                  .skip_plan = skip,
                                  .observer = hear_plan,
                                  .context = &heard};
    struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    assert_string_equal(dgm_answer_text(answer, "status"), "finished");
    assert_string_equal(heard.text, expected);
    const char *step = dgm_answer_item(answer, "plan", 1);
    if (skip) {
        assert_null(step);
    } else {
        assert_string_equal(step, "Count.");
    }
    dgm_question_free(question);
    instance_of_one_close(&instance);
}

static void the_plan_is_heard_as_it_is_written(void **unused)
{
    (void)unused;
    static const char told[] =
        "EVALUATE_TABLES: Read users.\nEVALUATE_TABLES: Count.\nSQL: \n";
    static const char phased[] =
        ">>> parse_intent\n{\"intent\": \"TEXT_TO_SQL\"}\n<<<\n"
        ">>> evaluate_tables\n{\"tables\": [{\"name\": \"users\"}]}\n<<<\n"
        ">>> synthesize\n{\"joins_needed\": false}\n<<<\n"
        ">>> summarize_intent\n{\"summary\": \"x\"}\n<<<\n"
        ">>> plan_query\npiece_ms: 1\n{\"steps\": [\"Read users.\", \"Count.\"]}\n<<<\n"
        ">>> generate_sql\n{\"sql\": \"SELECT COUNT(*) AS n FROM users\"}\n<<<\n";
    /* In the fused reply the plan stands before the SQL: it is heard while the model
     * still writes, in the state that made the call. */
    hear(">>> understand\n" PLANNED "\n<<<\n", false, "agent.recall=false", told);
    hear(">>> understand\npiece_ms: 1\n" PLANNED "\n<<<\n", false, "agent.recall=false",
         told);
    /* A reply in another form has its steps told when it is read. */
    hear(">>> understand\ntables:\n  - name: users\nplan:\n  - Read users.\n  - "
         "Count.\nsql: SELECT COUNT(*) AS n FROM users\n<<<\n",
         false, "agent.recall=false",
         "PLAN_QUERY: Read users.\nPLAN_QUERY: Count.\nSQL: \n");
    hear(phased, false, "understanding.mode=phased",
         "PLAN_QUERY: Read users.\nPLAN_QUERY: Count.\nSQL: \n");
    hear(phased, true, "understanding.mode=phased", "SQL: \n");
    hear(">>> understand\n" PLANNED "\n<<<\n", true, "agent.recall=false", "SQL: \n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_outlives_nothing_it_should_not),
        cmocka_unit_test(a_plain_line_is_told_with_the_answer),
        cmocka_unit_test(requests_that_make_no_sense),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(more_than_there_is_room_for),
        cmocka_unit_test(waiting_has_an_end),
        cmocka_unit_test(closing_ends_what_is_at_work),
        cmocka_unit_test(a_write_approved_by_many_runs_once),
        cmocka_unit_test(a_question_back_can_be_answered_in_another_process),
        cmocka_unit_test(what_belongs_to_one_account_is_not_answered_by_another),
        cmocka_unit_test(an_observer_hears_everything_once),
        cmocka_unit_test(the_plan_is_heard_as_it_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
