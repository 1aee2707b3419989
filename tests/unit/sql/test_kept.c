/* Amounts and dates that are kept as text: recognised, and read as such. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "sql/kept/kept_sql.h"

static struct schema *schema;
static struct arena *arena;

static void add(struct table *table, const char *name, const char *samples)
{
    struct column *column = table_add_column(schema, table, name, "TEXT");
    str_split(schema->arena, arena_text(schema->arena, samples), ';', &column->samples);
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    schema = schema_new();
    struct table *table = schema_add_table(schema, "sales");
    add(table, "revenue", "$1,222.91;($9.50);$700.00");
    add(table, "paid", "1.200,50 EUR;7,25 EUR");
    add(table, "growth", "5.0%;-1.5 %");
    add(table, "month", "2024-01;2023-12");
    add(table, "issued", "03.08.2023;13.07.2024");
    add(table, "unclear", "03/08/2023;04/07/2024");
    add(table, "code", "10115;20095");
    add(table, "zip", "01067;20095");
    add(table, "amount", "20.00;;148.50;n/a");
    add(table, "blank", ";n/a");
    add(table, "version", "1.10;1.2");
    add(table, "mixed", "$5.00;€ 5.00");
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

static enum kept_form form_of(const char *name, struct kept *out)
{
    kept_of(table_column(schema_table(schema, "sales"), name), out);
    return out->form;
}

static void test_forms(void **state)
{
    (void)state;
    struct kept kept;
    assert_int_equal(form_of("revenue", &kept), KEPT_AMOUNT);
    assert_string_equal(kept.unit, "$");
    assert_false(kept.comma);
    assert_int_equal(form_of("paid", &kept), KEPT_AMOUNT);
    assert_true(kept.comma);
    assert_int_equal(form_of("growth", &kept), KEPT_AMOUNT);
    assert_int_equal(form_of("month", &kept), KEPT_DATE);
    assert_string_equal(kept.layout, "YYYY-MM");
    assert_int_equal(form_of("issued", &kept), KEPT_DATE);
    assert_string_equal(kept.layout, "DD.MM.YYYY");
    assert_int_equal(form_of("amount", &kept), KEPT_AMOUNT);
    assert_true(kept.plain && !kept.whole);
    assert_int_equal(form_of("code", &kept), KEPT_AMOUNT);
    assert_true(kept.plain && kept.whole);
    /* day and month either way round, codes, two currencies, nothing at all: nothing is said */
    assert_int_equal(form_of("unclear", &kept), KEPT_AS_IS);
    assert_int_equal(form_of("zip", &kept), KEPT_AS_IS);
    assert_int_equal(form_of("blank", &kept), KEPT_AS_IS);
    assert_int_equal(form_of("version", &kept), KEPT_AS_IS);
    assert_int_equal(form_of("mixed", &kept), KEPT_AS_IS);
}

static const char *read_as(enum dialect dialect, const char *sql)
{
    struct sql_statement statement;
    struct kept_uses uses = {0};
    assert_true(sql_statement_read(arena, dialect, sql, strlen(sql), &statement));
    return kept_sql(arena, &statement, sql_resolve(arena, &statement, schema), &uses);
}

static void becomes(enum dialect dialect, const char *sql, const char *expected)
{
    const char *got = read_as(dialect, sql);
    assert_non_null(got);
    assert_string_equal(got, expected);
    assert_null(read_as(dialect, got)); /* once is enough */
}

/* ... and back */
static void returns(enum dialect dialect, const char *sql)
{
    struct sql_statement statement;
    const char *got = read_as(dialect, sql);
    assert_non_null(got);
    assert_true(sql_statement_read(arena, dialect, got, strlen(got), &statement));
    const char *plain =
        kept_plain(arena, &statement, sql_resolve(arena, &statement, schema));
    assert_non_null(plain);
    assert_string_equal(plain, sql);
}

static void test_plain(void **state)
{
    (void)state;
    static const enum dialect dialects[] = {DIALECT_SQLITE, DIALECT_DUCKDB,
                                            DIALECT_POSTGRES, DIALECT_MYSQL};
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        returns(dialects[i],
                "SELECT s.code, SUM(s.revenue) AS r FROM sales AS s WHERE s.month "
                ">= '2024-01-01' AND s.issued < '2024-02-01' GROUP BY s.code "
                "HAVING AVG(s.growth) > 3 ORDER BY r");
    }
}

#define DIGITS                                                                           \
    "REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(revenue, '$', ''), ',', ''), ' ', ''), '('" \
    ", '-'), ')', '')"
#define AMOUNT "CASE WHEN revenue GLOB '*[0-9]*' THEN CAST(" DIGITS " AS REAL) END"

static void test_amounts(void **state)
{
    (void)state;
    becomes(DIALECT_SQLITE, "SELECT SUM(revenue) FROM sales",
            "SELECT SUM(" AMOUNT ") FROM sales");
    becomes(DIALECT_SQLITE, "SELECT code FROM sales WHERE revenue > '3000'",
            "SELECT code FROM sales WHERE " AMOUNT " > 3000");
    becomes(DIALECT_SQLITE, "SELECT code FROM sales ORDER BY revenue DESC LIMIT 1",
            "SELECT code FROM sales ORDER BY " AMOUNT " DESC LIMIT 1");
    becomes(DIALECT_SQLITE,
            "SELECT SUM(CASE WHEN code = '1' THEN revenue ELSE 0 END) FROM sales",
            "SELECT SUM(CASE WHEN code = '1' THEN " AMOUNT " ELSE 0 END) FROM sales");
    becomes(DIALECT_SQLITE, "SELECT CAST(revenue AS REAL) FROM sales",
            "SELECT CAST(" AMOUNT " AS REAL) FROM sales");
    becomes(DIALECT_DUCKDB, "SELECT SUM(revenue) FROM sales",
            "SELECT SUM(TRY_CAST(" DIGITS " AS DOUBLE)) FROM sales");
    becomes(DIALECT_POSTGRES, "SELECT SUM(revenue) FROM sales",
            "SELECT SUM(CASE WHEN revenue ~ '[0-9]' THEN CAST(" DIGITS
            " AS NUMERIC) END) FROM sales");
    becomes(DIALECT_MYSQL, "SELECT SUM(revenue) FROM sales",
            "SELECT SUM(CASE WHEN revenue REGEXP '[0-9]' THEN CAST(" DIGITS
            " AS DECIMAL(30, 4)) END) FROM sales");
    becomes(DIALECT_CLICKHOUSE, "SELECT SUM(revenue) FROM sales",
            "SELECT SUM(toFloat64OrNull(" DIGITS ")) FROM sales");
    becomes(DIALECT_BIGQUERY, "SELECT SUM(revenue) FROM sales",
            "SELECT SUM(SAFE_CAST(" DIGITS " AS NUMERIC)) FROM sales");
}

/* Digits alone: numbers where they are ordered or computed with, and codes where they are compared. */
static void test_plain_numbers(void **state)
{
    (void)state;
#define PLAIN "CASE WHEN amount GLOB '*[0-9]*' THEN CAST(TRIM(amount) AS REAL) END"
    becomes(DIALECT_SQLITE, "SELECT zip FROM sales WHERE amount > '1000'",
            "SELECT zip FROM sales WHERE " PLAIN " > 1000");
    becomes(DIALECT_SQLITE, "SELECT zip FROM sales WHERE amount = '20'",
            "SELECT zip FROM sales WHERE " PLAIN " = 20");
    becomes(DIALECT_SQLITE, "SELECT zip FROM sales WHERE amount IN ('20', '30')",
            "SELECT zip FROM sales WHERE " PLAIN " IN (20, 30)");
    becomes(DIALECT_SQLITE, "SELECT AVG(amount), MIN(amount) FROM sales",
            "SELECT AVG(" PLAIN "), MIN(" PLAIN ") FROM sales");
    becomes(DIALECT_SQLITE, "SELECT zip FROM sales WHERE code > '900' AND code <> '1000'",
            "SELECT zip FROM sales WHERE CASE WHEN code GLOB '*[0-9]*' THEN "
            "CAST(TRIM(code) AS REAL) END > 900 AND code <> '1000'");
}

static void test_dates(void **state)
{
    (void)state;
    becomes(DIALECT_SQLITE, "SELECT COUNT(*) FROM sales WHERE month >= '2024-01-01'",
            "SELECT COUNT(*) FROM sales WHERE (month || '-01') >= '2024-01-01'");
    becomes(DIALECT_SQLITE, "SELECT strftime('%Y', month) FROM sales",
            "SELECT strftime('%Y', month || '-01') FROM sales");
    becomes(DIALECT_DUCKDB, "SELECT MAX(issued) FROM sales",
            "SELECT MAX(CAST(TRY_STRPTIME(issued, '%d.%m.%Y') AS DATE)) FROM sales");
    becomes(DIALECT_POSTGRES, "SELECT code FROM sales WHERE issued < DATE '2024-01-01'",
            "SELECT code FROM sales WHERE CASE WHEN LENGTH(issued) = 10 THEN "
            "TO_DATE(issued, 'DD.MM.YYYY') END < DATE '2024-01-01'");
    becomes(DIALECT_MYSQL, "SELECT YEAR(month) FROM sales",
            "SELECT YEAR(STR_TO_DATE(CONCAT(month, '-01'), '%Y-%m-%d')) FROM sales");
#define ISSUED                                                                           \
    "(((SUBSTR(issued, 7, 4) || '-') || SUBSTR(issued, 4, 2)) || '-') || "               \
    "SUBSTR(issued, "                                                                    \
    "1, 2)"
    becomes(DIALECT_CLICKHOUSE, "SELECT MAX(issued) FROM sales",
            "SELECT MAX(toDateOrNull(" ISSUED ")) FROM sales");
    becomes(DIALECT_BIGQUERY, "SELECT MAX(issued) FROM sales",
            "SELECT MAX(SAFE_CAST(" ISSUED " AS DATE)) FROM sales");
}

static void test_left_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "SELECT revenue, month FROM sales",
        "SELECT COUNT(revenue) FROM sales GROUP BY month",
        "SELECT code FROM sales WHERE revenue = '$700.00'",
        "SELECT code FROM sales WHERE month >= '2024-01'",
        "SELECT code FROM sales WHERE month LIKE '2024%'",
        "SELECT SUM(CAST(REPLACE(revenue, '$', '') AS REAL)) FROM sales",
        "SELECT SUM(zip) FROM sales WHERE issued IS NOT NULL",
        "SELECT zip FROM sales WHERE code = '10115' OR code IN ('1', '2')",
        "SELECT zip FROM sales WHERE code = 10115",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *got = read_as(DIALECT_SQLITE, texts[i]);
        if (got) {
            fail_msg("%s became %s", texts[i], got);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),         cmocka_unit_test(test_amounts),
        cmocka_unit_test(test_plain_numbers), cmocka_unit_test(test_dates),
        cmocka_unit_test(test_left_alone),    cmocka_unit_test(test_plain),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
