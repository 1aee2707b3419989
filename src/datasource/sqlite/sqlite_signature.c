/* A short text that changes whenever the schema of a SQLite database does. */
#include "datasource/sqlite/sqlite_driver.h"

#include <string.h>

#include "base/hash.h"

static bool version_read(struct sqlite_connection *connection, int64_t *version,
                         const char *path, struct err *err)
{
    if (!connection->version) {
        connection->version =
            sqlite_prepare_own(connection, "PRAGMA schema_version", err);
        if (!connection->version) {
            return false;
        }
    }
    int result = sqlite3_step(connection->version);
    *version = result == SQLITE_ROW ? sqlite3_column_int64(connection->version, 0) : 0;
    int ended = sqlite3_reset(connection->version);
    return result == SQLITE_ROW || sqlite_fail(connection, ended, path, err);
}

/* The CREATE texts hold names, types, nullability, keys and foreign keys. Statistics
 * tables come and go with ANALYZE and triggers cannot be read from: both are left out. */
static bool master_hash(struct sqlite_connection *connection, char out[33],
                        const char *path, struct err *err)
{
    sqlite3_stmt *statement = sqlite_prepare_own(
        connection,
        "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
        " WHERE type <> 'trigger' AND name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'"
        " ORDER BY type, name",
        err);
    if (!statement) {
        return false;
    }
    struct hash *hash = hash_new();
    hash_text(hash, "sqlite 1");
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < 4; i++) {
            const char *text = (const char *)sqlite3_column_text(statement, i);
            hash_text(hash, text ? text : "");
        }
    }
    hash_hex(hash, out);
    hash_free(hash);
    bool ok = result == SQLITE_DONE || sqlite_fail(connection, result, path, err);
    (void)sqlite3_finalize(statement);
    return ok;
}

void sqlite_header_read(struct sqlite_connection *connection, struct sqlite_header *out)
{
    enum { WRITE_VERSION = 18, READ_VERSION = 19, COUNTER = 24, SIZE = 28 };
    sqlite3_file *file = NULL;
    unsigned char bytes[SIZE] = {0};
    *out = (struct sqlite_header){0};
    if (sqlite3_file_control(connection->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) !=
            SQLITE_OK ||
        !file || !file->pMethods ||
        file->pMethods->xRead(file, bytes, (int)sizeof bytes, 0) != SQLITE_OK) {
        return;
    }
    const unsigned char *at = bytes + COUNTER;
    out->journal = bytes[WRITE_VERSION] == 1 && bytes[READ_VERSION] == 1;
    out->wal = bytes[WRITE_VERSION] == 2 || bytes[READ_VERSION] == 2;
    out->counter =
        (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

enum cache_answer { CACHE_FRESH, CACHE_STALE, CACHE_DECEIVED };

/* The unchanged case costs one stat and one read of the file's first page. A file that
 * was written without moving its counter was overwritten in place (cp new.db shop.db):
 * open connections go on believing in the pages they have. */
static enum cache_answer cache_ask(struct sqlite_state *state,
                                   struct sqlite_connection *connection,
                                   const struct sqlite_identity *identity,
                                   int64_t version, char out[33])
{
    enum cache_answer answer = CACHE_STALE;
    struct sqlite_header header; /* anew: the version was read after a commit had ended */
    sqlite_header_read(connection, &header);
    (void)pthread_mutex_lock(&state->lock);
    if (state->signature_known) {
        bool same = sqlite_identity_equal(&state->signature_identity, identity);
        if (same && state->signature_version == version) {
            memcpy(out, state->signature, sizeof state->signature);
            answer = CACHE_FRESH;
        } else if (!same && header.counter == state->signature_counter) {
            answer = CACHE_DECEIVED;
        }
    }
    (void)pthread_mutex_unlock(&state->lock);
    return answer;
}

/* With a rollback journal the first page is written in every commit, with another
 * counter, before the commit counts: while counter and file are those of last time
 * nothing was committed since, and no transaction is needed to say so. That is a look at
 * the file and a read, for every question. */
static bool cache_quick(struct sqlite_state *state, const struct sqlite_header *header,
                        const struct sqlite_identity *identity, char out[33])
{
    if (!header->journal) {
        return false;
    }
    (void)pthread_mutex_lock(&state->lock);
    bool same = state->signature_known && header->counter == state->signature_counter &&
                sqlite_identity_equal(&state->signature_identity, identity);
    if (same) {
        memcpy(out, state->signature, sizeof state->signature);
    }
    (void)pthread_mutex_unlock(&state->lock);
    return same;
}

/* counter: as it was before anything was read. Whatever is committed meanwhile moves it.
 */
static void cache_keep(struct sqlite_state *state, uint32_t counter,
                       const struct sqlite_identity *identity, int64_t version,
                       const char out[33])
{
    (void)pthread_mutex_lock(&state->lock);
    bool same = state->signature_known && state->signature_version == version &&
                memcmp(state->signature, out, sizeof state->signature) == 0;
    state->schemas += same ? 0 : 1;
    state->signature_known = true;
    state->signature_version = version;
    state->signature_identity = *identity;
    state->signature_counter = counter;
    memcpy(state->signature, out, sizeof state->signature);
    (void)pthread_mutex_unlock(&state->lock);
}

bool sqlite_signature(struct datasource *source, const struct datasource_limits *limits,
                      char out[33], struct err *err)
{
    struct sqlite_state *state = source->state;
    enum cache_answer answer = CACHE_DECEIVED;
    bool ok = true;
    for (int tries = 0; ok && answer == CACHE_DECEIVED && tries < 2; tries++) {
        struct sqlite_connection *connection =
            sqlite_take(source, SQLITE_FOR_SCHEMA, limits, err);
        if (!connection) {
            return false;
        }
        struct sqlite_identity identity = connection->named;
        struct sqlite_header header;
        sqlite_header_read(connection, &header);
        if (cache_quick(state, &header, &identity, out)) {
            sqlite_glance_keep(state, connection);
            sqlite_give(source, connection);
            return true;
        }
        int64_t version = 0;
        ok = version_read(connection, &version, source->path, err);
        answer = ok ? cache_ask(state, connection, &identity, version, out) : CACHE_STALE;
        if (ok && answer == CACHE_STALE) {
            ok = master_hash(connection, out, source->path, err);
            if (ok) {
                cache_keep(state, header.counter, &identity, version, out);
            }
        }
        if (answer == CACHE_DECEIVED) {
            sqlite_reopen(state); /* forgets the signature, so the next try computes it */
        }
        sqlite_give(source, connection);
    }
    return ok;
}
