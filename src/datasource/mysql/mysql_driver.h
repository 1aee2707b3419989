/*
 * The MySQL and MariaDB driver's data types. (The client library's names begin with
 * mysql_, hence the prefix maria_ for names that would clash.) All network calls are
 * non-blocking, so a stop or a deadline is noticed while connecting, sending and reading.
 */
#ifndef DGM_DATASOURCE_MYSQL_DRIVER_H
#define DGM_DATASOURCE_MYSQL_DRIVER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/cancel.h"
#include "datasource/mysql/mysql_library.h"
#include "datasource/server/server_grants.h"
#include "datasource/server/server_line.h"
#include "datasource/server/server_pool.h"
#include "datasource/server/server_rights.h"

/* How the text of a cell is converted to a value. */
enum mysql_kind {
    MARIA_TEXT,
    MARIA_BOOL, /* TINYINT(1): 0 and 1 are booleans, other values stay numbers */
    MARIA_NUMBER,
    MARIA_REAL,
    MARIA_BYTES,
    MARIA_BITS,
    MARIA_JSON,
};

enum mysql_tls {
    MARIA_TLS_PREFERRED, /* encrypted, unless the server does not support it */
    MARIA_TLS_OFF,
    MARIA_TLS_REQUIRED,
    MARIA_TLS_VERIFIED, /* also verify that the certificate is for this host */
};

/* What the server's greeting says about encryption. */
enum mysql_offer {
    MARIA_OFFER_UNKNOWN, /* not read yet */
    MARIA_OFFER_NONE,
    MARIA_OFFER_TLS,
};

/* The operation that a session waits for. */
enum mysql_step {
    MARIA_CONNECT,
    MARIA_QUERY,
    MARIA_FETCH,
    MARIA_PREPARE,
    MARIA_PING,
    MARIA_RESET,
};

/* A connection kept ready for killing queries. */
struct mysql_spare {
    pthread_mutex_t lock; /* guards all fields; held while the connection is used */
    pthread_cond_t changed;
    struct mysql_session *session; /* NULL: none, or it is being opened */
    pthread_t maker;
    bool begun;         /* a thread was started to open it, and must be joined */
    bool making;        /* that thread is running */
    int64_t look_at_ms; /* next time to check the connection, unless it is lost */
    struct cancel closing;
};

/*
 * The state of a MySQL or MariaDB datasource. Connection parameters are set when it is
 * opened and never change; pool and spare connection have their own locks.
 */
struct mysql_state {
    /* Connection parameters; never printed. */
    const char *host;
    struct texts addresses; /* allowed addresses of the host; empty: look it up */
    const char *user;
    const char *password;
    const char *database; /* "" when the URL names none */
    const char *socket;
    unsigned int port;
    enum mysql_tls tls;
    const char *tls_ca;
    const char *tls_certificate;
    const char *tls_key;
    const char *time_zone;
    const char *databases; /* further databases to describe, comma-separated; NULL: all */
    int64_t connect_timeout_ms;
    size_t row_most; /* maximum bytes of a row; the library refuses larger ones */
    struct server_line line;
    struct server_rights rights;
    struct server_pool pool;
    struct mysql_spare spare;
};

/*
 * A connection of the pool; one thread uses it at a time. At most one operation is in
 * progress (`step`, `pending`).
 */
struct mysql_session {
    struct server_session base;
    struct mysql_state *state;
    MYSQL *handle;
    bool mariadb;   /* MariaDB, not MySQL */
    bool bare;      /* only used to kill queries of other sessions */
    bool wants_tls; /* TLS was requested from the library */
    enum mysql_offer offer;
    int64_t asked_ms; /* when the running statement was sent */
    int64_t limit_ms; /* time limit for a statement that was set on the server */
    bool careful;     /* do not push conditions into derived tables (mysql_run.c) */
    /* the operation in progress */
    enum mysql_step step;
    int pending; /* events it waits for (MYSQL_WAIT_…); 0: done */
    int status;
    MYSQL *connected;
    MYSQL_ROW row;
    MYSQL_RES *rows; /* result of the running statement; NULL: none */
    bool ended;      /* all rows of `rows` were read */
    MYSQL_STMT *statement;
};

/* mysql_url.c: what the URL says, with secrets from where it says. */
bool mysql_url_read(struct datasource *source, struct mysql_state *state,
                    struct err *err);

/* mysql_connect.c */
struct mysql_session *mysql_connect(struct mysql_state *state,
                                    const struct datasource_limits *limits,
                                    struct err *err);
/* A connection that is only used to kill queries: without session settings, so that it is
 * quick. */
struct mysql_session *mysql_connect_bare(struct mysql_state *state,
                                         const struct datasource_limits *limits,
                                         int64_t until_ms);
void mysql_disconnect(struct mysql_session *session);
/* Resets the session, so that nothing remains that a function of the database set, locked
 * or created. */
bool mysql_renew(struct mysql_session *session);

/* mysql_wait.c: the operations. False with err on failure, stop or deadline; until_ms 0:
 * only the session's limits count. */
bool mysql_finish(struct mysql_session *session, int64_t until_ms, struct err *err);
void mysql_start_connect(struct mysql_session *session, const char *host,
                         const char *database);
void mysql_start_query(struct mysql_session *session, const char *sql);
void mysql_start_ping(struct mysql_session *session);
bool mysql_run_text(struct mysql_session *session, const char *sql, int64_t until_ms,
                    struct err *err);
/* The next row; *row NULL after the last. */
bool mysql_fetch(struct mysql_session *session, MYSQL_ROW *row, int64_t until_ms,
                 struct err *err);
/* Compiles a statement and discards it; error positions refer to `said`, a part of it. */
bool mysql_prepare(struct mysql_session *session, const char *sql, const char *said,
                   struct err *err);
bool mysql_still_there(struct mysql_session *session);
/* Resets the session on the server. */
bool mysql_reset(struct mysql_session *session, int64_t until_ms);
/* Ends the running operation by closing the connection. */
void mysql_abandon(struct mysql_session *session);

/* mysql_tls.c: waits for the server's greeting and reads whether it supports TLS, before
 * the library reads it or sends anything. False with err on a stop or a deadline. */
bool mysql_greeting_read(struct mysql_session *session, int64_t until_ms,
                         struct err *err);
/* The TLS handshake inside the library blocks. While a watch exists, a stop, a deadline
 * or `until_ms` closes the connection, which ends the handshake. */
struct mysql_watch;
struct mysql_watch *mysql_watch_start(struct mysql_session *session, int64_t until_ms);
void mysql_watch_end(struct mysql_watch *watch); /* NULL is allowed */
/* Is the connection as secure as its URL requires? False with err if not. */
bool mysql_tls_holds(struct mysql_session *session, struct err *err);

/* mysql_cancel.c: kills the running statement and reads the rest of its result. */
void mysql_cancel(struct mysql_session *session);

/* mysql_spare.c */
enum mysql_stop {
    MARIA_KILL_UNSENT,  /* the connection no longer exists */
    MARIA_KILL_UNKNOWN, /* it may arrive, now or later */
    MARIA_KILL_REFUSED,
    MARIA_KILL_SENT,
};
void mysql_spare_init(struct mysql_spare *spare);
void mysql_spare_release(struct mysql_spare *spare);
/* Call when a query runs: opens the connection for killing it, in the background. */
void mysql_spare_want(struct mysql_state *state);
enum mysql_stop mysql_spare_kill(struct mysql_state *state, const char *sql,
                                 int64_t until_ms);

/* Runs dragoman's own SQL; the row function gets the cells as text (NULL for NULL) and
 * returns false to stop. */
bool mysql_rows(struct mysql_session *session, const char *sql,
                bool (*row)(void *context, const char *const *texts), void *context,
                struct err *err);

/* mysql_pool.c */
void mysql_pool_init(struct mysql_state *state);
bool mysql_with(struct datasource *source, const struct datasource_limits *limits,
                bool (*work)(struct mysql_session *session, void *context,
                             struct err *err),
                void *context, struct err *err);

/* mysql_gate.c: is it a query without side effects? The server's read-only mode does not
 * forbid all of them. */
bool mysql_gate(const char *sql, struct err *err);

/* mysql_run.c: runs one statement of users or models in a read-only session. `how` is a
 * prefix ("EXPLAIN ") or "". */
bool mysql_run(struct mysql_session *session, const char *how, const char *sql,
               const struct datasource_sink *sink, struct err *err);
bool mysql_check_one(struct mysql_session *session, const char *sql, struct err *err);

/* mysql_values.c */
enum mysql_kind mysql_kind_of(const MYSQL_FIELD *field);
const char *mysql_type_of(const MYSQL_FIELD *field);
struct value mysql_value(struct arena *scratch, enum mysql_kind kind, const char *text,
                         size_t size);
/* The name of a type in schemas: "int(10) unsigned" becomes "INTEGER UNSIGNED". */
const char *mysql_type_name(struct arena *arena, const char *type);

/* mysql_error.c: these fill err and return false. */
bool mysql_fail(struct mysql_session *session, const char *sql, struct err *err);
bool mysql_fail_statement(struct mysql_session *session, const char *sql,
                          struct err *err);
bool mysql_lost(struct mysql_session *session, struct err *err);
bool mysql_connect_fail(const struct mysql_session *session, struct err *err);
/* Did the query end because of our KILL or the server's time limit? */
bool mysql_interrupted(unsigned int number);

struct buf;
void mysql_quote(struct buf *out, const char *name);
void mysql_literal(struct buf *out, const char *text);

/* mysql_schema.c: the databases whose tables are described, the URL's own first. */
struct texts;
bool mysql_databases(struct mysql_session *session, struct arena *arena,
                     struct texts *out, struct err *err);

/* mysql_inspect.c: the rights of the login. If the server does not tell, that is no
 * error; a lost connection is. */
bool mysql_grants_ask(struct mysql_session *session, struct server_grants *grants,
                      struct err *err);

/* The slots that live in files of their own. */
bool mysql_signature(struct datasource *source, const struct datasource_limits *limits,
                     char out[33], struct err *err);
bool mysql_describe(struct datasource *source, struct schema *schema,
                    const struct datasource_limits *limits, struct err *err);
bool mysql_profile(struct datasource *source, struct schema *schema, struct table *table,
                   struct arena *arena, int samples,
                   const struct datasource_limits *limits, struct err *err);
bool mysql_estimate(struct datasource *source, const char *sql, struct arena *arena,
                    const struct datasource_limits *limits,
                    struct datasource_estimate *out, struct err *err);
bool mysql_write(struct datasource *source, const char *sql, int64_t approved,
                 const struct datasource_limits *limits, int64_t *touched,
                 struct err *err);
bool mysql_inspect(struct datasource *source, struct arena *arena,
                   const struct datasource_limits *limits,
                   struct datasource_inspection *out, struct err *err);

#endif
