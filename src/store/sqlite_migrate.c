/* The store's tables, version by version, up and down. The version is PRAGMA
 * user_version. */
#include "base/err.h"
#include "store/sqlite.h"

/* Times are seconds since 1970. Tables without functions in store.h yet are here in their
 * plain form, so that a later version adds code and not a migration. */
static const char up_1[] =
    "CREATE TABLE sessions("
    " id TEXT PRIMARY KEY, account TEXT NOT NULL, datasource TEXT, title TEXT,"
    " created_at INTEGER NOT NULL, last_activity INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX sessions_by_account ON sessions(account, last_activity);"
    "CREATE INDEX sessions_by_activity ON sessions(last_activity);"

    "CREATE TABLE messages("
    " number INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,"
    " role TEXT NOT NULL, content TEXT NOT NULL, sql TEXT, query_id TEXT,"
    " at INTEGER NOT NULL);"
    "CREATE INDEX messages_by_session ON messages(session_id, number);"

    "CREATE TABLE questions("
    " number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session_id TEXT,"
    " account TEXT NOT NULL, state TEXT NOT NULL, text TEXT NOT NULL,"
    " updated_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,"
    " checkpoint TEXT, answer TEXT);"
    "CREATE INDEX questions_by_account ON questions(account, updated_at);"
    "CREATE INDEX questions_by_expiry ON questions(expires_at) WHERE expires_at > 0;"

    "CREATE TABLE schema_cache("
    " number INTEGER PRIMARY KEY AUTOINCREMENT, datasource TEXT NOT NULL,"
    " signature TEXT NOT NULL, json TEXT NOT NULL, stored_at INTEGER NOT NULL,"
    " UNIQUE(datasource, signature));"

    "CREATE TABLE answered("
    " number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,"
    " datasource TEXT NOT NULL, question TEXT NOT NULL, sql TEXT NOT NULL,"
    " stored_at INTEGER NOT NULL);"

    "CREATE TABLE lessons("
    " id TEXT PRIMARY KEY, account TEXT NOT NULL, datasource TEXT NOT NULL,"
    " kind TEXT NOT NULL, source TEXT NOT NULL, confidence REAL NOT NULL,"
    " usage_count INTEGER NOT NULL DEFAULT 0, success_count INTEGER NOT NULL DEFAULT 0,"
    " json TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);"
    "CREATE INDEX lessons_by_datasource ON lessons(account, datasource);"

    "CREATE TABLE saved_queries("
    " id TEXT PRIMARY KEY, account TEXT NOT NULL, datasource TEXT NOT NULL,"
    " name TEXT NOT NULL, question TEXT, sql TEXT NOT NULL,"
    " created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, UNIQUE(account, name));"

    "CREATE TABLE datasets("
    " id TEXT PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL,"
    " bytes INTEGER NOT NULL, json TEXT, created_at INTEGER NOT NULL);"
    "CREATE INDEX datasets_by_account ON datasets(account, created_at);"

    "CREATE TABLE accounts("
    " id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL,"
    " settings TEXT, created_at INTEGER NOT NULL, disabled_at INTEGER);"

    "CREATE TABLE keys("
    " hash TEXT PRIMARY KEY, account TEXT NOT NULL, label TEXT,"
    " created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL DEFAULT 0,"
    " last_used_at INTEGER) WITHOUT ROWID;"
    "CREATE INDEX keys_by_account ON keys(account);"

    "CREATE TABLE audit("
    " number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL,"
    " account TEXT NOT NULL, action TEXT NOT NULL, detail TEXT);"
    "CREATE INDEX audit_by_account ON audit(account, at);"
    /* Append-only is kept by the database itself. */
    "CREATE TRIGGER audit_keeps_update BEFORE UPDATE ON audit"
    " BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;"
    "CREATE TRIGGER audit_keeps_delete BEFORE DELETE ON audit"
    " BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;";

static const char down_1[] =
    "DROP TABLE sessions; DROP TABLE messages; DROP TABLE questions;"
    "DROP TABLE schema_cache; DROP TABLE answered; DROP TABLE lessons;"
    "DROP TABLE saved_queries; DROP TABLE datasets; DROP TABLE accounts; DROP TABLE keys;"
    "DROP TRIGGER audit_keeps_update; DROP TRIGGER audit_keeps_delete; DROP TABLE audit;";

/* The cells of text columns as they were read last, packed. */
static const char up_2[] =
    "CREATE TABLE value_indexes("
    " number INTEGER PRIMARY KEY AUTOINCREMENT, datasource TEXT NOT NULL,"
    " signature TEXT NOT NULL, data BLOB NOT NULL, stored_at INTEGER NOT NULL,"
    " UNIQUE(datasource, signature));";

static const char down_2[] = "DROP TABLE value_indexes;";

/* One lesson per account, datasource, kind and subject. Version 1 had the table, but
 * nobody could write into it, so it is made anew. */
static const char up_3[] =
    "DROP TABLE lessons;"
    "CREATE TABLE lessons("
    " number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    " datasource TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,"
    " source TEXT NOT NULL, confidence REAL NOT NULL,"
    " usage_count INTEGER NOT NULL DEFAULT 0, success_count INTEGER NOT NULL DEFAULT 0,"
    " json TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,"
    " UNIQUE(account, datasource, kind, subject));";

static const char down_3[] =
    "DROP TABLE lessons;"
    "CREATE TABLE lessons("
    " id TEXT PRIMARY KEY, account TEXT NOT NULL, datasource TEXT NOT NULL,"
    " kind TEXT NOT NULL, source TEXT NOT NULL, confidence REAL NOT NULL,"
    " usage_count INTEGER NOT NULL DEFAULT 0, success_count INTEGER NOT NULL DEFAULT 0,"
    " json TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);"
    "CREATE INDEX lessons_by_datasource ON lessons(account, datasource);";

/* Questions answered before belong to an account. Those without one are asked again. */
static const char up_4[] =
    "DROP TABLE answered;"
    "CREATE TABLE answered("
    " number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,"
    " account TEXT NOT NULL, datasource TEXT NOT NULL, schema_hash TEXT NOT NULL,"
    " question TEXT NOT NULL, sql TEXT NOT NULL, explanation TEXT,"
    " verdict INTEGER NOT NULL, stored_at INTEGER NOT NULL);"
    "CREATE INDEX answered_by_schema ON"
    " answered(account, datasource, schema_hash, number);";

static const char down_4[] =
    "DROP TABLE answered;"
    "CREATE TABLE answered("
    " number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,"
    " datasource TEXT NOT NULL, question TEXT NOT NULL, sql TEXT NOT NULL,"
    " stored_at INTEGER NOT NULL);";

/* Datasources that were added at run time; their URLs are sealed (store/seal.h). */
static const char up_5[] = "CREATE TABLE sources("
                           " id TEXT PRIMARY KEY, sealed TEXT NOT NULL, description TEXT,"
                           " created_at INTEGER NOT NULL) WITHOUT ROWID;";

static const char down_5[] = "DROP TABLE sources;";

/* Keys have an id, by which they are found, and what they may do. Nobody could write into
 * the table of version 1, so it is made anew. */
static const char up_keys[] =
    "DROP TABLE keys;"
    "CREATE TABLE keys("
    " id TEXT PRIMARY KEY, hash TEXT NOT NULL, account TEXT NOT NULL, label TEXT,"
    " scopes INTEGER NOT NULL, datasources TEXT, rate_per_minute INTEGER NOT NULL,"
    " concurrent INTEGER NOT NULL, daily_tokens INTEGER NOT NULL,"
    " created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,"
    " last_used_at INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE key_usage("
    " key TEXT NOT NULL, day INTEGER NOT NULL, tokens INTEGER NOT NULL,"
    " PRIMARY KEY(key, day)) WITHOUT ROWID;";

static const char down_keys[] =
    "DROP TABLE key_usage; DROP TABLE keys;"
    "CREATE TABLE keys("
    " hash TEXT PRIMARY KEY, account TEXT NOT NULL, label TEXT,"
    " created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL DEFAULT 0,"
    " last_used_at INTEGER) WITHOUT ROWID;"
    "CREATE INDEX keys_by_account ON keys(account);";

/* What was asked, kept longer than the answers; and small things of an account, under
 * names. Nobody could write into the saved queries of version 1. */
static const char up_history[] =
    "DROP TABLE saved_queries;"
    "CREATE TABLE records("
    " number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,"
    " account TEXT NOT NULL, scope TEXT NOT NULL, name TEXT NOT NULL COLLATE NOCASE,"
    " json TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,"
    " UNIQUE(kind, account, scope, name));"
    "CREATE TABLE history("
    " number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session_id TEXT,"
    " account TEXT NOT NULL, datasource TEXT, question TEXT NOT NULL,"
    " status TEXT NOT NULL, sql TEXT, row_count INTEGER NOT NULL, brain TEXT,"
    " at INTEGER NOT NULL);"
    "CREATE INDEX history_by_account ON history(account, at);"
    "CREATE INDEX history_by_time ON history(at);";

static const char down_history[] =
    "DROP TABLE history; DROP TABLE records;"
    "CREATE TABLE saved_queries("
    " id TEXT PRIMARY KEY, account TEXT NOT NULL, datasource TEXT NOT NULL,"
    " name TEXT NOT NULL, question TEXT, sql TEXT NOT NULL,"
    " created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, UNIQUE(account, name));";

/* Row n leads from version n to n + 1 and back. Rows are only ever added. */
static const struct migration {
    const char *up;
    const char *down;
} migrations[] = {
    {up_1, down_1},
    {up_2, down_2},
    {up_3, down_3},
    {up_4, down_4},
    {up_5, down_5},
    {up_keys, down_keys},
    {up_history, down_history},
};

int store_migrate_latest(void)
{
    return (int)(sizeof migrations / sizeof migrations[0]);
}

static bool pragma_read(sqlite3 *db, const char *sql, int *out, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        *out = code == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
    }
    (void)sqlite3_finalize(statement);
    return code == SQLITE_ROW ? true : store_query_fail(db, code, err);
}

bool store_migrate_version(sqlite3 *db, int *version, struct err *err)
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
               : store_query_fail(db, SQLITE_NOTADB, err);
}

static bool run(sqlite3 *db, const char *sql, struct err *err)
{
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? true : store_query_fail(db, code, err);
}

static bool set_version(sqlite3 *db, int version, struct err *err)
{
    char sql[120];
    (void)sqlite3_snprintf(sizeof sql, sql,
                           "PRAGMA user_version = %d; PRAGMA application_id = %d",
                           version, version ? (int)SQLITE_STORE_APPLICATION : 0);
    return run(db, sql, err);
}

static bool migrate_locked(sqlite3 *db, int target, struct err *err)
{
    int version = 0; /* read again: another process may have been quicker */
    bool ok = store_migrate_version(db, &version, err);
    while (ok && version < target) {
        ok = run(db, migrations[version].up, err);
        version++;
    }
    while (ok && version > target) {
        version--;
        ok = run(db, migrations[version].down, err);
    }
    return ok && set_version(db, target, err);
}

bool store_migrate_to(sqlite3 *db, int target, struct err *err)
{
    if (!run(db, "BEGIN IMMEDIATE", err)) {
        return false;
    }
    if (migrate_locked(db, target, err) && run(db, "COMMIT", err)) {
        return true;
    }
    (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}
