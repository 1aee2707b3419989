/*
 * The part of fetch that lives on one loop: connections by origin, spread over many small
 * libcurl multi handles. libcurl 7.88 searches all connections of a multi handle one by
 * one for a free one, so a request costs more the more are open; with a ceiling per
 * handle the cost stays flat. Plain HTTP to a numeric address goes without libcurl
 * (wire.h). Everything here runs on the loop's own thread.
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

/* Some requests of one origin in one libcurl handle. */
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
    bool open;        /* name resolved and connected once: the rest may follow */
    bool probing;     /* the first request is finding that out */
    bool multiplexed; /* HTTP/2 */
    size_t active;
    bool wired; /* goes without libcurl: */
    struct wire_site site;
    /* or with it; earlier ones are filled first, so connections are reused */
    struct fetch_shard *shards;
    struct fetch_ticket *first; /* waiting */
    struct fetch_ticket *last;
};

enum { FETCH_SPARE_HANDLES = 64 };

struct fetch_pool {
    struct loop *loop;
    size_t connections; /* per origin; 0: no limit */
    char *ca_file;
    CURLSH *share; /* names and TLS sessions, between the shards of this loop */
    struct fetch_origin *origins;
    CURL *spare[FETCH_SPARE_HANDLES];
    size_t spare_count;
    struct loop_timer *flush;
    struct loop_timer *janitor;
    char *scratch; /* what comes in on any wire */
};

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
    char *body;                 /* our copy; NULL when it is borrowed */
    struct buf head;            /* ready to send, when it goes without libcurl (wire.h) */
    struct curl_slist *headers; /* else */
    struct fetch_request request; /* url and body point at the above */

    struct wire *wire; /* while running, either this … */
    CURL *easy;        /* … or these */
    struct fetch_shard *shard;
    struct fetch_origin *origin; /* set while waiting or running */
    struct loop_timer *timer;
    int64_t started_us;
    size_t read;       /* bytes of prefix and body that libcurl has asked for */
    int64_t active_ms; /* when a byte last moved; 0: not connected yet */
    struct buf answer; /* collected body */
    size_t received;
    bool begun;     /* a piece of the body came */
    bool streaming; /* pieces go to on_data */
    bool stopped;   /* on_data said so */
    bool too_large;
    bool cut;   /* enough of an error body was kept: the rest is not needed */
    bool probe; /* first to an origin: the others wait for what it finds out */
};

/* What a transfer came to, in our words. */
enum fetch_end { FETCH_CURL, FETCH_CANCELLED, FETCH_IDLE, FETCH_TOTAL };

struct fetch_pool *fetch_pool_new(struct loop *loop, int connections,
                                  const char *ca_file);
void fetch_pool_free(struct fetch_pool *pool); /* nothing in flight; on its loop */
/* Starts the request, or ends it at once when it cannot start. */
void fetch_pool_start(struct fetch_pool *pool, struct fetch_ticket *ticket);
/* Takes it out wherever it is; the caller then calls fetch_finish. */
void fetch_pool_remove(struct fetch_pool *pool, struct fetch_ticket *ticket);
struct loop *fetch_pool_loop(const struct fetch_pool *pool);

/* fetch.c: ends the request and calls on_done. Not from inside a libcurl callback. */
void fetch_finish(struct fetch_ticket *ticket, enum fetch_end end, CURLcode code,
                  int os_error);

/* fetch_shard.c: one with room for another request. */
struct fetch_shard *fetch_shard_for(struct fetch_pool *pool, struct fetch_origin *origin);
void fetch_shard_free(struct fetch_shard *shard);
/* What the origin's protocol allows; again when that is known. */
void fetch_shard_limit(struct fetch_shard *shard);

/* fetch_transfer.c: a piece of the body; false when no more is wanted. */
bool fetch_receive(struct fetch_ticket *ticket, int status, const char *data,
                   size_t size);

/* fetch_error.c */
void fetch_error(struct err *err, const struct fetch_ticket *ticket, enum fetch_end end,
                 CURLcode code, int os_error);
/* What libcurl says about a request to this URL. */
void fetch_error_of(struct err *err, const char *url, CURLcode code, int os_error);

/* fetch_transfer.c: an easy handle that is ready for any request. */
CURL *fetch_easy_new(struct loop *loop, CURLSH *share, const char *ca_file);
/* Sets what belongs to this request. */
void fetch_easy_prepare(struct fetch_ticket *ticket);
/* Called by the pool when a connection is there; tells that a probe is through. */
void fetch_pool_connected(struct fetch_ticket *ticket);
/* Called when the service chose HTTP/2 for this origin. */
void fetch_pool_multiplexed(struct fetch_ticket *ticket);

#endif
