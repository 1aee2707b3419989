/* Prepared statements, kept for the life of the store, and SQLite's errors in our words.
 */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "store/sqlite.h"

static const char *const texts[] = {
#define QUERY(name, text) text,
#include "store/queries.def"
#undef QUERY
};

static const struct failure {
    int code; /* SQLite's primary code */
    enum err_code ours;
    const char *message;
    const char *hint;
} failures[] = {
    {SQLITE_FULL, ERR_DISK_FULL, "The disk of the data folder is full.", NULL},
    {SQLITE_CORRUPT, ERR_STORE, "The store (dragoman.db) is damaged.",
     "Move dragoman.db away from the data folder (a new one is made), or restore a "
     "backup."},
    {SQLITE_NOTADB, ERR_STORE,
     "The store (dragoman.db) is not a file that dragoman made.",
     "Move dragoman.db away from the data folder (a new one is made), or restore a "
     "backup."},
    {SQLITE_BUSY, ERR_STORE, "Another program kept the store locked for too long.",
     "Try again; if it stays so, end the other program that uses the data folder."},
    {SQLITE_LOCKED, ERR_STORE, "Another program kept the store locked for too long.",
     "Try again; if it stays so, end the other program that uses the data folder."},
    {SQLITE_READONLY, ERR_STORE, "The store cannot be written.",
     "Check the permissions of the data folder, or choose another one with --data."},
    {SQLITE_PERM, ERR_STORE, "The store cannot be written.",
     "Check the permissions of the data folder, or choose another one with --data."},
    {SQLITE_CANTOPEN, ERR_STORE, "The store cannot be opened.",
     "Check the permissions of the data folder, or choose another one with --data."},
    {SQLITE_IOERR, ERR_STORE, "The store could not be read or written.",
     "Check the disk of the data folder."},
};

bool store_query_fail(sqlite3 *db, int code, struct err *err)
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

static sqlite3_stmt *statement_get(struct sqlite_store *store, enum store_query query,
                                   struct err *err)
{
    sqlite3_stmt **slot = &store->statements[query];
    if (!*slot) {
        int code = sqlite3_prepare_v3(store->db, texts[query], -1,
                                      SQLITE_PREPARE_PERSISTENT, slot, NULL);
        if (code != SQLITE_OK) {
            (void)store_query_fail(store->db, code, err);
            return NULL;
        }
    }
    return *slot;
}

/* Texts are borrowed: every caller keeps them until store_query_end. */
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

static sqlite3_stmt *query_vstart(struct sqlite_store *store, enum store_query query,
                                  struct err *err, const char *format, va_list args)
{
    sqlite3_stmt *statement = statement_get(store, query, err);
    if (!statement) {
        return NULL;
    }
    int code = bind_all(statement, format, args);
    if (code != SQLITE_OK) {
        (void)store_query_fail(store->db, code, err);
        store_query_end(statement);
        return NULL;
    }
    return statement;
}

sqlite3_stmt *store_query_start(struct sqlite_store *store, enum store_query query,
                                struct err *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sqlite3_stmt *statement = query_vstart(store, query, err, format, args);
    va_end(args);
    return statement;
}

bool store_query_next(struct sqlite_store *store, sqlite3_stmt *statement,
                      struct err *err)
{
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        return true;
    }
    return code == SQLITE_DONE ? false : store_query_fail(store->db, code, err);
}

void store_query_end(sqlite3_stmt *statement)
{
    if (statement) {
        (void)sqlite3_reset(statement);
        (void)sqlite3_clear_bindings(statement);
    }
}

bool store_query_run(struct sqlite_store *store, enum store_query query, struct err *err,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sqlite3_stmt *statement = query_vstart(store, query, err, format, args);
    va_end(args);
    if (!statement) {
        return false;
    }
    int code = sqlite3_step(statement);
    bool ok = code == SQLITE_DONE || code == SQLITE_ROW ||
              store_query_fail(store->db, code, err);
    store_query_end(statement);
    return ok;
}

const char *store_query_text(sqlite3_stmt *statement, int column, struct arena *arena)
{
    const void *text = sqlite3_column_text(statement, column);
    return text ? arena_copy(arena, text, (size_t)sqlite3_column_bytes(statement, column))
                : NULL;
}
