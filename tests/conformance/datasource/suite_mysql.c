/* What only MySQL and MariaDB have: types of their own, several databases, sessions that
 * must not keep anything, servers that say nothing. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "conformance.h"
#include "kinds.h"

static const char kinds_of_columns[] =
    "SET time_zone = '+02:00', sql_mode = '';"
    "CREATE TABLE t (yes BOOLEAN, tiny TINYINT UNSIGNED, big BIGINT UNSIGNED,"
    " price DECIMAL(65, 30), one BIT, flags BIT(64), mood ENUM('sad', 'it''s ok'),"
    " tags SET('a', 'b', 'c'), doc JSON, born DATE, at TIMESTAMP NULL, felt DATETIME(6),"
    " made YEAR, lasts TIME(3), raw VARBINARY(4), fixed BINARY(3), photo BLOB,"
    " story TEXT, who UUID, f FLOAT, d DOUBLE, pad CHAR(5), at_home POINT);"
    "INSERT INTO t VALUES (TRUE, 255, 18446744073709551615,"
    " 12345678901234567890123456789012345.123456789012345678901234567890, 1,"
    " b'1111111111111111111111111111111111111111111111111111111111111111', 'it''s ok',"
    " 'a,c', '{\"k\": [1, null]}', '0000-00-00', '2024-01-31 10:00:00',"
    " '2024-01-31 10:00:00.5', 1999, '-12:30:00.25', x'00ff', x'01', x'89', "
    "'st\xC3\xBCory',"
    " '550e8400-e29b-41d4-a716-446655440000', 0.1, 0.1, 'x', POINT(1, 2)), (7, 0, 0, 0, "
    "0,"
    " 5, 'sad', '', '[]', '2024-00-00', NULL, NULL, NULL, NULL, '', '', '', '', NULL,"
    " NULL, -1.7976931348623157e308, '', NULL)";

struct expected {
    const char *column;
    const char *type;        /* in the schema */
    const char *result_type; /* in a result */
    enum value_kind kind;
    const char *text; /* of the first row */
};

static const struct expected expected[] = {
    {"yes", "BOOLEAN", "BOOLEAN", VALUE_BOOL, "true"},
    {"tiny", "TINYINT UNSIGNED", "TINYINT", VALUE_INT, "255"},
    {"big", "BIGINT UNSIGNED", "BIGINT UNSIGNED", VALUE_NUMBER, "18446744073709551615"},
    {"price", "DECIMAL(65,30)", "DECIMAL", VALUE_NUMBER,
     "12345678901234567890123456789012345.123456789012345678901234567890"},
    {"one", "BIT(1)", "BIT", VALUE_INT, "1"},
    {"flags", "BIT(64)", "BIT", VALUE_NUMBER, "18446744073709551615"},
    {"mood", "ENUM('sad','it''s ok')", "ENUM", VALUE_TEXT, "it's ok"},
    {"tags", "SET('a','b','c')", "SET", VALUE_TEXT, "a,c"},
    {"doc", "JSON", "JSON", VALUE_JSON, "{\"k\": [1, null]}"},
    {"born", "DATE", "DATE", VALUE_TEXT, "0000-00-00"},
    {"at", "TIMESTAMP", "TIMESTAMP", VALUE_TEXT, "2024-01-31 08:00:00"},
    {"felt", "DATETIME(6)", "DATETIME", VALUE_TEXT, "2024-01-31 10:00:00.500000"},
    {"made", "YEAR", "YEAR", VALUE_INT, "1999"},
    {"lasts", "TIME(3)", "TIME", VALUE_TEXT, "-12:30:00.250"},
    {"raw", "VARBINARY(4)", "VARBINARY", VALUE_BLOB, "x'00ff'"},
    {"fixed", "BINARY(3)", "BINARY", VALUE_BLOB, "x'010000'"},
    {"photo", "BLOB", "BLOB", VALUE_BLOB, "x'89'"},
    {"story", "TEXT", "TEXT", VALUE_TEXT, "st\xC3\xBCory"},
    {"who", "UUID", "CHAR", VALUE_TEXT, "550e8400-e29b-41d4-a716-446655440000"},
    {"f", "FLOAT", "FLOAT", VALUE_REAL, "0.1"},
    {"d", "DOUBLE", "DOUBLE", VALUE_REAL, "0.1"},
    {"pad", "CHAR(5)", "CHAR", VALUE_TEXT, "x"},
    {"at_home", "POINT", "GEOMETRY", VALUE_BLOB, NULL},
};

static void columns_of_every_type_come_out_whole(void **state)
{
    struct place *place = *state;
    (void)place_open(place, kinds_of_columns);
    struct schema *schema = place_schema(place);
    const struct table *t = schema_table(schema, "t");
    struct rows rows = place_rows(place, "SELECT * FROM t ORDER BY tiny DESC");
    assert_int_equal(t->columns.count, sizeof expected / sizeof *expected);
    assert_int_equal(rows.count, 2);
    for (size_t i = 0; i < t->columns.count; i++) {
        const struct expected *one = &expected[i];
        assert_string_equal(t->columns.items[i].name, one->column);
        assert_string_equal(t->columns.items[i].type, one->type);
        if (strcmp(rows.columns[i].type, one->result_type) != 0 ||
            rows_cell(&rows, 0, i)->kind != one->kind) {
            fail_msg("%s: %s, kind %d", one->column, rows.columns[i].type,
                     (int)rows_cell(&rows, 0, i)->kind);
        }
        if (one->text) {
            assert_string_equal(cell_text(place, &rows, 0, i), one->text);
        }
    }
    assert_string_equal(cell_text(place, &rows, 1, 0), "7"); /* no boolean at all */
    assert_string_equal(cell_text(place, &rows, 1, 2), "0");
    assert_string_equal(cell_text(place, &rows, 1, 3),
                        "0.000000000000000000000000000000");
    assert_string_equal(cell_text(place, &rows, 1, 9), "2024-00-00");
    struct err err;
    err_clear(&err);
    if (!datasource_enrich(place->source, schema, NULL, &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    assert_int_equal(schema->warnings.count, 0);
    assert_string_equal(table_column(t, "mood")->samples.items[0], "it's ok");
    assert_int_equal(table_column(t, "mood")->distinct, 2);
    assert_string_equal(table_column(t, "big")->greatest, "18446744073709551615");
}

static void time_zone_is_the_url_s(void **state)
{
    struct place *place = *state;
    (void)place_open(place, kinds_of_columns);
    struct err err;
    const char *url =
        arena_format(place->arena, "%s?time_zone=%%2B05:30", place_url(place));
    assert_non_null(place_try_open(place, url, &err));
    struct rows rows = place_rows(place, "SELECT at FROM t WHERE tiny = 255");
    assert_string_equal(cell_text(place, &rows, 0, 0), "2024-01-31 13:30:00");
    url = arena_format(place->arena, "%s?time_zone=Nowhere/Land", place_url(place));
    assert_null(place_try_open(place, url, &err));
    assert_true(err.message[0] && err.hint[0]);
}

static void rights_decide_what_is_shown(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE item (id INTEGER);"
                            "CREATE SCHEMA vault; CREATE TABLE vault.gold (id INTEGER,"
                            " name VARCHAR(20), pin VARCHAR(20));"
                            "INSERT INTO vault.gold VALUES (1, 'ring', '1234')");
    char before[33];
    char after[33];
    struct err err;
    assert_int_equal(place_schema(place)->tables.count, 1);
    assert_false(place_raw(place, "SELECT * FROM vault.gold", NULL, NULL, &err));
    assert_int_equal(err.code, ERR_ACCESS);
    place_signature(place, before);
    kind->script(place->path,
                 "GRANT SELECT (id, name) ON vault.gold TO reader@'127.0.0.1'");
    (void)place_try_open(place, place_url(place),
                         &err); /* rights of a session are its first */
    place_signature(place, after);
    assert_string_not_equal(before, after);
    struct schema *schema = place_schema(place);
    const struct table *gold = schema_table(schema, "vault.gold");
    assert_non_null(gold);
    assert_int_equal(gold->columns.count, 2);
    assert_null(table_column(gold, "pin"));
    err_clear(&err);
    assert_true(datasource_enrich(place->source, schema, NULL, &err));
    assert_string_equal(table_column(gold, "name")->samples.items[0], "ring");
    kind->script(place->path, "DROP SCHEMA vault; REVOKE SELECT (id, name) ON vault.gold"
                              " FROM reader@'127.0.0.1'");
}

static void databases_of_the_server_are_chosen(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE SCHEMA crm; CREATE TABLE crm.person (a INTEGER, b"
                            " INTEGER, PRIMARY KEY (b, a)); CREATE TABLE orders (id"
                            " INTEGER PRIMARY KEY, y INTEGER, x INTEGER,"
                            " FOREIGN KEY (y, x) REFERENCES crm.person (b, a));"
                            "CREATE SCHEMA sales; CREATE TABLE sales.lead (id INTEGER);"
                            "CREATE SEQUENCE numbers");
    struct schema *schema = place_schema(place);
    assert_int_equal(schema->tables.count, 3); /* a sequence is no table */
    const struct table *orders = schema_table(schema, "orders");
    assert_int_equal(orders->foreign_keys.count, 1);
    const struct foreign_key *key = &orders->foreign_keys.items[0];
    assert_string_equal(key->table, "crm.person");
    assert_string_equal(key->columns.items[0], "y");
    assert_string_equal(key->references.items[0], "b");
    struct err err;
    const char *url = arena_format(place->arena, "%s?databases=crm", place_url(place));
    assert_non_null(place_try_open(place, url, &err));
    schema = place_schema(place);
    assert_int_equal(schema->tables.count, 2);
    assert_null(schema_table(schema, "sales.lead"));
    url = arena_format(place->arena, "%s?databases=", place_url(place));
    assert_non_null(place_try_open(place, url, &err));
    schema = place_schema(place);
    assert_int_equal(schema->tables.count, 1);
    assert_int_equal(schema_table(schema, "orders")->foreign_keys.count, 0);
}

/* Of a large table the first rows and the indexes are asked. */
static void large_tables_are_not_read(void **state)
{
    struct place *place = *state;
    (void)place_open(
        place, "CREATE TABLE visit (id INTEGER PRIMARY KEY, page VARCHAR(20), at DATE,"
               " KEY (at));"
               "INSERT INTO visit SELECT seq, IF(seq % 4 > 0, 'home', 'shop'),"
               " DATE '2024-01-01' + INTERVAL seq % 100 DAY FROM seq_1_to_300000;"
               "ANALYZE TABLE visit");
    struct schema *schema = place_schema(place);
    struct err err;
    err_clear(&err);
    if (!datasource_enrich(place->source, schema, NULL, &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    const struct table *visit = schema_table(schema, "visit");
    assert_true(visit->row_count > 200000 && visit->row_count < 400000);
    assert_false(visit->row_count_exact);
    assert_string_equal(table_column(visit, "page")->samples.items[0], "home");
    assert_string_equal(table_column(visit, "id")->greatest, "300000"); /* by its index */
    assert_true(table_column(visit, "at")->distinct > 50);
    struct datasource_estimate estimate;
    assert_true(datasource_estimate(place->source,
                                    "SELECT COUNT(*) FROM visit AS v WHERE page = 'shop'",
                                    place->arena, NULL, &estimate, &err));
    assert_true(estimate.full_scan);
    assert_string_equal(estimate.table, "visit");
    assert_true(estimate.rows > 200000);
    assert_true(estimate.bytes > 1000000);
    assert_true(datasource_estimate(place->source, "SELECT page FROM visit WHERE id = 7",
                                    place->arena, NULL, &estimate, &err));
    assert_false(estimate.full_scan);
    assert_int_equal(estimate.rows, 1);
}

/* Two sessions of MariaDB's own settings, seen through what they do. */
static void sessions_read_sql_in_one_way(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE item (id INTEGER);"
                            "SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,"
                            "PIPES_AS_CONCAT'");
    struct rows rows = place_raw_rows(
        place, "SELECT \"a\" AS x, 'it\\'s' AS y, 1 || 0 AS z FROM (SELECT 1 AS a) AS t");
    assert_string_equal(cell_text(place, &rows, 0, 0), "a");
    assert_string_equal(cell_text(place, &rows, 0, 1), "it's");
    assert_string_equal(cell_text(place, &rows, 0, 2), "1");
    kind->script(place->path, "SET GLOBAL sql_mode = DEFAULT");
}

static int listener_open(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int silent = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(silent >= 0);
    assert_int_equal(bind(silent, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(silent, 8), 0);
    assert_int_equal(getsockname(silent, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return silent;
}

/* Somebody listens and never says a word. */
static void silent_server_is_given_up(void **state)
{
    struct place *place = *state;
    int port = 0;
    int silent = listener_open(&port);
    char url[100];
    (void)snprintf(url, sizeof url, "mysql://me:hunter2@127.0.0.1:%d/x?connect_timeout=1",
                   port);
    struct err err;
    assert_null(place_try_open(place, url, &err));
    assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
    assert_null(strstr(err.message, "hunter2"));
    (void)close(silent);
}

static void *fire_soon(void *context)
{
    (void)usleep(100000);
    cancel_fire(context);
    return NULL;
}

/* The way to the server breaks while a connection is being made again. */
static void stop_is_heard_while_connecting(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    struct cancel cancel;
    pthread_t thread;
    cancel_init(&cancel);
    struct datasource_limits limits = {.deadline_ms = clock_ms() + 60000,
                                       .cancel = &cancel};
    struct err err;
    err_clear(&err);
    assert_int_equal(pthread_create(&thread, NULL, fire_soon, &cancel), 0);
    char signature[33];
    while (datasource_signature(place->source, &limits, signature, &err)) {
        kind->server->terminate(place->path); /* so each one connects */
    }
    assert_int_equal(err.code, ERR_STOPPED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    cancel_release(&cancel);
    place_signature(place, signature);
}

struct asking {
    struct place *place;
    struct datasource_limits limits;
    bool ok;
    struct err err;
};

static void *ask_endless(void *context)
{
    struct asking *asking = context;
    asking->ok =
        place_raw(asking->place, kind->endless, &asking->limits, NULL, &asking->err);
    return NULL;
}

/* The whole machine is gone: neither the query nor the kill gets an answer. */
static void dead_server_is_given_up(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    struct cancel cancel;
    pthread_t thread;
    cancel_init(&cancel);
    struct asking asking = {.place = place,
                            .limits = {.deadline_ms = clock_ms() + 120000,
                                       .max_rows = 10,
                                       .max_bytes = 1 << 20,
                                       .cancel = &cancel}};
    assert_int_equal(pthread_create(&thread, NULL, ask_endless, &asking), 0);
    while (kind->server->running(place->path) < 1) {
        (void)usleep(10000);
    }
    kind_mysql_freeze(true);
    int64_t before_ms = clock_ms();
    cancel_fire(&cancel);
    (void)pthread_join(thread, NULL);
    int64_t took_ms = clock_ms() - before_ms;
    kind_mysql_freeze(false);
    assert_true(took_ms < 30000);
    assert_false(asking.ok);
    assert_int_equal(asking.err.code, ERR_STOPPED);
    cancel_release(&cancel);
    struct rows rows = place_rows(place, "SELECT COUNT(*) FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "0");
}

/* A SELECT that ends MariaDB 10.11.19 for all, found by the oracle: a condition on a
 * grouped view that holds a subquery of an outer derived table. */
static void server_survives_what_it_cannot_plan(void **state)
{
    struct place *place = *state;
    (void)place_open(place,
                     "CREATE TABLE item (id INTEGER PRIMARY KEY, price DECIMAL(8,2));"
                     "INSERT INTO item VALUES (1, 1.5), (2, 2.5);"
                     "CREATE VIEW spending AS SELECT id, sum(price) AS total FROM item"
                     " GROUP BY id");
    for (int i = 0; i < 3; i++) { /* a plain one in between, in the same session */
        struct rows rows =
            place_rows(place, "SELECT (SELECT 1 FROM spending s WHERE s.total = a.x) AS n"
                              " FROM (SELECT (SELECT max(price) FROM item) AS x, 1 AS z"
                              " FROM item) a GROUP BY a.z");
        assert_int_equal(rows.count, 1);
        rows = place_rows(place, "SELECT total FROM spending WHERE id = 2");
        assert_string_equal(cell_text(place, &rows, 0, 0), "2.50");
    }
}

static void broken_urls_do_not_tell(void **state)
{
    struct place *place = *state;
    static const char *const urls[] = {
        "mysql://me:hunter2%zz@host/x",
        "mysql://me:hunter2@host/x?nonsense=1",
        "mysql://me:hunter2@host/x?ssl_mode=somehow",
        "mysql://me:hunter2@[host/x",
        "mysql://me:hunter2@host:99999/x",
        "mysql://me@host/x?password_env=NO_SUCH_NAME",
        "mysql://me@host/x?password_file=/nowhere/hunter2"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct err err;
        assert_null(place_try_open(place, urls[i], &err));
        assert_true(err.code == ERR_DATASOURCE_NOT_FOUND || err.code == ERR_CONFIG);
        assert_null(strstr(err.message, "hunter2"));
        assert_null(strstr(err.detail, "hunter2"));
        assert_true(err.hint[0]);
    }
}

int suite_mysql(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(columns_of_every_type_come_out_whole),
        PLACE_TEST(time_zone_is_the_url_s),
        PLACE_TEST(rights_decide_what_is_shown),
        PLACE_TEST(databases_of_the_server_are_chosen),
        PLACE_TEST(large_tables_are_not_read),
        PLACE_TEST(sessions_read_sql_in_one_way),
        PLACE_TEST(silent_server_is_given_up),
        PLACE_TEST(stop_is_heard_while_connecting),
        PLACE_TEST(dead_server_is_given_up),
        PLACE_TEST(server_survives_what_it_cannot_plan),
        PLACE_TEST(broken_urls_do_not_tell),
    };
    return cmocka_run_group_tests_name("mysql", tests, NULL, NULL) + suite_mysql_stop();
}
