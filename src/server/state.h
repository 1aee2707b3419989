/* What the files of this folder share: the running server and its settings. */
#ifndef DGM_SERVER_STATE_H
#define DGM_SERVER_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "dragoman_server.h"
#include "server/questions/inquiry.h"
#include "server/refresh.h"
#include "server/questions/watchdog.h"

struct MHD_Daemon;
struct upload;
struct workers;

/* From the section `server` of the settings, and the few others it needs. */
struct server_settings {
    char *listen;
    char *hosts;
    char *tls_cert; /* files; "" for plain HTTP */
    char *tls_key;
    int64_t threads;
    int64_t workers;
    int64_t connections;
    int64_t max_body;
    int64_t max_upload;
    const char *max_upload_name; /* the setting that this limit comes from */
    int64_t upload_timeout_ms;
    int64_t header_timeout_ms;
    int64_t body_timeout_ms;
    int64_t idle_timeout_ms;
    int64_t heartbeat_ms;
    int64_t drain_ms;
    int64_t queue;
    int64_t keep_ms;
    int64_t keep_bytes;
    int64_t answer_ttl_ms; /* ask.ttl_s */
    int64_t session_ttl_s; /* session.timeout_s */
};

enum { SERVER_STATUSES = 600 };

/* Counted without a lock; read by /metrics. */
struct server_counts {
    atomic_size_t requests;
    atomic_size_t by_status[SERVER_STATUSES];
    atomic_size_t connections; /* open now */
    atomic_size_t streams;     /* open now */
    atomic_size_t waiting;     /* requests suspended now, streams too */
    atomic_size_t refused;     /* for want of room */
    atomic_size_t cut;         /* slow clients */
    atomic_size_t gone;        /* clients that left while we worked for them */
};

struct server {
    struct dgm *dgm;
    struct server_settings settings;
    struct MHD_Daemon *daemon;
    struct workers *workers; /* for handlers that may block */
    struct workers
        *store_workers;      /* for what connections need of the store: keys, audit */
    struct workers *exports; /* for those that may do so for minutes */
    struct watchdog *watchdog;
    struct registry registry;
    struct server_counts counts;
    pthread_mutex_t uploads_lock;
    struct upload *uploads; /* under way */
    struct refreshes refreshes;
    atomic_bool closing;
    bool shared;            /* other processes answer the same questions */
    atomic_size_t followed; /* questions of theirs, so far */
    atomic_bool warm;       /* a question was taken in: everything is open */
    bool loopback;
    atomic_bool locked;  /* there are keys, or were since it started */
    atomic_bool looking; /* for them */
    int socket;
    char *certificate; /* texts of the TLS files until it has started; or NULL */
    char *key;
    char host[256]; /* as it was given */
    char address[300];
    int64_t born_ms;
};

struct err;
bool server_fail(struct dgm_error *error, const struct err *err); /* returns false */

#endif
