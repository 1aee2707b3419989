/* Questions of a store that is shared: written under their fence, claimed, stopped and
 * told of across processes. */
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/tables/table.h"

bool store_table_held_write(struct store_connection *connection,
                            struct store_leases *leases,
                            const struct store_question *question, bool *kept,
                            struct err *err)
{
    bool rests = question->status != NULL;
    bool ok =
        store_query_run(connection, QUERY_HELD_SAVE, err, "tttttiitttii", question->id,
                        question->session_id, str_or_empty(question->account),
                        str_or_empty(question->state), str_or_empty(question->text),
                        question->updated_at, question->expires_at, question->checkpoint,
                        question->answer, store_leases_owner(leases), question->fence,
                        rests ? INT64_C(0) : store_leases_ms(leases));
    *kept = ok && store_query_changes(connection) == 1;
    if (!*kept || !rests) {
        return ok;
    }
    return store_query_run(connection, QUERY_PAST_PUT, err, "tttttttiti", question->id,
                           question->session_id, str_or_empty(question->account),
                           question->datasource, str_or_empty(question->text),
                           question->status, question->sql, question->row_count,
                           question->brain, question->updated_at);
}

bool store_table_held_claim(struct store *store, const char *id, const char *from,
                            const char *to, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    int64_t fence = 0;
    err_clear(err);
    if (!store_queue_flush(store->queue, err)) {
        return false;
    }
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row = store_query_start(
        state, QUERY_HELD_CLAIM, err, "tttti", id, from, to,
        store_leases_owner(store->leases), store_leases_ms(store->leases));
    bool claimed = row && store_query_next(state, row, err);
    if (claimed) {
        fence = store_query_integer(row, 0);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    if (claimed) {
        store_leases_claimed(store->leases, id, fence);
    }
    return claimed;
}

bool store_table_notify(struct store_connection *connection, char kind, const char *id,
                        struct err *err)
{
    char text[ID_SIZE + 2];
    (void)snprintf(text, sizeof text, "%c%.*s", kind, ID_SIZE - 1, id);
    return store_query_run(connection, QUERY_NOTIFY, err, "t", text);
}

bool store_table_event_write(struct store_connection *connection,
                             struct store_leases *leases, const char *id, int64_t fence,
                             const char *json, struct err *err)
{
    return store_query_run(connection, QUERY_EVENT_ADD, err, "ttit", id, json, fence,
                           store_leases_owner(leases));
}

bool store_event_list(struct store *store, struct arena *arena, const char *id,
                      int64_t after, int64_t fence, struct store_events *out,
                      struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    *out = (struct store_events){0};
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_EVENT_LIST, err, "tii", id, after, fence);
    while (row && store_query_next(state, row, err)) {
        struct store_event *event = VEC_ADD(arena, out);
        event->number = store_query_integer(row, 0);
        event->json = store_query_text(row, 1, arena);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}

bool store_question_orphans(struct store *store, struct arena *arena, size_t most,
                            struct store_question **out, size_t *count, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    *out = NULL;
    *count = 0;
    if (!store->leases) {
        return true;
    }
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_HELD_ORPHANS, err, "i",
                          most > INT32_MAX ? (int64_t)INT32_MAX : (int64_t)most);
    bool ok = store_table_questions(state, row, arena, true, out, count, err);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_question_ask_stop(struct store *store, const char *id, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    if (!store->leases) {
        return false;
    }
    (void)pthread_mutex_lock(&state->lock);
    bool asked = store_query_run(state, QUERY_HELD_STOP, err, "t", id) &&
                 store_query_changes(state) == 1 &&
                 store_table_notify(state, 's', id, err);
    (void)pthread_mutex_unlock(&state->lock);
    return asked;
}

bool store_session_ask_stop(struct store *store, const char *session_id, size_t *count,
                            struct err *err)
{
    enum { AT_ONCE = 64 };
    struct store_connection *state = store_connection_of(store);
    char found[AT_ONCE][ID_SIZE];
    err_clear(err);
    *count = 0;
    if (!store->leases) {
        return true;
    }
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_HELD_STOP_SESSION, err, "t", session_id);
    while (row && store_query_next(state, row, err) && *count < AT_ONCE) {
        (void)snprintf(found[(*count)++], ID_SIZE, "%s", store_query_borrow(row, 0));
    }
    store_query_end(row);
    bool ok = err->code == ERR_OK;
    for (size_t i = 0; ok && i < *count; i++) {
        ok = store_table_notify(state, 's', found[i], err);
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
