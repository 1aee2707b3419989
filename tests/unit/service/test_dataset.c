/* Datasets through the public header: accounts, replacing, bad requests. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "unit/service/instance_of_one.h"

#ifdef DRAGOMAN_HAS_DUCKDB

static char csv[128];

static int set_up(void **state)
{
    static const char text[] = "id,name,amount\n1,Ada,1.50\n2,Ben,x\n3,Cy\n";
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    struct err err;
    *state = instance;
    if (!instance_of_one_open(instance, "", NULL)) {
        return -1;
    }
    (void)snprintf(csv, sizeof csv, "%s/sales.csv", instance->folder);
    return file_write(csv, text, sizeof text - 1, &err) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)remove(csv);
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

static void holds(char *text, const char *piece, bool wanted)
{
    assert_non_null(text);
    bool found = strstr(text, piece) != NULL;
    if (found != wanted) {
        fail_msg("'%s' %s in %s", piece, wanted ? "is not" : "is", text);
    }
    dgm_free(text);
}

static void from_adding_to_removing(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    holds(dgm_dataset_add(instance->dgm, NULL, NULL, csv, false, &error),
          "\"schema\":{\"table_name\":\"sales\",\"columns\":[{\"name\":\"id\",\"type\":"
          "\"BIGINT\",\"sample_values\":null},{\"name\":\"name\",\"type\":\"VARCHAR\","
          "\"sample_values\":[\"Ada\",\"Ben\"]}",
          true);
    assert_true(
        instance_of_one_reopen(instance, "", NULL)); /* kept, not only remembered */
    holds(dgm_dataset_list(instance->dgm, NULL, &error), "\"name\":\"sales\"", true);
    holds(dgm_dataset_get(instance->dgm, NULL, "sales", &error), "\"line\":4", true);
    holds(dgm_dataset_preview(instance->dgm, NULL, "sales", NULL, 1, &error),
          "{\"columns\":[\"id\",\"name\",\"amount\"],\"rows\":[[1,\"Ada\",\"1.50\"]],"
          "\"row_count\":1,\"truncated\":true}",
          true);
    assert_true(dgm_dataset_remove(instance->dgm, NULL, "sales", &error));
    assert_false(dgm_dataset_remove(instance->dgm, NULL, "sales", &error));
    assert_string_equal(error.code, "DATASET_NOT_FOUND");
    assert_string_equal(error.message, "Dataset not found");
    assert_int_equal(error.http_status, 404);
    holds(dgm_dataset_list(instance->dgm, NULL, &error), "sales", false);
}

static void accounts_do_not_meet(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    dgm_free(dgm_dataset_add(instance->dgm, "ada", "sales", csv, false, &error));
    assert_null(dgm_dataset_get(instance->dgm, NULL, "sales", &error));
    assert_null(dgm_dataset_preview(instance->dgm, "ben", "sales", NULL, 1, &error));
    assert_string_equal(error.code, "DATASET_NOT_FOUND");
    holds(dgm_dataset_list(instance->dgm, "ben", &error), "sales", false);
    assert_false(dgm_dataset_remove(instance->dgm, "ben", "sales", &error));
    holds(dgm_dataset_list(instance->dgm, "ada", &error), "sales", true);
    assert_null(dgm_dataset_get(instance->dgm, "../ada", "sales", &error));
    assert_string_equal(error.code, "USAGE");
}

static void bad_requests(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    static const char too_long[] =
        "a2345678901234567890123456789012345678901234567890123456789012345";
    static const char *const names[] = {"../x", "a/b", ".",        "-x",
                                        "a b",  "a.b", "\xC3\xBC", too_long};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_null(dgm_dataset_add(instance->dgm, NULL, names[i], csv, false, &error));
        assert_string_equal(error.code, "USAGE");
    }
    assert_null(dgm_dataset_add(instance->dgm, NULL, "x", NULL, false, &error));
    assert_string_equal(error.code, "USAGE");
    assert_null(dgm_dataset_add(instance->dgm, NULL, "x", "nothing.csv", false, &error));
    assert_string_equal(error.code, "DATASOURCE_NOT_FOUND");
    assert_null(
        dgm_dataset_get(instance->dgm, NULL, "x", &error)); /* nothing was begun */
    dgm_free(dgm_dataset_add(instance->dgm, NULL, "x", csv, false, &error));
    assert_null(dgm_dataset_add(instance->dgm, NULL, "x", csv, false, &error));
    assert_string_equal(error.code, "DATASET_EXISTS");
    assert_null(dgm_dataset_preview(instance->dgm, NULL, "x", "none", 1, &error));
}

static void sizes_are_bounded(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct err err;
    static const char *const settings[] = {"dataset.max_mb=1", "dataset.rejects=2", NULL};
    assert_true(instance_of_one_reopen(instance, "", settings));
    static char text[(1 << 20) + 10];
    memset(text, 'x', sizeof text);
    assert_true(file_write(csv, text, sizeof text, &err));
    assert_null(dgm_dataset_add(instance->dgm, NULL, "big", csv, false, &error));
    assert_string_equal(error.code, "RESULT_TOO_LARGE");
    static const char ragged[] = "a,b\n1,2\n1\n1\n1\n1\n3,4\n";
    assert_true(file_write(csv, ragged, sizeof ragged - 1, &err));
    char *told = dgm_dataset_add(instance->dgm, NULL, "ragged", csv, false, &error);
    assert_non_null(told);
    assert_non_null(strstr(told, "\"rejected\":4"));
    assert_non_null(strstr(told, "\"line\":4"));
    assert_null(strstr(told, "\"line\":5")); /* only the first two are kept */
    dgm_free(told);
}

static void number_of_datasets_is_bounded(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    static const char *const settings[] = {"dataset.account_count=2", NULL};
    assert_true(instance_of_one_reopen(instance, "", settings));
    dgm_free(dgm_dataset_add(instance->dgm, "ada", "one", csv, false, &error));
    dgm_free(dgm_dataset_add(instance->dgm, "ada", "two", csv, false, &error));
    assert_null(dgm_dataset_add(instance->dgm, "ada", "three", csv, false, &error));
    assert_string_equal(error.code, "QUOTA");
    assert_int_equal(error.http_status, 429);
    assert_non_null(strstr(error.hint, "dataset.account_count"));
    /* to replace one of them is fine, and so is what others have */
    holds(dgm_dataset_add(instance->dgm, "ada", "two", csv, true, &error), "two", true);
    holds(dgm_dataset_add(instance->dgm, "ben", "three", csv, false, &error), "three",
          true);
    assert_true(dgm_dataset_remove(instance->dgm, "ada", "one", &error));
    holds(dgm_dataset_add(instance->dgm, "ada", "three", csv, false, &error), "three",
          true);
}

struct rival {
    struct instance_of_one *instance;
    const char *name;
    bool made;
    char code[32];
    pthread_t thread;
};

static void *rival_run(void *context)
{
    struct rival *rival = context;
    struct dgm_error error;
    char *made =
        dgm_dataset_add(rival->instance->dgm, "ada", rival->name, csv, false, &error);
    rival->made = made != NULL;
    (void)snprintf(rival->code, sizeof rival->code, "%s", made ? "" : error.code);
    dgm_free(made);
    return NULL;
}

/* Whoever is complete first gets the room, however many began when there was some. */
static void disk_of_an_account_is_bounded(void **state)
{
    enum { RIVALS = 4 };
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    static const char *const settings[] = {"dataset.account_mb=1", NULL};
    static const char *const names[RIVALS] = {"a", "b", "c", "d"};
    struct rival rivals[RIVALS];
    size_t made = 0;
    assert_true(instance_of_one_reopen(instance, "", settings));
    for (size_t i = 0; i < RIVALS; i++) {
        rivals[i] = (struct rival){.instance = instance, .name = names[i]};
        assert_int_equal(pthread_create(&rivals[i].thread, NULL, rival_run, &rivals[i]),
                         0);
    }
    for (size_t i = 0; i < RIVALS; i++) {
        assert_int_equal(pthread_join(rivals[i].thread, NULL), 0);
        made += rivals[i].made;
        if (!rivals[i].made) {
            assert_string_equal(rivals[i].code, "QUOTA");
        }
    }
    assert_int_equal(made, 1); /* an empty one has more than half a megabyte */
    assert_null(dgm_dataset_add(instance->dgm, "ada", "e", csv, false, &error));
    assert_string_equal(error.code, "QUOTA");
    assert_non_null(strstr(error.hint, "dataset.account_mb"));
    holds(dgm_dataset_add(instance->dgm, "ben", "e", csv, false, &error), "\"e\"", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(number_of_datasets_is_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(disk_of_an_account_is_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(from_adding_to_removing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(accounts_do_not_meet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_requests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes_are_bounded, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0; /* nothing to test in a build without it */
}

#endif
