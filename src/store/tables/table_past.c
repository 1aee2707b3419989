/* The history. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/tables/table.h"

enum { PATTERN_MOST = 4096, LIST_MOST = 1000 };

/* LIKE's own signs are plain letters in what is searched for. */
static const char *pattern_of(struct arena *arena, const char *search)
{
    struct buf buf;
    if (str_empty(search)) {
        return NULL;
    }
    buf_init(&buf, PATTERN_MOST);
    (void)buf_char(&buf, '%');
    for (; *search; search++) {
        if (*search == '%' || *search == '_' || *search == '!') {
            (void)buf_char(&buf, '!');
        }
        (void)buf_char(&buf, *search);
    }
    (void)buf_char(&buf, '%');
    const char *pattern = buf.full ? "" : buf_clone(&buf, arena);
    buf_release(&buf);
    return pattern;
}

static void past_read(struct store_cursor *row, struct arena *arena,
                      struct store_past *out)
{
    *out = (struct store_past){
        .id = store_query_text(row, 0, arena),
        .session_id = store_query_text(row, 1, arena),
        .datasource = store_query_text(row, 2, arena),
        .question = store_query_text(row, 3, arena),
        .status = store_query_text(row, 4, arena),
        .sql = store_query_text(row, 5, arena),
        .brain = store_query_text(row, 6, arena),
        .row_count = store_query_integer(row, 7),
        .at = store_query_integer(row, 8),
    };
}

bool store_table_past_list(struct store *store, struct arena *arena,
                           const struct store_past_query *query, struct store_pasts *out,
                           size_t *total, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    const char *account = str_or_empty(query->account);
    const char *pattern = pattern_of(arena, query->search);
    const char *source = str_empty(query->datasource) ? NULL : query->datasource;
    *out = (struct store_pasts){0};
    *total = 0;
    err_clear(err);
    if (!store_queue_flush(store->queue, err)) {
        return false;
    }
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_PAST_LIST, err, "tttii", account, pattern, source,
                          (int64_t)(query->most < LIST_MOST ? query->most : LIST_MOST),
                          (int64_t)(query->skip < INT32_MAX ? query->skip : INT32_MAX));
    while (row && store_query_next(state, row, err)) {
        past_read(row, arena, VEC_ADD(arena, out));
    }
    store_query_end(row);
    if (err->code == ERR_OK) {
        row = store_query_start(state, QUERY_PAST_COUNT, err, "ttt", account, pattern,
                                source);
        if (row && store_query_next(state, row, err)) {
            *total = (size_t)store_query_integer(row, 0);
        }
        store_query_end(row);
    }
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}

bool store_table_past_delete(struct store *store, const char *account, const char *id,
                             size_t *count, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    *count = 0;
    if (!store_queue_flush(store->queue, err)) {
        return false;
    }
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_PAST_DELETE, err, "tt", str_or_empty(account),
                              str_empty(id) ? NULL : id);
    *count = ok ? (size_t)store_query_changes(state) : 0;
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_past_clean(struct store *store, int64_t before, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_PAST_CLEAN, err, "i", before);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
