/*
 * What must outlive the process. One contract; `sqlite` is the first implementation.
 * Thread-safe. Checkpoints are queued and written in group commits by a thread of the
 * store; everything else is written before the call returns.
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

/* A question with its checkpoint: what is needed to go on with it, or to show it. */
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
    /* Of a shared store: the how-manieth process works on it, and whether somebody wants
     * it stopped; filled by store_question_orphans. */
    int64_t fence;
    bool stop;
};

/* A question as the history keeps it, longer than its answer. */
struct store_past {
    const char *id;
    const char *session_id; /* or NULL */
    const char *datasource; /* or NULL, and so the others */
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

/* Which of an account's. */
struct store_past_query {
    const char *account;
    const char *search;     /* in question and SQL, letters of either case; or NULL */
    const char *datasource; /* or NULL */
    size_t most;
    size_t skip;
};

/* Something small that an account keeps: a saved query, a description, a setting. What it
 * says is JSON of whoever keeps it. */
struct store_record {
    const char *id; /* NULL when it is put: one is made */
    const char *kind;
    const char *account;
    const char *scope; /* names are unique within it: a datasource; "" */
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

/* A question answered before, and what became of it. */
enum store_verdict {
    STORE_VERDICT_WRONG = -1, /* its asker said so: never given again */
    STORE_VERDICT_NONE = 0,
    STORE_VERDICT_GOOD = 1, /* its asker confirmed it */
};

struct store_answered {
    const char *key; /* a hash of all that makes two questions equal */
    const char *account;
    const char *datasource;
    const char *schema_hash;
    const char *question;
    const char *sql;
    const char *explanation; /* or NULL */
    enum store_verdict verdict;
    double score; /* how likely it was right, before its rows were seen; -1: not known */
    int64_t stored_at; /* filled when read */
};

struct store_answereds {
    struct store_answered *items;
    size_t count;
    size_t capacity;
};

/* A value index as it was packed, and when. */
struct store_values {
    const char *data;
    size_t size;
    int64_t stored_at;
};

/* A lesson as it is kept; what it says is JSON of knowledge/lessons. */
struct store_lesson {
    const char *id; /* NULL when it is put: one is made */
    const char *account;
    const char *datasource;
    const char *kind;
    const char *subject; /* one lesson for each: a second one takes the first's place */
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

/* A file that was imported; the rows are in a file of their own, and with a version also
 * here, in parts: for the processes that share the store, or for a restore. */
struct store_dataset {
    const char *id; /* filled when read: made from account and name */
    const char *account;
    const char *name;
    const char *file; /* what it was made from, for people */
    int64_t bytes;    /* of the imported form */
    const char *json; /* report of the import */
    int64_t created_at;
    const char *version; /* of its rows here; "": they are not */
};

struct store_datasets {
    struct store_dataset *items;
    size_t count;
    size_t capacity;
};

/* What one use does to the figures: confidence becomes confidence * scale + shift. */
struct store_lesson_use {
    bool success;
    double scale;
    double shift;
};

/* "" opens the default file in the folder; "memory:" keeps nothing. */
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

/* Queued; the newest one for an id wins. The texts are copied. */
void store_question_save(struct store *store, const struct store_question *question);
bool store_question_get(struct store *store, struct arena *arena, const char *id,
                        struct store_question *out,
                        struct err *err); /* QUERY_NOT_FOUND */
/* Takes a question out of a state so that only one may go on with it: false with
 * err->code OK when it is not in that state (any more). Written before it returns. */
bool store_question_claim(struct store *store, const char *id, const char *from,
                          const char *to, struct err *err);
bool store_question_list(
    struct store *store, struct arena *arena, const char *account, size_t most,
    struct store_question **out, size_t *count,
    struct err *err); /* newest first, without checkpoint and answer */

/* Those of a state whose time is over, with their checkpoints; oldest first. */
bool store_question_expired(struct store *store, struct arena *arena, const char *state,
                            size_t most, struct store_question **out, size_t *count,
                            struct err *err);

/* The history: newest first; *total: how many there are without most and skip. */
bool store_past_list(struct store *store, struct arena *arena,
                     const struct store_past_query *query, struct store_pasts *out,
                     size_t *total, struct err *err);
/* id NULL: all of the account's; *count: how many went. */
bool store_past_delete(struct store *store, const char *account, const char *id,
                       size_t *count, struct err *err);

/* Keeps it; `replace`: in the place of one with the same kind, account, scope and name.
 * False with err->code OK when that is taken, or when there are `most` of the kind. */
bool store_record_put(struct store *store, const struct store_record *record,
                      bool replace, size_t most, char id[ID_SIZE], struct err *err);
/*
 * Name and JSON of the record with this id; false, OK: not there, or the name is taken.
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
/* signature NULL: the newest one; one that ends in "*" (and else holds letters and digits
 * only): the newest that begins so. False with err->code OK when there is none. */
bool store_schema_get(struct store *store, struct arena *arena, const char *datasource,
                      const char *signature, const char **json, size_t *size,
                      struct err *err);

/* The newest that begins as `origin` says ("…*") and is not this signature; false, OK:
 * none. */
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

/* One that has the same id is replaced. */
bool store_source_put(struct store *store, const struct store_source *source,
                      struct err *err);
bool store_source_list(struct store *store, struct arena *arena,
                       struct store_sources *out, struct err *err);
bool store_source_delete(struct store *store, const char *id, struct err *err);

/* Questions answered before. A second one with the same key takes the first's place. */
bool store_answered_put(struct store *store, const struct store_answered *answered,
                        struct err *err);
bool store_answered_get(struct store *store, struct arena *arena, const char *key,
                        struct store_answered *out,
                        struct err *err); /* false, OK: none */
bool store_answered_drop(struct store *store, const char *key, struct err *err);
/* Those of an account on one schema of a datasource that were kept since then; newest
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

/* Lessons belong to an account and a datasource; every call names the account (NULL: the
 * local user), and none reaches another account's. */
/* Refused when the datasource has `most` of them and this one is new. */
bool store_lesson_put(struct store *store, const struct store_lesson *lesson, size_t most,
                      char id[ID_SIZE], struct err *err);
bool store_lesson_get(struct store *store, struct arena *arena, const char *account,
                      const char *id, struct store_lesson *out,
                      struct err *err); /* LESSON_NOT_FOUND */
/* datasource NULL: of all of them. */
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
/* With its rows, if they are here. */
bool store_dataset_delete(struct store *store, const char *account, const char *name,
                          struct err *err);
/* The rows of one: pieces of a file, numbered from 0. */
bool store_dataset_part_put(struct store *store, const char *id, const char *version,
                            int64_t part, const void *bytes, size_t size,
                            struct err *err);
/* *bytes: NULL when there is none of that number. */
bool store_dataset_part_get(struct store *store, struct arena *arena, const char *id,
                            const char *version, int64_t part, const char **bytes,
                            size_t *size, struct err *err);
/* All but those of one version. */
bool store_dataset_part_drop(struct store *store, const char *id, const char *but,
                             struct err *err);

/* An access key. It contains only the hash of the secret. */
struct store_key {
    const char *id;
    const char *hash;
    const char *account;
    const char *label;       /* or NULL */
    int64_t scopes;          /* bits of enum dgm_scope */
    const char *datasources; /* ids with commas in between; NULL: all */
    int64_t rate_per_minute; /* of requests; 0: no limit, as with the next two */
    int64_t concurrent;      /* questions at once */
    int64_t daily_tokens;
    int64_t created_at;
    int64_t expires_at;   /* 0: never */
    int64_t last_used_at; /* 0: never */
};

struct store_keys {
    struct store_key *items;
    size_t count;
    size_t capacity;
};

/* Refused when there are `most` of them already. */
bool store_key_put(struct store *store, const struct store_key *key, size_t most,
                   struct err *err);
bool store_key_get(struct store *store, struct arena *arena, const char *id,
                   struct store_key *out, struct err *err); /* KEY_NOT_FOUND */
bool store_key_list(struct store *store, struct arena *arena, struct store_keys *out,
                    struct err *err); /* by account, oldest first */
bool store_key_delete(struct store *store, const char *id, struct err *err);
bool store_key_used(struct store *store, const char *id, int64_t at, struct err *err);
/* Tokens that questions of a key have cost on a day (days since 1970, UTC). */
bool store_key_spend(struct store *store, const char *id, int64_t day, int64_t tokens,
                     struct err *err);
bool store_key_spent(struct store *store, const char *id, int64_t day, int64_t *tokens,
                     struct err *err);

/* Append-only: who did what, when. */
bool store_audit(struct store *store, const char *account, const char *action,
                 const char *detail, struct err *err);

/* Removes expired answers, sessions idle longer than `session_s`, old schema versions
 * and old cells. */
bool store_clean(struct store *store, int64_t session_s, struct err *err);
/* Removes what the history has from before that time. */
bool store_past_clean(struct store *store, int64_t before, struct err *err);
/* Online copy into a new file, and the way back. */
bool store_backup(struct store *store, const char *path, struct err *err);
bool store_restore(const char *path, const struct options *options, struct err *err);
/* Adds the rows of datasets that are not in the backup yet: `open` gives a descriptor of
 * the file of one, or -1 when there is none. */
bool store_backup_fill(const char *path,
                       int (*open)(void *context, const char *account, const char *name),
                       void *context, struct err *err);

/* ------------------------------------------------------------ a store that is shared
 *
 * Several processes work on one store (PostgreSQL). A question belongs to the process
 * that asked or claimed it for as long as that process extends its lease; then another
 * one may claim it, and each claim counts its fence up. What a process writes of a
 * question under an older fence is refused: a process that was paused cannot finish what
 * another has taken over. */
bool store_shared(const struct store *store);

/* Called on a thread of the store, one at a time. */
struct store_watcher {
    void (*stop)(void *context,
                 const char *id); /* a question of this process shall be stopped */
    void (*lost)(void *context, const char *id); /* it is another process's now */
    void (*changed)(void *context,
                    const char *id); /* any question has news; NULL: many */
    void (*revoked)(void *context, const char *key); /* it is no key any more */
    void (*round)(void *context); /* every third of a lease: orphans may be there */
};

/* From now on, extends the leases and receives notifications of other processes. */
bool store_watch(struct store *store, const struct store_watcher *watcher, void *context,
                 struct err *err);
void store_unwatch(struct store *store);

/* The how-manieth process this one is that works on it; 0: it does not, or is not known
 * to. */
int64_t store_question_fence(struct store *store, const char *id);
/* Writes what is queued, then: is it still this process's? Asked once, at its end. True
 * when the store is not shared; *fence: the one it had. */
bool store_question_settle(struct store *store, const char *id, int64_t *fence);
/* Asks the database: may it go on with what cannot be taken back? */
bool store_question_confirm(struct store *store, const char *id);
/* Gives all of them up: others take them over at once, and what is still saved here does
 * not count. */
void store_question_release(struct store *store);
/* Questions without a process, oldest first: a process that claims one continues it. */
bool store_question_orphans(struct store *store, struct arena *arena, size_t most,
                            struct store_question **out, size_t *count, struct err *err);
/* Notifies the process that works on it; false, OK: none does. */
bool store_question_ask_stop(struct store *store, const char *id, struct err *err);
bool store_session_ask_stop(struct store *store, const char *session_id, size_t *count,
                            struct err *err);
/* Processes that are alive, this one among them; 1 when it is not shared. */
int store_replicas(struct store *store);
/* A question was taken over by this process: counted. */
void store_question_taken(struct store *store);

/* What keys use, counted for all processes together; of a shared store alone.
 * One request more of so many per minute; *wait_ms: 0, or the time until there is one. */
bool store_meter_request(struct store *store, const char *key, int64_t per_minute,
                         int64_t *wait_ms, struct err *err);
/* One question more of at most so many at once, in processes that are alive (0: any
 * number of them); *entered: whether there was room, *at_work: how many there were. */
bool store_meter_enter(struct store *store, const char *key, int64_t most, bool *entered,
                       int64_t *at_work, struct err *err);
/* The number of questions of this process that have ended. */
bool store_meter_leave(struct store *store, const char *key, int64_t count,
                       struct err *err);

/*
 * What happens to a question, for those who follow it elsewhere: queued, lines of JSON.
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
/* Those after this number that were written under a later fence than this. */
bool store_event_list(struct store *store, struct arena *arena, const char *id,
                      int64_t after, int64_t fence, struct store_events *out,
                      struct err *err);

/* For tests: the nth store operation from now fails with the code; 0 switches it off. */
void store_fail_at(struct store *store, int nth, enum err_code code);

#endif
