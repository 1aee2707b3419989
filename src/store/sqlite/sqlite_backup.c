/* Backup and restore. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "store/migrate.h"
#include "store/sqlite/sqlite_backend.h"

/* A file of SQLite's own that goes when it is closed. */
static const char scratch[] = "";

static bool copy_all(sqlite3 *to, sqlite3 *from, struct err *err)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup) {
        return store_sqlite_fail(to, sqlite3_extended_errcode(to), err);
    }
    int64_t deadline = clock_ms() + 30000;
    int code = SQLITE_OK;
    do {
        code = sqlite3_backup_step(backup, -1);
        if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
            (void)sqlite3_sleep(20);
        }
    } while ((code == SQLITE_BUSY || code == SQLITE_LOCKED) && clock_ms() < deadline);
    int end = sqlite3_backup_finish(backup);
    if (code == SQLITE_DONE && end == SQLITE_OK) {
        return true;
    }
    return store_sqlite_fail(to, code == SQLITE_DONE ? end : code, err);
}

/* The file must be new: a backup never replaces anything. */
bool store_sqlite_reserve(const char *path, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) {
        (void)close(fd);
        return true;
    }
    if (errno == EEXIST) {
        (void)err_set(err, ERR_STORE, "The backup file exists already.");
        return err_hint(err, "Choose another name; a backup never replaces a file.");
    }
    if (errno == ENOSPC || errno == EDQUOT) {
        return err_set(err, ERR_DISK_FULL,
                       "There is not enough disk space for the backup.");
    }
    (void)err_set(err, ERR_STORE, "The backup file could not be created.");
    return err_hint(err, "Check that the folder exists and may be written.");
}

bool store_sqlite_backup(struct store *store, const char *path, struct err *err)
{
    struct sqlite_connection *own =
        (struct sqlite_connection *)store_connection_of(store);
    if (!store_queue_flush(store->queue, err) || !store_sqlite_reserve(path, err)) {
        return false;
    }
    sqlite3 *to = NULL;
    int code = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE, NULL);
    bool ok = code == SQLITE_OK || store_sqlite_fail(to, code, err);
    if (ok) {
        (void)pthread_mutex_lock(&own->head.lock);
        ok = copy_all(to, own->db, err);
        (void)pthread_mutex_unlock(&own->head.lock);
    }
    if (ok) { /* one file, without a -wal beside it */
        code = sqlite3_exec(to, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
        ok = code == SQLITE_OK || store_sqlite_fail(to, code, err);
    }
    (void)sqlite3_close(to);
    if (!ok) {
        (void)unlink(path);
    }
    return ok;
}

static bool is_sound(sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    bool sound = sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &statement,
                                    NULL) == SQLITE_OK &&
                 sqlite3_step(statement) == SQLITE_ROW &&
                 str_equal((const char *)sqlite3_column_text(statement, 0), "ok");
    (void)sqlite3_finalize(statement);
    return sound;
}

static bool not_a_backup(struct err *err, const char *why)
{
    (void)err_set(err, ERR_STORE, "The file cannot be restored: %s", why);
    return err_hint(err, "Nothing was changed. Choose a file made by 'dragoman backup'.");
}

static bool backup_check(sqlite3 *db, struct err *err)
{
    struct err cause = {0};
    int version = 0;
    if (!store_sqlite_version(db, &version, &cause)) {
        if (str_starts(cause.message, "The store was written by a newer")) {
            *err = cause;
            return false;
        }
        return not_a_backup(err, "it is not a backup made by dragoman.");
    }
    if (version == 0) {
        return not_a_backup(err, "it is empty.");
    }
    return is_sound(db) ? true : not_a_backup(err, "it is damaged.");
}

/* A damaged store is what people restore over: it is kept beside the new one. */
static bool set_aside(struct arena *arena, const char *path, struct err *err)
{
    char *aside = arena_format(arena, "%s.damaged-%lld", path, (long long)clock_wall_s());
    if (rename(path, aside) != 0) {
        return store_sqlite_fail(NULL, SQLITE_CANTOPEN, err);
    }
    (void)unlink(arena_format(arena, "%s-wal", path));
    (void)unlink(arena_format(arena, "%s-shm", path));
    return true;
}

static bool is_damage(int code)
{
    return (code & 0xff) == SQLITE_NOTADB || (code & 0xff) == SQLITE_CORRUPT;
}

static int page_size_of(sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    int size =
        sqlite3_prepare_v2(db, "PRAGMA page_size", -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW
            ? sqlite3_column_int(statement, 0)
            : 0;
    (void)sqlite3_finalize(statement);
    return size;
}

static bool pages_resize(sqlite3 *db, int size, struct err *err)
{
    char sql[96];
    (void)sqlite3_snprintf(sizeof sql, sql,
                           "PRAGMA journal_mode = DELETE; PRAGMA page_size = %d; VACUUM",
                           size);
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK || store_sqlite_fail(db, code, err);
}

/* A WAL file takes pages of its own size only: others are brought to it on the way, in a
 * file beside it (SQLite resizes none that has no name). */
static bool copy_resized(sqlite3 *to, sqlite3 *from, const char *beside, struct err *err)
{
    sqlite3 *between = NULL;
    (void)unlink(beside); /* of one that was killed */
    bool ok = store_sqlite_reserve(beside, err);
    if (ok) {
        int code = sqlite3_open_v2(beside, &between, SQLITE_OPEN_READWRITE, NULL);
        ok = (code == SQLITE_OK || store_sqlite_fail(between, code, err)) &&
             copy_all(between, from, err) &&
             pages_resize(between, page_size_of(to), err) && copy_all(to, between, err);
        (void)sqlite3_close(between);
        (void)unlink(beside);
    }
    return ok;
}

static bool restore_into(struct arena *arena, const char *path, sqlite3 *from,
                         struct err *err)
{
    sqlite3 *probe = NULL;
    int code = sqlite3_open_v2(path, &probe, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK) {
        (void)sqlite3_busy_timeout(probe, 1000);
        code =
            sqlite3_exec(probe, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    }
    (void)sqlite3_close(probe);
    if (is_damage(code) && !set_aside(arena, path, err)) {
        return false;
    }
    /* A store by a newer dragoman is not opened here either: it would be lost. */
    sqlite3 *to = store_sqlite_connect(path, err);
    bool ok = to && (page_size_of(to) == page_size_of(from)
                         ? copy_all(to, from, err)
                         : copy_resized(to, from,
                                        arena_format(arena, "%s.restoring", path), err));
    (void)sqlite3_close(to);
    if (!ok) {
        return false;
    }
    to = store_sqlite_connect(path, err); /* migrates an older one */
    (void)sqlite3_close(to);
    return to != NULL;
}

bool store_sqlite_restore(const char *path, const struct options *options,
                          struct err *err)
{
    struct arena *arena = arena_new();
    char *store = store_sqlite_path(arena, options);
    sqlite3 *from = NULL;
    bool ok = true;
    if (str_equal(store, ":memory:")) {
        ok = err_set(err, ERR_USAGE, "A store in memory cannot be restored.");
    } else if (sqlite3_open_v2(path, &from, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        ok = not_a_backup(err, "it cannot be opened.");
    }
    ok = ok && backup_check(from, err) && restore_into(arena, store, from, err);
    (void)sqlite3_close(from);
    arena_free(arena);
    return ok;
}

sqlite3 *store_sqlite_backup_open(const char *path, struct err *err)
{
    sqlite3 *from = NULL;
    sqlite3 *to = NULL;
    bool ok = sqlite3_open_v2(path, &from, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK
                  ? backup_check(from, err)
                  : not_a_backup(err, "it cannot be opened.");
    int code = ok ? sqlite3_open(scratch, &to) : SQLITE_OK;
    ok = ok && (code == SQLITE_OK || store_sqlite_fail(to, code, err)) &&
         copy_all(to, from, err) && store_sqlite_migrate(to, store_migrate_latest(), err);
    (void)sqlite3_close(from);
    if (!ok) {
        (void)sqlite3_close(to);
        to = NULL;
    }
    return to;
}
