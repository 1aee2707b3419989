/* Datasets: imported files and their descriptions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/tables/table.h"

/* Clients show these words unchanged. */
static bool dataset_missing(struct err *err)
{
    return err_set(err, ERR_DATASET_NOT_FOUND, "Dataset not found");
}

/* Made from account and name, so that a second one takes the first one's place. */
void store_dataset_id(const char *account, const char *name, char out[STORE_DATASET_ID])
{
    char hex[33];
    struct hash *hash = hash_new();
    hash_text(hash, str_or_empty(account));
    hash_text(hash, name);
    hash_hex(hash, hex);
    hash_free(hash);
    (void)snprintf(out, STORE_DATASET_ID, "dataset-%.16s", hex);
}

bool store_table_dataset_put(struct store *store, const struct store_dataset *dataset,
                             struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    char id[STORE_DATASET_ID];
    store_dataset_id(dataset->account, dataset->name, id);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_DATASET_PUT, err, "ttttitit", id,
                              str_or_empty(dataset->account), dataset->name,
                              dataset->file, dataset->bytes, dataset->json,
                              clock_wall_s(), str_or_empty(dataset->version));
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

static void dataset_read(struct store_cursor *row, struct arena *arena,
                         struct store_dataset *out)
{
    *out = (struct store_dataset){
        .id = store_query_text(row, 0, arena),
        .account = store_query_text(row, 1, arena),
        .name = store_query_text(row, 2, arena),
        .file = store_query_text(row, 3, arena),
        .bytes = store_query_integer(row, 4),
        .json = store_query_text(row, 5, arena),
        .created_at = store_query_integer(row, 6),
        .version = store_query_text(row, 7, arena),
    };
}

bool store_table_dataset_get(struct store *store, struct arena *arena,
                             const char *account, const char *name,
                             struct store_dataset *out, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row = store_query_start(
        state, QUERY_DATASET_GET, err, "tt", str_or_empty(account), str_or_empty(name));
    bool found = row && store_query_next(state, row, err);
    if (found) {
        dataset_read(row, arena, out);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return found || (err->code == ERR_OK ? dataset_missing(err) : false);
}

static bool rows_read(struct store_connection *state, struct store_cursor *row,
                      struct arena *arena, struct store_datasets *out, struct err *err)
{
    while (row && store_query_next(state, row, err)) {
        dataset_read(row, arena, VEC_ADD(arena, out));
    }
    store_query_end(row);
    return err->code == ERR_OK;
}

static int name_order(const void *a, const void *b)
{
    return strcmp(((const struct store_dataset *)a)->name,
                  ((const struct store_dataset *)b)->name);
}

bool store_table_dataset_list(struct store *store, struct arena *arena,
                              const char *account, struct store_datasets *out,
                              struct err *err)
{
    *out = (struct store_datasets){0};
    err_clear(err);
    if (store_empty_known(store, STORE_DATASETS)) {
        return true;
    }
    struct store_connection *state = store_reading_begin(store);
    struct store_cursor *row =
        store_query_start(state, QUERY_DATASET_LIST, err, "t", str_or_empty(account));
    bool ok = rows_read(state, row, arena, out, err);
    if (ok && !out->count) {
        store_empty_look(store, state, STORE_DATASETS);
    }
    store_reading_end(state);
    if (out->count > 1) {
        qsort(out->items, out->count, sizeof *out->items, name_order);
    }
    return ok;
}

bool store_table_dataset_all(struct store *store, struct arena *arena,
                             struct store_datasets *out, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    *out = (struct store_datasets){0};
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row = store_query_start(state, QUERY_DATASET_ALL, err, "");
    bool ok = rows_read(state, row, arena, out, err);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_dataset_delete(struct store *store, const char *account,
                                const char *name, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    char id[STORE_DATASET_ID];
    store_dataset_id(account, str_or_empty(name), id);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_DATASET_DELETE, err, "tt",
                              str_or_empty(account), str_or_empty(name)) &&
              (store_query_changes(state) == 1 || dataset_missing(err)) &&
              store_query_run(state, QUERY_DATASET_PART_DROP, err, "tt", id, "");
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_dataset_part_put(struct store *store, const char *id,
                                  const char *version, int64_t part, const void *bytes,
                                  size_t size, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_DATASET_PART_PUT, err, "ttix", id, version,
                              part, bytes, size);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_dataset_part_get(struct store *store, struct arena *arena,
                                  const char *id, const char *version, int64_t part,
                                  const char **bytes, size_t *size, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    *bytes = NULL;
    *size = 0;
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_DATASET_PART_GET, err, "tti", id, version, part);
    if (row && store_query_next(state, row, err)) {
        *bytes = store_query_text(row, 0, arena);
        *size = store_query_size(row, 0);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}

bool store_table_dataset_part_drop(struct store *store, const char *id, const char *but,
                                   struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_DATASET_PART_DROP, err, "tt", id, but);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
