/* The running server and its settings, shared by the files of this layer. */
#ifndef DGM_SERVER_STATE_H
#define DGM_SERVER_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "dragoman_server.h"
#include "server/questions/inquiry.h"
#include "server/pace.h"
#include "server/throttle.h"
#include "server/questions/watchdog.h"

struct MHD_Daemon;
struct assistants;
struct recheck;
struct upload;
struct workers;

/* Copied from the section `server` of the settings, and a few others. */
struct server_settings {
    char *listen;
    char *hosts;
    char *tls_cert; /* path; "" for plain HTTP */
    char *tls_key;
    char *public_url;   /* without a slash at its end; or "" */
    char *issuer;       /* of single sign-on; "": there is none */
    char *scope_prefix; /* before its scopes */
    bool page_signs_in; /* the page can use it */
    int64_t page_session_s;
    int64_t threads;
    int64_t workers;
    int64_t connections;
    int64_t max_body;
    int64_t max_upload;
    const char *max_upload_name; /* the setting that this limit comes from, for errors */
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
    int64_t watch_ms;      /* schema.watch_s */
    int64_t session_ttl_s; /* session.timeout_s */
    int64_t share_opens;   /* share.opens_per_minute */
};

enum { SERVER_STATUSES = 600 };

/* Counters without a lock, for /metrics. */
struct server_counts {
    atomic_size_t requests;
    atomic_size_t by_status[SERVER_STATUSES];
    atomic_size_t connections; /* currently open */
    atomic_size_t streams;     /* currently open */
    atomic_size_t waiting;     /* currently suspended requests, including streams */
    atomic_size_t refused;     /* refused because of a limit */
    atomic_size_t cut;         /* connections closed because the client was too slow */
    atomic_size_t gone; /* clients that disconnected while their question was running */
};

/*
 * The running server; all its threads share it. What changes while it runs is atomic or
 * has a lock of its own.
 */
struct server {
    struct dgm *dgm;
    struct server_settings settings;
    struct MHD_Daemon *daemon;
    struct workers *workers;       /* run handlers that may block */
    struct workers *store_workers; /* look up keys and write the audit log */
    struct workers *sign_ins; /* wait for the issuer of tokens; NULL: there is none */
    struct workers *exports;  /* run handlers that may block for minutes */
    struct watchdog *watchdog;
    struct assistants *assistants; /* MCP */
    struct recheck *recheck;       /* of what stays open */
    struct registry registry;
    struct server_counts counts;
    pthread_mutex_t uploads_lock;
    struct upload *uploads;     /* uploads in progress */
    struct throttle link_opens; /* of links, which need no key */
    struct pace refreshes;      /* of schemas, by callers who are not administrators */
    struct pace pace;           /* of small requests while somebody types */
    atomic_bool closing;
    bool shared;            /* other processes use the same store */
    atomic_size_t followed; /* questions of other processes that were followed so far */
    atomic_bool warm; /* a question has been accepted, so all services are started */
    bool loopback;
    atomic_bool locked;  /* access keys exist, or did since the start */
    atomic_bool looking; /* a check for keys is running */
    int socket;
    char *certificate; /* texts of the TLS files until the server has started; or NULL */
    char *key;
    char host[256]; /* as it was given */
    char address[300];
    int64_t born_ms;
};

struct err;
bool server_fail(struct dgm_error *error, const struct err *err); /* returns false */

#endif
