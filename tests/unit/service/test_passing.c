/* Rows that go to whoever asked as they come: all of them, once, and no further than
 * wanted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/service/instance_of_one.h"

enum { KEPT = 10000, MANY = 25000 };

static const char *const settings[] = {"sql.default_rows=1000000", "sql.max_rows=1000000",
                                       NULL};

struct taken {
    size_t columns;
    size_t rows;
    size_t enough; /* 0: take all */
    char first[200];
    char last[200];
    bool number;
    bool null;
};

static bool take_columns(void *context, const char *const *names, size_t count)
{
    struct taken *taken = context;
    taken->columns = count;
    assert_string_equal(names[0], "n");
    return true;
}

static bool take_row(void *context, const struct dgm_cell *cells)
{
    struct taken *taken = context;
    char line[200] = "";
    for (size_t i = 0; i < taken->columns; i++) {
        size_t at = strlen(line);
        (void)snprintf(line + at, sizeof line - at, "%.*s|", (int)cells[i].size,
                       cells[i].text ? cells[i].text : "");
    }
    (void)snprintf(taken->rows ? taken->last : taken->first, sizeof line, "%s", line);
    taken->rows++;
    taken->number = cells[0].number;
    taken->null = taken->columns > 1 && !cells[1].text;
    return taken->rows != taken->enough;
}

static struct dgm_question *asked(struct instance_of_one *instance, struct taken *taken,
                                  const char *sql)
{
    struct dgm_error error;
    const struct dgm_rows_sink sink = {take_columns, take_row, taken};
    const struct dgm_request request = {.rows = &sink};
    struct dgm_question *question = dgm_run_sql(instance->dgm, sql, &request, &error);
    assert_non_null(question);
    return question;
}

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    *state = instance;
    return instance_of_one_open(instance, "", settings) ? 0 : -1;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

#define COUNT_TO(most)                                                                   \
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < " most ")" \
    " "

static void every_row_once(void **state)
{
    struct taken taken = {0};
    struct dgm_question *question =
        asked(*state, &taken,
              COUNT_TO("25000") "SELECT n, NULL AS none, 'é' || n AS t, n * 0.5 AS r, "
                                "x'00ff' AS b FROM c");
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    struct dgm_error error;
    if (dgm_answer_error(answer, &error)) {
        fail_msg("%s: %s", error.code, error.message);
    }
    assert_int_equal(taken.columns, 5);
    assert_int_equal(taken.rows, MANY);
    assert_string_equal(taken.first, "1||é1|0.5|x'00ff'|");
    assert_string_equal(taken.last, "25000||é25000|12500|x'00ff'|");
    assert_true(taken.number);
    assert_true(taken.null);
    /* the answer keeps the first, and says of itself that there were more */
    assert_int_equal(dgm_answer_rows(answer), KEPT);
    assert_int_equal(dgm_answer_rows_given(answer), MANY);
    assert_false(dgm_answer_truncated(answer));
    assert_non_null(strstr(dgm_answer_json(answer), "\"truncated\":true"));
    assert_non_null(strstr(dgm_answer_text(answer, "message"), "Found 25000 rows"));
    assert_null(dgm_answer_item(answer, "warnings", 0));
    dgm_question_free(question);
}

/* What is kept can be paged through: the rest is read again. */
static void further_pages(void **state)
{
    struct instance_of_one *instance = *state;
    struct taken taken = {0};
    struct dgm_error error;
    struct dgm_question *question =
        asked(instance, &taken, COUNT_TO("12000") "SELECT n FROM c ORDER BY n");
    assert_non_null(dgm_question_wait(question, -1));
    assert_int_equal(taken.rows, 12000);
    char *page =
        dgm_rows(instance->dgm, NULL, dgm_question_id(question), 11998, 10, &error);
    assert_non_null(page);
    assert_non_null(strstr(page, "[[11999],[12000]]"));
    dgm_free(page);
    dgm_question_free(question);
}

/* The same names as in an answer, on their way and in pages that are read again. */
static void named_cells(void **state)
{
    struct instance_of_one *instance = *state;
    struct taken taken = {0};
    struct dgm_error error;
    struct dgm_question *question = asked(
        instance, &taken,
        COUNT_TO("12000") "SELECT n, n % 7 AS \"weekday (0 = Sunday)\" FROM c ORDER "
                          "BY n");
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    assert_int_equal(taken.rows, 12000);
    assert_string_equal(taken.first, "1|Monday|");
    assert_string_equal(taken.last, "12000|Tuesday|");
    assert_non_null(strstr(dgm_answer_json(answer), "[1,\"Monday\"]"));
    char *page =
        dgm_rows(instance->dgm, NULL, dgm_question_id(question), 11998, 10, &error);
    assert_non_null(page);
    assert_non_null(strstr(page, "[[11999,\"Monday\"],[12000,\"Tuesday\"]]"));
    dgm_free(page);
    dgm_question_free(question);
}

/* A reader that leaves ends the query: this one would never end by itself. */
static void enough(void **state)
{
    struct taken taken = {.enough = 3};
    struct dgm_question *question =
        asked(*state, &taken, COUNT_TO("900000000000") "SELECT n FROM c");
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    struct dgm_error error;
    assert_false(dgm_answer_error(answer, &error));
    assert_int_equal(taken.rows, 3);
    assert_int_equal(dgm_answer_rows_given(answer), 3);
    dgm_question_free(question);
}

/* A failure in the middle is the answer: nothing is handed over twice. */
static void failure_in_the_middle(void **state)
{
    struct taken taken = {0};
    struct dgm_question *question =
        asked(*state, &taken,
              COUNT_TO("100") "SELECT n, CASE WHEN n < 50 THEN n ELSE "
                              "json_extract('{', '$.a') END AS x FROM c");
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    struct dgm_error error;
    assert_true(dgm_answer_error(answer, &error));
    assert_string_equal(error.code, "INVALID_SQL");
    assert_int_equal(taken.rows, 49);
    dgm_question_free(question);
}

static void no_rows(void **state)
{
    struct taken taken = {0};
    struct dgm_question *question =
        asked(*state, &taken, "SELECT id AS n FROM users WHERE 1 = 0");
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    assert_int_equal(taken.columns, 1);
    assert_int_equal(taken.rows, 0);
    assert_true(dgm_answer_has_rows(answer));
    assert_int_equal(dgm_answer_rows_given(answer), 0);
    dgm_question_free(question);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_once),        cmocka_unit_test(further_pages),
        cmocka_unit_test(named_cells),           cmocka_unit_test(enough),
        cmocka_unit_test(failure_in_the_middle), cmocka_unit_test(no_rows),
    };
    return cmocka_run_group_tests_name("service/passing", tests, set_up, tear_down);
}
