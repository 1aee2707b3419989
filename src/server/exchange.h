/*
 * One request and its reply. A handler reads from it (request.h) and ends it with exactly
 * one reply (response.h), at once or later, from any thread. Until then the connection is
 * suspended and occupies no thread.
 *
 * Ownership: two references, of the connection and of the code that replies. All memory
 * is in `arena`, which is freed with the last reference. Fields before `lock` belong to
 * the connection's thread until the handler is called, and to the handler after that.
 */
#ifndef DGM_SERVER_EXCHANGE_H
#define DGM_SERVER_EXCHANGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/id.h"
#include "dragoman_server.h"
#include "server/access.h"
#include "server/library.h"
#include "server/router.h"
#include "server/upload.h"

struct connection;
struct server;
struct workers;
struct inquiry;

/*
 * One request and its reply. Fields above `references` belong to the thread that handles
 * the request; the others are guarded by `lock`, because another thread may send the
 * reply while the connection is suspended.
 */
struct exchange {
    struct server *server;
    struct MHD_Connection *connection;
    struct connection *watched; /* the connection as the watchdog knows it */
    struct route_match match;
    const char *method;
    const char *path; /* without the query string */
    char id[ID_SIZE]; /* request id, in the log and in the header X-Request-Id */
    int64_t born_ms;
    struct arena *arena; /* lives as long as the exchange */
    struct caller caller;
    const char *credential; /* the access key or token of the request; NULL: none */
    bool by_cookie;         /* it came in a cookie */
    const char *challenge;  /* the header WWW-Authenticate of a refusal; or NULL */
    struct buf body;
    const json_t *json; /* the body, parsed by request_json; or NULL */
    size_t drained;     /* bytes of a too large body that were read and dropped */
    struct upload upload;
    bool started; /* the handler has been called */
    bool knocks;  /* the key is being looked up by server_check_key on another thread */
    bool closes;  /* close the connection after the reply */
    bool plain;   /* a route under /agents: errors also have `detail` */
    bool openai;  /* a route under /v1: errors have the shape of that interface … */
    bool once; /* its question failed: clients should not send it again by themselves */
    const char *param; /* … which names the field that is wrong; or NULL */

    /* the connection has one, the code that will reply the other */
    atomic_int references;
    pthread_mutex_t lock; /* guards the rest */
    bool suspended;
    bool goes_on; /* server_check_key has accepted the key */
    bool replied;
    unsigned status;
    int retry_after_s; /* for the header Retry-After; 0: a default */
    struct MHD_Response *response;

    handler *later; /* the handler that a worker thread will call */
    /* the question whose answer this exchange waits for; or NULL */
    struct inquiry *inquiry;
    /* sends the reply; called on the question's thread, so it must not block */
    void (*answered)(struct exchange *exchange, struct inquiry *inquiry);
    void *answering; /* what `answered` needs to know; in the arena */
    /* Keeps a reply that has begun alive while the question runs; or NULL. Called with the
     * inquiry's lock held. */
    void (*beat)(struct exchange *exchange);
    struct exchange *next; /* next exchange that waits for the same question */

    /* instead of a question: called when the client disconnects; must not block */
    void (*left)(void *context);
    void *left_context;
};

struct exchange *exchange_new(struct server *server, struct MHD_Connection *connection,
                              const char *method);
void exchange_ref(struct exchange *exchange);
void exchange_unref(struct exchange *exchange);

/* Calls the handler on a worker thread, where it may block. Accounts take turns
 * (base/turns.h). */
void exchange_work(struct exchange *exchange, handler *work);
void exchange_work_on(struct exchange *exchange, struct workers *workers, handler *work);
/* From any thread: the caller is authenticated, so the connection's thread may call the
 * handler. */
void exchange_go_on(struct exchange *exchange);
/* Sets the reply and takes over the response; a second reply is ignored. From any
 * thread. */
void exchange_reply(struct exchange *exchange, unsigned status,
                    struct MHD_Response *response);
/* On the connection's thread: sends the reply, or suspends the connection until there is
 * one. */
enum MHD_Result exchange_settle(struct exchange *exchange);
/* On the connection's thread: suspends the connection and returns true, unless there is a
 * reply or the exchange may continue. */
bool exchange_waits(struct exchange *exchange, bool *goes_on);

#endif
