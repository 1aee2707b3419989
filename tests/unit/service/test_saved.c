/* Saved queries, the history, and lessons that are switched off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "unit/service/instance_of_one.h"

static const struct dgm_access ann = {.account = "ann"};
static const struct dgm_access bob = {.account = "bob"};
static const struct dgm_access elsewhere = {.account = "ann", .datasources = "other"};

static const struct dgm_saved by_status = {
    .name = "By status",
    .question = "who is it?",
    .sql = "SELECT name FROM users WHERE status = :status AND id >= :least ORDER BY id",
    .parameters = "[{\"name\": \"least\", \"type\": \"integer\", \"default\": 1}]"};

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    *state = instance;
    return instance_of_one_open(instance, "", NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

static void holds(char *text, const char *piece)
{
    assert_non_null(text);
    if (!strstr(text, piece)) {
        fail_msg("'%s' is not in %s", piece, text);
    }
    dgm_free(text);
}

static void save(struct instance_of_one *instance, const struct dgm_access *access)
{
    struct dgm_error error;
    char *text = dgm_saved_add(instance->dgm, access, &by_status, &error);
    if (!text) {
        fail_msg("%s: %s", error.code, error.message);
    }
    dgm_free(text);
}

/* The first cell, or the error's code. */
static const char *ran(struct instance_of_one *instance, const struct dgm_access *access,
                       const char *parameters)
{
    static char out[64];
    struct dgm_error error;
    struct dgm_request request = {.access = access};
    struct dgm_question *question =
        dgm_saved_run(instance->dgm, "by STATUS", parameters, &request, &error);
    (void)snprintf(out, sizeof out, "%s", question ? "" : error.code);
    if (question) {
        const struct dgm_answer *answer = dgm_question_wait(question, -1);
        const char *cell = dgm_answer_cell(answer, 0, 0, NULL);
        bool failed = dgm_answer_error(answer, &error);
        (void)snprintf(out, sizeof out, "%s", failed ? error.code : cell ? cell : "-");
    }
    dgm_question_free(question);
    return out;
}

/* The answer has the values with which it ran, also those that were left to their defaults. */
static void keeps_its_values(struct instance_of_one *instance)
{
    struct dgm_error error;
    struct dgm_question *question =
        dgm_saved_run(instance->dgm, "by status", "{\"status\": \"a'b\"}", NULL, &error);
    assert_non_null(question);
    (void)dgm_question_wait(question, -1);
    char *id = strdup(dgm_question_id(question));
    dgm_question_free(question);
    static const char values[] = "\"parameters\":{\"least\":\"1\",\"status\":\"a'b\"}";
    holds(dgm_answer_load_for(instance->dgm, NULL, id, &error), values);
    holds(dgm_kept_answer(instance->dgm, NULL, id, NULL, &error), values);
    holds(dgm_kept_html(instance->dgm, NULL, id, NULL, &error),
          "<dt>status</dt><dd>a&#39;b</dd>");
    free(id);
    static const char *const bad[] = {"7", "{", "[]"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct dgm_request request = {.parameters = bad[i]};
        assert_null(dgm_run_sql(instance->dgm, "SELECT 1", &request, &error));
        assert_string_equal(error.code, "USAGE");
    }
}

static void from_saving_to_running(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    save(instance, NULL);
    assert_true(instance_of_one_reopen(instance, "", NULL));
    holds(dgm_saved_list(instance->dgm, NULL, &error),
          "\"parameters\":[{\"name\":\"least\",\"type\":\"integer\",\"default\":\"1\"},"
          "{\"name\":\"status\",\"type\":\"text\"}]");
    assert_string_equal(ran(instance, NULL, "{\"status\": \"active\"}"), "Ada");
    assert_string_equal(ran(instance, NULL, "{\"status\": \"active\", \"least\": 2}"),
                        "Cy");
    assert_string_equal(ran(instance, NULL, "{\"status\": null}"), "-");
    keeps_its_values(instance);
    static const struct dgm_saved renamed = {.name = "By state"};
    holds(dgm_saved_change(instance->dgm, NULL, "By status", &renamed, &error),
          "\"name\":\"By state\",\"question\":\"who is it?\"");
    static const struct dgm_saved other = {.sql = "SELECT 1 AS one"};
    holds(dgm_saved_change(instance->dgm, NULL, "By state", &other, &error),
          "\"sql\":\"SELECT 1 AS one\",\"datasource\":\"people\",\"parameters\":[]");
    assert_true(dgm_saved_remove(instance->dgm, NULL, "By state", &error));
    assert_false(dgm_saved_remove(instance->dgm, NULL, "By state", &error));
    assert_string_equal(error.code, "SAVED_NOT_FOUND");
    assert_int_equal(error.http_status, 404);
}

static void values_stay_values(void **state)
{
    struct instance_of_one *instance = *state;
    save(instance, NULL);
    static const struct {
        const char *parameters, *result;
    } tries[] = {
        {"{\"status\": \"' OR 1=1 --\"}", "-"},
        {"{\"status\": \"active' UNION SELECT 'x\"}", "-"},
        {"{\"status\": \"a\", \"least\": \"1 OR 1=1\"}", "USAGE"},
        {"{\"status\": \"a\", \"least\": 1.5}", "USAGE"},
        {"{\"status\": [\"a\"]}", "USAGE"},
        {"{\"status\": \"a\\u0000b\"}", "INVALID_DATA"},
        {"{}", "USAGE"},
        {"{\"status\": \"a\", \"more\": 1}", "USAGE"},
        {"[1]", "USAGE"},
        {"{", "INVALID_DATA"},
    };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        const char *result = ran(instance, NULL, tries[i].parameters);
        if (strcmp(result, tries[i].result) != 0) {
            fail_msg("%s gave %s", tries[i].parameters, result);
        }
    }
    assert_int_equal(instance_of_one_count(instance, "SELECT count(*) FROM users"), 3);
}

static void bad_ones_are_not_kept(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    save(instance, NULL);
    static const struct {
        struct dgm_saved saved;
        const char *code;
    } bad[] = {
        {{.name = "BY STATUS", .sql = "SELECT 1"}, "SAVED_EXISTS"},
        {{.name = "", .sql = "SELECT 1"}, "USAGE"},
        {{.name = "a", .sql = ""}, "USAGE"},
        {{.name = "a", .sql = "DELETE FROM users"}, "UNSAFE"},
        {{.name = "a", .sql = "SELECT 1; SELECT 2"}, "UNSAFE"},
        {{.name = "a", .sql = "SELECT nope FROM users"}, "INVALID_SQL"},
        {{.name = "a", .sql = "SELECT 1", .datasource = "atlantis"},
         "DATASOURCE_NOT_FOUND"},
        {{.name = "a", .sql = "SELECT 1", .parameters = "[{\"name\":\"x\"}]"}, "USAGE"},
        {{.name = "a",
          .sql = "SELECT :x",
          .parameters = "[{\"name\":\"x\",\"type\":"
                        "\"sql\"}]"},
         "USAGE"},
        {{.name = "a",
          .sql = "SELECT :x",
          .parameters = "[{\"name\":\"x\",\"type\":"
                        "\"date\",\"default\":\"now\"}]"},
         "USAGE"},
        {{.name = "a", .sql = "SELECT 1", .parameters = "{"}, "INVALID_DATA"},
        {{.name = "\xff", .sql = "SELECT 1"}, "USAGE"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *text = dgm_saved_add(instance->dgm, NULL, &bad[i].saved, &error);
        if (text || strcmp(error.code, bad[i].code) != 0) {
            fail_msg("%zu: %s instead of %s", i, text ? text : error.code, bad[i].code);
        }
    }
    char *all = dgm_saved_list(instance->dgm, NULL, &error);
    assert_null(strstr(all, "\"name\":\"a\""));
    dgm_free(all);
}

static void accounts_do_not_meet(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    save(instance, &ann);
    save(instance, &bob); /* the same name: each their own */
    assert_true(dgm_saved_remove(instance->dgm, &bob, "By status", &error));
    assert_null(dgm_saved_get(instance->dgm, &bob, "By status", &error));
    assert_string_equal(error.code, "SAVED_NOT_FOUND");
    assert_string_equal(ran(instance, &bob, "{\"status\": \"active\"}"),
                        "SAVED_NOT_FOUND");
    assert_string_equal(ran(instance, &ann, "{\"status\": \"active\"}"), "Ada");
    holds(dgm_saved_list(instance->dgm, &elsewhere, &error), "[]");
    assert_null(dgm_saved_get(instance->dgm, &elsewhere, "By status", &error));
    holds(dgm_history(instance->dgm, &bob, NULL, &error),
          "{\"questions\":[],\"total\":0}");
    holds(dgm_history(instance->dgm, &ann, NULL, &error), "\"total\":1");
    assert_int_equal(dgm_history_remove(instance->dgm, &bob, NULL, &error), 0);
    holds(dgm_history(instance->dgm, &ann, NULL, &error), "\"total\":1");
    holds(dgm_history(instance->dgm, &elsewhere, NULL, &error), "\"total\":0");
    const struct dgm_history_query query = {.datasource = "people"};
    assert_null(dgm_history(instance->dgm, &elsewhere, &query, &error));
    assert_string_equal(error.code, "DATASOURCE_NOT_FOUND");
}

static void ask_sql(struct instance_of_one *instance, const char *sql)
{
    struct dgm_error error;
    struct dgm_question *question = dgm_run_sql(instance->dgm, sql, NULL, &error);
    (void)dgm_question_wait(question, -1);
    dgm_question_free(question);
}

static void the_history(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    ask_sql(instance, "SELECT name FROM users");
    ask_sql(instance, "SELECT '100%' AS done");
    ask_sql(instance, "SELECT nothing FROM users");
    assert_true(instance_of_one_reopen(instance, "", NULL));
    struct arena *arena = arena_new();
    struct err err;
    char *text = dgm_history(instance->dgm, NULL, NULL, &error);
    const json_t *all = json_parse(arena, text, strlen(text), &err);
    dgm_free(text);
    assert_int_equal(json_int_at(all, "total", 0), 3);
    const json_t *newest = json_array_get(json_array_at(all, "questions"), 0);
    assert_string_equal(json_text_at(newest, "status"), "failed");
    const json_t *oldest = json_array_get(json_array_at(all, "questions"), 2);
    assert_string_equal(json_text_at(oldest, "datasource"), "people");
    assert_string_equal(json_text_at(oldest, "sql"), "SELECT name FROM users");
    assert_int_equal(json_int_at(oldest, "row_count", -1), 3);
    static const struct {
        struct dgm_history_query query;
        const char *piece;
    } looks[] = {
        {{.search = "NAME"}, "\"total\":1"},
        {{.search = "%"}, "\"total\":1"}, /* a sign, not a pattern */
        {{.search = "_"}, "\"total\":0"},
        {{.search = "' OR '1'='1"}, "\"total\":0"},
        {{.datasource = "other"}, "\"total\":0"},
        {{.limit = 1, .offset = 2}, "SELECT name"},
        {{.offset = INT64_MAX}, "{\"questions\":[],\"total\":3}"},
    };
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        holds(dgm_history(instance->dgm, NULL, &looks[i].query, &error), looks[i].piece);
    }
    const char *id = json_text_at(newest, "query_id");
    assert_int_equal(dgm_history_remove(instance->dgm, NULL, id, &error), 1);
    assert_int_equal(dgm_history_remove(instance->dgm, NULL, id, &error), -1);
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_int_equal(dgm_history_remove(instance->dgm, NULL, NULL, &error), 2);
    arena_free(arena);
}

static void lessons_switched_off(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    static const struct dgm_lesson pair = {.kind = "query_pattern",
                                           .schema_name = "who is there?",
                                           .actual_name = "SELECT name FROM users"};
    char *id = dgm_lesson_add(instance->dgm, NULL, NULL, &pair, &error);
    assert_non_null(id);
    static const struct dgm_lesson_change off = {.confidence = -1, .enabled = 0};
    static const struct dgm_lesson_change edit = {
        .actual_name = "SELECT id FROM users", .confidence = 0.5, .enabled = -1};
    static const struct dgm_lesson_change bad = {
        .actual_name = "DROP TABLE users", .confidence = -1, .enabled = -1};
    assert_true(dgm_lesson_change(instance->dgm, NULL, id, &off, &error));
    holds(dgm_lesson_get(instance->dgm, NULL, id, &error), "\"enabled\":false");
    assert_true(dgm_lesson_change(instance->dgm, NULL, id, &edit, &error));
    char *text = dgm_lesson_get(instance->dgm, NULL, id, &error);
    assert_non_null(strstr(text, "SELECT id FROM users"));
    assert_non_null(strstr(text, "\"confidence\":0.5"));
    assert_non_null(strstr(text, "\"enabled\":false")); /* it stays off */
    dgm_free(text);
    assert_false(dgm_lesson_change(instance->dgm, NULL, id, &bad, &error));
    assert_string_equal(error.code, "UNSAFE");
    assert_false(dgm_lesson_change(instance->dgm, "bob", id, &off, &error));
    assert_string_equal(error.code, "LESSON_NOT_FOUND");
    dgm_free(id);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(from_saving_to_running),
        TEST(values_stay_values),
        TEST(bad_ones_are_not_kept),
        TEST(accounts_do_not_meet),
        TEST(the_history),
        TEST(lessons_switched_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
