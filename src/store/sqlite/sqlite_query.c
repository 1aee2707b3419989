/*
 * Prepared statements, kept for the life of the store, and SQLite's errors turned into
 * dragoman's.
 */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/err.h"
#include "store/sqlite/sqlite_backend.h"

static const char *const texts[] = {
#define QUERY(name, text)                  text,
#define QUERY_BOTH(name, sqlite, postgres) sqlite,
#include "store/queries.def"
#undef QUERY
#undef QUERY_BOTH
};

static const struct failure {
    int code; /* SQLite's primary code */
    enum err_code ours;
    const char *message;
    const char *hint;
} failures[] = {
    {SQLITE_FULL, ERR_DISK_FULL, "The disk of the data folder is full.", NULL},
    {SQLITE_CORRUPT, ERR_STORE, "The store (dragoman.db) is damaged.",
     "Move dragoman.db out of the data folder (dragoman creates a new one), or restore a "
     "backup."},
    {SQLITE_NOTADB, ERR_STORE, "The store (dragoman.db) was not created by dragoman.",
     "Move dragoman.db out of the data folder (dragoman creates a new one), or restore a "
     "backup."},
    {SQLITE_BUSY, ERR_STORE, "Another program kept the store locked for too long.",
     "Try again. If the error persists, close the other program that uses the data "
     "folder."},
    {SQLITE_LOCKED, ERR_STORE, "Another program kept the store locked for too long.",
     "Try again. If the error persists, close the other program that uses the data "
     "folder."},
    {SQLITE_READONLY, ERR_STORE, "The store cannot be written.",
     "Check the permissions of the data folder, or choose another one with --data."},
    {SQLITE_PERM, ERR_STORE, "The store cannot be written.",
     "Check the permissions of the data folder, or choose another one with --data."},
    {SQLITE_CANTOPEN, ERR_STORE, "The store cannot be opened.",
     "Check the permissions of the data folder, or choose another one with --data."},
    {SQLITE_IOERR, ERR_STORE, "The store could not be read or written.",
     "Check the disk of the data folder."},
};

bool store_sqlite_fail(sqlite3 *db, int code, struct err *err)
{
    int primary = code & 0xff;
    if (primary == SQLITE_IOERR && db && sqlite3_system_errno(db) == ENOSPC) {
        primary = SQLITE_FULL;
    }
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        if (failures[i].code == primary) {
            (void)err_set(err, failures[i].ours, "%s", failures[i].message);
            (void)err_detail(err, "%s (%d)", sqlite3_errstr(code), code);
            return failures[i].hint ? err_hint(err, "%s", failures[i].hint) : false;
        }
    }
    (void)err_set(err, ERR_STORE, "The store failed: %s.", sqlite3_errstr(code));
    return err_detail(err, "%s (%d)", db ? sqlite3_errmsg(db) : "no connection", code);
}

static sqlite3_stmt *statement_get(struct sqlite_connection *own, enum store_query query,
                                   struct err *err)
{
    struct sqlite_cursor *cursor = &own->cursors[query];
    if (!cursor->statement) {
        cursor->head.connection = &own->head;
        int code =
            sqlite3_prepare_v3(own->db, texts[query], -1, SQLITE_PREPARE_PERSISTENT,
                               &cursor->statement, NULL);
        if (code != SQLITE_OK) {
            (void)store_sqlite_fail(own->db, code, err);
            return NULL;
        }
    }
    return cursor->statement;
}

/* Texts are borrowed: every caller keeps them until store_sqlite_end. */
static int bind_all(sqlite3_stmt *statement, const char *format, va_list args)
{
    int code = SQLITE_OK;
    for (int at = 1; *format && code == SQLITE_OK; format++, at++) {
        assert(*format && strchr("tibxr", *format));
        if (*format == 'i') {
            code = sqlite3_bind_int64(statement, at, va_arg(args, int64_t));
        } else if (*format == 'r') {
            code = sqlite3_bind_double(statement, at, va_arg(args, double));
        } else if (*format == 'x') {
            const void *data = va_arg(args, const void *);
            sqlite3_uint64 size = va_arg(args, size_t);
            code = sqlite3_bind_blob64(statement, at, data, size, SQLITE_STATIC);
        } else {
            const char *text = va_arg(args, const char *);
            sqlite3_uint64 size = *format == 'b' ? va_arg(args, size_t)
                                  : text         ? strlen(text)
                                                 : 0;
            code = sqlite3_bind_text64(statement, at, text, size, SQLITE_STATIC,
                                       SQLITE_UTF8);
        }
    }
    return code;
}

static sqlite3_stmt *statement_of(struct store_cursor *cursor)
{
    return ((struct sqlite_cursor *)cursor)->statement;
}

struct store_cursor *store_sqlite_start(struct store_connection *connection,
                                        enum store_query query, struct err *err,
                                        const char *format, va_list args)
{
    struct sqlite_connection *own = (struct sqlite_connection *)connection;
    sqlite3_stmt *statement = statement_get(own, query, err);
    if (!statement) {
        return NULL;
    }
    struct store_cursor *cursor = &own->cursors[query].head;
    int code = bind_all(statement, format, args);
    if (code != SQLITE_OK) {
        (void)store_sqlite_fail(own->db, code, err);
        store_sqlite_end(cursor);
        return NULL;
    }
    return cursor;
}

enum store_step store_sqlite_next(struct store_cursor *cursor, struct err *err)
{
    int code = sqlite3_step(statement_of(cursor));
    if (code == SQLITE_ROW) {
        return STORE_STEP_ROW;
    }
    if (code == SQLITE_DONE) {
        return STORE_STEP_END;
    }
    (void)store_sqlite_fail(((struct sqlite_connection *)cursor->connection)->db, code,
                            err);
    return STORE_STEP_FAILED;
}

void store_sqlite_end(struct store_cursor *cursor)
{
    (void)sqlite3_reset(statement_of(cursor));
    (void)sqlite3_clear_bindings(statement_of(cursor));
}

const char *store_sqlite_text(struct store_cursor *cursor, int column, size_t *size)
{
    sqlite3_stmt *statement = statement_of(cursor);
    const void *text = sqlite3_column_type(statement, column) == SQLITE_BLOB
                           ? sqlite3_column_blob(statement, column)
                           : sqlite3_column_text(statement, column);
    *size = (size_t)sqlite3_column_bytes(statement, column);
    return text;
}

int64_t store_sqlite_integer(struct store_cursor *cursor, int column)
{
    return sqlite3_column_int64(statement_of(cursor), column);
}

double store_sqlite_real(struct store_cursor *cursor, int column)
{
    return sqlite3_column_double(statement_of(cursor), column);
}

int64_t store_sqlite_changes(struct store_connection *connection)
{
    return sqlite3_changes(((struct sqlite_connection *)connection)->db);
}
