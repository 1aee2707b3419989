/*
 * The version of a SQLite store, in the file's header, and the way from one to another.
 */
#include "base/arena.h"
#include "base/err.h"
#include "store/migrate.h"
#include "store/sqlite/sqlite_backend.h"

static bool pragma_read(sqlite3 *db, const char *sql, int *out, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        *out = code == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
    }
    (void)sqlite3_finalize(statement);
    return code == SQLITE_ROW ? true : store_sqlite_fail(db, code, err);
}

bool store_sqlite_version(sqlite3 *db, int *version, struct err *err)
{
    int application = 0;
    int tables = 0;
    if (!pragma_read(db, "PRAGMA user_version", version, err) ||
        !pragma_read(db, "PRAGMA application_id", &application, err)) {
        return false;
    }
    if (application == SQLITE_STORE_APPLICATION && *version <= store_migrate_latest()) {
        return true;
    }
    if (application == SQLITE_STORE_APPLICATION) {
        (void)err_set(err, ERR_STORE,
                      "The store was written by a newer dragoman (version %d; this one "
                      "knows up to %d).",
                      *version, store_migrate_latest());
        return err_hint(err, "Upgrade dragoman, or choose another folder with --data.");
    }
    if (!pragma_read(db,
                     "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'",
                     &tables, err)) {
        return false;
    }
    return *version == 0 && tables == 0 && application == 0
               ? true
               : store_sqlite_fail(db, SQLITE_NOTADB, err);
}

static bool sqlite_version_run(sqlite3 *db, const char *sql, struct err *err)
{
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? true : store_sqlite_fail(db, code, err);
}

static bool set_version(sqlite3 *db, int version, struct err *err)
{
    char sql[120];
    (void)sqlite3_snprintf(sizeof sql, sql,
                           "PRAGMA user_version = %d; PRAGMA application_id = %d",
                           version, version ? (int)SQLITE_STORE_APPLICATION : 0);
    return sqlite_version_run(db, sql, err);
}

static bool migrate_locked(sqlite3 *db, int target, struct err *err)
{
    int version = 0; /* read again: another process may have been quicker */
    bool ok = store_sqlite_version(db, &version, err);
    struct arena *arena = arena_new();
    while (ok && version < target) {
        ok = sqlite_version_run(
            db, store_migrate_text(arena, version, true, STORE_DIALECT_SQLITE), err);
        version++;
    }
    while (ok && version > target) {
        version--;
        ok = sqlite_version_run(
            db, store_migrate_text(arena, version, false, STORE_DIALECT_SQLITE), err);
    }
    arena_free(arena);
    return ok && set_version(db, target, err);
}

bool store_sqlite_migrate(sqlite3 *db, int target, struct err *err)
{
    if (!sqlite_version_run(db, "BEGIN IMMEDIATE", err)) {
        return false;
    }
    if (migrate_locked(db, target, err) && sqlite_version_run(db, "COMMIT", err)) {
        /* A new store is 800 KB of tables: not in the log as well, when the first question comes. */
        (void)sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
        return true;
    }
    (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}
