/*
 * Shared by the files of the store; private, except for the fault tests.
 */
#ifndef DGM_STORE_TABLE_H
#define DGM_STORE_TABLE_H

#include <stdatomic.h>

#include "store/backend.h"
#include "store/store.h"

enum { STORE_CONNECTIONS_MOST = 8 };

struct store_leases;
struct store_queue;

/* Tables that every question reads, and that have no row in most stores. */
enum store_rare { STORE_LESSONS, STORE_DATASETS, STORE_RARE };

/* SQLite has one connection for writing, under one lock, so that there is no busy loop
 * within the process. A second one reads while the first is busy. */
struct store {
    const struct store_backend *backend;
    struct store_connection *connections[STORE_CONNECTIONS_MOST];
    pthread_mutex_t second_lock;
    struct store_connection *second; /* see reader.c; NULL until it is needed */
    bool second_tried;
    atomic_uint turn;
    pthread_mutex_t rare_lock;
    struct store_empty {
        bool known;
        struct store_moment since; /* it was empty, and is until something is committed */
    } empty[STORE_RARE];
    struct store_queue *queue;
    struct store_leases *leases; /* of a shared store; or NULL */
    atomic_int fail_in;          /* operations until the injected failure; 0: none */
    atomic_int fail_code;
};

/* store.c: the connection of a call, whose lock it takes */
struct store_connection *store_connection_of(struct store *store);

/* reader.c: the same for a call that only reads; locked until it is given back */
struct store_connection *store_reading_begin(struct store *store);
void store_reading_end(struct store_connection *connection);

/* empty.c: is the table known to have no row? Without the lock. */
bool store_empty_known(struct store *store, enum store_rare table);
/* Looks whether it has one, after a reading found nothing; with the lock held. */
void store_empty_look(struct store *store, struct store_connection *connection,
                      enum store_rare table);

/* query.c: call with the lock held; see backend.h for the format. */
struct store_cursor *store_query_start(struct store_connection *connection,
                                       enum store_query query, struct err *err,
                                       const char *format, ...);
/* The next row; false at the end (err untouched) and on failure (err set). */
bool store_query_next(struct store_connection *connection, struct store_cursor *cursor,
                      struct err *err);
void store_query_end(struct store_cursor *cursor); /* NULL is fine */
/* For statements without rows. */
bool store_query_run(struct store_connection *connection, enum store_query query,
                     struct err *err, const char *format, ...);
const char *store_query_text(struct store_cursor *cursor, int column,
                             struct arena *arena);
const char *store_query_borrow(struct store_cursor *cursor, int column);
size_t store_query_size(struct store_cursor *cursor, int column); /* of a text */
int64_t store_query_integer(struct store_cursor *cursor, int column);
double store_query_real(struct store_cursor *cursor, int column);
/* Rows that the last statement changed. */
int64_t store_query_changes(struct store_connection *connection);

/* Runs all of it in a transaction; call it with the connection's lock held. */
bool store_in_transaction(struct store_connection *connection,
                          bool (*work)(struct store_connection *connection,
                                       const void *context, struct err *err),
                          const void *context, struct err *err);

/* queue.c */
struct store_queue *store_queue_new(struct store_connection *connection,
                                    struct store_leases *leases, int64_t commit_ms);
void store_queue_free(struct store_queue *queue); /* writes what is queued */
void store_queue_save(struct store_queue *queue, const struct store_question *question);
void store_queue_lost(struct store_queue *queue, const struct err *why);
bool store_queue_flush(struct store_queue *queue, struct err *err);
/* A question that is queued or being written; false: neither. In a shared store it waits
 * for a question that has ended to be written or refused. */
bool store_queue_get(struct store_queue *queue, struct arena *arena, const char *id,
                     struct store_question *out);

/* Queues an event of a question with its fence. */
void store_queue_event(struct store_queue *queue, const char *id, int64_t fence,
                       const char *json);

/* lease.c: the leases of this process */
struct store_leases *store_leases_new(struct store *store, const struct options *options);
void store_leases_free(struct store_leases *leases);
const char *store_leases_owner(const struct store_leases *leases);
int64_t store_leases_ms(const struct store_leases *leases);
/* The fence of a question; a new one gets the first. */
int64_t store_leases_fence(struct store_leases *leases, const char *id);
/* The same for one that is held, or was before it was lost; 0: none. */
int64_t store_leases_held(struct store_leases *leases, const char *id);
void store_leases_claimed(struct store_leases *leases, const char *id, int64_t fence);
/* Its write succeeded (for the last time if it has ended), or was refused. */
void store_leases_written(struct store_leases *leases, const char *id, int64_t fence,
                          bool rests);
void store_leases_refused(struct store_leases *leases, const char *id, int64_t fence);

/* table_lease.c; *kept: false if the fence is older */
bool store_table_held_write(struct store_connection *connection,
                            struct store_leases *leases,
                            const struct store_question *question, bool *kept,
                            struct err *err);
bool store_table_held_claim(struct store *store, const char *id, const char *from,
                            const char *to, struct err *err);
bool store_table_event_write(struct store_connection *connection,
                             struct store_leases *leases, const char *id, int64_t fence,
                             const char *json, struct err *err);
bool store_table_notify(struct store_connection *connection, char kind, const char *id,
                        struct err *err);
/* The rows of a running query; NULL if it could not be started. */
bool store_table_questions(struct store_connection *connection, struct store_cursor *row,
                           struct arena *arena, bool leased, struct store_question **out,
                           size_t *count, struct err *err);

/* table_*.c */
bool store_table_question_write(struct store_connection *store,
                                const struct store_question *question, struct err *err);
bool store_table_question_get(struct store *store, struct arena *arena, const char *id,
                              struct store_question *out, struct err *err);
bool store_table_question_claim(struct store *store, const char *id, const char *from,
                                const char *to, struct err *err);
bool store_table_question_list(struct store *store, struct arena *arena,
                               const char *account, size_t most,
                               struct store_question **out, size_t *count,
                               struct err *err);
bool store_table_session_create(struct store *store, const struct store_session *session,
                                struct err *err);
bool store_table_session_get(struct store *store, struct arena *arena, const char *id,
                             struct store_session *out, struct err *err);
bool store_table_session_list(struct store *store, struct arena *arena,
                              const char *account, struct store_sessions *out,
                              struct err *err);
bool store_table_session_rename(struct store *store, const char *id, const char *title,
                                struct err *err);
bool store_table_session_delete(struct store *store, const char *id, struct err *err);
bool store_table_message_add(struct store *store, const char *session_id,
                             const struct message *message, struct err *err);
bool store_table_message_list(struct store *store, struct arena *arena,
                              const char *session_id, size_t most, struct messages *out,
                              struct err *err);
bool store_table_question_expired(struct store *store, struct arena *arena,
                                  const char *state, size_t most,
                                  struct store_question **out, size_t *count,
                                  struct err *err);
bool store_table_question_unrested(struct store *store, struct arena *arena, size_t most,
                                   struct store_question **out, size_t *count,
                                   struct err *err);
bool store_table_source_put(struct store *store, const struct store_source *source,
                            struct err *err);
bool store_table_source_list(struct store *store, struct arena *arena,
                             struct store_sources *out, struct err *err);
bool store_table_source_delete(struct store *store, const char *id, struct err *err);
bool store_table_schema_put(struct store *store, const char *datasource,
                            const char *signature, const char *json, size_t size,
                            struct err *err);
bool store_table_schema_get(struct store *store, struct arena *arena,
                            const char *datasource, const char *signature,
                            const char **json, size_t *size, struct err *err);
bool store_table_answered_put(struct store *store, const struct store_answered *answered,
                              struct err *err);
bool store_table_answered_get(struct store *store, struct arena *arena, const char *key,
                              struct store_answered *out, struct err *err);
bool store_table_answered_list(struct store *store, struct arena *arena,
                               const struct store_answered *like, int64_t since,
                               size_t most, struct store_answereds *out, struct err *err);
bool store_table_answered_drop(struct store *store, const char *key, struct err *err);
bool store_table_values_put(struct store *store, const char *datasource,
                            const char *signature, const char *data, size_t size,
                            struct err *err);
bool store_table_values_get(struct store *store, struct arena *arena,
                            const char *datasource, const char *signature,
                            struct store_values *out, struct err *err);
bool store_table_values_drop(struct store *store, const char *datasource,
                             struct err *err);
bool store_table_lesson_put(struct store *store, const struct store_lesson *lesson,
                            size_t most, char id[ID_SIZE], struct err *err);
bool store_table_lesson_get(struct store *store, struct arena *arena, const char *account,
                            const char *id, struct store_lesson *out, struct err *err);
bool store_table_lesson_list(struct store *store, struct arena *arena,
                             const char *account, const char *datasource,
                             struct store_lessons *out, struct err *err);
bool store_table_lesson_delete(struct store *store, const char *account, const char *id,
                               struct err *err);
bool store_table_lesson_used(struct store *store, const char *account, const char *id,
                             const struct store_lesson_use *use, struct err *err);
bool store_table_dataset_put(struct store *store, const struct store_dataset *dataset,
                             struct err *err);
bool store_table_dataset_get(struct store *store, struct arena *arena,
                             const char *account, const char *name,
                             struct store_dataset *out, struct err *err);
bool store_table_dataset_list(struct store *store, struct arena *arena,
                              const char *account, struct store_datasets *out,
                              struct err *err);
bool store_table_dataset_all(struct store *store, struct arena *arena,
                             struct store_datasets *out, struct err *err);
bool store_table_dataset_part_put(struct store *store, const char *id,
                                  const char *version, int64_t part, const void *bytes,
                                  size_t size, struct err *err);
bool store_table_dataset_part_get(struct store *store, struct arena *arena,
                                  const char *id, const char *version, int64_t part,
                                  const char **bytes, size_t *size, struct err *err);
bool store_table_dataset_part_drop(struct store *store, const char *id, const char *but,
                                   struct err *err);
bool store_table_dataset_delete(struct store *store, const char *account,
                                const char *name, struct err *err);
bool store_table_key_put(struct store *store, const struct store_key *key, size_t most,
                         struct err *err);
bool store_table_key_get(struct store *store, struct arena *arena, const char *id,
                         struct store_key *out, struct err *err);
bool store_table_key_list(struct store *store, struct arena *arena,
                          struct store_keys *out, struct err *err);
bool store_table_key_delete(struct store *store, const char *id, struct err *err);
bool store_table_key_used(struct store *store, const char *id, int64_t at,
                          struct err *err);
bool store_table_key_spend(struct store *store, const char *id, int64_t day,
                           int64_t tokens, struct err *err);
bool store_table_key_spent(struct store *store, const char *id, int64_t day,
                           int64_t *tokens, struct err *err);
bool store_table_schema_before(struct store *store, struct arena *arena,
                               const char *datasource, const char *origin,
                               const char *signature, const char **json, size_t *size,
                               int64_t *stored_at, struct err *err);
bool store_table_past_list(struct store *store, struct arena *arena,
                           const struct store_past_query *query, struct store_pasts *out,
                           size_t *total, struct err *err);
bool store_table_past_delete(struct store *store, const char *account, const char *id,
                             size_t *count, struct err *err);
bool store_table_past_clean(struct store *store, int64_t before, struct err *err);
bool store_table_record_put(struct store *store, const struct store_record *record,
                            bool replace, size_t most, char id[ID_SIZE], struct err *err);
bool store_table_record_change(struct store *store, const struct store_record *record,
                               struct err *err);
bool store_table_record_get(struct store *store, struct arena *arena,
                            const struct store_record *like, struct store_record *out,
                            struct err *err);
bool store_table_record_list(struct store *store, struct arena *arena,
                             const struct store_record *like, struct store_records *out,
                             struct err *err);
bool store_table_record_delete(struct store *store, const struct store_record *like,
                               struct err *err);
bool store_table_share_put(struct store *store, const struct store_share *share,
                           size_t most, struct err *err);
bool store_table_share_get(struct store *store, struct arena *arena, const char *hash,
                           const char *id, struct store_share *out, struct err *err);
bool store_table_share_list(struct store *store, struct arena *arena, const char *account,
                            struct store_shares *out, struct err *err);
bool store_table_share_opened(struct store *store, const char *id, int64_t at,
                              struct err *err);
bool store_table_share_delete(struct store *store, const char *id, struct err *err);
bool store_table_share_end(struct store *store, const char *pattern, int64_t until,
                           struct err *err);
bool store_table_audit(struct store *store, const char *account, const char *action,
                       const char *detail, struct err *err);
bool store_table_clean(struct store *store, int64_t session_s, struct err *err);

#endif
