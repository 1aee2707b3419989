/* Every question that is suggested can be asked: the built-in parser answers it with
 * rows, and so it does what the answer suggests next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "service/sample/sample.h"
#include "unit/service/instance_of_one.h"

static const char *const settings[] = {"agent.brain=parser", "agent.recall=false", NULL};

/* Puts another database in the place of the instance's own. */
static void furnish(struct instance_of_one *instance, const char *fixture)
{
    struct err err;
    struct arena *arena = arena_new();
    assert_int_equal(unlink(instance->database), 0);
    if (str_equal(fixture, "sample")) {
        assert_true(sample_create(instance->database, &err));
    } else {
        char path[256];
        size_t size = 0;
        sqlite3 *db = NULL;
        (void)snprintf(path, sizeof path, "tests/fixtures/%s", fixture);
        const char *sql = file_read(arena, path, 1 << 20, &size, &err);
        assert_non_null(sql);
        assert_int_equal(sqlite3_open(instance->database, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        (void)sqlite3_close(db);
    }
    arena_free(arena);
}

struct asking {
    struct instance_of_one instance;
    struct arena *arena;
    struct texts asked;
};

static bool asked_before(const struct asking *asking, const char *question)
{
    for (size_t i = 0; i < asking->asked.count; i++) {
        if (str_equal(asking->asked.items[i], question)) {
            return true;
        }
    }
    return false;
}

static void ask(struct asking *asking, const char *text, bool first)
{
    struct dgm_error error;
    if (asked_before(asking, text)) {
        return;
    }
    VEC_PUSH(asking->arena, &asking->asked, arena_text(asking->arena, text));
    struct dgm_request request = {.question = text};
    struct dgm_question *question = dgm_ask(asking->instance.dgm, &request, &error);
    assert_non_null(question);
    const struct dgm_answer *answer = dgm_question_wait(question, 600000);
    assert_non_null(answer);
    if (!str_equal(dgm_answer_text(answer, "status"), "finished") ||
        dgm_answer_clarification(answer) || dgm_answer_rows(answer) == 0) {
        const char *sql = dgm_answer_text(answer, "sql");
        fail_msg("'%s' was not answered with rows: %s", text, sql ? sql : "no SQL");
    }
    struct texts next = {0};
    const char *item = NULL;
    for (size_t i = 0; (item = dgm_answer_item(answer, "follow_ups", i)); i++) {
        assert_string_not_equal(item, text);
        VEC_PUSH(asking->arena, &next, arena_text(asking->arena, item));
    }
    assert_true(next.count <= 3);
    dgm_question_free(question);
    for (size_t i = 0; first && i < next.count; i++) {
        ask(asking, next.items[i], false);
    }
}

static void every_suggestion_of(const char *fixture, size_t least)
{
    struct asking asking = {.arena = arena_new()};
    struct dgm_error error;
    struct err err;
    assert_true(instance_of_one_open(&asking.instance, "", settings));
    furnish(&asking.instance, fixture);
    char *text = dgm_suggestions(asking.instance.dgm, NULL, &error);
    assert_non_null(text);
    const json_t *list = json_parse(asking.arena, text, strlen(text), &err);
    assert_true(json_array_size(list) >= least);
    for (size_t i = 0; i < json_array_size(list); i++) {
        ask(&asking, json_string_value(json_array_get(list, i)), true);
    }
    dgm_free(text);
    instance_of_one_close(&asking.instance);
    arena_free(asking.arena);
}

static void the_sample_shop(void **unused)
{
    (void)unused;
    every_suggestion_of("sample", 5);
}

static void small_databases(void **unused)
{
    (void)unused;
    every_suggestion_of("users.sql", 3);
    every_suggestion_of("store.sql", 5);
    every_suggestion_of("flights.sql", 2);
    every_suggestion_of("twins.sql", 2);
    every_suggestion_of("visit.sql", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_shop),
        cmocka_unit_test(small_databases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
