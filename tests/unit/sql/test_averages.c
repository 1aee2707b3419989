/* Averages of averages and of ratios: found in every dialect, and weighed by rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "model/schema.h"
#include "sql/counting/averages.h"

static struct schema *schema;
static struct arena *arena;
static struct sql_statement statement;
static struct averages_list found;

static int setup(void **state)
{
    static const char *const columns[] = {"id", "store_id", "total", "pieces"};
    (void)state;
    arena = arena_new();
    schema = schema_new();
    struct table *orders = schema_add_table(schema, "orders");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        (void)table_add_column(schema, orders, columns[i], "INTEGER");
    }
    struct table *view = schema_add_table(schema, "figures");
    view->is_view = true;
    (void)table_add_column(schema, view, "avg_total", "REAL");
    (void)table_add_column(schema, view, "total", "REAL");
    schema_normalize(schema);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    schema_unref(schema);
    arena_free(arena);
    return 0;
}

static size_t find(enum dialect dialect, const char *sql)
{
    found = (struct averages_list){0};
    if (!sql_statement_read(arena, dialect, sql, strlen(sql), &statement)) {
        fail_msg("%s: %s", sql, statement.reason);
    }
    averages_find(arena, &statement, sql_resolve(arena, &statement, schema), &found);
    return found.count;
}

static void fine(const char *sql)
{
    for (enum dialect dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        if (find(dialect, sql)) {
            fail_msg("%s: %s", dialect_name(dialect), sql);
        }
    }
}

static void same(const char *got, const char *expected)
{
    assert_true(!got == !expected);
    if (expected) {
        assert_string_equal(got, expected);
    }
}

static void is(enum averages_kind kind, const char *sql, const char *weighed,
               const char *both)
{
    for (enum dialect dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        if (!find(dialect, sql) || found.items[0].kind != kind) {
            fail_msg("%s: not found: %s", dialect_name(dialect), sql);
        }
    }
    assert_int_equal(find(DIALECT_SQLITE, sql), 1);
    same(averages_weigh(arena, &statement, &found.items[0]), weighed);
    assert_int_equal(find(DIALECT_SQLITE, sql), 1);
    same(averages_both(arena, &statement, &found.items[0]), both);
}

static void test_averages_of_averages(void **state)
{
    (void)state;
    is(AVERAGES_OF_AVERAGES,
       "SELECT AVG(x.a) AS n FROM (SELECT AVG(total) AS a FROM orders GROUP BY store_id) "
       "x",
       "SELECT 1.0 * SUM(x.sum_of_rows) / SUM(x.number_of_rows) AS n FROM (SELECT "
       "AVG(total) AS a, SUM(total) AS sum_of_rows, COUNT(total) AS number_of_rows FROM "
       "orders GROUP BY store_id) AS x",
       "SELECT AVG(x.a) AS written, 1.0 * SUM(x.sum_of_rows) / SUM(x.number_of_rows) AS "
       "overall FROM (SELECT AVG(total) AS a, SUM(total) AS sum_of_rows, COUNT(total) AS "
       "number_of_rows FROM orders GROUP BY store_id) AS x");
    is(AVERAGES_OF_AVERAGES,
       "WITH x AS (SELECT store_id, ROUND(AVG(total), 1) AS a FROM orders GROUP BY "
       "store_id) SELECT AVG(a) AS n FROM x WHERE a > 3 LIMIT 5",
       "WITH x AS (SELECT store_id, ROUND(AVG(total), 1) AS a, SUM(total) AS "
       "sum_of_rows, "
       "COUNT(total) AS number_of_rows FROM orders GROUP BY store_id) SELECT 1.0 * "
       "SUM(x.sum_of_rows) / SUM(x.number_of_rows) AS n FROM x WHERE a > 3 LIMIT 5",
       "WITH x AS (SELECT store_id, ROUND(AVG(total), 1) AS a, SUM(total) AS "
       "sum_of_rows, "
       "COUNT(total) AS number_of_rows FROM orders GROUP BY store_id) SELECT AVG(a) AS "
       "written, 1.0 * SUM(x.sum_of_rows) / SUM(x.number_of_rows) AS overall FROM x "
       "WHERE "
       "a > 3");
    /* handed on by a query in between: found, and told without figures */
    is(AVERAGES_OF_AVERAGES,
       "SELECT AVG(y.a) AS n FROM (SELECT x.a AS a FROM (SELECT AVG(total) AS a FROM "
       "orders GROUP BY store_id) x) y",
       NULL, NULL);
    is(AVERAGES_OF_VIEW, "SELECT AVG(avg_total) AS n FROM figures", NULL, NULL);
}

static void test_averages_of_ratios(void **state)
{
    (void)state;
    assert_int_equal(
        find(DIALECT_SQLITE, "SELECT AVG(100 * (total / pieces)) AS n FROM orders"), 1);
    assert_int_equal(found.items[0].kind, AVERAGES_OF_RATIOS);
    same(averages_both(arena, &statement, &found.items[0]),
         "SELECT AVG(100 * (total / pieces)) AS written, 100 * (1.0 * SUM(CASE WHEN "
         "total / pieces IS NOT NULL THEN total END) / SUM(CASE WHEN total / pieces IS "
         "NOT NULL THEN pieces END)) AS overall FROM orders");
}

static void test_plain_averages(void **state)
{
    (void)state;
    fine("SELECT AVG(total) AS n FROM orders");
    fine("SELECT store_id, AVG(total) AS n FROM orders GROUP BY store_id");
    fine("SELECT AVG(total / 100) AS n FROM orders");
    fine("SELECT AVG(x.n) AS n FROM (SELECT COUNT(*) AS n FROM orders GROUP BY store_id) "
         "x");
    fine("SELECT AVG(x.a) AS n FROM (SELECT AVG(total) AS a FROM orders) x");
    fine("SELECT MAX(x.a) AS n FROM (SELECT AVG(total) AS a FROM orders GROUP BY "
         "store_id) x");
    fine("SELECT AVG(total) AS n FROM figures");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_averages_of_averages, setup, teardown),
        cmocka_unit_test_setup_teardown(test_averages_of_ratios, setup, teardown),
        cmocka_unit_test_setup_teardown(test_plain_averages, setup, teardown),
    };
    return cmocka_run_group_tests_name("sql/averages", tests, NULL, NULL);
}
