/*
 * How many model calls can be in flight: a closed loop of N POST requests through
 * base/fetch against a URL (usually stub_llm). Prints one line: rate, CPU per request,
 * memory.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fetch/fetch.h"
#include "base/memory.h"
#include "base/str.h"

struct load {
    struct fetch *fetch;
    struct fetch_request request;
    atomic_bool ending;
    atomic_size_t done;
    atomic_size_t failed;
};

static bool on_data(void *context, const char *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return true;
}

static void on_done(void *context, const struct fetch_result *result)
{
    struct load *load = context;
    if (!result->ok || result->status != 200) {
        if (atomic_fetch_add(&load->failed, 1) == 0 && !result->cancelled) {
            (void)fprintf(stderr, "%d %s %s\n", result->status, result->error.message,
                          result->error.detail);
        }
    } else {
        (void)atomic_fetch_add(&load->done, 1);
    }
    if (!atomic_load(&load->ending)) {
        fetch_forget(fetch_start(load->fetch, &load->request));
    }
}

static double cpu_us(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static long rss_kb(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) {
        pages = 0;
    }
    if (file) {
        (void)fclose(file);
    }
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void measure(struct load *load, int64_t flights, int64_t seconds,
                    int64_t warm_up_ms)
{
    long before_kb = rss_kb();
    for (int64_t i = 0; i < flights; i++) {
        fetch_forget(fetch_start(load->fetch, &load->request));
    }
    (void)usleep((useconds_t)warm_up_ms * 1000);
    size_t from = atomic_load(&load->done);
    double cpu = cpu_us();
    int64_t start = clock_us();
    (void)usleep((useconds_t)seconds * 1000000);
    size_t count = atomic_load(&load->done) - from;
    double wall = (double)(clock_us() - start) / 1e6;
    cpu = cpu_us() - cpu;
    long kb = rss_kb();
    (void)printf(
        "in flight %ld  %.0f/s  cpu %.1f us/request  rss %.1f MB (%.2f KB each)  "
        "failed %zu\n",
        (long)flights, (double)count / wall, count ? cpu / (double)count : 0,
        (double)kb / 1024, (double)(kb - before_kb) / (double)flights,
        atomic_load(&load->failed));
}

int main(int argc, char **argv)
{
    int64_t flights = 64;
    int64_t seconds = 4;
    int64_t body_size = 5000;
    int64_t warm_up_ms = 2000;
    if (argc < 2 || (argc > 2 && !str_to_int(argv[2], &flights)) ||
        (argc > 3 && !str_to_int(argv[3], &seconds)) ||
        (argc > 4 && !str_to_int(argv[4], &body_size)) ||
        (argc > 5 && !str_to_int(argv[5], &warm_up_ms))) {
        (void)fputs(
            "usage: fetch_load URL [in-flight [seconds [body-bytes [warm-up-ms]]]]\n",
            stderr);
        return 2;
    }
    struct err err = {0};
    struct load load = {0};
    load.fetch = fetch_new(&(struct fetch_settings){0}, &err);
    char *body = memory_alloc((size_t)body_size + 1);
    memset(body, 'x', (size_t)body_size);
    bool stream = getenv("STREAM") != NULL;
    if (stream && body_size > 20) {
        memcpy(body, "\"stream\":true", 13);
    }
    static const char *const headers[] = {"Content-Type: application/json",
                                          "Authorization: Bearer none", NULL};
    load.request = (struct fetch_request){.method = "POST",
                                          .url = argv[1],
                                          .headers = headers,
                                          .body = body,
                                          .body_size = (size_t)body_size,
                                          .body_borrowed = true,
                                          .connect_timeout_ms = 10000,
                                          .idle_timeout_ms = 15000,
                                          .total_timeout_ms = 120000,
                                          .max_bytes = 1 << 20,
                                          .on_data = stream ? on_data : NULL,
                                          .on_done = on_done,
                                          .context = &load};
    measure(&load, flights, seconds, warm_up_ms);
    atomic_store(&load.ending, true);
    fetch_free(load.fetch);
    memory_free(body);
    return 0;
}
