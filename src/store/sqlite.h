/* What the files of the SQLite store share; nobody else includes this. */
#ifndef DGM_STORE_SQLITE_H
#define DGM_STORE_SQLITE_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>

#include "store/store_driver.h"

enum store_query {
#define QUERY(name, text) QUERY_##name,
#include "store/queries.def"
#undef QUERY
    STORE_QUERIES
};

struct sqlite_queue;

/* One connection under one lock: a commit in WAL mode costs microseconds, and a single
 * writer needs no busy loop against itself. */
struct sqlite_store {
    pthread_mutex_t lock;
    sqlite3 *db;
    sqlite3_stmt *statements[STORE_QUERIES];
    struct sqlite_queue *queue;
};

enum { SQLITE_STORE_APPLICATION = 0x64676d31 }; /* "dgm1", in the file's header */

/* sqlite.c */
struct sqlite_store *store_sqlite_of(struct store *store);
sqlite3 *store_sqlite_connect(const char *path,
                              struct err *err); /* opens, makes, migrates */
char *store_sqlite_path(struct arena *arena,
                        const struct options *options); /* ":memory:" too */

/* sqlite_query.c: call with the lock held. Binding format, one letter per value:
 * t text (NULL is NULL), i int64_t, b const char * and size_t (text of a known size),
 * x the same for bytes that are no text, r double. */
sqlite3_stmt *store_query_start(struct sqlite_store *store, enum store_query query,
                                struct err *err, const char *format, ...);
/* The next row; false at the end (err untouched) and on failure (err set). */
bool store_query_next(struct sqlite_store *store, sqlite3_stmt *statement,
                      struct err *err);
void store_query_end(sqlite3_stmt *statement); /* NULL is fine */
/* For statements without rows. */
bool store_query_run(struct sqlite_store *store, enum store_query query, struct err *err,
                     const char *format, ...);
const char *store_query_text(sqlite3_stmt *statement, int column, struct arena *arena);
/* The result code of SQLite as one of ours; always false. */
bool store_query_fail(sqlite3 *db, int code, struct err *err);

/* sqlite_migrate.c */
int store_migrate_latest(void);
bool store_migrate_version(sqlite3 *db, int *version, struct err *err); /* 0: new file */
bool store_migrate_to(sqlite3 *db, int target, struct err *err);        /* up or down */

/* sqlite_queue.c */
struct sqlite_queue *store_sqlite_queue_new(struct sqlite_store *store,
                                            int64_t commit_ms);
void store_sqlite_queue_free(struct sqlite_queue *queue); /* writes what is queued */
void store_sqlite_queue_save(struct sqlite_queue *queue,
                             const struct store_question *question);
void store_sqlite_queue_lost(struct sqlite_queue *queue, const struct err *why);
bool store_sqlite_queue_flush(struct sqlite_queue *queue, struct err *err);
/* A question that is queued or just being written; false when it is neither. */
bool store_sqlite_queue_get(struct sqlite_queue *queue, struct arena *arena,
                            const char *id, struct store_question *out);

/* sqlite_question.c, sqlite_session.c, sqlite_cache.c, sqlite_lesson.c, sqlite_backup.c
 */
bool store_sqlite_question_write(struct sqlite_store *store,
                                 const struct store_question *question, struct err *err);
bool store_sqlite_question_get(struct store *store, struct arena *arena, const char *id,
                               struct store_question *out, struct err *err);
bool store_sqlite_question_claim(struct store *store, const char *id, const char *from,
                                 const char *to, struct err *err);
bool store_sqlite_question_list(struct store *store, struct arena *arena,
                                const char *account, size_t most,
                                struct store_question **out, size_t *count,
                                struct err *err);
bool store_sqlite_session_create(struct store *store, const struct store_session *session,
                                 struct err *err);
bool store_sqlite_session_get(struct store *store, struct arena *arena, const char *id,
                              struct store_session *out, struct err *err);
bool store_sqlite_session_list(struct store *store, struct arena *arena,
                               const char *account, struct store_sessions *out,
                               struct err *err);
bool store_sqlite_session_delete(struct store *store, const char *id, struct err *err);
bool store_sqlite_message_add(struct store *store, const char *session_id,
                              const struct message *message, struct err *err);
bool store_sqlite_message_list(struct store *store, struct arena *arena,
                               const char *session_id, size_t most, struct messages *out,
                               struct err *err);
bool store_sqlite_question_expired(struct store *store, struct arena *arena,
                                   const char *state, size_t most,
                                   struct store_question **out, size_t *count,
                                   struct err *err);
bool store_sqlite_question_unrested(struct store *store, struct arena *arena, size_t most,
                                    struct store_question **out, size_t *count,
                                    struct err *err);
bool store_sqlite_source_put(struct store *store, const struct store_source *source,
                             struct err *err);
bool store_sqlite_source_list(struct store *store, struct arena *arena,
                              struct store_sources *out, struct err *err);
bool store_sqlite_source_delete(struct store *store, const char *id, struct err *err);
bool store_sqlite_schema_put(struct store *store, const char *datasource,
                             const char *signature, const char *json, size_t size,
                             struct err *err);
bool store_sqlite_schema_get(struct store *store, struct arena *arena,
                             const char *datasource, const char *signature,
                             const char **json, size_t *size, struct err *err);
bool store_sqlite_answered_put(struct store *store, const struct store_answered *answered,
                               struct err *err);
bool store_sqlite_answered_get(struct store *store, struct arena *arena, const char *key,
                               struct store_answered *out, struct err *err);
bool store_sqlite_answered_list(struct store *store, struct arena *arena,
                                const struct store_answered *like, int64_t since,
                                size_t most, struct store_answereds *out,
                                struct err *err);
bool store_sqlite_answered_drop(struct store *store, const char *key, struct err *err);
bool store_sqlite_values_put(struct store *store, const char *datasource,
                             const char *signature, const char *data, size_t size,
                             struct err *err);
bool store_sqlite_values_get(struct store *store, struct arena *arena,
                             const char *datasource, const char *signature,
                             struct store_values *out, struct err *err);
bool store_sqlite_values_drop(struct store *store, const char *datasource,
                              struct err *err);
bool store_sqlite_lesson_put(struct store *store, const struct store_lesson *lesson,
                             size_t most, char id[ID_SIZE], struct err *err);
bool store_sqlite_lesson_get(struct store *store, struct arena *arena,
                             const char *account, const char *id,
                             struct store_lesson *out, struct err *err);
bool store_sqlite_lesson_list(struct store *store, struct arena *arena,
                              const char *account, const char *datasource,
                              struct store_lessons *out, struct err *err);
bool store_sqlite_lesson_delete(struct store *store, const char *account, const char *id,
                                struct err *err);
bool store_sqlite_lesson_used(struct store *store, const char *account, const char *id,
                              const struct store_lesson_use *use, struct err *err);
bool store_sqlite_dataset_put(struct store *store, const struct store_dataset *dataset,
                              struct err *err);
bool store_sqlite_dataset_get(struct store *store, struct arena *arena,
                              const char *account, const char *name,
                              struct store_dataset *out, struct err *err);
bool store_sqlite_dataset_list(struct store *store, struct arena *arena,
                               const char *account, struct store_datasets *out,
                               struct err *err);
bool store_sqlite_dataset_delete(struct store *store, const char *account,
                                 const char *name, struct err *err);
bool store_sqlite_key_put(struct store *store, const struct store_key *key, size_t most,
                          struct err *err);
bool store_sqlite_key_get(struct store *store, struct arena *arena, const char *id,
                          struct store_key *out, struct err *err);
bool store_sqlite_key_list(struct store *store, struct arena *arena,
                           struct store_keys *out, struct err *err);
bool store_sqlite_key_delete(struct store *store, const char *id, struct err *err);
bool store_sqlite_key_used(struct store *store, const char *id, int64_t at,
                           struct err *err);
bool store_sqlite_key_spend(struct store *store, const char *id, int64_t day,
                            int64_t tokens, struct err *err);
bool store_sqlite_key_spent(struct store *store, const char *id, int64_t day,
                            int64_t *tokens, struct err *err);
bool store_sqlite_schema_before(struct store *store, struct arena *arena,
                                const char *datasource, const char *origin,
                                const char *signature, const char **json, size_t *size,
                                int64_t *stored_at, struct err *err);
bool store_sqlite_past_list(struct store *store, struct arena *arena,
                            const struct store_past_query *query, struct store_pasts *out,
                            size_t *total, struct err *err);
bool store_sqlite_past_delete(struct store *store, const char *account, const char *id,
                              size_t *count, struct err *err);
bool store_sqlite_past_clean(struct store *store, int64_t before, struct err *err);
bool store_sqlite_record_put(struct store *store, const struct store_record *record,
                             bool replace, size_t most, char id[ID_SIZE],
                             struct err *err);
bool store_sqlite_record_change(struct store *store, const struct store_record *record,
                                struct err *err);
bool store_sqlite_record_get(struct store *store, struct arena *arena,
                             const struct store_record *like, struct store_record *out,
                             struct err *err);
bool store_sqlite_record_list(struct store *store, struct arena *arena,
                              const struct store_record *like, struct store_records *out,
                              struct err *err);
bool store_sqlite_record_delete(struct store *store, const struct store_record *like,
                                struct err *err);
bool store_sqlite_audit(struct store *store, const char *account, const char *action,
                        const char *detail, struct err *err);
bool store_sqlite_clean(struct store *store, int64_t session_s, struct err *err);
bool store_sqlite_backup(struct store *store, const char *path, struct err *err);
bool store_sqlite_restore(const char *path, const struct options *options,
                          struct err *err);

#endif
