/* The history and a person's word on an answer through the public header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/service/instance_of_one.h"

#define ANSWER(n)                                                                        \
    ">>> understand\n{\"tables\": [{\"name\": \"users\"}], \"sql\": \"SELECT " n         \
    " AS n FROM users LIMIT 1\"}\n<<<\n"

static struct instance_of_one instance;

static int setup(void **state)
{
    (void)state;
    return instance_of_one_open(&instance,
                                ANSWER("1") ANSWER("2") ANSWER("3") ANSWER("4"), NULL)
               ? 0
               : -1;
}

static int teardown(void **state)
{
    (void)state;
    instance_of_one_close(&instance);
    return 0;
}

/* Asks, and compares the one cell of the answer. */
static void ask(const char *account, const char *cell, const char *brain)
{
    struct dgm_error error;
    struct dgm_request request = {
        .question = "Which number do users have?", .account = account, .brain = "llm"};
    struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
    assert_non_null(question);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), cell);
    assert_string_equal(dgm_answer_text(answer, "brain"), brain);
    dgm_question_free(question);
}

static void accounts_have_histories_of_their_own(void **state)
{
    (void)state;
    ask("ann", "1", "llm");
    ask("bob", "2", "llm");
    ask(NULL, "3", "llm");
    ask("ann", "1", "history");
    ask("bob", "2", "history");
    ask(NULL, "3", "history");
}

static void a_word_counts_for_its_account(void **state)
{
    (void)state;
    struct dgm_error error;
    ask("ann", "1", "llm");
    ask("bob", "2", "llm");
    assert_true(
        dgm_feedback(instance.dgm, "ann", NULL, false, &error)); /* her last one */
    ask("bob", "2", "history");
    ask("ann", "3", "llm");
    assert_true(instance_of_one_reopen(&instance, ANSWER("4"), NULL)); /* for good */
    ask("ann", "3", "history");
    ask("bob", "2", "history");
}

static void others_cannot_judge(void **state)
{
    (void)state;
    struct dgm_error error;
    struct dgm_request request = {.question = "Which number do users have?",
                                  .account = "ann"};
    struct dgm_question *question = dgm_ask(instance.dgm, &request, &error);
    (void)dgm_question_wait(question, -1);
    assert_false(
        dgm_feedback(instance.dgm, "bob", dgm_question_id(question), false, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_false(dgm_feedback(instance.dgm, "bob", NULL, false, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_false(dgm_feedback(instance.dgm, "ann", "q-made-up", true, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    dgm_question_free(question);
    ask("ann", "1", "history");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(accounts_have_histories_of_their_own),
                                       TEST(a_word_counts_for_its_account),
                                       TEST(others_cannot_judge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
