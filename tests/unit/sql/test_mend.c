/* SQL of one dialect written for another: the texts. That they give the same rows is shown
 * on the engines (tests/conformance/datasource/suite_mend.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/dialects/pairs.h"
#include "sql/dialects/mend.h"
#include "sql/guard.h"
#include "sql/statement.h"

/* Prints for engines that are not at hand, without a schema: columns may be NULL. */
static void prints_are_as_expected(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct dialect_pairs pairs;
    size_t counts[DIALECT_COUNT][DIALECT_COUNT] = {0};
    size_t total = 0;
    size_t wrong = 0;
    dialect_pairs_read(arena, "tests/fixtures/dialects", &pairs);
    for (size_t i = 0; i < pairs.count; i++) {
        const struct dialect_pair *pair = &pairs.items[i];
        for (int to = 0; to < DIALECT_COUNT; to++) {
            counts[pair->from][to] += pair->to[to] || pair->print[to];
            total += pair->to[to] || pair->print[to];
            if (!pair->print[to]) {
                continue;
            }
            struct mend mend;
            bool ok = mend_sql_from(arena, pair->from, (enum dialect)to, pair->sql, NULL,
                                    &mend);
            if (!ok || strcmp(mend.sql, pair->print[to]) != 0) {
                print_message("line %zu: %s\n  %s: %s\n  expected: %s\n", pair->line,
                              pair->sql, dialect_name((enum dialect)to),
                              ok ? mend.sql : mend.why, pair->print[to]);
                wrong++;
            }
        }
    }
    for (int from = 0; from < DIALECT_COUNT; from++) {
        for (int to = 0; to < DIALECT_COUNT; to++) {
            if (counts[from][to]) {
                print_message("%s -> %s: %zu\n", dialect_name((enum dialect)from),
                              dialect_name((enum dialect)to), counts[from][to]);
            }
        }
    }
    print_message("%zu pairs\n", total);
    assert_true(total >= 150);
    assert_int_equal(wrong, 0);
    arena_free(arena);
}

/* What a reader is told. */
static void changes_are_told(void **state)
{
    static const struct {
        enum dialect to;
        const char *sql;
        const char *note;
    } rows[] = {
        {DIALECT_SQLITE, "SELECT a FROM t WHERE a ILIKE 'x%'",
         "ILIKE was written as LIKE, because SQLite has no ILIKE."},
        {DIALECT_SQLITE, "SELECT NOW()",
         "NOW was written as CURRENT_TIMESTAMP, because SQLite has no NOW."},
        {DIALECT_MYSQL, "SELECT a || 'x' FROM t",
         "Texts joined by || were joined by CONCAT, as MySQL does it."},
        {DIALECT_SQLITE, "SELECT TOP 3 a FROM t",
         "TOP was written as LIMIT, because SQLite has no TOP."},
        {DIALECT_POSTGRES, "SELECT IFNULL(a, 0) FROM t",
         "IFNULL was written as COALESCE, because PostgreSQL has no IFNULL."},
        {DIALECT_SQLITE,
         "SELECT a FROM t ORDER BY CAST(b AS NUMERIC(4, 2))::text ILIKE 'x'", NULL},
    };
    (void)state;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mend mend;
        bool ok = mend_sql(arena, rows[i].to, rows[i].sql, NULL, &mend);
        assert_int_equal(ok, rows[i].note != NULL);
        bool told = !ok;
        for (size_t k = 0; ok && k < mend.notes.count; k++) {
            told = told || strcmp(mend.notes.items[k], rows[i].note) == 0;
        }
        assert_true(told);
    }
    arena_free(arena);
}

/* SQL of the dialect that is needed is nobody's to change; nor is what is no SQL. */
static void own_sql_is_left_alone(void **state)
{
    static const struct {
        enum dialect dialect;
        const char *sql;
    } rows[] = {
        {DIALECT_SQLITE, "SELECT a, count(*) FROM t WHERE a LIKE 'x%' GROUP BY a"},
        {DIALECT_SQLITE, "SELECT strftime('%Y', d), a / b FROM t ORDER BY a"},
        {DIALECT_POSTGRES, "SELECT a::int / 2 FROM t WHERE a ~ 'x' ORDER BY a"},
        {DIALECT_MYSQL, "SELECT CONCAT(a, b), a / b, `c` FROM t WHERE a LIKE 'x'"},
        {DIALECT_DUCKDB, "SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1"},
        {DIALECT_SQLITE, "DROP TABLE t"},
        {DIALECT_SQLITE, "DELETE FROM t WHERE a ILIKE 'x'"},
        {DIALECT_SQLITE, "SELECT 1; SELECT NOW()"},
        {DIALECT_SQLITE, "how many are there?"},
        {DIALECT_SQLITE, "SELECT pg_read_file('/etc/passwd'), NOW()"},
        {DIALECT_SQLITE, ""},
    };
    (void)state;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mend mend;
        if (mend_sql(arena, rows[i].dialect, rows[i].sql, NULL, &mend)) {
            fail_msg("%s became %s", rows[i].sql, mend.sql);
        }
        assert_non_null(mend.why);
    }
    arena_free(arena);
}

/* Where dialects read the same text differently, nothing is guessed. */
static void unclear_sql_is_left_alone(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct mend mend;
    /* PostgreSQL drops the fraction, MySQL does not */
    const char *sql = "SELECT length(a) / 2 FROM t WHERE EXTRACT(YEAR FROM d) = 2024";
    assert_false(mend_sql(arena, DIALECT_SQLITE, sql, NULL, &mend));
    assert_true(mend_sql_from(arena, DIALECT_POSTGRES, DIALECT_SQLITE, sql, NULL, &mend));
    arena_free(arena);
}

static const char *misread(struct arena *arena, enum dialect dialect, const char *sql)
{
    struct sql_statement statement;
    assert_true(sql_statement_read(arena, dialect, sql, strlen(sql), &statement));
    return mend_misread(&statement);
}

static void texts_that_would_be_misread_are_seen(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    assert_non_null(misread(arena, DIALECT_SQLITE, "SELECT CAST(d AS DATE) FROM t"));
    assert_null(misread(arena, DIALECT_SQLITE, "SELECT CAST(d AS TEXT) FROM t"));
    assert_null(misread(arena, DIALECT_POSTGRES, "SELECT CAST(d AS DATE) FROM t"));
    assert_non_null(misread(arena, DIALECT_MYSQL, "SELECT a || ' ' || b FROM t"));
    assert_null(misread(arena, DIALECT_MYSQL, "SELECT a = 1 || b = 2 FROM t"));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_are_as_expected),
        cmocka_unit_test(changes_are_told),
        cmocka_unit_test(own_sql_is_left_alone),
        cmocka_unit_test(unclear_sql_is_left_alone),
        cmocka_unit_test(texts_that_would_be_misread_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
