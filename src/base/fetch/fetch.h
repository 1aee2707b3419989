/*
 * HTTP requests in the background: libcurl multi on event loops. Thousands in flight hold
 * no thread. One multi handle grows slow with the connections it holds, so requests are
 * spread over several (one per loop).
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
    int loops;           /* 0: one per core, two at least */
    int connections;     /* most per loop and host; 0: no limit */
    const char *ca_file; /* or NULL or "": the system's, SSL_CERT_FILE honoured */
    const char *url;     /* that most requests will go to; if it needs no libcurl, that is
                            loaded by the first one that does. NULL: at once */
    bool libcurl_only;   /* not even plain requests to a numeric address go without it */
};

struct fetch_result;

struct fetch_request {
    const char *method;         /* "GET", "POST" */
    const char *url;            /* http or https only; redirects are not followed */
    const char *const *headers; /* "Name: value", NULL-ended; or NULL */
    /* Sent before the body, never copied: stays as it is until on_done; or NULL. For what
     * many bodies begin with. */
    const char *prefix;
    size_t prefix_size;
    const char *body; /* copied; or NULL */
    size_t body_size;
    bool body_borrowed; /* not copied: the body stays as it is until on_done */
    int64_t connect_timeout_ms;
    int64_t idle_timeout_ms; /* without a byte */
    int64_t total_timeout_ms;
    size_t max_bytes; /* a larger response is ended with an error */
    /* Called for each piece of the body, on a loop thread; false ends the request quietly
     * (done is still called). NULL: the body is collected. */
    bool (*on_data)(void *context, const char *data, size_t size);
    /* Called exactly once, on a loop thread, also after fetch_cancel. */
    void (*on_done)(void *context, const struct fetch_result *result);
    void *context;
};

struct fetch_result {
    bool ok; /* an HTTP response came, whatever its status */
    bool cancelled;
    bool stopped; /* on_data said so */
    int status;
    const char *body; /* collected body (NUL-ended); error bodies too (first 64 KB) when
                         streaming */
    size_t body_size;
    int64_t retry_after_ms; /* from Retry-After (seconds or date); -1 when absent */
    struct err error;       /* when !ok: NETWORK, TIMEOUT, RESULT_TOO_LARGE */
    double ms;
};

struct fetch *fetch_new(const struct fetch_settings *settings, struct err *err);
/* Cancels what is in flight (on_done is called) and ends the loops. */
void fetch_free(struct fetch *fetch);
/* From any thread. The ticket is valid until on_done returns. */
struct fetch_ticket *fetch_start(struct fetch *fetch,
                                 const struct fetch_request *request);
/* From any thread, at any time before fetch_forget; quick. on_done follows. */
void fetch_cancel(struct fetch_ticket *ticket);
/* The starter's reference to the ticket is dropped: call exactly once per fetch_start. */
void fetch_forget(struct fetch_ticket *ticket);
/* A loop to hang timers on (retry waits), chosen round robin. */
struct loop *fetch_loop(struct fetch *fetch);

#endif
