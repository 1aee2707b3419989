/*
 * The requests of one loop: connections by origin, spread over many small libcurl multi
 * handles. libcurl 7.88 searches all connections of a multi handle for a free one, so
 * with a limit per handle the cost of a request stays constant. Plain HTTP to a numeric
 * address does not use libcurl (wire.h). Everything here runs on the loop's own thread.
 */
#ifndef DGM_BASE_FETCH_POOL_H
#define DGM_BASE_FETCH_POOL_H

#include "base/libcurl.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fetch/fetch.h"
#include "base/wire.h"

struct lane;
struct loop;
struct loop_timer;
struct wire;

/* A libcurl multi handle for some requests of one origin. */
struct fetch_shard {
    struct fetch_shard *next;
    struct fetch_pool *pool;
    struct fetch_origin *origin;
    CURLM *multi;
    struct loop_timer *timer;
    size_t active;
    int64_t idle_since_ms;
};

/* One scheme, host and port. */
struct fetch_origin {
    struct fetch_origin *next;
    char *name;
    bool tls;
    bool open;        /* one request has connected, so the others may start */
    bool probing;     /* the first request is trying to connect */
    bool multiplexed; /* HTTP/2 */
    size_t active;
    bool wired; /* does not use libcurl: */
    struct wire_site site;
    /* or uses it; earlier shards are filled first, so that connections are reused */
    struct fetch_shard *shards;
    struct fetch_ticket *first; /* waiting */
    struct fetch_ticket *last;
};

enum { FETCH_SPARE_HANDLES = 64 };

/*
 * The connections and libcurl handles of one event loop. Only the thread of that loop
 * uses it, so it has no lock.
 */
struct fetch_pool {
    struct loop *loop;
    size_t connections; /* per origin; 0: no limit */
    char *ca_file;
    CURLSH *share; /* cache of DNS results and TLS sessions for all shards of this loop */
    struct fetch_origin *origins;
    CURL *spare[FETCH_SPARE_HANDLES];
    size_t spare_count;
    struct loop_timer *flush;
    struct loop_timer *janitor;
    char *scratch; /* receive buffer */
};

/* A request. The caller of fetch_start and the pool have a reference each. */
struct fetch_ticket {
    atomic_int references;
    atomic_bool cancelled;
    struct fetch *fetch;
    struct lane *lane; /* the loop it runs on; used by fetch.c */
    struct fetch_ticket *lane_next;
    struct fetch_ticket **lane_link; /* NULL: not started, or finished */
    struct fetch_pool *pool;
    struct fetch_ticket *next; /* list of requests that wait for a connection */
    struct fetch_ticket *previous;
    bool listed; /* in that list */

    char *url;
    char *body;      /* our copy; NULL when it is borrowed */
    struct buf head; /* the formatted request, if it does not use libcurl (wire.h) */
    struct curl_slist *headers;   /* headers, if it does */
    struct fetch_request request; /* url and body point at the above */

    struct wire *wire; /* while running, either this … */
    CURL *easy;        /* … or these */
    struct fetch_shard *shard;
    struct fetch_origin *origin; /* set while it waits or runs */
    struct loop_timer *timer;
    int64_t started_us;
    size_t read;       /* bytes of prefix and body that libcurl has read */
    int64_t active_ms; /* when a byte was last transferred; 0: not connected yet */
    struct buf answer; /* collected body */
    size_t received;
    bool begun;     /* a piece of the body came */
    bool streaming; /* pieces go to on_data */
    bool stopped;   /* on_data said so */
    bool too_large;
    bool cut;   /* an error body is complete enough; the rest is dropped */
    bool probe; /* the first request to an origin; others wait until it has connected */
};

/* How a transfer ended. */
enum fetch_end { FETCH_CURL, FETCH_CANCELLED, FETCH_IDLE, FETCH_TOTAL };

struct fetch_pool *fetch_pool_new(struct loop *loop, int connections,
                                  const char *ca_file);
void fetch_pool_free(struct fetch_pool *pool); /* nothing in flight; on its loop */
/* Starts the request, or finishes it at once on failure. */
void fetch_pool_start(struct fetch_pool *pool, struct fetch_ticket *ticket);
/* Removes it from wherever it is; the caller then calls fetch_finish. */
void fetch_pool_remove(struct fetch_pool *pool, struct fetch_ticket *ticket);

/* fetch.c: ends the request and calls on_done. Not inside a libcurl callback. */
void fetch_finish(struct fetch_ticket *ticket, enum fetch_end end, CURLcode code,
                  int os_error);

/* fetch_shard.c: a shard with room for another request. */
struct fetch_shard *fetch_shard_for(struct fetch_pool *pool, struct fetch_origin *origin);
void fetch_shard_free(struct fetch_shard *shard);
/* Sets the limits that the origin's protocol allows; called again when it is known. */
void fetch_shard_limit(struct fetch_shard *shard);

/* fetch_transfer.c: a piece of the body; false when no more is wanted. */
bool fetch_receive(struct fetch_ticket *ticket, int status, const char *data,
                   size_t size);

/* fetch_error.c */
void fetch_error(struct err *err, const struct fetch_ticket *ticket, enum fetch_end end,
                 CURLcode code, int os_error);
/* What libcurl says about a request to this URL. */
void fetch_error_of(struct err *err, const char *url, CURLcode code, int os_error);

/* fetch_transfer.c: a new easy handle. */
CURL *fetch_easy_new(struct loop *loop, CURLSH *share, const char *ca_file);
/* Sets the options of this request. */
void fetch_easy_prepare(struct fetch_ticket *ticket);
/* Called by the pool when a connection is established; a probe is then done. */
void fetch_pool_connected(struct fetch_ticket *ticket);
/* Called when the service chose HTTP/2 for this origin. */
void fetch_pool_multiplexed(struct fetch_ticket *ticket);

#endif
