/* Access keys, and what their questions cost. */
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/tables/table.h"

static bool key_missing(struct err *err)
{
    return err_set(err, ERR_KEY_NOT_FOUND, "There is no key with this id.");
}

bool store_table_key_put(struct store *store, const struct store_key *key, size_t most,
                         struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok =
        store_query_run(state, QUERY_KEY_PUT, err, "ttttitiiiiiit", key->id, key->hash,
                        key->account, key->label, key->scopes, key->datasources,
                        key->rate_per_minute, key->concurrent, key->daily_tokens,
                        key->created_at, key->expires_at, (int64_t)most, key->identity);
    if (ok && store_query_changes(state) != 1) {
        (void)err_set(err, ERR_INVALID_DATA, "There are %zu keys already.", most);
        ok = err_hint(err, "Revoke those that nobody uses: 'dragoman keys list'.");
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

static void key_read(struct store_cursor *row, struct arena *arena, struct store_key *out)
{
    *out = (struct store_key){
        .id = store_query_text(row, 0, arena),
        .hash = store_query_text(row, 1, arena),
        .account = store_query_text(row, 2, arena),
        .label = store_query_text(row, 3, arena),
        .scopes = store_query_integer(row, 4),
        .datasources = store_query_text(row, 5, arena),
        .rate_per_minute = store_query_integer(row, 6),
        .concurrent = store_query_integer(row, 7),
        .daily_tokens = store_query_integer(row, 8),
        .created_at = store_query_integer(row, 9),
        .expires_at = store_query_integer(row, 10),
        .last_used_at = store_query_integer(row, 11),
        .identity = store_query_text(row, 12, arena),
    };
}

bool store_table_key_get(struct store *store, struct arena *arena, const char *id,
                         struct store_key *out, struct err *err)
{
    err_clear(err);
    struct store_connection *state = store_reading_begin(store);
    struct store_cursor *row =
        store_query_start(state, QUERY_KEY_GET, err, "t", str_or_empty(id));
    bool found = row && store_query_next(state, row, err);
    if (found) {
        key_read(row, arena, out);
    }
    store_query_end(row);
    store_reading_end(state);
    return found || (err->code == ERR_OK ? key_missing(err) : false);
}

bool store_table_key_list(struct store *store, struct arena *arena,
                          struct store_keys *out, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    *out = (struct store_keys){0};
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row = store_query_start(state, QUERY_KEY_LIST, err, "");
    while (row && store_query_next(state, row, err)) {
        key_read(row, arena, VEC_ADD(arena, out));
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}

bool store_table_key_delete(struct store *store, const char *id, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_KEY_DELETE, err, "t", str_or_empty(id)) &&
              (store_query_changes(state) == 1 || key_missing(err));
    if (ok && store->leases) { /* processes without notifications check twice a second */
        struct err ignored = {0};
        (void)store_table_notify(state, 'k', id, &ignored);
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_key_used(struct store *store, const char *id, int64_t at,
                          struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_KEY_USED, err, "ti", id, at);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_key_spend(struct store *store, const char *id, int64_t day,
                           int64_t tokens, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_KEY_SPEND, err, "tii", id, day, tokens);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_key_spent(struct store *store, const char *id, int64_t day,
                           int64_t *tokens, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    *tokens = 0;
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_KEY_SPENT, err, "ti", id, day);
    if (row && store_query_next(state, row, err)) {
        *tokens = store_query_integer(row, 0);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}
