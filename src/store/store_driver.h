/*
 * The contract of a store implementation: one table of functions, filled by field name,
 * all of them required. Only store.c calls them, so faults and checks live there once.
 */
#ifndef DGM_STORE_STORE_DRIVER_H
#define DGM_STORE_STORE_DRIVER_H

#include <stdatomic.h>

#include "store/store.h"

struct store_driver;

struct store {
    const struct store_driver *driver;
    void *state;        /* the driver's own */
    atomic_int fail_in; /* operations until the injected failure; 0: none */
    atomic_int fail_code;
};

struct store_driver {
    const char *name;
    /* Does it open this store.url? */
    bool (*opens)(const char *url);
    bool (*open)(struct store *store, const struct options *options, struct err *err);
    void (*close)(struct store *store);
    bool (*flush)(struct store *store, struct err *err);
    bool (*session_create)(struct store *store, const struct store_session *session,
                           struct err *err);
    bool (*session_get)(struct store *store, struct arena *arena, const char *id,
                        struct store_session *out, struct err *err);
    bool (*session_list)(struct store *store, struct arena *arena, const char *account,
                         struct store_sessions *out, struct err *err);
    bool (*session_delete)(struct store *store, const char *id, struct err *err);
    bool (*message_add)(struct store *store, const char *session_id,
                        const struct message *message, struct err *err);
    bool (*message_list)(struct store *store, struct arena *arena, const char *session_id,
                         size_t most, struct messages *out, struct err *err);
    void (*question_save)(struct store *store, const struct store_question *question);
    /* A save that could not be taken: the next flush reports it. */
    void (*question_lost)(struct store *store, const struct err *why);
    bool (*question_get)(struct store *store, struct arena *arena, const char *id,
                         struct store_question *out, struct err *err);
    bool (*question_claim)(struct store *store, const char *id, const char *from,
                           const char *to, struct err *err);
    bool (*question_list)(struct store *store, struct arena *arena, const char *account,
                          size_t most, struct store_question **out, size_t *count,
                          struct err *err);
    bool (*question_expired)(struct store *store, struct arena *arena, const char *state,
                             size_t most, struct store_question **out, size_t *count,
                             struct err *err);
    bool (*question_unrested)(struct store *store, struct arena *arena, size_t most,
                              struct store_question **out, size_t *count,
                              struct err *err);
    bool (*schema_put)(struct store *store, const char *datasource, const char *signature,
                       const char *json, size_t size, struct err *err);
    bool (*schema_get)(struct store *store, struct arena *arena, const char *datasource,
                       const char *signature, const char **json, size_t *size,
                       struct err *err);
    bool (*source_put)(struct store *store, const struct store_source *source,
                       struct err *err);
    bool (*source_list)(struct store *store, struct arena *arena,
                        struct store_sources *out, struct err *err);
    bool (*source_delete)(struct store *store, const char *id, struct err *err);
    bool (*answered_put)(struct store *store, const struct store_answered *answered,
                         struct err *err);
    bool (*answered_get)(struct store *store, struct arena *arena, const char *key,
                         struct store_answered *out, struct err *err);
    bool (*answered_drop)(struct store *store, const char *key, struct err *err);
    bool (*answered_list)(struct store *store, struct arena *arena,
                          const struct store_answered *like, int64_t since, size_t most,
                          struct store_answereds *out, struct err *err);
    bool (*values_put)(struct store *store, const char *datasource, const char *signature,
                       const char *data, size_t size, struct err *err);
    bool (*values_get)(struct store *store, struct arena *arena, const char *datasource,
                       const char *signature, struct store_values *out, struct err *err);
    bool (*values_drop)(struct store *store, const char *datasource, struct err *err);
    bool (*lesson_put)(struct store *store, const struct store_lesson *lesson,
                       size_t most, char id[ID_SIZE], struct err *err);
    bool (*lesson_get)(struct store *store, struct arena *arena, const char *account,
                       const char *id, struct store_lesson *out, struct err *err);
    bool (*lesson_list)(struct store *store, struct arena *arena, const char *account,
                        const char *datasource, struct store_lessons *out,
                        struct err *err);
    bool (*lesson_delete)(struct store *store, const char *account, const char *id,
                          struct err *err);
    bool (*lesson_used)(struct store *store, const char *account, const char *id,
                        const struct store_lesson_use *use, struct err *err);
    bool (*dataset_put)(struct store *store, const struct store_dataset *dataset,
                        struct err *err);
    bool (*dataset_get)(struct store *store, struct arena *arena, const char *account,
                        const char *name, struct store_dataset *out, struct err *err);
    bool (*dataset_list)(struct store *store, struct arena *arena, const char *account,
                         struct store_datasets *out, struct err *err);
    bool (*dataset_delete)(struct store *store, const char *account, const char *name,
                           struct err *err);
    bool (*key_put)(struct store *store, const struct store_key *key, size_t most,
                    struct err *err);
    bool (*key_get)(struct store *store, struct arena *arena, const char *id,
                    struct store_key *out, struct err *err);
    bool (*key_list)(struct store *store, struct arena *arena, struct store_keys *out,
                     struct err *err);
    bool (*key_delete)(struct store *store, const char *id, struct err *err);
    bool (*key_used)(struct store *store, const char *id, int64_t at, struct err *err);
    bool (*key_spend)(struct store *store, const char *id, int64_t day, int64_t tokens,
                      struct err *err);
    bool (*key_spent)(struct store *store, const char *id, int64_t day, int64_t *tokens,
                      struct err *err);
    bool (*schema_before)(struct store *store, struct arena *arena,
                          const char *datasource, const char *origin,
                          const char *signature, const char **json, size_t *size,
                          int64_t *stored_at, struct err *err);
    bool (*past_list)(struct store *store, struct arena *arena,
                      const struct store_past_query *query, struct store_pasts *out,
                      size_t *total, struct err *err);
    bool (*past_delete)(struct store *store, const char *account, const char *id,
                        size_t *count, struct err *err);
    bool (*past_clean)(struct store *store, int64_t before, struct err *err);
    bool (*record_put)(struct store *store, const struct store_record *record,
                       bool replace, size_t most, char id[ID_SIZE], struct err *err);
    bool (*record_change)(struct store *store, const struct store_record *record,
                          struct err *err);
    bool (*record_get)(struct store *store, struct arena *arena,
                       const struct store_record *like, struct store_record *out,
                       struct err *err);
    bool (*record_list)(struct store *store, struct arena *arena,
                        const struct store_record *like, struct store_records *out,
                        struct err *err);
    bool (*record_delete)(struct store *store, const struct store_record *like,
                          struct err *err);
    bool (*audit)(struct store *store, const char *account, const char *action,
                  const char *detail, struct err *err);
    bool (*clean)(struct store *store, int64_t session_s, struct err *err);
    bool (*backup)(struct store *store, const char *path, struct err *err);
    bool (*restore)(const char *path, const struct options *options, struct err *err);
};

extern const struct store_driver sqlite_store_driver;

#endif
