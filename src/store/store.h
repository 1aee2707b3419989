/*
 * Everything that must survive the process. Two backends: SQLite and PostgreSQL.
 * Thread-safe. Checkpoints are queued and written in groups by a thread of the store; all
 * other calls return after their data is written.
 */
#ifndef DGM_STORE_STORE_H
#define DGM_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/id.h"
#include "model/message.h"
#include "model/options/options.h"

struct arena;
struct store;

struct store_session {
    const char *id;
    const char *account;
    const char *datasource; /* or NULL */
    const char *title;      /* or NULL */
    int64_t created_at;
    int64_t last_activity;
};

struct store_sessions {
    struct store_session *items;
    size_t count;
    size_t capacity;
};

/* A question with its checkpoint, from which it can be resumed or shown. */
struct store_question {
    const char *id;
    const char *session_id; /* or NULL */
    const char *account;
    const char *state; /* name of the state it is in */
    const char *text;
    const char *checkpoint; /* JSON of the run */
    const char *answer;     /* JSON of the answer, when there is one */
    int64_t updated_at;
    int64_t expires_at; /* 0: never */
    /* For the history; written when it has ended (`status` set), never read back. */
    const char *status;
    const char *datasource;
    const char *sql;
    const char *brain;
    int64_t row_count; /* -1: no rows */
    /* In a shared store: how many processes have worked on it, and whether a stop was
     * requested; filled by store_question_orphans. */
    int64_t fence;
    bool stop;
};

/* An entry of the history; it may outlive the answer. */
struct store_past {
    const char *id;
    const char *session_id; /* or NULL */
    const char *datasource; /* or NULL, like the next ones */
    const char *question;
    const char *status;
    const char *sql;
    const char *brain;
    int64_t row_count; /* -1: no rows */
    int64_t at;
};

struct store_pasts {
    struct store_past *items;
    size_t count;
    size_t capacity;
};

/* Filters for the history of an account. */
struct store_past_query {
    const char *account;
    const char *search;     /* part of the question or the SQL, in any case; or NULL */
    const char *datasource; /* or NULL */
    size_t most;
    size_t skip;
};

/* A small object of an account: a saved query, a description, a setting. Its content is
 * JSON defined by the caller. */
struct store_record {
    const char *id; /* NULL when stored: a new id is made */
    const char *kind;
    const char *account;
    const char *scope; /* names are unique within a scope: a datasource; or "" */
    const char *name;
    const char *json;
    int64_t created_at;
    int64_t updated_at;
};

struct store_records {
    struct store_record *items;
    size_t count;
    size_t capacity;
};

/* An answered question and its rating. */
enum store_verdict {
    STORE_VERDICT_WRONG = -1, /* rated wrong by its user: never returned again */
    STORE_VERDICT_NONE = 0,
    STORE_VERDICT_GOOD = 1, /* confirmed by its user */
};

/*
 * An answered question in the history, with the SQL that a later, equal question may
 * use.
 */
struct store_answered {
    const char *key; /* a hash of everything that makes two questions equal */
    const char *account;
    const char *datasource;
    const char *schema_hash;
    const char *question;
    const char *sql;
    const char *explanation; /* or NULL */
    enum store_verdict verdict;
    /* the probability that it was right, before its rows were known; -1: unknown */
    double score;
    int64_t stored_at; /* set when read */
};

struct store_answereds {
    struct store_answered *items;
    size_t count;
    size_t capacity;
};

/* A packed value index. */
struct store_values {
    const char *data;
    size_t size;
    int64_t stored_at;
};

/* A lesson as stored; its content is JSON of knowledge/lessons. */
struct store_lesson {
    const char *id; /* NULL when stored: a new id is made */
    const char *account;
    const char *datasource;
    const char *kind;
    const char *subject; /* unique: a second lesson replaces the first */
    const char *source;  /* manual, error_recovery, … */
    double confidence;
    int64_t usage_count;
    int64_t success_count;
    const char *json;
    int64_t created_at;
    int64_t updated_at;
};

struct store_lessons {
    struct store_lesson *items;
    size_t count;
    size_t capacity;
};

/* An imported dataset. Its rows are in a file; with a version they are also in the store,
 * in parts, for other processes that share the store, or for a restore. */
struct store_dataset {
    const char *id; /* set when read: derived from account and name */
    const char *account;
    const char *name;
    const char *file; /* name of the imported file, for people */
    int64_t bytes;    /* of the imported form */
    const char *json; /* report of the import */
    int64_t created_at;
    const char *version; /* of its rows in the store; "": they are not there */
};

struct store_datasets {
    struct store_dataset *items;
    size_t count;
    size_t capacity;
};

/* How one use changes the statistics: confidence becomes confidence * scale + shift. */
struct store_lesson_use {
    bool success;
    double scale;
    double shift;
};

/* "": the default file in the data folder; "memory:": nothing is stored. */
struct store *store_open(const struct options *options, struct err *err);
void store_close(struct store *store); /* writes what is queued */
bool store_flush(struct store *store, struct err *err);

bool store_session_create(struct store *store, const struct store_session *session,
                          struct err *err);
bool store_session_get(struct store *store, struct arena *arena, const char *id,
                       struct store_session *out,
                       struct err *err); /* SESSION_NOT_FOUND */
bool store_session_list(struct store *store, struct arena *arena, const char *account,
                        struct store_sessions *out, struct err *err); /* newest first */
bool store_session_rename(struct store *store, const char *id, const char *title,
                          struct err *err);
bool store_session_delete(struct store *store, const char *id, struct err *err);

bool store_message_add(struct store *store, const char *session_id,
                       const struct message *message,
                       struct err *err); /* touches the session */
/* The last `most` messages, oldest first. */
bool store_message_list(struct store *store, struct arena *arena, const char *session_id,
                        size_t most, struct messages *out, struct err *err);

/* Queued; a later save with the same id replaces it. The texts are copied. */
void store_question_save(struct store *store, const struct store_question *question);
bool store_question_get(struct store *store, struct arena *arena, const char *id,
                        struct store_question *out,
                        struct err *err); /* QUERY_NOT_FOUND */
/* Moves a question out of a state, so that only one caller continues it: false with
 * err->code OK if it is not in that state (any more). Written before it returns. */
bool store_question_claim(struct store *store, const char *id, const char *from,
                          const char *to, struct err *err);
bool store_question_list(
    struct store *store, struct arena *arena, const char *account, size_t most,
    struct store_question **out, size_t *count,
    struct err *err); /* newest first, without checkpoint and answer */

/* Questions in a state whose time has expired, with their checkpoints; oldest first. */
bool store_question_expired(struct store *store, struct arena *arena, const char *state,
                            size_t most, struct store_question **out, size_t *count,
                            struct err *err);

/* The history, newest first; *total: number of entries without limit and offset. */
bool store_past_list(struct store *store, struct arena *arena,
                     const struct store_past_query *query, struct store_pasts *out,
                     size_t *total, struct err *err);
/* id NULL: all of the account's; *count: number deleted. */
bool store_past_delete(struct store *store, const char *account, const char *id,
                       size_t *count, struct err *err);

/* Stores it; `replace`: replaces one with the same kind, account, scope and name. False
 * with err->code OK if the name exists, or there are `most` of the kind. */
bool store_record_put(struct store *store, const struct store_record *record,
                      bool replace, size_t most, char id[ID_SIZE], struct err *err);
/*
 * Changes name and JSON of the record with this id; false, OK: not found, or the name
 * exists.
 */
bool store_record_change(struct store *store, const struct store_record *record,
                         struct err *err);
/* By id, or by scope and name when the id is NULL; false, OK: none. */
bool store_record_get(struct store *store, struct arena *arena,
                      const struct store_record *like, struct store_record *out,
                      struct err *err);
/* By name; scope NULL: of all. */
bool store_record_list(struct store *store, struct arena *arena,
                       const struct store_record *like, struct store_records *out,
                       struct err *err);
bool store_record_delete(struct store *store, const struct store_record *like,
                         struct err *err); /* by id; false, OK: none */

/* Questions that have not ended, with their checkpoints; oldest first. */
bool store_question_unrested(struct store *store, struct arena *arena, size_t most,
                             struct store_question **out, size_t *count, struct err *err);

/* The schema cache's second level: key "schema:{datasource}:{signature}". */
bool store_schema_put(struct store *store, const char *datasource, const char *signature,
                      const char *json, size_t size, struct err *err);
/* signature NULL: the newest; one that ends in "*" (and otherwise has only letters and
 * digits): the newest with this prefix. False with err->code OK: none. */
bool store_schema_get(struct store *store, struct arena *arena, const char *datasource,
                      const char *signature, const char **json, size_t *size,
                      struct err *err);

/* The newest with the prefix `origin` ("…*") that does not have this signature; false,
 * OK: none. */
bool store_schema_before(struct store *store, struct arena *arena, const char *datasource,
                         const char *origin, const char *signature, const char **json,
                         size_t *size, int64_t *stored_at, struct err *err);

/* Datasources that were added at run time. */
struct store_source {
    const char *id;
    const char *sealed;      /* its URL, by seal_close */
    const char *description; /* or NULL */
};

struct store_sources {
    struct store_source *items;
    size_t count;
    size_t capacity;
};

/* Replaces one with the same id. */
bool store_source_put(struct store *store, const struct store_source *source,
                      struct err *err);
bool store_source_list(struct store *store, struct arena *arena,
                       struct store_sources *out, struct err *err);
bool store_source_delete(struct store *store, const char *id, struct err *err);

/* Answered questions. One with the same key is replaced. */
bool store_answered_put(struct store *store, const struct store_answered *answered,
                        struct err *err);
bool store_answered_get(struct store *store, struct arena *arena, const char *key,
                        struct store_answered *out,
                        struct err *err); /* false, OK: none */
bool store_answered_drop(struct store *store, const char *key, struct err *err);
/* The answered questions of an account on one schema of a datasource since a time; newest
 * first, at most `most`. */
bool store_answered_list(struct store *store, struct arena *arena,
                         const struct store_answered *like, int64_t since, size_t most,
                         struct store_answereds *out, struct err *err);

/*
 * The cells of a datasource's text columns, packed by
 * knowledge/value_index/value_index.h.
 */
bool store_values_put(struct store *store, const char *datasource, const char *signature,
                      const char *data, size_t size, struct err *err);
bool store_values_get(struct store *store, struct arena *arena, const char *datasource,
                      const char *signature, struct store_values *out,
                      struct err *err); /* false, OK: none */
bool store_values_drop(struct store *store, const char *datasource, struct err *err);

/* Lessons belong to an account and a datasource; every call has the account (NULL: the
 * local user) and accesses only its lessons. */
/* Refused if the datasource has `most` of them and this one is new. */
bool store_lesson_put(struct store *store, const struct store_lesson *lesson, size_t most,
                      char id[ID_SIZE], struct err *err);
bool store_lesson_get(struct store *store, struct arena *arena, const char *account,
                      const char *id, struct store_lesson *out,
                      struct err *err); /* LESSON_NOT_FOUND */
/* datasource NULL: all. */
bool store_lesson_list(struct store *store, struct arena *arena, const char *account,
                       const char *datasource, struct store_lessons *out,
                       struct err *err);
bool store_lesson_delete(struct store *store, const char *account, const char *id,
                         struct err *err);
bool store_lesson_used(struct store *store, const char *account, const char *id,
                       const struct store_lesson_use *use, struct err *err);

/* Datasets of an account (NULL: the local user), one for each name. */
enum { STORE_DATASET_ID = 40, STORE_DATASET_PART = 1 << 20 };
void store_dataset_id(const char *account, const char *name, char out[STORE_DATASET_ID]);
bool store_dataset_put(struct store *store, const struct store_dataset *dataset,
                       struct err *err);
bool store_dataset_get(struct store *store, struct arena *arena, const char *account,
                       const char *name, struct store_dataset *out,
                       struct err *err); /* by name or id; DATASET_NOT_FOUND */
bool store_dataset_list(struct store *store, struct arena *arena, const char *account,
                        struct store_datasets *out, struct err *err);
bool store_dataset_all(struct store *store, struct arena *arena,
                       struct store_datasets *out, struct err *err); /* of all accounts */
/* Also deletes its rows in the store. */
bool store_dataset_delete(struct store *store, const char *account, const char *name,
                          struct err *err);
/* The rows of a dataset: parts of a file, numbered from 0. */
bool store_dataset_part_put(struct store *store, const char *id, const char *version,
                            int64_t part, const void *bytes, size_t size,
                            struct err *err);
/* *bytes: NULL if there is no such part. */
bool store_dataset_part_get(struct store *store, struct arena *arena, const char *id,
                            const char *version, int64_t part, const char **bytes,
                            size_t *size, struct err *err);
/* Deletes all versions but one. */
bool store_dataset_part_drop(struct store *store, const char *id, const char *but,
                             struct err *err);

/* An access key. It contains only the hash of the secret. */
struct store_key {
    const char *id;
    const char *hash;
    const char *account;
    const char *label;       /* or NULL */
    int64_t scopes;          /* bits of enum dgm_scope */
    const char *datasources; /* comma-separated ids; NULL: all */
    int64_t rate_per_minute; /* requests; 0: no limit, like the next two */
    int64_t concurrent;      /* questions at once */
    int64_t daily_tokens;
    int64_t created_at;
    int64_t expires_at;   /* 0: never */
    int64_t last_used_at; /* 0: never */
    /* of a person who signed in: when, and roles and claims as JSON; NULL: a key */
    const char *identity;
};

struct store_keys {
    struct store_key *items;
    size_t count;
    size_t capacity;
};

/* Refused if there are `most` of them. */
bool store_key_put(struct store *store, const struct store_key *key, size_t most,
                   struct err *err);
bool store_key_get(struct store *store, struct arena *arena, const char *id,
                   struct store_key *out, struct err *err); /* KEY_NOT_FOUND */
bool store_key_list(struct store *store, struct arena *arena, struct store_keys *out,
                    struct err *err); /* by account, oldest first */
bool store_key_delete(struct store *store, const char *id, struct err *err);
bool store_key_used(struct store *store, const char *id, int64_t at, struct err *err);
/* Tokens that a key has used on a day (days since 1970, UTC). */
bool store_key_spend(struct store *store, const char *id, int64_t day, int64_t tokens,
                     struct err *err);
bool store_key_spent(struct store *store, const char *id, int64_t day, int64_t *tokens,
                     struct err *err);

/* A link that shows answers. It contains only the hash of the link's secret. */
struct store_share {
    const char *id;
    const char *hash;
    const char *account;     /* who made it (model/actor.h); "": the local user */
    const char *owner;       /* when stored: the actor's account, which has the limit */
    const char *key;         /* with what it was made (service/links); "": no key */
    const char *kind;        /* "answer" or "conversation" */
    const char *subject;     /* its id */
    const char *title;       /* for people */
    const char *datasources; /* ids, with commas */
    const char *json;        /* what it shows; NULL in lists */
    int64_t created_at;
    int64_t expires_at;
    int64_t opens;
    int64_t last_opened_at; /* 0: never */
};

struct store_shares {
    struct store_share *items;
    size_t count;
    size_t capacity;
};

/* QUOTA if all actors of the account together have `most` that have not expired. */
bool store_share_put(struct store *store, const struct store_share *share, size_t most,
                     struct err *err);
/* By the hash, or by the id when hash is NULL, if it has not expired; false, OK: none. */
bool store_share_get(struct store *store, struct arena *arena, const char *hash,
                     const char *id, struct store_share *out, struct err *err);
/* Those that have not expired, newest first. account NULL: of all. */
bool store_share_list(struct store *store, struct arena *arena, const char *account,
                      struct store_shares *out, struct err *err);
bool store_share_opened(struct store *store, const char *id, int64_t at, struct err *err);
bool store_share_delete(struct store *store, const char *id,
                        struct err *err); /* false, OK: none */
/* Deletes those whose `key` is LIKE the pattern, made until then. */
bool store_share_end(struct store *store, const char *pattern, int64_t until,
                     struct err *err);

/* Appends to the audit log: who did what, when. */
bool store_audit(struct store *store, const char *account, const char *action,
                 const char *detail, struct err *err);

/* Deletes expired answers and links, sessions idle longer than `session_s`, old schema versions and
 * old value indexes. */
bool store_clean(struct store *store, int64_t session_s, struct err *err);
/* Deletes the history before that time. */
bool store_past_clean(struct store *store, int64_t before, struct err *err);
/* Online copy into a new file, and the way back. */
bool store_backup(struct store *store, const char *path, struct err *err);
bool store_restore(const char *path, const struct options *options, struct err *err);
/* Adds rows of datasets that are not in the backup yet: `open` returns a descriptor of a
 * dataset's file, or -1. */
bool store_backup_fill(const char *path,
                       int (*open)(void *context, const char *account, const char *name),
                       void *context, struct err *err);

/*
 * ------------------------------------------------------------ a shared store
 *
 * Several processes use one store (PostgreSQL). A question belongs to the process that
 * started or claimed it, as long as that process extends its lease; then another process
 * may claim it, and each claim increments its fence. Writes with an older fence are
 * refused: a process that was paused cannot overwrite the work of its successor.
 */
bool store_shared(const struct store *store);

/* Callbacks on a thread of the store, one at a time. */
struct store_watcher {
    void (*stop)(void *context, const char *id); /* stop a question of this process */
    void (*lost)(void *context, const char *id); /* another process has claimed it */
    void (*changed)(void *context,
                    const char *id); /* a question has new events; NULL: many may have */
    void (*revoked)(void *context, const char *key); /* the access key was revoked */
    /* called three times per lease: there may be questions without a process */
    void (*round)(void *context);
};

/* Starts to extend leases and to receive notifications of other processes. */
bool store_watch(struct store *store, const struct store_watcher *watcher, void *context,
                 struct err *err);
void store_unwatch(struct store *store);

/* The fence with which this process works on it; 0: it does not. */
int64_t store_question_fence(struct store *store, const char *id);
/* Writes the queue, then tells whether the question still belongs to this process. Call
 * it once, at its end. True if the store is not shared; *fence: the fence it had. */
bool store_question_settle(struct store *store, const char *id, int64_t *fence);
/* Checks in the database whether this process may still do something irreversible. */
bool store_question_confirm(struct store *store, const char *id);
/* Releases all leases: other processes take over at once, and later writes of this
 * process are refused. */
void store_question_release(struct store *store);
/* Questions without a running process, oldest first; claim one to continue it. */
bool store_question_orphans(struct store *store, struct arena *arena, size_t most,
                            struct store_question **out, size_t *count, struct err *err);
/* Notifies the process that works on it; false, OK: there is none. */
bool store_question_ask_stop(struct store *store, const char *id, struct err *err);
bool store_session_ask_stop(struct store *store, const char *session_id, size_t *count,
                            struct err *err);
/* Number of running processes, including this one; 1 if the store is not shared. */
int store_replicas(struct store *store);
/* Counts a question that this process took over. */
void store_question_taken(struct store *store);

/*
 * Usage of access keys, counted over all processes; shared stores only.
 *
 * One more request of `per_minute`; *wait_ms: 0, or the time until it is allowed.
 */
bool store_meter_request(struct store *store, const char *key, int64_t per_minute,
                         int64_t *wait_ms, struct err *err);
/* One more running question of at most `most` (0: any number), in running processes;
 * *entered: it was allowed, *at_work: how many there were. */
bool store_meter_enter(struct store *store, const char *key, int64_t most, bool *entered,
                       int64_t *at_work, struct err *err);
/* `count` questions of this process have ended. */
bool store_meter_leave(struct store *store, const char *key, int64_t count,
                       struct err *err);

/*
 * Events of a question, for clients that follow it in another process: queued, as lines
 * of JSON.
 */
struct store_event {
    int64_t number;
    const char *json;
};

struct store_events {
    struct store_event *items;
    size_t count;
    size_t capacity;
};

void store_event_add(struct store *store, const char *id, const char *json);
/* Events after this number that were written under a later fence than this. */
bool store_event_list(struct store *store, struct arena *arena, const char *id,
                      int64_t after, int64_t fence, struct store_events *out,
                      struct err *err);

/* For tests: the nth store operation from now fails with the code; 0 switches it off. */
void store_fail_at(struct store *store, int nth, enum err_code code);

#endif
