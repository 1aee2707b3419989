/* A question as another process on the same store sees it, at work and ended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/service/instance_of_one.h"

#define COUNT_USERS                                                                      \
    ">>> understand repeat\n{\"tables\": [{\"name\": \"users\"}], \"sql\": \"SELECT "    \
    "COUNT(*) AS n FROM users\"}\n<<<\n"

static void assert_holds(char *json, const char *piece)
{
    assert_non_null(json);
    if (!strstr(json, piece)) {
        fail_msg("no '%s' in %s", piece, json);
    }
    dgm_free(json);
}

/* A client looks for the answer first and then for the progress. A question that ends in
 * between has no progress any more, but an answer. */
static void test_ended_meanwhile(void **state)
{
    (void)state;
    const char *url = getenv("DRAGOMAN_TEST_STORE_URL");
    if (!url) {
        skip(); /* only processes on one PostgreSQL see each other's questions */
    }
    char store[400];
    (void)snprintf(store, sizeof store, "store.url=%s", url);
    const char *const settings[] = {store, NULL};
    struct instance_of_one instance;
    assert_true(instance_of_one_open(&instance, COUNT_USERS, settings));
    struct dgm_error error = {.code = ""};
    struct dgm_request request = {.question = "How many users are there?",
                                  .durable = true};
    struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
    assert_non_null(question);
    assert_non_null(dgm_question_wait(question, -1));
    const char *id = dgm_question_id(question);
    char *answer = dgm_answer_load(instance.dgm, id, &error);
    assert_holds(answer, "\"row_count\":1");
    assert_holds(dgm_progress(instance.dgm, NULL, id, &error), "\"row_count\":1");
    assert_null(dgm_progress(instance.dgm, NULL, "q-none", &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    dgm_question_free(question);
    instance_of_one_close(&instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ended_meanwhile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
