/* DuckDB for the suite: databases are made through the library that the driver loads. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance.h"
#include "datasource/duckdb/duckdb.h"
#include "kinds.h"

static void script(const char *path, const char *sql)
{
    struct err err;
    const struct duckdb_library *library = duckdb_library(&err);
    if (!library) {
        fail_msg("%s %s", err.message, err.detail);
        return;
    }
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    duckdb_result result;
    char *message = NULL;
    if (library->open_ext(path, &database, NULL, &message) != DuckDBSuccess) {
        fail_msg("%s", message);
    }
    assert_int_equal(library->connect(database, &connection), DuckDBSuccess);
    if (library->query(connection, sql, &result) != DuckDBSuccess) {
        fail_msg("the script failed: %s", library->result_error(&result));
    }
    library->destroy_result(&result);
    library->disconnect(&connection);
    library->close(&database);
}

struct held {
    pid_t child;
    int end; /* closing it lets the child go */
};

/* Locks belong to a process, so another one must hold it. */
static void *lock(const char *path)
{
    int ready[2];
    int end[2];
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(end), 0);
    pid_t child = fork();
    if (child == 0) {
        char byte = 0;
        (void)close(end[1]);
        int fd = open(path, O_RDWR | O_CLOEXEC);
        struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        byte = fcntl(fd, F_SETLK, &whole) == 0 ? 'y' : 'n';
        (void)!write(ready[1], &byte, 1);
        (void)!read(end[0], &byte, 1);
        _exit(0);
    }
    char answer = 0;
    assert_int_equal(read(ready[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    (void)close(ready[0]);
    (void)close(ready[1]);
    (void)close(end[0]);
    struct held *held = malloc(sizeof *held);
    assert_non_null(held);
    *held = (struct held){.child = child, .end = end[1]};
    return held;
}

static void unlock(void *context)
{
    struct held *held = context;
    (void)close(held->end);
    (void)waitpid(held->child, NULL, 0);
    free(held);
}

static const struct typed values[] = {
    {"42", VALUE_INT, "42"},
    {"(-128)::TINYINT", VALUE_INT, "-128"},
    {"255::UTINYINT", VALUE_INT, "255"},
    {"(-32768)::SMALLINT", VALUE_INT, "-32768"},
    {"65535::USMALLINT", VALUE_INT, "65535"},
    {"4294967295::UINTEGER", VALUE_INT, "4294967295"},
    {"(-9223372036854775808)::BIGINT", VALUE_INT, "-9223372036854775808"},
    {"9223372036854775807::BIGINT", VALUE_INT, "9223372036854775807"},
    {"18446744073709551615::UBIGINT", VALUE_NUMBER, "18446744073709551615"},
    {"7::UBIGINT", VALUE_INT, "7"},
    {"170141183460469231731687303715884105727::HUGEINT", VALUE_NUMBER,
     "170141183460469231731687303715884105727"},
    {"(-9223372036854775809)::HUGEINT", VALUE_NUMBER, "-9223372036854775809"},
    {"12::HUGEINT", VALUE_INT, "12"},
    {"(-12)::HUGEINT", VALUE_INT, "-12"},
    {"340282366920938463463374607431768211455::UHUGEINT", VALUE_NUMBER,
     "340282366920938463463374607431768211455"},
    {"1.50::DECIMAL(4, 2)", VALUE_NUMBER, "1.50"},
    {"-0.05::DECIMAL(9, 2)", VALUE_NUMBER, "-0.05"},
    {"123456789.123456789::DECIMAL(18, 9)", VALUE_NUMBER, "123456789.123456789"},
    {"-12345678901234567890.123456789::DECIMAL(38, 9)", VALUE_NUMBER,
     "-12345678901234567890.123456789"},
    {"12::DECIMAL(4, 0)", VALUE_INT, "12"},
    {"0.1::FLOAT", VALUE_REAL, "0.1"},
    {"0.1::DOUBLE", VALUE_REAL, "0.1"},
    {"true", VALUE_BOOL, "true"},
    {"false", VALUE_BOOL, "false"},
    {"NULL", VALUE_NULL, ""},
    {"NULL::INTEGER[]", VALUE_NULL, ""},
    {"'short'", VALUE_TEXT, "short"},
    {"''", VALUE_TEXT, ""},
    {"'a text that is longer than twelve bytes'", VALUE_TEXT,
     "a text that is longer than twelve bytes"},
    {"'Gr\xC3\xBC\xC3\x9F dich'", VALUE_TEXT, "Gr\xC3\xBC\xC3\x9F dich"},
    {"'\\x00\\xFF\\x10'::BLOB", VALUE_BLOB, "x'00ff10'"},
    {"DATE '2024-02-29'", VALUE_TEXT, "2024-02-29"},
    {"DATE '1969-12-31'", VALUE_TEXT, "1969-12-31"},
    {"DATE '0044-03-15 (BC)'", VALUE_TEXT, "0044-03-15 (BC)"},
    {"'infinity'::DATE", VALUE_TEXT, "infinity"},
    {"TIME '10:20:30.5'", VALUE_TEXT, "10:20:30.5"},
    {"TIME '00:00:00'", VALUE_TEXT, "00:00:00"},
    {"'10:20:30+02:30'::TIMETZ", VALUE_TEXT, "10:20:30+02:30"},
    {"TIMESTAMP '2024-01-31 23:59:59.123456'", VALUE_TEXT, "2024-01-31 23:59:59.123456"},
    {"TIMESTAMP '1969-12-31 23:59:59'", VALUE_TEXT, "1969-12-31 23:59:59"},
    {"TIMESTAMP_S '2024-01-31 10:00:00'", VALUE_TEXT, "2024-01-31 10:00:00"},
    {"TIMESTAMP_MS '2024-01-31 10:00:00.25'", VALUE_TEXT, "2024-01-31 10:00:00.25"},
    {"TIMESTAMP_NS '2024-01-31 10:00:00.000000001'", VALUE_TEXT,
     "2024-01-31 10:00:00.000000001"},
    {"'2024-01-31 10:00:00+02'::TIMESTAMPTZ", VALUE_TEXT, "2024-01-31 08:00:00+00"},
    {"'-infinity'::TIMESTAMP", VALUE_TEXT, "-infinity"},
    {"INTERVAL '14 months 3 days 4 hours 5 minutes 6.5 seconds'", VALUE_TEXT,
     "P1Y2M3DT4H5M6.500000S"},
    {"INTERVAL '0 days'", VALUE_TEXT, "PT0S"},
    {"'550e8400-e29b-41d4-a716-446655440000'::UUID", VALUE_TEXT,
     "550e8400-e29b-41d4-a716-446655440000"},
    {"'01011'::BIT", VALUE_TEXT, "01011"},
    {"'b'::ENUM('a', 'b')", VALUE_TEXT, "b"},
    {"[1, NULL, 3]", VALUE_JSON, "[1,null,3]"},
    {"[['a'], []]", VALUE_JSON, "[[\"a\"],[]]"},
    {"[1, 2]::INTEGER[2]", VALUE_JSON, "[1,2]"},
    {"{'a': 1, 'b': ['x', 'y'], 'c': DATE '2024-01-01'}", VALUE_JSON,
     "{\"a\":1,\"b\":[\"x\",\"y\"],\"c\":\"2024-01-01\"}"},
    {"MAP {'k': 1, 'l': 2}", VALUE_JSON, "{\"k\":1,\"l\":2}"},
    {"MAP {1: 'x'}", VALUE_JSON, "{\"1\":\"x\"}"},
    {"'{\"a\": 1}'::JSON", VALUE_JSON, "{\"a\": 1}"},
    {"union_value(n := 5)", VALUE_INT, "5"},
    {"(SELECT sum(x) FROM (VALUES (1), (2)) AS t(x))", VALUE_INT, "3"},
    {NULL, VALUE_NULL, NULL},
};

static const char *const changes[] = {
    "CREATE TABLE more (a INTEGER)",
    "ALTER TABLE more ADD COLUMN b VARCHAR",
    "ALTER TABLE more RENAME COLUMN b TO c",
    "ALTER TABLE more ALTER COLUMN c TYPE INTEGER",
    "ALTER TABLE more ALTER COLUMN c SET NOT NULL",
    "ALTER TABLE more DROP COLUMN c",
    "ALTER TABLE more RENAME TO less",
    "DROP TABLE less",
    "CREATE TABLE other (a INTEGER)",
    "DROP TABLE other; CREATE TABLE other (a INTEGER PRIMARY KEY)",
    "DROP TABLE other; CREATE TABLE other (a INTEGER REFERENCES item (id))",
    "CREATE VIEW seen AS SELECT id FROM item",
    "CREATE OR REPLACE VIEW seen AS SELECT name FROM item",
    "CREATE INDEX by_name ON item (name)",
    "COMMENT ON TABLE item IS 'what we sell'",
    "CREATE SCHEMA s; CREATE TABLE s.item (id INTEGER)",
    NULL,
};

static const char *const attacks[] = {
    "INSERT INTO item VALUES (9, 'x')",
    "INSERT INTO item VALUES (9, 'x') RETURNING id",
    "UPDATE item SET name = 'x'",
    "DELETE FROM item",
    "WITH x AS (SELECT 1) DELETE FROM item",
    "EXPLAIN ANALYZE DELETE FROM item",
    "EXPLAIN ANALYZE SELECT 1",
    "CREATE TABLE z (a INTEGER)",
    "CREATE TEMP TABLE z (a INTEGER)",
    "CREATE TEMP TABLE z AS SELECT * FROM item",
    "CREATE TEMP VIEW z AS SELECT 1",
    "CREATE TEMP MACRO m() AS TABLE SELECT 1",
    "CREATE SECRET (TYPE s3, KEY_ID 'a', SECRET 'b')",
    "DROP TABLE item",
    "ALTER TABLE item ADD COLUMN z INTEGER",
    "TRUNCATE item",
    "ATTACH 'new.duckdb' AS n",
    "ATTACH ':memory:' AS n",
    "DETACH shop",
    "USE memory",
    "COPY item TO 'out.csv'",
    "COPY (SELECT 1) TO 'out.parquet' (FORMAT parquet)",
    "COPY item FROM 'in.csv'",
    "EXPORT DATABASE 'out'",
    "IMPORT DATABASE 'out'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET memory_limit = '500GB'",
    "SET threads = 128",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET VARIABLE x = 1",
    "RESET enable_external_access",
    "PRAGMA database_list",
    "PRAGMA show_tables",
    "PRAGMA enable_profiling = 'json'",
    "CALL pragma_version()",
    "CALL enable_logging()",
    "CHECKPOINT",
    "VACUUM",
    "BEGIN",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "DESCRIBE item",
    "SUMMARIZE item",
    "SHOW ALL TABLES",
    "SELECT * FROM read_csv('/etc/passwd', sep = ':')",
    "SELECT content FROM read_text('/etc/hostname')",
    "SELECT * FROM '/etc/passwd'",
    "FROM 'in.csv'",
    "SELECT * FROM glob('/etc/*')",
    "SELECT (SELECT content FROM read_text('/etc/hostname'))",
    "SELECT * FROM sniff_csv('in.csv')",
    "SELECT * FROM read_parquet('x.parquet')",
    "SELECT * FROM 'https://host.example/x.csv'",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_secrets()",
    "SELECT path FROM duckdb_databases()",
    "SELECT * FROM duckdb_logs",
    "SELECT * FROM pg_catalog.pg_tables",
    "SELECT * FROM information_schema.tables",
    "SELECT getenv('HOME')",
    "SELECT current_setting('home_directory')",
    "SELECT write_log('x')",
    "SELECT nextval('s')",
    "SELECT * FROM query('SELECT * FROM item')",
    "SELECT * FROM query_table('item')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
    "SELECT * FROM sqlite_scan('a', 'b')",
    "SELECT * FROM postgres_scan('', '', '')",
    "SELECT * FROM pragma_version()",
    "SELECT 1; DROP TABLE item",
    "SELECT 1; SELECT 2",
    "",
    "-- nothing",
    NULL,
};

static const struct kind_type types[] = {
    {"INT", "BIGINT"},         {"REAL", "DOUBLE"},    {"TEXT", "VARCHAR"},
    {"DATETIME", "TIMESTAMP"}, {"DATE", "DATE"},      {"TIMESTAMP", "TIMESTAMP"},
    {"BOOL", "BOOLEAN"},       {"NUMERIC", "DOUBLE"}, {"DECIMAL", "DECIMAL(18, 2)"},
    {"VARCHAR", "VARCHAR"},    {NULL, NULL},
};

static const struct kind_copy copy = {.types = types, .booleans = true};

static const struct leftover leftovers[] = {
    {.what = "a temporary table",
     .leave = "CREATE TEMP TABLE left_behind AS SELECT 1",
     .refused = true,
     .probe = "SELECT count(*) FROM left_behind"},
    {.what = "a setting",
     .leave = "SET default_null_order = 'nulls_first'",
     .refused = true,
     .probe = "SELECT a FROM (VALUES (NULL), (1)) t(a) ORDER BY a LIMIT 1",
     .clean = "1"},
    {.what = "a variable",
     .leave = "SET VARIABLE left_behind = 7",
     .refused = true,
     .probe = "SELECT getvariable('left_behind')"},
    {.what = "a macro",
     .leave = "CREATE TEMP MACRO left_behind() AS 1",
     .refused = true,
     .probe = "SELECT left_behind()"},
    {.what = "a prepared statement",
     .leave = "PREPARE left_behind AS SELECT 1",
     .refused = true,
     .probe = "EXECUTE left_behind"},
    {.what = NULL},
};

const struct kind kind_duckdb = {
    .name = "duckdb",
    .copy = &copy,
    .extension = ".duckdb",
    .script = script,
    .lock = lock,
    .unlock = unlock,
    .comments = true,
    .namespaces = true,
    .endless = "WITH RECURSIVE n(x) AS (SELECT 1::BIGINT UNION ALL SELECT x + 1 FROM n) "
               "SELECT count(*) FROM n",
    .values = values,
    .changes = changes,
    .attacks = attacks,
    .writes = true,
    .leftovers = leftovers,
    .leftovers_script = "CREATE TABLE item (id INTEGER); INSERT INTO item VALUES (1)",
    .honest = true,
};
