/* Starts and cancels requests, and chooses the event loop. */
#include "base/fetch/fetch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fetch/fetch_pool.h"
#include "base/loop.h"
#include "base/memory.h"
#include "base/wire.h"
#include "base/wire_parser.h"

enum { LOOPS_MOST = 64, HEAD_MOST = 64 * 1024 };

struct lane { /* one loop and what it carries */
    struct loop *loop;
    struct fetch_pool *pool;
    atomic_size_t in_flight;
    struct fetch_ticket *tickets; /* loop's thread only: all that are in flight */
};

struct fetch {
    size_t lane_count;
    struct lane *lanes;
    atomic_size_t turn;
    pthread_mutex_t lock;
    pthread_cond_t empty;
    size_t in_flight; /* under lock */
    bool wires;       /* plain requests may go without libcurl */
};

/* Thousands of requests are thousands of open files. */
static void raise_file_limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
}

/* Which addresses a proxy is for is libcurl's to know. */
static bool proxy_is_set(void)
{
    static const char *const names[] = {"http_proxy", "all_proxy", "ALL_PROXY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) {
            return true;
        }
    }
    return false;
}

static size_t loops_wanted(int asked)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    long count = asked > 0 ? asked : cores < 2 ? 2 : cores;
    return count > LOOPS_MOST ? LOOPS_MOST : (size_t)count;
}

struct fetch *fetch_new(const struct fetch_settings *settings, struct err *err)
{
    const char *ca_file = settings->ca_file && *settings->ca_file
                              ? settings->ca_file
                              : getenv("SSL_CERT_FILE");
    if (settings->ca_file && *settings->ca_file && access(settings->ca_file, R_OK) != 0) {
        (void)err_set(err, ERR_CONFIG,
                      "The file of certificate authorities cannot be read.");
        (void)err_hint(err, "Check llm.ca_file.");
        return NULL;
    }
    bool wires = !settings->libcurl_only && !proxy_is_set();
    bool later = wires && settings->url && wire_can(settings->url);
    if (!later && !libcurl_load(err)) {
        return NULL;
    }
    raise_file_limit();
    struct fetch *fetch = memory_alloc(sizeof *fetch);
    (void)pthread_mutex_init(&fetch->lock, NULL);
    (void)pthread_cond_init(&fetch->empty, NULL);
    fetch->wires = wires;
    fetch->lane_count = loops_wanted(settings->loops);
    fetch->lanes = memory_array(fetch->lane_count, sizeof *fetch->lanes);
    for (size_t i = 0; i < fetch->lane_count; i++) {
        fetch->lanes[i].loop = loop_new();
        fetch->lanes[i].pool =
            fetch_pool_new(fetch->lanes[i].loop, settings->connections, ca_file);
    }
    return fetch;
}

static void ticket_unref(struct fetch_ticket *ticket)
{
    if (atomic_fetch_sub_explicit(&ticket->references, 1, memory_order_acq_rel) == 1) {
        memory_free(ticket);
    }
}

/* All of a lane's tickets are kept in a list, so that fetch_free can end them. */
static void lane_add(struct lane *lane, struct fetch_ticket *ticket)
{
    ticket->lane_next = lane->tickets;
    ticket->lane_link = &lane->tickets;
    if (lane->tickets) {
        lane->tickets->lane_link = &ticket->lane_next;
    }
    lane->tickets = ticket;
}

static void lane_drop(struct fetch_ticket *ticket)
{
    *ticket->lane_link = ticket->lane_next;
    if (ticket->lane_next) {
        ticket->lane_next->lane_link = ticket->lane_link;
    }
    ticket->lane_link = NULL;
}

/* Some services send milliseconds, in a header of their own. */
static int64_t read_retry_after(CURL *easy)
{
    struct curl_header *header = NULL;
    if (libcurl.easy_header(easy, "retry-after-ms", 0, CURLH_HEADER, -1, &header) ==
        CURLHE_OK) {
        int64_t wait = wire_retry_after(header->value);
        return wait < 0 ? wait : wait / 1000;
    }
    if (libcurl.easy_header(easy, "retry-after", 0, CURLH_HEADER, -1, &header) ==
        CURLHE_OK) {
        return wire_retry_after(header->value);
    }
    return -1;
}

static void release_request(struct fetch_ticket *ticket)
{
    memory_free(ticket->url);
    memory_free(ticket->body);
    if (ticket->headers) {
        libcurl.slist_free_all(ticket->headers);
    }
    buf_release(&ticket->head);
    buf_release(&ticket->answer);
}

void fetch_finish(struct fetch_ticket *ticket, enum fetch_end end, CURLcode code,
                  int os_error)
{
    struct fetch *fetch = ticket->fetch;
    struct lane *lane = ticket->lane;
    struct fetch_result result = {.retry_after_ms = -1, .stopped = ticket->stopped};
    long status = 0;
    if (ticket->wire && end == FETCH_CURL) {
        status = wire_status(ticket->wire);
        result.retry_after_ms = wire_retry_after_ms(ticket->wire);
    } else if (ticket->easy && end == FETCH_CURL) {
        (void)libcurl.easy_getinfo(ticket->easy, CURLINFO_RESPONSE_CODE, &status);
        if (status >= 400) {
            result.retry_after_ms = read_retry_after(ticket->easy);
        }
    }
    fetch_pool_remove(ticket->pool, ticket);
    lane_drop(ticket);
    result.cancelled = end == FETCH_CANCELLED;
    result.status = (int)status;
    result.ok = end == FETCH_CURL && status > 0 &&
                (code == CURLE_OK || ticket->stopped || ticket->cut);
    result.body = buf_get(&ticket->answer);
    result.body_size = ticket->answer.size;
    result.ms = (double)(clock_us() - ticket->started_us) / 1000.0;
    if (!result.ok) {
        fetch_error(&result.error, ticket, end, code, os_error);
    }
    ticket->request.on_done(ticket->request.context, &result);
    release_request(ticket);
    ticket_unref(ticket);
    (void)atomic_fetch_sub(&lane->in_flight, 1);
    (void)pthread_mutex_lock(&fetch->lock);
    if (--fetch->in_flight == 0) {
        (void)pthread_cond_broadcast(&fetch->empty);
    }
    (void)pthread_mutex_unlock(&fetch->lock);
}

static void on_start(void *context)
{
    struct fetch_ticket *ticket = context;
    lane_add(ticket->lane, ticket);
    if (atomic_load(&ticket->cancelled)) {
        fetch_finish(ticket, FETCH_CANCELLED, CURLE_OK, 0);
    } else {
        fetch_pool_start(ticket->pool, ticket);
    }
}

/* The less busy of two neighbours: close to the best one, without looking at all. */
static struct lane *choose_lane(struct fetch *fetch)
{
    size_t turn = atomic_fetch_add_explicit(&fetch->turn, 1, memory_order_relaxed);
    struct lane *one = &fetch->lanes[turn % fetch->lane_count];
    struct lane *two = &fetch->lanes[(turn + 1) % fetch->lane_count];
    return atomic_load_explicit(&two->in_flight, memory_order_relaxed) <
                   atomic_load_explicit(&one->in_flight, memory_order_relaxed)
               ? two
               : one;
}

/* The headers in the form in which they will be needed. */
static void write_head(struct fetch_ticket *ticket, const struct fetch_request *request)
{
    if (ticket->fetch->wires && wire_can(request->url)) {
        buf_init(&ticket->head, HEAD_MOST);
        wire_head(request, &ticket->head);
        return;
    }
    struct err ignored; /* the error is delivered when the request would start */
    if (!libcurl_load(&ignored)) {
        return;
    }
    for (size_t i = 0; request->headers && request->headers[i]; i++) {
        ticket->headers = libcurl.slist_append(ticket->headers, request->headers[i]);
    }
    ticket->headers = libcurl.slist_append(ticket->headers, "Expect:");
}

struct fetch_ticket *fetch_start(struct fetch *fetch, const struct fetch_request *request)
{
    struct fetch_ticket *ticket = memory_alloc(sizeof *ticket);
    struct lane *lane = choose_lane(fetch);
    atomic_init(&ticket->references, 2);
    ticket->fetch = fetch;
    ticket->lane = lane;
    ticket->pool = lane->pool;
    ticket->request = *request;
    ticket->url = memory_text(request->url);
    ticket->request.url = ticket->url;
    if (request->body && !request->body_borrowed) {
        ticket->body = memory_copy(request->body, request->body_size);
        ticket->request.body = ticket->body;
    }
    write_head(ticket, request);
    ticket->request.headers = NULL;
    ticket->started_us = clock_us();
    buf_init(&ticket->answer, request->max_bytes ? request->max_bytes : SIZE_MAX / 4);
    (void)atomic_fetch_add(&lane->in_flight, 1);
    (void)pthread_mutex_lock(&fetch->lock);
    fetch->in_flight++;
    (void)pthread_mutex_unlock(&fetch->lock);
    loop_post(lane->loop, on_start, ticket);
    return ticket;
}

static void on_cancel(void *context)
{
    struct fetch_ticket *ticket = context;
    if (ticket->lane_link) {
        fetch_finish(ticket, FETCH_CANCELLED, CURLE_OK, 0);
    }
    ticket_unref(ticket);
}

void fetch_cancel(struct fetch_ticket *ticket)
{
    if (!atomic_exchange(&ticket->cancelled, true)) {
        (void)atomic_fetch_add(&ticket->references, 1);
        loop_post(ticket->lane->loop, on_cancel, ticket);
    }
}

void fetch_forget(struct fetch_ticket *ticket)
{
    if (ticket) {
        ticket_unref(ticket);
    }
}

struct loop *fetch_loop(struct fetch *fetch)
{
    size_t turn = atomic_fetch_add_explicit(&fetch->turn, 1, memory_order_relaxed);
    return fetch->lanes[turn % fetch->lane_count].loop;
}

static void on_shut(void *context)
{
    struct lane *lane = context;
    while (lane->tickets) {
        fetch_finish(lane->tickets, FETCH_CANCELLED, CURLE_OK, 0);
    }
}

/* A pool's timers and sockets belong to its loop: it ends there. */
static void on_end(void *context)
{
    fetch_pool_free(context);
}

void fetch_free(struct fetch *fetch)
{
    if (!fetch) {
        return;
    }
    /* on_done may start another request: round and round until all is quiet */
    (void)pthread_mutex_lock(&fetch->lock);
    while (fetch->in_flight > 0) {
        (void)pthread_mutex_unlock(&fetch->lock);
        for (size_t i = 0; i < fetch->lane_count; i++) {
            loop_post(fetch->lanes[i].loop, on_shut, &fetch->lanes[i]);
        }
        (void)pthread_mutex_lock(&fetch->lock);
        struct timespec soon;
        (void)clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_sec++;
        if (fetch->in_flight > 0) {
            (void)pthread_cond_timedwait(&fetch->empty, &fetch->lock, &soon);
        }
    }
    (void)pthread_mutex_unlock(&fetch->lock);
    for (size_t i = 0; i < fetch->lane_count; i++) {
        loop_post(fetch->lanes[i].loop, on_end, fetch->lanes[i].pool);
        loop_free(fetch->lanes[i].loop);
    }
    memory_free(fetch->lanes);
    (void)pthread_cond_destroy(&fetch->empty);
    (void)pthread_mutex_destroy(&fetch->lock);
    memory_free(fetch);
}
