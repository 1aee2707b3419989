/* A user's answer to a question back: from words to what has happened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agent/answering.h"
#include "base/arena.h"
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

/* Waits with two options, is stored, and comes back as if in another process. */
static struct run *waiting(struct small_instance *instance, enum clarification_kind kind)
{
    static struct clarification_option options[] = {{"users", "The users"},
                                                    {"clients", "The clients (3 rows)"}};
    struct clarification back = {
        .kind = kind, .message = "Which?", .options = {options, 2, 2}};
    struct run *run = small_instance_waiting(instance, "show me", &back);
    struct err err;
    char *saved = run_save(run, run->scratch);
    struct run *loaded = run_load(&instance->agent, saved, strlen(saved), &err);
    assert_non_null(loaded);
    run_free(run);
    return loaded;
}

static enum event answer(struct run *run, const char *text)
{
    struct err err;
    err_clear(&err);
    enum event event = answering_event(run, text, &err);
    enum state to = STATE_COUNT;
    assert_true(moves_next(STATE_AWAIT_USER, event, &to));
    return event;
}

static void a_number_or_a_label_means_the_option(void **state)
{
    static const char *const said[] = {"2",
                                       " 2 ",
                                       "clients",
                                       "CLIENTS",
                                       "The clients (3 rows)",
                                       "the clients, please",
                                       "not users",
                                       "{\"selected_option\": 2}",
                                       "{\"type\": \"x\", \"answer\": \"clients\"}"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct run *run = waiting(*state, CLARIFY_TABLES);
        assert_int_equal(answer(run, said[i]), EVENT_ANSWERED_TABLES);
        assert_int_equal(run->request.correction.use_tables.count, 1);
        assert_string_equal(run->request.correction.use_tables.items[0], "clients");
        assert_string_equal(run->request.correction.reject_tables.items[0], "users");
        assert_true(run->request.corrected_tables);
        run_free(run);
    }
}

static void tables_by_words_and_by_json(void **state)
{
    static const char *const said[] = {
        "use users", "table users", "select users not clients", "use the users table",
        ("{\"type\":\"table_selection\",\"selected_table\":\"users\",\"rejected_tables\":"
         "[\"clients\"]}")};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct run *run = waiting(*state, CLARIFY_TABLES);
        assert_int_equal(answer(run, said[i]), EVENT_ANSWERED_TABLES);
        assert_string_equal(run->request.correction.use_tables.items[0], "users");
        run_free(run);
    }
}

static void joins_by_words(void **state)
{
    static const char *const said[] = {"users.id = clients.user_id",
                                       "join users.id with clients.user_id"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct run *run = waiting(*state, CLARIFY_JOIN);
        assert_int_equal(answer(run, said[i]), EVENT_ANSWERED_JOIN);
        assert_string_equal(run->request.correction.joins.items[0],
                            "users.id = clients.user_id");
        run_free(run);
    }
}

static void a_detail_may_turn_out_to_be_a_correction(void **state)
{
    struct run *run = waiting(*state, CLARIFY_DETAIL);
    assert_int_equal(answer(run, "only the active ones"), EVENT_ANSWERED_DETAIL);
    assert_string_equal(run->request.details.items[0], "only the active ones");
    run_free(run);
    run = waiting(*state, CLARIFY_DETAIL);
    assert_int_equal(answer(run, "not Rome"), EVENT_ANSWERED_DETAIL);
    assert_string_equal(run->request.details.items[0], "not Rome");
    run_free(run);
    run = waiting(*state, CLARIFY_DETAIL);
    assert_int_equal(answer(run, "use table users"), EVENT_ANSWERED_TABLES);
    assert_int_equal(run->request.details.count, 0);
    run_free(run);
}

static void the_last_word_counts(void **state)
{
    struct run *run = waiting(*state, CLARIFY_TABLES);
    VEC_PUSH(run->arena, &run->request.correction.use_tables, "users");
    VEC_PUSH(run->arena, &run->request.correction.reject_tables, "clients");
    assert_int_equal(answer(run, "use clients"), EVENT_ANSWERED_TABLES);
    assert_int_equal(run->request.correction.use_tables.count, 1);
    assert_string_equal(run->request.correction.use_tables.items[0], "clients");
    assert_int_equal(run->request.correction.reject_tables.count, 1);
    assert_string_equal(run->request.correction.reject_tables.items[0], "users");
    run_free(run);
}

static void a_join_answers_a_question_about_tables(void **state)
{
    struct run *run = waiting(*state, CLARIFY_TABLES);
    assert_int_equal(answer(run, "users.id = clients.user_id"), EVENT_ANSWERED_JOIN);
    assert_int_equal(run->request.correction.use_tables.count, 0);
    run_free(run);
}

static void what_is_not_there_is_asked_again(void **state)
{
    static const struct {
        enum clarification_kind kind;
        const char *said;
        const char *asks;
    } rows[] = {
        {CLARIFY_TABLES, "use shops", "There is no table 'shops'."},
        {CLARIFY_TABLES, "not users, not clients", "This excludes all"},
        {CLARIFY_DETAIL, "use table shops", "There is no table 'shops'."},
        {CLARIFY_JOIN, "users.id = clients.shoe", "names no two columns"},
        {CLARIFY_JOIN, "as ever", "names no two columns"},
        {CLARIFY_DATASOURCE, "ships", "There is no datasource 'ships'."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run *run = waiting(*state, rows[i].kind);
        assert_int_equal(answer(run, rows[i].said), EVENT_UNSURE);
        assert_non_null(strstr(run->answer.clarification.message, rows[i].asks));
        assert_true(run->answer.clarification.options.count > 0);
        assert_int_equal(run->request.correction.use_tables.count, 0);
        run_free(run);
    }
}

static void a_source_and_an_intent(void **state)
{
    struct run *run = waiting(*state, CLARIFY_DATASOURCE);
    assert_int_equal(answer(run, "clients"), EVENT_ANSWERED_SOURCE);
    assert_string_equal(run->question.datasource, "clients");
    run_free(run);
    run = waiting(*state, CLARIFY_INTENT);
    assert_int_equal(answer(run, "how many users are there"), EVENT_ANSWERED_INTENT);
    assert_int_equal(run->request.details.count, 1);
    run_free(run);
}

static void only_a_yes_approves(void **state)
{
    static const char *const yes[] = {"yes", "Y", "ok", "run it"};
    static const char *const no[] = {"no", "n", "Don't", "reject", "cancel"};
    static const char *const slips[] = {"maybe", "yes but only half of it", "?", "{}",
                                        "yess"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        struct run *run = waiting(*state, CLARIFY_APPROVAL);
        assert_int_equal(answer(run, yes[i]), EVENT_APPROVED);
        assert_true(run->query.approved);
        run_free(run);
    }
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        struct run *run = waiting(*state, CLARIFY_APPROVAL);
        assert_int_equal(answer(run, no[i]), EVENT_REJECTED);
        assert_false(run->query.approved);
        run_free(run);
    }
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        struct run *run = waiting(*state, CLARIFY_APPROVAL);
        assert_int_equal(answer(run, slips[i]), EVENT_UNSURE);
        assert_false(run->query.approved);
        run_free(run);
    }
}

static void never_mind_ends_it(void **state)
{
    static const char *const said[] = {"cancel", "Stop", "never mind"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct run *run = waiting(*state, CLARIFY_DETAIL);
        assert_int_equal(answer(run, said[i]), EVENT_REJECTED);
        run_free(run);
    }
}

static void answers_are_counted(void **state)
{
    struct small_instance *instance = *state;
    struct run *run = waiting(instance, CLARIFY_DETAIL);
    run->budget.corrections = (int)instance->options->agent_max_correction_attempts;
    run->budget.sql_attempts = 3;
    assert_int_equal(answer(run, "something"), EVENT_TOO_MANY);
    run_free(run);
    run = waiting(instance, CLARIFY_DETAIL);
    run->budget.sql_attempts = 3;
    assert_int_equal(answer(run, "something"), EVENT_ANSWERED_DETAIL);
    assert_int_equal(run->budget.sql_attempts, 0); /* SQL is tried anew after an answer */
    assert_int_equal(run->answer.clarification.kind, CLARIFY_NONE);
    run_free(run);
}

static void a_changed_schema_means_the_way_is_walked_again(void **state)
{
    struct small_instance *instance = *state;
    struct run *detail = waiting(instance, CLARIFY_DETAIL);
    struct run *approval = waiting(instance, CLARIFY_APPROVAL);
    struct run *intent = waiting(instance, CLARIFY_INTENT);
    assert_true(
        small_instance_change(instance, "ALTER TABLE users ADD COLUMN age INTEGER"));
    assert_int_equal(answer(detail, "all of them"), EVENT_ANSWERED_SOURCE);
    assert_int_equal(detail->request.details.count, 1); /* what was said is kept */
    assert_int_equal(detail->sources.count, 0);
    assert_int_equal(answer(approval, "yes"), EVENT_ANSWERED_SOURCE);
    assert_false(approval->query.approved); /* it was approved for another table */
    assert_int_equal(answer(intent, "count them"), EVENT_ANSWERED_INTENT);
    run_free(detail);
    run_free(approval);
    run_free(intent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_number_or_a_label_means_the_option, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(tables_by_words_and_by_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(joins_by_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_detail_may_turn_out_to_be_a_correction, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_there_is_asked_again, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_last_word_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_join_answers_a_question_about_tables, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_source_and_an_intent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_a_yes_approves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(never_mind_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(answers_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_changed_schema_means_the_way_is_walked_again,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
