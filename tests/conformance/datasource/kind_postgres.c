/* PostgreSQL for the suite: a private server, and a database of its own for each test. */
#include <libpq-fe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance.h"
#include "kinds.h"

#define READER "reader"
#define SECRET "p@ss/w:rd"

static char folder[64];
static int port;

static int control(const char *what)
{
    char command[700];
    (void)snprintf(command, sizeof command, "cd / && %s %s %s %d %ld",
                   DRAGOMAN_POSTGRES_SERVER, what, folder, port, (long)getpid());
    int status = system(command); /* NOLINT(cert-env33-c) */
    return status < 0 ? -1 : status >> 8;
}

/* As the owner of everything, by the socket. */
static PGconn *connect_as_owner(const char *database)
{
    char text[400];
    (void)snprintf(text, sizeof text, "host=%s port=%d user=test dbname='%s'", folder,
                   port, database);
    PGconn *connection = PQconnectdb(text);
    if (PQstatus(connection) != CONNECTION_OK) {
        PQfinish(connection);
        return NULL;
    }
    return connection;
}

/* One number as answer, or -1. */
static long run(const char *database, const char *sql)
{
    PGconn *connection = connect_as_owner(database);
    PGresult *result = connection ? PQexec(connection, sql) : NULL;
    ExecStatusType status = PQresultStatus(result);
    long number = 0;
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        (void)fprintf(stderr, "%s\n",
                      result ? PQresultErrorMessage(result) : "no server");
        number = -1;
    } else if (status == PGRES_TUPLES_OK && PQntuples(result) > 0) {
        number = strtol(PQgetvalue(result, 0, 0), NULL, 10);
    }
    PQclear(result);
    PQfinish(connection);
    return number;
}

static int start(void)
{
    enum { TRIES = 4, STRIDE = 1777 };
    (void)snprintf(folder, sizeof folder, "/tmp/dragoman-postgres-XXXXXX");
    if (!mkdtemp(folder)) {
        return 1;
    }
    port = 20000 + (int)(getpid() % 10000);
    int status = control("start");
    if (status == 77) {
        (void)rmdir(folder);
        return status;
    }
    for (int i = 1; status != 0 && i < TRIES; i++) { /* somebody else has the port */
        port += STRIDE;
        status = control("up");
    }
    if (status != 0) {
        (void)control("stop");
        return 1;
    }
    /* Databases are copies of template1, rights included. */
    bool made = run("template1",
                    "CREATE ROLE " READER " LOGIN PASSWORD '" SECRET "';"
                    "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO " READER ";"
                    "ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO " READER) >= 0;
    return made ? 0 : 1;
}

static void stop(void)
{
    (void)control("stop");
}

static void down(void)
{
    assert_int_equal(control("down"), 0);
}

static void up(void)
{
    assert_int_equal(control("up"), 0);
}

static void up_plain(void)
{
    assert_int_equal(control("plain"), 0);
}

static int port_get(void)
{
    return port;
}

/* /tmp/dragoman-Ab12cd/shop -> dragoman-Ab12cd */
static const char *database_of(const char *path)
{
    static char name[64];
    const char *from = strchr(path + 1, '/');
    from = from ? from + 1 : path;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(from, "/"), from);
    return name;
}

static void script(const char *path, const char *sql)
{
    const char *database = database_of(path);
    PGconn *connection = connect_as_owner(database);
    if (!connection) {
        char create[128];
        (void)snprintf(create, sizeof create, "CREATE DATABASE \"%s\"", database);
        assert_true(run("postgres", create) >= 0);
        connection = connect_as_owner(database);
    }
    assert_non_null(connection);
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK &&
        PQresultStatus(result) != PGRES_TUPLES_OK) {
        fail_msg("the script failed: %s", PQresultErrorMessage(result));
    }
    PQclear(result);
    PQfinish(connection);
}

static void drop(const char *path)
{
    char sql[128];
    (void)snprintf(sql, sizeof sql, "DROP DATABASE IF EXISTS \"%s\" WITH (FORCE)",
                   database_of(path));
    (void)run("postgres", sql);
}

static void url(const char *path, const char *extra, char *out, size_t size)
{
    (void)snprintf(out, size,
                   "postgres://" READER ":p%%40ss%%2Fw%%3Ard@127.0.0.1:%d/%s%s%s", port,
                   database_of(path), extra ? "?" : "", extra ? extra : "");
}

static void url_of(enum kind_url form, const char *path, char *out, size_t size)
{
    char more[200];
    switch (form) {
    case KIND_URL_GOOD:
        url(path, NULL, out, size);
        break;
    case KIND_URL_WRONG_PASSWORD:
        (void)snprintf(out, size, "postgres://" READER ":hunter2@127.0.0.1:%d/%s", port,
                       database_of(path));
        break;
    case KIND_URL_WRONG_HOST: /* nobody listens there */
        (void)snprintf(out, size, "postgres://" READER ":hunter2@127.0.0.1:1/%s",
                       database_of(path));
        break;
    case KIND_URL_SECRET_IN_VARIABLE:
        assert_int_equal(setenv("DRAGOMAN_TEST_SECRET", SECRET, 1), 0);
        (void)snprintf(out, size,
                       "postgresql://" READER "@127.0.0.1:%d/%s?password_env="
                       "DRAGOMAN_TEST_SECRET",
                       port, database_of(path));
        break;
    case KIND_URL_SECRET_IN_FILE:
        (void)snprintf(more, sizeof more, "%s.secret", path);
        FILE *file = fopen(more, "w");
        assert_non_null(file);
        (void)fputs(SECRET "\n", file);
        assert_int_equal(fclose(file), 0);
        (void)snprintf(out, size,
                       "postgres://" READER "@127.0.0.1:%d/%s?password_file=%s", port,
                       database_of(path), more);
        break;
    case KIND_URL_ENCRYPTED:
        (void)snprintf(more, sizeof more, "sslmode=verify-full&sslrootcert=%s/root.crt",
                       folder);
        url(path, more, out, size);
        break;
    case KIND_URL_UNTRUSTED:
        (void)snprintf(more, sizeof more, "sslmode=verify-full&sslrootcert=%s.none",
                       path);
        url(path, more, out, size);
        break;
    }
}

/* Queries of dragoman that the server is working on at this moment. */
static long running(const char *path)
{
    char sql[300];
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM pg_stat_activity WHERE datname = '%s'"
                   " AND usename = '" READER "' AND state = 'active'",
                   database_of(path));
    /* A database made later is a copy of this one. */
    return run("template1", sql);
}

static void terminate(const char *path)
{
    char sql[300];
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE"
                   " datname = '%s' AND usename = '" READER "'",
                   database_of(path));
    assert_true(run("postgres", sql) >= 0);
}

enum { FROZEN_MOST = 32 };
static pid_t frozen[FROZEN_MOST];
static int frozen_count;

static void freeze(const char *path)
{
    char sql[300];
    (void)snprintf(sql, sizeof sql,
                   "SELECT pid FROM pg_stat_activity WHERE datname = '%s' AND usename = "
                   "'" READER "'",
                   database_of(path));
    PGconn *connection = connect_as_owner("postgres");
    PGresult *result = PQexec(connection, sql);
    for (frozen_count = 0; frozen_count < PQntuples(result) && frozen_count < FROZEN_MOST;
         frozen_count++) {
        long process = strtol(PQgetvalue(result, frozen_count, 0), NULL, 10);
        frozen[frozen_count] = (pid_t)process;
        assert_int_equal(kill(frozen[frozen_count], SIGSTOP), 0);
    }
    PQclear(result);
    PQfinish(connection);
}

static void thaw(void)
{
    while (frozen_count > 0) {
        assert_int_equal(kill(frozen[--frozen_count], SIGCONT), 0);
    }
}

static const struct typed values[] = {
    {"42", VALUE_INT, "42"},
    {"(-32768)::smallint", VALUE_INT, "-32768"},
    {"(-9223372036854775808)::bigint", VALUE_INT, "-9223372036854775808"},
    {"9223372036854775807::bigint", VALUE_INT, "9223372036854775807"},
    {"9223372036854775808", VALUE_NUMBER, "9223372036854775808"},
    {"1.50::numeric(4, 2)", VALUE_NUMBER, "1.50"},
    {"-0.05::numeric", VALUE_NUMBER, "-0.05"},
    {"12345678901234567890.123456789012345678901234567890::numeric", VALUE_NUMBER,
     "12345678901234567890.123456789012345678901234567890"},
    {"12::numeric(4, 0)", VALUE_INT, "12"},
    {"'NaN'::numeric", VALUE_REAL, "NaN"},
    {"0.1::real", VALUE_REAL, "0.1"},
    {"0.1::double precision", VALUE_REAL, "0.1"},
    {"0.30000000000000004::double precision", VALUE_REAL, "0.30000000000000004"},
    {"'-Infinity'::double precision", VALUE_REAL, "-Infinity"},
    {"true", VALUE_BOOL, "true"},
    {"false", VALUE_BOOL, "false"},
    {"NULL", VALUE_NULL, ""},
    {"NULL::integer[]", VALUE_NULL, ""},
    {"''", VALUE_TEXT, ""},
    {"'NULL'", VALUE_TEXT, "NULL"},
    {"'Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80'", VALUE_TEXT,
     "Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80"},
    {"'x'::char(3)", VALUE_TEXT, "x  "},
    {"'\\x00ff10'::bytea", VALUE_BLOB, "x'00ff10'"},
    {"''::bytea", VALUE_BLOB, "x''"},
    {"DATE '2024-02-29'", VALUE_TEXT, "2024-02-29"},
    {"DATE '0044-03-15 BC'", VALUE_TEXT, "0044-03-15 BC"},
    {"'infinity'::date", VALUE_TEXT, "infinity"},
    {"TIME '10:20:30.5'", VALUE_TEXT, "10:20:30.5"},
    {"'10:20:30+02:30'::timetz", VALUE_TEXT, "10:20:30+02:30"},
    {"TIMESTAMP '2024-01-31 23:59:59.123456'", VALUE_TEXT, "2024-01-31 23:59:59.123456"},
    {"'2024-01-31 10:00:00+02'::timestamptz", VALUE_TEXT, "2024-01-31 08:00:00+00"},
    {"INTERVAL '14 months 3 days 4 hours 5.5 seconds'", VALUE_TEXT, "P1Y2M3DT4H5.5S"},
    {"'550e8400-e29b-41d4-a716-446655440000'::uuid", VALUE_TEXT,
     "550e8400-e29b-41d4-a716-446655440000"},
    {"'01011'::bit(5)", VALUE_TEXT, "01011"},
    {"'10.0.0.1/8'::inet", VALUE_TEXT, "10.0.0.1/8"},
    {"'[1,5)'::int4range", VALUE_TEXT, "[1,5)"},
    {"ARRAY[1, NULL, 3]", VALUE_JSON, "[1,null,3]"},
    {"ARRAY[[1, 2], [3, 4]]", VALUE_JSON, "[[1,2],[3,4]]"},
    {"'[2:3]={7,8}'::integer[]", VALUE_JSON, "[7,8]"},
    {"'{}'::text[]", VALUE_JSON, "[]"},
    {"ARRAY['a b', 'say \"hi\"', 'back\\slash', '', 'NULL', '{x,y}']", VALUE_JSON,
     "[\"a b\",\"say \\\"hi\\\"\",\"back\\\\slash\",\"\",\"NULL\",\"{x,y}\"]"},
    {"ARRAY[1.50, 2]", VALUE_JSON, "[\"1.50\",2]"},
    {"ARRAY[true, false]", VALUE_JSON, "[true,false]"},
    {"ARRAY[DATE '2024-01-01']", VALUE_JSON, "[\"2024-01-01\"]"},
    {"'{\"a\": 1}'::json", VALUE_JSON, "{\"a\": 1}"},
    {"'{\"b\":[1,null]}'::jsonb", VALUE_JSON, "{\"b\": [1, null]}"},
    {"ROW(1, 'x')", VALUE_TEXT, "(1,x)"},
    {"(SELECT sum(x) FROM (VALUES (1), (2)) AS t(x))", VALUE_INT, "3"},
    {"count(*)", VALUE_INT, "1"},
    {NULL, VALUE_NULL, NULL},
};

static const char *const changes[] = {
    "CREATE TABLE more (a INTEGER)",
    "ALTER TABLE more ADD COLUMN b VARCHAR",
    "ALTER TABLE more RENAME COLUMN b TO c",
    "ALTER TABLE more ALTER COLUMN c TYPE INTEGER USING 1",
    "ALTER TABLE more ALTER COLUMN c SET NOT NULL",
    "ALTER TABLE more ALTER COLUMN c SET DEFAULT 5",
    "ALTER TABLE more ALTER COLUMN c SET DEFAULT 6",
    "ALTER TABLE more DROP COLUMN c",
    "ALTER TABLE more ADD PRIMARY KEY (a)",
    "ALTER TABLE more DROP CONSTRAINT more_pkey",
    "ALTER TABLE more ADD FOREIGN KEY (a) REFERENCES item (id)",
    "ALTER TABLE more RENAME TO less",
    "DROP TABLE less",
    "CREATE VIEW seen AS SELECT id FROM item",
    "CREATE OR REPLACE VIEW seen AS SELECT id FROM item WHERE id > 1",
    "DROP VIEW seen; CREATE VIEW seen AS SELECT name FROM item",
    "CREATE MATERIALIZED VIEW kept AS SELECT name FROM item",
    "CREATE INDEX by_name ON item (name)",
    "COMMENT ON TABLE item IS 'what we sell'",
    "COMMENT ON COLUMN item.name IS 'as printed'",
    "CREATE SCHEMA s; CREATE TABLE s.item (id INTEGER)",
    "ALTER SCHEMA s RENAME TO t",
    "CREATE TYPE mood AS ENUM ('sad', 'ok'); ALTER TABLE item ADD feels mood",
    "ALTER TYPE mood ADD VALUE 'happy'",
    "CREATE TABLE part (a INTEGER) PARTITION BY LIST (a)",
    "REVOKE SELECT ON item FROM test",
    NULL,
};

static const char *const attacks[] = {
    "INSERT INTO item VALUES (9, 'x')",
    "INSERT INTO item VALUES (9, 'x') RETURNING id",
    "UPDATE item SET name = 'x'",
    "DELETE FROM item",
    "MERGE INTO item USING item AS o ON true WHEN MATCHED THEN DELETE",
    "WITH x AS (SELECT 1) DELETE FROM item",
    "WITH x AS (DELETE FROM item RETURNING *) SELECT * FROM x",
    "SELECT * FROM item FOR UPDATE",
    "SELECT 1 AS a INTO newt",
    "EXPLAIN ANALYZE DELETE FROM item",
    "EXPLAIN ANALYZE SELECT 1",
    "EXPLAIN SELECT 1",
    "CREATE TABLE z (a INTEGER)",
    "CREATE TEMP TABLE z (a INTEGER)",
    "CREATE TEMP TABLE z AS SELECT * FROM item",
    "CREATE TEMP VIEW z AS SELECT 1",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE EXTENSION dblink",
    "DROP TABLE item",
    "ALTER TABLE item ADD COLUMN z INTEGER",
    "ALTER SYSTEM SET work_mem = '1GB'",
    "TRUNCATE item",
    "COPY item TO STDOUT",
    "COPY item TO '/tmp/out.csv'",
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "COPY item FROM PROGRAM 'echo 1,2'",
    "SET default_transaction_read_only = off",
    "SET transaction_read_only = off",
    "SET TRANSACTION READ WRITE",
    "SET statement_timeout = 0",
    "SET search_path = x",
    "SET ROLE test",
    "SET SESSION AUTHORIZATION test",
    "RESET ALL",
    "DISCARD ALL",
    "SHOW data_directory",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "START TRANSACTION READ WRITE",
    "SAVEPOINT s",
    "DO $$BEGIN DELETE FROM item; END$$",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "DECLARE c CURSOR FOR SELECT 1",
    "CALL x()",
    "LISTEN c",
    "NOTIFY c, 'x'",
    "LOCK TABLE item IN ACCESS EXCLUSIVE MODE",
    "VACUUM",
    "ANALYZE item",
    "CHECKPOINT",
    "REINDEX TABLE item",
    "LOAD 'dblink'",
    "GRANT ALL ON item TO PUBLIC",
    "COMMENT ON TABLE item IS 'x'",
    "SELECT nextval('numbers')",
    "SELECT setval('numbers', 99)",
    "SELECT set_config('transaction_read_only', 'off', false)",
    "SELECT pg_read_file('/etc/passwd', 0, 20)",
    "SELECT count(*) FROM pg_ls_dir('/')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT pg_reload_conf()",
    "SELECT pg_switch_wal()",
    "SELECT count(*) FROM pg_shadow",
    "SELECT query_to_xml('delete from item', true, true, '')",
    "SELECT 1; DROP TABLE item",
    "SELECT 1; SELECT 2",
    "SELECT 1; COMMIT; DROP TABLE item",
    "SELECT 1 /* ; */; DELETE FROM item --",
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
    .freeze = freeze,
    .thaw = thaw,
    .line = KIND_LINE_POSTGRES,
    .port = port_get,
    .rights = true,
    .up_plain = up_plain,
};

static const struct kind_type types[] = {
    {"INT", "BIGINT"},
    {"REAL", "DOUBLE PRECISION"},
    {"TEXT", "TEXT"},
    {"DATETIME", "TIMESTAMP"},
    {"DATE", "DATE"},
    {"TIMESTAMP", "TIMESTAMP"},
    {"BOOL", "BOOLEAN"},
    {"NUMERIC", "DOUBLE PRECISION"},
    {"DECIMAL", "DECIMAL(18, 2)"},
    {"VARCHAR", "VARCHAR"},
    {NULL, NULL},
};

static const struct kind_copy copy = {.types = types, .booleans = true};

const struct kind kind_postgres = {
    .name = "postgres",
    .copy = &copy,
    .extension = "",
    .server = &server,
    .script = script,
    .comments = true,
    .namespaces = true,
    .endless = "SELECT count(*) FROM generate_series(1, 10000000) a,"
               " generate_series(1, 10000000) b",
    .many = "SELECT generate_series(1, 100000000) AS a, repeat('x', 200)",
    .values = values,
    .changes = changes,
    .attacks = attacks,
    .writes = true,
    .may_write = "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " READER,
    .leftovers = leftovers_postgres,
    .leftovers_script = leftovers_postgres_script,
    .leave_many = "SELECT CASE i WHEN 1 THEN leave_prepared() END, i FROM"
                  " (SELECT generate_series(1, 100000000) AS i) AS s",
    .session = "SELECT pg_backend_pid()",
    .honest = true,
    .huge = "SELECT string_agg(name, '') AS text FROM item, generate_series(1, 1000)",
    .huge_error = "SELECT CAST(string_agg(name, '') AS integer) AS n FROM item,"
                  " generate_series(1, 1000)",
    .huge_script = "CREATE TABLE item (name text); INSERT INTO item VALUES"
                   " (repeat('x', 300000))",
    .more = suite_postgres,
};
