/*
 * For programs with several users or several processes: access keys, accounts, settings
 * that change at run time, and questions that run in another process. The rules
 * of dragoman.h apply.
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

/* What a key may do. ASK includes READ; ADMIN includes both. */
enum dgm_scope {
    DGM_SCOPE_NONE = 0,
    DGM_SCOPE_READ = 1,  /* look at schemas and at one's own answers and sessions */
    DGM_SCOPE_ASK = 2,   /* ask questions, keep sessions, lessons, datasets */
    DGM_SCOPE_ADMIN = 4, /* datasources, dictionary, settings, keys */
};

/* An access key authenticates a client. It belongs to an
 * account; only that account sees its questions, saved queries and lessons. */
struct dgm_key {
    const char *account; /* letters, digits, _ and -; "local" is reserved */
    const char *label;   /* for people; or NULL */
    const char *scopes;  /* "read", "ask", "admin", with commas; NULL: "ask" */
    const char *
        datasources; /* ids, separated by commas; others do not exist for the key; NULL: all */
    int64_t rate_per_minute; /* requests; 0: no limit, here and below */
    int64_t concurrent;      /* questions at once */
    int64_t daily_tokens;    /* of models, per day (UTC) */
    int64_t expires_in_s;    /* 0: never */
};

/* JSON as dgm_key_get's, with "key": dgm_<id>_<secret>. The store keeps only a hash of
 * the secret, so this is the only time that it is visible. */
DGM_API char *dgm_key_add(struct dgm *dgm, const struct dgm_key *key,
                          struct dgm_error *error);
/* JSON array of {id, account, label, scopes, datasources, rate_per_minute, concurrent,
 * daily_tokens, tokens_today, created_at, expires_at, expired, last_used_at}. */
DGM_API char *dgm_key_list(struct dgm *dgm, struct dgm_error *error);
DGM_API char *dgm_key_get(struct dgm *dgm, const char *id, struct dgm_error *error);
/* Revokes a key: every process that shares the
 * store refuses it within a second. Questions that it runs in this process are stopped; other
 * processes stop theirs with dgm_stop_revoked(). */
DGM_API bool dgm_key_revoke(struct dgm *dgm, const char *id, struct dgm_error *error);
/* The number of keys, including expired ones; -1 if the store failed. */
DGM_API int64_t dgm_key_count(struct dgm *dgm, struct dgm_error *error);

/* The caller. All zero: the local user, who may do everything. */
struct dgm_access {
    char key_id[24];
    char account[72];
    /* Where functions take an account: "", or of a sign-in with roles or claims for
     * policies, the account and a digest of these. */
    char actor[112];
    unsigned scopes;        /* bits of enum dgm_scope */
    char datasources[1024]; /* ids, separated by commas; "": all */
    int64_t until_s; /* of a token: seconds since 1970 at which it ends; 0: it is a key */
};

/* Authenticates one request by its key: UNAUTHORIZED if the key is not valid,
 * FORBIDDEN if it lacks the scope, RATE_LIMITED (error.retry_after_s). The access is
 * filled if the key is valid, even if the call fails. */
DGM_API bool dgm_access_open(struct dgm *dgm, const char *key, enum dgm_scope needed,
                             struct dgm_access *access, struct dgm_error *error);
/* The same for a thread that must not block: sets *later if the store has to be
 * queried; nothing is decided then, and dgm_access_open must be called on a thread
 * that may block. */
DGM_API bool dgm_access_look(struct dgm *dgm, const char *key, enum dgm_scope needed,
                             struct dgm_access *access, bool *later,
                             struct dgm_error *error);
/* For what stays open after a request was accepted, such as a stream: is its access still
 * valid? False: the key was revoked or has expired, the session ended, or the token has
 * expired. True if the store does not reply. May block. */
DGM_API bool dgm_access_holds(struct dgm *dgm, const struct dgm_access *access);
/* Stops the questions that run in this process for keys that were revoked or have expired;
 * returns their number. Those of tokens continue. May block. */
DGM_API size_t dgm_stop_revoked(struct dgm *dgm);
/*
 * Both also take a token (JWT) of the issuer of single sign-on (oidc.issuer). Its claims are
 * the account, its scopes, datasources and roles. Whatever is wrong with a token, the error
 * is the same; the log says why.
 */
/* Are the settings of single sign-on complete? CONFIG if not. */
DGM_API bool dgm_sign_in_check(struct dgm *dgm, struct dgm_error *error);
/*
 * People sign in with a browser: dgm_sign_in_begin() returns the URL to which it is sent,
 * and a secret to keep in its cookie. It comes back to `callback`; dgm_sign_in_end() returns
 * an access key for it, which ends after oidc.session_s, or earlier by dgm_key_revoke(). Both
 * wait for the issuer.
 */
enum { DGM_SIGN_IN_SECRET = 65 };
/* What the browser came back with: parameters of the URL; NULL: missing. */
struct dgm_sign_in {
    const char *state;
    const char *code;
    const char *issuer; /* "iss" */
};
DGM_API char *dgm_sign_in_begin(struct dgm *dgm, const char *callback,
                                char secret[DGM_SIGN_IN_SECRET], struct dgm_error *error);
DGM_API char *dgm_sign_in_end(struct dgm *dgm, const char *callback, const char *secret,
                              const struct dgm_sign_in *back, struct dgm_error *error);
/* A person signs out: ends the session like dgm_key_revoke(), but not the links made in it. */
DGM_API bool dgm_sign_out(struct dgm *dgm, const char *key_id, struct dgm_error *error);
/* Where the browser of somebody who signed out is sent, so that the session at the issuer ends
 * as well; it comes back to `back`. NULL: not known, or not wanted. May wait for it. */
DGM_API char *dgm_sign_out_url(struct dgm *dgm, const char *back);
/* The issuer ends sessions itself: a notice of sign-out (OpenID Connect Back-Channel Logout).
 * Waits for the issuer. INVALID_DATA if the notice is not valid; the log says why. */
DGM_API bool dgm_sign_out_notice(struct dgm *dgm, const char *token,
                                 struct dgm_error *error);
/* The datasource with this id, or the only one, among those that the access may see.
 * NULL (DATASOURCE_NOT_FOUND) for all others, whether they exist or not. */
DGM_API char *dgm_access_source(struct dgm *dgm, const struct dgm_access *access,
                                const char *id, struct dgm_error *error);
/* Whether this question or session belongs to the caller. If not,
 * the error is QUERY_NOT_FOUND or SESSION_NOT_FOUND, as if it did not exist. */
DGM_API bool dgm_access_question(struct dgm *dgm, const struct dgm_access *access,
                                 const char *query_id, struct dgm_error *error);
DGM_API bool dgm_access_session(struct dgm *dgm, const struct dgm_access *access,
                                const char *session_id, struct dgm_error *error);
/* Like the functions without _for, for an access: data of other accounts does not
 * exist. access NULL: the local user. Only administrators see the url of a datasource. */
DGM_API char *dgm_datasources_for(struct dgm *dgm, const struct dgm_access *access);
DGM_API char *dgm_answer_load_for(struct dgm *dgm, const struct dgm_access *access,
                                  const char *query_id, struct dgm_error *error);
/* With a key for certain datasources, each conversation belongs
 * to one of them; give it if there are several. */
DGM_API char *dgm_session_new_for(struct dgm *dgm, const struct dgm_access *access,
                                  const char *datasource, struct dgm_error *error);
DGM_API char *dgm_session_list_for(struct dgm *dgm, const struct dgm_access *access,
                                   struct dgm_error *error);
DGM_API char *dgm_session_get_for(struct dgm *dgm, const struct dgm_access *access,
                                  const char *id, struct dgm_error *error);
DGM_API bool dgm_session_delete_for(struct dgm *dgm, const struct dgm_access *access,
                                    const char *id, struct dgm_error *error);
/* Writes to the audit log, which is append-only: who did what, without secrets.
 * account NULL: the local user. */
DGM_API bool dgm_audit(struct dgm *dgm, const char *account, const char *action,
                       const char *detail, struct dgm_error *error);

/* -------------------------------- links */
/*
 *     struct dgm_share share = {.query_id = id};
 *     char *json = dgm_share_new(dgm, access, &share, &error);
 */

/* A link shows an answer, or the answers of a conversation, to anyone who has it. It shows a
 * copy of the rows that are stored with the answer, as the account was allowed to see them. It
 * ends when it expires, when it is revoked, and when the key with which it was made is revoked,
 * expires or loses its right to a datasource. The session of a person who signed in may run out, but
 * dgm_key_revoke() and dgm_sign_out_notice() end its links. FORBIDDEN with a token of the issuer.
 * Only with share.links. */
struct dgm_share {
    const char *query_id;   /* an answer; or NULL */
    const char *session_id; /* a conversation; or NULL: give exactly one of the two */
    const char *chart;      /* of an answer: a kind of chart, "none", or NULL */
    int64_t expires_in_s;   /* 0: share.days */
};

/* JSON as an element of dgm_share_list's, with "token". The store keeps only a hash of it, so this
 * is the only time that it is visible. FORBIDDEN if share.links is off. access NULL: the local
 * user. */
DGM_API char *dgm_share_new(struct dgm *dgm, const struct dgm_access *access,
                            const struct dgm_share *share, struct dgm_error *error);
/* JSON array of {id, kind, subject, title, account, works, created_at, expires_at, opens,
 * last_opened_at}, newest first; works: false if opening it would fail, for example because a
 * datasource was removed. all: those of all accounts, for administrators. */
DGM_API char *dgm_share_list(struct dgm *dgm, const struct dgm_access *access, bool all,
                             struct dgm_error *error);
/* Administrators may revoke those of all accounts. */
DGM_API bool dgm_share_revoke(struct dgm *dgm, const struct dgm_access *access,
                              const char *id, struct dgm_error *error);
/* How long a link works by default, and at most (*most), in days; 0: links are off. */
DGM_API int64_t dgm_share_days(struct dgm *dgm, int64_t *most);
/* The page of a link, as HTML, and counts that it was opened. NULL, NOT_FOUND: the link does not
 * work, whatever the reason. */
DGM_API char *dgm_share_open(struct dgm *dgm, const char *token, struct dgm_error *error);
/* The page for links that do not work, and the Content-Security-Policy of both pages. Yours
 * (dgm_free). */
DGM_API char *dgm_share_gone(void);
DGM_API char *dgm_share_policy(void);

/* -------------------------------- sandbox */

/* The files and folders named by the settings, the datasources and the environment,
 * for a sandbox: a JSON array of {path, write, of}. It reads files, so call it before
 * dgm_open. */
DGM_API char *dgm_config_paths(const struct dgm_config *config);

/* -------------------------------- engines */

/* Starts the process from which DuckDB's processes are forked, before dgm_open. Needed
 * by programs that give up the right to start processes; otherwise it is started when
 * first needed. */
DGM_API bool dgm_start_engines(const struct dgm_config *config, struct dgm_error *error);
/* Restarts that process if it has ended. False: it
 * has ended, and this process may not start another one. */
DGM_API bool dgm_engines_alive(struct dgm *dgm, struct dgm_error *error);

/* -------------------------------- settings of a running process */

/* Applies other settings at run time: new questions use them, running questions keep
 * theirs. Databases that were removed or changed in the configuration are not used
 * by new questions. Settings that are used only at the start (store.*, server.*,
 * parser.*, …) take effect after a restart; the log says so. False: nothing has
 * changed. */
DGM_API bool dgm_reload(struct dgm *dgm, const struct dgm_config *config,
                        struct dgm_error *error);

/* -------------------------------- many questions, several processes */

/* Ends questions whose process has ended: they fail with INTERRUPTED and can be
 * retried. Returns their number. A server does this when it starts, and regularly. */
DGM_API size_t dgm_recover(struct dgm *dgm);
/* Whether several processes can share the store (store.url: postgres://…). */
DGM_API bool dgm_is_shared(struct dgm *dgm);
/* Follows a question that another process works on: its events so far and later ones,
 * to its end (DGM_DONE, DGM_FAILED, DGM_CLARIFICATION or DGM_GONE, in `data` the
 * answer). False with an empty error: no other process works on it. */
DGM_API bool dgm_follow(struct dgm *dgm, const struct dgm_access *access,
                        const char *query_id, dgm_observer *observer, void *context,
                        struct dgm_error *error);
/* The progress of a question that another process works on, as JSON: query_id,
 * session_id, status, state, question; its answer if it has ended meanwhile. Yours
 * (dgm_free); NULL with an empty error as above. */
DGM_API char *dgm_progress(struct dgm *dgm, const struct dgm_access *access,
                           const char *query_id, struct dgm_error *error);
/* Stops all running questions of a conversation; returns their number. */
DGM_API size_t dgm_session_stop(struct dgm *dgm, const char *session_id);
/* Refuses further questions, stops the running ones and stores them as
 * interrupted. Returns when the last one has ended. Call dgm_close afterwards. */
DGM_API void dgm_shutdown(struct dgm *dgm);
/* The number of running questions. */
DGM_API size_t dgm_at_work(struct dgm *dgm);

/* -------------------------------- observed exports and pages */

/* Like dgm_rows, with an observer: if the query runs again (for the rows, and
 * to count them), its events have an id of their own, which dgm_stop accepts. */
DGM_API char *dgm_rows_observed(struct dgm *dgm, const struct dgm_access *access,
                                const char *query_id, int64_t offset, int64_t limit,
                                dgm_observer *observer, void *context,
                                struct dgm_error *error);
/* Like dgm_export, with an observer: if the query runs again,
 * its events have an id of their own, which dgm_stop accepts. */
DGM_API bool dgm_export_observed(struct dgm *dgm, const struct dgm_access *access,
                                 const char *query_id, const char *format,
                                 const char *path, dgm_observer *observer, void *context,
                                 struct dgm_exported *out, struct dgm_error *error);
/* The media type of a format; NULL for an unknown format. */
DGM_API const char *dgm_export_type(const char *format);

/* -------------------------------- lists of sessions */

/* A page of the list of sessions: {"sessions": […], "total": …}; the newest first. */
DGM_API char *dgm_session_page(struct dgm *dgm, const struct dgm_access *access,
                               size_t offset, size_t limit, struct dgm_error *error);
/* Without a title, its first question is its title. At most 400 bytes. */
DGM_API bool dgm_session_rename(struct dgm *dgm, const struct dgm_access *access,
                                const char *id, const char *title,
                                struct dgm_error *error);

/* -------------------------------- conversations that a client keeps */

/* A conversation whose client sends all of it with each message. */
struct dgm_talk {
    const char *datasource; /* id; NULL: found from each question */
    /* What the user has said so far, oldest first, without the message that comes now. */
    const char *const *said;
    size_t count;
    const char *query_id; /* the question that was answered last; NULL: not known */
};

/* The id of the session in which the next message belongs: the one that has seen
 * exactly this conversation. If it has seen more, because the client changed or repeated
 * an earlier message, a new session with a copy up to there; if there is none, a new
 * one. Sessions of other accounts do not exist. */
DGM_API char *dgm_session_for(struct dgm *dgm, const struct dgm_access *access,
                              const struct dgm_talk *talk, struct dgm_error *error);

/* -------------------------------- on behalf of an account */

/* Like the functions without _for, with the policy of an account. account NULL: the
 * local user. */
DGM_API char *dgm_source_changes_for(struct dgm *dgm, const char *account, const char *id,
                                     struct dgm_error *error);
DGM_API char *dgm_source_refresh_for(struct dgm *dgm, const char *account, const char *id,
                                     struct dgm_error *error);
/* The same: hidden tables and columns can neither be
 * described nor are they returned. account NULL: the local user. */
DGM_API bool dgm_describe_for(struct dgm *dgm, const char *account,
                              const char *datasource,
                              const struct dgm_description *description,
                              struct dgm_error *error);
DGM_API char *dgm_dictionary_for(struct dgm *dgm, const char *account,
                                 const char *datasource, struct dgm_error *error);
DGM_API char *dgm_schema_for(struct dgm *dgm, const char *account, const char *datasource,
                             const char *format, struct dgm_error *error);
/* A secret that all processes with the same store share, made at the first call; a text.
 * Not for what must be kept from those who can read the store. */
enum { DGM_SECRET_SIZE = 48 };
DGM_API bool dgm_secret(struct dgm *dgm, const char *name, char out[DGM_SECRET_SIZE],
                        struct dgm_error *error);
/* At most `most` cells of text columns that have these words or, without such, similar ones,
 * as the account may see them: a JSON array of {value, table, column}. Reads the database
 * the first time. */
DGM_API char *dgm_values_for(struct dgm *dgm, const char *account, const char *datasource,
                             const char *words, size_t most, struct dgm_error *error);
/* The same: changes of hidden tables and columns are not reported. */
DGM_API struct dgm_watch *dgm_watch_open_for(struct dgm *dgm, const char *account,
                                             const char *datasource,
                                             struct dgm_error *error);
DGM_API char *dgm_suggestions_for(struct dgm *dgm, const char *account,
                                  const char *datasource, struct dgm_error *error);

/* Like dgm_guard, with the policy of an account: hidden tables
 * and columns do not exist. account NULL: the local user. */
DGM_API bool dgm_guard_for(struct dgm *dgm, const char *account, const char *datasource,
                           const char *dialect, const char *sql, size_t size,
                           struct dgm_verdict *verdict, struct dgm_error *error);
/* The verdict as JSON: allowed, write, unparsable, position, reason, and what the
 * statement reads: "tables" [{name, columns}] by the names of the database, also
 * through WITH, subqueries and aliases. With a datasource, each "*" is expanded, and
 * columns are listed with their table if it is certain; columns that could belong to
 * several tables are in "columns". */
DGM_API char *dgm_guard_json(struct dgm *dgm, const char *account, const char *datasource,
                             const char *dialect, const char *sql, size_t size,
                             struct dgm_error *error);

/* Tests only the model's connection; 0: it responds, or no model is needed. */
DGM_API int dgm_model_test(struct dgm *dgm,
                           void (*report)(void *context, const struct dgm_check *check),
                           void *context);
/* The settings of this instance as a JSON object: "settings" by key (secrets are "***"),
 * "changeable" and "changed" as lists of keys. */
DGM_API char *dgm_settings(struct dgm *dgm);
/* Changes settings at run time: a JSON object by key; null restores the configured
 * value. New questions use them, in every process that shares the store. They override
 * the configuration until they are set to null. llm.key is the name of an environment
 * variable, "${OPENAI_API_KEY}", and must be given again with llm.url; without a key
 * in `access`, llm.url must be one of llm.hosts. False: nothing has changed. */
DGM_API bool dgm_settings_change(struct dgm *dgm, const struct dgm_access *access,
                                 const char *json, struct dgm_error *error);
/* Applies the settings that were changed so far, and follows later changes. */
DGM_API bool dgm_settings_recall(struct dgm *dgm, struct dgm_error *error);

DGM_API int dgm_source_test_for(struct dgm *dgm, const char *account, const char *id,
                                void (*report)(void *context,
                                               const struct dgm_check *check),
                                void *context);

/* Metrics since dgm_open, as JSON: "schema_cache" with l1_hits, l2_hits, misses,
 * stale (the database did not answer), hit_rate (0 to 1; null before the first look). */
DGM_API char *dgm_metrics(struct dgm *dgm);

/* The public status at a state ("searching" at "RECALL"), after the status `before`
 * (NULL: none); it never goes back. NULL when there is no such state. */
DGM_API const char *dgm_status_at(const char *before, const char *state);

#ifdef __cplusplus
}
#endif

#endif
