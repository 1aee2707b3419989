/* Questions with their checkpoints and answers. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/tables/table.h"

struct question_rows {
    struct store_question *items;
    size_t count;
    size_t capacity;
};

bool store_table_question_write(struct store_connection *store,
                                const struct store_question *question, struct err *err)
{
    bool rests = question->status != NULL;
    if (rests && !store_query_run(store, QUERY_PAST_PUT, err, "tttttttiti", question->id,
                                  question->session_id, str_or_empty(question->account),
                                  question->datasource, str_or_empty(question->text),
                                  question->status, question->sql, question->row_count,
                                  question->brain, question->updated_at)) {
        return false;
    }
    return store_query_run(store, QUERY_QUESTION_SAVE, err, "tttttiitt", question->id,
                           question->session_id, str_or_empty(question->account),
                           str_or_empty(question->state), str_or_empty(question->text),
                           question->updated_at, question->expires_at,
                           question->checkpoint, question->answer);
}

static void question_read(struct store_cursor *row, struct arena *arena, bool leased,
                          struct store_question *out)
{
    *out = (struct store_question){
        .id = store_query_text(row, 0, arena),
        .session_id = store_query_text(row, 1, arena),
        .account = store_query_text(row, 2, arena),
        .state = store_query_text(row, 3, arena),
        .text = store_query_text(row, 4, arena),
        .updated_at = store_query_integer(row, 5),
        .expires_at = store_query_integer(row, 6),
        .checkpoint = store_query_text(row, 7, arena),
        .answer = store_query_text(row, 8, arena),
        .fence = leased ? store_query_integer(row, 9) : 0,
        .stop = leased && store_query_integer(row, 10) != 0,
    };
}

static bool question_alive(const struct store_question *question)
{
    return question->expires_at == 0 || question->expires_at > clock_wall_s();
}

bool store_table_question_get(struct store *store, struct arena *arena, const char *id,
                              struct store_question *out, struct err *err)
{
    err_clear(err);
    bool found = store_queue_get(store->queue, arena, id, out);
    if (!found) {
        struct store_connection *state = store_reading_begin(store);
        struct store_cursor *row =
            store_query_start(state, QUERY_QUESTION_GET, err, "t", id);
        found = row && store_query_next(state, row, err);
        if (found) {
            question_read(row, arena, false, out);
        }
        store_query_end(row);
        store_reading_end(state);
    }
    if (found && question_alive(out)) {
        return true;
    }
    return err->code == ERR_OK
               ? err_set(err, ERR_QUERY_NOT_FOUND, "There is no question with this id.")
               : false;
}

bool store_table_question_claim(struct store *store, const char *id, const char *from,
                                const char *to, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    if (!store_queue_flush(store->queue, err)) {
        return false;
    }
    (void)pthread_mutex_lock(&state->lock);
    bool claimed =
        store_query_run(state, QUERY_QUESTION_CLAIM, err, "ttt", id, from, to) &&
        store_query_changes(state) == 1;
    (void)pthread_mutex_unlock(&state->lock);
    return claimed;
}

bool store_table_questions(struct store_connection *connection, struct store_cursor *row,
                           struct arena *arena, bool leased, struct store_question **out,
                           size_t *count, struct err *err)
{
    struct question_rows rows = {0};
    while (row && store_query_next(connection, row, err)) {
        question_read(row, arena, leased, VEC_ADD(arena, &rows));
    }
    store_query_end(row);
    *out = rows.items;
    *count = rows.count;
    return err->code == ERR_OK;
}

static int64_t bound(size_t most)
{
    return most > INT32_MAX ? INT32_MAX : (int64_t)most;
}

bool store_table_question_list(struct store *store, struct arena *arena,
                               const char *account, size_t most,
                               struct store_question **out, size_t *count,
                               struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    if (!store_queue_flush(store->queue, err)) {
        return false;
    }
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_QUESTION_LIST, err, "tii", str_or_empty(account),
                          clock_wall_s(), bound(most));
    bool ok = store_table_questions(state, row, arena, false, out, count, err);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_question_expired(struct store *store, struct arena *arena,
                                  const char *name, size_t most,
                                  struct store_question **out, size_t *count,
                                  struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row = store_query_start(
        state, QUERY_QUESTION_EXPIRED, err, "iti", clock_wall_s(), name, bound(most));
    bool ok = store_table_questions(state, row, arena, false, out, count, err);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_question_unrested(struct store *store, struct arena *arena, size_t most,
                                   struct store_question **out, size_t *count,
                                   struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    if (!store_queue_flush(store->queue, err)) {
        return false;
    }
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_QUESTION_UNRESTED, err, "i", bound(most));
    bool ok = store_table_questions(state, row, arena, false, out, count, err);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
