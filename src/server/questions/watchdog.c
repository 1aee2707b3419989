/*
 * Closes slow connections, notices clients that disconnected, sends heartbeats, removes
 * old questions.
 */
#include "server/questions/watchdog.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/workers.h"
#include "server/access.h"
#include "server/exchange.h"
#include "server/mcp/assistants.h"
#include "server/questions/sse.h"
#include "server/recheck.h"
#include "server/state.h"

enum { ROUND_MS = 250, GUARDS_AT_ONCE = 64, KEYS_EVERY_MS = 1000 };

struct watchdog {
    struct server *server;
    pthread_t thread;
    atomic_bool ends;
    int epoll;
    int wake;
    /* guards the connections; lock order: before a connection's lock */
    pthread_mutex_t lock;
    struct connection *connections;
    struct connection **by_fd;
    size_t capacity; /* of by_fd */
};

/* With the lock held. */
static void place_put(struct watchdog *watchdog, int fd, struct connection *connection)
{
    size_t needed = (size_t)fd + 1;
    if (needed > watchdog->capacity) {
        size_t capacity = needed * 2;
        watchdog->by_fd =
            memory_resize(watchdog->by_fd, capacity * sizeof(struct connection *));
        for (size_t i = watchdog->capacity; i < capacity; i++) {
            watchdog->by_fd[i] = NULL;
        }
        watchdog->capacity = capacity;
    }
    watchdog->by_fd[fd] = connection;
}

struct connection *watchdog_open(struct watchdog *watchdog, int fd)
{
    struct connection *connection = memory_alloc(sizeof *connection);
    connection->fd = fd;
    atomic_init(&connection->deadline_ms, 0);
    (void)pthread_mutex_init(&connection->lock, NULL);
    (void)pthread_mutex_lock(&watchdog->lock);
    connection->next = watchdog->connections;
    connection->link = &watchdog->connections;
    if (connection->next) {
        connection->next->link = &connection->next;
    }
    watchdog->connections = connection;
    if (fd >= 0) {
        place_put(watchdog, fd, connection);
    }
    (void)pthread_mutex_unlock(&watchdog->lock);
    return connection;
}

void watchdog_close(struct watchdog *watchdog, struct connection *connection)
{
    (void)pthread_mutex_lock(&watchdog->lock);
    *connection->link = connection->next;
    if (connection->next) {
        connection->next->link = connection->link;
    }
    if (connection->fd >= 0) {
        watchdog->by_fd[connection->fd] = NULL;
    }
    (void)pthread_mutex_unlock(&watchdog->lock);
    (void)pthread_mutex_destroy(&connection->lock);
    memory_free(connection);
}

void watchdog_allow(struct connection *connection, int64_t ms)
{
    atomic_store_explicit(&connection->deadline_ms, ms ? clock_ms() + ms : 0,
                          memory_order_relaxed);
}

/* On a worker: cancelling a query may need a connection of its own. */
static void stop_question(void *context)
{
    struct inquiry *inquiry = context;
    struct dgm_error error;
    char id[ID_SIZE];
    (void)pthread_mutex_lock(&inquiry->lock);
    (void)snprintf(id, sizeof id, "%s", inquiry->id);
    (void)pthread_mutex_unlock(&inquiry->lock);
    LOG(LOG_SERVER, LOG_INFO, "%s: its client went away", id);
    (void)dgm_stop(inquiry->server->dgm, NULL, id, &error);
    inquiry_unref(inquiry);
}

/* The same for an import, which may be just about to begin. */
static void stop_import(void *context)
{
    struct inquiry *inquiry = context;
    const struct timespec pause = {.tv_nsec = 5000000};
    bool over = false;
    LOG(LOG_SERVER, LOG_INFO, "an import: its client went away");
    while (!over &&
           !dgm_dataset_stop(inquiry->server->dgm, inquiry->account, inquiry->import)) {
        (void)nanosleep(&pause, NULL);
        (void)pthread_mutex_lock(&inquiry->lock);
        over = inquiry->rested;
        (void)pthread_mutex_unlock(&inquiry->lock);
    }
    inquiry_unref(inquiry);
}

/* With the connection's lock held: unguard waits until its exchange has been handled. */
static void nobody_waits(struct watchdog *watchdog, struct exchange *exchange)
{
    struct inquiry *inquiry = exchange->inquiry;
    if (exchange->left) {
        exchange->left(exchange->left_context);
        return;
    }
    atomic_store(&inquiry->left, true);
    (void)atomic_fetch_add(&watchdog->server->counts.gone, 1);
    inquiry_ref(inquiry);
    /* The account may use all its threads for the question that should be stopped. */
    workers_submit_hurried(watchdog->server->workers,
                           inquiry->import ? stop_import : stop_question, inquiry);
}

/* A connection is watched by epoll from its first question until it is closed: one system
 * call instead of two per question. */
void watchdog_guard(struct watchdog *watchdog, struct exchange *exchange)
{
    struct connection *connection = exchange->watched;
    int fd = connection->fd;
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.fd = fd};
    (void)pthread_mutex_lock(&connection->lock);
    connection->guarded = exchange;
    if (!connection->listens) {
        connection->listens = epoll_ctl(watchdog->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
    }
    if (connection->left) {
        nobody_waits(watchdog, exchange);
    }
    (void)pthread_mutex_unlock(&connection->lock);
}

/* The connection may be gone: an exchange whose reply is a stream can outlive it. */
void watchdog_unguard(struct exchange *exchange)
{
    (void)pthread_mutex_lock(&exchange->lock);
    struct connection *connection = exchange->watched;
    if (connection) {
        (void)pthread_mutex_lock(&connection->lock);
        if (connection->guarded == exchange) {
            connection->guarded = NULL;
        }
        (void)pthread_mutex_unlock(&connection->lock);
    }
    (void)pthread_mutex_unlock(&exchange->lock);
}

void watchdog_leave(struct watchdog *watchdog, struct exchange *exchange)
{
    struct connection *connection = exchange->watched;
    (void)pthread_mutex_lock(&connection->lock);
    if (connection->guarded == exchange) {
        connection->guarded = NULL;
        if (!connection->left) {
            nobody_waits(watchdog, exchange);
        }
    }
    (void)pthread_mutex_unlock(&connection->lock);
    (void)pthread_mutex_lock(&exchange->lock);
    exchange->watched = NULL;
    (void)pthread_mutex_unlock(&exchange->lock);
}

/* With the watchdog's lock held, so that no connection is closed meanwhile. The
 * descriptor may belong to another connection by now, so the socket itself is checked. */
static void client_left(struct watchdog *watchdog, int fd)
{
    struct connection *connection =
        (size_t)fd < watchdog->capacity ? watchdog->by_fd[fd] : NULL;
    struct pollfd look = {.fd = fd, .events = POLLRDHUP};
    if (!connection || poll(&look, 1, 0) != 1) {
        return;
    }
    (void)pthread_mutex_lock(&connection->lock);
    if (!connection->left && connection->guarded) {
        nobody_waits(watchdog, connection->guarded);
    }
    connection->left = true;
    (void)pthread_mutex_unlock(&connection->lock);
}

static void look_for_leavers(struct watchdog *watchdog, int timeout_ms)
{
    struct epoll_event events[GUARDS_AT_ONCE];
    int count = epoll_wait(watchdog->epoll, events, GUARDS_AT_ONCE, timeout_ms);
    (void)pthread_mutex_lock(&watchdog->lock);
    for (int i = 0; i < count; i++) {
        if (events[i].data.fd == watchdog->wake) {
            uint64_t number = 0;
            (void)!read(watchdog->wake, &number, sizeof number);
        } else {
            client_left(watchdog, events[i].data.fd);
        }
    }
    (void)pthread_mutex_unlock(&watchdog->lock);
}

static void cut_slow(struct watchdog *watchdog)
{
    int64_t now = clock_ms();
    (void)pthread_mutex_lock(&watchdog->lock);
    for (struct connection *at = watchdog->connections; at; at = at->next) {
        int64_t deadline = atomic_load_explicit(&at->deadline_ms, memory_order_relaxed);
        if (deadline && now > deadline) {
            (void)atomic_fetch_add(&watchdog->server->counts.cut, 1);
            (void)shutdown(at->fd, SHUT_RDWR);
            atomic_store_explicit(&at->deadline_ms, 0, memory_order_relaxed);
        }
    }
    (void)pthread_mutex_unlock(&watchdog->lock);
}

static void *watchdog_main(void *context)
{
    struct watchdog *watchdog = context;
    struct server *server = watchdog->server;
    int64_t round = clock_ms();
    int64_t beat = round;
    int64_t looked = round;
    while (!atomic_load(&watchdog->ends)) {
        look_for_leavers(watchdog, ROUND_MS);
        int64_t now = clock_ms();
        if (now - round < ROUND_MS) {
            continue;
        }
        round = now;
        cut_slow(watchdog);
        registry_sweep(&server->registry, now);
        assistants_sweep(server->assistants, now);
        recheck_tick(server->recheck, now);
        if (now - looked >= KEYS_EVERY_MS && access_is_open(server)) {
            looked = now;
            access_look_for_keys(server);
        }
        if (now - beat >= server->settings.heartbeat_ms) {
            beat = now;
            registry_each_at_work(&server->registry, sse_beat);
            assistants_beat(server->assistants);
        }
    }
    return NULL;
}

struct watchdog *watchdog_new(struct server *server)
{
    struct watchdog *watchdog = memory_alloc(sizeof *watchdog);
    watchdog->server = server;
    atomic_init(&watchdog->ends, false);
    (void)pthread_mutex_init(&watchdog->lock, NULL);
    watchdog->epoll = epoll_create1(EPOLL_CLOEXEC);
    watchdog->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = watchdog->wake};
    bool ok = watchdog->epoll >= 0 && watchdog->wake >= 0 &&
              epoll_ctl(watchdog->epoll, EPOLL_CTL_ADD, watchdog->wake, &event) == 0 &&
              pthread_create(&watchdog->thread, NULL, watchdog_main, watchdog) == 0;
    if (!ok) {
        (void)close(watchdog->epoll);
        (void)close(watchdog->wake);
        (void)pthread_mutex_destroy(&watchdog->lock);
        memory_free(watchdog);
        return NULL;
    }
    return watchdog;
}

void watchdog_free(struct watchdog *watchdog)
{
    if (!watchdog) {
        return;
    }
    atomic_store(&watchdog->ends, true);
    uint64_t one = 1;
    (void)!write(watchdog->wake, &one, sizeof one);
    (void)pthread_join(watchdog->thread, NULL);
    (void)close(watchdog->epoll);
    (void)close(watchdog->wake);
    memory_free(watchdog->by_fd);
    (void)pthread_mutex_destroy(&watchdog->lock);
    memory_free(watchdog);
}
