/* A libcurl multi handle with a limited number of connections. */
#include <sys/epoll.h>

#include "base/clock.h"
#include "base/fetch/fetch_pool.h"
#include "base/loop.h"
#include "base/memory.h"

enum {
    /* Requests per multi handle. Measured with bench/fetch_load at 5,000 in flight: 32 to
     * 512 cost the same (34-37 us a request), all in one handle 300 us. */
    SHARD_PLAIN = 128,
    SHARD_TLS = 512, /* each handle reads the certificate authorities for itself */
    SHARD_MULTIPLEXED = 4096,     /* few connections to search */
    STREAMS_PER_CONNECTION = 100, /* what services allow, usually */
};

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
    while ((message = libcurl.multi_info_read(shard->multi, &left))) {
        if (message->msg != CURLMSG_DONE) {
            continue;
        }
        struct fetch_ticket *ticket = NULL;
        long os_error = 0;
        CURLcode code = message->data.result;
        (void)libcurl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE,
                                   (char **)&ticket);
        (void)libcurl.easy_getinfo(message->easy_handle, CURLINFO_OS_ERRNO, &os_error);
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
    (void)libcurl.multi_socket_action(shard->multi, fd, mask, &running);
    shard_collect(shard);
}

static int on_socket_wish(CURL *easy, curl_socket_t fd, int wish, void *context,
                          void *data)
{
    (void)easy;
    (void)data;
    struct fetch_shard *shard = context;
    if (wish == CURL_POLL_REMOVE) {
        /* a connection that was being made is closed already when libcurl says this */
        loop_forget(shard->pool->loop, fd);
    } else {
        loop_watch_foreign(shard->pool->loop, fd,
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
    (void)libcurl.multi_socket_action(shard->multi, CURL_SOCKET_TIMEOUT, 0, &running);
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

void fetch_shard_limit(struct fetch_shard *shard)
{
    const struct fetch_origin *origin = shard->origin;
    if (origin->multiplexed) {
        size_t most = shard->pool->connections
                          ? shard->pool->connections
                          : SHARD_MULTIPLEXED / STREAMS_PER_CONNECTION + 1;
        (void)libcurl.multi_setopt(shard->multi, CURLMOPT_MAX_HOST_CONNECTIONS,
                                   (long)most);
    }
}

static size_t shard_room(const struct fetch_origin *origin)
{
    return origin->multiplexed ? SHARD_MULTIPLEXED
           : origin->tls       ? SHARD_TLS
                               : SHARD_PLAIN;
}

static struct fetch_shard *shard_new(struct fetch_pool *pool, struct fetch_origin *origin)
{
    struct fetch_shard *shard = memory_alloc(sizeof *shard);
    shard->pool = pool;
    shard->origin = origin;
    shard->multi = libcurl.multi_init();
    (void)libcurl.multi_setopt(shard->multi, CURLMOPT_SOCKETFUNCTION, on_socket_wish);
    (void)libcurl.multi_setopt(shard->multi, CURLMOPT_SOCKETDATA, shard);
    (void)libcurl.multi_setopt(shard->multi, CURLMOPT_TIMERFUNCTION, on_timer_wish);
    (void)libcurl.multi_setopt(shard->multi, CURLMOPT_TIMERDATA, shard);
    (void)libcurl.multi_setopt(shard->multi, CURLMOPT_MAXCONNECTS,
                               (long)shard_room(origin));
    fetch_shard_limit(shard);
    return shard;
}

void fetch_shard_free(struct fetch_shard *shard)
{
    loop_timer_cancel(shard->pool->loop, shard->timer);
    shard->timer = NULL;
    (void)libcurl.multi_cleanup(shard->multi);
    loop_timer_cancel(shard->pool->loop, shard->timer); /* closing may have set one */
    memory_free(shard);
}

struct fetch_shard *fetch_shard_for(struct fetch_pool *pool, struct fetch_origin *origin)
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
