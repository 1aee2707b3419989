/* The ClickHouse engine of today for the suite, behind a front of ours: its dialect and
 * its types. What a server does is shown by kind_clickhouse.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/webclient.h"
#include "clickhouse_script.h"
#include "conformance.h"
#include "kind_clickhouse.h"
#include "kinds.h"

static char folder[64];
static int port;
static struct webclient *client;

static bool tell(const char *database, const char *sql, bool quiet)
{
    char url[300];
    struct webclient_reply reply;
    struct err err;
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/?database=%s", port, database);
    const struct webclient_request request = {.method = "POST",
                                              .url = url,
                                              .body = sql,
                                              .body_size = strlen(sql),
                                              .deadline_ms = clock_ms() + 60000};
    bool came = webclient_call(client, &request, &reply, &err);
    bool ok = came && reply.status == 200;
    if (!ok && !quiet) {
        (void)fprintf(stderr, "%.80s: %s\n", sql,
                      came ? buf_get(&reply.body) : err.message);
    }
    webclient_reply_release(&reply);
    return ok;
}

static int start(void)
{
    enum { TRIES = 200 };
    struct err err;
    char command[800];
    if (access(DRAGOMAN_CHDB "/libchdb.so", R_OK) != 0) {
        (void)fprintf(stderr, "The ClickHouse engine is not in third_party/chdb: TODAY'S "
                              "DIALECT IS NOT TESTED. Run tools/chdb/fetch.\n");
        return 77;
    }
    (void)snprintf(folder, sizeof folder, "/tmp/dragoman-chdb-XXXXXX");
    client = webclient_new(NULL, &err);
    if (!client || !mkdtemp(folder)) {
        return 1;
    }
    port = 31000 + (int)(getpid() % 1000);
    (void)snprintf(
        command, sizeof command, "node %s %s %s/data %d %ld </dev/null >%s/log 2>&1 &",
        DRAGOMAN_CLICKHOUSE_TODAY, DRAGOMAN_CHDB, folder, port, (long)getpid(), folder);
    int status = system(command); /* NOLINT(cert-env33-c) */
    for (int i = 0; status == 0 && i < TRIES; i++) {
        if (tell("default", "SELECT 1", true)) {
            return 0;
        }
        (void)usleep(100000);
    }
    return 1;
}

static void stop(void)
{
    char command[100];
    webclient_free(client);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    int status = system(command); /* NOLINT(cert-env33-c) */
    (void)status;
}

static void script(const char *path, const char *sql)
{
    char text[200];
    const char *database = clickhouse_database(path);
    struct arena *arena = arena_new();
    struct texts statements = {0};
    (void)snprintf(text, sizeof text, "CREATE DATABASE IF NOT EXISTS %s", database);
    assert_true(tell("default", text, false));
    clickhouse_script(arena, sql, &statements);
    for (size_t i = 0; i < statements.count; i++) {
        if (!tell(database, statements.items[i], false)) {
            fail_msg("the script failed: %.200s", statements.items[i]);
        }
    }
    arena_free(arena);
}

static void drop(const char *path)
{
    char sql[128];
    (void)snprintf(sql, sizeof sql, "DROP DATABASE IF EXISTS %s",
                   clickhouse_database(path));
    (void)tell("default", sql, false);
    (void)tell("default", "DROP DATABASE IF EXISTS sales", false);
}

static void url_of(enum kind_url form, const char *path, char *out, size_t size)
{
    (void)form;
    (void)snprintf(out, size,
                   "clickhouse://127.0.0.1:%d/%s?databases=sales&allow_superuser=1", port,
                   clickhouse_database(path));
}

static const struct typed values[] = {
    {"true", VALUE_BOOL, "true"},
    {"toUInt64(18446744073709551615)", VALUE_NUMBER, "18446744073709551615"},
    {"toInt128('-170141183460469231731687303715884105728')", VALUE_NUMBER,
     "-170141183460469231731687303715884105728"},
    {"toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129"
     "639935')",
     VALUE_NUMBER,
     "115792089237316195423570985008687907853269984665640564039457584007913129639935"},
    {"toDecimal256('0.1234567890123456789012345678901234567890', 40)", VALUE_NUMBER,
     "0.123456789012345678901234567890123456789"},
    {"toDecimal32('1.50', 2)", VALUE_NUMBER, "1.5"},
    {"toFloat32(0.1)", VALUE_REAL, "0.1"},
    {"-1 / 0", VALUE_REAL, "-Infinity"},
    {"NULL", VALUE_NULL, ""},
    {"''", VALUE_TEXT, ""},
    {"'tab\\there\\nand\\\\there'", VALUE_TEXT, "tab\there\nand\\there"},
    {"'Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80'", VALUE_TEXT,
     "Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80"},
    {"toLowCardinality('word')", VALUE_TEXT, "word"},
    {"toDate32('1925-01-01')", VALUE_TEXT, "1925-01-01"},
    {"toDateTime64('2024-01-31 10:00:00.123456', 6, 'Asia/Tokyo')", VALUE_TEXT,
     "2024-01-31 10:00:00.123456"},
    {"toIPv4('10.0.0.1')", VALUE_TEXT, "10.0.0.1"},
    {"toIPv6('2001:db8::1')", VALUE_TEXT, "2001:db8::1"},
    {"map('a', 1, 'b', 2)", VALUE_JSON, "{\"a\":1,\"b\":2}"},
    {"map(1, ['x'])", VALUE_JSON, "{\"1\":[\"x\"]}"},
    {"CAST((1, 'x'), 'Tuple(a UInt8, b String)')", VALUE_JSON, "{\"a\":1,\"b\":\"x\"}"},
    {"[tuple(1, 'a'), tuple(2, 'b')]", VALUE_JSON, "[[1,\"a\"],[2,\"b\"]]"},
    {"tuple(5)", VALUE_JSON, "[5]"},
    {"CAST([(1, 'x')], 'Nested(a UInt8, b String)')", VALUE_JSON,
     "[{\"a\":1,\"b\":\"x\"}]"},
    {"[true, false]", VALUE_JSON, "[true,false]"},
    {"CAST('{\"a\":{\"b\":[1,2]}}', 'JSON')", VALUE_JSON, "{\"a\":{\"b\":[1,2]}}"},
    {"CAST((1., 2.), 'Point')", VALUE_JSON, "[1.0,2.0]"},
    {"toIntervalDay(3)", VALUE_INT, "3"},
    {NULL, VALUE_NULL, NULL},
};

static const char *const changes[] = {
    "CREATE TABLE more (a Int32) ENGINE = MergeTree ORDER BY a",
    "ALTER TABLE more ADD COLUMN b String",
    "ALTER TABLE more RENAME COLUMN b TO c",
    "ALTER TABLE more MODIFY COLUMN c Nullable(String)",
    "ALTER TABLE more MODIFY COMMENT 'many'",
    "ALTER TABLE more COMMENT COLUMN c 'as printed'",
    "ALTER TABLE more ADD INDEX by_c c TYPE minmax GRANULARITY 1",
    "DROP TABLE more",
    "CREATE VIEW seen AS SELECT id FROM item",
    "CREATE OR REPLACE VIEW seen AS SELECT id FROM item WHERE id > 1",
    NULL,
};

static const char *const attacks[] = {
    "INSERT INTO item VALUES (9, 'x')",
    "WITH x AS (SELECT 1) INSERT INTO item SELECT 1, 'x'",
    "FROM item SELECT * INTO OUTFILE '/tmp/dragoman-out'",
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')",
    "SELECT * FROM s3('http://127.0.0.1:1/b/x', 'CSV', 'a String')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "SELECT * FROM mysql('127.0.0.1:1', 'd', 't', 'u', 'p')",
    "SELECT * FROM executable('x', TSV, 'a String')",
    "CREATE TEMPORARY TABLE z (a Int32)",
    "EXPLAIN SELECT 1",
    "SELECT 1; DROP TABLE item",
    NULL,
};

static const struct kind_type types[] = {
    {"INT", "Int64"},         {"REAL", "Float64"},    {"TEXT", "String"},
    {"DATETIME", "DateTime"}, {"DATE", "Date32"},     {"TIMESTAMP", "DateTime"},
    {"BOOL", "Bool"},         {"NUMERIC", "Float64"}, {"DECIMAL", "Decimal(18, 2)"},
    {"VARCHAR", "String"},    {NULL, NULL},
};

static const struct kind_copy copy = {.types = types,
                                      .nullable = "Nullable(",
                                      .table_end = " ENGINE = MergeTree ORDER BY tuple()",
                                      .booleans = true};

static const struct kind_server server = {
    .start = start,
    .stop = stop,
    .url = url_of,
    .drop = drop,
};

const struct kind kind_clickhouse_today = {
    .name = "clickhouse",
    .called = "clickhouse-today",
    .extension = "",
    .server = &server,
    .dialect_only = true,
    .script = script,
    .integer = "Int32",
    .text = "String",
    .no_foreign_keys = true,
    .login_may_write = true,
    .namespaces = true,
    .values = values,
    .changes = changes,
    .attacks = attacks,
    .copy = &copy,
    .more = suite_clickhouse_today,
};
