/* What a run of the load client is asked to do, and what it found. */
#ifndef DGM_BENCH_HTTP_LOAD_H
#define DGM_BENCH_HTTP_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "http_client.h"

enum { LOAD_REQUESTS_MOST = 1024 };

struct load_settings {
    const char *name;
    const char *aim;
    const char *peers;
    int64_t port;
    int64_t stub_port; /* of the model, which counts its calls; 0: there is none */
    int64_t pid;       /* of the server */
    int64_t connections;
    int64_t seconds;
    int64_t warm_up; /* seconds before the window */
    int64_t count;   /* end after so many, not after seconds; 0: no */
    const char *method;
    const char *path;       /* or of a file with a path per line: */
    const char *paths_file; /* connections take them in turn */
    const char *body;
    const char *expect; /* what a right body holds */
    int64_t status;
    bool once; /* one request per connection, then it is closed */
};

struct load {
    struct load_settings settings;
    struct buf requests[LOAD_REQUESTS_MOST];
    size_t request_count;
    struct http_client *clients;
    int epoll;
    size_t open;
    int64_t window_us; /* where it begins; 0: not yet */
    int64_t end_us;    /* where it ends; 0: open */
    size_t answered;   /* in all */
    size_t counted;    /* in the window */
    size_t wrong;
    uint32_t *times_us;
    double cpu_ms;
    double rss_mb;      /* at the end, or while all were held */
    double rss_peak_mb; /* seen or told by the system */
    double rss_early_mb;
    int64_t calls;
};

enum { LOAD_TIMES_MOST = 4 * 1024 * 1024 };

/* Everything from connecting to the last answer. False: it could not be done. */
bool load_run(struct load *load);

#endif
