/* Keys that let somebody in, and what their questions have cost. */
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/sqlite.h"

static bool key_missing(struct err *err)
{
    return err_set(err, ERR_KEY_NOT_FOUND, "There is no key with this id.");
}

bool store_sqlite_key_put(struct store *store, const struct store_key *key, size_t most,
                          struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(
        state, QUERY_KEY_PUT, err, "ttttitiiiiii", key->id, key->hash, key->account,
        key->label, key->scopes, key->datasources, key->rate_per_minute, key->concurrent,
        key->daily_tokens, key->created_at, key->expires_at, (int64_t)most);
    if (ok && sqlite3_changes(state->db) != 1) {
        (void)err_set(err, ERR_INVALID_DATA, "There are %zu keys already.", most);
        ok = err_hint(err, "Revoke those that nobody uses: 'dragoman keys list'.");
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

static void key_read(sqlite3_stmt *row, struct arena *arena, struct store_key *out)
{
    *out = (struct store_key){
        .id = store_query_text(row, 0, arena),
        .hash = store_query_text(row, 1, arena),
        .account = store_query_text(row, 2, arena),
        .label = store_query_text(row, 3, arena),
        .scopes = sqlite3_column_int64(row, 4),
        .datasources = store_query_text(row, 5, arena),
        .rate_per_minute = sqlite3_column_int64(row, 6),
        .concurrent = sqlite3_column_int64(row, 7),
        .daily_tokens = sqlite3_column_int64(row, 8),
        .created_at = sqlite3_column_int64(row, 9),
        .expires_at = sqlite3_column_int64(row, 10),
        .last_used_at = sqlite3_column_int64(row, 11),
    };
}

bool store_sqlite_key_get(struct store *store, struct arena *arena, const char *id,
                          struct store_key *out, struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    sqlite3_stmt *row =
        store_query_start(state, QUERY_KEY_GET, err, "t", str_or_empty(id));
    bool found = row && store_query_next(state, row, err);
    if (found) {
        key_read(row, arena, out);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return found || (err->code == ERR_OK ? key_missing(err) : false);
}

bool store_sqlite_key_list(struct store *store, struct arena *arena,
                           struct store_keys *out, struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    *out = (struct store_keys){0};
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    sqlite3_stmt *row = store_query_start(state, QUERY_KEY_LIST, err, "");
    while (row && store_query_next(state, row, err)) {
        key_read(row, arena, VEC_ADD(arena, out));
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}

bool store_sqlite_key_delete(struct store *store, const char *id, struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_KEY_DELETE, err, "t", str_or_empty(id)) &&
              (sqlite3_changes(state->db) == 1 || key_missing(err));
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_sqlite_key_used(struct store *store, const char *id, int64_t at,
                           struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_KEY_USED, err, "ti", id, at);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_sqlite_key_spend(struct store *store, const char *id, int64_t day,
                            int64_t tokens, struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_KEY_SPEND, err, "tii", id, day, tokens);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_sqlite_key_spent(struct store *store, const char *id, int64_t day,
                            int64_t *tokens, struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    *tokens = 0;
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    sqlite3_stmt *row = store_query_start(state, QUERY_KEY_SPENT, err, "ti", id, day);
    if (row && store_query_next(state, row, err)) {
        *tokens = sqlite3_column_int64(row, 0);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}
