/*
 * The PostgreSQL driver's data types. Every wait is a poll with a short slice, so that a
 * stop or a deadline is seen at every moment: while connecting, sending and reading.
 */
#ifndef DGM_DATASOURCE_POSTGRES_DRIVER_H
#define DGM_DATASOURCE_POSTGRES_DRIVER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/map.h"
#include "base/libpq.h"
#include "datasource/server/server_line.h"
#include "datasource/server/server_pool.h"
#include "datasource/server/server_rights.h"

/* How the text of a cell becomes a value. */
enum postgres_kind {
    POSTGRES_TEXT,
    POSTGRES_BOOL,
    POSTGRES_INT,
    POSTGRES_REAL,
    POSTGRES_NUMBER,
    POSTGRES_BYTES,
    POSTGRES_JSON,
    POSTGRES_ARRAY,
};

struct postgres_type {
    Oid oid;
    const char *name; /* "VARCHAR" */
    enum postgres_kind kind;
    Oid element; /* of an array, or the type below a domain; else 0 */
};

struct postgres_session {
    struct server_session base;
    PGconn *connection;
    bool tls_begun;   /* the server agreed to TLS; the handshake may have failed */
    bool tls_refused; /* it said that it has none */
    char *home;       /* the schema of the search path, quoted; NULL: it is not set yet */
    int syncs;        /* ends of pipelines that the server has yet to confirm */
    /* Bytes that came for the result that is waited for, and how many it may have; 0: as
     * many as our own SQL may. More is not read: the connection is given up. */
    size_t arrived;
    size_t arrive_most;
};

/* The last parts of a pipeline: back to before, forget all, be set as at first. One that
 * fails leaves a session that nobody may use again. */
enum { POSTGRES_RESET_SYNCS = 3 };

struct postgres_state {
    /* what to connect with: never printed */
    const char **keywords;
    const char **values;
    const char **plain_values; /* without TLS, where the URL allows that; or NULL */
    const char *database;      /* its name, for messages */
    int64_t connect_timeout_ms;
    struct server_line line;
    struct server_rights rights;
    bool allow_own_types;
    struct server_pool pool;
    pthread_mutex_t lock; /* guards all below */
    char *schema;         /* the default one; NULL until the first connection */
    struct map types;     /* the database's own, by number */
    struct arena *memory; /* of the types */
    atomic_bool types_known;
};

/* postgres_url.c: the URL as keywords and values, with secrets from where it says. */
bool postgres_url_read(struct datasource *source, struct postgres_state *state,
                       struct err *err);

/* postgres_connect.c */
/* Did a question fail because the connection or its time is over, not by itself? */
bool postgres_ended(const struct postgres_session *session, const struct err *err);
struct postgres_session *postgres_connect(struct postgres_state *state,
                                          const struct datasource_limits *limits,
                                          struct err *err);
void postgres_disconnect(struct postgres_session *session);
/* How every session is set, as one query. */
const char *postgres_settings(const struct postgres_session *session);

/* postgres_intake.c: loads libpq; before anything else of it is used. */
bool postgres_intake_load(struct err *err);
/* PQconsumeInput that takes no more than so many bytes. Where it
 * cannot be led (postgres_intake_counts() is false) it takes what there is, and *taken is
 * 0. */
int postgres_intake(PGconn *connection, size_t most, size_t *taken);
bool postgres_intake_counts(void);

/* postgres_wait.c: the next result of what was sent; *result NULL after the last. */
bool postgres_next(struct postgres_session *session, PGresult **result, struct err *err);
/* Ends what the server is doing for us, and reads away what it still says. */
void postgres_cancel(struct postgres_session *session);
/* The same, but lets it come to its own end for so long. */
void postgres_settle(struct postgres_session *session, int64_t patience_ms);
/* Waits for the socket until a stop, the deadline or `until_ms` (0: none). */
bool postgres_wait(struct postgres_session *session, int events, int64_t until_ms,
                   struct err *err);
/* Several questions at once, each with its own row function. */
struct postgres_question {
    const char *sql;
    bool (*row)(void *context, const char *const *texts);
};
bool postgres_ask(struct postgres_session *session,
                  const struct postgres_question *questions, size_t count, void *context,
                  struct err *err);
/* Own statements, several at once; row may be NULL. */
bool postgres_script(struct postgres_session *session, const char *sql,
                     bool (*row)(void *context, const char *const *texts), void *context,
                     struct err *err);
/* Own SQL; the row function gets the cells as text, NULL for NULL, and stops by false. */
bool postgres_rows(struct postgres_session *session, const char *sql,
                   bool (*row)(void *context, const char *const *texts), void *context,
                   struct err *err);

/* postgres_pool.c */
void postgres_pool_init(struct postgres_state *state);
void postgres_pool_release(struct postgres_state *state);
/* Runs `work` on a connection of the pool. */
bool postgres_with(struct datasource *source, const struct datasource_limits *limits,
                   bool (*work)(struct postgres_session *session, void *context,
                                struct err *err),
                   void *context, struct err *err);

/* postgres_run.c: other people's SQL, one statement, in a transaction that only reads.
 * `how` stands before it ("EXPLAIN …") or is "". */
bool postgres_run(struct postgres_session *session, struct postgres_state *state,
                  const char *how, const char *sql, const struct datasource_sink *sink,
                  struct err *err);
/* Compiles it in the way that lets only a query pass. */
bool postgres_check_one(struct postgres_session *session, const char *sql,
                        struct err *err);
#define POSTGRES_ONLY_QUERIES "DECLARE dragoman_only_reads NO SCROLL CURSOR FOR "

/* postgres_bound.c: how long the cells of a statement may get. */
struct postgres_column {
    Oid type;
    int modifier;
    bool is_long; /* or may be: only its beginning is asked for */
};
struct postgres_bound {
    struct postgres_column *columns;
    size_t count;
    size_t long_count;
    size_t cell_bytes; /* a cell with more than this is cut */
    size_t row_bytes;  /* no row takes more than this on its way */
};
void postgres_bound_make(struct postgres_state *state, struct arena *arena,
                         const PGresult *described,
                         const struct datasource_limits *limits,
                         struct postgres_bound *out);
/* The statement inside of the one that bounds its cells; *before is what stands before
 * it. False when that gets too long. */
bool postgres_bound_wrap(struct arena *arena, const struct postgres_bound *bound,
                         const char *sql, const char **before, const char **whole);

/* postgres_types.c */
bool postgres_types_load(struct postgres_session *session, struct postgres_state *state,
                         struct err *err);
/* A type that is not known is text without a name. */
struct postgres_type postgres_type_get(struct postgres_state *state, Oid oid);
/* "VARCHAR(20)", "NUMERIC(10,2)", "INTEGER[]" */
const char *postgres_type_name(struct postgres_state *state, struct arena *arena, Oid oid,
                               int modifier);

/* postgres_values.c, postgres_array.c */
struct value postgres_value(struct postgres_state *state, struct arena *scratch,
                            const struct postgres_type *type, const char *text,
                            size_t size);
struct value postgres_array(struct postgres_state *state, struct arena *scratch,
                            const struct postgres_type *element, const char *text,
                            size_t size);

/* postgres_error.c: fills err; return false. */
bool postgres_fail(struct postgres_session *session, const PGresult *result,
                   const char *prefix, const char *sql, struct err *err);
bool postgres_lost(struct postgres_session *session, struct err *err);
bool postgres_connect_fail(const struct postgres_state *state, const char *text,
                           struct err *err);

struct buf;
void postgres_quote(struct buf *out, const char *name);

/* The slots that live in files of their own. */
bool postgres_signature(struct datasource *source, const struct datasource_limits *limits,
                        char out[33], struct err *err);
bool postgres_describe(struct datasource *source, struct schema *schema,
                       const struct datasource_limits *limits, struct err *err);
/* postgres_own.c: what a statement could call of the database's own, into the schema */
bool postgres_own(struct postgres_session *session, struct datasource *source,
                  struct schema *schema, struct err *err);
bool postgres_profile(struct datasource *source, struct schema *schema,
                      struct table *table, struct arena *arena, int samples,
                      const struct datasource_limits *limits, struct err *err);
bool postgres_estimate(struct datasource *source, const char *sql, struct arena *arena,
                       const struct datasource_limits *limits,
                       struct datasource_estimate *out, struct err *err);
bool postgres_write(struct datasource *source, const char *sql, int64_t approved,
                    const struct datasource_limits *limits, int64_t *touched,
                    struct err *err);
bool postgres_inspect(struct datasource *source, struct arena *arena,
                      const struct datasource_limits *limits,
                      struct datasource_inspection *out, struct err *err);

#endif
