/*
 * A thread for timeouts: closes connections of slow clients, detects clients that
 * disconnected while their question runs, keeps idle streams alive, and removes old
 * questions from memory.
 */
#ifndef DGM_SERVER_WATCHDOG_H
#define DGM_SERVER_WATCHDOG_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/framing/framing.h"

struct exchange;
struct server;
struct watchdog;

/* An open connection. Its deadline changes often and is atomic, so that no lock is needed
 * for it. */
struct connection {
    int fd;
    atomic_int_least64_t deadline_ms; /* clock_ms() at which it is closed; 0: never */
    pthread_mutex_t lock;             /* guards the next three fields */
    struct exchange *guarded;         /* the exchange whose question runs; or NULL */
    bool listens;                     /* epoll reports when the client disconnects … */
    bool left;                        /* … which it has done (reported once) */
    struct framing framing; /* used only by the connection's thread, like `requests` */
    size_t requests;        /* number of requests that libmicrohttpd has found */
    struct connection *next;
    struct connection **link;
};

struct watchdog *watchdog_new(struct server *server);
void watchdog_free(struct watchdog *watchdog);

/* Call when a connection was opened, and before it is closed. */
struct connection *watchdog_open(struct watchdog *watchdog, int fd);
void watchdog_close(struct watchdog *watchdog, struct connection *connection);
/* Sets the time limit for what the connection is doing; 0: none. */
void watchdog_allow(struct connection *connection, int64_t ms);

/* From now on the question of this exchange is stopped when its client disconnects. */
void watchdog_guard(struct watchdog *watchdog, struct exchange *exchange);
void watchdog_unguard(struct exchange *exchange);
/* On the connection's thread, when it is done with the exchange: if its question still
 * runs, the client has left in the middle of a stream. */
void watchdog_leave(struct watchdog *watchdog, struct exchange *exchange);

#endif
