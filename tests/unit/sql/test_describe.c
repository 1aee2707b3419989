/* SQL in words, and how complex it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "sql/describe/describe.h"
#include "sql/statement.h"

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
     "Works out the total of t in x, for each year of d, sorted by y."},
    {DIALECT_SQLITE,
     "SELECT name FROM c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.c = c.id)",
     "Shows name from c, where there are rows of orders where c is c.id."},
    {DIALECT_SQLITE, "SELECT name FROM c WHERE id NOT IN (SELECT c FROM orders)",
     "Shows name from c, where id is none of (c of orders)."},
    {DIALECT_SQLITE, "SELECT DISTINCT city FROM c ORDER BY city DESC, id",
     "Shows each different city from c, sorted by city from high to low, then by id."},
    {DIALECT_SQLITE, "SELECT a FROM t UNION SELECT b FROM u",
     "Shows a from t, together with (b of u)."},
    {DIALECT_SQLITE, "WITH m AS (SELECT 1 AS x) SELECT x FROM m",
     "First works out m (1 as x). Shows x from m."},
    {DIALECT_SQLITE, "SELECT a.name, b.name FROM staff a JOIN staff b ON a.id = b.boss",
     "Shows a.name and b.name from staff (a) joined with staff (b) by a.id is b.boss."},
    {DIALECT_SQLITE, "SELECT city FROM c GROUP BY city HAVING COUNT(*) > 3",
     "Lists what there is in c, for each city, keeping only groups where the number of "
     "rows "
     "is more than 3."},
    {DIALECT_SQLITE, "SELECT SUM(a) * 100.0 / SUM(b) AS share FROM t",
     "Works out share ((the total of a) * 100.0 / (the total of b)) in t."},
    {DIALECT_DUCKDB, "FROM customers", "Lists what there is in customers."},
    {DIALECT_DUCKDB, "SELECT * EXCLUDE (a, b) FROM t",
     "Shows all columns except (a, b) from t."},
    {DIALECT_DUCKDB, "SELECT city, count(*) FROM t GROUP BY ALL",
     "Counts rows of t, for each city."},
    {DIALECT_DUCKDB, "SELECT median(x) FROM t QUALIFY rank() OVER (ORDER BY x) = 1",
     "Works out the median of x in t, keeping only rows where the rank by x is 1."},
    {DIALECT_SQLITE,
     "SELECT name FROM a UNION SELECT name FROM b WHERE x > 3 ORDER BY name LIMIT 5",
     "Shows name from a, together with (name of b where x is more than 3), sorted by "
     "name, at most 5."},
    {DIALECT_SQLITE, "SELECT a FROM t EXCEPT SELECT a FROM u JOIN v ON u.id = v.id",
     "Shows a from t, without (a of u joined with v)."},
    {DIALECT_SQLITE, "(SELECT a FROM t ORDER BY b LIMIT 1) INTERSECT (SELECT a FROM u)",
     "Shows a from t, sorted by b, at most 1, only those also in (a of u)."},
    {DIALECT_SQLITE, "SELECT name FROM e WHERE pay > (SELECT AVG(pay) FROM e)",
     "Shows name from e, where pay is more than (the average of pay in e)."},
    {DIALECT_SQLITE,
     "SELECT name, CASE WHEN age < 18 THEN 'minor' WHEN age < 65 THEN 'adult' ELSE 'old' "
     "END AS class FROM p",
     "Shows name and class ('minor' if age is less than 18, 'adult' if age is less than "
     "65, otherwise 'old') from p."},
    {DIALECT_SQLITE, "SELECT CASE kind WHEN 1 THEN 'a' END FROM t",
     "Shows 'a' if kind is 1 from t."},
    {DIALECT_SQLITE,
     "SELECT team, name, RANK() OVER (PARTITION BY team ORDER BY pay DESC) AS r FROM e",
     "Shows team, name and r (the rank by pay from high to low within each team) from "
     "e."},
    {DIALECT_SQLITE,
     "SELECT d, SUM(x) OVER (ORDER BY d ROWS UNBOUNDED PRECEDING) AS s, AVG(x) OVER () "
     "FROM t",
     "Shows d, s (the running total of x, by d (ROWS UNBOUNDED PRECEDING)) and the "
     "average of x over all rows from t."},
    {DIALECT_SQLITE,
     "SELECT LAG(p, 1) OVER (PARTITION BY k ORDER BY d) AS b, NTILE(4) OVER w FROM t "
     "WINDOW w AS (ORDER BY p)",
     "Shows b (p of the row before, by d within each k) and the number of the part, of 4 "
     "equal parts, over the window w from t."},
    {DIALECT_SQLITE,
     "SELECT strftime('%Y-%m', d) AS m, COUNT(*) FROM t GROUP BY m HAVING COUNT(*) >= 2",
     "Counts rows of t, for each month of d, keeping only groups where the number of "
     "rows is at least 2."},
    {DIALECT_SQLITE,
     "SELECT a FROM t WHERE d >= date('now', 'start of month', '-1 month') AND d < "
     "CURRENT_DATE",
     "Shows a from t, where d is at least 1 month before the start of the month of today "
     "and d is less than today."},
    {DIALECT_DUCKDB,
     "SELECT date_trunc('month', d) AS m, extract(year FROM d) AS y, count(*) FROM t "
     "GROUP BY 1, 2",
     "Counts rows of t, for each month of d and year of d."},
    {DIALECT_SQLITE,
     "SELECT SUM(CASE WHEN ok = 1 THEN 1 ELSE 0 END) AS good, SUM(CASE WHEN ok = 1 THEN "
     "x ELSE 0 END) FROM t",
     "Works out the number of rows where ok is 1 and the total of x where ok is 1 in t."},
    {DIALECT_SQLITE, "SELECT AVG(CASE WHEN ok = 1 THEN x ELSE 0 END) FROM t",
     "Works out the average of x if ok is 1, otherwise 0 in t."},
    {DIALECT_DUCKDB, "SELECT count(*) FILTER (WHERE a = 'b') / count(*) AS share FROM t",
     "Works out share ((the number of rows where a is 'b') / (the number of rows)) in "
     "t."},
    {DIALECT_SQLITE,
     "SELECT ROUND(AVG(x), 1) AS a, COALESCE(b, 'none') AS b FROM t GROUP BY COALESCE(b, "
     "'none')",
     "Works out a (the average of x rounded to 1 place) in t, for each b (or 'none' "
     "where it is empty)."},
    {DIALECT_SQLITE,
     "SELECT a FROM t WHERE a LIKE '%x%' OR a LIKE 'y%' OR a NOT LIKE '%z' OR a LIKE "
     "'_q%'",
     "Shows a from t, where a contains 'x' or a begins with 'y' or a does not end in 'z' "
     "or a is like '_q%'."},
    {DIALECT_SQLITE,
     "SELECT o.id FROM o LEFT JOIN p ON p.o = o.id CROSS JOIN q WHERE p.id IS NULL",
     "Shows o.id from o with or without p in every pair with q, where p.id is empty."},
    {DIALECT_SQLITE,
     "SELECT x.c FROM (SELECT c, AVG(a) AS m FROM p GROUP BY c) x WHERE x.m > 40",
     "Shows c from (the average of a as m in p for each c), where m is more than 40."},
    {DIALECT_SQLITE, "SELECT a FROM t ORDER BY COUNT(*) DESC LIMIT 10 OFFSET 20",
     "Shows a from t, largest first, at most 10 after the first 20."},
    {DIALECT_SQLITE,
     "SELECT a, SUM(x) AS s, MAX(y) AS m FROM t GROUP BY a ORDER BY m DESC",
     "Works out the total of x and the largest y in t, for each a, sorted by the largest "
     "y from high to low."},
    {DIALECT_SQLITE,
     "WITH t AS (SELECT city, COUNT(*) AS n FROM c GROUP BY city), u AS (SELECT 1) "
     "SELECT city FROM t WHERE n > 10",
     "First works out t (the number of rows as n in c for each city) and u (1). Shows "
     "city from t, where n is more than 10."},
    {DIALECT_SQLITE, "SELECT CAST(x AS INTEGER) AS i, UPPER(name), LENGTH(name) FROM t",
     "Shows i (x), name in capitals and the length of name from t."},
    {DIALECT_SQLITE,
     "SELECT a.city, COUNT(*) FROM flights f JOIN airports a ON f.origin_id = a.id GROUP "
     "BY a.city",
     "Counts rows of flights joined with airports by origin_id, for each airports.city."},
    {DIALECT_SQLITE,
     "SELECT a.city FROM airports a JOIN flights f ON a.id = f.goal_id JOIN crews c ON "
     "c.flight_id = f.id",
     "Shows airports.city from airports joined with flights by goal_id joined with "
     "crews."},
    {DIALECT_SQLITE,
     "SELECT * FROM (c JOIN o ON o.c_id = c.id) LEFT JOIN i ON i.o = o.id",
     "Shows all columns from c joined with o with or without i."},
    {DIALECT_SQLITE, "SELECT x / SUM(x) OVER () AS share FROM t",
     "Shows share (x / (the total of x over all rows)) from t."},
    {DIALECT_SQLITE, "SELECT COUNT(*) FILTER (WHERE ok = 1) OVER (ORDER BY d) FROM t",
     "Shows the running number of rows where ok is 1, by d from t."},
    {DIALECT_SQLITE, "SELECT a FROM t WHERE (b = 1 OR c = 2) AND NOT (d NOTNULL)",
     "Shows a from t, where (b is 1 or c is 2) and not (d is not empty)."},
    {DIALECT_SQLITE, "SELECT DISTINCT city COLLATE NOCASE FROM t",
     "Shows each different city COLLATE NOCASE from t."},
    {DIALECT_SQLITE,
     "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5) "
     "SELECT i FROM n",
     "First works out n (fixed values, together with (i + 1 of n where i is less than "
     "5)). "
     "Shows i from n."},
    {DIALECT_POSTGRES, "SELECT DISTINCT ON (a) a, b FROM t ORDER BY a",
     "Shows a and b from t, one row for each a, sorted by a."},
    {DIALECT_POSTGRES, "SELECT EXTRACT(EPOCH FROM (a - b)) / 60 FROM t",
     "Shows the epoch of (a - b) / 60 from t."},
    {DIALECT_POSTGRES, "SELECT a + INTERVAL '1' DAY FROM ONLY t FETCH FIRST 5 ROWS ONLY",
     "Shows a + INTERVAL '1' DAY from t, at most 5."},
    {DIALECT_POSTGRES,
     "(SELECT a FROM t LIMIT 1) UNION ALL (SELECT b FROM u LIMIT 1) ORDER BY 1",
     "Shows a from t, at most 1, together with (b of u at most 1), sorted by a."},
    {DIALECT_DUCKDB, "SELECT a FROM t LIMIT 10%", "Shows a from t, at most 10% of them."},
    {DIALECT_DUCKDB, "SELECT a::INT, total: sum(b) FROM t GROUP BY a",
     "Works out the total of b in t, for each a."},
    {DIALECT_CLICKHOUSE, "SELECT a FROM t PREWHERE b = 1 ORDER BY a LIMIT 2 BY c LIMIT 9",
     "Shows a from t, where b is 1, sorted by a, at most 2 for each c, at most 9."},
    {DIALECT_ODBC, "SELECT TOP 5 a FROM t ORDER BY a",
     "Shows a from t, sorted by a, at most 5."},
    {DIALECT_ODBC, "SELECT a FROM t MINUS SELECT b FROM u",
     "Shows a from t, without (b of u)."},
    {DIALECT_POSTGRES, "DELETE FROM shop.orders", "Deletes rows of orders, all of them."},
    {DIALECT_SQLITE, "VALUES (1)", "Shows fixed values."},
    {DIALECT_SQLITE, "DELETE FROM orders WHERE id = 5",
     "Deletes rows of orders, where id is 5."},
    {DIALECT_SQLITE, "DELETE FROM orders", "Deletes rows of orders, all of them."},
    {DIALECT_SQLITE, "UPDATE orders SET a = 1 WHERE id < 5",
     "Changes rows of orders: sets a to 1, where id is less than 5."},
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
        assert_string_equal(describe_sql_text(arena, cases[i].dialect, cases[i].sql),
                            cases[i].words);
    }
    arena_free(arena);
}

/* What a text is in one dialect is a name in another. */
static void test_dialects(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    const char *quoted = "SELECT count(*) FROM t WHERE a = \"b\"";
    assert_string_equal(describe_sql_text(arena, DIALECT_SQLITE, quoted),
                        "Counts rows of t, where a is b.");
    assert_string_equal(describe_sql_text(arena, DIALECT_MYSQL, quoted),
                        "Counts rows of t, where a is 'b'.");
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
    char *words = describe_sql_text(arena, DIALECT_SQLITE, sql);
    assert_true(strlen(words) < 2000);
    assert_true(utf8_valid(words, strlen(words), NULL));
    char *deep = arena_alloc(arena, 7 + 6 * 50000 + 1);
    memcpy(deep, "SELECT ", 7);
    for (size_t i = 0; i < 50000; i++) {
        memcpy(deep + 7 + 6 * i, "count(", 6);
    }
    assert_string_equal(describe_sql_text(arena, DIALECT_SQLITE, deep), "Not a query.");
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
        assert_true(strlen(describe_sql_text(arena, DIALECT_DUCKDB, odd[i])) > 0);
    }
    arena_free(arena);
}

/* Groups of groups of groups: what is said of one must not be worked out for each. */
static void test_queries_in_queries(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    const char *sql = "SELECT 1";
    for (int depth = 0; depth < 8; depth++) {
        sql = arena_format(arena, "SELECT a, b, c, (%s) FROM t GROUP BY a, b, (%s)",
                           depth < 4 ? sql : "SELECT 1", sql);
    }
    char *words = describe_sql_text(arena, DIALECT_SQLITE, sql);
    assert_non_null(strstr(words, "the results of another query"));
    arena_free(arena);
}

static struct sql_shape shape_of(struct arena *arena, enum dialect dialect,
                                 const char *sql)
{
    struct sql_statement statement;
    struct sql_shape shape;
    (void)sql_statement_read(arena, dialect, sql, strlen(sql), &statement);
    describe_shape(&statement, &shape);
    return shape;
}

static void test_shape(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct sql_shape shape = shape_of(arena, DIALECT_SQLITE, "SELECT * FROM a");
    assert_int_equal(
        shape.joins + shape.subqueries + shape.set_operations + shape.windows, 0);
    assert_false(shape.group_by || shape.order_by);
    shape = shape_of(arena, DIALECT_SQLITE,
                     "SELECT a.x, COUNT(*), SUM(y) OVER (ORDER BY z) FROM a JOIN b ON 1, "
                     "c WHERE a.x IN (SELECT x FROM d) GROUP BY a.x UNION ALL SELECT 1, "
                     "2, 3 ORDER BY 1");
    assert_int_equal(shape.joins, 2);
    assert_int_equal(shape.subqueries, 1);
    assert_int_equal(shape.set_operations, 1);
    assert_int_equal(shape.windows, 1);
    assert_true(shape.group_by && shape.order_by);
    shape = shape_of(arena, DIALECT_BIGQUERY, "SELECT * EXCEPT (a) FROM t");
    assert_int_equal(shape.set_operations, 0);
    shape = shape_of(arena, DIALECT_POSTGRES,
                     "(SELECT 1) UNION ALL (SELECT 2 FROM (SELECT 1 ORDER BY 1) q)");
    assert_int_equal(shape.subqueries, 1);
    assert_int_equal(shape.set_operations, 1);
    assert_false(shape.order_by);
    shape = shape_of(arena, DIALECT_SQLITE, "SELECT (");
    assert_int_equal(shape.subqueries, 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences),    cmocka_unit_test(test_dialects),
        cmocka_unit_test(test_long_and_odd), cmocka_unit_test(test_queries_in_queries),
        cmocka_unit_test(test_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
