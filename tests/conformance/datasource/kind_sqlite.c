/* SQLite for the suite: databases are made through its own library. */
#include <sqlite3.h>

#include "conformance.h"
#include "kinds.h"

static sqlite3 *open_file(const char *path)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    return db;
}

static void script(const char *path, const char *sql)
{
    sqlite3 *db = open_file(path);
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) {
        fail_msg("the script failed: %s", message);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void *lock(const char *path)
{
    sqlite3 *db = open_file(path);
    assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    return db;
}

static void unlock(void *held)
{
    assert_int_equal(sqlite3_exec(held, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(held), SQLITE_OK);
}

static const char *const attacks[] = {
    "INSERT INTO item VALUES (9, 'x')",
    "INSERT INTO item VALUES (9, 'x') RETURNING id",
    "UPDATE item SET name = 'x'",
    "DELETE FROM item",
    "REPLACE INTO item VALUES (1, 'x')",
    "WITH x AS (SELECT 1) DELETE FROM item",
    "EXPLAIN DELETE FROM item",
    "CREATE TABLE z (a)",
    "CREATE TEMP TABLE z (a)",
    "CREATE TEMP TABLE z AS SELECT * FROM item",
    "CREATE TEMP VIEW z AS SELECT 1",
    "CREATE VIRTUAL TABLE temp.v USING fts5(x)",
    "CREATE INDEX i ON item (name)",
    "DROP TABLE item",
    "ALTER TABLE item ADD COLUMN z",
    "ATTACH 'new.db' AS n",
    "ATTACH 'file:new2.db?mode=rwc' AS n",
    "DETACH main",
    "VACUUM",
    "VACUUM INTO 'copy.db'",
    "ANALYZE",
    "REINDEX",
    "BEGIN",
    "BEGIN EXCLUSIVE",
    "SAVEPOINT s",
    "PRAGMA query_only = 0",
    "PRAGMA writable_schema = ON",
    "PRAGMA journal_mode = WAL",
    "PRAGMA user_version = 7",
    "PRAGMA database_list",
    "PRAGMA table_info(item)",
    "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA mmap_size = 9999999999",
    "SELECT file FROM pragma_database_list",
    "SELECT name FROM pragma_function_list LIMIT 1",
    "SELECT sql FROM sqlite_master",
    "SELECT * FROM sqlite_schema",
    "SELECT * FROM sqlite_temp_master",
    "SELECT count(*) FROM sqlite_master",
    "SELECT 1 FROM item WHERE EXISTS (SELECT 1 FROM SQLITE_MASTER)",
    "SELECT * FROM dbstat LIMIT 1",
    "SELECT * FROM sqlite_stmt",
    "SELECT load_extension('x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT hex(randomblob(10))",
    "SELECT length(zeroblob(1000000000))",
    "SELECT length(printf('%.*c', 900000000, 'x'))",
    "SELECT sqlite_compileoption_get(0)",
    "SELECT sqlite_version()",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('o.txt', 'x')",
    "SELECT edit('x')",
    "SELECT 1; DROP TABLE item",
    "SELECT 1; SELECT 2",
    "SELECT 1 /* ; */; DELETE FROM item --",
    "",
    "-- nothing",
    NULL,
};

static const struct typed values[] = {
    {"42", VALUE_INT, "42"},
    {"9223372036854775807", VALUE_INT, "9223372036854775807"},
    {"-9223372036854775807 - 1", VALUE_INT, "-9223372036854775808"},
    {"1.5", VALUE_REAL, "1.5"},
    {"0.1", VALUE_REAL, "0.1"},
    {"'Gr\xC3\xBC\xC3\x9F dich'", VALUE_TEXT, "Gr\xC3\xBC\xC3\x9F dich"},
    {"''", VALUE_TEXT, ""},
    {"NULL", VALUE_NULL, ""},
    {"x'00ff10'", VALUE_BLOB, "x'00ff10'"},
    {"x''", VALUE_BLOB, "x''"},
    {"CAST(x'41ff42' AS TEXT)", VALUE_TEXT,
     "A\xEF\xBF\xBD"
     "B"},
    {"date('2024-02-28', '+1 day')", VALUE_TEXT, "2024-02-29"},
    {"json_extract('{\"a\":[1,2]}', '$.a')", VALUE_TEXT, "[1,2]"},
    {"1 = 1", VALUE_INT, "1"},
    {NULL, VALUE_NULL, NULL},
};

static const char *const changes[] = {
    "CREATE TABLE more (a INTEGER)",
    "ALTER TABLE more ADD COLUMN b TEXT",
    "ALTER TABLE more RENAME COLUMN b TO c",
    "ALTER TABLE more DROP COLUMN c",
    "ALTER TABLE more RENAME TO less",
    "DROP TABLE less",
    "CREATE TABLE other (a INTEGER)",
    "DROP TABLE other; CREATE TABLE other (a TEXT)",
    "DROP TABLE other; CREATE TABLE other (a TEXT NOT NULL)",
    "DROP TABLE other; CREATE TABLE other (a TEXT NOT NULL PRIMARY KEY)",
    "DROP TABLE other; CREATE TABLE other (a INTEGER REFERENCES item (id))",
    "CREATE VIEW seen AS SELECT id FROM item",
    "DROP VIEW seen; CREATE VIEW seen AS SELECT name FROM item",
    "CREATE INDEX by_name ON item (name)",
    NULL,
};

static const struct leftover leftovers[] = {
    {.what = "a temporary table",
     .leave = "CREATE TEMP TABLE left_behind AS SELECT 1",
     .refused = true,
     .probe = "SELECT count(*) FROM left_behind"},
    {.what = "how texts are compared",
     .leave = "PRAGMA case_sensitive_like = ON",
     .refused = true,
     .probe = "SELECT 'A' LIKE 'a'",
     .clean = "1"},
    {.what = "another database",
     .leave = "ATTACH ':memory:' AS left_behind",
     .refused = true,
     .probe = "SELECT count(*) FROM left_behind.item"},
    {.what = "a transaction",
     .leave = "BEGIN",
     .refused = true,
     .probe = "SELECT count(*) FROM item",
     .clean = "1"},
    {.what = NULL},
};

const struct kind kind_sqlite = {
    .name = "sqlite",
    .extension = ".db",
    .script = script,
    .lock = lock,
    .unlock = unlock,
    .writes = true,
    .endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
               "SELECT count(*) FROM n",
    .values = values,
    .changes = changes,
    .attacks = attacks,
    .leftovers = leftovers,
    .leftovers_script = "CREATE TABLE item (id INTEGER); INSERT INTO item VALUES (1)",
    .honest = true,
};
