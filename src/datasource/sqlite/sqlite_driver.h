/* The SQLite driver's data types: a pool of locked, read-only connections to one file. */
#ifndef DGM_DATASOURCE_SQLITE_DRIVER_H
#define DGM_DATASOURCE_SQLITE_DRIVER_H

#include <pthread.h>
#include <sqlite3.h>
#include <sys/types.h>
#include <time.h>

#include "base/places.h"
#include "datasource/driver.h"

/* What a connection may do; enforced by the authorizer when a statement is compiled. */
enum sqlite_lock {
    /* SQL of users or models: reads user tables, calls listed functions */
    SQLITE_FOR_READING,
    SQLITE_FOR_SCHEMA, /* dragoman's own SQL: also PRAGMAs and sqlite_master; read-only */
    SQLITE_FOR_WRITING, /* one approved write */
    SQLITE_LOCKS
};

/* maximum number of connections of each kind to one file */
enum { SQLITE_POOL_MOST = 24 };

/* The cost of a program, cached by its SQL (sqlite_bound.c). */
struct sqlite_bound {
    uint64_t hash;
    int64_t weight;
    bool prefixes; /* every LIKE in it has a constant prefix pattern */
};

/* Identifies a file, to detect that another one has replaced it. */
struct sqlite_identity {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

/*
 * A connection of the pool. Whoever took it owns it until it is given back; the watch
 * thread only looks at its limits and may interrupt it.
 */
struct sqlite_connection {
    sqlite3 *db;
    enum sqlite_lock lock;
    bool own_sql; /* a writing connection runs our own BEGIN, COMMIT or ROLLBACK */
    const struct datasource_limits *limits; /* limits of the call that uses it */
    int64_t busy_since_ms;
    struct places_holder holder; /* while it is in use */
    unsigned generation;
    char refused[80];      /* what the authorizer refused last, for the error */
    sqlite3_stmt *version; /* PRAGMA schema_version, compiled */
    int progress_steps;    /* steps between two checks of deadline and stop */
    struct sqlite_bound bounds[32];
    sqlite3_stmt *kept[4]; /* sqlite_kept.c: compiled statements that are not in use */
    unsigned schemas;      /* value of state->schemas when they were compiled */
    bool made_wal;         /* there was no -wal file before it was opened */
    bool frozen;           /* opened as immutable, without locks (sqlite_wal.c) … */
    struct sqlite_identity frozen_as; /* … valid while the file is this one */
    struct sqlite_identity named; /* the file at the path when the connection was taken */
    struct sqlite_connection *next; /* list of idle or of busy connections */
};

/*
 * The state of a SQLite datasource: a pool of connections for each kind of lock. `lock`
 * guards all fields but `path`. If the file at the path is another one than before,
 * `generation` grows and older connections are closed instead of reused.
 */
struct sqlite_state {
    const char *path;
    pthread_mutex_t lock;
    pthread_cond_t released;
    struct sqlite_connection *idle[SQLITE_LOCKS];
    struct sqlite_connection *busy; /* in use with limits: checked by the watch thread */
    struct sqlite_watchman *watchman; /* sqlite_watch.c; NULL until the first query */
    size_t open[SQLITE_LOCKS];
    /* Connections in use or being opened, by owner; NULL: free. */
    struct places places[SQLITE_LOCKS];
    unsigned generation; /* incremented when the file is replaced */
    unsigned schemas;    /* incremented when the schema changes */
    struct sqlite_identity identity;
    bool made_wal; /* like made_wal of a connection */
    bool frozen;
    struct sqlite_identity frozen_as;
    bool wrote; /* an approved write has changed it */
    /* The last signature and what it was computed from. */
    bool signature_known;
    struct sqlite_identity signature_identity;
    int64_t signature_version;
    uint32_t signature_counter;
    char signature[33];
};

/* sqlite_pool.c */
struct sqlite_connection *sqlite_take(struct datasource *source, enum sqlite_lock lock,
                                      const struct datasource_limits *limits,
                                      struct err *err);
/* The calling thread's next statement, if it comes soon, need not check the file
 * again. */
void sqlite_glance_keep(const struct sqlite_state *state,
                        const struct sqlite_connection *connection);
void sqlite_give(struct datasource *source, struct sqlite_connection *connection);
void sqlite_pool_init(struct sqlite_state *state, const char *path);
void sqlite_pool_release(struct sqlite_state *state);
/* A connection outside the pool; each write uses one. */
struct sqlite_connection *sqlite_connect(const char *path, enum sqlite_lock lock,
                                         const struct datasource_limits *limits,
                                         struct err *err);
void sqlite_disconnect(struct sqlite_connection *connection);
bool sqlite_identify(const char *path, struct sqlite_identity *out);
bool sqlite_identity_equal(const struct sqlite_identity *a,
                           const struct sqlite_identity *b);
/* Closes all idle connections; busy ones are closed after their call. */
void sqlite_reopen(struct sqlite_state *state);

/* sqlite_wal.c: prepares a connection that was just opened for reading. Without WAL
 * nothing happens. */
void sqlite_wal_open(struct sqlite_connection *connection, const char *path);
/* Is what a frozen connection has read still valid? */
bool sqlite_wal_held(const struct sqlite_connection *connection, const char *path,
                     struct err *err);
/* May frozen connections still be used? */
bool sqlite_wal_at_rest(const char *path, const struct sqlite_identity *frozen_as,
                        const struct sqlite_identity *now);
/* After the last connection was closed: removes files that we created next to the
 * database. */
void sqlite_wal_tidy(const struct sqlite_state *state);

/*
 * sqlite_signature.c: the beginning of the file's header, read through SQLite's own
 * descriptor, because closing another one would drop its locks. Zero if it cannot be
 * read.
 */
struct sqlite_header {
    bool journal;     /* journal mode: rollback journal … */
    bool wal;         /* … or a WAL file */
    uint32_t counter; /* incremented by every commit */
};
void sqlite_header_read(struct sqlite_connection *connection, struct sqlite_header *out);

/* sqlite_lock.c */
void sqlite_lock_apply(struct sqlite_connection *connection);

/* Sets the number of steps between two checks of deadline and stop. */
void sqlite_watch_steps(struct sqlite_connection *connection, int steps);

/* sqlite_bound.c: limits the length of values before a statement runs, and resets the
 * limit afterwards. True if every LIKE in it has a constant prefix pattern. */
bool sqlite_bound_apply(struct sqlite_connection *connection, const char *sql);
void sqlite_bound_lift(struct sqlite_connection *connection);

/* sqlite_kept.c: the cache of compiled statements of a reading connection. The caller
 * owns a statement it has taken. */
sqlite3_stmt *sqlite_kept_take(struct sqlite_connection *connection, const char *sql);
/* Use it instead of sqlite3_finalize. */
void sqlite_kept_give(struct sqlite_connection *connection, sqlite3_stmt *statement);
void sqlite_kept_drop(struct sqlite_connection *connection);
/* Did its first step find another schema than the one it was compiled for? */
bool sqlite_kept_stale(sqlite3_stmt *statement, int first);

/* sqlite_watch.c: interrupts busy connections after their deadline. Call it with the lock
 * held. */
void sqlite_watch_begin(struct sqlite_state *state, struct sqlite_connection *connection);
void sqlite_watch_end(struct sqlite_state *state, struct sqlite_connection *connection);
/* Call it without the lock, when no connection is busy. */
void sqlite_watch_release(struct sqlite_state *state);

/* sqlite_function.c, sqlite_text.c: replace functions of SQLite by versions that can be
 * interrupted. */
void sqlite_functions_add(struct sqlite_connection *connection);
/* Switches LIKE to SQLite's own function, which can use an index, or back to ours. */
bool sqlite_text_like_builtin(struct sqlite_connection *connection, bool builtin);
void sqlite_text_functions_add(struct sqlite_connection *connection);
void sqlite_hash_add(sqlite3 *db); /* dragoman_hash(key, value), for masks */

/* sqlite_error.c: fills err from the connection's last error. Returns false. */
bool sqlite_fail(struct sqlite_connection *connection, int result, const char *path,
                 struct err *err);

/* sqlite.c: compiles a single statement. NULL on failure. */
sqlite3_stmt *sqlite_prepare_one(struct sqlite_connection *connection, const char *sql,
                                 struct err *err);
/* Compiles dragoman's own SQL on a schema connection. */
sqlite3_stmt *sqlite_prepare_own(struct sqlite_connection *connection, const char *sql,
                                 struct err *err);
struct value sqlite_cell(struct arena *scratch, sqlite3_stmt *statement, int column);
struct buf;
void sqlite_quote(struct buf *out, const char *name);

/* The slots that live in files of their own. */
bool sqlite_signature(struct datasource *source, const struct datasource_limits *limits,
                      char out[33], struct err *err);
bool sqlite_describe(struct datasource *source, struct schema *schema,
                     const struct datasource_limits *limits, struct err *err);
bool sqlite_profile(struct datasource *source, struct schema *schema, struct table *table,
                    struct arena *arena, int samples,
                    const struct datasource_limits *limits, struct err *err);
bool sqlite_estimate(struct datasource *source, const char *sql, struct arena *arena,
                     const struct datasource_limits *limits,
                     struct datasource_estimate *out, struct err *err);
bool sqlite_write(struct datasource *source, const char *sql, int64_t approved,
                  const struct datasource_limits *limits, int64_t *touched,
                  struct err *err);

#endif
