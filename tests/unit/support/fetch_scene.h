/* A client, a small server with many ways to answer, and a catch for what comes back. */
#ifndef DGM_TESTS_FETCH_SCENE_H
#define DGM_TESTS_FETCH_SCENE_H

#include <time.h>

#include "tiny_server.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/fetch/fetch.h"
#include "base/memory.h"
#include "base/str.h"

/* What one request came to, and a way to wait for it. */
struct catch
{
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int done;
    int pieces;
    int stop_at; /* piece at which to say no */
    struct buf data;
    struct fetch_result result;
    char body[4096];
    struct fetch_ticket *cancel_at_piece;
};

static inline void catch_init(struct catch *catch)
{
    *catch = (struct catch){0};
    pthread_mutex_init(&catch->lock, NULL);
    pthread_cond_init(&catch->changed, NULL);
    buf_init(&catch->data, 1 << 20);
}

static inline bool on_data(void *context, const char *data, size_t size)
{
    struct catch *catch = context;
    pthread_mutex_lock(&catch->lock);
    (void)buf_add(&catch->data, data, size);
    catch->pieces++;
    bool go_on = catch->stop_at == 0 || catch->pieces < catch->stop_at;
    pthread_cond_broadcast(&catch->changed);
    pthread_mutex_unlock(&catch->lock);
    return go_on;
}

static inline void on_done(void *context, const struct fetch_result *result)
{
    struct catch *catch = context;
    pthread_mutex_lock(&catch->lock);
    catch->result = *result;
    (void)snprintf(catch->body, sizeof catch->body, "%.*s", 4000, result->body);
    catch->done++;
    pthread_cond_broadcast(&catch->changed);
    pthread_mutex_unlock(&catch->lock);
}

static inline void await_done(struct catch *catch)
{
    pthread_mutex_lock(&catch->lock);
    while (!catch->done) {
        pthread_cond_wait(&catch->changed, &catch->lock);
    }
    pthread_mutex_unlock(&catch->lock);
}

static inline void await_piece(struct catch *catch)
{
    pthread_mutex_lock(&catch->lock);
    while (!catch->pieces) {
        pthread_cond_wait(&catch->changed, &catch->lock);
    }
    pthread_mutex_unlock(&catch->lock);
}

static inline struct fetch_request request_to(const char *url, struct catch *catch)
{
    return (struct fetch_request){.method = "GET",
                                  .url = url,
                                  .connect_timeout_ms = 60000,
                                  .idle_timeout_ms = 200000,
                                  .total_timeout_ms = 300000,
                                  .max_bytes = 1 << 20,
                                  .on_done = on_done,
                                  .context = catch};
}

static struct fetch *client;
static bool libcurl_only;
static struct tiny_server *server;
static char base[64];
static atomic_bool release; /* lets a slow answer go */

/* The path says how to answer. */
static inline bool handle(void *context, int fd, const struct tiny_request *request)
{
    (void)context;
    const char *path = strchr(request->head, ' ') + 1;
    if (str_starts(path, "/echo")) {
        char answer[8192];
        (void)snprintf(answer, sizeof answer, "%s|%s", request->head, request->body);
        return tiny_answer(fd, 200, "", answer);
    }
    if (str_starts(path, "/busy")) {
        return tiny_answer(fd, 429, "Retry-After: 7\r\n", "{\"error\":\"slow down\"}");
    }
    if (str_starts(path, "/date")) {
        char header[80];
        time_t at = time(NULL) + 30;
        struct tm tm;
        (void)strftime(header, sizeof header,
                       "Retry-After: %a, %d %b %Y %H:%M:%S GMT\r\n", gmtime_r(&at, &tm));
        return tiny_answer(fd, 503, header, "");
    }
    if (str_starts(path, "/half")) {
        tiny_write(fd, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this");
        return false;
    }
    if (str_starts(path, "/nothing")) {
        return false;
    }
    if (str_starts(path, "/redirect")) {
        return tiny_answer(fd, 302, "Location: /echo\r\n", "");
    }
    if (str_starts(path, "/drip")) {
        tiny_write(fd,
                   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
        while (!atomic_load(&release) && !atomic_load(&server->ending)) {
            char byte;
            if (recv(fd, &byte, 1, MSG_DONTWAIT) == 0) {
                return false; /* the client hung up */
            }
            (void)usleep(1000);
        }
        tiny_write(fd, "3\r\ndef\r\n0\r\n\r\n");
        return true;
    }
    if (str_starts(path, "/once")) { /* hangs up after the answer, without a word */
        (void)tiny_answer(fd, 200, "", "once");
        return false;
    }
    if (str_starts(path, "/old")) {
        tiny_write(fd,
                   "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end");
        return false;
    }
    if (str_starts(path, "/empty")) {
        tiny_write(fd, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");
        return true;
    }
    if (str_starts(path, "/nonsense")) {
        tiny_write(fd, "SSH-2.0-OpenSSH_9.2\r\n\r\n");
        return false;
    }
    if (str_starts(path, "/early")) { /* answers without reading, and hangs up */
        return tiny_answer(fd, 413, "Connection: close\r\n", "too much") && false;
    }
    if (str_starts(path, "/endless")) {
        tiny_write(fd, "HTTP/1.1 200 OK\r\n\r\n");
        char block[1025];
        memset(block, 'x', 1024);
        block[1024] = '\0';
        while (!atomic_load(&server->ending) && send(fd, block, 1024, MSG_NOSIGNAL) > 0) {
        }
        return false;
    }
    return tiny_answer(fd, 404, "", "no such path");
}

static inline void url_of(char *out, const char *path)
{
    (void)snprintf(out, 128, "%s%s", base, path);
}

static inline void run(const char *path, struct fetch_request *request,
                       struct catch *catch)
{
    char url[128];
    catch_init(catch);
    url_of(url, path);
    struct fetch_request plain = request_to(url, catch);
    if (request) {
        request->url = url;
        request->on_done = on_done;
        request->context = catch;
        plain = *request;
    }
    fetch_forget(fetch_start(client, &plain));
    await_done(catch);
}

static inline int set_up(void **state)
{
    (void)state;
    struct err err;
    client = fetch_new(&(struct fetch_settings){.libcurl_only = libcurl_only}, &err);
    server = tiny_start(handle, NULL);
    (void)snprintf(base, sizeof base, "http://127.0.0.1:%d", server->port);
    return client ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    fetch_free(client);
    tiny_stop(server);
    return 0;
}

/* Everything twice: as it is, and with libcurl alone. */
#define RUN_BOTH_WAYS(tests)                                                             \
    int failed = 0;                                                                      \
    for (int way = 0; way < 2; way++) {                                                  \
        libcurl_only = way == 1;                                                         \
        failed += cmocka_run_group_tests_name(way ? "libcurl" : "wire", (tests), set_up, \
                                              tear_down);                                \
    }                                                                                    \
    return failed

#endif
