/*
 * The connections to one database on a server, for every driver of that kind: kept,
 * looked at before use, made again after a pause that grows. A driver's session begins
 * with struct server_session.
 */
#ifndef DGM_DATASOURCE_SERVER_POOL_H
#define DGM_DATASOURCE_SERVER_POOL_H

#include <pthread.h>

#include "base/places.h"
#include "datasource/driver.h"

/* One connection. It belongs to the pool, or to the one call that took it. */
struct server_session {
    const struct datasource_limits *limits; /* of the call that has it */
    bool reused;   /* it lay in the pool, so the server may have left meanwhile */
    bool answered; /* the server has begun to: what it does is not to be done twice */
    bool broken;   /* not to be given back */
    bool worn;     /* other people's SQL ran on it: not for others before it is renewed */
    int64_t idle_since_ms;
    struct server_session *next;
};

/* What the pool must know of a driver. */
struct server_kind {
    struct server_session *(*connect)(void *state, const struct datasource_limits *limits,
                                      struct err *err);
    void (*disconnect)(struct server_session *session);
    /* Is it still there? `ask`: it lay for long, so a question must show it. */
    bool (*alive)(struct server_session *session, bool ask);
    /* May somebody else have it after this call? */
    bool (*clean)(const struct server_session *session);
    /* Makes a worn one as new, or NULL: the driver does that itself. */
    bool (*renew)(struct server_session *session);
    /* Runs on a connection before the work does, or NULL. */
    bool (*ready)(void *state, struct server_session *session, struct err *err);
};

struct server_pool {
    const struct server_kind *kind;
    void *state;          /* of the driver, for connect */
    struct places places; /* connections at the same time; guarded by the lock but for
                             places.most */
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t released;
    struct server_session *idle;
    size_t open;         /* connections that are held, and the idle ones */
    int failures;        /* connects that failed in a row */
    int64_t retry_at_ms; /* nobody tries before */
    struct err last;     /* how the last one failed */
};

/* `places.most` is a guess until the driver sets it to driver_connections(). */
void server_pool_init(struct server_pool *pool, const struct server_kind *kind,
                      void *state);
void server_pool_release(struct server_pool *pool);

/* Runs `work` on a connection. When one from the pool turns out to be dead before it has
 * answered anything, once more on another. Who has one already does not get the last one,
 * so that slow queries of one account leave a connection for others. */
bool server_pool_with(struct server_pool *pool, const struct datasource_limits *limits,
                      bool (*work)(struct server_session *session, void *context,
                                   struct err *err),
                      void *context, struct err *err);

/* server_secret.c: where a URL says that its password stands. */
struct server_secrets {
    const char *variable;  /* ?password_env=NAME */
    const char *file;      /* ?password_file=PATH */
    const char *ruler;     /* ?allow_superuser=1 */
    const char *own_types; /* ?allow_own_types=1 */
};
/* The URL for a client library, without these parameters of ours, and with the scheme
 * that it knows (NULL: as it is); NULL when it is too long. */
char *server_secret_split(struct arena *arena, const char *scheme, const char *url,
                          struct server_secrets *secrets);
/* server_secret.c: a password that stands in a variable or in a file's first line. Both
 * may be NULL; *password stays as it is then. */
bool server_secret_read(struct arena *arena, const char *variable, const char *file,
                        const char **password, struct err *err);

#endif
