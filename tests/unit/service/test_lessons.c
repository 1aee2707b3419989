/* Lessons through the public header: accounts, datasources, files, bad requests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/service/instance_of_one.h"

static const struct dgm_lesson mapping = {
    .kind = "table_mapping", .schema_name = "Users", .actual_name = "PROD_Users"};

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

static void holds(char *text, const char *piece, bool wanted)
{
    assert_non_null(text);
    if ((strstr(text, piece) != NULL) != wanted) {
        fail_msg("'%s' %s in %s", piece, wanted ? "is not" : "is", text);
    }
    dgm_free(text);
}

static void from_adding_to_removing(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char *id = dgm_lesson_add(instance->dgm, NULL, NULL, &mapping, &error);
    assert_non_null(id);
    assert_true(
        instance_of_one_reopen(instance, "", NULL)); /* kept, not only remembered */
    holds(dgm_lesson_get(instance->dgm, NULL, id, &error), "\"add_prefix:PROD_\"", true);
    holds(dgm_lesson_list(instance->dgm, NULL, "people", &error), "PROD_Users", true);
    holds(dgm_lesson_list(instance->dgm, NULL, NULL, &error), id, true);
    holds(dgm_lesson_list(instance->dgm, NULL, "other", &error), "PROD_Users", false);
    assert_true(dgm_lesson_remove(instance->dgm, NULL, id, &error));
    assert_false(dgm_lesson_remove(instance->dgm, NULL, id, &error));
    assert_string_equal(error.code, "LESSON_NOT_FOUND");
    assert_int_equal(error.exit_status, 50);
    assert_null(dgm_lesson_get(instance->dgm, NULL, NULL, &error));
    assert_string_equal(error.code, "LESSON_NOT_FOUND");
    dgm_free(id);
}

static void accounts_do_not_meet(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char *id = dgm_lesson_add(instance->dgm, "ann", "people", &mapping, &error);
    assert_non_null(id);
    static const char *const others[] = {"bob", NULL};
    for (size_t i = 0; i < 2; i++) {
        holds(dgm_lesson_list(instance->dgm, others[i], NULL, &error), "PROD_Users",
              false);
        holds(dgm_lesson_export(instance->dgm, others[i], NULL, "yaml", &error),
              "PROD_Users", false);
        assert_null(dgm_lesson_get(instance->dgm, others[i], id, &error));
        assert_string_equal(error.code, "LESSON_NOT_FOUND");
        assert_false(dgm_lesson_remove(instance->dgm, others[i], id, &error));
    }
    /* bob's own of the same name leaves ann's as it is */
    static const char file[] =
        "table_mappings:\n- {schema_name: users, actual_name: u}\n";
    assert_int_equal(
        dgm_lesson_import(instance->dgm, "bob", NULL, file, sizeof file - 1, &error), 1);
    holds(dgm_lesson_get(instance->dgm, "ann", id, &error), "PROD_Users", true);
    dgm_free(id);
}

static void files(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    dgm_free(dgm_lesson_add(instance->dgm, NULL, NULL, &mapping, &error));
    char *yaml = dgm_lesson_export(instance->dgm, NULL, NULL, "yaml", &error);
    char *json = dgm_lesson_export(instance->dgm, NULL, NULL, "json", &error);
    assert_int_equal(
        dgm_lesson_import(instance->dgm, "ann", NULL, yaml, strlen(yaml), &error), 1);
    assert_int_equal(
        dgm_lesson_import(instance->dgm, "bob", NULL, json, strlen(json), &error), 1);
    holds(dgm_lesson_export(instance->dgm, "bob", NULL, "yaml", &error), yaml, true);
    assert_null(dgm_lesson_export(instance->dgm, NULL, NULL, "toml", &error));
    assert_string_equal(error.code, "USAGE");
    assert_int_equal(dgm_lesson_import(instance->dgm, NULL, NULL, "x: 1", 4, &error), -1);
    assert_string_equal(error.code, "INVALID_DATA");
    assert_int_equal(dgm_lesson_import(instance->dgm, NULL, NULL, NULL, 9, &error), -1);
    dgm_free(yaml);
    dgm_free(json);
}

static void bad_requests(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_lesson lesson = mapping;
    assert_null(dgm_lesson_add(instance->dgm, NULL, "atlantis", &lesson, &error));
    assert_string_equal(error.code, "DATASOURCE_NOT_FOUND");
    lesson.kind = NULL;
    assert_null(dgm_lesson_add(instance->dgm, NULL, NULL, &lesson, &error));
    assert_string_equal(error.code, "USAGE");
    lesson = (struct dgm_lesson){.kind = "query_pattern",
                                 .schema_name = "clean up",
                                 .actual_name = "DELETE FROM users"};
    assert_null(dgm_lesson_add(instance->dgm, NULL, NULL, &lesson, &error));
    assert_string_equal(error.code, "UNSAFE");
    holds(dgm_lesson_list(instance->dgm, NULL, NULL, &error), "id", false);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(from_adding_to_removing),
        TEST(accounts_do_not_meet),
        TEST(files),
        TEST(bad_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
