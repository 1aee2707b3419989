/*
 * For programs that answer several people or run as several processes: keys, accounts,
 * settings that change while it runs, questions at work in another process. The rules of
 * dragoman.h hold here, too.
 */
#ifndef DRAGOMAN_SERVER_H
#define DRAGOMAN_SERVER_H

#include "dragoman_store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------- keys and accounts */
/*
 *     struct dgm_access access;
 *     if (!dgm_access_open(dgm, key, DGM_SCOPE_ASK, &access, &error))
 *         return error.http_status;
 *     struct dgm_request request = {.question = text, .access = &access};
 */

/* What a key may do. Asking includes reading, and admin both. */
enum dgm_scope {
    DGM_SCOPE_NONE = 0,
    DGM_SCOPE_READ = 1,  /* look at schemas and at one's own answers and sessions */
    DGM_SCOPE_ASK = 2,   /* ask questions, keep sessions, lessons, datasets */
    DGM_SCOPE_ADMIN = 4, /* datasources, dictionary, settings, keys */
};

/* A key lets somebody in through the server. It belongs to an account: whatever is asked,
 * kept or taught with it is that account's and nobody else's. */
struct dgm_key {
    const char *account; /* letters, digits, _ and -; "local" is taken */
    const char *label;   /* for people; or NULL */
    const char *scopes;  /* "read", "ask", "admin", with commas; NULL: "ask" */
    const char
        *datasources; /* ids with commas: of all others nothing is seen; NULL: all */
    int64_t rate_per_minute; /* requests; 0: no limit, here and below */
    int64_t concurrent;      /* questions at once */
    int64_t daily_tokens;    /* of models, per day (UTC) */
    int64_t expires_in_s;    /* 0: never */
};

/* JSON as dgm_key_get's, with "key": dgm_<id>_<secret>. The store holds a hash of the
 * secret alone, so this is the only time that it is seen. */
DGM_API char *dgm_key_add(struct dgm *dgm, const struct dgm_key *key,
                          struct dgm_error *error);
/* JSON array of {id, account, label, scopes, datasources, rate_per_minute, concurrent,
 * daily_tokens, tokens_today, created_at, expires_at, expired, last_used_at}. */
DGM_API char *dgm_key_list(struct dgm *dgm, struct dgm_error *error);
DGM_API char *dgm_key_get(struct dgm *dgm, const char *id, struct dgm_error *error);
/* Nobody comes in with it any more; every process of this store knows within a second.
 * Questions at work go on. */
DGM_API bool dgm_key_revoke(struct dgm *dgm, const char *id, struct dgm_error *error);
/* How many there are, expired ones too; -1 when the store cannot tell. */
DGM_API int64_t dgm_key_count(struct dgm *dgm, struct dgm_error *error);

/* Who is asking. All zero: the local person, who may do everything. */
struct dgm_access {
    char key_id[24];
    char account[72];
    unsigned scopes;        /* bits of enum dgm_scope */
    char datasources[1024]; /* ids with commas; "": all */
};

/* Lets somebody in with a key for one request: UNAUTHORIZED for a key that is none,
 * FORBIDDEN when it may not do what is needed, RATE_LIMITED (error.retry_after_s). The
 * access is filled as soon as the key is known to be good. */
DGM_API bool dgm_access_open(struct dgm *dgm, const char *key, enum dgm_scope needed,
                             struct dgm_access *access, struct dgm_error *error);
/* The same for a thread that must not wait: *later, when the store has to be asked, and
 * then nothing is decided; call dgm_access_open on a thread that may wait. */
DGM_API bool dgm_access_look(struct dgm *dgm, const char *key, enum dgm_scope needed,
                             struct dgm_access *access, bool *later,
                             struct dgm_error *error);
/* The datasource that is meant, among those that the access may see: by id, or the only
 * one. NULL (DATASOURCE_NOT_FOUND) for all others, whether they are there or not. */
DGM_API char *dgm_access_source(struct dgm *dgm, const struct dgm_access *access,
                                const char *id, struct dgm_error *error);
/* Is this question, this session the access's own? Else QUERY_NOT_FOUND and
 * SESSION_NOT_FOUND, as for one that was never there. */
DGM_API bool dgm_access_question(struct dgm *dgm, const struct dgm_access *access,
                                 const char *query_id, struct dgm_error *error);
DGM_API bool dgm_access_session(struct dgm *dgm, const struct dgm_access *access,
                                const char *session_id, struct dgm_error *error);
/* The functions above of the same names, for an access: what is not its own is not there.
 * access NULL: the local person. Where a datasource is (url) is told to administrators
 * only. */
DGM_API char *dgm_datasources_for(struct dgm *dgm, const struct dgm_access *access);
DGM_API char *dgm_answer_load_for(struct dgm *dgm, const struct dgm_access *access,
                                  const char *query_id, struct dgm_error *error);
/* A key for certain datasources holds conversations on one of them each: with several,
 * say which. */
DGM_API char *dgm_session_new_for(struct dgm *dgm, const struct dgm_access *access,
                                  const char *datasource, struct dgm_error *error);
DGM_API char *dgm_session_list_for(struct dgm *dgm, const struct dgm_access *access,
                                   struct dgm_error *error);
DGM_API char *dgm_session_get_for(struct dgm *dgm, const struct dgm_access *access,
                                  const char *id, struct dgm_error *error);
DGM_API bool dgm_session_delete_for(struct dgm *dgm, const struct dgm_access *access,
                                    const char *id, struct dgm_error *error);
/* Writes into the audit log, which can only be added to: who did what, without secrets.
 * account NULL: the local person. */
DGM_API bool dgm_audit(struct dgm *dgm, const char *account, const char *action,
                       const char *detail, struct dgm_error *error);

/* -------------------------------- sandbox */

/* The files and folders that the settings, the datasources and the environment name, for
 * a sandbox around the process: a JSON array of {path, write, of}. Looks into files, so
 * call it before dgm_open. */
DGM_API char *dgm_config_paths(const struct dgm_config *config);

/* -------------------------------- engines */

/* Starts the process that DuckDB's processes come from, for a program that will give up
 * the right to start any, before dgm_open; else that is done when first needed. */
DGM_API bool dgm_start_engines(const struct dgm_config *config, struct dgm_error *error);
/* False: that process has ended, and this one may not start another. Starts another where
 * that is allowed. */
DGM_API bool dgm_engines_alive(struct dgm *dgm, struct dgm_error *error);

/* -------------------------------- settings of a running process */

/* Takes other settings over while it is open: new questions go by them, those at work by
 * what they began with. Databases that are no longer configured, or otherwise, are left.
 * What is set up once (store.*, server.*, parser.*, …) stays until the next start, with a
 * line in the log. False: nothing has changed. */
DGM_API bool dgm_reload(struct dgm *dgm, const struct dgm_config *config,
                        struct dgm_error *error);

/* -------------------------------- many questions, several processes */

/* Ends the questions whose process is gone: they failed with INTERRUPTED and can be tried
 * again. Returns how many. A server does this when it starts, and now and then. */
DGM_API size_t dgm_recover(struct dgm *dgm);
/* Do several processes share the store (store.url: postgres://…)? */
DGM_API bool dgm_is_shared(struct dgm *dgm);
/* Follows a question that another process works on: what its observer was told so far,
 * and what comes, to its end (DGM_DONE, DGM_FAILED, DGM_CLARIFICATION or DGM_GONE, in
 * `data` the answer). False with an empty error: nobody works on it elsewhere. */
DGM_API bool dgm_follow(struct dgm *dgm, const struct dgm_access *access,
                        const char *query_id, dgm_observer *observer, void *context,
                        struct dgm_error *error);
/* How far a question is that another process works on, as JSON: query_id, session_id,
 * status, state, question. Yours (dgm_free); NULL with an empty error as above. */
DGM_API char *dgm_progress(struct dgm *dgm, const struct dgm_access *access,
                           const char *query_id, struct dgm_error *error);
/* Stops every question at work in a conversation; returns how many. */
DGM_API size_t dgm_session_stop(struct dgm *dgm, const char *session_id);
/* No further question is taken; those at work are stopped and kept as interrupted.
 * Returns when the last has come to rest. dgm_close follows. */
DGM_API void dgm_shutdown(struct dgm *dgm);
/* Questions at work. */
DGM_API size_t dgm_at_work(struct dgm *dgm);

/* -------------------------------- observed exports and pages */

/* The same with an observer: when the query runs again (for the rows, and to count them),
 * it hears of it by its own id, by which dgm_stop ends it. */
DGM_API char *dgm_rows_observed(struct dgm *dgm, const struct dgm_access *access,
                                const char *query_id, int64_t offset, int64_t limit,
                                dgm_observer *observer, void *context,
                                struct dgm_error *error);
/* The same with an observer: when the query runs again, it hears of it by its own id, by
 * which dgm_stop ends it. */
DGM_API bool dgm_export_observed(struct dgm *dgm, const struct dgm_access *access,
                                 const char *query_id, const char *format,
                                 const char *path, dgm_observer *observer, void *context,
                                 struct dgm_exported *out, struct dgm_error *error);
/* The media type of a format; NULL for one that there is not. */
DGM_API const char *dgm_export_type(const char *format);

/* -------------------------------- lists of sessions */

/* The same in parts: {"sessions": […], "total": …}; the newest first. */
DGM_API char *dgm_session_page(struct dgm *dgm, const struct dgm_access *access,
                               size_t offset, size_t limit, struct dgm_error *error);
/* Without a title it has that of its first question. At most 400 bytes. */
DGM_API bool dgm_session_rename(struct dgm *dgm, const struct dgm_access *access,
                                const char *id, const char *title,
                                struct dgm_error *error);

/* -------------------------------- on behalf of an account */

/* Both as an account sees it by its policy. account NULL: the local person. */
DGM_API char *dgm_source_changes_for(struct dgm *dgm, const char *account, const char *id,
                                     struct dgm_error *error);
DGM_API char *dgm_source_refresh_for(struct dgm *dgm, const char *account, const char *id,
                                     struct dgm_error *error);
/* What its policy lets an account see of it. account NULL: the local person. What is held
 * back is neither described nor told. */
DGM_API bool dgm_describe_for(struct dgm *dgm, const char *account,
                              const char *datasource,
                              const struct dgm_description *description,
                              struct dgm_error *error);
DGM_API char *dgm_dictionary_for(struct dgm *dgm, const char *account,
                                 const char *datasource, struct dgm_error *error);
DGM_API char *dgm_schema_for(struct dgm *dgm, const char *account, const char *datasource,
                             const char *format, struct dgm_error *error);
/* As an account sees it by its policy; what is held back never seems to change. */
DGM_API struct dgm_watch *dgm_watch_open_for(struct dgm *dgm, const char *account,
                                             const char *datasource,
                                             struct dgm_error *error);
DGM_API char *dgm_suggestions_for(struct dgm *dgm, const char *account,
                                  const char *datasource, struct dgm_error *error);

/* The same for an account, to whose policy the datasource is held: what is held back does
 * not exist. account NULL: the local person. */
DGM_API bool dgm_guard_for(struct dgm *dgm, const char *account, const char *datasource,
                           const char *dialect, const char *sql, size_t size,
                           struct dgm_verdict *verdict, struct dgm_error *error);
/* The verdict as JSON: allowed, write, unparsable, position, reason, and what the
 * statement reads: "tables" [{name, columns}] by the names of the database, through WITH,
 * subqueries and aliases. With a datasource each "*" is spelled out, and columns are told
 * where they are certain; columns that could be of several tables are in "columns". */
DGM_API char *dgm_guard_json(struct dgm *dgm, const char *account, const char *datasource,
                             const char *dialect, const char *sql, size_t size,
                             struct dgm_error *error);

/* The model's connection alone; 0: it answers, or none is needed. */
DGM_API int dgm_model_test(struct dgm *dgm,
                           void (*report)(void *context, const struct dgm_check *check),
                           void *context);
/* The settings of this instance as a JSON object: "settings" by key (secrets are "***"),
 * "changeable" and "changed" as lists of keys. */
DGM_API char *dgm_settings(struct dgm *dgm);
/* Changes some of them while it is open: a JSON object by key, null for what the
 * configuration says. New questions go by them, and every process that serves from the
 * same store. They count more than the configuration, until they are null again.
 * llm.key is the name of an environment variable, "${OPENAI_API_KEY}", and must be said
 * anew with llm.url; without a key in `access` llm.url is held to llm.hosts. False:
 * nothing has changed. */
DGM_API bool dgm_settings_change(struct dgm *dgm, const struct dgm_access *access,
                                 const char *json, struct dgm_error *error);
/* Takes over what was changed so far, and follows later changes. */
DGM_API bool dgm_settings_recall(struct dgm *dgm, struct dgm_error *error);

DGM_API int dgm_source_test_for(struct dgm *dgm, const char *account, const char *id,
                                void (*report)(void *context,
                                               const struct dgm_check *check),
                                void *context);

/* Figures since it was opened, as JSON: "schema_cache" with l1_hits, l2_hits, misses,
 * stale (the database did not answer), hit_rate (0 to 1; null before the first look). */
DGM_API char *dgm_metrics(struct dgm *dgm);

/* What clients are told at a state ("searching" at "RECALL"), after they were told `before`
 * (NULL: nothing): it never goes back. NULL when there is no such state. */
DGM_API const char *dgm_status_at(const char *before, const char *state);

#ifdef __cplusplus
}
#endif

#endif
