/*
 * Asynchronous HTTP requests: libcurl's multi interface on event loops, so thousands of
 * requests in flight occupy no thread. A multi handle becomes slower the more connections
 * it has, so there are several (one per loop).
 */
#ifndef DGM_BASE_FETCH_H
#define DGM_BASE_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct fetch;
struct fetch_ticket;

struct fetch_settings {
    int loops;           /* 0: one per core, but at least two */
    int connections;     /* maximum per loop and host; 0: no limit */
    const char *ca_file; /* or NULL or "": the system's, SSL_CERT_FILE honoured */
    /* the URL that most requests use; if it does not need libcurl, libcurl is loaded by
     * the first request that does. NULL: load it now */
    const char *url;
    bool libcurl_only; /* use libcurl even for plain HTTP to a numeric address */
};

struct fetch_result;

/* An HTTP request. Unless a field says otherwise, texts are copied by fetch_start(). */
struct fetch_request {
    const char *method;         /* "GET", "POST" */
    const char *url;            /* http or https only; redirects are not followed */
    const char *const *headers; /* "Name: value", NULL-ended; or NULL */
    /* Sent before the body and never copied, so it must not change until on_done; or
     * NULL. For the common beginning of many bodies. */
    const char *prefix;
    size_t prefix_size;
    const char *body; /* copied; or NULL */
    size_t body_size;
    bool body_borrowed; /* not copied: the body must not change until on_done */
    int64_t connect_timeout_ms;
    int64_t idle_timeout_ms; /* maximum time without a received byte */
    int64_t total_timeout_ms;
    size_t max_bytes; /* larger responses are an error */
    /* Called for each piece of the body, on a loop thread; false ends the request without
     * an error (on_done is still called). NULL: the body is collected. */
    bool (*on_data)(void *context, const char *data, size_t size);
    /* Called exactly once, on a loop thread, also after fetch_cancel. */
    void (*on_done)(void *context, const struct fetch_result *result);
    void *context;
};

struct fetch_result {
    bool ok; /* an HTTP response arrived, with any status */
    bool cancelled;
    bool stopped; /* on_data returned false */
    int status;
    /* the collected body with a NUL; when streaming, the first 64 KB of an error body */
    const char *body;
    size_t body_size;
    int64_t retry_after_ms; /* from Retry-After (seconds or date); -1 when absent */
    struct err error;       /* when !ok: NETWORK, TIMEOUT, RESULT_TOO_LARGE */
    double ms;
};

struct fetch *fetch_new(const struct fetch_settings *settings, struct err *err);
/* Cancels running requests (on_done is called) and ends the loops. */
void fetch_free(struct fetch *fetch);
/* From any thread. The ticket is valid until on_done returns. */
struct fetch_ticket *fetch_start(struct fetch *fetch,
                                 const struct fetch_request *request);
/* From any thread, before fetch_forget; does not block. on_done follows. */
void fetch_cancel(struct fetch_ticket *ticket);
/* Releases the caller's reference to the ticket: call it exactly once per fetch_start. */
void fetch_forget(struct fetch_ticket *ticket);
/* A loop for timers (retry waits), chosen round robin. */
struct loop *fetch_loop(struct fetch *fetch);

#endif
