/* Databases for a case: from a file of tests/fixtures, from the case itself, or none. */
#include "cases/fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "dragoman_server.h"

#ifdef DRAGOMAN_HAS_DUCKDB
#include "datasource/duckdb/duckdb.h"
#endif

/* The thread sanitizer cannot see into DuckDB's library and takes its locks for races. */
#if defined(__SANITIZE_THREAD__)
#define HIDES_LOCKS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HIDES_LOCKS 1
#endif
#endif

enum { FIXTURE_MOST = 16 * 1024 * 1024 };

static bool complain(const char *path, const char *what)
{
    (void)fprintf(stderr, "%s: %s\n", path, what);
    return false;
}

bool fixture_change(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    char *message = NULL;
    bool ok = sqlite3_open(path, &db) == SQLITE_OK;
    ok =
        ok && sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL) == SQLITE_OK;
    ok = ok && sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK;
    if (!ok) {
        (void)complain(path, message ? message : "could not be changed");
    }
    sqlite3_free(message);
    (void)sqlite3_close(db);
    return ok;
}

bool fixture_touch(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    bool ok = sqlite3_open(path, &db) == SQLITE_OK &&
              sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK &&
              sqlite3_changes(db) > 0;
    (void)sqlite3_close(db);
    return ok;
}

static json_t *cell(sqlite3_stmt *statement, int column)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
        return json_real(sqlite3_column_double(statement, column));
    case SQLITE_NULL:
        return json_null();
    default:
        return json_string((const char *)sqlite3_column_text(statement, column));
    }
}

json_t *fixture_look(struct arena *arena, const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    json_t *rows = json_array();
    json_t *answer = json_keep(arena, json_pack("{s:o}", "rows", rows));
    bool ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK;
    if (!ok) {
        (void)complain(path, db ? sqlite3_errmsg(db) : "cannot be opened");
    }
    while (ok && sqlite3_step(statement) == SQLITE_ROW) {
        json_t *row = json_array();
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            (void)json_array_append_new(row, cell(statement, i));
        }
        (void)json_array_append_new(rows, row);
    }
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return ok ? answer : NULL;
}

static bool is_duckdb(const char *name)
{
    return str_ends(name, ".duckdb");
}

/* A file that is itself a table: the lines of the case are its text. */
static bool is_table(const char *name)
{
    static const char *const ends[] = {".csv", ".tsv", ".json", ".ndjson"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (str_ends(name, ends[i])) {
            return true;
        }
    }
    return false;
}

static bool create_table(const char *path, const char *text)
{
    struct err err;
    return file_write(path, text, strlen(text), &err) || complain(path, err.message);
}

#ifdef DRAGOMAN_HAS_DUCKDB
static bool create_duckdb(const char *path, const char *sql)
{
    struct err err;
    const struct duckdb_library *library = duckdb_library(&err);
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    duckdb_result result;
    char *message = NULL;
    if (!library || library->open_ext(path, &database, NULL, &message) != DuckDBSuccess) {
        return complain(path, library ? message : err.message);
    }
    bool ok = library->connect(database, &connection) == DuckDBSuccess &&
              library->query(connection, sql, &result) == DuckDBSuccess;
    if (ok) {
        library->destroy_result(&result);
    }
    library->disconnect(&connection);
    library->close(&database);
    return ok || complain(path, "its SQL failed");
}
#else
static bool create_duckdb(const char *path, const char *sql)
{
    (void)sql;
    return complain(path, "this build has no DuckDB");
}
#endif

bool fixture_possible(const struct case_file *file)
{
    bool possible = true;
#if defined(DRAGOMAN_HAS_DUCKDB) && !defined(HIDES_LOCKS)
    struct err err;
    bool has_duckdb = duckdb_library(&err) != NULL;
#else
    bool has_duckdb = false;
#endif
    for (size_t i = 0; i < file->fixtures.count; i++) {
        const char *name = file->fixtures.items[i].name;
        possible = possible && (has_duckdb || (!is_duckdb(name) && !is_table(name)));
    }
    return possible;
}

static bool create_special(const char *path, const char *special)
{
    struct err err;
    struct dgm_error error;
    static const char text[] = "This is a shopping list, not a database.\n";
    if (str_equal(special, "missing")) {
        return true;
    }
    if (str_equal(special, "text")) {
        return file_write(path, text, sizeof text - 1, &err) ||
               complain(path, err.message);
    }
    if (str_equal(special, "sample")) {
        return dgm_sample(path, &error) || complain(path, error.message);
    }
    return complain(special, "no such fixture");
}

const char *fixture_create(struct arena *arena, const struct case_fixture *fixture,
                           const char *folder)
{
    struct err err;
    size_t size = 0;
    bool duckdb = is_duckdb(fixture->name);
    bool table = is_table(fixture->name);
    const char *path = arena_format(arena, "%s/%s%s", folder, fixture->name,
                                    duckdb || table ? "" : ".db");
    if (fixture->special) {
        return create_special(path, fixture->special) ? path : NULL;
    }
    const char *content = fixture->sql;
    if (fixture->file) {
        const char *from = arena_format(arena, "tests/fixtures/%s", fixture->file);
        content = file_read(arena, from, FIXTURE_MOST, &size, &err);
        if (!content) {
            (void)complain(from, err.message);
            return NULL;
        }
    }
    bool made = duckdb  ? create_duckdb(path, content)
                : table ? create_table(path, content)
                        : fixture_change(path, content);
    return made ? path : NULL;
}
