/*
 * The part of fetch that lives on one loop: connections by origin, spread over many small
 * libcurl multi handles. libcurl 7.88 searches all connections of a multi handle one by one
 * for a free one, so a request costs more the more are open; with a ceiling per handle the
 * cost stays flat. Everything here runs on the loop's own thread.
 */
#ifndef DGM_BASE_FETCH_POOL_H
#define DGM_BASE_FETCH_POOL_H

#include <curl/curl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fetch.h"

struct fetch_pool;
struct fetch_shard;
struct fetch_origin;
struct lane;
struct loop;
struct loop_timer;

/* One request on its way. The starter and the pool hold a reference each. */
struct fetch_ticket {
    atomic_int references;
    atomic_bool cancelled;
    struct fetch *fetch;
    struct lane *lane; /* fetch.c's: the loop it runs on */
    struct fetch_ticket *lane_next;
    struct fetch_ticket **lane_link; /* NULL: not begun, or over */
    struct fetch_pool *pool;
    struct fetch_ticket *next; /* waiting at its origin */
    struct fetch_ticket *previous;
    bool listed; /* in that list */

    char *url;
    char *body; /* our copy, or NULL when it is borrowed */
    struct curl_slist *headers;
    struct fetch_request request; /* url, headers and body point at the above */

    CURL *easy;
    struct fetch_shard *shard;   /* NULL while waiting */
    struct fetch_origin *origin; /* set while waiting or running */
    struct loop_timer *timer;
    int64_t started_us;
    int64_t active_ms; /* when a byte last moved; 0: not connected yet */
    struct buf answer; /* collected body */
    size_t received;
    int status;
    bool streaming; /* pieces go to on_data */
    bool stopped;   /* on_data said so */
    bool too_large;
    bool cut;       /* enough of an error body was kept: the rest is not needed */
    bool probe;     /* first to an origin: the others wait for what it finds out */
};

/* What a transfer came to, in our words. */
enum fetch_end { FETCH_CURL, FETCH_CANCELLED, FETCH_IDLE, FETCH_TOTAL };

struct fetch_pool *fetch_pool_new(struct loop *loop, int connections, const char *ca_file);
void fetch_pool_free(struct fetch_pool *pool); /* nothing in flight; on its loop */
/* Starts the request, or ends it at once when it cannot start. */
void fetch_pool_start(struct fetch_pool *pool, struct fetch_ticket *ticket);
/* Takes it out wherever it is; the caller then calls fetch_finish. */
void fetch_pool_remove(struct fetch_pool *pool, struct fetch_ticket *ticket);
struct loop *fetch_pool_loop(const struct fetch_pool *pool);

/* fetch.c: ends the request and calls on_done. Not from inside a libcurl callback. */
void fetch_finish(struct fetch_ticket *ticket, enum fetch_end end, CURLcode code,
                  int os_error);

/* fetch_error.c */
void fetch_error(struct err *err, const struct fetch_ticket *ticket, enum fetch_end end,
                 CURLcode code, int os_error);

/* fetch_transfer.c: an easy handle that is ready for any request. */
CURL *fetch_easy_new(struct loop *loop, CURLSH *share, const char *ca_file);
/* Sets what belongs to this request. */
void fetch_easy_prepare(struct fetch_ticket *ticket);
/* Called by the pool when a connection is there; tells that a probe is through. */
void fetch_pool_connected(struct fetch_ticket *ticket);
/* Called when the service chose HTTP/2 for this origin. */
void fetch_pool_multiplexed(struct fetch_ticket *ticket);

#endif
