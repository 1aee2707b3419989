/*
 * A load client for the service: keep-alive connections in a closed loop, every body
 * checked for the right answer; beside rates and times it reports what the server's
 * process cost and how often the model was called. Prints one line of a table.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "base/str.h"
#include "http_load.h"

static const struct option {
    const char *name;
    size_t text; /* where it goes, and */
    size_t number;
} options[] = {
#define TEXT(name, field)   {name, offsetof(struct load_settings, field), 0},
#define NUMBER(name, field) {name, 0, offsetof(struct load_settings, field)},
    TEXT("--name", name) TEXT("--aim", aim) TEXT("--peers", peers)
        TEXT("--method", method) TEXT("--path", path) TEXT("--paths-file", paths_file)
            TEXT("--body", body) TEXT("--expect", expect) NUMBER("--port", port)
                NUMBER("--stub", stub_port) NUMBER("--pid", pid)
                    NUMBER("--connections", connections) NUMBER("--seconds", seconds)
                        NUMBER("--warm-up", warm_up) NUMBER("--count", count)
                            NUMBER("--status", status)
#undef TEXT
#undef NUMBER
};

static int usage(void)
{
    (void)fputs(
        "usage: http_load call PORT METHOD PATH [BODY]   one request; prints the body\n"
        "       http_load head                            the table's first line\n"
        "       http_load loop|once --port N --pid N --connections N [--OPTION "
        "VALUE]...\n"
        "loop asks again and again; once asks one question per connection.\n",
        stderr);
    return 2;
}

static bool read_option(struct load_settings *settings, const char *name,
                        const char *value)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (!str_equal(name, options[i].name)) {
            continue;
        }
        char *at = (char *)settings;
        if (options[i].number) {
            return str_to_int(value, (int64_t *)(void *)(at + options[i].number));
        }
        *(const char **)(void *)(at + options[i].text) = value;
        return true;
    }
    return false;
}

static void add_request(struct load *load, const char *path)
{
    struct buf *request = &load->requests[load->request_count++];
    buf_init(request, 1 << 20);
    http_client_write(request, load->settings.method, path, load->settings.body);
}

static bool make_requests(struct load *load)
{
    char line[512];
    if (!load->settings.paths_file) {
        add_request(load, load->settings.path);
        return true;
    }
    FILE *file = fopen(load->settings.paths_file, "re");
    while (file && fgets(line, sizeof line, file) &&
           load->request_count < LOAD_REQUESTS_MOST) {
        line[strcspn(line, "\n")] = '\0';
        add_request(load, line);
    }
    if (file) {
        (void)fclose(file);
    }
    return load->request_count > 0;
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void print_head(void)
{
    (void)printf("%-34s %6s %8s %8s %8s %8s %6s %7s %7s %5s  %-30s %s\n", "", "conns",
                 "q/s", "p50 ms", "p99 ms", "CPU ms/q", "calls", "RSS MB", "peak MB",
                 "wrong", "aim", "peers");
}

/* Of the sorted times, in milliseconds: the one that so many of a hundred stay below. */
static double time_at(const struct load *load, size_t count, size_t percent)
{
    size_t place = count * percent / 100;
    return count ? (double)load->times_us[place] / 1000.0 : 0;
}

static void print_line(struct load *load)
{
    const struct load_settings *settings = &load->settings;
    size_t count = load->counted < LOAD_TIMES_MOST ? load->counted : LOAD_TIMES_MOST;
    if (count && load->times_us) {
        qsort(load->times_us, count, sizeof *load->times_us, by_size);
    }
    double seconds = (double)(load->end_us - load->window_us) / 1e6;
    double asked = load->answered ? (double)load->answered : 1;
    char rate[16] = "-"; /* of questions that are asked once there is none */
    if (!settings->once) {
        (void)snprintf(rate, sizeof rate, "%.0f", (double)load->counted / seconds);
    }
    (void)printf("%-34s %6d %8s %8.2f %8.2f %8.4f %6.2f %7.1f %7.1f %5zu  %-30s %s\n",
                 settings->name, (int)settings->connections, rate,
                 time_at(load, count, 50), time_at(load, count, 99),
                 load->counted ? load->cpu_ms / (double)load->counted : 0,
                 (double)load->calls / asked, load->rss_mb, load->rss_peak_mb,
                 load->wrong, settings->aim, settings->peers);
    if (settings->count) {
        (void)printf("%-34s after a fifth of %d: %.1f MB, at the end: %.1f MB\n", "",
                     (int)settings->count, load->rss_early_mb, load->rss_mb);
    }
}

/* One request; its body goes to stdout. Fails unless the status is 2xx. */
static int call_once(int argc, char **argv)
{
    struct http_client client = {0};
    struct buf request;
    int64_t port = 0;
    if (argc < 5 || !str_to_int(argv[2], &port)) {
        return usage();
    }
    buf_init(&request, 1 << 20);
    http_client_write(&request, argv[3], argv[4], argc > 5 ? argv[5] : NULL);
    bool came = http_client_call(&client, (int)port, request.data, request.size);
    const char *body = came ? strstr(buf_get(&client.in), "\r\n\r\n") : NULL;
    (void)printf("%s\n", body ? body + 4 : "");
    int status = came ? http_client_status(&client) : 0;
    http_client_close(&client);
    buf_release(&request);
    return status / 100 == 2 ? 0 : 1;
}

static int run(struct load *load)
{
    load->clients =
        memory_array((size_t)load->settings.connections, sizeof *load->clients);
    load->times_us = memory_array(LOAD_TIMES_MOST, sizeof *load->times_us);
    bool ok = make_requests(load) && load_run(load);
    if (ok) {
        print_line(load);
    }
    for (size_t i = 0; i < load->request_count; i++) {
        buf_release(&load->requests[i]);
    }
    memory_free(load->times_us);
    memory_free(load->clients);
    return ok && !load->wrong ? 0 : 1;
}

int main(int argc, char **argv)
{
    static struct load load = {.settings = {.name = "",
                                            .aim = "",
                                            .peers = "",
                                            .connections = 1,
                                            .seconds = 4,
                                            .warm_up = 1,
                                            .method = "GET",
                                            .path = "/",
                                            .expect = "",
                                            .status = 200}};
    struct rlimit files;
    (void)getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files);
    (void)signal(SIGPIPE, SIG_IGN);
    if (argc > 1 && str_equal(argv[1], "head")) {
        print_head();
        return 0;
    }
    if (argc > 1 && str_equal(argv[1], "call")) {
        return call_once(argc, argv);
    }
    if (argc < 2 || (!str_equal(argv[1], "loop") && !str_equal(argv[1], "once"))) {
        return usage();
    }
    load.settings.once = str_equal(argv[1], "once");
    load.settings.warm_up = load.settings.once ? 0 : load.settings.warm_up;
    for (int i = 2; i < argc; i += 2) {
        if (i + 1 >= argc || !read_option(&load.settings, argv[i], argv[i + 1])) {
            return usage();
        }
    }
    return run(&load);
}
