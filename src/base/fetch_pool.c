/* The part of fetch that lives on one loop: origins, shards and their libcurl handles. */
#include "base/fetch_pool.h"

#include <ctype.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/clock.h"
#include "base/loop.h"
#include "base/memory.h"
#include "base/str.h"

enum {
    /* Requests per multi handle, by measurement: see bench/README.md. */
    SHARD_PLAIN = 128,
    SHARD_TLS = 512, /* each handle reads the certificate authorities for itself */
    SHARD_MULTIPLEXED =
        4096, /* many requests per connection: few connections to search */
    STREAMS_PER_CONNECTION = 100, /* what services allow, usually */
    SPARE_HANDLES = 64,
    IDLE_MS = 60 * 1000, /* connections of a shard without requests are closed then */
    JANITOR_MS = 15 * 1000,
    ORIGIN_BYTES = 512,
};

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
    struct fetch_shard
        *shards; /* earlier ones are filled first, so connections are reused */
    struct fetch_ticket *first; /* waiting */
    struct fetch_ticket *last;
};

struct fetch_pool {
    struct loop *loop;
    size_t connections; /* per origin; 0: no limit */
    char *ca_file;
    CURLSH *share; /* names and TLS sessions, between the shards of this loop */
    struct fetch_origin *origins;
    CURL *spare[SPARE_HANDLES];
    size_t spare_count;
    struct loop_timer *flush;
    struct loop_timer *janitor;
};

static void origin_flush(struct fetch_pool *pool, struct fetch_origin *origin);

/* Shards. */

static void waiting_fail(struct fetch_origin *origin, CURLcode code, int os_error)
{
    while (origin->first) {
        fetch_finish(origin->first, FETCH_CURL, code, os_error);
    }
}

/* Ends what libcurl says is done. */
static void shard_collect(struct fetch_shard *shard)
{
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(shard->multi, &left))) {
        if (message->msg != CURLMSG_DONE) {
            continue;
        }
        struct fetch_ticket *ticket = NULL;
        long os_error = 0;
        CURLcode code = message->data.result;
        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&ticket);
        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_OS_ERRNO, &os_error);
        struct fetch_origin *origin = ticket->origin;
        bool blocked = ticket->probe && !origin->open;
        fetch_finish(ticket, FETCH_CURL, code, (int)os_error);
        if (blocked && code != CURLE_OK) {
            /* The others would learn the same, one by one. */
            waiting_fail(origin, code, (int)os_error);
        }
    }
}

static void on_socket_ready(void *context, int fd, uint32_t events)
{
    struct fetch_shard *shard = context;
    int mask = (events & EPOLLIN ? CURL_CSELECT_IN : 0) |
               (events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
               (events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    int running = 0;
    (void)curl_multi_socket_action(shard->multi, fd, mask, &running);
    shard_collect(shard);
}

static int on_socket_wish(CURL *easy, curl_socket_t fd, int wish, void *context,
                          void *data)
{
    (void)easy;
    (void)data;
    struct fetch_shard *shard = context;
    if (wish == CURL_POLL_REMOVE) {
        loop_unwatch(shard->pool->loop, fd);
    } else {
        loop_watch(shard->pool->loop, fd,
                   (wish & CURL_POLL_IN ? (uint32_t)EPOLLIN : 0) |
                       (wish & CURL_POLL_OUT ? (uint32_t)EPOLLOUT : 0),
                   on_socket_ready, shard);
    }
    return 0;
}

static void on_shard_timer(void *context)
{
    struct fetch_shard *shard = context;
    shard->timer = NULL;
    int running = 0;
    (void)curl_multi_socket_action(shard->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    shard_collect(shard);
}

static int on_timer_wish(CURLM *multi, long delay_ms, void *context)
{
    (void)multi;
    struct fetch_shard *shard = context;
    loop_timer_cancel(shard->pool->loop, shard->timer);
    shard->timer = delay_ms < 0
                       ? NULL
                       : loop_timer(shard->pool->loop, delay_ms, on_shard_timer, shard);
    return 0;
}

static void shard_limit(struct fetch_shard *shard)
{
    const struct fetch_origin *origin = shard->origin;
    if (origin->multiplexed) {
        size_t most = shard->pool->connections
                          ? shard->pool->connections
                          : SHARD_MULTIPLEXED / STREAMS_PER_CONNECTION + 1;
        (void)curl_multi_setopt(shard->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)most);
    }
}

static size_t shard_room(const struct fetch_origin *origin)
{
    return origin->multiplexed ? SHARD_MULTIPLEXED
           : origin->tls       ? SHARD_TLS
                               : SHARD_PLAIN;
}

static void on_janitor(void *context);

static struct fetch_shard *shard_new(struct fetch_pool *pool, struct fetch_origin *origin)
{
    struct fetch_shard *shard = memory_alloc(sizeof *shard);
    shard->pool = pool;
    shard->origin = origin;
    shard->multi = curl_multi_init();
    (void)curl_multi_setopt(shard->multi, CURLMOPT_SOCKETFUNCTION, on_socket_wish);
    (void)curl_multi_setopt(shard->multi, CURLMOPT_SOCKETDATA, shard);
    (void)curl_multi_setopt(shard->multi, CURLMOPT_TIMERFUNCTION, on_timer_wish);
    (void)curl_multi_setopt(shard->multi, CURLMOPT_TIMERDATA, shard);
    (void)curl_multi_setopt(shard->multi, CURLMOPT_MAXCONNECTS, (long)shard_room(origin));
    shard_limit(shard);
    if (!pool->janitor) {
        pool->janitor = loop_timer(pool->loop, JANITOR_MS, on_janitor, pool);
    }
    return shard;
}

static void shard_free(struct fetch_shard *shard)
{
    loop_timer_cancel(shard->pool->loop, shard->timer);
    shard->timer = NULL;
    (void)curl_multi_cleanup(shard->multi);
    loop_timer_cancel(shard->pool->loop, shard->timer); /* closing may have set one */
    memory_free(shard);
}

static struct fetch_shard *shard_for(struct fetch_pool *pool, struct fetch_origin *origin)
{
    size_t room = shard_room(origin);
    struct fetch_shard **link = &origin->shards;
    while (*link && (*link)->active >= room) {
        link = &(*link)->next;
    }
    if (!*link) {
        *link = shard_new(pool, origin);
    }
    return *link;
}

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

/* Nothing to find out: no name to resolve and no protocol to agree on. */
static bool origin_needs_no_probe(const char *name)
{
    if (!str_starts(name, "http://")) {
        return false;
    }
    const char *host = name + strlen("http://");
    size_t size = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    return *host == '[' || strspn(host, "0123456789.") == size ||
           (size == 9 && memcmp(host, "localhost", 9) == 0);
}

static struct fetch_origin *origin_for(struct fetch_pool *pool, const char *url)
{
    char name[ORIGIN_BYTES];
    origin_name(url, name);
    for (struct fetch_origin *origin = pool->origins; origin; origin = origin->next) {
        if (strcmp(origin->name, name) == 0) {
            return origin;
        }
    }
    struct fetch_origin *origin = memory_alloc(sizeof *origin);
    origin->name = memory_text(name);
    origin->tls = str_starts(name, "https://");
    origin->open = origin_needs_no_probe(name);
    origin->next = pool->origins;
    pool->origins = origin;
    return origin;
}

static bool origin_is_full(const struct fetch_pool *pool,
                           const struct fetch_origin *origin)
{
    return (!origin->open && origin->probing) ||
           (pool->connections && !origin->multiplexed &&
            origin->active >= pool->connections);
}

/* Puts the request into libcurl's hands. */
static void launch(struct fetch_pool *pool, struct fetch_ticket *ticket)
{
    struct fetch_origin *origin = ticket->origin;
    ticket->easy = pool->spare_count
                       ? pool->spare[--pool->spare_count]
                       : fetch_easy_new(pool->loop, pool->share, pool->ca_file);
    ticket->probe = !origin->open;
    ticket->shard = shard_for(pool, origin);
    ticket->shard->active++;
    origin->active++;
    origin->probing = origin->probing || ticket->probe;
    if (!ticket->easy) {
        fetch_finish(ticket, FETCH_CURL, CURLE_FAILED_INIT, 0);
        return;
    }
    fetch_easy_prepare(ticket);
    if (curl_multi_add_handle(ticket->shard->multi, ticket->easy) != CURLM_OK) {
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
            shard_limit(shard);
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
    } else {
        set_timer(ticket);
    }
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
    if (wait != INT64_MAX) {
        ticket->timer = loop_timer(fetch_pool_loop(ticket->pool), wait > 0 ? wait : 0,
                                   on_ticket_timer, ticket);
    }
}

/* What fetch.c calls. */

void fetch_pool_start(struct fetch_pool *pool, struct fetch_ticket *ticket)
{
    struct fetch_origin *origin = origin_for(pool, ticket->request.url);
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
    if (ticket->easy) {
        (void)curl_multi_remove_handle(shard->multi, ticket->easy);
        if (pool->spare_count < SPARE_HANDLES) {
            pool->spare[pool->spare_count++] = ticket->easy;
        } else {
            curl_easy_cleanup(ticket->easy);
        }
        ticket->easy = NULL;
    }
    shard->active--;
    shard->idle_since_ms = clock_ms();
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
                shard_free(shard);
            } else {
                at = &shard->next;
            }
        }
        if (!origin->shards && !origin->first) {
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

struct loop *fetch_pool_loop(const struct fetch_pool *pool)
{
    return pool->loop;
}

struct fetch_pool *fetch_pool_new(struct loop *loop, int connections, const char *ca_file)
{
    struct fetch_pool *pool = memory_alloc(sizeof *pool);
    pool->loop = loop;
    pool->connections = connections > 0 ? (size_t)connections : 0;
    pool->ca_file = memory_text(ca_file);
    pool->share = curl_share_init();
    (void)curl_share_setopt(pool->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
    (void)curl_share_setopt(pool->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
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
            shard_free(shard);
        }
        memory_free(origin->name);
        memory_free(origin);
    }
    while (pool->spare_count) {
        curl_easy_cleanup(pool->spare[--pool->spare_count]);
    }
    (void)curl_share_cleanup(pool->share);
    memory_free(pool->ca_file);
    memory_free(pool);
}
