/* SQL in words, and how complex it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "sql/describe.h"

static const struct {
    enum dialect dialect;
    const char *sql;
    const char *words;
} cases[] = {
    {DIALECT_SQLITE, "SELECT * FROM customers", "Shows all columns from customers."},
    {DIALECT_SQLITE, "SELECT COUNT(*) FROM orders;", "Counts rows of orders."},
    {DIALECT_SQLITE,
     "SELECT c.city, COUNT(*) AS n FROM orders o JOIN customers c ON o.customer_id = "
     "c.id "
     "WHERE o.total >= 5 AND c.city IS NOT NULL GROUP BY c.city ORDER BY n DESC LIMIT 5",
     "Counts rows of orders joined with customers, for each customers.city, where "
     "orders.total is at least 5 and customers.city is not empty, largest first, at most "
     "5."},
    {DIALECT_SQLITE, "SELECT AVG(total) FROM orders WHERE status IN ('a', 'b')",
     "Works out the average of total in orders, where status is one of ('a', 'b')."},
    {DIALECT_SQLITE, "SELECT COUNT(DISTINCT city) FROM customers",
     "Works out the number of different city in customers."},
    {DIALECT_SQLITE, "SELECT strftime('%Y', d) AS y, SUM(t) FROM x GROUP BY 1 ORDER BY 1",
     "Works out the total of t in x, for each y, sorted by 1."},
    {DIALECT_SQLITE,
     "SELECT name FROM c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.c = c.id)",
     "Shows name from c, where there are matching rows in orders."},
    {DIALECT_SQLITE, "SELECT name FROM c WHERE id NOT IN (SELECT c FROM orders)",
     "Shows name from c, where id is none of the results of another query."},
    {DIALECT_SQLITE, "SELECT DISTINCT city FROM c ORDER BY city DESC, id",
     "Shows each different city from c, sorted by city from high to low, then by id."},
    {DIALECT_SQLITE, "SELECT a FROM t UNION SELECT b FROM u",
     "Shows a from t, together with the rows of another query."},
    {DIALECT_SQLITE, "WITH m AS (SELECT 1 AS x) SELECT x FROM m",
     "Shows x from m (m is worked out first)."},
    {DIALECT_SQLITE, "SELECT a.name, b.name FROM staff a JOIN staff b ON a.id = b.boss",
     "Shows a.name and b.name from staff joined with staff."},
    {DIALECT_SQLITE, "SELECT city FROM c GROUP BY city HAVING COUNT(*) > 3",
     "Lists what there is in c, for each city, keeping only groups where the number of "
     "rows "
     "is more than 3."},
    {DIALECT_SQLITE, "SELECT SUM(a) * 100.0 / SUM(b) AS share FROM t",
     "Works out share in t."},
    {DIALECT_DUCKDB, "FROM customers", "Lists what there is in customers."},
    {DIALECT_DUCKDB, "SELECT * EXCLUDE (a, b) FROM t",
     "Shows all columns except (a, b) from t."},
    {DIALECT_DUCKDB, "SELECT city, count(*) FROM t GROUP BY ALL",
     "Counts rows of t, for each city."},
    {DIALECT_DUCKDB, "SELECT median(x) FROM t QUALIFY rank() OVER (ORDER BY x) = 1",
     "Works out the median of x in t, keeping only rows where rank() OVER (ORDER BY x) "
     "is 1."},
    {DIALECT_SQLITE, "VALUES (1)", "Shows fixed values."},
    {DIALECT_SQLITE, "DELETE FROM orders WHERE id = 5",
     "Deletes rows of orders, where id is 5."},
    {DIALECT_SQLITE, "DELETE FROM orders", "Deletes rows of orders, all of them."},
    {DIALECT_SQLITE, "UPDATE orders SET a = 1 WHERE id < 5",
     "Changes rows of orders, where id is less than 5."},
    {DIALECT_SQLITE, "INSERT INTO orders VALUES (1)", "Adds rows to orders."},
    {DIALECT_SQLITE, "DROP TABLE t", "Not a query."},
    {DIALECT_SQLITE, "", "Not a query."},
    {DIALECT_SQLITE, "SELECT 'open", "Not a query."},
};

static void test_sentences(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(describe_sql(arena, cases[i].dialect, cases[i].sql),
                            cases[i].words);
    }
    arena_free(arena);
}

static void test_long_and_odd(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    char *name = arena_alloc(arena, 5001);
    for (size_t i = 0; i + 1 < 5000; i += 2) {
        memcpy(name + i, "ü", 2);
    }
    char *sql = arena_format(arena, "SELECT %s FROM t WHERE a = '%s'", name, name);
    char *words = describe_sql(arena, DIALECT_SQLITE, sql);
    assert_true(strlen(words) < 1500);
    assert_true(utf8_valid(words, strlen(words), NULL));
    char *deep = arena_alloc(arena, 7 + 6 * 50000 + 1);
    memcpy(deep, "SELECT ", 7);
    for (size_t i = 0; i < 50000; i++) {
        memcpy(deep + 7 + 6 * i, "count(", 6);
    }
    assert_string_equal(describe_sql(arena, DIALECT_SQLITE, deep), "Not a query.");
    static const char *const odd[] = {"SELECT",
                                      "SELECT ,",
                                      "SELECT FROM WHERE",
                                      "WITH",
                                      "WITH a AS",
                                      "(((",
                                      ")))",
                                      "SELECT (",
                                      "SELECT a AS",
                                      "SELECT FROM ,",
                                      "GROUP BY 1",
                                      "SELECT 1 GROUP BY 9",
                                      "SELECT COUNT(",
                                      "UPDATE",
                                      "DELETE FROM",
                                      "SELECT * EXCLUDE",
                                      "SELECT . .",
                                      "SELECT 1 ORDER BY ,"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct sql_shape shape;
        assert_true(strlen(describe_sql(arena, DIALECT_DUCKDB, odd[i])) > 0);
        describe_shape(arena, DIALECT_DUCKDB, odd[i], &shape);
    }
    arena_free(arena);
}

static void test_shape(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct sql_shape shape;
    describe_shape(arena, DIALECT_SQLITE, "SELECT * FROM a", &shape);
    assert_int_equal(shape.tables, 1);
    assert_true(shape.star);
    assert_int_equal(shape.joins + shape.subqueries + shape.aggregates + shape.windows,
                     0);
    describe_shape(arena, DIALECT_SQLITE,
                   "SELECT a.x, COUNT(*), SUM(y) OVER (ORDER BY z) FROM a JOIN b ON 1, c "
                   "WHERE a.x IN (SELECT x FROM d) GROUP BY a.x UNION ALL SELECT 1, 2, 3 "
                   "ORDER BY 1",
                   &shape);
    assert_int_equal(shape.tables, 4);
    assert_int_equal(shape.joins, 2);
    assert_int_equal(shape.subqueries, 1);
    assert_int_equal(shape.set_operations, 1);
    assert_int_equal(shape.aggregates, 2);
    assert_int_equal(shape.windows, 1);
    assert_true(shape.group_by && shape.where && shape.order_by);
    assert_false(shape.star);
    describe_shape(arena, DIALECT_BIGQUERY, "SELECT * EXCEPT (a) FROM t", &shape);
    assert_int_equal(shape.set_operations, 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_long_and_odd),
        cmocka_unit_test(test_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
