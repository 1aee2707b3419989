/* BigQuery for the suite: a peer of ours that speaks its interface (bigquery-peer.cjs),
 * since no real server can be had. Each test has a dataset of its own. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include "base/webclient.h"
#include "conformance.h"
#include "kind_bigquery.h"
#include "kinds.h"

#define SECRET "p@ss-token"

static char folder[64];
static int port;
static pid_t peer;
static struct webclient *client;

long bigquery_tell(const char *what, const char *dataset, const char *sql,
                   const char *figure)
{
    char url[300];
    struct webclient_reply reply;
    struct err err;
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/admin/%s?dataset=%s", port, what,
                   dataset);
    const struct webclient_request request = {.method = "POST",
                                              .url = url,
                                              .body = sql,
                                              .body_size = sql ? strlen(sql) : 0,
                                              .deadline_ms = clock_ms() + 60000};
    long number = -1;
    bool came = webclient_call(client, &request, &reply, &err);
    struct arena *arena = arena_new();
    if (came && reply.status == 200) {
        const json_t *answer =
            json_parse(arena, buf_get(&reply.body), reply.body.size, &err);
        number = figure ? (long)json_int_at(answer, figure, -1) : 0;
    } else if (came) {
        (void)fprintf(stderr, "%s\n", buf_get(&reply.body));
    }
    arena_free(arena);
    webclient_reply_release(&reply);
    return number;
}

static bool up_try(void)
{
    enum { TRIES = 300 };
    char number[16];
    char owner[16];
    (void)snprintf(number, sizeof number, "%d", port);
    (void)snprintf(owner, sizeof owner, "%ld", (long)getpid());
    peer = fork();
    if (peer == 0) {
        (void)execlp("node", "node", DRAGOMAN_BIGQUERY_PEER, folder, number, owner,
                     (char *)NULL);
        _exit(127);
    }
    for (int i = 0; peer > 0 && i < TRIES; i++) {
        if (bigquery_tell("look", "x", "", NULL) >= 0) {
            return true;
        }
        if (waitpid(peer, NULL, WNOHANG) == peer) {
            return false; /* somebody else has the port */
        }
        (void)usleep(20000);
    }
    return false;
}

static void down(void)
{
    assert_int_equal(kill(peer, SIGKILL), 0);
    assert_int_equal(waitpid(peer, NULL, 0), peer);
}

static void up(void)
{
    assert_true(up_try());
}

static int start(void)
{
    enum { TRIES = 4, STRIDE = 1777 };
    struct err err;
    if (system("command -v node >/dev/null && command -v sqlite3 >/dev/null") != 0) {
        return 77; /* NOLINT(cert-env33-c) */
    }
    (void)snprintf(folder, sizeof folder, "/tmp/dragoman-bigquery-XXXXXX");
    client = webclient_new(NULL, &err);
    if (!client || !mkdtemp(folder)) {
        return 1;
    }
    port = 20000 + (int)(getpid() % 4000) * 2;
    for (int i = 0; i < TRIES; i++) {
        if (up_try()) {
            return 0;
        }
        port += STRIDE;
    }
    return 1;
}

static void stop(void)
{
    char command[100];
    down();
    webclient_free(client);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    int status = system(command); /* NOLINT(cert-env33-c) */
    (void)status;
}

const char *bigquery_folder(void)
{
    return folder;
}

/* /tmp/dragoman-Ab12cd/shop -> dragoman_Ab12cd */
const char *bigquery_dataset(const char *path)
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
    if (bigquery_tell("script", bigquery_dataset(path), sql, NULL) < 0) {
        fail_msg("the script failed: %.200s", sql);
    }
}

static void drop(const char *path)
{
    (void)bigquery_tell("drop", bigquery_dataset(path), "", NULL);
}

/* Where the peer is, is said by the environment; the right to ask, by the URL. */
static void url_of(enum kind_url form, const char *path, char *out, size_t size)
{
    char host[64];
    char more[300];
    bool secure = form == KIND_URL_ENCRYPTED || form == KIND_URL_UNTRUSTED;
    (void)snprintf(host, sizeof host, secure ? "https://127.0.0.1:%d" : "127.0.0.1:%d",
                   form == KIND_URL_WRONG_HOST ? 1 : port + secure);
    assert_int_equal(setenv("BIGQUERY_EMULATOR_HOST", host, 1), 0);
    (void)snprintf(more, sizeof more, "credentials=%s/good.json&datasets=sales", folder);
    if (form == KIND_URL_WRONG_PASSWORD) {
        (void)snprintf(more, sizeof more, "credentials=%s/wrong.json", folder);
    } else if (form == KIND_URL_SECRET_IN_VARIABLE) {
        assert_int_equal(setenv("DRAGOMAN_TEST_SECRET", SECRET, 1), 0);
        (void)snprintf(more, sizeof more, "token_env=DRAGOMAN_TEST_SECRET");
    } else if (form == KIND_URL_SECRET_IN_FILE) {
        (void)snprintf(more, sizeof more, "token_file=%s.secret", path);
        FILE *secret = fopen(more + strlen("token_file="), "w");
        assert_non_null(secret);
        (void)fputs(SECRET "\n", secret);
        assert_int_equal(fclose(secret), 0);
    } else if (form == KIND_URL_ENCRYPTED) {
        (void)snprintf(more, sizeof more, "credentials=%s/good.json&ca_file=%s/root.crt",
                       folder, folder);
    }
    (void)snprintf(out, size, "bigquery://test-project/%s?%s", bigquery_dataset(path),
                   more);
}

static long running(const char *path)
{
    (void)path;
    return bigquery_tell("look", "x", "", "running");
}

/* All connections end, and the peer forgets its jobs and tokens. */
static void terminate(const char *path)
{
    (void)path;
    down();
    up();
}

/* Names stand in backticks. */
static const char *translate(struct arena *arena, const char *sql)
{
    struct buf out;
    bool quoted = false;
    bool text = false;
    buf_init(&out, 1 << 20);
    for (const char *at = sql; *at; at++) {
        text = *at == '\'' && !quoted ? !text : text;
        if (*at == '"' && !text && quoted && at[1] == '"') {
            (void)buf_char(&out, *at++);
        } else if (*at == '"' && !text) {
            quoted = !quoted;
            (void)buf_char(&out, '`');
        } else {
            (void)buf_char(&out, *at);
        }
    }
    const char *done = buf_clone(&out, arena);
    buf_release(&out);
    return done;
}

static const struct typed values[] = {
    {"42", VALUE_INT, "42"},
    {"9223372036854775807", VALUE_INT, "9223372036854775807"},
    {"NUMERIC '1.50'", VALUE_NUMBER, "1.5"},
    {"NUMERIC '12345678901234567890123456789.123456789'", VALUE_NUMBER,
     "12345678901234567890123456789.123456789"},
    {"BIGNUMERIC '0.12345678901234567890123456789012345678'", VALUE_NUMBER,
     "0.12345678901234567890123456789012345678"},
    {"NUMERIC '7'", VALUE_INT, "7"},
    {"CAST(0.1 AS FLOAT64)", VALUE_REAL, "0.1"},
    {"CAST('NaN' AS FLOAT64)", VALUE_REAL, "NaN"},
    {"CAST('-inf' AS FLOAT64)", VALUE_REAL, "-Infinity"},
    {"1e300", VALUE_REAL, "1e+300"},
    {"TRUE", VALUE_BOOL, "true"},
    {"FALSE", VALUE_BOOL, "false"},
    {"NULL", VALUE_NULL, ""},
    {"''", VALUE_TEXT, ""},
    {"'Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80'", VALUE_TEXT,
     "Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80"},
    {"b'\\x00\\xff\\x10'", VALUE_BLOB, "x'00ff10'"},
    {"b'ab'", VALUE_BLOB, "x'6162'"},
    {"b''", VALUE_BLOB, "x''"},
    {"DATE '2024-02-29'", VALUE_TEXT, "2024-02-29"},
    {"TIME '10:20:30.5'", VALUE_TEXT, "10:20:30.500000"},
    {"DATETIME '2024-01-31 10:00:00'", VALUE_TEXT, "2024-01-31 10:00:00"},
    {"TIMESTAMP '2024-01-31 10:00:00.123456+02'", VALUE_TEXT,
     "2024-01-31 08:00:00.123456+00"},
    {"TIMESTAMP '2024-01-31 08:00:00+00'", VALUE_TEXT, "2024-01-31 08:00:00+00"},
    {"TIMESTAMP '1969-12-31 23:59:59.5+00'", VALUE_TEXT, "1969-12-31 23:59:59.5+00"},
    {"TIMESTAMP '0001-01-01 00:00:00+00'", VALUE_TEXT, "0001-01-01 00:00:00+00"},
    {"TIMESTAMP '9999-12-31 23:59:59.999999+00'", VALUE_TEXT,
     "9999-12-31 23:59:59.999999+00"},
    {"TIMESTAMP '2024-01-31 08:00:00.5+00'", VALUE_TEXT, "2024-01-31 08:00:00.5+00"},
    {"INTERVAL '1-2 3 4:5:6' YEAR TO SECOND", VALUE_TEXT, "1-2 3 4:5:6"},
    {"JSON '{\"a\": [1, null]}'", VALUE_JSON, "{\"a\":[1,null]}"},
    {"ST_GEOGPOINT(7, 50)", VALUE_TEXT, "POINT(7 50)"},
    {"[1, 2]", VALUE_JSON, "[1,2]"},
    {"ARRAY<STRING>[]", VALUE_JSON, "[]"},
    {"[NUMERIC '1.5']", VALUE_JSON, "[\"1.5\"]"},
    {"STRUCT(1 AS a, 'x' AS b, NULL AS c)", VALUE_JSON,
     "{\"a\":1,\"b\":\"x\",\"c\":null}"},
    {"[STRUCT([TRUE] AS a)]", VALUE_JSON, "[{\"a\":[true]}]"},
    {"count(*)", VALUE_INT, "1"},
    {NULL, VALUE_NULL, NULL},
};

static const char *const changes[] = {
    "CREATE TABLE more (a INTEGER)",
    "ALTER TABLE more ADD COLUMN b VARCHAR",
    "ALTER TABLE more RENAME COLUMN b TO c",
    "ALTER TABLE more DROP COLUMN c",
    "ALTER TABLE more RENAME TO less",
    "DROP TABLE less",
    "CREATE TABLE less (a INTEGER PRIMARY KEY)",
    "DROP TABLE less; CREATE TABLE less (a INTEGER NOT NULL)",
    "DROP TABLE less; CREATE TABLE less (a VARCHAR NOT NULL)",
    "DROP TABLE less; CREATE TABLE less (a VARCHAR NOT NULL DEFAULT 'x')",
    "CREATE TABLE child (id INTEGER REFERENCES item (id))",
    "CREATE VIEW seen AS SELECT id FROM item",
    "DROP VIEW seen; CREATE VIEW seen AS SELECT id FROM item WHERE id > 1",
    "COMMENT ON TABLE item IS 'what we sell'",
    "COMMENT ON COLUMN item.name IS 'as printed'",
    "CREATE SCHEMA sales; CREATE TABLE sales.item (id INTEGER)",
    NULL,
};

static const char *const attacks[] = {
    "INSERT INTO item VALUES (9, 'x')",
    "UPDATE item SET name = 'x' WHERE TRUE",
    "DELETE FROM item WHERE TRUE",
    "MERGE item USING item AS o ON TRUE WHEN MATCHED THEN DELETE",
    "TRUNCATE TABLE item",
    "CREATE TABLE z (a INT64)",
    "CREATE TEMP TABLE z AS SELECT 1",
    "CREATE OR REPLACE TABLE item AS SELECT 1 AS id",
    "CREATE FUNCTION f() AS (1)",
    "CREATE MODEL m OPTIONS (model_type = 'linear_reg') AS SELECT 1",
    "DROP TABLE item",
    "ALTER TABLE item ADD COLUMN z INT64",
    "EXPORT DATA OPTIONS (uri = 'gs://x/*', format = 'CSV') AS SELECT * FROM item",
    "LOAD DATA INTO item FROM FILES (uris = ['gs://x'])",
    "GRANT `roles/bigquery.dataOwner` ON TABLE item TO 'user:x@example.com'",
    "CALL p()",
    "DECLARE x INT64",
    "SET x = 1",
    "EXECUTE IMMEDIATE 'DROP TABLE item'",
    "BEGIN TRANSACTION",
    "ASSERT TRUE",
    "SELECT 1; DROP TABLE item",
    "SELECT 1; SELECT 2",
    "SELECT 1 /* ; */; DELETE FROM item WHERE TRUE --",
    "",
    "-- nothing",
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
};

#define NUMBERS "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c"

const struct kind kind_bigquery = {
    .name = "bigquery",
    .extension = "",
    .server = &server,
    .script = script,
    .translate = translate,
    .integer = "INT64",
    .text = "STRING",
    .no_indexes = true,
    .views_not_read = true,
    .comments = true,
    .namespaces = true,
    .endless = NUMBERS ") SELECT count(*) AS n FROM c",
    .many = NUMBERS " LIMIT 200000) SELECT x AS a, 'some text in every row' AS b FROM c",
    .values = values,
    .changes = changes,
    .attacks = attacks,
    .more = suite_bigquery,
};
