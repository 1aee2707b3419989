/*
 * The interface between the store's tables and a database, so that each table_*.c is
 * written once. A backend opens connections and runs the statements of queries.def; it
 * knows nothing of sessions or questions.
 */
#ifndef DGM_STORE_BACKEND_H
#define DGM_STORE_BACKEND_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct options;
struct store;
struct store_backend;

/* The database's time, which is the same for all processes that share it. */
#define STORE_NOW_MS "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

enum store_query {
#define QUERY(name, text)                  QUERY_##name,
#define QUERY_BOTH(name, sqlite, postgres) QUERY_##name,
#include "store/queries.def"
#undef QUERY
#undef QUERY_BOTH
    STORE_QUERIES
};

/* The beginning of every backend's connection struct. Callers must hold the lock. */
struct store_connection {
    pthread_mutex_t lock;
    const struct store_backend *backend;
};

/* The beginning of a running statement; one per statement and connection. */
struct store_cursor {
    struct store_connection *connection;
};

enum store_step {
    STORE_STEP_ROW,
    STORE_STEP_END,
    STORE_STEP_FAILED,
};

/* What was committed last, by whichever process. Equal ones: nothing was committed since. */
struct store_moment {
    uint32_t words[12];
};

/*
 * What a kind of store implements. Statements are those of queries.def. A connection is
 * used by one thread at a time, under its lock.
 */
struct store_backend {
    const char *name;
    bool shared; /* several processes may use the same store at the same time */
    /* connections for calls; a shared store has one more for the write queue */
    int connections;
    /* Does it open this store.url? */
    bool (*opens)(const char *url);
    /* Opens the store; creates and migrates its tables. */
    struct store_connection *(*connect)(const struct options *options, struct err *err);
    /* Opens another connection to the same store. */
    struct store_connection *(*connect_again)(const struct store_connection *like,
                                              struct err *err);
    void (*close)(struct store_connection *connection);

    /*
     * Call it with the lock held. The binding format has a letter per value: t text (NULL
     * is NULL), i int64_t, b const char * and size_t (text with a size), x the same for
     * binary data, r double. Bound memory must not change until `end`.
     */
    struct store_cursor *(*start)(struct store_connection *connection,
                                  enum store_query query, struct err *err,
                                  const char *format, va_list args);
    /* The next row; err is set only on failure. */
    enum store_step (*next)(struct store_cursor *cursor, struct err *err);
    void (*end)(struct store_cursor *cursor);
    /* Of the current row; texts are borrowed until the next row, NULL is NULL. */
    const char *(*text)(struct store_cursor *cursor, int column, size_t *size);
    int64_t (*integer)(struct store_cursor *cursor, int column);
    double (*real)(struct store_cursor *cursor, int column);
    int64_t (*changes)(struct store_connection *connection);
    /* Without the lock and without a query; false: it cannot be told. NULL: never. */
    bool (*moment)(const struct store_connection *connection, struct store_moment *out);

    /*
     * Waits for a notification, until `wake` is readable or the timeout; passes each text
     * to `heard` (NULL: some may have been missed). The connection must be used for
     * nothing else. Shared stores only.
     */
    bool (*listen)(struct store_connection *connection, int wake, int timeout_ms,
                   void (*heard)(void *context, const char *text), void *context,
                   struct err *err);

    bool (*backup)(struct store *store, const char *path, struct err *err);
    bool (*restore)(const char *path, const struct options *options, struct err *err);
};

extern const struct store_backend sqlite_store_backend;
#ifdef DRAGOMAN_HAS_POSTGRES
extern const struct store_backend postgres_store_backend;
#endif

#endif
