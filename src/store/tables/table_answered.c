/* Questions that were answered before, with their SQL. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/tables/table.h"

static void answered_read(struct store_cursor *row, struct arena *arena,
                          struct store_answered *out)
{
    int64_t verdict = store_query_integer(row, 7);
    *out = (struct store_answered){
        .key = store_query_text(row, 0, arena),
        .account = store_query_text(row, 1, arena),
        .datasource = store_query_text(row, 2, arena),
        .schema_hash = store_query_text(row, 3, arena),
        .question = store_query_text(row, 4, arena),
        .sql = store_query_text(row, 5, arena),
        .explanation = store_query_text(row, 6, arena),
        .verdict = verdict < 0   ? STORE_VERDICT_WRONG
                   : verdict > 0 ? STORE_VERDICT_GOOD
                                 : STORE_VERDICT_NONE,
        .stored_at = store_query_integer(row, 8),
        .score = store_query_real(row, 9),
    };
}

bool store_table_answered_put(struct store *store, const struct store_answered *answered,
                              struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_ANSWERED_PUT, err, "tttttttiir", answered->key,
                              str_or_empty(answered->account), answered->datasource,
                              answered->schema_hash, answered->question, answered->sql,
                              answered->explanation, (int64_t)answered->verdict,
                              clock_wall_s(), answered->score);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_answered_get(struct store *store, struct arena *arena, const char *key,
                              struct store_answered *out, struct err *err)
{
    err_clear(err);
    struct store_connection *state = store_reading_begin(store);
    struct store_cursor *row =
        store_query_start(state, QUERY_ANSWERED_GET, err, "t", key);
    bool found = row && store_query_next(state, row, err);
    if (found) {
        answered_read(row, arena, out);
    }
    store_query_end(row);
    store_reading_end(state);
    return found;
}

bool store_table_answered_list(struct store *store, struct arena *arena,
                               const struct store_answered *like, int64_t since,
                               size_t most, struct store_answereds *out, struct err *err)
{
    err_clear(err);
    struct store_connection *state = store_reading_begin(store);
    struct store_cursor *row = store_query_start(
        state, QUERY_ANSWERED_LIST, err, "tttii", str_or_empty(like->account),
        like->datasource, like->schema_hash, since,
        most > INT32_MAX ? (int64_t)INT32_MAX : (int64_t)most);
    while (row && store_query_next(state, row, err)) {
        answered_read(row, arena, VEC_ADD(arena, out));
    }
    store_query_end(row);
    store_reading_end(state);
    return err->code == ERR_OK;
}

bool store_table_answered_drop(struct store *store, const char *key, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_ANSWERED_DROP, err, "t", key);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
