/* Links that show answers. */
#include <stdio.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/actor.h"
#include "store/tables/table.h"

enum { JSON_COLUMN = 12 };

bool store_table_share_put(struct store *store, const struct store_share *share,
                           size_t most, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    const char *owner = share->owner ? share->owner : share->account;
    char first[ACTOR_SIZE]; /* the names of its actors: "OWNER~…" */
    char last[ACTOR_SIZE];
    (void)snprintf(first, sizeof first, "%s~", owner);
    (void)snprintf(last, sizeof last, "%s\x7f", owner);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_SHARE_PUT, err, "tttttttttiiittt", share->id,
                              share->hash, share->account, share->key, share->kind,
                              share->subject, share->title, share->datasources,
                              share->json, share->created_at, share->expires_at,
                              (int64_t)most, owner, first, last);
    if (ok && store_query_changes(state) != 1) {
        (void)err_set(err, ERR_QUOTA, "The account has %zu links already.", most);
        ok = err_hint(err, "Revoke those that nobody needs.");
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

static void share_read(struct store_cursor *row, struct arena *arena,
                       struct store_share *out)
{
    *out = (struct store_share){
        .id = store_query_text(row, 0, arena),
        .hash = store_query_text(row, 1, arena),
        .account = store_query_text(row, 2, arena),
        .key = store_query_text(row, 3, arena),
        .kind = store_query_text(row, 4, arena),
        .subject = store_query_text(row, 5, arena),
        .title = store_query_text(row, 6, arena),
        .datasources = store_query_text(row, 7, arena),
        .created_at = store_query_integer(row, 8),
        .expires_at = store_query_integer(row, 9),
        .opens = store_query_integer(row, 10),
        .last_opened_at = store_query_integer(row, 11),
    };
}

bool store_table_share_get(struct store *store, struct arena *arena, const char *hash,
                           const char *id, struct store_share *out, struct err *err)
{
    err_clear(err);
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_SHARE_GET, err, "tti", str_or_empty(hash),
                          str_or_empty(id), clock_wall_s());
    bool found = row && store_query_next(state, row, err);
    if (found) {
        share_read(row, arena, out);
        out->json = store_query_text(row, JSON_COLUMN, arena);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return found;
}

bool store_table_share_list(struct store *store, struct arena *arena, const char *account,
                            struct store_shares *out, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    *out = (struct store_shares){0};
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_SHARE_LIST, err, "ti", account, clock_wall_s());
    while (row && store_query_next(state, row, err)) {
        share_read(row, arena, VEC_ADD(arena, out));
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}

bool store_table_share_opened(struct store *store, const char *id, int64_t at,
                              struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_SHARE_OPENED, err, "ti", id, at);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_share_delete(struct store *store, const char *id, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_SHARE_DELETE, err, "t", str_or_empty(id)) &&
              store_query_changes(state) == 1;
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_share_end(struct store *store, const char *pattern, int64_t until,
                           struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_SHARE_END, err, "ti", pattern, until);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
