/*
 * The MySQL driver's data types (the library's begin with mysql, so these begin with
 * maria). Every step on the network is one that can wait: a stop or a deadline is seen at
 * every moment, while connecting, sending and reading.
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

/* How the text of a cell becomes a value. */
enum mysql_kind {
    MARIA_TEXT,
    MARIA_BOOL, /* TINYINT(1): 0 and 1 are, other numbers stay numbers */
    MARIA_NUMBER,
    MARIA_REAL,
    MARIA_BYTES,
    MARIA_BITS,
    MARIA_JSON,
};

enum mysql_tls {
    MARIA_TLS_PREFERRED, /* unless the server says that it has none */
    MARIA_TLS_OFF,
    MARIA_TLS_REQUIRED,
    MARIA_TLS_VERIFIED, /* and its certificate is for this host */
};

/* What the server's greeting says about encryption. */
enum mysql_offer {
    MARIA_OFFER_UNKNOWN, /* it has not been read */
    MARIA_OFFER_NONE,
    MARIA_OFFER_TLS,
};

/* What a session waits for. */
enum mysql_step {
    MARIA_CONNECT,
    MARIA_QUERY,
    MARIA_FETCH,
    MARIA_PREPARE,
    MARIA_PING,
    MARIA_RESET,
};

/* The standing connection that ends queries. */
struct mysql_spare {
    pthread_mutex_t lock; /* guards all here; held while it is used */
    pthread_cond_t changed;
    struct mysql_session *session; /* NULL: there is none, or it is being made */
    pthread_t maker;
    bool begun;         /* there was a maker, who has to be joined */
    bool making;        /* and it is at work */
    int64_t look_at_ms; /* until then nothing is to do, unless it is lost */
    struct cancel closing;
};

struct mysql_state {
    /* what to connect with: never printed */
    const char *host;
    struct texts addresses; /* those of the host that were allowed; none: look it up */
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
    const char *databases; /* which others to look into, with commas; NULL: all */
    int64_t connect_timeout_ms;
    size_t row_most; /* bytes of one row; the library reads no larger one */
    struct server_line line;
    struct server_rights rights;
    struct server_pool pool;
    struct mysql_spare spare;
};

struct mysql_session {
    struct server_session base;
    struct mysql_state *state;
    MYSQL *handle;
    bool mariadb;   /* not MySQL itself */
    bool bare;      /* it only ends queries of others */
    bool wants_tls; /* the library was told to encrypt */
    enum mysql_offer offer;
    int64_t asked_ms; /* when the statement was sent that is under way */
    int64_t limit_ms; /* the server's own time limit for a statement */
    bool careful;     /* conditions are not moved into derived tables (mysql_run.c) */
    /* the step that is under way */
    enum mysql_step step;
    int pending; /* what it waits for; 0: it is done */
    int status;
    MYSQL *connected;
    MYSQL_ROW row;
    MYSQL_RES *rows; /* of the statement that runs; NULL: it has none */
    bool ended;      /* and all of them were read */
    MYSQL_STMT *statement;
};

/* mysql_url.c: what the URL says, with secrets from where it says. */
bool mysql_url_read(struct datasource *source, struct mysql_state *state,
                    struct err *err);

/* mysql_connect.c */
struct mysql_session *mysql_connect(struct mysql_state *state,
                                    const struct datasource_limits *limits,
                                    struct err *err);
/* One that only can end other people's queries: no settings, as quick as can be. */
struct mysql_session *mysql_connect_bare(struct mysql_state *state,
                                         const struct datasource_limits *limits,
                                         int64_t until_ms);
void mysql_disconnect(struct mysql_session *session);
/* Makes it as new: what a function of the database set, locked or created is gone. */
bool mysql_renew(struct mysql_session *session);

/* mysql_wait.c: the steps. False with err when it failed, was stopped or is late;
 * until_ms 0: only the session's limits count. */
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
/* Compiles a statement and forgets it; errors are about `said`, which stands in it. */
bool mysql_prepare(struct mysql_session *session, const char *sql, const char *said,
                   struct err *err);
bool mysql_still_there(struct mysql_session *session);
/* The server forgets all that this session did and set. */
bool mysql_reset(struct mysql_session *session, int64_t until_ms);
/* Gives up what is under way by closing the line. */
void mysql_abandon(struct mysql_session *session);

/* mysql_tls.c: waits for the server's greeting and reads in it whether there is TLS,
 * before the library has read it or sent anything. False with err when the wait must end.
 */
bool mysql_greeting_read(struct mysql_session *session, int64_t until_ms,
                         struct err *err);
/* The library agrees on encryption without letting go: while one of these is there, a
 * stop, a deadline or `until_ms` closes the line, which ends that. */
struct mysql_watch;
struct mysql_watch *mysql_watch_start(struct mysql_session *session, int64_t until_ms);
void mysql_watch_end(struct mysql_watch *watch); /* NULL: nothing */
/* A connection that is not as its URL wants it: false with err. */
bool mysql_tls_holds(struct mysql_session *session, struct err *err);

/* mysql_cancel.c: ends what the server is doing for us, and reads away the rest. */
void mysql_cancel(struct mysql_session *session);
/* The same, but lets it come to its own end for so long. */
void mysql_settle(struct mysql_session *session, int64_t patience_ms);

/* mysql_spare.c */
enum mysql_stop {
    MARIA_KILL_UNSENT,  /* there is no such connection now */
    MARIA_KILL_UNKNOWN, /* it may arrive, now or much later */
    MARIA_KILL_REFUSED,
    MARIA_KILL_SENT,
};
void mysql_spare_init(struct mysql_spare *spare);
void mysql_spare_release(struct mysql_spare *spare);
/* A query lasts: have the connection ready that can end it. Does not wait. */
void mysql_spare_want(struct mysql_state *state);
enum mysql_stop mysql_spare_kill(struct mysql_state *state, const char *sql,
                                 int64_t until_ms);

/* Own SQL; the row function gets the cells as text, NULL for NULL, and stops by false. */
bool mysql_rows(struct mysql_session *session, const char *sql,
                bool (*row)(void *context, const char *const *texts), void *context,
                struct err *err);

/* mysql_pool.c */
void mysql_pool_init(struct mysql_state *state);
bool mysql_with(struct datasource *source, const struct datasource_limits *limits,
                bool (*work)(struct mysql_session *session, void *context,
                             struct err *err),
                void *context, struct err *err);

/* mysql_gate.c: is it a query, and one without side effects that the server's read-only
 * mode lets pass? */
bool mysql_gate(const char *sql, struct err *err);

/* mysql_run.c: other people's SQL, one statement, in a session that only reads. `how`
 * stands before it ("EXPLAIN ") or is "". */
bool mysql_run(struct mysql_session *session, const char *how, const char *sql,
               const struct datasource_sink *sink, struct err *err);
bool mysql_check_one(struct mysql_session *session, const char *sql, struct err *err);

/* mysql_values.c */
enum mysql_kind mysql_kind_of(const MYSQL_FIELD *field);
const char *mysql_type_of(const MYSQL_FIELD *field);
struct value mysql_value(struct arena *scratch, enum mysql_kind kind, const char *text,
                         size_t size);
/* "int(10) unsigned" as "INTEGER UNSIGNED": how describe names a type. */
const char *mysql_type_name(struct arena *arena, const char *type);

/* mysql_error.c: fills err; return false. */
bool mysql_fail(struct mysql_session *session, const char *sql, struct err *err);
bool mysql_fail_statement(struct mysql_session *session, const char *sql,
                          struct err *err);
bool mysql_lost(struct mysql_session *session, struct err *err);
bool mysql_connect_fail(const struct mysql_session *session, struct err *err);
/* Did the server end the query because we, or its own time limit, said so? */
bool mysql_interrupted(unsigned int number);

struct buf;
void mysql_quote(struct buf *out, const char *name);
void mysql_literal(struct buf *out, const char *text);

/* mysql_schema.c: the databases whose tables are shown, the URL's own first. */
struct texts;
bool mysql_databases(struct mysql_session *session, struct arena *arena,
                     struct texts *out, struct err *err);

/* mysql_inspect.c: what the login was granted. A server that does not tell is no reason
 * to fail; one that is gone is. */
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
