/*
 * A cache of compiled statements per connection, because the same SQL is checked and then
 * executed, and is often repeated. If the schema has changed, SQLite recompiles a
 * statement by itself, with the authorizer; the caller detects that and compiles the
 * statement normally.
 */
#include "datasource/sqlite/sqlite_driver.h"

#include <string.h>

enum {
    TEXT_MOST = 4 << 10,   /* bytes of SQL */
    MEMORY_MOST = 64 << 10 /* bytes of a compiled statement */
};

static const size_t most =
    sizeof((struct sqlite_connection *)NULL)->kept / sizeof(sqlite3_stmt *);

/* The last one used comes first. */
static void keep_first(struct sqlite_connection *connection, sqlite3_stmt *statement)
{
    (void)sqlite3_finalize(connection->kept[most - 1]);
    memmove(connection->kept + 1, connection->kept,
            (most - 1) * sizeof *connection->kept);
    connection->kept[0] = statement;
}

sqlite3_stmt *sqlite_kept_take(struct sqlite_connection *connection, const char *sql)
{
    for (size_t i = 0; i < most && connection->kept[i]; i++) {
        sqlite3_stmt *statement = connection->kept[i];
        const char *text = sqlite3_sql(statement); /* without what stands behind a ';' */
        if (text && strcmp(text, sql) == 0) {
            memmove(connection->kept + i, connection->kept + i + 1,
                    (most - 1 - i) * sizeof *connection->kept);
            connection->kept[most - 1] = NULL;
            return statement;
        }
    }
    return NULL;
}

void sqlite_kept_give(struct sqlite_connection *connection, sqlite3_stmt *statement)
{
    if (!statement) {
        return;
    }
    (void)sqlite3_reset(statement);
    const char *text = sqlite3_sql(statement);
    bool small =
        text && strnlen(text, TEXT_MOST + 1) <= TEXT_MOST &&
        sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_MEMUSED, 0) <= MEMORY_MOST;
    if (!small) {
        (void)sqlite3_finalize(statement);
        return;
    }
    /* From zero, as if it were new: the steps of a question are counted by this. */
    (void)sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
    (void)sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 1);
    keep_first(connection, statement);
}

void sqlite_kept_drop(struct sqlite_connection *connection)
{
    for (size_t i = 0; i < most; i++) {
        (void)sqlite3_finalize(connection->kept[i]);
        connection->kept[i] = NULL;
    }
}

bool sqlite_kept_stale(sqlite3_stmt *statement, int first)
{
    /* Init and Transaction run before it is seen that the schema is another one. */
    enum { STEPS_BEFORE = 4 };
    int kind = first & 0xff;
    bool unrun =
        (kind == SQLITE_ERROR || kind == SQLITE_SCHEMA || kind == SQLITE_AUTH) &&
        sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0) <= STEPS_BEFORE;
    return unrun || sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0) > 0;
}
