/* Small named records of an account: saved queries, settings. */
#include <stdio.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/id.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/tables/table.h"

static void record_read(struct store_cursor *row, struct arena *arena,
                        struct store_record *out)
{
    *out = (struct store_record){
        .id = store_query_text(row, 0, arena),
        .kind = store_query_text(row, 1, arena),
        .account = store_query_text(row, 2, arena),
        .scope = store_query_text(row, 3, arena),
        .name = store_query_text(row, 4, arena),
        .json = store_query_text(row, 5, arena),
        .created_at = store_query_integer(row, 6),
        .updated_at = store_query_integer(row, 7),
    };
}

/* The lock is held. */
static bool has_room(struct store_connection *state, const struct store_record *record,
                     size_t most, struct err *err)
{
    struct store_cursor *row = store_query_start(
        state, QUERY_RECORD_ROOM, err, "tttt", record->kind,
        str_or_empty(record->account), str_or_empty(record->scope), record->name);
    bool room = row && store_query_next(state, row, err) &&
                (size_t)store_query_integer(row, 0) < most;
    store_query_end(row);
    return room;
}

/* The lock is held: the id that it has now, an old one's when it took its place. */
static bool read_id(struct store_connection *state, const struct store_record *record,
                    char id[ID_SIZE], struct err *err)
{
    struct store_cursor *row =
        store_query_start(state, QUERY_RECORD_GET, err, "ttttt", record->kind,
                          str_or_empty(record->account), (const char *)NULL,
                          str_or_empty(record->scope), record->name);
    bool found = row && store_query_next(state, row, err);
    if (found) {
        (void)snprintf(id, ID_SIZE, "%s", store_query_borrow(row, 0));
    }
    store_query_end(row);
    return found;
}

bool store_table_record_put(struct store *store, const struct store_record *record,
                            bool replace, size_t most, char id[ID_SIZE], struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    char made[ID_SIZE];
    id_new(record->kind, made);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = has_room(state, record, most, err) &&
              store_query_run(state, replace ? QUERY_RECORD_PUT : QUERY_RECORD_ADD, err,
                              "tttttti", record->id ? record->id : made, record->kind,
                              str_or_empty(record->account), str_or_empty(record->scope),
                              record->name, record->json, clock_wall_s()) &&
              store_query_changes(state) == 1 && read_id(state, record, id, err);
    if (ok && replace && store->leases) { /* others may go by it: they look at once */
        struct err ignored = {0};
        (void)store_table_notify(state, 'd', record->kind, &ignored);
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_record_change(struct store *store, const struct store_record *record,
                               struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_RECORD_CHANGE, err, "ttttti", record->kind,
                              str_or_empty(record->account), record->id, record->name,
                              record->json, clock_wall_s()) &&
              store_query_changes(state) == 1;
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_record_get(struct store *store, struct arena *arena,
                            const struct store_record *like, struct store_record *out,
                            struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row = store_query_start(
        state, QUERY_RECORD_GET, err, "ttttt", like->kind, str_or_empty(like->account),
        like->id, str_or_empty(like->scope), str_or_empty(like->name));
    bool found = row && store_query_next(state, row, err);
    if (found) {
        record_read(row, arena, out);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return found;
}

bool store_table_record_list(struct store *store, struct arena *arena,
                             const struct store_record *like, struct store_records *out,
                             struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    *out = (struct store_records){0};
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_RECORD_LIST, err, "ttt", like->kind,
                          str_or_empty(like->account), like->scope);
    while (row && store_query_next(state, row, err)) {
        record_read(row, arena, VEC_ADD(arena, out));
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}

bool store_table_record_delete(struct store *store, const struct store_record *like,
                               struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_RECORD_DELETE, err, "ttt", like->kind,
                              str_or_empty(like->account), str_or_empty(like->id)) &&
              store_query_changes(state) == 1;
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
