/* The closed loop: each connection asks again as soon as it is answered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "http_load.h"
#include "process_figures.h"

enum { EVENTS = 512, SAMPLE_US = 100000, CONNECT_AT_ONCE = 500, STALL_US = 120000000 };

static void watch(struct load *load, struct http_client *client, int operation)
{
    struct epoll_event event = {.events = client->out_size ? EPOLLIN | EPOLLOUT : EPOLLIN,
                                .data.ptr = client};
    (void)epoll_ctl(load->epoll, operation, client->fd, &event);
}

static void leave(struct load *load, struct http_client *client)
{
    if (client->open) {
        http_client_close(client);
        load->open--;
    }
}

static void ask(struct load *load, struct http_client *client)
{
    const struct buf *request = &load->requests[client->asked];
    buf_clear(&client->in);
    client->sent_us = clock_us();
    bool pending = client->out_size > 0;
    if (!http_client_send(client, request->data, request->size)) {
        load->wrong++;
        leave(load, client);
    } else if (client->out_size || pending) {
        watch(load, client, EPOLL_CTL_MOD);
    }
}

static bool is_over(const struct load *load)
{
    const struct load_settings *settings = &load->settings;
    return load->end_us ||
           (settings->count && load->answered + load->open > (size_t)settings->count);
}

static void on_answer(struct load *load, struct http_client *client)
{
    const struct load_settings *settings = &load->settings;
    int64_t now = clock_us();
    load->answered++;
    if (http_client_status(client) != (int)settings->status ||
        !http_client_has(client, settings->expect)) {
        if (load->wrong++ == 0) {
            (void)fprintf(stderr, "http_load: %.1500s\n", buf_get(&client->in));
        }
    }
    if (load->window_us && !load->end_us) {
        if (load->counted < LOAD_TIMES_MOST) {
            load->times_us[load->counted] = (uint32_t)(now - client->sent_us);
        }
        load->counted++;
    }
    if (settings->once || is_over(load)) {
        leave(load, client);
    } else {
        ask(load, client);
    }
}

static void on_event(struct load *load, struct http_client *client, uint32_t events)
{
    if (!client->open) {
        return;
    }
    if (events & EPOLLOUT) {
        if (!http_client_send_rest(client)) {
            load->wrong++;
            leave(load, client);
            return;
        }
        watch(load, client, EPOLL_CTL_MOD);
    }
    if (events & (EPOLLIN | EPOLLERR | EPOLLHUP)) {
        enum http_state state = http_client_read(client);
        if (state == HTTP_WHOLE) {
            on_answer(load, client);
        } else if (state == HTTP_GONE) {
            load->wrong++;
            leave(load, client);
        }
    }
}

static void take_events(struct load *load)
{
    struct epoll_event events[EVENTS];
    int count = epoll_wait(load->epoll, events, EVENTS, 20);
    for (int i = 0; i < count; i++) {
        on_event(load, events[i].data.ptr, events[i].events);
    }
}

/* The first request of each goes out with its connection. */
static bool connect_all(struct load *load)
{
    size_t count = (size_t)load->settings.connections;
    for (size_t i = 0; i < count; i++) {
        struct http_client *client = &load->clients[i];
        if (!http_client_connect(client, (int)load->settings.port)) {
            (void)fputs("http_load: no more connections; see ulimit -n\n", stderr);
            return false;
        }
        client->asked = i % load->request_count;
        client->out = load->requests[client->asked].data;
        client->out_size = load->requests[client->asked].size;
        client->sent_us = clock_us();
        load->open++;
        watch(load, client, EPOLL_CTL_ADD);
        if (i % CONNECT_AT_ONCE == CONNECT_AT_ONCE - 1) {
            take_events(load);
        }
    }
    return true;
}

static int64_t count_calls(const struct load *load)
{
    struct http_client client = {0};
    struct buf request;
    int64_t calls = 0;
    if (!load->settings.stub_port) {
        return 0;
    }
    buf_init(&request, 1024);
    http_client_write(&request, "GET", "/count", NULL);
    if (http_client_call(&client, (int)load->settings.stub_port, request.data,
                         request.size)) {
        const char *at = strstr(buf_get(&client.in), "\r\n\r\n");
        calls = at ? strtol(at + 4, NULL, 10) : 0;
    }
    http_client_close(&client);
    buf_release(&request);
    return calls;
}

static void sample(struct load *load)
{
    double now = process_memory_mb((long)load->settings.pid, "VmRSS:");
    bool held = !load->settings.once || load->open == (size_t)load->settings.connections;
    if (held && !load->end_us) {
        load->rss_mb = now;
    }
    if (load->settings.count && load->answered * 5 < (size_t)load->settings.count) {
        load->rss_early_mb = now; /* the last one of the first fifth */
    }
}

/* Opens and closes the window. */
static void keep_time(struct load *load, int64_t start_us)
{
    const struct load_settings *settings = &load->settings;
    int64_t now = clock_us();
    if (!load->window_us && now - start_us >= settings->warm_up * 1000000) {
        load->window_us = now;
        load->cpu_ms = process_cpu_ms((long)settings->pid);
    } else if (load->window_us && !load->end_us && !settings->once && !settings->count &&
               now - load->window_us >= settings->seconds * 1000000) {
        load->cpu_ms = process_cpu_ms((long)settings->pid) - load->cpu_ms;
        load->end_us = now;
    }
}

bool load_run(struct load *load)
{
    load->epoll = epoll_create1(EPOLL_CLOEXEC);
    int64_t calls = count_calls(load);
    int64_t start_us = clock_us();
    int64_t sampled_us = 0;
    size_t seen = 0;
    int64_t seen_us = start_us;
    if (!connect_all(load)) {
        return false;
    }
    while (load->open) {
        keep_time(load, start_us);
        take_events(load);
        int64_t now = clock_us();
        if (now - sampled_us >= SAMPLE_US) {
            sampled_us = now;
            sample(load);
        }
        if (load->answered != seen) {
            seen = load->answered;
            seen_us = now;
        } else if (now - seen_us > STALL_US) {
            (void)fputs("http_load: no answer for two minutes\n", stderr);
            return false;
        }
    }
    if (!load->end_us) {
        load->end_us = clock_us();
        load->cpu_ms = process_cpu_ms((long)load->settings.pid) - load->cpu_ms;
    }
    load->rss_peak_mb = process_memory_mb((long)load->settings.pid, "VmHWM:");
    load->calls = count_calls(load) - calls;
    (void)close(load->epoll);
    return true;
}
