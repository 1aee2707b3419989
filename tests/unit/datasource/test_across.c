/* Several sources as one: what each is asked, what comes of it, and what goes wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/across/across.h"

#ifdef DRAGOMAN_HAS_DUCKDB

enum { SOURCES = 3 };

static const struct {
    const char *id;
    const char *sql;
} made[SOURCES] = {
    {"crm", "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city VARCHAR(40),"
            " since DATE, active BOOLEAN, score DECIMAL(6,2));"
            "INSERT INTO customers VALUES (1,'Ada','Rome','2023-05-01',1,10.5),"
            "(2,'Bob','Milan','2024-02-03',1,7.25),(3,'Cleo','Rome','2024-06-30',0,3),"
            "(4,'Dan','rome','2022-01-01',1,NULL);"},
    {"shop", "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER,"
             " total REAL, status TEXT, placed_at DATETIME);"
             "INSERT INTO orders VALUES (10,1,20.5,'paid','2024-01-05 10:00:00'),"
             "(11,1,5,'open','2024-03-05 10:00:00'),(12,2,99,'paid','2024-03-06'),"
             "(13,3,1,'paid','2024-04-01 00:00:00');"
             "CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT);"
             "INSERT INTO customers VALUES (1,'ada@x');"},
    {"main", "CREATE TABLE tickets (id INTEGER PRIMARY KEY, customer INTEGER, \"read at\""
             " TEXT);INSERT INTO tickets VALUES (100,2,'x');"},
};

struct bench {
    struct arena *arena;
    struct options *options;
    char folder[40];
    struct datasource *sources[SOURCES];
    struct schema *schemas[SOURCES];
    struct datasource *across;
    struct err err;
};

static const char *path_of(struct bench *bench, const char *id)
{
    return arena_format(bench->arena, "%s/%s.db", bench->folder, id);
}

static void make(struct bench *bench, size_t index)
{
    const char *path = path_of(bench, made[index].id);
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, made[index].sql, NULL, NULL, NULL),
                     SQLITE_OK);
    (void)sqlite3_close(database);
    const struct datasource_setting setting = {.id = made[index].id, .url = path};
    bench->sources[index] = datasource_open(&setting, bench->options, &bench->err);
    assert_non_null(bench->sources[index]);
    bench->schemas[index] = datasource_describe(bench->sources[index], NULL, &bench->err);
    assert_non_null(bench->schemas[index]);
    schema_normalize(bench->schemas[index]);
}

static int setup(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    (void)snprintf(bench.folder, sizeof bench.folder, "/tmp/dragoman-XXXXXX");
    if (!mkdtemp(bench.folder)) {
        return -1;
    }
    bench.arena = arena_new();
    bench.options = options_new();
    err_clear(&bench.err);
    struct across_member members[SOURCES];
    for (size_t i = 0; i < SOURCES; i++) {
        make(&bench, i);
        members[i] = (struct across_member){bench.sources[i], bench.schemas[i],
                                            bench.schemas[i]->signature};
    }
    bench.across = across_open(members, SOURCES, bench.options, &bench.err);
    assert_non_null(bench.across);
    schema_normalize(across_schema(bench.across));
    *state = &bench;
    return 0;
}

static int teardown(void **state)
{
    struct bench *bench = *state;
    datasource_close(bench->across);
    for (size_t i = 0; i < SOURCES; i++) {
        schema_unref(bench->schemas[i]);
        datasource_close(bench->sources[i]);
        (void)unlink(path_of(bench, made[i].id));
    }
    options_free(bench->options);
    arena_free(bench->arena);
    return rmdir(bench->folder);
}

static const char *ask(struct bench *bench, const char *sql)
{
    struct rows rows;
    rows_init(&rows, bench->arena);
    if (!datasource_execute(bench->across, sql, across_schema(bench->across), NULL, &rows,
                            &bench->err)) {
        fail_msg("%s: %s (%s)", sql, bench->err.message, bench->err.detail);
    }
    struct buf out;
    buf_init(&out, 1 << 16);
    for (size_t r = 0; r < rows.count; r++) {
        for (size_t c = 0; c < rows.column_count; c++) {
            (void)buf_text(&out, c ? "|" : r ? "," : "");
            value_print(&out, rows_cell(&rows, r, c));
        }
    }
    const char *text = buf_clone(&out, bench->arena);
    buf_release(&out);
    return text;
}

/* What the sources are asked for it, one a line. */
static const char *pushed(struct bench *bench, const char *sql)
{
    struct texts lines = {0};
    if (!across_explain(bench->across, sql, bench->arena, NULL, &lines, &bench->err)) {
        fail_msg("%s: %s (%s)", sql, bench->err.message, bench->err.detail);
    }
    return str_join(bench->arena, &lines, "\n");
}

static void test_the_schema_of_all(void **state)
{
    struct bench *bench = *state;
    const struct schema *schema = across_schema(bench->across);
    assert_string_equal(bench->across->id, "crm,shop,main");
    assert_int_equal(schema->tables.count, 4);
    const struct table *table = schema_table(schema, "crm.customers");
    assert_non_null(table);
    assert_string_equal(table->namespace, "crm");
    assert_string_equal(table_column(table, "since")->type, "DATE");
    assert_string_equal(table_column(table, "score")->type, "DECIMAL(6,2)");
    assert_non_null(schema_table(schema, "shop.customers"));
    assert_non_null(schema_table(schema, "main_db.tickets")); /* main is the engine's */
    assert_ptr_equal(across_member_of(bench->across, "shop.orders"), bench->sources[1]);
    assert_null(across_member_of(bench->across, "shop.nothing"));
}

static void test_three_sources_in_one_answer(void **state)
{
    struct bench *bench = *state;
    assert_string_equal(
        ask(bench, "SELECT c.name FROM crm.customers c WHERE EXISTS (SELECT 1 FROM "
                   "shop.orders o WHERE o.customer_id = c.id) AND NOT EXISTS (SELECT 1 "
                   "FROM main_db.tickets t WHERE t.customer = c.id) ORDER BY c.name"),
        "Ada,Cleo");
    assert_string_equal(ask(bench, "WITH o AS (SELECT customer_id, sum(total) AS t FROM "
                                   "shop.orders GROUP BY 1) SELECT c.name, o.t FROM "
                                   "crm.customers c JOIN o ON o.customer_id = c.id WHERE "
                                   "o.t > 20 ORDER BY 2"),
                        "Ada|25.5,Bob|99");
    assert_string_equal(
        ask(bench, "SELECT count(*) FROM crm.customers a, shop.customers b"), "4");
}

static const struct {
    const char *sql;
    const char *pushed;
} pushes[] = {
    {"SELECT c.name FROM crm.customers AS c WHERE c.city = 'Rome'",
     "crm: SELECT name, city FROM customers WHERE city = 'Rome'"},
    {"SELECT name FROM crm.customers WHERE city IN ('Rome', 'D''Oro') AND score >= 3.50",
     "crm: SELECT name, city, score FROM customers WHERE city IN ('Rome', 'D''Oro') AND "
     "score >= 3.50"},
    {"SELECT name FROM crm.customers WHERE score BETWEEN -1 AND 5 AND name LIKE 'A%'",
     "crm: SELECT name, score FROM customers WHERE score >= -1 AND score <= 5 AND name "
     "LIKE 'A%'"},
    {"SELECT name FROM crm.customers WHERE 5 > id AND active = true AND score IS NULL",
     "crm: SELECT id, name, active, score FROM customers WHERE id < 5 AND active = 1 AND "
     "score IS NULL"},
    {"SELECT name FROM crm.customers WHERE since >= DATE '2024-01-01' AND since < "
     "'2024-07-01'",
     "crm: SELECT name, since FROM customers WHERE since >= '2024-01-01' AND since < "
     "'2024-07-01'"},
    /* a text that is a time may be equal to a date and not look so */
    {"SELECT id FROM shop.orders WHERE placed_at = '2024-04-01'",
     "shop: SELECT id, placed_at FROM orders"},
    {"SELECT id FROM shop.orders WHERE placed_at >= '2024-04-01 00:00:00'",
     "shop: SELECT id, placed_at FROM orders"},
    /* what is not equal, or not like, depends on case */
    {"SELECT id FROM shop.orders WHERE status <> 'paid' AND status NOT LIKE 'p%'",
     "shop: SELECT id, status FROM orders"},
    {"SELECT id FROM shop.orders WHERE status > 'a'",
     "shop: SELECT id, status FROM orders"},
    {"SELECT id FROM shop.orders WHERE status = 'paid' OR id = 1",
     "shop: SELECT id, status FROM orders"},
    {"SELECT id FROM shop.orders WHERE upper(status) = 'PAID' AND id + 1 = 2",
     "shop: SELECT id, status FROM orders"},
    /* used twice: each use has its own conditions */
    {"SELECT a.id FROM shop.orders a JOIN shop.orders b ON a.id = b.id WHERE a.id = 1",
     "shop: SELECT id FROM orders"},
    /* a missing partner is what is asked for */
    {"SELECT c.id FROM crm.customers c LEFT JOIN shop.orders o ON o.customer_id = c.id "
     "WHERE o.id IS NULL",
     "crm: SELECT id FROM customers\nshop: SELECT id, customer_id FROM orders"},
    {"SELECT c.id FROM crm.customers c LEFT JOIN shop.orders o ON o.customer_id = c.id "
     "AND o.status = 'paid' AND c.id = 1",
     "crm: SELECT id FROM customers\nshop: SELECT customer_id, status FROM orders "
     "WHERE status = 'paid'"},
    {"SELECT c.id FROM crm.customers c JOIN shop.orders o ON o.customer_id = c.id AND "
     "c.city = 'Rome' WHERE o.total > 5",
     "crm: SELECT id, city FROM customers WHERE city = 'Rome'\nshop: SELECT "
     "customer_id, total FROM orders WHERE total > 5 for each customer_id of "
     "crm.customers"},
    {"SELECT * FROM crm.customers LIMIT 2",
     "crm: SELECT id, name, city, since, active, score FROM customers LIMIT 2"},
    {"SELECT name FROM crm.customers ORDER BY id LIMIT 2",
     "crm: SELECT id, name FROM customers"},
    {"SELECT name FROM crm.customers WHERE city = 'x' LIMIT 2",
     "crm: SELECT name, city FROM customers WHERE city = 'x'"},
    {"SELECT DISTINCT city FROM crm.customers LIMIT 2",
     "crm: SELECT city FROM customers"},
    {"SELECT count(*) FROM crm.customers", "crm: SELECT id FROM customers"},
    {"SELECT o.* FROM shop.orders o JOIN shop.customers c ON c.id = o.id",
     "shop: SELECT id, customer_id, total, status, placed_at FROM orders\nshop: SELECT "
     "id FROM customers"},
    {"SELECT t.\"read at\" FROM main_db.tickets t",
     "main: SELECT \"read at\" FROM tickets"},
    /* columns renamed by their place: all of them */
    {"SELECT c.b FROM crm.customers AS c (a, b) WHERE c.a = 1",
     "crm: SELECT id, name, city, since, active, score FROM customers WHERE id = 1"},
    /* a name of the query inside is another's outside */
    {"SELECT t.name FROM (SELECT id AS name FROM crm.customers) AS t WHERE t.name > 1",
     "crm: SELECT id FROM customers"},
    {"SELECT x FROM (SELECT name AS x FROM crm.customers WHERE id = 1) AS t WHERE x = "
     "'q'",
     "crm: SELECT id, name FROM customers WHERE id = 1"},
};

static void test_what_each_source_is_asked(void **state)
{
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof pushes / sizeof *pushes; i++) {
        assert_string_equal(pushed(bench, pushes[i].sql), pushes[i].pushed);
        (void)ask(bench, pushes[i].sql); /* and the source takes it */
    }
}

/* ------------------------------------------------------------------ keys of small tables
 */

struct staged {
    char name[40]; /* the table that is looked at */
    int64_t rows;
};

static void staged_note(void *context, const struct staging_progress *progress)
{
    struct staged *staged = context;
    if (strcmp(progress->name, staged->name) == 0) {
        staged->rows = progress->rows;
    }
}

static void orders_many(struct bench *bench)
{
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(path_of(bench, "shop"), &database), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(database,
                     "INSERT INTO orders WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
                     "SELECT i + 1 FROM n WHERE i < 5000) SELECT 100 + i, CASE i WHEN 9 "
                     "THEN NULL ELSE i END, i, 'open', '2024-05-01' FROM n",
                     NULL, NULL, NULL),
        SQLITE_OK);
    (void)sqlite3_close(database);
}

/* Each is asked with few customers and many orders; the answer is that of the whole
 * tables, and orders are staged only as far as they can matter. */
static const struct {
    const char *sql;
    const char *answer;
    int64_t rows; /* of shop.orders that travel */
} reduced[] = {
    {"SELECT c.name, count(*), sum(o.id) FROM crm.customers c JOIN shop.orders o ON "
     "o.customer_id = c.id WHERE c.city = 'Rome' GROUP BY 1 ORDER BY 1",
     "Ada|3|122,Cleo|2|116", 5},
    {"SELECT c.name, o.id FROM crm.customers c, shop.orders o WHERE c.id = o.customer_id "
     "AND c.city = 'Milan' ORDER BY 2",
     "Bob|12,Bob|102", 2},
    /* a customer without orders stays */
    {"SELECT c.name, count(o.id) FROM crm.customers c LEFT JOIN shop.orders o ON "
     "o.customer_id = c.id AND o.total > 4 WHERE c.city = 'rome' GROUP BY 1",
     "Dan|0", 0},
    /* so do orders without a customer: nothing may be left out */
    {"SELECT count(*), count(c.id) FROM shop.orders o LEFT JOIN crm.customers c ON "
     "c.id = o.customer_id AND c.city = 'Rome'",
     "5004|5", 5004},
    {"SELECT count(*) FROM crm.customers c FULL JOIN shop.orders o ON o.customer_id = "
     "c.id AND c.city = 'Rome'",
     "5006", 5004},
    /* a query inside speaks of the row outside */
    {"SELECT c.name FROM crm.customers c WHERE c.city = 'Rome' AND EXISTS (SELECT 1 FROM "
     "shop.orders o WHERE o.customer_id = c.id AND o.id > 102) ORDER BY 1",
     "Cleo", 1},
    {"SELECT c.name FROM crm.customers c WHERE c.city = 'Rome' AND NOT EXISTS (SELECT 1 "
     "FROM shop.orders o WHERE o.customer_id = c.id AND o.id > 102) ORDER BY 1",
     "Ada", 1},
    {"SELECT c.name, (SELECT max(o.id) FROM shop.orders o WHERE o.customer_id = c.id) "
     "FROM crm.customers c WHERE c.city = 'Milan'",
     "Bob|102", 2},
    /* the name outside is another's in between */
    {"SELECT count(*) FROM crm.customers c WHERE c.city = 'Milan' AND EXISTS (SELECT 1 "
     "FROM (SELECT 4000 AS id) c WHERE EXISTS (SELECT 1 FROM shop.orders o WHERE "
     "o.customer_id = c.id))",
     "1", 5004},
    /* NULL in the list decides: every row must come */
    {"SELECT count(*) FROM crm.customers c WHERE c.city = 'Rome' AND c.id NOT IN (SELECT "
     "o.customer_id FROM shop.orders o)",
     "0", 5004},
    /* either of two: no condition for all */
    {"SELECT count(*) FROM crm.customers c JOIN shop.orders o ON o.customer_id = c.id OR "
     "o.id = 200 WHERE c.city = 'Milan'",
     "3", 5004},
    /* used twice */
    {"SELECT count(*) FROM crm.customers c JOIN shop.orders o ON o.customer_id = c.id "
     "WHERE c.city = 'Milan' AND (SELECT count(*) FROM shop.orders x) > 5000",
     "2", 5004},
    /* nobody to find: nothing is asked for */
    {"SELECT count(*) FROM crm.customers c JOIN shop.orders o ON o.customer_id = c.id "
     "WHERE c.city = 'Nowhere'",
     "0", 0},
    /* a computed key */
    {"SELECT count(*) FROM crm.customers c JOIN shop.orders o ON o.customer_id = c.id + "
     "1 "
     "WHERE c.city = 'Milan'",
     "2", 5004},
};

static void test_keys_of_few_rows(void **state)
{
    struct bench *bench = *state;
    orders_many(bench);
    for (size_t i = 0; i < sizeof reduced / sizeof *reduced; i++) {
        struct staged staged = {"shop.orders", -1};
        const struct staging_watcher watcher = {staged_note, &staged};
        across_watch(bench->across, &watcher);
        print_message("%s\n", reduced[i].sql);
        assert_string_equal(ask(bench, reduced[i].sql), reduced[i].answer);
        assert_int_equal(staged.rows < 0 ? 0 : staged.rows, reduced[i].rows);
    }
    const struct staging_watcher nobody = {0};
    across_watch(bench->across, &nobody);
    assert_non_null(strstr(pushed(bench, reduced[0].sql),
                           "shop: SELECT id, customer_id FROM orders for each "
                           "customer_id of crm.customers"));
}

/* Too many keys for a list: everything travels, and the answer is the same. */
static void test_keys_of_many_rows(void **state)
{
    struct bench *bench = *state;
    orders_many(bench);
    struct staged staged = {"crm.customers", -1};
    const struct staging_watcher watcher = {staged_note, &staged};
    across_watch(bench->across, &watcher);
    assert_string_equal(ask(bench,
                            "SELECT count(*) FROM shop.orders o JOIN crm.customers "
                            "c ON c.id = o.customer_id WHERE o.status = 'open'"),
                        "5");
    assert_int_equal(staged.rows, 4);
}

/* SQLite's LIKE knows no case: it may send more, the answer has what the engine finds. */
static void test_conditions_stay_in_the_query(void **state)
{
    struct bench *bench = *state;
    assert_string_equal(
        ask(bench, "SELECT name FROM crm.customers WHERE city LIKE 'R%' ORDER BY name"),
        "Ada,Cleo");
}

static bool fails(struct bench *bench, const char *sql, enum err_code code)
{
    struct rows rows;
    rows_init(&rows, bench->arena);
    err_clear(&bench->err);
    bool ok = datasource_check(bench->across, sql, NULL, &bench->err) &&
              datasource_execute(bench->across, sql, across_schema(bench->across), NULL,
                                 &rows, &bench->err);
    if (ok || bench->err.code != code) {
        print_error("%s: %s\n", sql, ok ? "ran" : bench->err.message);
    }
    return !ok && bench->err.code == code;
}

static void test_wrong_sql(void **state)
{
    struct bench *bench = *state;
    assert_true(fails(bench, "SELECT id FROM orders", ERR_INVALID_SQL));
    assert_non_null(strstr(bench->err.message, "'shop.orders'"));
    assert_int_equal(bench->err.position, 15);
    assert_true(fails(bench, "SELECT id FROM customers", ERR_INVALID_SQL));
    assert_true(fails(bench, "SELECT id FROM shop.nope", ERR_INVALID_SQL));
    assert_true(fails(bench, "SELECT nope FROM shop.orders", ERR_INVALID_SQL));
    assert_true(fails(bench, "SELECT FROM WHERE", ERR_INVALID_SQL));
    assert_true(fails(bench, "SELECT name + 1 FROM crm.customers", ERR_INVALID_SQL));
    assert_true(fails(bench, "DELETE FROM shop.orders", ERR_UNSAFE));
    assert_true(fails(bench, "SELECT * FROM read_csv('/etc/passwd')", ERR_UNSAFE));
    assert_true(fails(bench, "SELECT id FROM memory.shop.orders", ERR_INVALID_SQL));
}

/* The source that is away is named; nobody hangs. */
static void test_a_source_that_fails_is_named(void **state)
{
    struct bench *bench = *state;
    datasource_fail_at(bench->sources[1], 1, ERR_DATASOURCE_UNREACHABLE);
    struct rows rows;
    rows_init(&rows, bench->arena);
    assert_false(datasource_execute(
        bench->across,
        "SELECT count(*) FROM crm.customers c JOIN shop.orders o ON o.customer_id = c.id",
        across_schema(bench->across), NULL, &rows, &bench->err));
    assert_int_equal(bench->err.code, ERR_DATASOURCE_UNREACHABLE);
    assert_non_null(strstr(bench->err.message, "'shop' could not be read"));
}

static void test_caps_of_a_source(void **state)
{
    struct bench *bench = *state;
    assert_true(options_set(bench->options, "staging.max_rows", "3", &bench->err));
    assert_true(fails(bench, "SELECT sum(id) FROM shop.orders", ERR_RESULT_TOO_LARGE));
    assert_non_null(strstr(bench->err.message, "'shop.orders'"));
    assert_string_equal(ask(bench, "SELECT sum(id) FROM shop.orders WHERE id < 12"),
                        "21");
}

static void test_a_change_is_seen(void **state)
{
    struct bench *bench = *state;
    char before[33];
    char after[33];
    assert_true(datasource_signature(bench->across, NULL, before, &bench->err));
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(path_of(bench, "main"), &database), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(database, "ALTER TABLE tickets ADD x", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(database);
    assert_true(datasource_signature(bench->across, NULL, after, &bench->err));
    assert_string_not_equal(before, after);
}

static void *stop_soon(void *cancel)
{
    (void)usleep(100 * 1000);
    cancel_fire(cancel);
    return NULL;
}

/* A view that never ends: the stop must reach the source that computes it. */
static void test_a_stop_reaches_the_sources(void **state)
{
    struct bench *bench = *state;
    struct cancel cancel;
    pthread_t thread;
    cancel_init(&cancel);
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(path_of(bench, "shop"), &database), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(database,
                     "DROP TABLE orders; CREATE VIEW orders AS WITH RECURSIVE n(i) AS "
                     "(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) AS id, 1 AS "
                     "customer_id FROM n",
                     NULL, NULL, NULL),
        SQLITE_OK);
    (void)sqlite3_close(database);
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &cancel), 0);
    const struct datasource_limits limits = {.cancel = &cancel,
                                             .deadline_ms = clock_ms() + 60000};
    struct rows rows;
    rows_init(&rows, bench->arena);
    int64_t began = clock_ms();
    assert_false(datasource_execute(
        bench->across,
        "SELECT count(*) FROM crm.customers c JOIN shop.orders o ON o.customer_id = c.id",
        NULL, &limits, &rows, &bench->err));
    assert_int_equal(bench->err.code, ERR_STOPPED);
    assert_true(clock_ms() - began < 50000);
    (void)pthread_join(thread, NULL);
    cancel_release(&cancel);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_schema_of_all),
        TEST(test_three_sources_in_one_answer),
        TEST(test_what_each_source_is_asked),
        TEST(test_keys_of_few_rows),
        TEST(test_keys_of_many_rows),
        TEST(test_conditions_stay_in_the_query),
        TEST(test_wrong_sql),
        TEST(test_a_source_that_fails_is_named),
        TEST(test_caps_of_a_source),
        TEST(test_a_change_is_seen),
        TEST(test_a_stop_reaches_the_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
