/*
 * What one model call costs here: a closed loop of N calls with a 5 KB prompt through the
 * llm layer against an OpenAI-compatible URL (usually stub_llm). Prints one line.
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
#include "llm/llm.h"

struct load {
    struct llm *llm;
    struct llm_call call;
    atomic_bool ending;
    atomic_size_t done;
    atomic_size_t failed;
};

static void on_done(void *context, const struct llm_reply *reply)
{
    struct load *load = context;
    if (reply->ok) {
        (void)atomic_fetch_add(&load->done, 1);
    } else if (!atomic_load(&load->ending) && atomic_fetch_add(&load->failed, 1) == 0) {
        (void)fprintf(stderr, "%s %s\n", reply->error.message, reply->error.detail);
    }
    if (!atomic_load(&load->ending)) {
        llm_forget(llm_start(load->llm, &load->call));
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

static char *prompt_of(size_t size)
{
    static const char line[] = "CREATE TABLE \"Employee\" (\n\t\"EmployeeId\" INTEGER,\n";
    char *text = memory_alloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        text[i] = line[i % (sizeof line - 1)];
    }
    return text;
}

int main(int argc, char **argv)
{
    int64_t flights = 64;
    int64_t seconds = 4;
    int64_t warm_up_ms = 2000;
    bool stream = argc > 3 && str_equal(argv[3], "stream");
    if (argc < 4 || !str_to_int(argv[2], &flights) ||
        (argc > 4 && !str_to_int(argv[4], &seconds)) ||
        (argc > 5 && !str_to_int(argv[5], &warm_up_ms))) {
        (void)fputs("usage: llm_load URL in-flight stream|whole [seconds [warm-up-ms]]\n",
                    stderr);
        return 2;
    }
    struct err err = {0};
    struct load load = {0};
    struct fetch *fetch = fetch_new(&(struct fetch_settings){0}, &err);
    struct options *options = options_new();
    options->llm_provider = "openai";
    options->llm_url = argv[1];
    options->llm_stream = stream;
    load.llm = llm_new(options, fetch, &err);
    if (!load.llm) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    load.call = (struct llm_call){.stage = "fused",
                                  .system = "You write SQL.",
                                  .user = prompt_of(5000),
                                  .schema = "{\"type\":\"object\",\"properties\":{}}",
                                  .on_done = on_done,
                                  .context = &load};
    long before_kb = rss_kb();
    for (int64_t i = 0; i < flights; i++) {
        llm_forget(llm_start(load.llm, &load.call));
    }
    (void)usleep((useconds_t)warm_up_ms * 1000);
    size_t from = atomic_load(&load.done);
    double cpu = cpu_us();
    int64_t start = clock_us();
    (void)usleep((useconds_t)seconds * 1000000);
    size_t count = atomic_load(&load.done) - from;
    double wall = (double)(clock_us() - start) / 1e6;
    cpu = cpu_us() - cpu;
    long kb = rss_kb();
    (void)printf(
        "%s  in flight %ld  %.0f/s  cpu %.1f us/call  rss %.1f MB (%.2f KB each)  "
        "failed %zu\n",
        argv[3], (long)flights, (double)count / wall, count ? cpu / (double)count : 0,
        (double)kb / 1024, (double)(kb - before_kb) / (double)flights,
        atomic_load(&load.failed));
    atomic_store(&load.ending, true);
    llm_free(load.llm);
    fetch_free(fetch);
    options_free(options);
    memory_free((char *)(uintptr_t)load.call.user);
    return 0;
}
