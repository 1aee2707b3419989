/* The rows of datasets into a backup, which is a SQLite file whichever store it is of. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/id.h"
#include "base/memory.h"
#include "base/vec.h"
#include "store/sqlite/sqlite_backend.h"
#include "store/store.h"

struct missing {
    const char *id;
    const char *account;
    const char *name;
};

struct missings {
    struct missing *items;
    size_t count;
    size_t capacity;
};

static bool backup_rows_run(sqlite3 *file, const char *sql, struct err *err)
{
    int code = sqlite3_exec(file, sql, NULL, NULL, NULL);
    return code == SQLITE_OK || store_sqlite_fail(file, code, err);
}

static bool list_missing(sqlite3 *file, struct arena *arena, struct missings *out,
                         struct err *err)
{
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(
        file,
        "SELECT id, account, name FROM datasets WHERE NOT EXISTS(SELECT 1"
        " FROM dataset_parts WHERE dataset = datasets.id"
        " AND dataset_parts.version = datasets.version)",
        -1, &row, NULL);
    while (code == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
        struct missing *missing = VEC_ADD(arena, out);
        missing->id = arena_text(arena, (const char *)sqlite3_column_text(row, 0));
        missing->account = arena_text(arena, (const char *)sqlite3_column_text(row, 1));
        missing->name = arena_text(arena, (const char *)sqlite3_column_text(row, 2));
    }
    (void)sqlite3_finalize(row);
    return code == SQLITE_OK || store_sqlite_fail(file, code, err);
}

static int put_part(sqlite3_stmt *to, const char *id, const char *version, int64_t part,
                    const char *bytes, ssize_t size)
{
    (void)sqlite3_bind_text(to, 1, id, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(to, 2, version, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(to, 3, part);
    (void)sqlite3_bind_blob(to, 4, bytes, (int)size, SQLITE_STATIC);
    int code = sqlite3_step(to);
    (void)sqlite3_reset(to);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* The size is that of the very file that was read: it may be newer than its row. */
static int put_version(sqlite3 *file, const char *id, const char *version, int64_t bytes)
{
    sqlite3_stmt *to = NULL;
    int code = sqlite3_prepare_v2(
        file, "UPDATE datasets SET version = ?2, bytes = ?3 WHERE id = ?1", -1, &to,
        NULL);
    if (code == SQLITE_OK) {
        (void)sqlite3_bind_text(to, 1, id, -1, SQLITE_STATIC);
        (void)sqlite3_bind_text(to, 2, version, -1, SQLITE_STATIC);
        (void)sqlite3_bind_int64(to, 3, bytes);
        code = sqlite3_step(to);
    }
    (void)sqlite3_finalize(to);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static bool copy_rows(sqlite3 *file, const struct missing *missing, int fd, char *bytes,
                      struct err *err)
{
    char version[ID_SIZE];
    sqlite3_stmt *to = NULL;
    int64_t total = 0;
    ssize_t size = 0;
    id_new("v", version);
    int code = sqlite3_prepare_v2(
        file,
        "INSERT INTO dataset_parts(dataset, version, part, bytes) VALUES(?1, ?2, ?3, ?4)",
        -1, &to, NULL);
    for (int64_t part = 0;
         code == SQLITE_OK && (size = file_read_full(fd, bytes, STORE_DATASET_PART)) > 0;
         part++) {
        code = put_part(to, missing->id, version, part, bytes, size);
        total += size;
    }
    (void)sqlite3_finalize(to);
    if (size < 0) {
        return err_set(err, ERR_STORE, "The rows of dataset '%s' could not be read.",
                       missing->name);
    }
    code = code == SQLITE_OK ? put_version(file, missing->id, version, total) : code;
    return code == SQLITE_OK || store_sqlite_fail(file, code, err);
}

bool store_backup_fill(const char *path,
                       int (*open)(void *context, const char *account, const char *name),
                       void *context, struct err *err)
{
    struct arena *arena = arena_new();
    struct missings missings = {0};
    sqlite3 *file = NULL;
    int code = sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, NULL);
    bool ok = (code == SQLITE_OK || store_sqlite_fail(file, code, err)) &&
              backup_rows_run(file, "BEGIN", err) &&
              list_missing(file, arena, &missings, err);
    char *bytes = memory_alloc(STORE_DATASET_PART);
    for (size_t i = 0; ok && i < missings.count; i++) {
        const struct missing *missing = &missings.items[i];
        int fd = open(context, missing->account, missing->name);
        if (fd >= 0) { /* of a process elsewhere, or lost: its name is all there is */
            ok = copy_rows(file, missing, fd, bytes, err);
            (void)close(fd);
        }
    }
    ok = ok && backup_rows_run(file, "COMMIT", err);
    memory_free(bytes);
    (void)sqlite3_close(file);
    arena_free(arena);
    return ok;
}
