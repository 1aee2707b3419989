/*
 * The store's tables, version by version, up and down. They are written in SQLite's
 * words; for PostgreSQL a few of them are exchanged, and what differs by more stands
 * beside it.
 */
#include "store/migrate.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

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
    "CREATE INDEX audit_by_account ON audit(account, at);";

/* The database itself enforces that rows are only added. */
static const char up_1_sqlite[] =
    "CREATE TRIGGER audit_keeps_update BEFORE UPDATE ON audit"
    " BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;"
    "CREATE TRIGGER audit_keeps_delete BEFORE DELETE ON audit"
    " BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;";

static const char up_1_postgres[] =
    "CREATE FUNCTION audit_keeps() RETURNS trigger LANGUAGE plpgsql AS"
    " $$BEGIN RAISE EXCEPTION 'the audit log is append-only'; END$$;"
    "CREATE TRIGGER audit_keeps_all BEFORE UPDATE OR DELETE ON audit"
    " FOR EACH STATEMENT EXECUTE FUNCTION audit_keeps();";

static const char down_1[] =
    "DROP TABLE sessions; DROP TABLE messages; DROP TABLE questions;"
    "DROP TABLE schema_cache; DROP TABLE answered; DROP TABLE lessons;"
    "DROP TABLE saved_queries; DROP TABLE datasets; DROP TABLE accounts; DROP TABLE keys;"
    "DROP TABLE audit;"; /* its triggers go with it */

static const char down_1_postgres[] = "DROP FUNCTION audit_keeps();";

/* The cells of text columns as they were read last, packed. */
static const char up_2[] =
    "CREATE TABLE value_indexes("
    " number INTEGER PRIMARY KEY AUTOINCREMENT, datasource TEXT NOT NULL,"
    " signature TEXT NOT NULL, data BLOB NOT NULL, stored_at INTEGER NOT NULL,"
    " UNIQUE(datasource, signature));";

static const char down_2[] = "DROP TABLE value_indexes;";

/* One lesson per account, datasource, kind and subject. Version 1 had the table, but
 * never wrote to it, so it is created again. */
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

/* Datasources that were added at run time; their URLs are sealed (store/secrets/seal.h). */
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

/* Who works on a question, until when, and as the how-manieth: in a store that several
 * processes share, what an earlier one writes after that is refused. And what happens to
 * questions, told to those who follow them elsewhere. */
static const char up_leases[] =
    "ALTER TABLE questions ADD COLUMN owner TEXT;"
    "ALTER TABLE questions ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE questions ADD COLUMN lease_until INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE questions ADD COLUMN stop INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE events("
    " question TEXT NOT NULL, number INTEGER NOT NULL, fence INTEGER NOT NULL,"
    " json TEXT NOT NULL,"
    " PRIMARY KEY(question, number)) WITHOUT ROWID;"
    "CREATE TABLE replicas("
    " name TEXT PRIMARY KEY, seen_until INTEGER NOT NULL, taken INTEGER NOT NULL,"
    " refused INTEGER NOT NULL) WITHOUT ROWID;";

static const char up_leases_postgres[] =
    "CREATE INDEX questions_at_work ON questions(owner) WHERE state NOT IN ('FINISHED',"
    " 'FAILED', 'STOPPED', 'AWAIT_USER');";

static const char down_leases[] = "DROP TABLE replicas; DROP TABLE events;"
                                  "ALTER TABLE questions DROP COLUMN stop;"
                                  "ALTER TABLE questions DROP COLUMN lease_until;"
                                  "ALTER TABLE questions DROP COLUMN fence;"
                                  "ALTER TABLE questions DROP COLUMN owner;";

/* What keys use, counted by all processes of a shared store together: a bucket of
 * requests each, and how many of its questions are at work in which process. */
static const char up_meters[] =
    "CREATE TABLE key_meters("
    " key TEXT PRIMARY KEY, requests REAL NOT NULL, filled_at INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE key_work("
    " key TEXT NOT NULL, owner TEXT NOT NULL, questions INTEGER NOT NULL,"
    " PRIMARY KEY(key, owner)) WITHOUT ROWID;";

/* Counts of this minute: no request waits for a disk, and a crash of the database begins
 * them anew. */
static const char up_meters_postgres[] = "ALTER TABLE key_meters SET UNLOGGED;"
                                         "ALTER TABLE key_work SET UNLOGGED;";

static const char down_meters[] = "DROP TABLE key_work; DROP TABLE key_meters;";

/* The rows of datasets, in pieces: a process that shares the store takes them from there,
 * and a backup has them. */
static const char up_rows[] =
    "ALTER TABLE datasets ADD COLUMN version TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE dataset_parts("
    " dataset TEXT NOT NULL, version TEXT NOT NULL, part INTEGER NOT NULL,"
    " bytes BLOB NOT NULL,"
    " PRIMARY KEY(dataset, version, part));";

static const char down_rows[] = "DROP TABLE dataset_parts;"
                                "ALTER TABLE datasets DROP COLUMN version;";

/* How sure the answer was; -1: it was kept before scores were. */
static const char up_scores[] =
    "ALTER TABLE answered ADD COLUMN score REAL NOT NULL DEFAULT -1;";

static const char down_scores[] = "ALTER TABLE answered DROP COLUMN score;";

/* What a model is told of a message besides its text. */
static const char up_gists[] = "ALTER TABLE messages ADD COLUMN gist TEXT;";

static const char down_gists[] = "ALTER TABLE messages DROP COLUMN gist;";

/* Keys of people who signed in: what their policies ask for. */
static const char up_identities[] = "ALTER TABLE keys ADD COLUMN identity TEXT;";

static const char down_identities[] = "DELETE FROM keys WHERE identity IS NOT NULL;"
                                      "ALTER TABLE keys DROP COLUMN identity;";

/* Links that show answers, and what they show. */
static const char up_shares[] =
    "CREATE TABLE shares("
    " id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    " key TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, title TEXT NOT NULL,"
    " datasources TEXT NOT NULL, json TEXT NOT NULL, created_at INTEGER NOT NULL,"
    " expires_at INTEGER NOT NULL, opens INTEGER NOT NULL,"
    " last_opened_at INTEGER NOT NULL);"
    "CREATE INDEX shares_by_account ON shares(account, expires_at);";

static const char down_shares[] = "DROP TABLE shares;";

/* Names of any case are one; NOCASE is a word of SQLite's. */
static const char up_history_postgres[] =
    "ALTER TABLE records DROP CONSTRAINT records_kind_account_scope_name_key;"
    "CREATE UNIQUE INDEX records_by_name ON records(kind, account, scope, lower(name));";

/* Row n leads from version n to n + 1 and back. Rows are only ever added. */
static const struct migration {
    const char *up;
    const char *down;
    const char *more[2][2]; /* [dialect][up]: what one database alone needs, after it */
} migrations[] = {
    {up_1, down_1, {{NULL, up_1_sqlite}, {down_1_postgres, up_1_postgres}}},
    {up_2, down_2, {{NULL}}},
    {up_3, down_3, {{NULL}}},
    {up_4, down_4, {{NULL}}},
    {up_5, down_5, {{NULL}}},
    {up_keys, down_keys, {{NULL}}},
    {up_history, down_history, {{NULL}, {NULL, up_history_postgres}}},
    {up_leases, down_leases, {{NULL}, {NULL, up_leases_postgres}}},
    {up_meters, down_meters, {{NULL}, {NULL, up_meters_postgres}}},
    {up_rows, down_rows, {{NULL}}},
    {up_scores, down_scores, {{NULL}}},
    {up_gists, down_gists, {{NULL}}},
    {up_identities, down_identities, {{NULL}}},
    {up_shares, down_shares, {{NULL}}},
};

/* Longer ones first. Texts are ordered by their bytes, as SQLite does it. */
static const struct word {
    const char *sqlite;
    const char *postgres;
} words[] = {
    {"INTEGER PRIMARY KEY AUTOINCREMENT",
     "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"},
    {"INTEGER PRIMARY KEY", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"},
    {"INTEGER", "BIGINT"},
    {"REAL", "DOUBLE PRECISION"},
    {"BLOB", "BYTEA"},
    {"TEXT", "TEXT COLLATE \"C\""},
    {" COLLATE NOCASE", ""},
    {" WITHOUT ROWID", ""},
};

enum { MIGRATION_MOST = 64 * 1024 };

int store_migrate_latest(void)
{
    return (int)(sizeof migrations / sizeof migrations[0]);
}

static const struct word *word_at(const char *text)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i].sqlite);
        if (strncmp(text, words[i].sqlite, size) == 0 &&
            !isalnum((unsigned char)text[size])) {
            return &words[i];
        }
    }
    return NULL;
}

static void add_postgres(struct buf *out, const char *text)
{
    bool inside = false; /* of a word */
    while (*text) {
        const struct word *word = inside && *text != ' ' ? NULL : word_at(text);
        if (word) {
            (void)buf_text(out, word->postgres);
            text += strlen(word->sqlite);
        } else {
            inside = isalnum((unsigned char)*text) || *text == '_';
            (void)buf_char(out, *text++);
        }
    }
}

char *store_migrate_text(struct arena *arena, int version, bool up,
                         enum store_dialect dialect)
{
    const struct migration *migration = &migrations[version];
    const char *text = up ? migration->up : migration->down;
    struct buf buf;
    buf_init(&buf, MIGRATION_MOST);
    if (dialect == STORE_DIALECT_POSTGRES) {
        add_postgres(&buf, text);
    } else {
        (void)buf_text(&buf, text);
    }
    const char *more = migration->more[dialect][up];
    if (more) {
        (void)buf_text(&buf, more);
    }
    char *copy = buf_clone(&buf, arena);
    buf_release(&buf);
    return copy;
}
