/* DuckDB: its parse tree as JSON, without places. */
#include "judge.h"

#ifdef DRAGOMAN_HAS_DUCKDB
#include <dlfcn.h>
#include <duckdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static struct {
    duckdb_state (*open)(const char *path, duckdb_database *out);
    duckdb_state (*connect)(duckdb_database database, duckdb_connection *out);
    duckdb_state (*query)(duckdb_connection connection, const char *sql,
                          duckdb_result *out);
    duckdb_state (*prepare)(duckdb_connection connection, const char *sql,
                            duckdb_prepared_statement *out);
    duckdb_state (*bind)(duckdb_prepared_statement statement, idx_t at, const char *text);
    duckdb_state (*execute)(duckdb_prepared_statement statement, duckdb_result *result);
    char *(*value)(duckdb_result *result, idx_t column, idx_t row);
    void (*destroy)(duckdb_result *result);
    void (*forget)(duckdb_prepared_statement *statement);
    void (*disconnect)(duckdb_connection *connection);
    void (*close)(duckdb_database *database);
    void (*release)(void *pointer);
} library;

static duckdb_database database;
static duckdb_connection connection;
static duckdb_prepared_statement statement;

/* What it holds lies in memory of its own allocator, where the leak checker does not look:
 * the plan of the last statement would count as lost. */
static void close_duckdb(void)
{
    library.forget(&statement);
    library.disconnect(&connection);
    library.close(&database);
}

static bool open_duckdb(const char *root)
{
    const char *path = getenv("DRAGOMAN_DUCKDB_LIBRARY");
    char beside[4096];
    (void)snprintf(beside, sizeof beside, "%s/third_party/duckdb/libduckdb.so", root);
    void *handle = dlopen(path ? path : beside, RTLD_NOW);
    if (!handle) {
        return false;
    }
    *(void **)&library.open = dlsym(handle, "duckdb_open");
    *(void **)&library.connect = dlsym(handle, "duckdb_connect");
    *(void **)&library.query = dlsym(handle, "duckdb_query");
    *(void **)&library.prepare = dlsym(handle, "duckdb_prepare");
    *(void **)&library.bind = dlsym(handle, "duckdb_bind_varchar");
    *(void **)&library.execute = dlsym(handle, "duckdb_execute_prepared");
    *(void **)&library.value = dlsym(handle, "duckdb_value_varchar");
    *(void **)&library.destroy = dlsym(handle, "duckdb_destroy_result");
    *(void **)&library.forget = dlsym(handle, "duckdb_destroy_prepare");
    *(void **)&library.disconnect = dlsym(handle, "duckdb_disconnect");
    *(void **)&library.close = dlsym(handle, "duckdb_close");
    *(void **)&library.release = dlsym(handle, "duckdb_free");
    duckdb_result result;
    (void)atexit(close_duckdb);
    if (library.open(NULL, &database) != DuckDBSuccess ||
        library.connect(database, &connection) != DuckDBSuccess) {
        return false;
    }
    bool ok = library.query(connection, "SET threads = 1", &result) == DuckDBSuccess;
    library.destroy(&result);
    return ok && library.prepare(connection, "SELECT json_serialize_sql(?::VARCHAR)",
                                 &statement) == DuckDBSuccess;
}

/* {"query_location": 17} says where, not what; ASC is what is usual. */
static void add_without_places(struct buf *out, const char *json)
{
    static const char place[] = "\"query_location\":";
    static const char ascending[] = "\"ASCENDING\"";
    while (*json) {
        if (*json == '"' && strncmp(json, place, strlen(place)) == 0) {
            json += strlen(place);
            json += strspn(json, "0123456789");
        } else if (*json == '"' && strncmp(json, ascending, strlen(ascending)) == 0) {
            (void)buf_text(out, "\"ORDER_DEFAULT\"");
            json += strlen(ascending);
        } else {
            (void)buf_char(out, *json++);
        }
    }
}

static bool read_duckdb(const char *sql, struct buf *out)
{
    duckdb_result result = {0};
    bool ok = library.bind(statement, 1, sql) == DuckDBSuccess &&
              library.execute(statement, &result) == DuckDBSuccess;
    char *json = ok ? library.value(&result, 0, 0) : NULL;
    ok = json && !strstr(json, "\"error\":true");
    if (ok) {
        add_without_places(out, json);
    }
    library.release(json);
    library.destroy(&result);
    return ok;
}

#else
static bool open_duckdb(const char *root)
{
    (void)root;
    return false;
}

static bool read_duckdb(const char *sql, struct buf *out)
{
    (void)sql;
    (void)out;
    return false;
}
#endif

const struct judge judge_duckdb = {"duckdb", DIALECT_DUCKDB, open_duckdb, read_duckdb,
                                   false};
