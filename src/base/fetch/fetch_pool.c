/* The requests of one loop, grouped by origin. */
#include "base/fetch/fetch_pool.h"

#include <ctype.h>
#include <string.h>

#include "base/clock.h"
#include "base/loop.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/wire.h"

enum {
    IDLE_MS = 60 * 1000, /* connections without requests are closed then */
    JANITOR_MS = 15 * 1000,
    ORIGIN_BYTES = 512,
};

/* Origins. */

/* "https://host:port" in lower case, without user and password. */
static void origin_name(const char *url, char out[ORIGIN_BYTES])
{
    const char *start = strstr(url, "://");
    size_t scheme = start ? (size_t)(start - url) + 3 : 0;
    size_t host = strcspn(url + scheme, "/?#");
    const char *at = memrchr(url + scheme, '@', host);
    const char *from = at ? at + 1 : url + scheme;
    host -= (size_t)(from - (url + scheme));
    size_t size = 0;
    for (size_t i = 0; i < scheme && size + 1 < ORIGIN_BYTES; i++) {
        out[size++] = (char)tolower((unsigned char)url[i]);
    }
    for (size_t i = 0; i < host && size + 1 < ORIGIN_BYTES; i++) {
        out[size++] = (char)tolower((unsigned char)from[i]);
    }
    out[size] = '\0';
}

static void on_janitor(void *context);

static struct fetch_origin *origin_for(struct fetch_pool *pool, const char *url,
                                       bool wired)
{
    char name[ORIGIN_BYTES];
    origin_name(url, name);
    for (struct fetch_origin *origin = pool->origins; origin; origin = origin->next) {
        if (origin->wired == wired && strcmp(origin->name, name) == 0) {
            return origin;
        }
    }
    struct fetch_origin *origin = memory_alloc(sizeof *origin);
    origin->name = memory_text(name);
    origin->wired =
        wired && wire_site_init(&origin->site, pool->loop, pool->scratch, url);
    origin->tls = str_starts(name, "https://");
    origin->open = wire_can(url); /* no name to resolve, no protocol to agree on */
    origin->next = pool->origins;
    pool->origins = origin;
    if (!pool->janitor) {
        pool->janitor = loop_timer(pool->loop, JANITOR_MS, on_janitor, pool);
    }
    return origin;
}

static bool origin_is_full(const struct fetch_pool *pool,
                           const struct fetch_origin *origin)
{
    return (!origin->open && origin->probing) ||
           (pool->connections && !origin->multiplexed &&
            origin->active >= pool->connections);
}

/* What libcurl's requests of this loop share, once there is one. */
static bool libcurl_ready(struct fetch_pool *pool)
{
    struct err ignored;
    if (!pool->share && libcurl_load(&ignored)) {
        pool->share = libcurl.share_init();
        (void)libcurl.share_setopt(pool->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
        (void)libcurl.share_setopt(pool->share, CURLSHOPT_SHARE,
                                   CURL_LOCK_DATA_SSL_SESSION);
    }
    return pool->share != NULL;
}

/* Sends the request, by itself or by libcurl's hands. */
static void launch(struct fetch_pool *pool, struct fetch_ticket *ticket)
{
    struct fetch_origin *origin = ticket->origin;
    if (origin->wired) {
        origin->active++;
        wire_start(&origin->site, ticket);
        return;
    }
    if (!libcurl_ready(pool)) {
        origin->active++;
        fetch_finish(ticket, FETCH_CURL, CURLE_FAILED_INIT, 0);
        return;
    }
    ticket->easy = pool->spare_count
                       ? pool->spare[--pool->spare_count]
                       : fetch_easy_new(pool->loop, pool->share, pool->ca_file);
    ticket->probe = !origin->open;
    ticket->shard = fetch_shard_for(pool, origin);
    ticket->shard->active++;
    origin->active++;
    origin->probing = origin->probing || ticket->probe;
    if (!ticket->easy) {
        fetch_finish(ticket, FETCH_CURL, CURLE_FAILED_INIT, 0);
        return;
    }
    fetch_easy_prepare(ticket);
    if (libcurl.multi_add_handle(ticket->shard->multi, ticket->easy) != CURLM_OK) {
        fetch_finish(ticket, FETCH_CURL, CURLE_FAILED_INIT, 0);
    }
}

static void origin_flush(struct fetch_pool *pool, struct fetch_origin *origin)
{
    while (origin->first && !origin_is_full(pool, origin)) {
        struct fetch_ticket *ticket = origin->first;
        origin->first = ticket->next;
        if (origin->first) {
            origin->first->previous = NULL;
        } else {
            origin->last = NULL;
        }
        ticket->next = NULL;
        ticket->listed = false;
        launch(pool, ticket);
    }
}

static void on_flush(void *context)
{
    struct fetch_pool *pool = context;
    pool->flush = NULL;
    for (struct fetch_origin *origin = pool->origins; origin; origin = origin->next) {
        for (struct fetch_shard *shard = origin->shards; shard; shard = shard->next) {
            fetch_shard_limit(shard);
        }
        origin_flush(pool, origin);
    }
}

static void flush_soon(struct fetch_pool *pool)
{
    if (!pool->flush) {
        pool->flush = loop_timer(pool->loop, 0, on_flush, pool);
    }
}

void fetch_pool_connected(struct fetch_ticket *ticket)
{
    struct fetch_origin *origin = ticket->origin;
    if (!origin->open) {
        origin->open = true;
        flush_soon(ticket->pool); /* not now: libcurl is on the stack */
    }
}

void fetch_pool_multiplexed(struct fetch_ticket *ticket)
{
    ticket->origin->multiplexed = true;
    flush_soon(ticket->pool);
}

/* Time limits: one timer per request, set again only when it fires. */

static void set_timer(struct fetch_ticket *ticket);

/* What is left of the time to connect; libcurl sees to it for its own. */
static int64_t connect_wait(const struct fetch_ticket *ticket, int64_t now)
{
    int64_t limit = ticket->request.connect_timeout_ms;
    int64_t since = ticket->wire ? wire_connecting_since_ms(ticket->wire) : now;
    return limit > 0 && since > 0 ? since + limit - now : INT64_MAX;
}

static void on_ticket_timer(void *context)
{
    struct fetch_ticket *ticket = context;
    ticket->timer = NULL;
    int64_t now = clock_ms();
    int64_t total = ticket->request.total_timeout_ms;
    int64_t idle = ticket->request.idle_timeout_ms;
    if (total > 0 && now - ticket->started_us / 1000 >= total) {
        fetch_finish(ticket, FETCH_TOTAL, CURLE_OPERATION_TIMEDOUT, 0);
    } else if (idle > 0 && ticket->active_ms > 0 && now - ticket->active_ms >= idle) {
        fetch_finish(ticket, FETCH_IDLE, CURLE_OPERATION_TIMEDOUT, 0);
    } else if (ticket->wire && connect_wait(ticket, now) <= 0) {
        fetch_finish(ticket, FETCH_CURL, CURLE_OPERATION_TIMEDOUT, 0);
    } else {
        set_timer(ticket);
    }
}

static struct loop *fetch_pool_loop(const struct fetch_pool *pool)
{
    return pool->loop;
}

static void set_timer(struct fetch_ticket *ticket)
{
    int64_t now = clock_ms();
    int64_t wait = INT64_MAX;
    if (ticket->request.total_timeout_ms > 0) {
        wait = ticket->started_us / 1000 + ticket->request.total_timeout_ms - now;
    }
    if (ticket->request.idle_timeout_ms > 0) {
        int64_t from = ticket->active_ms ? ticket->active_ms : now;
        int64_t idle = from + ticket->request.idle_timeout_ms - now;
        wait = idle < wait ? idle : wait;
    }
    if (ticket->head.size > 0 && ticket->active_ms == 0) {
        int64_t connect = connect_wait(ticket, now);
        wait = connect < wait ? connect : wait;
    }
    if (wait != INT64_MAX) {
        ticket->timer = loop_timer(fetch_pool_loop(ticket->pool), wait > 0 ? wait : 0,
                                   on_ticket_timer, ticket);
    }
}

/* What fetch.c calls. */

void fetch_pool_start(struct fetch_pool *pool, struct fetch_ticket *ticket)
{
    struct fetch_origin *origin =
        origin_for(pool, ticket->request.url, ticket->head.size > 0);
    ticket->origin = origin;
    set_timer(ticket);
    if (!origin->first && !origin_is_full(pool, origin)) {
        launch(pool, ticket);
        return;
    }
    ticket->listed = true;
    ticket->previous = origin->last;
    if (origin->last) {
        origin->last->next = ticket;
    } else {
        origin->first = ticket;
    }
    origin->last = ticket;
}

static void unlist(struct fetch_origin *origin, struct fetch_ticket *ticket)
{
    if (ticket->previous) {
        ticket->previous->next = ticket->next;
    } else {
        origin->first = ticket->next;
    }
    if (ticket->next) {
        ticket->next->previous = ticket->previous;
    } else {
        origin->last = ticket->previous;
    }
    ticket->listed = false;
}

void fetch_pool_remove(struct fetch_pool *pool, struct fetch_ticket *ticket)
{
    struct fetch_origin *origin = ticket->origin;
    loop_timer_cancel(pool->loop, ticket->timer);
    ticket->timer = NULL;
    if (!origin) {
        return;
    }
    if (ticket->listed) {
        unlist(origin, ticket);
        return;
    }
    struct fetch_shard *shard = ticket->shard;
    if (ticket->wire) {
        wire_detach(ticket);
    }
    if (ticket->easy) {
        (void)libcurl.multi_remove_handle(shard->multi, ticket->easy);
        if (pool->spare_count < FETCH_SPARE_HANDLES) {
            pool->spare[pool->spare_count++] = ticket->easy;
        } else {
            libcurl.easy_cleanup(ticket->easy);
        }
        ticket->easy = NULL;
    }
    if (shard) {
        shard->active--;
        shard->idle_since_ms = clock_ms();
    }
    origin->active--;
    if (ticket->probe && !origin->open) {
        origin->probing = false;
    }
    if (origin->first) {
        flush_soon(pool);
    }
}

/* Closes what was not needed for a while. */
static void on_janitor(void *context)
{
    struct fetch_pool *pool = context;
    pool->janitor = NULL;
    int64_t now = clock_ms();
    for (struct fetch_origin **link = &pool->origins; *link;) {
        struct fetch_origin *origin = *link;
        for (struct fetch_shard **at = &origin->shards; *at;) {
            struct fetch_shard *shard = *at;
            if (shard->active == 0 && now - shard->idle_since_ms >= IDLE_MS) {
                *at = shard->next;
                fetch_shard_free(shard);
            } else {
                at = &shard->next;
            }
        }
        if (origin->wired) {
            wire_site_trim(&origin->site, now - IDLE_MS);
        }
        if (!origin->shards && !origin->first && !origin->active && !origin->site.idle) {
            *link = origin->next;
            memory_free(origin->name);
            memory_free(origin);
        } else {
            link = &origin->next;
        }
    }
    if (pool->origins) {
        pool->janitor = loop_timer(pool->loop, JANITOR_MS, on_janitor, pool);
    }
}

struct fetch_pool *fetch_pool_new(struct loop *loop, int connections, const char *ca_file)
{
    struct fetch_pool *pool = memory_alloc(sizeof *pool);
    pool->loop = loop;
    pool->connections = connections > 0 ? (size_t)connections : 0;
    pool->ca_file = memory_text(ca_file);
    pool->scratch = memory_alloc(WIRE_SCRATCH);
    return pool;
}

void fetch_pool_free(struct fetch_pool *pool)
{
    loop_timer_cancel(pool->loop, pool->flush);
    loop_timer_cancel(pool->loop, pool->janitor);
    while (pool->origins) {
        struct fetch_origin *origin = pool->origins;
        pool->origins = origin->next;
        while (origin->shards) {
            struct fetch_shard *shard = origin->shards;
            origin->shards = shard->next;
            fetch_shard_free(shard);
        }
        wire_site_release(&origin->site);
        memory_free(origin->name);
        memory_free(origin);
    }
    memory_free(pool->scratch);
    while (pool->spare_count) {
        libcurl.easy_cleanup(pool->spare[--pool->spare_count]);
    }
    if (pool->share) {
        (void)libcurl.share_cleanup(pool->share);
    }
    memory_free(pool->ca_file);
    memory_free(pool);
}
