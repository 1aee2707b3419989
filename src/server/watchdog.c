/* Deadlines of connections, clients that leave, and the rounds of the house. */
#include "server/watchdog.h"

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/workers.h"
#include "server/exchange.h"
#include "server/sse.h"
#include "server/state.h"

enum { ROUND_MS = 250, GUARDS_AT_ONCE = 64 };

struct watchdog {
    struct server *server;
    pthread_t thread;
    atomic_bool ends;
    int epoll;
    int wake;
    pthread_mutex_t lock; /* guards the connections, and who is guarded */
    struct connection *connections;
    struct exchange **guarded; /* by file descriptor */
    size_t guarded_capacity;
};

struct connection *watchdog_open(struct watchdog *watchdog, int fd)
{
    struct connection *connection = memory_alloc(sizeof *connection);
    connection->fd = fd;
    atomic_init(&connection->deadline_ms, 0);
    (void)pthread_mutex_lock(&watchdog->lock);
    connection->next = watchdog->connections;
    connection->link = &watchdog->connections;
    if (connection->next) {
        connection->next->link = &connection->next;
    }
    watchdog->connections = connection;
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
    (void)pthread_mutex_unlock(&watchdog->lock);
    memory_free(connection);
}

void watchdog_allow(struct connection *connection, int64_t ms)
{
    atomic_store_explicit(&connection->deadline_ms, ms ? clock_ms() + ms : 0,
                          memory_order_relaxed);
}

void watchdog_guard(struct watchdog *watchdog, struct exchange *exchange)
{
    int fd = exchange->watched->fd;
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.fd = fd};
    (void)pthread_mutex_lock(&watchdog->lock);
    size_t needed = (size_t)fd + 1;
    if (needed > watchdog->guarded_capacity) {
        size_t capacity = needed * 2;
        watchdog->guarded =
            memory_resize(watchdog->guarded, capacity * sizeof(struct exchange *));
        for (size_t i = watchdog->guarded_capacity; i < capacity; i++) {
            watchdog->guarded[i] = NULL;
        }
        watchdog->guarded_capacity = capacity;
    }
    watchdog->guarded[fd] = exchange;
    (void)epoll_ctl(watchdog->epoll, EPOLL_CTL_ADD, fd, &event);
    (void)pthread_mutex_unlock(&watchdog->lock);
}

void watchdog_unguard(struct watchdog *watchdog, struct exchange *exchange)
{
    int fd = exchange->watched->fd;
    (void)pthread_mutex_lock(&watchdog->lock);
    if ((size_t)fd < watchdog->guarded_capacity && watchdog->guarded[fd] == exchange) {
        watchdog->guarded[fd] = NULL;
        (void)epoll_ctl(watchdog->epoll, EPOLL_CTL_DEL, fd, NULL);
    }
    (void)pthread_mutex_unlock(&watchdog->lock);
}

/* On a worker: cancelling a query may need a connection of its own. */
static void stop_question(void *context)
{
    struct inquiry *inquiry = context;
    struct dgm_error error;
    (void)dgm_stop(inquiry->server->dgm, NULL, inquiry->id, &error);
    inquiry_unref(inquiry);
}

/* With the lock held: whoever unguards waits until its exchange has been looked at. The
 * number may mean another connection by now, so the socket itself is asked. */
static void client_left(struct watchdog *watchdog, int fd)
{
    struct exchange *exchange =
        (size_t)fd < watchdog->guarded_capacity ? watchdog->guarded[fd] : NULL;
    struct pollfd look = {.fd = fd, .events = POLLRDHUP};
    if (!exchange || poll(&look, 1, 0) != 1) {
        return;
    }
    struct inquiry *inquiry = exchange->inquiry;
    LOG(LOG_SERVER, LOG_INFO, "%s: its client went away", inquiry->id);
    (void)atomic_fetch_add(&watchdog->server->counts.gone, 1);
    inquiry_ref(inquiry);
    workers_submit(watchdog->server->workers, stop_question, inquiry);
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
    while (!atomic_load(&watchdog->ends)) {
        look_for_leavers(watchdog, ROUND_MS);
        int64_t now = clock_ms();
        if (now - round < ROUND_MS) {
            continue;
        }
        round = now;
        cut_slow(watchdog);
        registry_sweep(&server->registry, now);
        if (now - beat >= server->settings.heartbeat_ms) {
            beat = now;
            registry_each_at_work(&server->registry, sse_beat);
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
    memory_free(watchdog->guarded);
    (void)pthread_mutex_destroy(&watchdog->lock);
    memory_free(watchdog);
}
