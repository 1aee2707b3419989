/* Usage per key, counted for all processes that share the store. */
#include "base/err.h"
#include "store/tables/table.h"

/* The time until there is one; 0: there was none to be had, but there is by now. */
static bool wait_of(struct store_connection *state, const char *key, double most,
                    int64_t *wait_ms, struct err *err)
{
    struct store_cursor *row =
        store_query_start(state, QUERY_METER_WAIT, err, "tr", key, most);
    int64_t wait =
        row && store_query_next(state, row, err) ? store_query_integer(row, 0) : 0;
    store_query_end(row);
    *wait_ms = wait > 0 ? wait : 1;
    return err->code == ERR_OK;
}

bool store_meter_request(struct store *store, const char *key, int64_t per_minute,
                         int64_t *wait_ms, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    double most = (double)per_minute;
    err_clear(err);
    *wait_ms = 0;
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_METER_TAKE, err, "tr", key, most);
    if (ok && store_query_changes(state) == 0) {
        ok = wait_of(state, key, most, wait_ms, err);
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

static bool work_add(struct store_connection *state, struct store *store, const char *key,
                     int64_t count, struct err *err)
{
    return store_query_run(state, QUERY_WORK_ADD, err, "tti", key,
                           store_leases_owner(store->leases), count);
}

/*
 * In a transaction: the count is taken after the lock is, and stays right until its end.
 */
static bool enter(struct store_connection *state, struct store *store, const char *key,
                  int64_t most, int64_t *at_work, struct err *err)
{
    if (!store_query_run(state, QUERY_WORK_LOCK, err, "t", key)) {
        return false;
    }
    struct store_cursor *row = store_query_start(state, QUERY_WORK_COUNT, err, "tt", key,
                                                 store_leases_owner(store->leases));
    bool ok = row && store_query_next(state, row, err);
    *at_work = ok ? store_query_integer(row, 0) : 0;
    store_query_end(row);
    return ok && (*at_work >= most || work_add(state, store, key, 1, err));
}

bool store_meter_enter(struct store *store, const char *key, int64_t most, bool *entered,
                       int64_t *at_work, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    *entered = false;
    *at_work = 0;
    (void)pthread_mutex_lock(&state->lock);
    bool ok = false;
    if (most <= 0) {
        ok = *entered = work_add(state, store, key, 1, err);
    } else if (store_query_run(state, QUERY_BEGIN, err, "")) {
        ok = enter(state, store, key, most, at_work, err) &&
             store_query_run(state, QUERY_COMMIT, err, "");
        *entered = ok && *at_work < most;
        if (!ok) {
            struct err ignored = {0};
            (void)store_query_run(state, QUERY_ROLLBACK, &ignored, "");
        }
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_meter_leave(struct store *store, const char *key, int64_t count,
                       struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = work_add(state, store, key, -count, err);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
