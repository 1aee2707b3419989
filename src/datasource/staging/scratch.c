/* Makes the small shop that attacks are played against. */
#include "datasource/staging/scratch.h"

#include <sqlite3.h>
#include <stddef.h>

#include "base/buf.h"
#ifdef DRAGOMAN_HAS_DUCKDB
#include "datasource/duckdb/duckdb.h"
#endif

#define ROWS                                                                             \
    "INSERT INTO customers VALUES (1, 'Ada', 'Rome', 'ada@example.org'), (2, 'Bob',"     \
    " 'Oslo', NULL), (3, 'Celine', 'Lyon', 'celine@example.org'), (4, 'Dana', 'Rome',"   \
    " ''), (5, 'Eve', NULL, 'eve@example.org')",                                         \
        "INSERT INTO orders VALUES (1, 1, 'paid', 10.5, '2024-01-31'), (2, 1, 'open',"   \
        " -3, '2024-02-29'), (3, 2, 'paid', 12345678, '2023-12-31'), (4, 3, NULL, NULL," \
        " NULL), (5, 4, 'lost', 0.1, '1999-07-04'), (6, 5, 'paid', 99, '2024-06-01')",   \
        "INSERT INTO vault VALUES (1, '" SCRATCH_CANARY "')",                            \
        "CREATE VIEW vault_keys AS SELECT id, secret FROM vault"

static const char *const plain[] = {
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(80), city VARCHAR(80),"
    " email VARCHAR(80))",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER,"
    " status VARCHAR(20), total DOUBLE PRECISION, ordered_on DATE)",
    "CREATE TABLE vault (id INTEGER PRIMARY KEY, secret VARCHAR(80))",
    ROWS,
    NULL,
};

const char *const *scratch_script(enum dialect dialect)
{
    static const enum dialect known[] = {DIALECT_SQLITE, DIALECT_DUCKDB, DIALECT_POSTGRES,
                                         DIALECT_MYSQL};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i] == dialect) {
            return plain;
        }
    }
    return NULL;
}

static bool make_sqlite(const char *path, struct err *err)
{
    sqlite3 *db = NULL;
    bool ok = sqlite3_open(path, &db) == SQLITE_OK;
    for (const char *const *sql = plain; ok && *sql; sql++) {
        ok = sqlite3_exec(db, *sql, NULL, NULL, NULL) == SQLITE_OK;
    }
    if (!ok) {
        (void)err_set(err, ERR_ACCESS, "A scratch database could not be made.");
        (void)err_detail(err, "%s", sqlite3_errmsg(db));
    }
    return sqlite3_close(db) == SQLITE_OK && ok;
}

#ifdef DRAGOMAN_HAS_DUCKDB
/* path NULL: in memory. */
static bool run_duckdb(const char *path, const char *const *statements, struct err *err)
{
    const struct duckdb_library *library = duckdb_library(err);
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    if (!library) {
        return false;
    }
    bool ok = library->open_ext(path, &database, NULL, NULL) == DuckDBSuccess &&
              library->connect(database, &connection) == DuckDBSuccess;
    for (const char *const *sql = statements; ok && *sql; sql++) {
        duckdb_result result;
        ok = library->query(connection, *sql, &result) == DuckDBSuccess;
        library->destroy_result(&result);
    }
    library->disconnect(&connection);
    library->close(&database);
    return ok || err_set(err, ERR_ACCESS, "A scratch database could not be made.");
}
#endif

bool scratch_copy(const char *select, const char *path, const char *form, struct err *err)
{
#ifdef DRAGOMAN_HAS_DUCKDB
    struct buf text;
    buf_init(&text, 1 << 16);
    (void)buf_format(&text, "COPY (%s) TO ", select);
    (void)buf_quote(&text, path, '\'');
    (void)buf_format(&text, " (%s)", form);
    const char *const statements[] = {buf_get(&text), NULL};
    bool ok = run_duckdb(NULL, statements, err);
    buf_release(&text);
    return ok;
#else
    (void)select;
    (void)path;
    (void)form;
    return err_set(err, ERR_DATASOURCE_KIND, "There is no DuckDB in this build.");
#endif
}

bool scratch_make(enum dialect dialect, const char *path, struct err *err)
{
    if (dialect == DIALECT_SQLITE) {
        return make_sqlite(path, err);
    }
#ifdef DRAGOMAN_HAS_DUCKDB
    if (dialect == DIALECT_DUCKDB) {
        return run_duckdb(path, plain, err);
    }
#endif
    return err_set(err, ERR_DATASOURCE_KIND, "There is no %s in this build.",
                   dialect_name(dialect));
}
