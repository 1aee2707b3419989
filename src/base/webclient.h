/*
 * HTTP requests that the calling thread waits for. The answer is handed over on that very
 * thread while it comes in, so a slow reader slows the sender down instead of
 * filling memory. A stop or a deadline ends the wait within some milliseconds.
 * Connections are kept between requests. For thousands of requests at once: fetch.h.
 */
#ifndef DGM_BASE_WEBCLIENT_H
#define DGM_BASE_WEBCLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/err.h"

struct webclient;

struct webclient_request {
    const char *method;         /* "GET", "POST", … */
    const char *url;            /* http or https only; redirects are not followed */
    const char *const *headers; /* "Name: value", NULL-ended; or NULL */
    const char *body;           /* or NULL */
    size_t body_size;
    int64_t connect_timeout_ms; /* 0: libcurl's own */
    int64_t deadline_ms;        /* clock_ms() at which to give up; 0: none */
    struct cancel *cancel;      /* or NULL */
    size_t max_bytes;           /* of a collected body; 0: 64 KB */
    /* Gets each piece of a good answer (2xx); false: enough. NULL: it is collected. */
    bool (*on_data)(void *context, const char *data, size_t size);
    void *context;
};

struct webclient_reply {
    int status;
    bool enough;     /* on_data said so */
    struct buf body; /* collected; of a bad status its first 64 KB in any case */
};

/* ca_file: who may sign certificates; NULL or "": the system's, SSL_CERT_FILE honoured.
 * Thread-safe. NULL: CONFIG or NETWORK. */
struct webclient *webclient_new(const char *ca_file, struct err *err);
void webclient_free(struct webclient *client); /* NULL is fine; nothing in flight */
/* Before the first call: this host is at these addresses ("::1,127.0.0.1") whatever a
 * look-up says, and no proxy is asked. Certificates are still the host's. */
void webclient_pin(struct webclient *client, const char *host, const char *port,
                   const char *addresses);

/* True when an HTTP answer came, whatever its status. Else NETWORK, TIMEOUT, STOPPED or
 * RESULT_TOO_LARGE; reply->status tells whether the answer had begun. The reply is to be
 * released either way. */
bool webclient_call(struct webclient *client, const struct webclient_request *request,
                    struct webclient_reply *reply, struct err *err);
void webclient_reply_release(struct webclient_reply *reply);

#endif
