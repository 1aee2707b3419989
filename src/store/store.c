/* The store's contract: picks the implementation, checks it, and injects faults for
 * tests. */
#include "store/store.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"
#include "model/actor.h"
#include "store/tables/table.h"

static const struct store_backend *const backends[] = {
    &sqlite_store_backend,
#ifdef DRAGOMAN_HAS_POSTGRES
    &postgres_store_backend,
#endif
};

static const struct store_backend *backend_for(const char *url, struct err *err)
{
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++) {
        if (backends[i]->opens(url ? url : "")) {
            return backends[i];
        }
    }
    (void)err_set(err, ERR_CONFIG,
                  "store.url names a store that this build does not have.");
    (void)err_hint(err, "Leave it empty for a file in the data folder, or use memory:, "
                        "sqlite:///folder/file.db or postgres://host/database.");
    return NULL;
}

static void connections_close(struct store *store)
{
    for (size_t i = 0; i < STORE_CONNECTIONS_MOST; i++) {
        if (store->connections[i]) {
            store->backend->close(store->connections[i]);
        }
    }
    if (store->second) {
        store->backend->close(store->second);
    }
    (void)pthread_mutex_destroy(&store->second_lock);
    (void)pthread_mutex_destroy(&store->rare_lock);
}

struct store *store_open(const struct options *options, struct err *err)
{
    const struct store_backend *backend = backend_for(options->store_url, err);
    if (!backend) {
        return NULL;
    }
    struct store *store = memory_alloc(sizeof *store);
    store->backend = backend;
    (void)pthread_mutex_init(&store->second_lock, NULL);
    (void)pthread_mutex_init(&store->rare_lock, NULL);
    bool ok = true;
    /* The last one is reserved for the queue, so that writes do not wait for reads. */
    int wanted = backend->connections + (backend->shared ? 1 : 0);
    for (int i = 0; ok && i < wanted; i++) {
        store->connections[i] = backend->connect(options, err);
        ok = store->connections[i] != NULL;
    }
    if (!ok) {
        connections_close(store);
        memory_free(store);
        return NULL;
    }
    store->leases = backend->shared ? store_leases_new(store, options) : NULL;
    store->queue = store_queue_new(store->connections[wanted - 1], store->leases,
                                   options->store_commit_ms);
    return store;
}

void store_close(struct store *store)
{
    if (store) {
        store_unwatch(store);
        store_queue_free(store->queue);
        store_leases_free(store->leases);
        connections_close(store);
        memory_free(store);
    }
}

struct store_connection *store_connection_of(struct store *store)
{
    unsigned count = (unsigned)store->backend->connections;
    return store->connections[count == 1 ? 0 : atomic_fetch_add(&store->turn, 1) % count];
}

void store_fail_at(struct store *store, int nth, enum err_code code)
{
    atomic_store(&store->fail_code, (int)code);
    atomic_store(&store->fail_in, nth);
}

/* Counts one operation; false when it is the one that has to fail. */
static bool store_pass(struct store *store, struct err *err)
{
    int left = atomic_load(&store->fail_in);
    while (left > 0 && !atomic_compare_exchange_weak(&store->fail_in, &left, left - 1)) {}
    if (left != 1) {
        return true;
    }
    return err_set(err, (enum err_code)atomic_load(&store->fail_code),
                   "The store failed, as a test asked it to.");
}

bool store_flush(struct store *store, struct err *err)
{
    return store_pass(store, err) && store_queue_flush(store->queue, err);
}

bool store_session_create(struct store *store, const struct store_session *session,
                          struct err *err)
{
    return store_pass(store, err) && store_table_session_create(store, session, err);
}

bool store_session_get(struct store *store, struct arena *arena, const char *id,
                       struct store_session *out, struct err *err)
{
    return store_pass(store, err) && store_table_session_get(store, arena, id, out, err);
}

bool store_session_list(struct store *store, struct arena *arena, const char *account,
                        struct store_sessions *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_session_list(store, arena, account, out, err);
}

bool store_session_rename(struct store *store, const char *id, const char *title,
                          struct err *err)
{
    return store_pass(store, err) && store_table_session_rename(store, id, title, err);
}

bool store_session_delete(struct store *store, const char *id, struct err *err)
{
    return store_pass(store, err) && store_table_session_delete(store, id, err);
}

bool store_message_add(struct store *store, const char *session_id,
                       const struct message *message, struct err *err)
{
    return store_pass(store, err) &&
           store_table_message_add(store, session_id, message, err);
}

bool store_message_list(struct store *store, struct arena *arena, const char *session_id,
                        size_t most, struct messages *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_message_list(store, arena, session_id, most, out, err);
}

void store_question_save(struct store *store, const struct store_question *question)
{
    struct err why = {0};
    if (store_pass(store, &why)) {
        store_queue_save(store->queue, question);
    } else {
        store_queue_lost(store->queue, &why);
    }
}

bool store_question_get(struct store *store, struct arena *arena, const char *id,
                        struct store_question *out, struct err *err)
{
    return store_pass(store, err) && store_table_question_get(store, arena, id, out, err);
}

bool store_question_claim(struct store *store, const char *id, const char *from,
                          const char *to, struct err *err)
{
    return store_pass(store, err) &&
           (store->leases ? store_table_held_claim(store, id, from, to, err)
                          : store_table_question_claim(store, id, from, to, err));
}

bool store_question_list(struct store *store, struct arena *arena, const char *account,
                         size_t most, struct store_question **out, size_t *count,
                         struct err *err)
{
    *out = NULL;
    *count = 0;
    return store_pass(store, err) &&
           store_table_question_list(store, arena, account, most, out, count, err);
}

bool store_question_expired(struct store *store, struct arena *arena, const char *state,
                            size_t most, struct store_question **out, size_t *count,
                            struct err *err)
{
    return store_pass(store, err) &&
           store_table_question_expired(store, arena, state, most, out, count, err);
}

bool store_question_unrested(struct store *store, struct arena *arena, size_t most,
                             struct store_question **out, size_t *count, struct err *err)
{
    return store_pass(store, err) &&
           store_table_question_unrested(store, arena, most, out, count, err);
}

bool store_schema_put(struct store *store, const char *datasource, const char *signature,
                      const char *json, size_t size, struct err *err)
{
    return store_pass(store, err) &&
           store_table_schema_put(store, datasource, signature, json, size, err);
}

bool store_schema_get(struct store *store, struct arena *arena, const char *datasource,
                      const char *signature, const char **json, size_t *size,
                      struct err *err)
{
    return store_pass(store, err) &&
           store_table_schema_get(store, arena, datasource, signature, json, size, err);
}

bool store_source_put(struct store *store, const struct store_source *source,
                      struct err *err)
{
    return store_pass(store, err) && store_table_source_put(store, source, err);
}

bool store_source_list(struct store *store, struct arena *arena,
                       struct store_sources *out, struct err *err)
{
    return store_pass(store, err) && store_table_source_list(store, arena, out, err);
}

bool store_source_delete(struct store *store, const char *id, struct err *err)
{
    return store_pass(store, err) && store_table_source_delete(store, id, err);
}

bool store_answered_put(struct store *store, const struct store_answered *answered,
                        struct err *err)
{
    return store_pass(store, err) && store_table_answered_put(store, answered, err);
}

bool store_answered_get(struct store *store, struct arena *arena, const char *key,
                        struct store_answered *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_answered_get(store, arena, key, out, err);
}

bool store_answered_list(struct store *store, struct arena *arena,
                         const struct store_answered *like, int64_t since, size_t most,
                         struct store_answereds *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_answered_list(store, arena, like, since, most, out, err);
}

bool store_answered_drop(struct store *store, const char *key, struct err *err)
{
    return store_pass(store, err) && store_table_answered_drop(store, key, err);
}

bool store_values_put(struct store *store, const char *datasource, const char *signature,
                      const char *data, size_t size, struct err *err)
{
    return store_pass(store, err) &&
           store_table_values_put(store, datasource, signature, data, size, err);
}

bool store_values_get(struct store *store, struct arena *arena, const char *datasource,
                      const char *signature, struct store_values *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_values_get(store, arena, datasource, signature, out, err);
}

bool store_values_drop(struct store *store, const char *datasource, struct err *err)
{
    return store_pass(store, err) && store_table_values_drop(store, datasource, err);
}

bool store_lesson_put(struct store *store, const struct store_lesson *lesson, size_t most,
                      char id[ID_SIZE], struct err *err)
{
    return store_pass(store, err) && store_table_lesson_put(store, lesson, most, id, err);
}

bool store_lesson_get(struct store *store, struct arena *arena, const char *account,
                      const char *id, struct store_lesson *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_lesson_get(store, arena, account, id, out, err);
}

bool store_lesson_list(struct store *store, struct arena *arena, const char *account,
                       const char *datasource, struct store_lessons *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_lesson_list(store, arena, account, datasource, out, err);
}

bool store_lesson_delete(struct store *store, const char *account, const char *id,
                         struct err *err)
{
    return store_pass(store, err) && store_table_lesson_delete(store, account, id, err);
}

bool store_lesson_used(struct store *store, const char *account, const char *id,
                       const struct store_lesson_use *use, struct err *err)
{
    return store_pass(store, err) &&
           store_table_lesson_used(store, account, id, use, err);
}

bool store_dataset_put(struct store *store, const struct store_dataset *dataset,
                       struct err *err)
{
    return store_pass(store, err) && store_table_dataset_put(store, dataset, err);
}

bool store_dataset_get(struct store *store, struct arena *arena, const char *account,
                       const char *name, struct store_dataset *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_dataset_get(store, arena, account, name, out, err);
}

bool store_dataset_list(struct store *store, struct arena *arena, const char *account,
                        struct store_datasets *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_dataset_list(store, arena, account, out, err);
}

bool store_dataset_all(struct store *store, struct arena *arena,
                       struct store_datasets *out, struct err *err)
{
    return store_pass(store, err) && store_table_dataset_all(store, arena, out, err);
}

bool store_dataset_part_put(struct store *store, const char *id, const char *version,
                            int64_t part, const void *bytes, size_t size, struct err *err)
{
    return store_pass(store, err) &&
           store_table_dataset_part_put(store, id, version, part, bytes, size, err);
}

bool store_dataset_part_get(struct store *store, struct arena *arena, const char *id,
                            const char *version, int64_t part, const char **bytes,
                            size_t *size, struct err *err)
{
    return store_pass(store, err) &&
           store_table_dataset_part_get(store, arena, id, version, part, bytes, size,
                                        err);
}

bool store_dataset_part_drop(struct store *store, const char *id, const char *but,
                             struct err *err)
{
    return store_pass(store, err) && store_table_dataset_part_drop(store, id, but, err);
}

bool store_dataset_delete(struct store *store, const char *account, const char *name,
                          struct err *err)
{
    return store_pass(store, err) &&
           store_table_dataset_delete(store, account, name, err);
}

bool store_key_put(struct store *store, const struct store_key *key, size_t most,
                   struct err *err)
{
    return store_pass(store, err) && store_table_key_put(store, key, most, err);
}

bool store_key_get(struct store *store, struct arena *arena, const char *id,
                   struct store_key *out, struct err *err)
{
    return store_pass(store, err) && store_table_key_get(store, arena, id, out, err);
}

bool store_key_list(struct store *store, struct arena *arena, struct store_keys *out,
                    struct err *err)
{
    return store_pass(store, err) && store_table_key_list(store, arena, out, err);
}

bool store_key_delete(struct store *store, const char *id, struct err *err)
{
    return store_pass(store, err) && store_table_key_delete(store, id, err);
}

bool store_key_used(struct store *store, const char *id, int64_t at, struct err *err)
{
    return store_pass(store, err) && store_table_key_used(store, id, at, err);
}

bool store_key_spend(struct store *store, const char *id, int64_t day, int64_t tokens,
                     struct err *err)
{
    return store_pass(store, err) && store_table_key_spend(store, id, day, tokens, err);
}

bool store_key_spent(struct store *store, const char *id, int64_t day, int64_t *tokens,
                     struct err *err)
{
    return store_pass(store, err) && store_table_key_spent(store, id, day, tokens, err);
}

bool store_schema_before(struct store *store, struct arena *arena, const char *datasource,
                         const char *origin, const char *signature, const char **json,
                         size_t *size, int64_t *stored_at, struct err *err)
{
    return store_pass(store, err) &&
           store_table_schema_before(store, arena, datasource, origin, signature, json,
                                     size, stored_at, err);
}

bool store_past_list(struct store *store, struct arena *arena,
                     const struct store_past_query *query, struct store_pasts *out,
                     size_t *total, struct err *err)
{
    return store_pass(store, err) &&
           store_table_past_list(store, arena, query, out, total, err);
}

bool store_past_delete(struct store *store, const char *account, const char *id,
                       size_t *count, struct err *err)
{
    return store_pass(store, err) &&
           store_table_past_delete(store, account, id, count, err);
}

bool store_past_clean(struct store *store, int64_t before, struct err *err)
{
    return store_pass(store, err) && store_table_past_clean(store, before, err);
}

bool store_record_put(struct store *store, const struct store_record *record,
                      bool replace, size_t most, char id[ID_SIZE], struct err *err)
{
    return store_pass(store, err) &&
           store_table_record_put(store, record, replace, most, id, err);
}

bool store_record_change(struct store *store, const struct store_record *record,
                         struct err *err)
{
    return store_pass(store, err) && store_table_record_change(store, record, err);
}

bool store_record_get(struct store *store, struct arena *arena,
                      const struct store_record *like, struct store_record *out,
                      struct err *err)
{
    return store_pass(store, err) && store_table_record_get(store, arena, like, out, err);
}

bool store_record_list(struct store *store, struct arena *arena,
                       const struct store_record *like, struct store_records *out,
                       struct err *err)
{
    return store_pass(store, err) &&
           store_table_record_list(store, arena, like, out, err);
}

bool store_record_delete(struct store *store, const struct store_record *like,
                         struct err *err)
{
    return store_pass(store, err) && store_table_record_delete(store, like, err);
}

bool store_share_put(struct store *store, const struct store_share *share, size_t most,
                     struct err *err)
{
    return store_pass(store, err) && store_table_share_put(store, share, most, err);
}

bool store_share_get(struct store *store, struct arena *arena, const char *hash,
                     const char *id, struct store_share *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_share_get(store, arena, hash, id, out, err);
}

bool store_share_list(struct store *store, struct arena *arena, const char *account,
                      struct store_shares *out, struct err *err)
{
    return store_pass(store, err) &&
           store_table_share_list(store, arena, account, out, err);
}

bool store_share_opened(struct store *store, const char *id, int64_t at, struct err *err)
{
    return store_pass(store, err) && store_table_share_opened(store, id, at, err);
}

bool store_share_delete(struct store *store, const char *id, struct err *err)
{
    return store_pass(store, err) && store_table_share_delete(store, id, err);
}

bool store_share_end(struct store *store, const char *pattern, int64_t until,
                     struct err *err)
{
    return store_pass(store, err) && store_table_share_end(store, pattern, until, err);
}

bool store_audit(struct store *store, const char *account, const char *action,
                 const char *detail, struct err *err)
{
    struct arena *arena = arena_new();
    bool ok =
        store_pass(store, err) &&
        store_table_audit(store, actor_account(arena, account), action, detail, err);
    arena_free(arena);
    return ok;
}

bool store_clean(struct store *store, int64_t session_s, struct err *err)
{
    return store_pass(store, err) && store_table_clean(store, session_s, err);
}

bool store_backup(struct store *store, const char *path, struct err *err)
{
    return store_pass(store, err) && store->backend->backup(store, path, err);
}

bool store_restore(const char *path, const struct options *options, struct err *err)
{
    const struct store_backend *backend = backend_for(options->store_url, err);
    return backend && backend->restore(path, options, err);
}
