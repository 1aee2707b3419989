/*
 * The one who looks at the clock: cuts clients that send too slowly, notices clients that
 * went away while a question is worked on for them, keeps idle streams alive, and lets
 * old questions leave memory.
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

/* An open connection. Its deadline changes all the time, so no lock is taken for it. */
struct connection {
    int fd;
    atomic_int_least64_t deadline_ms; /* clock_ms() when it is cut; 0: never */
    pthread_mutex_t lock;             /* guards the three that follow */
    struct exchange *guarded;         /* whose question its client waits for; or NULL */
    bool listens;                     /* the kernel tells when the client leaves … */
    bool left;                        /* … which it has done, and does once */
    struct framing framing;           /* of its thread alone, like `requests` */
    size_t requests;                  /* that the library found so far */
    struct connection *next;
    struct connection **link;
};

struct watchdog *watchdog_new(struct server *server);
void watchdog_free(struct watchdog *watchdog);

/* A connection was opened, will be closed. */
struct connection *watchdog_open(struct watchdog *watchdog, int fd);
void watchdog_close(struct watchdog *watchdog, struct connection *connection);
/* The connection has so long for what it is doing; 0: as long as it likes. */
void watchdog_allow(struct connection *connection, int64_t ms);

/* From now on the question of this exchange is stopped when its client goes away. */
void watchdog_guard(struct watchdog *watchdog, struct exchange *exchange);
void watchdog_unguard(struct exchange *exchange);

#endif
