/* The SQLite driver's data types: a pool of locked, read-only connections to one file. */
#ifndef DGM_DATASOURCE_SQLITE_DRIVER_H
#define DGM_DATASOURCE_SQLITE_DRIVER_H

#include <pthread.h>
#include <sqlite3.h>
#include <sys/types.h>
#include <time.h>

#include "base/places.h"
#include "datasource/driver.h"

/* What a connection may do. The authorizer asks for it at every prepare. */
enum sqlite_lock {
    SQLITE_FOR_READING, /* other people's SQL: reads of user tables, listed functions */
    SQLITE_FOR_SCHEMA,  /* our own SQL: PRAGMAs and sqlite_master too; still read-only */
    SQLITE_FOR_WRITING, /* one approved write */
    SQLITE_LOCKS
};

enum { SQLITE_POOL_MOST = 24 }; /* connections of each kind to one file */

/* The work of a program that was looked at, kept by its text (sqlite_bound.c). */
struct sqlite_bound {
    uint64_t hash;
    int64_t weight;
    bool prefixes; /* every LIKE in it asks how a text begins */
};

/* Tells one file from another that took its name. */
struct sqlite_identity {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct sqlite_connection {
    sqlite3 *db;
    enum sqlite_lock lock;
    bool own_sql; /* a writing connection runs our BEGIN, COMMIT or ROLLBACK */
    const struct datasource_limits *limits; /* of the call that holds it */
    int64_t busy_since_ms;
    struct places_holder holder; /* while it is lent */
    unsigned generation;
    char refused[80];      /* what the authorizer refused last, for the message */
    sqlite3_stmt *version; /* PRAGMA schema_version, kept ready */
    int progress_steps;    /* between two looks at deadline and stop */
    struct sqlite_bound bounds[32];
    sqlite3_stmt *kept[4]; /* sqlite_kept.c; those in use are not among them */
    unsigned schemas;      /* of the state, when they were compiled */
    bool made_wal;         /* there was no -wal file before it was opened */
    bool frozen;           /* read as it lies there, without locks (sqlite_wal.c) … */
    struct sqlite_identity frozen_as; /* … as long as it is this */
    struct sqlite_identity named;     /* what lay under the path when it was taken */
    struct sqlite_connection *next;   /* idle, or busy */
};

struct sqlite_state {
    const char *path;
    pthread_mutex_t lock;
    pthread_cond_t released;
    struct sqlite_connection *idle[SQLITE_LOCKS];
    struct sqlite_connection *busy; /* in use under limits: the watchman looks at them */
    struct sqlite_watchman *watchman; /* sqlite_watch.c; NULL until there is a query */
    size_t open[SQLITE_LOCKS];
    /* Whose those are that are lent or about to be made; NULL: a free place. */
    struct places places[SQLITE_LOCKS];
    unsigned generation; /* goes up when the file is replaced */
    unsigned schemas;    /* goes up when the schema is another one */
    struct sqlite_identity identity;
    bool made_wal; /* as one of its connections */
    bool frozen;
    struct sqlite_identity frozen_as;
    bool wrote; /* an approved write went into it */
    /* the last signature and what it was computed from */
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
/* What is read next by this thread, and soon, may trust the look that was just taken. */
void sqlite_glance_keep(const struct sqlite_state *state,
                        const struct sqlite_connection *connection);
void sqlite_give(struct datasource *source, struct sqlite_connection *connection);
void sqlite_pool_init(struct sqlite_state *state, const char *path);
void sqlite_pool_release(struct sqlite_state *state);
/* A connection outside the pool; the writer uses one per write. */
struct sqlite_connection *sqlite_connect(const char *path, enum sqlite_lock lock,
                                         const struct datasource_limits *limits,
                                         struct err *err);
void sqlite_disconnect(struct sqlite_connection *connection);
bool sqlite_identify(const char *path, struct sqlite_identity *out);
bool sqlite_identity_same_file(const struct sqlite_identity *a,
                               const struct sqlite_identity *b);
bool sqlite_identity_equal(const struct sqlite_identity *a,
                           const struct sqlite_identity *b);
/* All idle connections are closed and busy ones end with their call. */
void sqlite_reopen(struct sqlite_state *state);

/* sqlite_wal.c: a connection that was just opened to read. Without WAL nothing happens.
 */
void sqlite_wal_open(struct sqlite_connection *connection, const char *path);
/* Does what a frozen connection read still count? */
bool sqlite_wal_held(const struct sqlite_connection *connection, const char *path,
                     struct err *err);
/* May frozen connections still be used? */
bool sqlite_wal_at_rest(const char *path, const struct sqlite_identity *frozen_as,
                        const struct sqlite_identity *now);
/* After the last connection was closed: no file of ours stays beside the database. */
void sqlite_wal_tidy(const struct sqlite_state *state);

/* sqlite_signature.c: the beginning of the file's header, read through SQLite's own
 * descriptor, so that no lock is lost. Zeros when it cannot be read. */
struct sqlite_header {
    bool journal;     /* changes go through a rollback journal … */
    bool wal;         /* … or a WAL file */
    uint32_t counter; /* every commit of a writer moves it */
};
void sqlite_header_read(struct sqlite_connection *connection, struct sqlite_header *out);

/* sqlite_lock.c */
void sqlite_lock_apply(struct sqlite_connection *connection);

/* How many steps of the machine pass between two looks at deadline and stop. */
void sqlite_watch_steps(struct sqlite_connection *connection, int steps);

/* sqlite_bound.c: before a statement runs, how long its values may get; and after. True
 * when every LIKE in it asks how a text begins. */
bool sqlite_bound_apply(struct sqlite_connection *connection, const char *sql);
void sqlite_bound_lift(struct sqlite_connection *connection);

/* sqlite_kept.c: compiled statements of a reading connection. Taken, it is yours. */
sqlite3_stmt *sqlite_kept_take(struct sqlite_connection *connection, const char *sql);
/* Instead of sqlite3_finalize. */
void sqlite_kept_give(struct sqlite_connection *connection, sqlite3_stmt *statement);
void sqlite_kept_drop(struct sqlite_connection *connection);
/* Was it compiled for another schema than the one its first step found? */
bool sqlite_kept_stale(sqlite3_stmt *statement, int first);

/* sqlite_watch.c: interrupts busy connections whose time is up. With the lock held. */
void sqlite_watch_begin(struct sqlite_state *state, struct sqlite_connection *connection);
void sqlite_watch_end(struct sqlite_state *state, struct sqlite_connection *connection);
/* Without the lock; nothing is busy any more. */
void sqlite_watch_release(struct sqlite_state *state);

/* sqlite_function.c, sqlite_text.c: functions with bounds instead of SQLite's own. */
void sqlite_functions_add(struct sqlite_connection *connection);
/* LIKE by SQLite's own function, which finds texts by an index, or again by ours. */
bool sqlite_text_like_builtin(struct sqlite_connection *connection, bool builtin);
void sqlite_text_functions_add(struct sqlite_connection *connection);
void sqlite_hash_add(sqlite3 *db); /* dragoman_hash(key, value), for masks */

/* sqlite_error.c: fills err from the connection's last failure. Returns false. */
bool sqlite_fail(struct sqlite_connection *connection, int result, const char *path,
                 struct err *err);

/* sqlite.c: one statement, nothing after it. NULL on failure. */
sqlite3_stmt *sqlite_prepare_one(struct sqlite_connection *connection, const char *sql,
                                 struct err *err);
/* Our own SQL on a schema connection. */
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
