/* The guard with a schema: tables, columns, CTEs, scopes and what it reports. */
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
#include "sql/guard.h"

static struct schema *schema;
static struct arena *arena;
static struct guard_result result;

static void add_table(const char *name, const char *columns)
{
    struct table *table = schema_add_table(schema, name);
    struct texts names = {0};
    str_split(arena, columns, ' ', &names);
    for (size_t i = 0; i < names.count; i++) {
        struct column *column = VEC_ADD(schema->arena, &table->columns);
        column->name = arena_text(schema->arena, names.items[i]);
        column->type = str_equal(names.items[i], "status") ? "order_status" : "TEXT";
    }
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    schema = schema_new();
    add_table("customers", "id name city");
    add_table("orders", "id customer_id total ordered_at status data");
    add_table("sales.returns", "id order_id reason");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    schema_unref(schema);
    arena_free(arena);
    return 0;
}

static enum guard_verdict check(enum dialect dialect, const char *sql)
{
    guard_check(arena, dialect, sql, strlen(sql), schema, &result);
    return result.verdict;
}

static const char *joined(const struct texts *texts)
{
    return str_join(arena, texts, " ");
}

static void expect_unknown(const char *sql, const char *unknown)
{
    enum guard_verdict verdict = check(DIALECT_SQLITE, sql);
    if (verdict != GUARD_READ || !str_equal(joined(&result.unknown), unknown)) {
        fail_msg("%s\n  unknown: %s\n  %s", sql, joined(&result.unknown), result.reason);
    }
    assert_string_equal(result.reason, "");
}

static void test_tables(void **state)
{
    (void)state;
    assert_int_equal(check(DIALECT_SQLITE, "SELECT o.id FROM Orders o, main.customers"),
                     GUARD_READ);
    assert_string_equal(joined(&result.tables), "orders customers");
    assert_int_equal(
        check(DIALECT_POSTGRES, "SELECT 1 FROM sales.returns, public.orders"),
        GUARD_READ);
    assert_string_equal(joined(&result.tables), "sales.returns orders");
    assert_int_equal(check(DIALECT_SQLITE, "SELECT 1 FROM customers, customers c"),
                     GUARD_READ);
    assert_string_equal(joined(&result.tables), "customers");
}

/* A table behind IN is read without FROM, also among the arguments of a function. */
static void test_sets(void **state)
{
    (void)state;
    check(DIALECT_SQLITE, "SELECT trim(name IN orders) FROM customers");
    assert_string_equal(joined(&result.tables), "orders customers");
    check(DIALECT_CLICKHOUSE, "SELECT trim(name IN orders) FROM customers");
    assert_string_equal(joined(&result.tables), "orders customers");
    assert_int_equal(check(DIALECT_SQLITE, "SELECT trim(name IN secret) FROM customers"),
                     GUARD_REFUSED);
    assert_int_equal(
        check(DIALECT_POSTGRES, "SELECT position(name IN city) FROM customers"),
        GUARD_READ);
    assert_string_equal(joined(&result.tables), "customers");
    check(DIALECT_SQLITE, "SELECT name IN orders found FROM customers ORDER BY found");
    assert_string_equal(joined(&result.tables), "orders customers");
    assert_string_equal(joined(&result.unknown), "");
    assert_int_equal(result.places.items[0].set, true);
    static const char *const refused[] = {
        "SELECT 1 IN ((system).users)",
        "SELECT 1 IN ((+ system).users)",
        "SELECT 1 IN (+ orders)",
        "SELECT 1 IN ((orders), (customers))",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(check(DIALECT_CLICKHOUSE, refused[i]), GUARD_REFUSED);
    }
}

/* Every column is read by t.*, wherever it stands. */
static void test_wholes(void **state)
{
    (void)state;
    check(DIALECT_POSTGRES, "SELECT 1 FROM orders o WHERE (o.*) IS NULL");
    assert_string_equal(joined(&result.wholes), "orders");
    check(DIALECT_SQLITE, "SELECT count(*) FROM orders");
    assert_string_equal(joined(&result.wholes), "");
    check(DIALECT_DUCKDB, "FROM orders SELECT id");
    assert_string_equal(joined(&result.wholes), "");
    check(DIALECT_DUCKDB, "FROM orders");
    assert_string_equal(joined(&result.wholes), "orders");
}

static void test_unknown_tables(void **state)
{
    (void)state;
    assert_int_equal(check(DIALECT_SQLITE, "SELECT * FROM custmers"), GUARD_REFUSED);
    assert_string_equal(result.reason,
                        "Table 'custmers' does not exist. Did you mean 'customers'?");
    assert_string_equal(joined(&result.unknown), "custmers");
    assert_string_equal(result.word, "custmers");
    assert_int_equal(result.position, 14);
    assert_false(result.unparsable);
    assert_int_equal(check(DIALECT_SQLITE, "SELECT * FROM zebra JOIN quagga ON 1"),
                     GUARD_REFUSED);
    assert_string_equal(result.reason, "Table 'zebra' does not exist.");
    assert_string_equal(joined(&result.unknown), "zebra quagga");
    assert_int_equal(check(DIALECT_POSTGRES, "SELECT 1 FROM other.orders"),
                     GUARD_REFUSED);
    assert_int_equal(check(DIALECT_MYSQL, "SELECT 1 FROM other.orders"), GUARD_REFUSED);
    assert_int_equal(check(DIALECT_DUCKDB, "SELECT 1 FROM a.main.orders"), GUARD_REFUSED);
    assert_int_equal(check(DIALECT_SQLITE, "DELETE FROM nothing"), GUARD_REFUSED);
    assert_int_equal(check(DIALECT_SQLITE, "SELECT 1 WHERE 1 IN secret"), GUARD_REFUSED);
}

/* A table must not pass because something elsewhere has its name. */
static void test_cte_scopes(void **state)
{
    (void)state;
    static const struct {
        enum dialect dialect;
        const char *sql;
        bool passes;
    } cases[] = {
        {DIALECT_SQLITE, "WITH secret AS (SELECT 1 AS x) SELECT x FROM secret", true},
        {DIALECT_SQLITE, "WITH Secret AS (SELECT 1 AS x) SELECT x FROM SECRET", true},
        {DIALECT_SQLITE,
         "SELECT * FROM (WITH secret AS (SELECT 1) SELECT * FROM secret), secret", false},
        {DIALECT_SQLITE, "WITH a AS (SELECT * FROM secret) SELECT * FROM a", false},
        {DIALECT_POSTGRES, "WITH secret AS (SELECT * FROM secret) SELECT * FROM secret",
         false},
        {DIALECT_DUCKDB,
         "WITH RECURSIVE secret AS (SELECT * FROM secret) SELECT * FROM secret", false},
        {DIALECT_DUCKDB,
         "WITH RECURSIVE secret AS (SELECT * FROM secret UNION ALL SELECT 1) SELECT * "
         "FROM "
         "secret",
         false},
        {DIALECT_DUCKDB,
         "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n "
         "FROM r",
         true},
        {DIALECT_POSTGRES,
         "WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT 1", false},
        {DIALECT_SQLITE,
         "WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT 1", true},
        {DIALECT_POSTGRES, "WITH \"Secret\" AS (SELECT 1) SELECT * FROM secret", false},
        {DIALECT_POSTGRES, "WITH Secret AS (SELECT 1) SELECT * FROM \"Secret\"", false},
        {DIALECT_POSTGRES, "WITH secret AS (SELECT 1) SELECT * FROM \"secret\"", true},
        {DIALECT_MYSQL, "WITH Secret AS (SELECT 1) SELECT * FROM secret", false},
        {DIALECT_POSTGRES, "WITH a AS (SELECT 1) SELECT * FROM public.a", false},
        {DIALECT_SQLITE, "SELECT (WITH c AS (SELECT 1 AS x) SELECT x FROM c) FROM c",
         false},
        {DIALECT_SQLITE, "WITH a AS (SELECT 1), b AS (SELECT * FROM a) SELECT * FROM b",
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool passes = check(cases[i].dialect, cases[i].sql) == GUARD_READ;
        if (passes != cases[i].passes) {
            fail_msg("%s: %s", cases[i].sql, result.reason);
        }
    }
    check(DIALECT_SQLITE, "WITH c AS (SELECT * FROM orders) SELECT * FROM c, customers");
    assert_string_equal(joined(&result.tables), "orders customers");
}

static void test_columns(void **state)
{
    (void)state;
    check(DIALECT_SQLITE,
          "SELECT o.total, city, COUNT(*) n FROM orders o JOIN customers c "
          "ON c.id = o.customer_id GROUP BY city ORDER BY n");
    assert_string_equal(joined(&result.columns),
                        "orders.total customers.city customers.id orders.customer_id");
    assert_string_equal(joined(&result.functions), "count");
    assert_string_equal(joined(&result.unknown), "");
    check(DIALECT_SQLITE, "SELECT id FROM orders, customers");
    assert_string_equal(joined(&result.columns), "id");
    guard_check(arena, DIALECT_SQLITE, "SELECT a.x, y FROM t a", 22, NULL, &result);
    assert_string_equal(joined(&result.columns), "t.x t.y");
}

static void test_unknown_columns(void **state)
{
    (void)state;
    expect_unknown("SELECT pricee FROM orders", "orders.pricee");
    expect_unknown("SELECT o.pricee FROM orders o", "orders.pricee");
    expect_unknown("SELECT pricee FROM orders, customers", "pricee");
    expect_unknown("SELECT x.id FROM orders o", "x.id");
    expect_unknown("SELECT foo", "foo");
    expect_unknown("SELECT name FROM customers WHERE city = \"Paris\"",
                   "customers.Paris");
    expect_unknown("SELECT (SELECT pricee FROM orders) FROM customers", "orders.pricee");
    expect_unknown("SELECT id FROM orders ORDER BY nothing", "orders.nothing");
    expect_unknown("SELECT id FROM orders GROUP BY nothing HAVING odd > 1",
                   "orders.nothing orders.odd");
}

static void test_columns_that_may_exist(void **state)
{
    (void)state;
    expect_unknown("SELECT rowid, _rowid_ FROM orders", "");
    expect_unknown("SELECT anything FROM (SELECT * FROM orders)", "");
    expect_unknown("WITH c AS (SELECT 1 AS x) SELECT x, y FROM c", "");
    expect_unknown("SELECT total * 2 AS twice FROM orders ORDER BY twice", "");
    expect_unknown("SELECT total AS t FROM orders GROUP BY t HAVING t > 1", "");
    expect_unknown(
        "SELECT (SELECT name FROM customers WHERE id = customer_id) FROM orders", "");
    expect_unknown("SELECT 1 FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE "
                   "o.customer_id = c.id AND city = 'x')",
                   "");
    expect_unknown("SELECT id FROM orders UNION SELECT id FROM customers ORDER BY total",
                   "");
    expect_unknown("SELECT value FROM orders, json_each(data)", "");
    expect_unknown("SELECT j.value FROM orders o, json_each(o.data) j", "");
    expect_unknown("SELECT main.orders.id, orders.id FROM main.orders", "");
    expect_unknown("SELECT sum(total) OVER w FROM orders WINDOW w AS (ORDER BY id)", "");
    expect_unknown("SELECT id AS 'x' FROM orders ORDER BY x", "");
    check(DIALECT_MYSQL, "SELECT TIMESTAMPDIFF(DAY, ordered_at, NOW()) FROM orders");
    assert_string_equal(joined(&result.unknown), "");
    check(DIALECT_DUCKDB,
          "SELECT list_transform([1], x -> x + 1), data.field FROM orders");
    assert_string_equal(joined(&result.unknown), "");
    /* the key of a map is a value, and that of a struct a name */
    check(DIALECT_DUCKDB, "SELECT {price: 1}, MAP {price: 1} FROM orders");
    assert_string_equal(joined(&result.unknown), "orders.price");
    check(DIALECT_DUCKDB, "SELECT MAP {\"id\": 1} FROM orders");
    assert_string_equal(joined(&result.columns), "orders.id");
    check(DIALECT_POSTGRES, "SELECT row_to_json(o), count(o), o.ctid FROM orders o");
    assert_string_equal(joined(&result.unknown), "");
    assert_int_equal(result.verdict, GUARD_READ);
}

/* PostgreSQL runs f(t) for t.f, Oracle runs f for f: a missing column is more than a
 * typo. */
static void test_hidden_calls(void **state)
{
    (void)state;
    assert_int_equal(check(DIALECT_POSTGRES, "SELECT o.purge FROM orders o"),
                     GUARD_REFUSED);
    assert_string_equal(joined(&result.unknown), "orders.purge");
    assert_string_equal(result.reason, "Column 'purge' does not exist in 'orders'.");
    assert_int_equal(check(DIALECT_POSTGRES, "SELECT purge FROM orders o"), GUARD_READ);
    assert_int_equal(check(DIALECT_ODBC, "SELECT purge FROM orders o"), GUARD_REFUSED);
    assert_int_equal(check(DIALECT_ODBC, "SELECT package.purge FROM orders o"),
                     GUARD_REFUSED);
}

/* PostgreSQL runs f(x) for (x).f when x has no field f: the field must be known. */
static void test_fields(void **state)
{
    (void)state;
    struct column *home = table_column(schema_table(schema, "customers"), "city");
    VEC_PUSH(schema->arena, &home->fields, "street");
    VEC_PUSH(schema->arena, &home->fields, "geo");
    VEC_PUSH(schema->arena, &home->fields, "geo.lat");
    struct column *homes = table_column(schema_table(schema, "customers"), "name");
    VEC_PUSH(schema->arena, &homes->fields, "[].street");
    static const char *const known[] = {
        "SELECT (city).street FROM customers",
        "SELECT (c.city).street FROM customers c ORDER BY (c.city).geo",
        "SELECT ((c.city).geo).lat, (c.city).geo.lat FROM customers c",
        "SELECT (name[1]).street, name[1].street, (c.name[1][2]).street FROM customers c",
        "SELECT (s.city).street FROM (SELECT id, city FROM customers) s",
        "SELECT (s.x).geo.lat FROM (SELECT c.city AS x FROM customers c) s",
        "WITH s(a, b) AS (SELECT id, city FROM customers) SELECT (b).street FROM s",
        "SELECT (s.city).street FROM (SELECT * FROM customers) s",
        "SELECT (CITY).\"street\" FROM customers",
        ("SELECT id FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE "
         "(c.city).street = 'x')")};
    static const char *const unknown[] = {
        "SELECT (city).pg_sleep FROM customers",
        "SELECT (city).\"Street\" FROM customers",
        "SELECT (city).geo.pg_sleep FROM customers",
        "SELECT (name).street FROM customers",
        "SELECT (name[1:2]).street FROM customers",
        "SELECT (city[1]).street FROM customers",
        "SELECT (city).\"geo.lat\" FROM customers",
        "SELECT (s.city).street FROM (SELECT id, city::text FROM customers) s",
        "SELECT (s.city).street FROM (SELECT id AS city, city AS id FROM customers) s",
        "SELECT (s.city).pg_sleep FROM (SELECT * FROM customers) s",
        "SELECT (c.name).pg_sleep FROM customers c",
        "SELECT (nothing).street FROM customers",
        "SELECT (city::text).street FROM customers",
        "SELECT (city).* FROM customers",
        "SELECT (total).upper FROM orders"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (check(DIALECT_POSTGRES, known[i]) != GUARD_READ) {
            fail_msg("%s: %s", known[i], result.reason);
        }
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_int_equal(check(DIALECT_POSTGRES, unknown[i]), GUARD_REFUSED);
        assert_int_equal(check(DIALECT_ODBC, unknown[i]), GUARD_REFUSED);
    }
    check(DIALECT_POSTGRES, "SELECT (name).pg_sleep FROM customers");
    assert_string_equal(result.reason, "'pg_sleep' is not known to be a field of 'name': "
                                       "it could be a call of a function.");
    check(DIALECT_POSTGRES, "SELECT (3::float8).purge");
    assert_string_equal(result.reason,
                        "A field can be taken only of a column of a composite type: "
                        "(value).purge could be a call of a function.");
    check(DIALECT_POSTGRES, "SELECT ('SELECT'::text).ts_stat");
    assert_string_equal(result.reason,
                        "(value).ts_stat calls the function ts_stat, which is not "
                        "allowed: it runs SQL hidden in a text.");
    check(DIALECT_POSTGRES, "SELECT (3::float8).purge");
    assert_int_equal(result.position, 19);
}

/* x.f is a column of x, whatever x is, or it is refused. */
static void test_columns_are_proven(void **state)
{
    (void)state;
    static const struct {
        const char *sql;
        bool passes;
    } cases[] = {
        {"SELECT s.total FROM (SELECT * FROM orders) s", true},
        {"SELECT s.pg_sleep FROM (SELECT * FROM orders) s", false},
        {"SELECT s.total, s.name FROM (SELECT o.*, c.name FROM orders o, customers c) s",
         true},
        {"SELECT s.city FROM (SELECT o.*, c.name FROM orders o, customers c) s", false},
        {"SELECT s.a FROM (SELECT * FROM orders) s(a)", true},
        {"SELECT s.total FROM (SELECT * FROM orders) s(a)", false},
        {"SELECT o.a, o.b FROM orders o(a, b)", true},
        {"SELECT o.id FROM orders o(a, b)", false},
        {"SELECT o.ctid FROM orders o", true},
        {"SELECT o.oid FROM orders o", false},
        {"SELECT o.\"Total\" FROM orders o", false},
        {"SELECT O.TOTAL FROM orders o", true},
        {"SELECT orders.id FROM orders JOIN customers USING (id)", true},
        {"SELECT j.city, j.total FROM (orders o JOIN customers c ON true) j", true},
        {"SELECT j.reason FROM (orders o JOIN customers c ON true) j", false},
        {"SELECT (SELECT 1 FROM customers o, customers a JOIN customers b ON o.city = "
         "a.city) FROM orders o",
         false},
        {"SELECT (SELECT 1 FROM customers o JOIN customers b ON o.city = b.city) FROM "
         "orders o",
         true},
        {"SELECT (SELECT 1 FROM customers o, LATERAL (SELECT o.city) x) FROM orders o",
         true},
        {"SELECT (SELECT 1 FROM customers o, (SELECT o.city) x) FROM orders o", false},
        {"SELECT public.orders.id FROM public.orders", true},
        {"SELECT public.orders.purge FROM public.orders", false},
        {"(SELECT o.id FROM orders o) ORDER BY o.total", true},
        {"(SELECT o.id FROM orders o) ORDER BY o.purge", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool passes = check(DIALECT_POSTGRES, cases[i].sql) == GUARD_READ;
        if (passes != cases[i].passes || (passes && result.unknown.count)) {
            fail_msg("%s: %s", cases[i].sql, result.reason);
        }
    }
    check(DIALECT_POSTGRES, "SELECT s.purge FROM (SELECT 1 AS x) s");
    assert_string_equal(result.reason, "'s' has no column that is certain to be called "
                                       "'purge': name it there (AS purge).");
    assert_string_equal(joined(&result.unknown), "s.purge");
    assert_int_equal(check(DIALECT_POSTGRES, "UPDATE orders SET total = orders.purge"),
                     GUARD_REFUSED);
    assert_int_equal(check(DIALECT_POSTGRES, "UPDATE orders SET total = orders.id"),
                     GUARD_WRITE);
    assert_int_equal(check(DIALECT_ODBC, "SELECT purge FROM (SELECT 1 AS x) s"),
                     GUARD_REFUSED);
    assert_int_equal(check(DIALECT_ODBC, "SELECT x FROM (SELECT 1 AS x) s"), GUARD_READ);
}

/* A table of the database called default is another one where that is not in use. */
static void test_home(void **state)
{
    (void)state;
    schema->home = "shop";
    assert_int_equal(check(DIALECT_CLICKHOUSE, "SELECT name FROM default.customers"),
                     GUARD_REFUSED);
    assert_string_equal(result.reason,
                        "Table 'default.customers' does not exist. Did you "
                        "mean 'customers'?");
    assert_int_equal(check(DIALECT_CLICKHOUSE, "SELECT 1 IN (default.customers)"),
                     GUARD_REFUSED);
    assert_int_equal(check(DIALECT_CLICKHOUSE, "SELECT name FROM Shop.customers"),
                     GUARD_REFUSED);
    assert_int_equal(check(DIALECT_CLICKHOUSE, "SELECT name FROM shop.customers"),
                     GUARD_READ);
    assert_string_equal(joined(&result.tables), "customers");
    assert_int_equal(check(DIALECT_CLICKHOUSE, "SELECT id FROM shop.returns"),
                     GUARD_REFUSED);
}

/* ClickHouse calls user() when no column is called user. */
static void test_session_calls(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "SELECT user",
        "SELECT `database` FROM orders",
        "SELECT id FROM orders ORDER BY SCHEMA",
        "SELECT (SELECT user FROM customers) FROM orders",
        "SELECT `database` FROM (SELECT id FROM orders) AS a",
        "SELECT 1 FROM (SELECT CAST(`database` AS String) FROM orders AS b) AS a",
        "WITH a AS (SELECT id FROM orders) SELECT user FROM a",
        "SELECT arrayMap(x -> user, [1]) FROM orders",
        "SELECT id FROM orders WHERE id IN (SELECT schema FROM (SELECT 1 AS x) AS a)",
        "SELECT USER FROM (SELECT id AS user FROM orders) AS a",
        "SELECT user user FROM orders",
        "SELECT lower(user) AS user FROM orders"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        assert_int_equal(check(DIALECT_CLICKHOUSE, calls[i]), GUARD_REFUSED);
    }
    add_table("visits", "id user");
    assert_int_equal(check(DIALECT_CLICKHOUSE, "SELECT user FROM visits"), GUARD_READ);
    static const char *const names[] = {
        "SELECT id AS user, user FROM orders",
        "SELECT user FROM (SELECT id AS user FROM orders) AS a",
        "SELECT user FROM (SELECT * FROM visits) AS a GROUP BY user",
        "WITH 5 AS database SELECT database FROM orders",
        "SELECT arrayMap(user -> user + 1, [1]) FROM orders",
        "SELECT arrayMap((user, x) -> user + x, [1], [2]) FROM orders",
        "SELECT arrayFilter(x -> x = user, [1]) FROM visits"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(check(DIALECT_CLICKHOUSE, names[i]), GUARD_READ);
    }
}

/* ClickHouse takes a name behind IN for a table: policies must see it. */
static void test_tables_behind_in(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "SELECT 1 IN customers",         "SELECT 1 IN (customers)",
        "SELECT 1 NOT IN ((customers))", "SELECT 1 GLOBAL IN default.customers",
        "SELECT 1 IN (`customers`)",     "SELECT 1 GLOBAL NOT IN (default.customers)"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        assert_int_equal(check(DIALECT_CLICKHOUSE, forms[i]), GUARD_READ);
        assert_string_equal(joined(&result.tables), "customers");
        assert_string_equal(joined(&result.wholes), "customers");
        assert_int_equal(result.places.count, 1);
        assert_true(result.places.items[0].set);
    }
    assert_int_equal(check(DIALECT_CLICKHOUSE, "SELECT id IN (vault) FROM orders"),
                     GUARD_REFUSED);
    assert_string_equal(result.reason, "Table 'vault' does not exist.");
    assert_int_equal(
        check(DIALECT_CLICKHOUSE, "WITH [1] AS vault SELECT id IN (vault) FROM orders"),
        GUARD_READ);
    assert_int_equal(check(DIALECT_CLICKHOUSE, "WITH [1] AS vault SELECT id FROM vault"),
                     GUARD_REFUSED);
    assert_int_equal(
        check(DIALECT_CLICKHOUSE, "SELECT 1 IN (vault), (WITH [1] AS vault SELECT 1)"),
        GUARD_REFUSED);
}

static void test_types(void **state)
{
    (void)state;
    assert_int_equal(check(DIALECT_POSTGRES, "SELECT 'new'::order_status FROM orders"),
                     GUARD_READ);
    assert_int_equal(check(DIALECT_POSTGRES, "SELECT 'new'::other_type FROM orders"),
                     GUARD_REFUSED);
    assert_int_equal(check(DIALECT_POSTGRES, "SELECT 'orders'::regclass FROM orders"),
                     GUARD_REFUSED);
}

static void test_writes(void **state)
{
    (void)state;
    assert_int_equal(check(DIALECT_SQLITE, "UPDATE orders SET total = 1, nothing = 2"),
                     GUARD_WRITE);
    assert_string_equal(joined(&result.tables), "orders");
    assert_string_equal(joined(&result.unknown), "orders.nothing");
    assert_string_equal(result.statement, "UPDATE");
    assert_int_equal(check(DIALECT_SQLITE, "INSERT INTO orders (id, nope) VALUES (1, 2)"),
                     GUARD_WRITE);
    assert_string_equal(joined(&result.unknown), "orders.nope");
    assert_int_equal(check(DIALECT_SQLITE, "INSERT INTO orders SELECT * FROM customers"),
                     GUARD_WRITE);
    assert_string_equal(joined(&result.tables), "orders customers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tables, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wholes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unknown_tables, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cte_scopes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unknown_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(test_columns_that_may_exist, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hidden_calls, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fields, setup, teardown),
        cmocka_unit_test_setup_teardown(test_columns_are_proven, setup, teardown),
        cmocka_unit_test_setup_teardown(test_home, setup, teardown),
        cmocka_unit_test_setup_teardown(test_session_calls, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tables_behind_in, setup, teardown),
        cmocka_unit_test_setup_teardown(test_types, setup, teardown),
        cmocka_unit_test_setup_teardown(test_writes, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
