/* What is asked of a statement as a whole: has it an order, and is it the same as another? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "sql/statement.h"

static struct sql_statement statement_of(struct arena *arena, enum dialect dialect,
                                         const char *sql)
{
    struct sql_statement statement;
    (void)sql_statement_read(arena, dialect, sql, strlen(sql), &statement);
    return statement;
}

static void order_of_rows(void **state)
{
    static const struct {
        const char *sql;
        bool ordered;
    } rows[] = {
        {"SELECT a FROM t ORDER BY a", true},
        {"SELECT a FROM t order\n by a LIMIT 3", true},
        {"SELECT a FROM t UNION SELECT b FROM t ORDER BY 1", true},
        {"WITH c AS (SELECT a FROM t) SELECT a FROM c ORDER BY a", true},
        {"SELECT a FROM t", false},
        {"SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 3) AS x", false},
        {"WITH c AS (SELECT a FROM t ORDER BY a LIMIT 3) SELECT a FROM c", false},
        {"SELECT a FROM t WHERE b IN (SELECT b FROM u ORDER BY b LIMIT 2)", false},
        {"SELECT row_number() OVER (ORDER BY a) FROM t", false},
        {"SELECT a FROM t WHERE note = 'sort, order by date'", false},
        {"SELECT a FROM t -- order by a", false},
        {"SELECT a FROM t WHERE", false},
    };
    struct arena *arena = arena_new();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sql_statement statement = statement_of(arena, DIALECT_SQLITE, rows[i].sql);
        if (sql_statement_ordered(&statement) != rows[i].ordered) {
            fail_msg("%s", rows[i].sql);
        }
    }
    struct sql_statement inner =
        statement_of(arena, DIALECT_POSTGRES, "(SELECT a FROM t ORDER BY a)");
    assert_true(sql_statement_ordered(&inner));
    arena_free(arena);
}

static void same_statement(void **state)
{
    static const struct {
        enum dialect dialect;
        const char *a;
        const char *b;
        bool same;
    } rows[] = {
        {DIALECT_SQLITE, "SELECT COUNT(*) FROM orders;", "select count(*)\nfrom Orders",
         true},
        {DIALECT_SQLITE, "SELECT (a) FROM t -- all", "SELECT a FROM t", true},
        {DIALECT_SQLITE, "SELECT a FROM t WHERE b <> 1", "SELECT a FROM t WHERE b != 1",
         true},
        /* a text has its case, and its white space */
        {DIALECT_SQLITE, "SELECT a FROM t WHERE b = 'Rome'",
         "SELECT a FROM t WHERE b = 'rome'", false},
        {DIALECT_SQLITE, "SELECT a FROM t WHERE b = 'a  b'",
         "SELECT a FROM t WHERE b = 'a b'", false},
        {DIALECT_POSTGRES, "SELECT \"Total\" FROM t", "SELECT \"total\" FROM t", false},
        {DIALECT_POSTGRES, "SELECT Total FROM t", "SELECT total FROM t", true},
        {DIALECT_CLICKHOUSE, "SELECT Total FROM t", "SELECT total FROM t", false},
        {DIALECT_CLICKHOUSE, "SELECT TODATE(a) FROM t", "SELECT toDate(a) FROM t", false},
        {DIALECT_MYSQL, "SELECT a FROM Orders", "SELECT a FROM orders", false},
        {DIALECT_MYSQL, "SELECT COUNT(a) FROM t", "SELECT count(a) FROM t", true},
        {DIALECT_SQLITE, "SELECT a FROM t", "SELECT a, b FROM t", false},
        {DIALECT_SQLITE, "SELECT a FROM t", "SELECT DISTINCT a FROM t", false},
        /* what cannot be read */
        {DIALECT_SQLITE, "SELECT COUNT(* FROM t WHERE", "select count( *  FROM\nT where;",
         true},
        {DIALECT_SQLITE, "SELECT FROM WHERE", "SELECT a FROM t", false},
    };
    struct arena *arena = arena_new();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sql_statement a = statement_of(arena, rows[i].dialect, rows[i].a);
        struct sql_statement b = statement_of(arena, rows[i].dialect, rows[i].b);
        if (sql_statement_same(&a, &b) != rows[i].same ||
            sql_statement_same(&b, &a) != rows[i].same) {
            fail_msg("%s\n%s", rows[i].a, rows[i].b);
        }
    }
    struct sql_statement lite = statement_of(arena, DIALECT_SQLITE, "SELECT 1");
    struct sql_statement duck = statement_of(arena, DIALECT_DUCKDB, "SELECT 1");
    assert_false(sql_statement_same(&lite, &duck));
    arena_free(arena);
}

static void copy_is_its_own(void **state)
{
    struct arena *arena = arena_new();
    struct sql_statement first = statement_of(arena, DIALECT_SQLITE, "SELECT a FROM t");
    struct sql_statement copy = sql_statement_copy(arena, &first);
    (void)state;
    assert_true(sql_equal(first.root, copy.root));
    copy.root->children[QUERY_BODY] = NULL;
    assert_non_null(first.root->children[QUERY_BODY]);
    assert_string_equal(copy.text, first.text);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_rows),
        cmocka_unit_test(same_statement),
        cmocka_unit_test(copy_is_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
