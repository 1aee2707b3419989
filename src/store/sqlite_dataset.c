/* Datasets: which files an account has imported, and what was told of them. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/sqlite.h"

/* In the words of S2, which clients show as they are. */
static bool dataset_missing(struct err *err)
{
    return err_set(err, ERR_DATASET_NOT_FOUND, "Dataset not found");
}

/* Made from account and name, so that a second one takes the first one's place. */
static void dataset_id(const char *account, const char *name, char out[40])
{
    char hex[33];
    struct hash *hash = hash_new();
    hash_text(hash, str_or_empty(account));
    hash_text(hash, name);
    hash_hex(hash, hex);
    hash_free(hash);
    (void)snprintf(out, 40, "dataset-%.16s", hex);
}

bool store_sqlite_dataset_put(struct store *store, const struct store_dataset *dataset,
                              struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    char id[40];
    dataset_id(dataset->account, dataset->name, id);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(
        state, QUERY_DATASET_PUT, err, "ttttiti", id, str_or_empty(dataset->account),
        dataset->name, dataset->file, dataset->bytes, dataset->json, clock_wall_s());
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

static void dataset_read(sqlite3_stmt *row, struct arena *arena,
                         struct store_dataset *out)
{
    *out = (struct store_dataset){
        .id = store_query_text(row, 0, arena),
        .account = store_query_text(row, 1, arena),
        .name = store_query_text(row, 2, arena),
        .file = store_query_text(row, 3, arena),
        .bytes = sqlite3_column_int64(row, 4),
        .json = store_query_text(row, 5, arena),
        .created_at = sqlite3_column_int64(row, 6),
    };
}

bool store_sqlite_dataset_get(struct store *store, struct arena *arena,
                              const char *account, const char *name,
                              struct store_dataset *out, struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    sqlite3_stmt *row = store_query_start(state, QUERY_DATASET_GET, err, "tt",
                                          str_or_empty(account), str_or_empty(name));
    bool found = row && store_query_next(state, row, err);
    if (found) {
        dataset_read(row, arena, out);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return found || (err->code == ERR_OK ? dataset_missing(err) : false);
}

bool store_sqlite_dataset_list(struct store *store, struct arena *arena,
                               const char *account, struct store_datasets *out,
                               struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    *out = (struct store_datasets){0};
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    sqlite3_stmt *row =
        store_query_start(state, QUERY_DATASET_LIST, err, "t", str_or_empty(account));
    while (row && store_query_next(state, row, err)) {
        dataset_read(row, arena, VEC_ADD(arena, out));
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err->code == ERR_OK;
}

bool store_sqlite_dataset_delete(struct store *store, const char *account,
                                 const char *name, struct err *err)
{
    struct sqlite_store *state = store_sqlite_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_DATASET_DELETE, err, "tt",
                              str_or_empty(account), str_or_empty(name)) &&
              (sqlite3_changes(state->db) == 1 || dataset_missing(err));
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
