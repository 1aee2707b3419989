/* ClickHouse for the suite: two private servers, and a database of its own for each test.
 */
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

#define READER "reader"
#define SECRET "p@ss/w:rd"

static char folder[64];
static int port;
static struct webclient *client;

static int control(const char *what)
{
    char command[700];
    (void)snprintf(command, sizeof command, "cd / && %s %s %s %d %ld",
                   DRAGOMAN_CLICKHOUSE_SERVER, what, folder, port, (long)getpid());
    int status = system(command); /* NOLINT(cert-env33-c) */
    return status < 0 ? -1 : status >> 8;
}

bool clickhouse_tell(int server, const char *database, const char *sql, char *answer,
                     size_t size)
{
    char url[300];
    struct webclient_reply reply;
    struct err err;
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/?database=%s",
                   port + 2 * (server - 1), database);
    const struct webclient_request request = {.method = "POST",
                                              .url = url,
                                              .body = sql,
                                              .body_size = strlen(sql),
                                              .deadline_ms = clock_ms() + 60000};
    bool came = webclient_call(client, &request, &reply, &err);
    bool ok = came && reply.status == 200;
    const char *text = came ? buf_get(&reply.body) : err.message;
    if (answer) {
        (void)snprintf(answer, size, "%.*s", (int)strcspn(text, "\n"), text);
    }
    if (!ok && !strstr(text, "Code: 81,")) {
        (void)fprintf(stderr, "%.80s: %s\n", sql, text);
    }
    webclient_reply_release(&reply);
    return ok;
}

const char *clickhouse_folder(void)
{
    return folder;
}

int clickhouse_port(void)
{
    return port;
}

static int start(void)
{
    enum { TRIES = 4, STRIDE = 1777 };
    struct err err;
    (void)snprintf(folder, sizeof folder, "/tmp/dragoman-clickhouse-XXXXXX");
    client = webclient_new(NULL, &err);
    if (!client || !mkdtemp(folder)) {
        return 1;
    }
    port = 20000 + (int)(getpid() % 2000) * 5;
    int status = control("start");
    if (status == 77) {
        (void)rmdir(folder);
        webclient_free(client);
        return status;
    }
    for (int i = 1; status != 0 && i < TRIES; i++) { /* somebody else has the port */
        (void)control("down");
        port += STRIDE;
        status = control("start");
    }
    return status == 0 ? 0 : 1;
}

static void stop(void)
{
    (void)control("stop");
    webclient_free(client);
}

static void down(void)
{
    assert_int_equal(control("down"), 0);
}

static int port_get(void)
{
    return port;
}

static void up(void)
{
    assert_int_equal(control("up"), 0);
}

/* /tmp/dragoman-Ab12cd/shop -> dragoman_Ab12cd */
const char *clickhouse_database(const char *path)
{
    static char name[64];
    const char *from = strchr(path + 1, '/');
    from = from ? from + 1 : path;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(from, "/"), from);
    name[strcspn(name, "-")] = '_';
    return name;
}

static void script(const char *path, const char *sql)
{
    char text[200];
    const char *database = clickhouse_database(path);
    struct arena *arena = arena_new();
    struct texts statements = {0};
    (void)snprintf(text, sizeof text, "CREATE DATABASE IF NOT EXISTS %s", database);
    assert_true(clickhouse_tell(1, "default", text, NULL, 0));
    clickhouse_script(arena, sql, &statements);
    for (size_t i = 0; i < statements.count; i++) {
        if (!clickhouse_tell(1, database, statements.items[i], NULL, 0)) {
            fail_msg("the script failed: %s", statements.items[i]);
        }
    }
    arena_free(arena);
}

static void drop(const char *path)
{
    char sql[128];
    (void)snprintf(sql, sizeof sql, "DROP DATABASE IF EXISTS %s",
                   clickhouse_database(path));
    (void)clickhouse_tell(1, "default", sql, NULL, 0);
    (void)clickhouse_tell(2, "default", sql, NULL, 0);
    (void)clickhouse_tell(1, "default", "DROP DATABASE IF EXISTS sales", NULL, 0);
}

#define LOGIN READER ":p%%40ss%%2Fw%%3Ard@127.0.0.1"

static void url_of(enum kind_url form, const char *path, char *out, size_t size)
{
    const char *database = clickhouse_database(path);
    char file[200];
    switch (form) {
    case KIND_URL_GOOD:
        (void)snprintf(out, size, "clickhouse://" LOGIN ":%d/%s?databases=sales", port,
                       database);
        break;
    case KIND_URL_WRONG_PASSWORD:
        (void)snprintf(out, size, "clickhouse://" READER ":hunter2@127.0.0.1:%d/%s", port,
                       database);
        break;
    case KIND_URL_WRONG_HOST: /* nobody listens there */
        (void)snprintf(out, size, "clickhouse://" READER ":hunter2@127.0.0.1:1/%s",
                       database);
        break;
    case KIND_URL_SECRET_IN_VARIABLE:
        assert_int_equal(setenv("DRAGOMAN_TEST_SECRET", SECRET, 1), 0);
        (void)snprintf(out, size,
                       "clickhouse://" READER "@127.0.0.1:%d/%s?password_env="
                       "DRAGOMAN_TEST_SECRET",
                       port, database);
        break;
    case KIND_URL_SECRET_IN_FILE:
        (void)snprintf(file, sizeof file, "%s.secret", path);
        FILE *secret = fopen(file, "w");
        assert_non_null(secret);
        (void)fputs(SECRET "\n", secret);
        assert_int_equal(fclose(secret), 0);
        (void)snprintf(out, size,
                       "clickhouse://" READER "@127.0.0.1:%d/%s?password_file=%s", port,
                       database, file);
        break;
    case KIND_URL_ENCRYPTED:
        (void)snprintf(out, size,
                       "clickhouse://" LOGIN ":%d/%s?secure=1&ca_file=%s/root.crt",
                       port + 4, database, folder);
        break;
    case KIND_URL_UNTRUSTED:
        (void)snprintf(out, size, "clickhouses://" LOGIN ":%d/%s", port + 4, database);
        break;
    }
}

/* Queries of dragoman that the server is working on at this moment. */
static long running(const char *path)
{
    char answer[64] = "-1";
    (void)path;
    (void)clickhouse_tell(
        1, "default", "SELECT count() FROM system.processes WHERE user = '" READER "'",
        answer, sizeof answer);
    return strtol(answer, NULL, 10);
}

/* A server cannot be told to end a connection: it is killed and started again. */
static void terminate(const char *path)
{
    (void)path;
    assert_int_equal(control("down"), 0);
    up();
}

static const struct typed values[] = {
    {"42", VALUE_INT, "42"},
    {"toInt16(-32768)", VALUE_INT, "-32768"},
    {"toInt64(-9223372036854775808)", VALUE_INT, "-9223372036854775808"},
    {"toInt64(9223372036854775807)", VALUE_INT, "9223372036854775807"},
    {"toUInt64(18446744073709551615)", VALUE_NUMBER, "18446744073709551615"},
    {"toDecimal32('1.50', 2)", VALUE_NUMBER, "1.50"},
    {"toDecimal64('-0.05', 4)", VALUE_NUMBER, "-0.0500"},
    {"toDecimal128('12345678901234567890.1234567890', 10)", VALUE_NUMBER,
     "12345678901234567890.1234567890"},
    {"toDecimal32('12', 0)", VALUE_INT, "12"},
    {"toFloat32(0.1)", VALUE_REAL, "0.1"},
    {"0.1", VALUE_REAL, "0.1"},
    {"0.1 + 0.2", VALUE_REAL, "0.30000000000000004"},
    {"0 / 0", VALUE_REAL, "NaN"},
    {"-1 / 0", VALUE_REAL, "-Infinity"},
    {"1 = 1", VALUE_INT, "1"},
    {"NULL", VALUE_NULL, ""},
    {"toNullable(toInt32(5))", VALUE_INT, "5"},
    {"CAST(NULL AS Nullable(String))", VALUE_NULL, ""},
    {"''", VALUE_TEXT, ""},
    {"'NULL'", VALUE_TEXT, "NULL"},
    {"'\\\\N'", VALUE_TEXT, "\\N"},
    {"'tab\\there\\nand\\\\there'", VALUE_TEXT, "tab\there\nand\\there"},
    {"'Code: 60, e.displayText() = DB::Exception: no'", VALUE_TEXT,
     "Code: 60, e.displayText() = DB::Exception: no"},
    {"'Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80'", VALUE_TEXT,
     "Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80"},
    {"toFixedString('ab', 4)", VALUE_TEXT, "ab"},
    {"unhex('00ff10')", VALUE_BLOB, "x'00ff10'"},
    {"toDate('2024-02-29')", VALUE_TEXT, "2024-02-29"},
    {"toDateTime('2024-01-31 23:59:59')", VALUE_TEXT, "2024-01-31 23:59:59"},
    {"toDateTime('2024-01-31 10:00:00', 'Asia/Tokyo')", VALUE_TEXT,
     "2024-01-31 10:00:00"},
    {"toTimeZone(toDateTime('2024-01-31 10:00:00'), 'Asia/Tokyo')", VALUE_TEXT,
     "2024-01-31 19:00:00"},
    {"toUUID('550e8400-e29b-41d4-a716-446655440000')", VALUE_TEXT,
     "550e8400-e29b-41d4-a716-446655440000"},
    {"CAST('b c' AS Enum8('a' = 1, 'b c' = 2))", VALUE_TEXT, "b c"},
    {"[1, NULL, 3]", VALUE_JSON, "[1,null,3]"},
    {"[[1, 2], [3]]", VALUE_JSON, "[[1,2],[3]]"},
    {"emptyArrayString()", VALUE_JSON, "[]"},
    {"['a b', 'say \"hi\"', 'back\\\\slash', '', 'NULL', 'it\\'s', '[x,y]', 'tab\\t']",
     VALUE_JSON,
     "[\"a b\",\"say \\\"hi\\\"\",\"back\\\\slash\",\"\",\"NULL\",\"it's\",\"[x,y]\","
     "\"tab\\t\"]"},
    {"[toDecimal32('1.50', 2), toDecimal32('2', 2)]", VALUE_JSON, "[\"1.50\",\"2.00\"]"},
    {"[toUInt64(18446744073709551615)]", VALUE_JSON, "[\"18446744073709551615\"]"},
    {"[toDate('2024-01-01')]", VALUE_JSON, "[\"2024-01-01\"]"},
    {"tuple(1, 'x', NULL)", VALUE_JSON, "[1,\"x\",null]"},
    {"[tuple(1, 'a'), tuple(2, 'b')]", VALUE_JSON, "[[1,\"a\"],[2,\"b\"]]"},
    {"(SELECT sum(number) FROM (SELECT number FROM system.numbers LIMIT 3))", VALUE_INT,
     "3"},
    {"count(*)", VALUE_INT, "1"},
    {NULL, VALUE_NULL, NULL},
};

static const char *const changes[] = {
    "CREATE TABLE more (a Int32) ENGINE = MergeTree ORDER BY a",
    "ALTER TABLE more ADD COLUMN b String",
    "ALTER TABLE more MODIFY COLUMN b Nullable(String)",
    "ALTER TABLE more MODIFY COLUMN b Nullable(String) DEFAULT 'x'",
    "ALTER TABLE more MODIFY COLUMN b Nullable(String) DEFAULT 'y'",
    "ALTER TABLE more COMMENT COLUMN b 'as printed'",
    "ALTER TABLE more DROP COLUMN b",
    "RENAME TABLE more TO less",
    "DROP TABLE less",
    "CREATE TABLE less (a Int32) ENGINE = Log",
    "DROP TABLE less; CREATE TABLE less (a Int32) ENGINE = MergeTree ORDER BY tuple()",
    "CREATE VIEW seen AS SELECT id FROM item",
    "DROP TABLE seen; CREATE VIEW seen AS SELECT id FROM item WHERE id > 1",
    "CREATE MATERIALIZED VIEW kept ENGINE = Log AS SELECT name FROM item",
    "CREATE DATABASE sales; CREATE TABLE sales.item (id Int32) ENGINE = Log",
    NULL,
};

static const char *const attacks[] = {
    "INSERT INTO item VALUES (9, 'x')",
    "INSERT INTO item SELECT * FROM item",
    "/* x */ INSERT INTO item VALUES (9, 'x')",
    "ALTER TABLE item DELETE WHERE 1",
    "ALTER TABLE item UPDATE name = 'x' WHERE 1",
    "ALTER TABLE item ADD COLUMN z Int32",
    "DELETE FROM item WHERE 1",
    "CREATE TABLE z (a Int32) ENGINE = Log",
    "CREATE TEMPORARY TABLE z (a Int32)",
    "CREATE TABLE z ENGINE = Log AS SELECT 1",
    "CREATE VIEW z AS SELECT 1",
    "CREATE DATABASE z",
    "DROP TABLE item",
    "TRUNCATE TABLE item",
    "RENAME TABLE item TO z",
    "DETACH TABLE item",
    "ATTACH TABLE z (a Int32) ENGINE = Log",
    "OPTIMIZE TABLE item FINAL",
    "SYSTEM SHUTDOWN",
    "SYSTEM DROP DNS CACHE",
    "KILL QUERY WHERE 1",
    "SET readonly = 0",
    "SET max_execution_time = 0",
    "USE system",
    "SHOW TABLES",
    "SHOW CREATE TABLE item",
    "DESCRIBE TABLE item",
    "EXPLAIN SELECT 1",
    "CHECK TABLE item",
    "SELECT 1 INTO OUTFILE '/tmp/dragoman-out'",
    "SELECT 1 FORMAT CSV",
    "SELECT 1 FORMAT JSON SETTINGS max_threads = 1",
    "SELECT 1 SETTINGS readonly = 0",
    "SELECT * FROM (SELECT 1 SETTINGS max_execution_time = 0)",
    "SELECT * FROM file('/etc/passwd', 'CSV', 'a String')",
    "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "SELECT * FROM mysql('127.0.0.1:1', 'd', 't', 'u', 'p')",
    "SELECT * FROM numbers(10)",
    "SELECT * FROM merge('system', 'one')",
    "SELECT 1; DROP TABLE item",
    "SELECT 1; SELECT 2",
    "SELECT 1 /* ; */; DROP TABLE item --",
    "SELECT 1 -- \n; DROP TABLE item",
    "",
    "-- nothing",
    ";",
    NULL,
};

static const struct kind_server server = {
    .start = start,
    .stop = stop,
    .up = up,
    .down = down,
    .url = url_of,
    .drop = drop,
    .running = running,
    .terminate = terminate,
    .port = port_get,
    .relaxed = "secure=0",
};

const struct kind kind_clickhouse = {
    .name = "clickhouse",
    .extension = "",
    .server = &server,
    .script = script,
    .integer = "Int32",
    .text = "String",
    .no_foreign_keys = true,
    .namespaces = true,
    .endless = "SELECT count() FROM system.numbers",
    .many = "SELECT number AS a, '0123456789012345678901234567890123456789012345678901"
            "23456789012345678901234567890123456789012345678901234567890123456789' AS b"
            " FROM system.numbers",
    .values = values,
    .changes = changes,
    .attacks = attacks,
    .huge = "SELECT name FROM item",
    .huge_script = "CREATE TABLE item (name String) ENGINE = Memory;"
                   "INSERT INTO item SELECT arrayStringConcat(arrayMap(x ->"
                   " 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',"
                   " range(6000000)), '')",
    .keys_measured = true,
    .no_windows = true,
    .more = suite_clickhouse,
};
