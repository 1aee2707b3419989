/* Files for the suite: a database is a folder into which every table is exported. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "conformance.h"
#include "datasource/duckdb/duckdb.h"
#include "kinds.h"

static void run(duckdb_connection connection, const struct duckdb_library *library,
                const char *sql, struct texts *names, struct arena *arena)
{
    duckdb_result result;
    if (library->query(connection, sql, &result) != DuckDBSuccess) {
        fail_msg("the script failed: %s", library->result_error(&result));
    }
    for (duckdb_data_chunk chunk; names && (chunk = library->fetch_chunk(result));) {
        duckdb_string_t *texts =
            library->vector_get_data(library->data_chunk_get_vector(chunk, 0));
        for (idx_t i = 0; i < library->data_chunk_get_size(chunk); i++) {
            uint32_t size = texts[i].value.inlined.length;
            const char *data =
                size <= 12 ? texts[i].value.inlined.inlined : texts[i].value.pointer.ptr;
            VEC_PUSH(arena, names, arena_copy(arena, data, size));
        }
        library->destroy_data_chunk(&chunk);
    }
    library->destroy_result(&result);
}

static void exports_remove(const char *path)
{
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (str_ends(entry->d_name, ".parquet")) {
            char file[600];
            (void)snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
            (void)unlink(file);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
}

/* The tables live in a hidden file of the folder, where the driver does not look. */
static void script(const char *path, const char *sql)
{
    struct err err;
    struct arena *arena = arena_new();
    const struct duckdb_library *library = duckdb_library(&err);
    assert_non_null(library);
    (void)mkdir(path, 0700);
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    char *message = NULL;
    if (library->open_ext(arena_format(arena, "%s/.tables", path), &database, NULL,
                          &message) != DuckDBSuccess) {
        fail_msg("%s", message);
    }
    assert_int_equal(library->connect(database, &connection), DuckDBSuccess);
    run(connection, library, sql, NULL, arena);
    struct texts names = {0};
    run(connection, library,
        "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' UNION ALL "
        "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY 1",
        &names, arena);
    exports_remove(path);
    for (size_t i = 0; i < names.count; i++) {
        run(connection, library,
            arena_format(arena, "COPY (SELECT * FROM \"%s\") TO '%s/%s.parquet'",
                         names.items[i], path, names.items[i]),
            NULL, arena);
    }
    library->disconnect(&connection);
    library->close(&database);
    arena_free(arena);
}

static const char *const changes[] = {
    "CREATE TABLE more (a INTEGER)",
    "ALTER TABLE more ADD COLUMN b VARCHAR",
    "ALTER TABLE more RENAME COLUMN b TO c",
    "ALTER TABLE more ALTER COLUMN c TYPE INTEGER",
    "ALTER TABLE more DROP COLUMN c",
    "ALTER TABLE more RENAME TO less",
    "INSERT INTO less VALUES (1)",
    "UPDATE less SET a = 2",
    "DROP TABLE less",
    "CREATE VIEW seen AS SELECT id FROM item",
    NULL,
};

/* Those of the engine, and what only a database in memory made from files could do. */
static const char *const attacks[] = {
    "INSERT INTO item VALUES (9, 'x')",
    "UPDATE item SET name = 'x'",
    "DELETE FROM item",
    "EXPLAIN ANALYZE DELETE FROM item",
    "CREATE TABLE z (a INTEGER)",
    "CREATE TEMP TABLE z AS SELECT * FROM item",
    "CREATE OR REPLACE VIEW item AS SELECT 1",
    "DROP VIEW item",
    "TRUNCATE item",
    "ATTACH 'new.duckdb' AS n",
    "ATTACH ':memory:' AS n",
    "COPY item TO 'out.csv'",
    "COPY (SELECT 1) TO '/dev/fd/1'",
    "COPY item FROM 'in.csv'",
    "EXPORT DATABASE 'out'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET allowed_paths = ['/etc/passwd']",
    "SET allowed_directories = ['/']",
    "RESET allowed_paths",
    "PRAGMA database_list",
    "CHECKPOINT",
    "BEGIN",
    "SELECT * FROM read_csv('/etc/passwd', sep = ':')",
    "SELECT * FROM read_text('/etc/hostname')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM '/dev/fd/3'",
    "SELECT * FROM read_parquet('/dev/fd/4')",
    "SELECT * FROM parquet_metadata('/dev/fd/4')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM duckdb_settings()",
    "SELECT sql FROM duckdb_views()",
    "SELECT getenv('HOME')",
    "SELECT current_setting('allowed_paths')",
    "SELECT * FROM query('SELECT * FROM item')",
    "SELECT 1; DROP VIEW item",
    "SELECT 1; SELECT 2",
    "",
    NULL,
};

static const struct typed values[] = {
    {"42", VALUE_INT, "42"},
    {"1.50::DECIMAL(4, 2)", VALUE_NUMBER, "1.50"},
    {"0.1::DOUBLE", VALUE_REAL, "0.1"},
    {"true", VALUE_BOOL, "true"},
    {"NULL", VALUE_NULL, ""},
    {"''", VALUE_TEXT, ""},
    {"'\xF0\x9F\x98\x80'", VALUE_TEXT, "\xF0\x9F\x98\x80"},
    {"DATE '2024-02-29'", VALUE_TEXT, "2024-02-29"},
    {"'2024-01-31 10:00:00+02'::TIMESTAMPTZ", VALUE_TEXT, "2024-01-31 08:00:00+00"},
    {"'\\x00\\xFF\\x10'::BLOB", VALUE_BLOB, "x'00ff10'"},
    {"[1, NULL, 3]", VALUE_JSON, "[1,null,3]"},
    {"'{\"a\": 1}'::JSON", VALUE_JSON, "{\"a\": 1}"},
    {NULL, VALUE_NULL, NULL},
};

const struct kind kind_files = {
    .name = "files",
    .extension = ".tables",
    .folder = true,
    .script = script,
    .endless = "WITH RECURSIVE n(x) AS (SELECT 1::BIGINT UNION ALL SELECT x + 1 FROM n) "
               "SELECT count(*) FROM n",
    .values = values,
    .changes = changes,
    .attacks = attacks,
    .keys_measured = true,
    .more = suite_files,
};
