/*
 * One request and its reply. A handler gets it, reads from it (request.h) and ends with
 * one reply (response.h), now or later and from any thread; until then the connection is
 * suspended and no thread waits.
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

struct exchange {
    struct server *server;
    struct MHD_Connection *connection;
    struct connection *watched; /* the connection as the watchdog knows it */
    struct route_match match;
    const char *method;
    const char *path; /* without what follows a ? */
    char id[ID_SIZE]; /* in the log, and in the reply as X-Request-Id */
    int64_t born_ms;
    struct arena *arena; /* as long as the exchange */
    struct caller caller;
    struct buf body;
    const json_t *json; /* the body, once it was read as such */
    size_t drained;     /* of a body that is too large */
    struct upload upload;
    bool started; /* the handler has been called */
    bool knocks;  /* a thread that may wait finds out whether it may come in */
    bool closes;  /* the connection, after the reply */
    bool plain;   /* a route under /agents: errors also have `detail` */

    atomic_int references; /* one of the connection, one of the code that will reply */
    pthread_mutex_t lock;  /* guards the rest */
    bool suspended;
    bool goes_on; /* it may come in after all */
    bool replied;
    unsigned status;
    int retry_after_s; /* what a refusal says; 0: a moment */
    struct MHD_Response *response;

    handler *later;          /* what the worker runs */
    struct inquiry *inquiry; /* the question whose answer it waits for */
    /* replies with it; on the question's thread: be quick */
    void (*answered)(struct exchange *exchange, struct inquiry *inquiry);
    struct exchange *next; /* among those who wait for it */
};

struct exchange *exchange_new(struct server *server, struct MHD_Connection *connection,
                              const char *method);
void exchange_ref(struct exchange *exchange);
void exchange_unref(struct exchange *exchange);

/* Has the handler called on a worker thread, where it may block, when it is the turn of
 * the caller's account. */
void exchange_work(struct exchange *exchange, handler *work);
void exchange_work_on(struct exchange *exchange, struct workers *workers, handler *work);
/* It may come in: the connection's thread goes on with it. From any thread. */
void exchange_go_on(struct exchange *exchange);
/* The reply; the response is the exchange's from now on. A second one is dropped. From
 * any thread. */
void exchange_reply(struct exchange *exchange, unsigned status,
                    struct MHD_Response *response);
/* On the connection's thread: sends the reply, or suspends until there is one. */
enum MHD_Result exchange_settle(struct exchange *exchange);
/* On the connection's thread: suspends (true) unless it may go on by now or there is a
 * reply. */
bool exchange_waits(struct exchange *exchange, bool *goes_on);

#endif
