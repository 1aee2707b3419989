/* SQLite's result codes and messages as errors that say what to do. */
#include "datasource/sqlite/sqlite_driver.h"

#include <string.h>

#include "datasource/failures.h"

static const struct failure_phrase phrases[] = {
    {"no such column: ", "", "Column '%s' does not exist."},
    {"no such table: ", "", "Table '%s' does not exist."},
    {"no such function: ", "", "Function '%s' does not exist in SQLite."},
    {"ambiguous column name: ", "", "Column '%s' is in several tables: say which."},
    {"misuse of aggregate: ", "", "The aggregate '%s' may not be used at this place."},
    {"misuse of aggregate function ", "",
     "The aggregate '%s' may not be used at this place."},
    {"misuse of window function ", "",
     "The window function '%s' may not be used at this place."},
    {"wrong number of arguments to function ", "",
     "The function '%s' was given the wrong number of arguments."},
    {"no such collation sequence: ", "", "The collation '%s' is not known here."},
    {"near \"", "\": syntax error", "The SQL has a syntax error near '%s'."},
    {"incomplete input", "", "The SQL ends too early."},
    {NULL, NULL, NULL},
};

/* A write-ahead log, or a crashed writer's journal, needs files beside the database. */
static bool fail_beside(int result, const char *path, struct err *err)
{
    const char *name = file_base_name(path);
    if (result == SQLITE_READONLY_ROLLBACK || result == SQLITE_READONLY_RECOVERY) {
        (void)err_set(err, ERR_ACCESS,
                      "'%s' was not closed cleanly and must be repaired by a writer.",
                      name);
        return err_hint(err, "Open it once with the program that writes it.");
    }
    if (!file_source_check(path, err)) {
        return false;
    }
    (void)err_set(err, ERR_ACCESS, "'%s' cannot be read from its folder.", name);
    return err_hint(err, "It is probably in WAL mode, and dragoman may not write in that "
                         "folder. Copy the database, or run PRAGMA journal_mode=DELETE "
                         "on it.");
}

static void fail_refused(const struct sqlite_connection *connection, struct err *err)
{
    (void)err_set(err, ERR_UNSAFE, "The database lock refused %s.",
                  connection->refused[0] ? connection->refused : "this statement");
}

bool sqlite_fail(struct sqlite_connection *connection, int result, const char *path,
                 struct err *err)
{
    const char *engine =
        connection->db ? sqlite3_errmsg(connection->db) : sqlite3_errstr(result);
    int offset = connection->db ? sqlite3_error_offset(connection->db) : -1;
    int primary = result & 0xff;
    if ((primary == SQLITE_INTERRUPT || primary == SQLITE_BUSY) &&
        !limits_hold(connection->limits, err)) {
        return false;
    }
    switch (primary) {
    case SQLITE_INTERRUPT:
        (void)err_set(err, ERR_STOPPED, "The query was stopped.");
        break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        (void)err_set(err, ERR_DATABASE_LOCKED, "'%s' is locked by another program.",
                      file_base_name(path));
        break;
    case SQLITE_AUTH:
        fail_refused(connection, err);
        break;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        (void)err_set(err, ERR_NOT_A_DATABASE,
                      primary == SQLITE_NOTADB ? "'%s' is not a SQLite database."
                                               : "'%s' is damaged.",
                      file_base_name(path));
        break;
    case SQLITE_READONLY:
        if (result == SQLITE_READONLY) {
            (void)err_set(err, ERR_UNSAFE, "The database is open for reading only.");
            break;
        }
        return fail_beside(result, path, err);
    case SQLITE_CANTOPEN:
        return fail_beside(result, path, err);
    case SQLITE_PERM:
        (void)err_set(err, ERR_ACCESS, "'%s' may not be read.", file_base_name(path));
        break;
    case SQLITE_FULL:
        (void)err_set(err, ERR_DISK_FULL, "The disk is full.");
        break;
    case SQLITE_TOOBIG:
    case SQLITE_NOMEM:
        (void)err_set(err, ERR_RESULT_TOO_LARGE, "A value in the query grew too large.");
        break;
    case SQLITE_IOERR:
        (void)err_set(err, ERR_DATASOURCE_UNREACHABLE, "'%s' could not be read.",
                      file_base_name(path));
        break;
    case SQLITE_CONSTRAINT:
        (void)err_set(err, ERR_INVALID_SQL, "The change breaks a rule of the table.");
        break;
    default:
        (void)failure_phrase_tell(phrases, engine, err);
        err->position = offset;
        break;
    }
    return err_detail(err, "%s", engine);
}
