/* The store's contract: picks the implementation, checks it, and injects faults for
 * tests. */
#include "store/store.h"

#include <assert.h>

#include "base/memory.h"
#include "base/str.h"
#include "store/store_driver.h"

static const struct store_driver *const drivers[] = {
    &sqlite_store_driver,
};

/* Every slot is required; a missing one is a bug that shows on the first run. */
static void driver_check(const struct store_driver *driver)
{
    assert(driver->name && driver->opens && driver->open && driver->close);
    assert(driver->flush && driver->session_create && driver->session_get);
    assert(driver->session_list && driver->session_delete && driver->message_add);
    assert(driver->message_list && driver->question_save && driver->question_lost);
    assert(driver->question_get && driver->question_claim);
    assert(driver->question_list && driver->question_expired && driver->schema_put);
    assert(driver->question_unrested);
    assert(driver->source_put && driver->source_list && driver->source_delete);
    assert(driver->schema_get && driver->answered_put && driver->answered_get);
    assert(driver->answered_drop && driver->answered_list);
    assert(driver->audit && driver->clean);
    assert(driver->values_put && driver->values_get && driver->values_drop);
    assert(driver->lesson_put && driver->lesson_get && driver->lesson_list);
    assert(driver->lesson_delete && driver->lesson_used);
    assert(driver->dataset_put && driver->dataset_get && driver->dataset_list);
    assert(driver->dataset_delete);
    assert(driver->key_put && driver->key_get && driver->key_list && driver->key_delete);
    assert(driver->key_used && driver->key_spend && driver->key_spent);
    assert(driver->schema_before);
    assert(driver->past_list && driver->past_delete && driver->past_clean);
    assert(driver->record_put && driver->record_change && driver->record_get);
    assert(driver->record_list && driver->record_delete);
    assert(driver->backup && driver->restore);
    (void)driver;
}

static const struct store_driver *driver_for(const char *url, struct err *err)
{
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        if (drivers[i]->opens(url ? url : "")) {
            driver_check(drivers[i]);
            return drivers[i];
        }
    }
    (void)err_set(err, ERR_CONFIG,
                  "store.url names a store that this build does not have.");
    (void)err_hint(err, "Leave it empty for a file in the data folder, or use memory: or "
                        "sqlite:///folder/file.db.");
    return NULL;
}

struct store *store_open(const struct options *options, struct err *err)
{
    const struct store_driver *driver = driver_for(options->store_url, err);
    if (!driver) {
        return NULL;
    }
    struct store *store = memory_alloc(sizeof *store);
    store->driver = driver;
    if (!driver->open(store, options, err)) {
        memory_free(store);
        return NULL;
    }
    return store;
}

void store_close(struct store *store)
{
    if (store) {
        store->driver->close(store);
        memory_free(store);
    }
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
    return store_pass(store, err) && store->driver->flush(store, err);
}

bool store_session_create(struct store *store, const struct store_session *session,
                          struct err *err)
{
    return store_pass(store, err) && store->driver->session_create(store, session, err);
}

bool store_session_get(struct store *store, struct arena *arena, const char *id,
                       struct store_session *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->session_get(store, arena, id, out, err);
}

bool store_session_list(struct store *store, struct arena *arena, const char *account,
                        struct store_sessions *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->session_list(store, arena, account, out, err);
}

bool store_session_delete(struct store *store, const char *id, struct err *err)
{
    return store_pass(store, err) && store->driver->session_delete(store, id, err);
}

bool store_message_add(struct store *store, const char *session_id,
                       const struct message *message, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->message_add(store, session_id, message, err);
}

bool store_message_list(struct store *store, struct arena *arena, const char *session_id,
                        size_t most, struct messages *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->message_list(store, arena, session_id, most, out, err);
}

void store_question_save(struct store *store, const struct store_question *question)
{
    struct err why = {0};
    if (store_pass(store, &why)) {
        store->driver->question_save(store, question);
    } else {
        store->driver->question_lost(store, &why);
    }
}

bool store_question_get(struct store *store, struct arena *arena, const char *id,
                        struct store_question *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->question_get(store, arena, id, out, err);
}

bool store_question_claim(struct store *store, const char *id, const char *from,
                          const char *to, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->question_claim(store, id, from, to, err);
}

bool store_question_list(struct store *store, struct arena *arena, const char *account,
                         size_t most, struct store_question **out, size_t *count,
                         struct err *err)
{
    *out = NULL;
    *count = 0;
    return store_pass(store, err) &&
           store->driver->question_list(store, arena, account, most, out, count, err);
}

bool store_question_expired(struct store *store, struct arena *arena, const char *state,
                            size_t most, struct store_question **out, size_t *count,
                            struct err *err)
{
    return store_pass(store, err) &&
           store->driver->question_expired(store, arena, state, most, out, count, err);
}

bool store_question_unrested(struct store *store, struct arena *arena, size_t most,
                             struct store_question **out, size_t *count, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->question_unrested(store, arena, most, out, count, err);
}

bool store_schema_put(struct store *store, const char *datasource, const char *signature,
                      const char *json, size_t size, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->schema_put(store, datasource, signature, json, size, err);
}

bool store_schema_get(struct store *store, struct arena *arena, const char *datasource,
                      const char *signature, const char **json, size_t *size,
                      struct err *err)
{
    return store_pass(store, err) &&
           store->driver->schema_get(store, arena, datasource, signature, json, size,
                                     err);
}

bool store_source_put(struct store *store, const struct store_source *source,
                      struct err *err)
{
    return store_pass(store, err) && store->driver->source_put(store, source, err);
}

bool store_source_list(struct store *store, struct arena *arena,
                       struct store_sources *out, struct err *err)
{
    return store_pass(store, err) && store->driver->source_list(store, arena, out, err);
}

bool store_source_delete(struct store *store, const char *id, struct err *err)
{
    return store_pass(store, err) && store->driver->source_delete(store, id, err);
}

bool store_answered_put(struct store *store, const struct store_answered *answered,
                        struct err *err)
{
    return store_pass(store, err) && store->driver->answered_put(store, answered, err);
}

bool store_answered_get(struct store *store, struct arena *arena, const char *key,
                        struct store_answered *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->answered_get(store, arena, key, out, err);
}

bool store_answered_list(struct store *store, struct arena *arena,
                         const struct store_answered *like, int64_t since, size_t most,
                         struct store_answereds *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->answered_list(store, arena, like, since, most, out, err);
}

bool store_answered_drop(struct store *store, const char *key, struct err *err)
{
    return store_pass(store, err) && store->driver->answered_drop(store, key, err);
}

bool store_values_put(struct store *store, const char *datasource, const char *signature,
                      const char *data, size_t size, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->values_put(store, datasource, signature, data, size, err);
}

bool store_values_get(struct store *store, struct arena *arena, const char *datasource,
                      const char *signature, struct store_values *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->values_get(store, arena, datasource, signature, out, err);
}

bool store_values_drop(struct store *store, const char *datasource, struct err *err)
{
    return store_pass(store, err) && store->driver->values_drop(store, datasource, err);
}

bool store_lesson_put(struct store *store, const struct store_lesson *lesson, size_t most,
                      char id[ID_SIZE], struct err *err)
{
    return store_pass(store, err) &&
           store->driver->lesson_put(store, lesson, most, id, err);
}

bool store_lesson_get(struct store *store, struct arena *arena, const char *account,
                      const char *id, struct store_lesson *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->lesson_get(store, arena, account, id, out, err);
}

bool store_lesson_list(struct store *store, struct arena *arena, const char *account,
                       const char *datasource, struct store_lessons *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->lesson_list(store, arena, account, datasource, out, err);
}

bool store_lesson_delete(struct store *store, const char *account, const char *id,
                         struct err *err)
{
    return store_pass(store, err) &&
           store->driver->lesson_delete(store, account, id, err);
}

bool store_lesson_used(struct store *store, const char *account, const char *id,
                       const struct store_lesson_use *use, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->lesson_used(store, account, id, use, err);
}

bool store_dataset_put(struct store *store, const struct store_dataset *dataset,
                       struct err *err)
{
    return store_pass(store, err) && store->driver->dataset_put(store, dataset, err);
}

bool store_dataset_get(struct store *store, struct arena *arena, const char *account,
                       const char *name, struct store_dataset *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->dataset_get(store, arena, account, name, out, err);
}

bool store_dataset_list(struct store *store, struct arena *arena, const char *account,
                        struct store_datasets *out, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->dataset_list(store, arena, account, out, err);
}

bool store_dataset_delete(struct store *store, const char *account, const char *name,
                          struct err *err)
{
    return store_pass(store, err) &&
           store->driver->dataset_delete(store, account, name, err);
}

bool store_key_put(struct store *store, const struct store_key *key, size_t most,
                   struct err *err)
{
    return store_pass(store, err) && store->driver->key_put(store, key, most, err);
}

bool store_key_get(struct store *store, struct arena *arena, const char *id,
                   struct store_key *out, struct err *err)
{
    return store_pass(store, err) && store->driver->key_get(store, arena, id, out, err);
}

bool store_key_list(struct store *store, struct arena *arena, struct store_keys *out,
                    struct err *err)
{
    return store_pass(store, err) && store->driver->key_list(store, arena, out, err);
}

bool store_key_delete(struct store *store, const char *id, struct err *err)
{
    return store_pass(store, err) && store->driver->key_delete(store, id, err);
}

bool store_key_used(struct store *store, const char *id, int64_t at, struct err *err)
{
    return store_pass(store, err) && store->driver->key_used(store, id, at, err);
}

bool store_key_spend(struct store *store, const char *id, int64_t day, int64_t tokens,
                     struct err *err)
{
    return store_pass(store, err) &&
           store->driver->key_spend(store, id, day, tokens, err);
}

bool store_key_spent(struct store *store, const char *id, int64_t day, int64_t *tokens,
                     struct err *err)
{
    return store_pass(store, err) &&
           store->driver->key_spent(store, id, day, tokens, err);
}

bool store_schema_before(struct store *store, struct arena *arena, const char *datasource,
                         const char *origin, const char *signature, const char **json,
                         size_t *size, int64_t *stored_at, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->schema_before(store, arena, datasource, origin, signature, json,
                                        size, stored_at, err);
}

bool store_past_list(struct store *store, struct arena *arena,
                     const struct store_past_query *query, struct store_pasts *out,
                     size_t *total, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->past_list(store, arena, query, out, total, err);
}

bool store_past_delete(struct store *store, const char *account, const char *id,
                       size_t *count, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->past_delete(store, account, id, count, err);
}

bool store_past_clean(struct store *store, int64_t before, struct err *err)
{
    return store_pass(store, err) && store->driver->past_clean(store, before, err);
}

bool store_record_put(struct store *store, const struct store_record *record,
                      bool replace, size_t most, char id[ID_SIZE], struct err *err)
{
    return store_pass(store, err) &&
           store->driver->record_put(store, record, replace, most, id, err);
}

bool store_record_change(struct store *store, const struct store_record *record,
                         struct err *err)
{
    return store_pass(store, err) && store->driver->record_change(store, record, err);
}

bool store_record_get(struct store *store, struct arena *arena,
                      const struct store_record *like, struct store_record *out,
                      struct err *err)
{
    return store_pass(store, err) &&
           store->driver->record_get(store, arena, like, out, err);
}

bool store_record_list(struct store *store, struct arena *arena,
                       const struct store_record *like, struct store_records *out,
                       struct err *err)
{
    return store_pass(store, err) &&
           store->driver->record_list(store, arena, like, out, err);
}

bool store_record_delete(struct store *store, const struct store_record *like,
                         struct err *err)
{
    return store_pass(store, err) && store->driver->record_delete(store, like, err);
}

bool store_audit(struct store *store, const char *account, const char *action,
                 const char *detail, struct err *err)
{
    return store_pass(store, err) &&
           store->driver->audit(store, account, action, detail, err);
}

bool store_clean(struct store *store, int64_t session_s, struct err *err)
{
    return store_pass(store, err) && store->driver->clean(store, session_s, err);
}

bool store_backup(struct store *store, const char *path, struct err *err)
{
    return store_pass(store, err) && store->driver->backup(store, path, err);
}

bool store_restore(const char *path, const struct options *options, struct err *err)
{
    const struct store_driver *driver = driver_for(options->store_url, err);
    return driver && driver->restore(path, options, err);
}
