/* Datasources that were added at run time. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/vec.h"
#include "store/tables/table.h"

bool store_table_source_put(struct store *store, const struct store_source *source,
                            struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_SOURCE_PUT, err, "ttti", source->id,
                              source->sealed, source->description, clock_wall_s()) &&
              (!store->leases || store_table_notify(state, 'd', source->id, err));
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_source_list(struct store *store, struct arena *arena,
                             struct store_sources *out, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row = store_query_start(state, QUERY_SOURCE_LIST, err, "");
    while (row && store_query_next(state, row, err)) {
        struct store_source *source = VEC_ADD(arena, out);
        source->id = store_query_text(row, 0, arena);
        source->sealed = store_query_text(row, 1, arena);
        source->description = store_query_text(row, 2, arena);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}

bool store_table_source_delete(struct store *store, const char *id, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_SOURCE_DELETE, err, "t", id) &&
              (!store->leases || store_table_notify(state, 'd', id, err));
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
