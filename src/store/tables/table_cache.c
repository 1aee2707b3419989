/* Cached schemas and values, the audit log, and the deletion of expired records. */
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "store/tables/table.h"

enum {
    MOST_ANSWERED = 100000,
    USAGE_KEPT_DAYS = 40,
    EVENTS_KEPT_S = 60,        /* after the end: who comes later gets the answer alone */
    MOST_VALUES = 64,          /* indexes; each may take some MiB */
    VALUES_KEPT_S = 7 * 86400, /* unused ones go */
};

/* The first column of the first row; false with err OK when there is no row. */
static bool get_one(struct store_connection *state, struct store_cursor *row,
                    struct arena *arena, const char **text, size_t *size, struct err *err)
{
    bool found = row && store_query_next(state, row, err);
    if (found) {
        *text = store_query_text(row, 0, arena);
        if (size) {
            *size = store_query_size(row, 0);
        }
    }
    store_query_end(row);
    return found;
}

bool store_table_schema_put(struct store *store, const char *datasource,
                            const char *signature, const char *json, size_t size,
                            struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_SCHEMA_PUT, err, "ttbi", datasource, signature,
                              json, size, clock_wall_s());
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_schema_get(struct store *store, struct arena *arena,
                            const char *datasource, const char *signature,
                            const char **json, size_t *size, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    size_t length = signature ? strlen(signature) : 0;
    bool newest = !signature || (length && signature[length - 1] == '*');
    struct store_cursor *row =
        store_query_start(state, newest ? QUERY_SCHEMA_GET_NEWEST : QUERY_SCHEMA_GET, err,
                          "tt", datasource, signature ? signature : "*");
    bool found = get_one(state, row, arena, json, size, err);
    (void)pthread_mutex_unlock(&state->lock);
    return found;
}

bool store_table_schema_before(struct store *store, struct arena *arena,
                               const char *datasource, const char *origin,
                               const char *signature, const char **json, size_t *size,
                               int64_t *stored_at, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row = store_query_start(state, QUERY_SCHEMA_BEFORE, err, "ttt",
                                                 datasource, origin, signature);
    bool found = row && store_query_next(state, row, err);
    if (found) {
        *json = store_query_text(row, 0, arena);
        *size = store_query_size(row, 0);
        *stored_at = store_query_integer(row, 1);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return found;
}

bool store_table_values_put(struct store *store, const char *datasource,
                            const char *signature, const char *data, size_t size,
                            struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_VALUES_PUT, err, "ttxi", datasource, signature,
                              data, size, clock_wall_s());
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_values_get(struct store *store, struct arena *arena,
                            const char *datasource, const char *signature,
                            struct store_values *out, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    *out = (struct store_values){0};
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_VALUES_GET, err, "tt", datasource, signature);
    bool found = row && store_query_next(state, row, err);
    if (found) {
        const char *data = store_query_borrow(row, 0);
        out->size = data ? store_query_size(row, 0) : 0;
        out->data = arena_copy(arena, data ? data : "", out->size);
        out->stored_at = store_query_integer(row, 1);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return found;
}

bool store_table_values_drop(struct store *store, const char *datasource, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_VALUES_DROP, err, "t", datasource);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_audit(struct store *store, const char *account, const char *action,
                       const char *detail, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_AUDIT, err, "ittt", clock_wall_s(),
                              account ? account : "", action, detail);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

static bool conversations_clean(struct store_connection *state, const void *context,
                                struct err *err)
{
    int64_t idle = *(const int64_t *)context;
    return store_query_run(state, QUERY_CLEAN_MESSAGES, err, "i", idle) &&
           store_query_run(state, QUERY_CLEAN_SESSIONS, err, "i", idle);
}

/* Each step is complete by itself, whether or not the next one runs. */
bool store_table_clean(struct store *store, int64_t session_s, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    int64_t now = clock_wall_s();
    int64_t idle = now - session_s;
    (void)pthread_mutex_lock(&state->lock);
    bool ok =
        store_query_run(state, QUERY_CLEAN_QUESTIONS, err, "i", now) &&
        store_query_run(state, QUERY_CLEAN_SHARES, err, "i", now) &&
        (state->backend->shared
             ? store_query_run(state, QUERY_CLEAN_CONVERSATIONS, err, "i", idle)
             : store_in_transaction(state, conversations_clean, &idle, err)) &&
        store_query_run(state, QUERY_CLEAN_SCHEMAS, err, "") &&
        store_query_run(state, QUERY_CLEAN_VALUES, err, "ii", now - VALUES_KEPT_S,
                        (int64_t)MOST_VALUES) &&
        store_query_run(state, QUERY_CLEAN_ANSWERED, err, "i", (int64_t)MOST_ANSWERED) &&
        store_query_run(state, QUERY_CLEAN_KEY_USAGE, err, "i",
                        now / (24 * 60 * 60) - USAGE_KEPT_DAYS);
    if (ok && state->backend->shared) {
        ok = store_query_run(state, QUERY_CLEAN_EVENTS, err, "i", now - EVENTS_KEPT_S) &&
             store_query_run(state, QUERY_CLEAN_METERS, err, "") &&
             store_query_run(state, QUERY_CLEAN_WORK, err, "") &&
             store_query_run(state, QUERY_CLEAN_REPLICAS, err, "");
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
