/*
 * The PostgreSQL driver's data types. Every wait polls in short slices, so a stop or a
 * deadline is noticed while connecting, sending and reading.
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

/* How the text of a cell is converted to a value. */
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
    Oid element; /* element type of an array, or base type of a domain; else 0 */
};

/* A connection of the pool; one thread uses it at a time. */
struct postgres_session {
    struct server_session base;
    PGconn *connection;
    bool tls_begun;   /* the server accepted TLS; the handshake may still have failed */
    bool tls_refused; /* the server does not support TLS */
    char *home;       /* the schema of the search path, quoted; NULL: not set yet */
    int syncs;        /* pipeline syncs that the server has not confirmed yet */
    /* Bytes received for the current result, and their maximum; 0: the maximum for
     * dragoman's own SQL. Beyond it the connection is closed. */
    size_t arrived;
    size_t arrive_most;
};

/* The syncs that end a pipeline: roll back, reset the session, apply the settings. If one
 * fails, the session is not used again. */
enum { POSTGRES_RESET_SYNCS = 3 };

/*
 * The state of a PostgreSQL datasource. Connection parameters are set when it is opened
 * and never change.
 */
struct postgres_state {
    /* Connection parameters; never printed. */
    const char **keywords;
    const char **values;
    const char **plain_values; /* the same without TLS, if the URL allows that; or NULL */
    const char *database;      /* its name, for messages */
    int64_t connect_timeout_ms;
    struct server_line line;
    struct server_rights rights;
    bool allow_own_types;
    struct server_pool pool;
    pthread_mutex_t lock; /* guards the fields below */
    char *schema;         /* the default one; NULL until the first connection */
    struct map types;     /* user-defined types, by oid */
    struct arena *memory; /* of the types */
    atomic_bool types_known;
};

/* postgres_url.c: converts the URL to keywords and values, with its secrets filled in. */
bool postgres_url_read(struct datasource *source, struct postgres_state *state,
                       struct err *err);

/* postgres_connect.c */
/* Did a query fail because of the connection, a stop or the deadline, and not because of
 * its SQL? */
bool postgres_ended(const struct postgres_session *session, const struct err *err);
struct postgres_session *postgres_connect(struct postgres_state *state,
                                          const struct datasource_limits *limits,
                                          struct err *err);
void postgres_disconnect(struct postgres_session *session);
/* The settings of every session, as one query. */
const char *postgres_settings(const struct postgres_session *session);

/* postgres_intake.c: loads libpq; call it first. */
bool postgres_intake_load(struct err *err);
/* PQconsumeInput that receives at most `most` bytes. If libpq's calls cannot be
 * redirected (postgres_intake_counts() is false), there is no limit and *taken is 0. */
int postgres_intake(PGconn *connection, size_t most, size_t *taken);
bool postgres_intake_counts(void);

/* postgres_wait.c: the next result; *result is NULL after the last. */
bool postgres_next(struct postgres_session *session, PGresult **result, struct err *err);
/* Cancels the running statement and reads the rest of its results. */
void postgres_cancel(struct postgres_session *session);
/* The same, but first waits this long for the statement to end by itself. */
void postgres_settle(struct postgres_session *session, int64_t patience_ms);
/* Waits for the socket until a stop, the deadline or `until_ms` (0: none). */
bool postgres_wait(struct postgres_session *session, int events, int64_t until_ms,
                   struct err *err);
/* Several queries in one pipeline, each with its own row function. */
struct postgres_question {
    const char *sql;
    bool (*row)(void *context, const char *const *texts);
};
bool postgres_ask(struct postgres_session *session,
                  const struct postgres_question *questions, size_t count, void *context,
                  struct err *err);
/* Runs dragoman's own statements in one pipeline; row may be NULL. */
bool postgres_script(struct postgres_session *session, const char *sql,
                     bool (*row)(void *context, const char *const *texts), void *context,
                     struct err *err);
/* Runs dragoman's own SQL; the row function gets the cells as text (NULL for NULL) and
 * returns false to stop. */
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

/* postgres_run.c: runs one statement of users or models in a read-only transaction. `how`
 * is a prefix ("EXPLAIN …") or "". */
bool postgres_run(struct postgres_session *session, struct postgres_state *state,
                  const char *how, const char *sql, const struct datasource_sink *sink,
                  struct err *err);
/* Compiles it in a way that accepts only queries. */
bool postgres_check_one(struct postgres_session *session, const char *sql,
                        struct err *err);
#define POSTGRES_ONLY_QUERIES "DECLARE dragoman_only_reads NO SCROLL CURSOR FOR "

/* postgres_bound.c: limits the length of cells. */
struct postgres_column {
    Oid type;
    int modifier;
    bool is_long; /* it is or may be long: only its beginning is requested */
};
struct postgres_bound {
    struct postgres_column *columns;
    size_t count;
    size_t long_count;
    size_t cell_bytes; /* longer cells are cut */
    size_t row_bytes;  /* maximum bytes of a row during transfer */
};
void postgres_bound_make(struct postgres_state *state, struct arena *arena,
                         const PGresult *described,
                         const struct datasource_limits *limits,
                         struct postgres_bound *out);
/* Wraps the statement in one that limits its cells; *before is what was added in front of
 * it. False if that gets too long. */
bool postgres_bound_wrap(struct arena *arena, const struct postgres_bound *bound,
                         const char *sql, const char **before, const char **whole);

/* postgres_types.c */
bool postgres_types_load(struct postgres_session *session, struct postgres_state *state,
                         struct err *err);
/* Unknown types are text without a type name. */
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

/* postgres_error.c: these fill err and return false. */
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
/* postgres_own.c: adds the user-defined functions that a statement could call to the
 * schema */
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
