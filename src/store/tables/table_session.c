/* Sessions and messages. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/tables/table.h"

bool store_table_session_create(struct store *store, const struct store_session *session,
                                struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok =
        store_query_run(state, QUERY_SESSION_CREATE, err, "ttttii", session->id,
                        str_or_empty(session->account), session->datasource,
                        session->title, session->created_at, session->last_activity);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

static void session_read(struct store_cursor *row, struct arena *arena,
                         struct store_session *out)
{
    *out = (struct store_session){
        .id = store_query_text(row, 0, arena),
        .account = store_query_text(row, 1, arena),
        .datasource = store_query_text(row, 2, arena),
        .title = store_query_text(row, 3, arena),
        .created_at = store_query_integer(row, 4),
        .last_activity = store_query_integer(row, 5),
    };
}

static bool session_missing(struct err *err)
{
    return err_set(err, ERR_SESSION_NOT_FOUND, "Session not found or expired");
}

bool store_table_session_get(struct store *store, struct arena *arena, const char *id,
                             struct store_session *out, struct err *err)
{
    err_clear(err);
    struct store_connection *state = store_reading_begin(store);
    struct store_cursor *row = store_query_start(state, QUERY_SESSION_GET, err, "t", id);
    bool found = row && store_query_next(state, row, err);
    if (found) {
        session_read(row, arena, out);
    }
    store_query_end(row);
    store_reading_end(state);
    return found || (err->code == ERR_OK ? session_missing(err) : false);
}

bool store_table_session_list(struct store *store, struct arena *arena,
                              const char *account, struct store_sessions *out,
                              struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    *out = (struct store_sessions){0};
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_SESSION_LIST, err, "t", str_or_empty(account));
    while (row && store_query_next(state, row, err)) {
        session_read(row, arena, VEC_ADD(arena, out));
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}

bool store_table_session_rename(struct store *store, const char *id, const char *title,
                                struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_SESSION_RENAME, err, "tt", id, title);
    bool found = ok && store_query_changes(state) == 1;
    (void)pthread_mutex_unlock(&state->lock);
    return found || (ok ? session_missing(err) : false);
}

static bool delete_both(struct store_connection *state, const void *context,
                        struct err *err)
{
    const char *id = context;
    return store_query_run(state, QUERY_SESSION_DELETE_MESSAGES, err, "t", id) &&
           store_query_run(state, QUERY_SESSION_DELETE, err, "t", id) &&
           (store_query_changes(state) == 1 || session_missing(err));
}

bool store_table_session_delete(struct store *store, const char *id, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_in_transaction(state, delete_both, id, err);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

struct addition {
    const char *session_id;
    const struct message *message;
    const char *owner; /* of a shared store: who has to have the question it is about */
    int64_t fence;     /* 0: it is about none that this process works on */
};

/* What a process says that has lost its question to another one is not said. */
static bool is_held(struct store_connection *state, const struct addition *addition,
                    struct err *err)
{
    struct store_cursor *row =
        store_query_start(state, QUERY_HELD_LOCK, err, "tti", addition->message->query_id,
                          addition->owner, addition->fence);
    bool started = row != NULL;
    bool held = started && store_query_next(state, row, err);
    store_query_end(row);
    return held || (started && err_set(err, ERR_STORE,
                                       "Another process has taken the question over."));
}

static bool message_insert(struct store_connection *state, const void *context,
                           struct err *err)
{
    const struct addition *addition = context;
    const struct message *message = addition->message;
    int64_t at = message->at ? message->at : clock_wall_s();
    const char *said = str_equal(message->role, "user") ? message->content : NULL;
    if (addition->fence && !is_held(state, addition, err)) {
        return false;
    }
    return store_query_run(state, QUERY_SESSION_TOUCH, err, "tit", addition->session_id,
                           at, str_empty(said) ? NULL : said) &&
           (store_query_changes(state) == 1 || session_missing(err)) &&
           store_query_run(state, QUERY_MESSAGE_ADD, err, "tttttit", addition->session_id,
                           str_or_empty(message->role), str_or_empty(message->content),
                           message->sql, message->query_id, at, message->gist);
}

bool store_table_message_add(struct store *store, const char *session_id,
                             const struct message *message, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    struct addition addition = {session_id, message, NULL, 0};
    if (store->leases && message->query_id) {
        addition.owner = store_leases_owner(store->leases);
        addition.fence = store_leases_held(store->leases, message->query_id);
        if (addition.fence && !store_queue_flush(store->queue, err)) {
            return false; /* the question has to be there before it is looked at */
        }
    }
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_in_transaction(state, message_insert, &addition, err);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_message_list(struct store *store, struct arena *arena,
                              const char *session_id, size_t most, struct messages *out,
                              struct err *err)
{
    *out = (struct messages){0};
    err_clear(err);
    int64_t limit = most > INT32_MAX ? INT32_MAX : (int64_t)most;
    struct store_connection *state = store_reading_begin(store);
    struct store_cursor *row =
        store_query_start(state, QUERY_MESSAGE_LIST, err, "ti", session_id, limit);
    while (row && store_query_next(state, row, err)) {
        struct message *message = VEC_ADD(arena, out);
        message->role = store_query_text(row, 0, arena);
        message->content = store_query_text(row, 1, arena);
        message->sql = store_query_text(row, 2, arena);
        message->query_id = store_query_text(row, 3, arena);
        message->at = store_query_integer(row, 4);
        message->gist = store_query_text(row, 5, arena);
    }
    store_query_end(row);
    store_reading_end(state);
    return err->code == ERR_OK;
}
