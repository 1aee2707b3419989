/* Figures over rows that a join repeats: found, left alone, and put right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/fanout.h"
#include "sql/counting/tie.h"

static struct schema *schema;
static struct arena *arena;

/* "id* name": * marks the primary key */
static struct table *add_table(const char *name, const char *columns)
{
    struct table *table = schema_add_table(schema, name);
    struct texts names = {0};
    str_split(arena, columns, ' ', &names);
    for (size_t i = 0; i < names.count; i++) {
        char *text = arena_text(arena, names.items[i]);
        size_t size = strlen(text);
        bool primary = text[size - 1] == '*';
        text[size - primary] = '\0';
        struct column *column = table_add_column(schema, table, text, "INTEGER");
        column->primary = primary;
        column->nullable = !primary;
    }
    return table;
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    schema = schema_new();
    add_table("regions", "id* name");
    add_table("stores", "id* region_id name target");
    add_table("orders", "id* store_id customer_id total day");
    add_table("items", "order_id* line* product_id quantity");
    add_table("products", "id* name price stock");
    add_table("payments", "id* order_id amount");
    add_table("loose", "store_id note");
    add_table("Mixed", "Id* store_id Amount");
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

static struct sql_statement statement;
static const struct sql_resolved *resolved;
static struct fanouts found;

static size_t find(enum dialect dialect, const char *sql)
{
    found = (struct fanouts){0};
    if (!sql_statement_read(arena, dialect, sql, strlen(sql), &statement)) {
        fail_msg("%s: %s", sql, statement.reason);
    }
    resolved = sql_resolve(arena, &statement, schema);
    fanout_find(arena, &statement, resolved, &found);
    return found.count;
}

static void fine(const char *sql)
{
    for (enum dialect dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        if (find(dialect, sql)) {
            fail_msg("%s: %s\n  %s is said to repeat %s", dialect_name(dialect), sql,
                     found.items[0].repeater->name, found.items[0].subject->name);
        }
    }
}

static void becomes(const char *sql, const char *expected)
{
    for (enum dialect dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        if (!find(dialect, sql)) {
            fail_msg("%s: %s: nothing was found", dialect_name(dialect), sql);
        }
        if (dialect == DIALECT_SQLITE) {
            const char *got = fanout_once(arena, &statement, resolved, &found);
            assert_non_null(got);
            assert_string_equal(got, expected);
            assert_int_equal(find(dialect, got), 0);
        }
    }
}

static void test_nothing_repeats(void **state)
{
    (void)state;
    fine("SELECT SUM(total) FROM orders");
    fine("SELECT s.name, SUM(o.total) FROM stores s JOIN orders o ON o.store_id = s.id "
         "GROUP BY s.name");
    fine("SELECT SUM(i.quantity * p.price) FROM items i JOIN products p ON p.id = "
         "i.product_id JOIN orders o ON o.id = i.order_id");
    fine("SELECT MAX(s.target), COUNT(DISTINCT s.id) FROM stores s JOIN orders o ON "
         "o.store_id = s.id");
    /* one order, one store */
    fine("SELECT SUM(s.target) FROM stores s JOIN orders o ON o.store_id = s.id WHERE "
         "o.id = 7");
    fine("SELECT o.id, SUM(s.target) FROM stores s JOIN orders o ON o.store_id = s.id "
         "GROUP BY o.id");
    fine("SELECT SUM(s.target) FROM stores s JOIN (SELECT store_id, COUNT(*) AS n FROM "
         "orders GROUP BY store_id) o ON o.store_id = s.id");
    fine("SELECT SUM(s.target) FROM stores s JOIN (SELECT DISTINCT store_id FROM orders) "
         "o ON o.store_id = s.id");
    fine("SELECT SUM(s.target) FROM stores s, (SELECT AVG(total) AS a FROM orders) x "
         "WHERE s.target > x.a");
    fine("WITH best AS (SELECT id, name FROM stores) SELECT SUM(o.total) FROM orders o "
         "JOIN best b ON b.id = o.store_id");
    /* nobody knows by what its rows differ */
    fine("SELECT SUM(s.target) FROM stores s JOIN loose l ON l.store_id = s.id");
}

/* A table without any key: whether its rows repeat others was counted. */
static void test_lines_without_a_key(void **state)
{
    static const char sql[] =
        "SELECT SUM(s.target) FROM stores s JOIN loose l ON l.store_id = s.id";
    struct table *loose = schema_table(schema, "loose");
    struct column *store = table_column(loose, "store_id");
    (void)state;
    loose->row_count = 100;
    loose->row_count_exact = true;
    store->distinct = 90;
    store->null_share = 0.1;
    assert_int_equal(find(DIALECT_DUCKDB, sql), 0); /* each value once, and some NULL */
    store->distinct = 20;
    assert_int_equal(find(DIALECT_DUCKDB, sql), 1);
    assert_string_equal(found.items[0].repeater->name, "l");
    loose->row_count_exact = false;
    assert_int_equal(find(DIALECT_DUCKDB, sql), 0);
}

static void test_sums(void **state)
{
    (void)state;
    becomes(
        "SELECT SUM(s.target) AS goal FROM stores AS s JOIN orders AS o ON o.store_id "
        "= s.id WHERE o.total > 5",
        "SELECT SUM(CASE WHEN joined.row_of_s = 1 THEN joined.target END) AS goal "
        "FROM (SELECT s.target AS target, ROW_NUMBER() OVER (PARTITION BY s.id ORDER "
        "BY s.id) AS row_of_s FROM stores AS s JOIN orders AS o ON o.store_id = s.id "
        "WHERE o.total > 5) AS joined");
    becomes("SELECT r.name, SUM(s.target), SUM(o.total) AS sold FROM regions AS r JOIN "
            "stores AS s ON s.region_id = r.id JOIN orders AS o ON o.store_id = s.id "
            "GROUP BY r.name ORDER BY sold DESC",
            "SELECT joined.name AS \"name\", SUM(CASE WHEN joined.row_of_s = 1 THEN "
            "joined.target END) AS \"total_target\", SUM(joined.total) AS sold FROM "
            "(SELECT r.name AS name, s.target AS target, o.total AS total, ROW_NUMBER() "
            "OVER (PARTITION BY s.id ORDER BY s.id) AS row_of_s FROM regions AS r JOIN "
            "stores AS s ON s.region_id = r.id JOIN orders AS o ON o.store_id = s.id) AS "
            "joined GROUP BY joined.name ORDER BY sold DESC");
}

/* Two tables that both refer to a third one: each repeats the other. */
static void test_both_sides(void **state)
{
    (void)state;
    assert_int_equal(find(DIALECT_POSTGRES,
                          "SELECT SUM(i.quantity), SUM(y.amount) FROM orders o JOIN "
                          "items i ON i.order_id = o.id JOIN payments y ON "
                          "y.order_id = o.id"),
                     2);
    assert_false(found.items[0].looked_up);
    const char *sql = fanout_once(arena, &statement, resolved, &found);
    assert_non_null(strstr(sql, "PARTITION BY i.order_id, i.line"));
    assert_non_null(strstr(sql, "PARTITION BY y.id"));
    assert_int_equal(find(DIALECT_POSTGRES, sql), 0);
}

static void test_counts(void **state)
{
    (void)state;
    becomes("SELECT COUNT(s.id) FROM stores AS s JOIN orders AS o ON o.store_id = s.id",
            "SELECT COUNT(DISTINCT s.id) FROM stores AS s JOIN orders AS o ON o.store_id "
            "= s.id");
    becomes("SELECT COUNT(s.name) FROM stores AS s JOIN orders AS o ON o.store_id = s.id",
            "SELECT COUNT(DISTINCT CASE WHEN s.name IS NOT NULL THEN s.id END) FROM "
            "stores AS s JOIN orders AS o ON o.store_id = s.id");
}

/* COUNT(*) over stores and orders counts orders; should it be stores, that can be had. */
static void test_star(void **state)
{
    (void)state;
    becomes("SELECT COUNT(*) AS n FROM stores AS s JOIN orders AS o ON o.store_id = s.id",
            "SELECT COUNT(DISTINCT s.id) AS n FROM stores AS s JOIN orders AS o ON "
            "o.store_id = s.id");
    assert_int_equal(find(DIALECT_SQLITE,
                          "SELECT s.id, COUNT(*) FROM stores s JOIN orders "
                          "o ON o.store_id = s.id GROUP BY s.id"),
                     0);
}

/* What holds for an order is counted for its store, in each form. */
static void test_indicators(void **state)
{
    (void)state;
    becomes(
        "SELECT SUM(CASE WHEN o.total > 5 THEN 1 ELSE 0 END) AS n FROM stores AS s JOIN "
        "orders AS o ON o.store_id = s.id",
        "SELECT COUNT(DISTINCT CASE WHEN o.total > 5 THEN s.id END) AS n FROM stores AS "
        "s JOIN orders AS o ON o.store_id = s.id");
    becomes(
        "SELECT COUNT(CASE WHEN o.total > 5 THEN 'x' END) AS n FROM stores AS s JOIN "
        "orders AS o ON o.store_id = s.id",
        "SELECT COUNT(DISTINCT CASE WHEN o.total > 5 THEN s.id END) AS n FROM stores AS "
        "s JOIN orders AS o ON o.store_id = s.id");
    becomes("SELECT AVG(CASE WHEN o.total > 5 THEN 100 ELSE 0 END) AS n FROM stores AS s "
            "JOIN orders AS o ON o.store_id = s.id",
            "SELECT 1.0 * (100 * COUNT(DISTINCT CASE WHEN o.total > 5 THEN s.id END)) / "
            "COUNT(DISTINCT s.id) AS n FROM stores AS s JOIN orders AS o ON o.store_id = "
            "s.id");
    /* points are no count */
    fine("SELECT SUM(CASE WHEN o.total > 5 THEN 2 ELSE 1 END) AS n FROM stores AS s JOIN "
         "orders AS o ON o.store_id = s.id");
}

/* A count of stores beside a sum of targets: one subquery for both. */
static void test_star_and_sum(void **state)
{
    (void)state;
    find(DIALECT_SQLITE,
         "SELECT COUNT(*), SUM(s.target) FROM stores AS s JOIN orders AS o "
         "ON o.store_id = s.id");
    assert_int_equal(found.count, 2);
    const char *sql = fanout_once(arena, &statement, resolved, &found);
    assert_non_null(strstr(sql, "COUNT(CASE WHEN joined.row_of_s = 1 THEN 1 END)"));
    assert_non_null(strstr(sql, "SUM(CASE WHEN joined.row_of_s = 1 THEN joined.target"));
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(find(DIALECT_POSTGRES,
                          "SELECT SUM(M.\"Amount\") FROM \"Mixed\" AS M JOIN orders AS o "
                          "ON o.store_id = M.store_id"),
                     1);
    const char *sql = fanout_once(arena, &statement, resolved, &found);
    assert_non_null(strstr(sql, "M.\"Amount\" AS \"Amount\""));
    assert_non_null(strstr(sql, "PARTITION BY M.\"Id\""));
    /* a name there, a word of the language in MariaDB */
    assert_int_equal(find(DIALECT_MYSQL,
                          "SELECT SUM(`lines`.target) FROM stores AS `lines` JOIN orders "
                          "AS o ON o.store_id = `lines`.id"),
                     1);
    sql = fanout_once(arena, &statement, resolved, &found);
    assert_non_null(strstr(sql, "`lines`.target AS target"));
    assert_non_null(strstr(sql, "PARTITION BY `lines`.id"));
}

static void test_groups_of_the_many(void **state)
{
    (void)state;
    assert_int_equal(find(DIALECT_SQLITE,
                          "SELECT o.day, SUM(s.target) FROM stores s JOIN "
                          "orders o ON o.store_id = s.id GROUP BY o.day"),
                     1);
    assert_true(found.items[0].grouped_by_repeater);
    const char *both = fanout_both(arena, &statement, schema, &found.items[0]);
    assert_string_equal(
        both, "SELECT SUM(joined.target) AS written, SUM(CASE WHEN joined.row_of_s = 1 "
              "THEN joined.target END) AS once FROM (SELECT s.target AS target, "
              "ROW_NUMBER() OVER (PARTITION BY s.id, o.day ORDER BY s.id) AS row_of_s "
              "FROM stores AS s JOIN orders AS o ON o.store_id = s.id) AS joined");
    becomes("SELECT o.day AS d, SUM(s.target) AS goal FROM stores AS s JOIN orders AS o "
            "ON o.store_id = s.id GROUP BY d",
            "SELECT joined.day AS d, SUM(CASE WHEN joined.row_of_s = 1 THEN "
            "joined.target END) AS goal FROM (SELECT o.day AS day, s.target AS target, "
            "ROW_NUMBER() OVER (PARTITION BY s.id, o.day ORDER BY s.id) AS row_of_s FROM "
            "stores AS s JOIN orders AS o ON o.store_id = s.id) AS joined GROUP BY d");
    assert_int_equal(find(DIALECT_SQLITE,
                          "SELECT s.region_id, SUM(s.target) FROM stores s "
                          "JOIN orders o ON o.store_id = s.id GROUP BY 1"),
                     1);
    assert_false(found.items[0].grouped_by_repeater);
}

static void test_no_rewrite(void **state)
{
    (void)state;
    assert_int_equal(find(DIALECT_SQLITE,
                          "SELECT SUM(CASE WHEN o.total > 5 THEN s.target END) FROM "
                          "stores s JOIN orders o ON o.store_id = s.id"),
                     1);
    assert_null(fanout_once(arena, &statement, resolved, &found));
}

/* The price of each sale may be meant: it is found, with what makes it likely. */
static void test_rate(void **state)
{
    (void)state;
    assert_int_equal(find(DIALECT_SQLITE, "SELECT SUM(p.price) FROM items i JOIN "
                                          "products p ON p.id = i.product_id"),
                     1);
    assert_true(found.items[0].rate && found.items[0].looked_up);
}

/* A CTE that names itself is no reason to go round for ever. */
static void test_recursion(void **state)
{
    (void)state;
    find(DIALECT_POSTGRES, "WITH RECURSIVE n AS (SELECT * FROM n) SELECT SUM(a.x) FROM n "
                           "a JOIN n b ON a.x = b.x");
}

/* The tree that comes with the text is the one that reading the text gives. */
static void test_tie_next(void **state)
{
    (void)state;
    static const struct {
        const char *sql;
        const char *next; /* NULL: only the query with the values of ORDER BY can tell */
        size_t column;
        bool has_tree;
    } rows[] = {
        {"SELECT name, target FROM stores ORDER BY target DESC LIMIT 5",
         "SELECT name, target FROM stores ORDER BY target DESC LIMIT 6", 1, true},
        {"SELECT name, target AS t FROM stores ORDER BY t LIMIT 9",
         "SELECT name, target AS t FROM stores ORDER BY t LIMIT 10", 1, false},
        {"SELECT COUNT(*), name FROM stores GROUP BY name ORDER BY 1 DESC LIMIT 3",
         "SELECT COUNT(*), name FROM stores GROUP BY name ORDER BY 1 DESC LIMIT 4", 0,
         true},
        {"SELECT name FROM stores ORDER BY target LIMIT 5", NULL, 0, false},
        {"SELECT * FROM stores ORDER BY target LIMIT 5", NULL, 0, false},
        {"SELECT name, target FROM stores LIMIT 5", NULL, 0, false},
        {"SELECT name, target FROM stores ORDER BY target LIMIT 5 OFFSET 2", NULL, 0,
         false},
        {"SELECT name, target FROM stores ORDER BY target LIMIT 21", NULL, 0, false},
        {"SELECT name, target FROM stores ORDER BY target FETCH FIRST ROW ONLY", NULL, 0,
         false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tie_next next;
        (void)find(DIALECT_POSTGRES, rows[i].sql);
        bool may = tie_next(arena, &statement, resolved, &next);
        assert_int_equal(may, rows[i].next != NULL);
        if (may) {
            struct sql_statement read;
            assert_string_equal(next.sql, rows[i].next);
            assert_int_equal(next.columns[0], rows[i].column);
            assert_int_equal(next.statement != NULL, rows[i].has_tree);
            assert_true(sql_statement_read(arena, DIALECT_POSTGRES, next.sql,
                                           strlen(next.sql), &read));
            assert_true(!next.statement || (sql_equal(next.statement->root, read.root) &&
                                            next.statement->text == next.sql));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing_repeats, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lines_without_a_key, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sums, setup, teardown),
        cmocka_unit_test_setup_teardown(test_both_sides, setup, teardown),
        cmocka_unit_test_setup_teardown(test_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_star, setup, teardown),
        cmocka_unit_test_setup_teardown(test_indicators, setup, teardown),
        cmocka_unit_test_setup_teardown(test_star_and_sum, setup, teardown),
        cmocka_unit_test_setup_teardown(test_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_groups_of_the_many, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_rewrite, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rate, setup, teardown),
        cmocka_unit_test_setup_teardown(test_recursion, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tie_next, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
