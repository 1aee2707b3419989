/* One approved write to a SQLite file, in a transaction that a preview rolls back. */
#include "datasource/sqlite/sqlite_driver.h"

/* Our own statements around the write; the authorizer allows only these. */
static bool own(struct sqlite_connection *connection, const char *sql, const char *path,
                struct err *err)
{
    connection->own_sql = true;
    int result = sqlite3_exec(connection->db, sql, NULL, NULL, NULL);
    connection->own_sql = false;
    return result == SQLITE_OK || sqlite_fail(connection, result, path, err);
}

static bool sqlite_write_run(struct sqlite_connection *connection, const char *sql,
                             const char *path, int64_t *touched, struct err *err)
{
    sqlite3_stmt *statement = sqlite_prepare_one(connection, sql, err);
    if (!statement) {
        return false;
    }
    bool ok = false;
    if (sqlite3_stmt_readonly(statement)) {
        (void)err_set(err, ERR_UNSAFE, "The statement only reads; it is no write.");
    } else {
        int result;
        do {
            result = sqlite3_step(statement); /* RETURNING hands out rows: not needed */
        } while (result == SQLITE_ROW);
        ok = result == SQLITE_DONE || sqlite_fail(connection, result, path, err);
    }
    (void)sqlite3_finalize(statement);
    *touched = ok ? sqlite3_changes64(connection->db) : 0;
    return ok;
}

bool sqlite_write(struct datasource *source, const char *sql, int64_t approved,
                  const struct datasource_limits *limits, int64_t *touched,
                  struct err *err)
{
    *touched = 0;
    if (!file_source_check(source->path, err)) {
        return false;
    }
    struct sqlite_connection *connection =
        sqlite_connect(source->path, SQLITE_FOR_WRITING, limits, err);
    if (!connection) {
        return false;
    }
    bool begun = own(connection, "PRAGMA foreign_keys = ON", source->path, err) &&
                 own(connection, "BEGIN IMMEDIATE", source->path, err);
    bool ok = begun && sqlite_write_run(connection, sql, source->path, touched, err);
    enum writing_end end = ok ? writing_ends(approved, *touched, err) : WRITING_DIFFERS;
    ok = end != WRITING_DIFFERS;
    if (end == WRITING_COMMITS) {
        struct sqlite_state *state = source->state;
        (void)pthread_mutex_lock(&state->lock);
        state->wrote = true;
        (void)pthread_mutex_unlock(&state->lock);
        ok = own(connection, "COMMIT", source->path, err);
    }
    if (begun && !sqlite3_get_autocommit(connection->db)) {
        struct err ignored;
        err_clear(&ignored);
        connection->limits = NULL; /* going back must not be cut short */
        (void)own(connection, "ROLLBACK", source->path, &ignored);
    }
    sqlite_disconnect(connection);
    return ok;
}
