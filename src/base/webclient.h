/*
 * Blocking HTTP requests. The reply is passed to the caller on its own thread as it
 * arrives, so a slow reader slows the sender down instead of filling memory. A stop or a
 * deadline ends the wait within milliseconds. Connections are reused. For thousands of
 * parallel requests: fetch.h.
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
    int64_t deadline_ms;        /* clock_ms() of the deadline; 0: none */
    struct cancel *cancel;      /* or NULL */
    size_t max_bytes;           /* of a collected body; 0: 64 KB */
    /* Gets each piece of a successful (2xx) reply; false: stop. NULL: it is collected. */
    bool (*on_data)(void *context, const char *data, size_t size);
    void *context;
};

struct webclient_reply {
    int status;
    bool enough;     /* on_data said so */
    struct buf body; /* collected; for other statuses always, up to 64 KB */
};

/* ca_file: trusted certificates; NULL or "": the system's, or SSL_CERT_FILE. Thread-safe.
 * NULL: CONFIG or NETWORK. */
struct webclient *webclient_new(const char *ca_file, struct err *err);
/* NULL is allowed; no request may be running */
void webclient_free(struct webclient *client);
/* Before the first request: use these addresses ("::1,127.0.0.1") for this host instead
 * of DNS, without a proxy. Certificates are still verified for the host name. */
void webclient_pin(struct webclient *client, const char *host, const char *port,
                   const char *addresses);

/*
 * True if an HTTP reply arrived, with any status. Otherwise NETWORK, TIMEOUT, STOPPED or
 * RESULT_TOO_LARGE; reply->status tells whether the reply had begun. Release the reply in
 * both cases.
 */
bool webclient_call(struct webclient *client, const struct webclient_request *request,
                    struct webclient_reply *reply, struct err *err);
void webclient_reply_release(struct webclient_reply *reply);

#endif
