/* The built-in parser behind the public header: large and odd input, many at once, being
 * stopped, going on in another process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sqlite3.h>

#include "unit/service/instance_of_one.h"

static const char *const sure[] = {"agent.brain=parser", "parser.accept=0", NULL};
static const char *const unsure[] = {"agent.brain=parser", "parser.accept=1",
                                     "parser.ask=1", NULL};

static void change(const struct instance_of_one *instance, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(instance->database, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

static struct dgm_question *ask(struct instance_of_one *instance, const char *text)
{
    struct dgm_error error;
    struct dgm_request request = {.question = text};
    struct dgm_question *question = dgm_ask(instance->dgm, &request, &error);
    assert_non_null(question);
    return question;
}

/* Ends, with rows, a question back or an error that has a code. */
static void ends_well(struct dgm_question *question)
{
    struct dgm_error error;
    const struct dgm_answer *answer = dgm_question_wait(question, 600000);
    assert_non_null(answer);
    assert_true(dgm_answer_has_rows(answer) || dgm_answer_clarification(answer) ||
                dgm_answer_error(answer, &error));
    assert_int_equal(dgm_answer_llm_calls(answer), 0);
    dgm_question_free(question);
}

static void the_answer_says_who_gave_it(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    static const char *const settings[] = {"agent.brain=auto", "parser.accept=0", NULL};
    assert_true(instance_of_one_open(&instance, "", settings));
    struct dgm_question *question = ask(&instance, "How many users are there?");
    const struct dgm_answer *answer = dgm_question_wait(question, 600000);
    assert_string_equal(dgm_answer_text(answer, "brain"), "parser");
    assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), "3");
    assert_true(dgm_answer_parser_probability(answer) > 0);
    assert_true(dgm_answer_parser_probability(answer) <= 1);
    assert_true(dgm_answer_tokens_saved(answer) > 100);
    dgm_question_free(question);
    instance_of_one_close(&instance);
}

static void thousands_of_words_are_read(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    static const char *const settings[] = {"agent.brain=parser", "parser.accept=0",
                                           "question.max_bytes=200000", NULL};
    static const char *const words[] = {"users ", "7 ", "'Ada' "};
    assert_true(instance_of_one_open(&instance, "", settings));
    for (size_t kind = 0; kind < sizeof words / sizeof *words; kind++) {
        size_t size = strlen(words[kind]);
        char *text = calloc(5000, size + 1);
        for (size_t i = 0; i < 5000; i++) {
            memcpy(text + i * size, words[kind], size);
        }
        ends_well(ask(&instance, text));
        free(text);
    }
    char endless[5001] = "";
    memset(endless, 'x', 5000);
    ends_well(ask(&instance, endless));
    instance_of_one_close(&instance);
}

static void thousands_of_columns_are_read(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    static char sql[200000];
    size_t at = (size_t)snprintf(sql, sizeof sql, "CREATE TABLE wide (id INTEGER");
    for (int i = 0; i < 1999; i++) {
        at += (size_t)snprintf(sql + at, sizeof sql - at, ", measure_%d REAL", i);
    }
    (void)snprintf(sql + at, sizeof sql - at, "); INSERT INTO wide (id) VALUES (1), (2)");
    assert_true(instance_of_one_open(&instance, "", sure));
    change(&instance, sql);
    struct dgm_question *question = ask(&instance, "How many users are there?");
    const struct dgm_answer *answer = dgm_question_wait(question, 600000);
    assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), "3");
    dgm_question_free(question);
    ends_well(ask(&instance, "What is the average measure 1234 in wide?"));
    instance_of_one_close(&instance);
}

enum { MANY = 24 };

static void many_questions_share_it(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_question *questions[MANY];
    assert_true(instance_of_one_open(&instance, "", sure));
    for (size_t i = 0; i < MANY; i++) { /* the weights are opened by the first of them */
        questions[i] = ask(&instance, "How many users are there?");
    }
    for (size_t i = 0; i < MANY; i++) {
        const struct dgm_answer *answer = dgm_question_wait(questions[i], 600000);
        assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), "3");
        dgm_question_free(questions[i]);
    }
    instance_of_one_close(&instance);
}

static void a_stop_reaches_it(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    assert_true(instance_of_one_open(&instance, "", sure));
    for (int i = 0; i < 10; i++) {
        struct dgm_question *question = ask(&instance, "How many users are there?");
        dgm_question_stop(question);
        const struct dgm_answer *answer = dgm_question_wait(question, 600000);
        assert_non_null(answer);
        const char *status = dgm_answer_text(answer, "status");
        assert_true(strcmp(status, "stopped") == 0 || strcmp(status, "finished") == 0);
        dgm_question_free(question);
    }
    /* Closing the instance with questions inside: none is waited for in vain. */
    for (int i = 0; i < 10; i++) {
        dgm_question_free(ask(&instance, "How many users are active?"));
    }
    instance_of_one_close(&instance);
}

static void a_chosen_reading_is_run_by_another_process(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(&instance, "", unsure));
    struct dgm_question *question = ask(&instance, "How many users are there?");
    const struct dgm_answer *answer = dgm_question_wait(question, 600000);
    assert_true(dgm_answer_options(answer) > 0);
    char id[64];
    char first[256];
    (void)snprintf(id, sizeof id, "%s", dgm_question_id(question));
    (void)snprintf(first, sizeof first, "%s", dgm_answer_option_label(answer, 0));
    dgm_question_free(question);
    assert_true(instance_of_one_reopen(&instance, "", unsure));
    question = dgm_resume(instance.dgm, id, first, NULL, &error);
    assert_non_null(question);
    answer = dgm_question_wait(question, 600000);
    assert_string_equal(dgm_answer_text(answer, "status"), "finished");
    assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), "3");
    assert_string_equal(dgm_answer_text(answer, "summary"), first);
    dgm_question_free(question);
    instance_of_one_close(&instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_says_who_gave_it),
        cmocka_unit_test(thousands_of_words_are_read),
        cmocka_unit_test(thousands_of_columns_are_read),
        cmocka_unit_test(many_questions_share_it),
        cmocka_unit_test(a_stop_reaches_it),
        cmocka_unit_test(a_chosen_reading_is_run_by_another_process),
    };
#ifdef __SANITIZE_THREAD__
    /* Sizes show nothing about threads, and take most of a minute here. */
    cmocka_set_skip_filter("thousands_*");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
