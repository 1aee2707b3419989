/* A policy held by the datasource: hundreds of statements, on real engines, none of which
 * may bring out a planted value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "datasource/datasource.h"
#include "policy_bench.h"

#ifdef DRAGOMAN_HAS_DUCKDB
#include "datasource/duckdb_driver.h"
#endif

enum { SEEN_MOST = 1 << 20 };

struct bench {
    char folder[40];
    char path[80];
    struct options *options;
    struct datasource *source; /* under the policy */
    struct schema *schema;
    struct arena *arena;
    size_t tried;
    size_t ran;
    size_t leaked; /* without the policy */
};

static int setup(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    (void)snprintf(bench.folder, sizeof bench.folder, "/tmp/dragoman-XXXXXX");
    if (!mkdtemp(bench.folder)) {
        return -1;
    }
    bench.options = options_new();
    bench.arena = arena_new();
    *state = &bench;
    return 0;
}

static int teardown(void **state)
{
    struct bench *bench = *state;
    schema_unref(bench->schema);
    datasource_close(bench->source);
    (void)unlink(bench->path);
    int left = rmdir(bench->folder);
    options_free(bench->options);
    arena_free(bench->arena);
    return left;
}

static void make_sqlite(struct bench *bench)
{
    sqlite3 *db = NULL;
    (void)snprintf(bench->path, sizeof bench->path, "%s/shop.db", bench->folder);
    assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, policy_tables, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

static void set_policy(struct bench *bench, const char *yaml)
{
    struct err err;
    err_clear(&err);
    const char *place = strstr(yaml, "PLACE");
    const char *text = arena_format(bench->arena, "%.*s%s%s", (int)(place - yaml), yaml,
                                    bench->path, place + strlen("PLACE"));
    if (!options_parse(bench->options, "test.yaml", text, strlen(text), &err)) {
        fail_msg("%s", err.message);
    }
}

static void open_policy(struct bench *bench, const char *yaml)
{
    struct err err;
    err_clear(&err);
    set_policy(bench, yaml);
    bench->source =
        datasource_open(&bench->options->datasources.items[0], bench->options, &err);
    if (!bench->source) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    bench->schema = datasource_describe(bench->source, NULL, &err);
    if (!bench->schema) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    schema_normalize(bench->schema);
}

/* Everything that comes back: names, cells, or the whole of the error. */
static bool ask(struct datasource *source, const struct schema *schema, const char *sql,
                struct buf *seen, struct err *err)
{
    struct arena *arena = arena_new();
    struct rows rows;
    rows_init(&rows, arena);
    err_clear(err);
    bool ok = datasource_execute(source, sql, schema, NULL, &rows, err);
    for (size_t i = 0; ok && i < rows.column_count; i++) {
        (void)buf_format(seen, "%s|", rows.columns[i].name);
    }
    for (size_t i = 0; ok && i < rows.count; i++) {
        (void)buf_char(seen, '\n');
        for (size_t k = 0; k < rows.column_count; k++) {
            value_print(seen, rows_cell(&rows, i, k));
            (void)buf_char(seen, '|');
        }
    }
    if (!ok) {
        (void)buf_format(seen, "%s %s %s", err->message, err->detail, err->hint);
    }
    arena_free(arena);
    return ok;
}

static bool tells(const char *text, const char *sql)
{
    /* a statement's own words may come back in a message about it */
    return (strstr(text, "CANARY") && !strstr(sql, "CANARY")) ||
           (strstr(text, "98765") && !strstr(sql, "98765"));
}

static void hold(struct bench *bench, struct datasource *open, const char *sql)
{
    struct buf seen;
    struct err err;
    buf_init(&seen, SEEN_MOST);
    bench->tried++;
    bool ok = ask(bench->source, bench->schema, sql, &seen, &err);
    bench->ran += ok;
    if (tells(buf_get(&seen), sql)) {
        fail_msg("%s\n gave\n%s", sql, buf_get(&seen));
    }
    if (!ok && err.code != ERR_INVALID_SQL && err.code != ERR_UNSAFE) {
        fail_msg("%s\n failed: %s (%s)", sql, err.message, err.detail);
    }
    err_clear(&err);
    if (!datasource_check(bench->source, sql, NULL, &err) &&
        (tells(err.message, sql) || tells(err.detail, sql))) {
        fail_msg("%s\n checked: %s (%s)", sql, err.message, err.detail);
    }
    buf_clear(&seen);
    (void)ask(open, NULL, sql, &seen, &err);
    bench->leaked += tells(buf_get(&seen), sql);
    buf_release(&seen);
}

static const char *replace(struct arena *arena, const char *form,
                           const struct policy_relation *relation)
{
    struct buf buf;
    buf_init(&buf, SEEN_MOST);
    for (const char *at = form; *at; at++) {
        bool alone = (at == form || !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at[-1])) &&
                     !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at[1] ? at[1] : ' ');
        if (*at == 'R' && alone) {
            (void)buf_text(&buf, relation->from);
        } else if (*at == 'A' && alone) {
            (void)buf_text(&buf, relation->alias);
        } else {
            (void)buf_char(&buf, *at);
        }
    }
    const char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void hold_all(struct bench *bench, const char *const *own, size_t own_count)
{
    struct err err;
    const struct datasource_setting setting = {.id = "open", .url = bench->path};
    open_policy(bench, policy_text);
    struct datasource *open = datasource_open(&setting, bench->options, &err);
    assert_non_null(open);
    for (size_t i = 0; i < COUNT(policy_relations); i++) {
        for (size_t k = 0; k < COUNT(policy_uses); k++) {
            hold(bench, open,
                 replace(bench->arena, policy_uses[k], &policy_relations[i]));
        }
    }
    for (size_t i = 0; i < COUNT(policy_others); i++) {
        hold(bench, open, policy_others[i]);
    }
    for (size_t i = 0; i < own_count; i++) {
        hold(bench, open, own[i]);
    }
    datasource_close(open);
    print_message("%zu statements, %zu ran, %zu tell without the policy\n", bench->tried,
                  bench->ran, bench->leaked);
    /* the test is worth something only where most would have told, and many run */
    assert_true(bench->tried > 1000);
    assert_true(bench->ran > bench->tried / 4);
    assert_true(bench->leaked > bench->tried / 2);
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
    if (!ask(bench->source, bench->schema, sql, &seen, &err)) {
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
    assert_false(ask(bench->source, bench->schema, sql, &seen, &err));
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
    return datasource_write(bench->source, sql, bench->schema, true, NULL, touched, err);
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
    assert_true(ask(open, NULL, "SELECT note AS n FROM orders ORDER BY id", &seen, &err));
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
    const struct duck_library *library = duck_library(&err);
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

/* Its driver only reads: a declaration does not make it write. */
static void duckdb_is_not_written(void **state)
{
    struct bench *bench = *state;
    struct err err;
    int64_t touched = 0;
    make_duckdb(bench);
    open_policy(bench, policy_text);
    assert_false(change(bench, "UPDATE orders SET note = 'x'", &touched, &err));
    assert_int_equal(err.code, ERR_WRITE_NOT_ALLOWED);
}
#endif

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(nothing_leaks_from_sqlite),     TEST(what_is_left_is_right),
        TEST(the_schema_shows_what_is_left), TEST(writes_stay_within),
#ifdef DRAGOMAN_HAS_DUCKDB
        TEST(nothing_leaks_from_duckdb),     TEST(duckdb_is_not_written),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
