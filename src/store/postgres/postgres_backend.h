/* Shared by the files of the PostgreSQL backend; private to this folder. */
#ifndef DGM_STORE_POSTGRES_BACKEND_H
#define DGM_STORE_POSTGRES_BACKEND_H

#include "base/libpq.h"
#include "store/tables/table.h"

struct postgres_cursor {
    struct store_cursor head;
    bool prepared; /* on this connection */
    PGresult *result;
    int row;
};

struct postgres_connection {
    struct store_connection head;
    PGconn *link; /* NULL: reconnect before use */
    char *url;
    int64_t changes;
    bool listens;  /* it runs LISTEN */
    bool farewell; /* the server announced that it will close the connection */
    struct postgres_cursor cursors[STORE_QUERIES];
};

/* postgres.c: a bare connection, in the schema of the store */
PGconn *store_postgres_link(const char *url, struct err *err);
/* Reconnects if the connection was lost, unless a transaction was open. */
bool store_postgres_ready(struct postgres_connection *own, struct err *err);

/* postgres_query.c */
struct store_cursor *store_postgres_start(struct store_connection *connection,
                                          enum store_query query, struct err *err,
                                          const char *format, va_list args);
enum store_step store_postgres_next(struct store_cursor *cursor, struct err *err);
void store_postgres_end(struct store_cursor *cursor);
const char *store_postgres_text(struct store_cursor *cursor, int column, size_t *size);
int64_t store_postgres_integer(struct store_cursor *cursor, int column);
double store_postgres_real(struct store_cursor *cursor, int column);
int64_t store_postgres_changes(struct store_connection *connection);

/* postgres_error.c: converts an error of a result or connection; always false */
bool store_postgres_fail(const PGresult *result, struct err *err);
/* libpq's message if the server does not support TLS. */
#define STORE_POSTGRES_NO_TLS "does not support SSL"
bool store_postgres_unreachable(PGconn *link, struct err *err);
/* Runs statements without values. */
bool store_postgres_run(PGconn *link, const char *sql, struct err *err);

/* postgres_version.c */
bool store_postgres_version(PGconn *link, int *version, struct err *err); /* 0: new */
bool store_postgres_migrate(PGconn *link, int target, struct err *err);   /* up or down */

/* postgres_listen.c */
bool store_postgres_listen(struct store_connection *connection, int wake, int timeout_ms,
                           void (*heard)(void *context, const char *text), void *context,
                           struct err *err);

/* postgres_backup.c */
bool store_postgres_backup(struct store *store, const char *path, struct err *err);
bool store_postgres_restore(const char *path, const struct options *options,
                            struct err *err);

#endif
