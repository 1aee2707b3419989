/*
 * A pool of connections to one server, for all drivers: connections are checked before
 * reuse, and after a failed attempt the next one waits for a growing pause. A driver's
 * session struct begins with struct server_session.
 */
#ifndef DGM_DATASOURCE_SERVER_POOL_H
#define DGM_DATASOURCE_SERVER_POOL_H

#include <pthread.h>

#include "base/places.h"
#include "datasource/driver.h"

/* One connection. It belongs to the pool, or to the call that has taken it. */
struct server_session {
    const struct datasource_limits *limits; /* limits of that call */
    bool reused; /* it comes from the pool, so the server may have closed it */
    /* the server has started to reply, so the statement must not be repeated */
    bool answered;
    bool broken; /* close it instead of returning it to the pool */
    bool worn;   /* it ran SQL of users or models, so it must be renewed before reuse */
    int64_t idle_since_ms;
    struct server_session *next;
};

/* The functions of a driver that the pool needs. */
struct server_kind {
    struct server_session *(*connect)(void *state, const struct datasource_limits *limits,
                                      struct err *err);
    void (*disconnect)(struct server_session *session);
    /* Is the connection alive? ask: it was idle for long, so send a query. */
    bool (*alive)(struct server_session *session, bool ask);
    /* Can it be reused after this call? */
    bool (*clean)(const struct server_session *session);
    /* Resets a worn connection; NULL: the driver does it itself. */
    bool (*renew)(struct server_session *session);
    /* Called before `work`; or NULL. */
    bool (*ready)(void *state, struct server_session *session, struct err *err);
};

struct server_pool {
    const struct server_kind *kind;
    void *state; /* the driver's state, for `connect` */
    /* maximum number of connections at the same time; guarded by the lock, except for
     * places.most */
    struct places places;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t released;
    struct server_session *idle;
    size_t open;         /* number of connections in use and idle */
    int failures;        /* failed attempts to connect, in a row */
    int64_t retry_at_ms; /* no attempt before this time */
    struct err last;     /* error of the last attempt */
};

/* places.most is provisional until the driver sets it to driver_connections(). */
void server_pool_init(struct server_pool *pool, const struct server_kind *kind,
                      void *state);
void server_pool_release(struct server_pool *pool);

/*
 * Runs `work` on a connection. If a pooled connection turns out to be dead before any
 * reply, tries once more with another. An account that has a connection does not get the
 * last free one, so that its slow queries do not block others.
 */
bool server_pool_with(struct server_pool *pool, const struct datasource_limits *limits,
                      bool (*work)(struct server_session *session, void *context,
                                   struct err *err),
                      void *context, struct err *err);

/* server_secret.c: where a URL says that its password is. */
struct server_secrets {
    const char *variable;  /* ?password_env=NAME */
    const char *file;      /* ?password_file=PATH */
    const char *ruler;     /* ?allow_superuser=1 */
    const char *own_types; /* ?allow_own_types=1 */
};
/* The URL for a client library: without these parameters, and with the library's scheme
 * (NULL: unchanged). NULL if it is too long. */
char *server_secret_split(struct arena *arena, const char *scheme, const char *url,
                          struct server_secrets *secrets);
/* server_secret.c: reads the password from an environment variable or the first line of a
 * file. Both may be NULL; then *password is unchanged. */
bool server_secret_read(struct arena *arena, const char *variable, const char *file,
                        const char **password, struct err *err);

#endif
