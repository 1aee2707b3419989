/* Shared by the files of the SQLite backend; private to this folder. */
#ifndef DGM_STORE_SQLITE_BACKEND_H
#define DGM_STORE_SQLITE_BACKEND_H

#include <sqlite3.h>

#include "store/tables/table.h"

struct sqlite_cursor {
    struct store_cursor head;
    sqlite3_stmt *statement; /* compiled when first used, then kept */
};

struct sqlite_connection {
    struct store_connection head;
    sqlite3 *db;
    const uint32_t *index; /* of the WAL file, in memory that SQLite shares; or NULL */
    struct sqlite_cursor cursors[STORE_QUERIES];
};

enum { SQLITE_STORE_APPLICATION = 0x64676d31 }; /* "dgm1", in the file's header */

/* sqlite.c */
sqlite3 *store_sqlite_connect(const char *path,
                              struct err *err); /* opens, makes, migrates */
char *store_sqlite_path(struct arena *arena,
                        const struct options *options); /* ":memory:" too */

/* sqlite_query.c */
struct store_cursor *store_sqlite_start(struct store_connection *connection,
                                        enum store_query query, struct err *err,
                                        const char *format, va_list args);
enum store_step store_sqlite_next(struct store_cursor *cursor, struct err *err);
void store_sqlite_end(struct store_cursor *cursor);
const char *store_sqlite_text(struct store_cursor *cursor, int column, size_t *size);
int64_t store_sqlite_integer(struct store_cursor *cursor, int column);
double store_sqlite_real(struct store_cursor *cursor, int column);
int64_t store_sqlite_changes(struct store_connection *connection);
/* Converts a result code of SQLite; always false. */
bool store_sqlite_fail(sqlite3 *db, int code, struct err *err);

/* sqlite_version.c */
bool store_sqlite_version(sqlite3 *db, int *version, struct err *err); /* 0: new file */
bool store_sqlite_migrate(sqlite3 *db, int target, struct err *err);   /* up or down */

/* sqlite_moment.c */
const uint32_t *store_sqlite_index(sqlite3 *db);
bool store_sqlite_moment(const struct store_connection *connection,
                         struct store_moment *out);

/* sqlite_backup.c */
bool store_sqlite_reserve(const char *path, struct err *err); /* the file must be new */
/* Copies the backup to a file of its own and migrates it to this version. */
sqlite3 *store_sqlite_backup_open(const char *path, struct err *err);
bool store_sqlite_backup(struct store *store, const char *path, struct err *err);
bool store_sqlite_restore(const char *path, const struct options *options,
                          struct err *err);

#endif
