/* A policy held by the datasource: hundreds of statements, on real engines, none of which
 * may bring out a planted value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "datasource/datasource.h"
#include "datasource/policy/restrict.h"
#include "policy_shop.h"
#include "sql/statement.h"

#ifdef DRAGOMAN_HAS_DUCKDB
#include "datasource/duckdb/duckdb.h"
#endif

enum { SEEN_MOST = POLICY_SEEN_MOST };

#define COUNT POLICY_COUNT

static void hold_all(struct bench *bench, const char *const *own, size_t own_count)
{
    struct err err;
    const struct datasource_setting setting = {.id = "open", .url = bench->path};
    open_policy(bench, policy_text);
    struct policy_trial trial = {.source = bench->source, .schema = bench->schema};
    trial.open = datasource_open(&setting, bench->options, &err);
    assert_non_null(trial.open);
    for (size_t i = 0; i < COUNT(policy_relations); i++) {
        for (size_t k = 0; k < COUNT(policy_uses); k++) {
            policy_hold(&trial,
                        policy_form(bench->arena, policy_uses[k], &policy_relations[i]));
        }
    }
    for (size_t i = 0; i < COUNT(policy_others); i++) {
        policy_hold(&trial, policy_others[i]);
    }
    for (size_t i = 0; i < own_count; i++) {
        policy_hold(&trial, own[i]);
    }
    datasource_close(trial.open);
    print_message("%zu statements, %zu ran, %zu tell without the policy\n", trial.tried,
                  trial.ran, trial.told);
    /* the test is worth something only where most would have told, and many run */
    assert_true(trial.tried > 1000);
    assert_true(trial.ran > trial.tried / 4);
    assert_true(trial.told > trial.tried / 2);
}

static void nothing_leaks_from_sqlite(void **state)
{
    make_sqlite(*state);
    hold_all(*state, policy_sqlite, COUNT(policy_sqlite));
}

static void answers(struct bench *bench, const char *sql, const char *expected)
{
    struct buf seen;
    struct err err;
    buf_init(&seen, SEEN_MOST);
    if (!policy_ask(bench->source, bench->schema, sql, &seen, &err)) {
        fail_msg("%s: %s (%s)", sql, err.message, err.detail);
    }
    assert_string_equal(buf_get(&seen), expected);
    buf_release(&seen);
}

static void refuses(struct bench *bench, const char *sql, const char *why)
{
    struct buf seen;
    struct err err;
    buf_init(&seen, SEEN_MOST);
    assert_false(policy_ask(bench->source, bench->schema, sql, &seen, &err));
    if (!str_contains_nocase(err.message, why)) {
        fail_msg("%s: %s", sql, err.message);
    }
    buf_release(&seen);
}

/* What is left is right, whichever way it is asked for. */
static void what_is_left_is_right(void **state)
{
    struct bench *bench = *state;
    make_sqlite(bench);
    open_policy(bench, policy_text);
    answers(bench, "SELECT COUNT(*) AS n FROM orders", "n|\n2|");
    answers(bench, "SELECT * FROM orders ORDER BY id",
            "id|customer_id|region|total|note|\n1|1|EU|10|fine|\n2|2|EU|20|7|");
    /* the names of columns hold nothing of the conditions, however long they are */
    answers(
        bench,
        "SELECT (SELECT COUNT(*) FROM orders) + 1111111111 + 2222222222 + 3333333333, "
        "EXISTS (SELECT 1 FROM orders)",
        "(SELECT COUNT(*) FROM orders) + 1111111111 + 222... 1|"
        "EXISTS (SELECT 1 FROM orders)|\n6666666668|1|");
    answers(bench,
            "SELECT * FROM (SELECT (SELECT COUNT(*) FROM orders) || ' \303\244 of all "
            "orders that "
            "there are' FROM orders LIMIT 1)",
            "expression 1|\n2 \303\244 of all orders that there are|");
    answers(bench,
            "SELECT main.orders.note AS n FROM main.orders WHERE main.orders.id = 1",
            "n|\nfine|");
    answers(bench, "SELECT * FROM visits ORDER BY id",
            "id|customer_id|page|\n1|1|home|\n2|2|cart|");
    answers(bench, "SELECT name, phone, born FROM customers ORDER BY id",
            "name|phone|born|\nAda|***3456|1815|\nBob|***9999|1920|\nEve|||");
    answers(bench,
            "SELECT COUNT(DISTINCT email) AS n, MIN(LENGTH(email)) AS size FROM "
            "customers",
            "n|size|\n3|32|");
    answers(bench, "SELECT title FROM titles ORDER BY id",
            "title|\nlamp|\ndesk|\nchair|");
    answers(bench,
            "WITH orders AS (SELECT id FROM products) SELECT COUNT(*) AS n FROM orders",
            "n|\n3|");
    refuses(bench, "SELECT * FROM salaries", "does not exist");
    refuses(bench, "SELECT card_number FROM orders", "does not exist");
    /* the order of the rows would be that of a hidden column */
    refuses(bench, "SELECT id FROM orders INDEXED BY by_card", "INDEXED BY");
    /* what stands in place of the table has no rowid: it would be NULL */
    refuses(bench, "SELECT id, rowid FROM orders", "'rowid'");
    refuses(bench, "SELECT o.id FROM orders o ORDER BY o._rowid_", "'_rowid_'");
    refuses(bench, "SELECT oid FROM orders, (SELECT 1 AS x) AS y", "'oid'");
    refuses(bench, "SELECT max(t.rowid) FROM titles t, orders o WHERE o.rowid = t.id",
            "'rowid'");
}

/* The statement and the condition in odd spelling, with comments that an engine could read
 * in another way: neither reaches it. */
static void what_runs_is_printed(void **state)
{
    static const char yaml[] =
        "datasources:\n"
        "  - id: shop\n"
        "    url: PLACE\n"
        "    writable: true\n"
        "    policy:\n"
        "      columns: {mask: {customers.email: hash}}\n"
        "      rows:\n"
        "        orders: \"((region='EU'))and 1<2 /* home */ -- all of it\"\n"
        "        customers: \"[id]>0\"\n"
        "policy:\n"
        "  hash_key: a\\b'c\n";
    static const struct {
        const char *given;
        const char *runs;
    } rows[] = {
        {"select/**/ID as x from Orders where(region)=='EU' -- odd",
         "SELECT ID AS x FROM (SELECT id, customer_id, region, total, card_number, note "
         "FROM orders WHERE region = 'EU' AND 1 < 2) AS Orders WHERE region = 'EU'"},
        {"SELECT name FROM customers c WHERE id ISNULL",
         "SELECT name FROM (SELECT id, name"},
        {"UPDATE orders SET note = 'x' /* y */ WHERE id IN (1)",
         "UPDATE orders SET note = 'x' WHERE region = 'EU' AND 1 < 2 AND id IN (1)"},
    };
    struct bench *bench = *state;
    make_sqlite(bench);
    open_policy(bench, yaml);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct err err;
        struct passage passage;
        struct sql_statement statement;
        err_clear(&err);
        if (!passage_begin(&passage, bench->source, rows[i].given, bench->schema,
                           i < 2 ? GUARD_READ : GUARD_WRITE, NULL, &err)) {
            fail_msg("%s: %s (%s)", rows[i].given, err.message, err.detail);
        }
        assert_true(passage.narrow.changed);
        if (strncmp(passage.sql, rows[i].runs, strlen(rows[i].runs)) != 0) {
            fail_msg("%s\n%s", rows[i].given, passage.sql);
        }
        assert_true(sql_statement_read(bench->arena, DIALECT_SQLITE, passage.sql,
                                       strlen(passage.sql), &statement));
        assert_string_equal(
            sql_statement_print(bench->arena, DIALECT_SQLITE, statement.root),
            passage.sql);
        assert_null(strstr(passage_shown(&passage, bench->source), "b''c"));
        passage_end(&passage);
    }
    /* the key is taken out of what is shown as it was printed */
    assert_string_equal(narrow_key(bench->arena, DIALECT_POSTGRES, "a\\"), "E'a\\\\'");
}

static void the_schema_shows_what_is_left(void **state)
{
    struct bench *bench = *state;
    make_sqlite(bench);
    open_policy(bench, policy_text);
    struct err err;
    err_clear(&err);
    (void)datasource_enrich(bench->source, bench->schema, NULL, &err);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, SEEN_MOST);
    writer_init(&writer, &buf);
    schema_write(bench->schema, &writer);
    assert_null(strstr(buf_get(&buf), "CANARY"));
    assert_null(strstr(buf_get(&buf), "98765"));
    assert_null(strstr(buf_get(&buf), "salaries"));
    assert_null(strstr(buf_get(&buf), "card_number"));
    assert_null(strstr(buf_get(&buf), "tenant"));
    assert_non_null(strstr(buf_get(&buf), "fine")); /* samples of what is seen */
    buf_release(&buf);
    assert_null(schema_table(bench->schema, "all_orders"));
    assert_null(schema_table(bench->schema, "over_view"));
    assert_null(schema_table(bench->schema, "pay"));
    assert_non_null(schema_table(bench->schema, "titles"));
}

static bool change(struct bench *bench, const char *sql, int64_t *touched,
                   struct err *err)
{
    err_clear(err);
    return datasource_write(bench->source, sql, bench->schema, WRITE_ANY_ROWS, NULL,
                            touched, err);
}

static void check_writes(struct bench *bench)
{
    static const char *const refused[] = {
        "DELETE FROM salaries",
        "UPDATE salaries SET amount = 0",
        "INSERT INTO salaries (id) VALUES (2)",
        "UPDATE orders SET card_number = 'x'",
        "UPDATE orders SET note = card_number",
        "UPDATE orders SET note = \"CARD_NUMBER\"",
        "UPDATE orders SET note = (SELECT MAX(who) FROM salaries)",
        "UPDATE orders SET region = 'US' WHERE id = 1",
        "UPDATE orders SET total = 1, region = 'US'",
        "DELETE FROM orders WHERE card_number LIKE 'C%'",
        "INSERT INTO orders (id, region) VALUES (9, 'US')",
        "INSERT INTO orders VALUES (9, 1, 'EU', 1, 'x', 'y')",
        "INSERT INTO products (title) SELECT card_number FROM orders",
        "INSERT INTO customers VALUES (9, 'a', 'b', 'c', 'd')",
        "INSERT INTO customers (id, email) VALUES (9, 'x')",
        "UPDATE customers SET email = 'x'",
        "UPDATE customers SET name = email",
        "DELETE FROM customers WHERE email LIKE 'CANARY%'",
        "UPDATE visits SET tenant = 'other'",
        "DELETE FROM all_orders",
    };
    int64_t touched = 0;
    struct err err;
    for (size_t i = 0; i < COUNT(refused); i++) {
        if (change(bench, refused[i], &touched, &err)) {
            fail_msg("%s was done to %lld rows", refused[i], (long long)touched);
        }
        assert_true(err.code == ERR_UNSAFE || err.code == ERR_INVALID_SQL);
        assert_null(strstr(err.message, "'EU'"));
    }
    static const struct {
        const char *sql;
        int64_t touched;
    } done[] = {{"UPDATE orders SET note = 'seen'", 2},
                {"UPDATE orders SET total = total + 1 WHERE id = 3 OR 1 = 1", 2},
                {"UPDATE orders SET note = 'x' WHERE id = 3", 0},
                {"UPDATE visits SET page = 'x'", 2},
                {"UPDATE customers SET name = 'x' WHERE id = 1", 1},
                {"INSERT INTO customers (id, name) VALUES (9, 'new')", 1},
                {"INSERT INTO products (id, title) SELECT id, note FROM orders", 2},
                {"DELETE FROM products WHERE id IN (SELECT id FROM orders)", 4},
                {"DELETE FROM orders WHERE id = 1 OR id = 3", 1},
                {"DELETE FROM orders", 1}};
    for (size_t i = 0; i < COUNT(done); i++) {
        if (!change(bench, done[i].sql, &touched, &err)) {
            fail_msg("%s: %s (%s)", done[i].sql, err.message, err.detail);
        }
        assert_int_equal(touched, done[i].touched);
    }
    /* without the policy: what was not seen is still there */
    const struct datasource_setting setting = {.id = "open", .url = bench->path};
    struct datasource *open = datasource_open(&setting, bench->options, &err);
    assert_non_null(open);
    struct buf seen;
    buf_init(&seen, SEEN_MOST);
    assert_true(
        policy_ask(open, NULL, "SELECT note AS n FROM orders ORDER BY id", &seen, &err));
    assert_string_equal(buf_get(&seen),
                        "n|\nCANARY-row-3|\nCANARY-row-4|\nCANARY-row-5|");
    buf_release(&seen);
    datasource_close(open);
}

static void writes_stay_within(void **state)
{
    make_sqlite(*state);
    open_policy(*state, policy_text);
    check_writes(*state);
}

#ifdef DRAGOMAN_HAS_DUCKDB
static void make_duckdb(struct bench *bench)
{
    struct err err;
    const struct duckdb_library *library = duckdb_library(&err);
    assert_non_null(library);
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    duckdb_result result;
    (void)snprintf(bench->path, sizeof bench->path, "%s/shop.duckdb", bench->folder);
    assert_int_equal(library->open_ext(bench->path, &database, NULL, NULL),
                     DuckDBSuccess);
    assert_int_equal(library->connect(database, &connection), DuckDBSuccess);
    assert_int_equal(library->query(connection, policy_tables, &result), DuckDBSuccess);
    library->destroy_result(&result);
    library->disconnect(&connection);
    library->close(&database);
}

static void nothing_leaks_from_duckdb(void **state)
{
    make_duckdb(*state);
    hold_all(*state, policy_duckdb, COUNT(policy_duckdb));
}

static void duckdb_writes_stay_within(void **state)
{
    make_duckdb(*state);
    open_policy(*state, policy_text);
    check_writes(*state);
}
#endif

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, policy_setup, policy_teardown)
    const struct CMUnitTest tests[] = {
        TEST(nothing_leaks_from_sqlite), TEST(what_is_left_is_right),
        TEST(what_runs_is_printed),      TEST(the_schema_shows_what_is_left),
        TEST(writes_stay_within),
#ifdef DRAGOMAN_HAS_DUCKDB
        TEST(nothing_leaks_from_duckdb), TEST(duckdb_writes_stay_within),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
