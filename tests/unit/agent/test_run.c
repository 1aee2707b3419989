/* A question on its way: the checkpoint and back, and the one setter of the state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "store/store.h"
#include "unit/agent/small_instance.h"

static int set_up(void **state)
{
    struct small_instance *instance = calloc(1, sizeof *instance);
    *state = instance;
    return small_instance_open(instance) ? 0 : -1;
}

static int tear_down(void **state)
{
    small_instance_close(*state);
    free(*state);
    return 0;
}

static struct run *new_run(struct small_instance *instance)
{
    struct question question = {.text = "How many users are there?"};
    return run_new(&instance->agent, &question, NULL);
}

static const struct clarification nothing = {.kind = CLARIFY_DETAIL, .message = "Which?"};

/* Everything that a waiting question knows. */
static struct run *full_run(struct small_instance *instance)
{
    struct run *run =
        small_instance_waiting(instance, "show me \"users\" – alle", &nothing);
    struct arena *arena = run->arena;
    run->question.allow_write = run->question.dry_run = run->question.fresh = true;
    run->question.account = "ada";
    run->answer.intent = INTENT_TEXT_TO_SQL;
    run->answer.rewritten = "Show all users.";
    run->answer.summary = "All users.";
    run->answer.sql = "SELECT * FROM users";
    run->answer.rows_touched = 7;
    run->answer.brain = BRAIN_LLM;
    run->understanding.ordering = "by name";
    run->understanding.joins_needed = run->request.corrected_tables =
        run->query.is_write = true;
    (void)run_choose(run, schema_table(run_schema(run), "users"), 0.75);
    VEC_PUSH(arena, &run->request.details, "all of them");
    VEC_PUSH(arena, &run->request.correction.use_tables, "users");
    VEC_PUSH(arena, &run->request.correction.reject_tables, "clients");
    VEC_PUSH(arena, &run->request.correction.joins, "a.x = b.y");
    VEC_PUSH(arena, &run->understanding.joins, "a.x = b.y");
    VEC_PUSH(arena, &run->understanding.filters, "none");
    VEC_PUSH(arena, &run->understanding.aggregations, "count");
    VEC_PUSH(arena, &run->answer.plan.steps, "Count.");
    VEC_PUSH(arena, &run->answer.warnings, "It rains.");
    VEC_PUSH(arena, &run->answer.clarification.options,
             ((struct clarification_option){"all users", "All users (0 rows)"}));
    struct run_reading reading = {.sql = "SELECT 1", .words = "One."};
    VEC_PUSH(arena, &reading.tables, "users");
    VEC_PUSH(arena, &run->understanding.readings, reading);
    VEC_PUSH(arena, &run->query.tried, "select 0");
    run->answer.parser_asked = true;
    run->answer.parser_probability = 0.25;
    run->budget.corrections = 2;
    run->budget.clarifications = 1;
    run->budget.llm_calls = run->answer.usage.calls = 5;
    run->answer.usage.tokens_in = 100;
    run->answer.usage.tokens_out = 20;
    return run;
}

static void a_checkpoint_holds_what_is_needed_to_go_on(void **state)
{
    struct small_instance *instance = *state;
    struct arena *arena = arena_new();
    struct err err;
    struct run *run = full_run(instance);
    char *saved = run_save(run, arena);
    struct run *back = run_load(&instance->agent, saved, strlen(saved), &err);
    assert_non_null(back);
    assert_int_equal(back->state, STATE_AWAIT_USER);
    assert_string_equal(back->answer.query_id, run->answer.query_id);
    assert_string_equal(back->question.text, run->question.text);
    assert_string_equal(back->question.account, "ada");
    assert_true(back->question.allow_write && back->question.dry_run &&
                back->question.fresh && !back->question.skip_plan);
    assert_string_equal(back->answer.rewritten, "Show all users.");
    assert_string_equal(back->answer.sql, "SELECT * FROM users");
    assert_int_equal(back->answer.rows_touched, 7);
    assert_string_equal(back->understanding.ordering, "by name");
    assert_true(back->understanding.joins_needed && back->request.corrected_tables &&
                back->query.is_write);
    assert_false(back->query.approved);
    assert_string_equal(back->request.details.items[0], "all of them");
    assert_string_equal(back->request.correction.use_tables.items[0], "users");
    assert_string_equal(back->request.correction.reject_tables.items[0], "clients");
    assert_string_equal(back->request.correction.joins.items[0], "a.x = b.y");
    assert_string_equal(back->answer.plan.steps.items[0], "Count.");
    assert_string_equal(back->answer.warnings.items[0], "It rains.");
    assert_int_equal(back->answer.clarification.kind, CLARIFY_DETAIL);
    assert_string_equal(back->answer.clarification.options.items[0].label,
                        "All users (0 rows)");
    assert_int_equal(back->understanding.readings.count, 1);
    assert_string_equal(back->understanding.readings.items[0].sql, "SELECT 1");
    assert_string_equal(back->understanding.readings.items[0].words, "One.");
    assert_string_equal(back->understanding.readings.items[0].tables.items[0], "users");
    assert_string_equal(back->query.tried.items[0], "select 0");
    assert_true(back->answer.parser_asked && back->answer.parser_probability == 0.25);
    assert_int_equal(back->budget.corrections, 2);
    assert_int_equal(back->budget.clarifications, 1);
    assert_int_equal(back->budget.llm_calls, 5);
    assert_int_equal(back->budget.tokens, 120);
    assert_int_equal(back->answer.trace.count, run->answer.trace.count);
    run_free(run);
    run_free(back);
    arena_free(arena);
}

static void what_cannot_be_read_is_no_checkpoint(void **state)
{
    struct small_instance *instance = *state;
    struct arena *arena = arena_new();
    struct run *run = full_run(instance);
    char *good = run_save(run, arena);
    static const char *const bad[] = {
        "",
        "{}",
        "[]",
        "null",
        "{\"version\":1,\"state\":\"AWAIT_USER\"}",
        "{\"version\":1,\"state\":\"NOWHERE\",\"question\":{}}",
        "{\"version\":99,\"state\":\"AWAIT_USER\",\"question\":{}}",
        "{\"version\":1,\"state\":7,\"question\":{}}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err;
        err_clear(&err);
        assert_null(run_load(&instance->agent, bad[i], strlen(bad[i]), &err));
        assert_int_equal(err.code, ERR_STORE);
    }
    for (size_t size = 0; size < strlen(good); size += 7) { /* cut anywhere */
        struct err err;
        assert_null(run_load(&instance->agent, good, size, &err));
    }
    static const char odd[] = "{\"version\":1,\"state\":\"AWAIT_USER\",\"question\":{},"
                              "\"tables\":7,\"sources\":[1,null,{}],\"trace\":[3,{}],"
                              "\"details\":{},\"clarification\":[]}";
    struct err err;
    struct run *strange = run_load(&instance->agent, odd, sizeof odd - 1, &err);
    assert_non_null(strange); /* odd parts are left out, nothing breaks */
    run_free(strange);
    run_free(run);
    arena_free(arena);
}

static void the_store_gets_the_checkpoint_and_the_answer(void **state)
{
    struct small_instance *instance = *state;
    struct arena *arena = arena_new();
    struct err err;
    struct run *run = full_run(instance);
    run_checkpoint(run);
    struct store_question stored = {0};
    assert_true(store_question_get(instance->agent.store, arena, run->answer.query_id,
                                   &stored, &err));
    assert_string_equal(stored.state, "AWAIT_USER");
    assert_non_null(strstr(stored.answer, "Which?"));
    assert_true(stored.expires_at > stored.updated_at);
    run_free(run);
    arena_free(arena);
}

static void the_table_says_what_comes_next(void **state)
{
    struct run *run = new_run(*state);
    run_enter(run, EVENT_DONE);
    assert_int_equal(run->state, STATE_PARSE_INTENT);
    run_enter(run, EVENT_TEXT_TO_SQL);
    assert_int_equal(run->state, STATE_RESOLVE_DATASOURCE);
    assert_string_equal(run->answer.status, "searching");
    assert_int_equal(run->answer.trace.count, 3);
    assert_string_equal(run->answer.trace.items[1].event, "TEXT_TO_SQL");
    run_free(run);
}

static void an_event_without_a_row_is_a_bug_that_shows(void **state)
{
    struct run *run = new_run(*state);
    run_enter(run, EVENT_AMBIGUOUS_JOIN);
    assert_int_equal(run->state, STATE_FAILED);
    assert_int_equal(run->answer.error->code, ERR_INTERNAL);
    assert_non_null(strstr(run->answer.error->message, "AMBIGUOUS_JOIN"));
    run_free(run);
}

static void a_stop_overrules_what_the_stage_said(void **state)
{
    static const struct {
        enum stop_reason reason;
        enum state state;
        enum err_code code;
    } list[] = {{STOP_USER, STATE_STOPPED, ERR_STOPPED},
                {STOP_DEADLINE, STATE_FAILED, ERR_TIMEOUT},
                {STOP_SHUTDOWN, STATE_FAILED, ERR_INTERRUPTED}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct run *run = new_run(*state);
        run_stop(run, list[i].reason);
        run_stop(run, STOP_USER); /* the first reason stands */
        run_enter(run, EVENT_DONE);
        assert_int_equal(run->state, list[i].state);
        assert_int_equal(run->answer.error->code, list[i].code);
        run_free(run);
    }
}

static void what_is_done_is_not_called_stopped(void **state)
{
    struct run *run = new_run(*state);
    run->state = STATE_FORMAT_RESULTS;
    run_stop(run, STOP_USER);
    run_enter(run, EVENT_DONE);
    assert_int_equal(run->state, STATE_FINISHED);
    run_free(run);
    run = new_run(*state);
    run->state = STATE_EXECUTE_QUERY;
    run->query.written = true; /* committed while the stop came in */
    run_stop(run, STOP_USER);
    run_enter(run, EVENT_DONE);
    assert_int_equal(run->state, STATE_FORMAT_RESULTS);
    run_enter(run, EVENT_DONE);
    assert_int_equal(run->state, STATE_FINISHED);
    run_free(run);
}

static void a_used_up_budget_ends_it(void **state)
{
    struct small_instance *instance = *state;
    struct run *run = new_run(instance);
    run->budget.tokens = (int)instance->options->agent_max_tokens + 1;
    run_enter(run, EVENT_DONE);
    assert_int_equal(run->state, STATE_FAILED);
    assert_int_equal(run->answer.error->code, ERR_BUDGET);
    run_free(run);
    run = new_run(instance);
    run->budget.worked_ms = instance->options->agent_timeout_s * 1000 + 1;
    run_enter(run, EVENT_DONE);
    assert_int_equal(run->state, STATE_FAILED);
    assert_int_equal(run->answer.error->code, ERR_TIMEOUT);
    run_free(run);
}

static void a_warning_is_said_once(void **state)
{
    struct run *run = new_run(*state);
    run_warn(run, "%d %s", 3, "things");
    run_warn(run, "3 things");
    run_warn(run, "4 things");
    assert_int_equal(run->answer.warnings.count, 2);
    run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_checkpoint_holds_what_is_needed_to_go_on,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_be_read_is_no_checkpoint, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_store_gets_the_checkpoint_and_the_answer,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_table_says_what_comes_next, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_event_without_a_row_is_a_bug_that_shows,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stop_overrules_what_the_stage_said, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_done_is_not_called_stopped, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_used_up_budget_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_warning_is_said_once, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
