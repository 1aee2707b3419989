/*
 * A language model that says fixed things, for benchmarks: one thread, epoll, the
 * OpenAI chat protocol as JSON and as SSE. GET /count tells how often it was asked. It
 * must never be what a benchmark measures, so answers are made once and written as they
 * are; the delay is a queue, since it is the same for all.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"

enum {
    READ_BYTES = 256 * 1024, /* one shared read buffer: most requests fit at once */
    REQUEST_MOST = 8 * 1024 * 1024,
    REPLY_MOST = 16 * 1024 * 1024,
    EVENTS = 512,
    PIECE_BYTES = 24, /* text per SSE chunk */
    REPLIES_MOST = 8,
};

static const char DEFAULT_REPLY[] =
    "{\"intent\":\"TEXT_TO_SQL\",\"tables\":[\"Employee\"],\"joins\":[],"
    "\"summary\":\"Count the employees.\",\"plan\":[\"count the rows of Employee\"],"
    "\"sql\":\"SELECT COUNT(*) AS n FROM Employee\","
    "\"explanation\":\"Counts all rows of Employee.\",\"confidence\":0.95}";

/* Complete HTTP responses. The one for everything else comes last and has no words. */
struct reply {
    const char *words; /* in the request */
    char *text;
    struct buf json;
    struct buf sse;
};

struct connection {
    int fd;
    bool waiting; /* a request was read and its answer is due later */
    bool stream;
    const struct reply *reply;
    bool gone; /* closed while waiting: freed when it comes up in the queue */
    int64_t due_us;
    struct connection *next; /* in the delay queue */
    struct buf in;           /* a request that did not come in one piece */
    const char *out;         /* rest of an answer that did not go out in one piece */
    size_t out_size;
};

struct stub {
    int epoll;
    int listener;
    int64_t delay_us;
    struct reply replies[REPLIES_MOST + 1];
    size_t reply_count;
    size_t calls;
    char count[128];
    struct connection *first;
    struct connection **last;
    char *scratch;
};

static int64_t now_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void make_json(struct buf *out, const char *reply)
{
    struct buf body;
    buf_init(&body, REPLY_MOST);
    (void)buf_text(&body, "{\"id\":\"stub\",\"object\":\"chat.completion\",\"created\":0,"
                          "\"model\":\"stub\",\"choices\":[{\"index\":0,\"message\":"
                          "{\"role\":\"assistant\",\"content\":");
    writer_quote(&body, reply, strlen(reply));
    (void)buf_text(&body,
                   "},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1200,"
                   "\"completion_tokens\":80,\"total_tokens\":1280}}");
    buf_init(out, REPLY_MOST);
    (void)buf_format(out,
                     "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                     "Content-Length: %zu\r\n\r\n",
                     body.size);
    (void)buf_add(out, buf_get(&body), body.size);
    buf_release(&body);
}

static void add_chunk(struct buf *out, const char *data)
{
    (void)buf_format(out, "%zx\r\n%s\r\n", strlen(data), data);
}

static void add_delta(struct buf *out, const char *text, size_t size, const char *tail)
{
    struct buf event;
    buf_init(&event, REPLY_MOST);
    (void)buf_text(&event, "data: {\"id\":\"stub\",\"object\":\"chat.completion.chunk\","
                           "\"created\":0,\"model\":\"stub\",\"choices\":[{\"index\":0,"
                           "\"delta\":{");
    if (text) {
        (void)buf_text(&event, "\"content\":");
        writer_quote(&event, text, size);
    }
    (void)buf_format(&event, "},\"finish_reason\":%s}]}\n\n", tail);
    add_chunk(out, buf_get(&event));
    buf_release(&event);
}

static void make_sse(struct buf *out, const char *reply)
{
    buf_init(out, REPLY_MOST);
    (void)buf_text(out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n");
    size_t size = strlen(reply);
    for (size_t at = 0; at < size;) {
        size_t most = at + PIECE_BYTES < size ? at + PIECE_BYTES : size;
        while (most < size && ((unsigned char)reply[most] & 0xC0) == 0x80) {
            most++; /* not inside a character */
        }
        add_delta(out, reply + at, most - at, "null");
        at = most;
    }
    add_delta(out, NULL, 0, "\"stop\"");
    add_chunk(out,
              "data: {\"id\":\"stub\",\"choices\":[],\"usage\":{\"prompt_tokens\":1200,"
              "\"completion_tokens\":80,\"total_tokens\":1280}}\n\n");
    add_chunk(out, "data: [DONE]\n\n");
    (void)buf_text(out, "0\r\n\r\n");
}

static void watch(struct stub *stub, struct connection *connection, int operation,
                  uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = connection};
    (void)epoll_ctl(stub->epoll, operation, connection->fd, &event);
}

static void drop(struct connection *connection)
{
    if (connection->fd >= 0) {
        (void)close(connection->fd);
        connection->fd = -1;
    }
    if (connection->waiting) {
        connection->gone = true;
        return;
    }
    buf_release(&connection->in);
    memory_free(connection);
}

/* False when the connection is gone. */
static bool send_rest(struct stub *stub, struct connection *connection)
{
    while (connection->out_size > 0) {
        ssize_t sent =
            send(connection->fd, connection->out, connection->out_size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) {
            watch(stub, connection, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
            return true;
        }
        if (sent <= 0) {
            drop(connection);
            return false;
        }
        connection->out += sent;
        connection->out_size -= (size_t)sent;
    }
    return true;
}

static bool answer(struct stub *stub, struct connection *connection)
{
    const struct reply *reply = connection->reply;
    const struct buf *whole = connection->stream ? &reply->sse : &reply->json;
    connection->out = whole->data;
    connection->out_size = whole->size;
    return send_rest(stub, connection);
}

/* Bytes of the first request in data, or 0 when it is not complete yet. */
static size_t request_size(const char *data, size_t size)
{
    const char *end = memmem(data, size, "\r\n\r\n", 4);
    if (!end) {
        return 0;
    }
    size_t head = (size_t)(end - data) + 4;
    size_t body = 0;
    for (const char *line = data; line < end;) {
        if (strncasecmp(line, "content-length:", 15) == 0) {
            body = strtoul(line + 15, NULL, 10);
        }
        const char *next = memchr(line, '\n', (size_t)(end - line));
        line = next ? next + 1 : end;
    }
    return body <= REQUEST_MOST && head + body <= size ? head + body : 0;
}

/* Not sent in pieces: it is short, and the one who asks does nothing else. */
static bool say_count(struct stub *stub, struct connection *connection)
{
    char number[24];
    (void)snprintf(number, sizeof number, "%zu", stub->calls);
    (void)snprintf(stub->count, sizeof stub->count,
                   "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s", strlen(number),
                   number);
    connection->out = stub->count;
    connection->out_size = strlen(stub->count);
    return send_rest(stub, connection);
}

static const struct reply *choose_reply(const struct stub *stub, const char *data,
                                        size_t size)
{
    const struct reply *reply = stub->replies;
    while (reply->words && !memmem(data, size, reply->words, strlen(reply->words))) {
        reply++;
    }
    return reply;
}

static bool take_request(struct stub *stub, struct connection *connection,
                         const char *data, size_t size)
{
    static const char wish[] = "\"stream\":true";
    if (size > 10 && memcmp(data, "GET /count", 10) == 0) {
        return say_count(stub, connection);
    }
    stub->calls++;
    connection->stream = memmem(data, size, wish, sizeof wish - 1) != NULL;
    connection->reply = choose_reply(stub, data, size);
    if (stub->delay_us == 0) {
        return answer(stub, connection);
    }
    connection->waiting = true;
    connection->due_us = now_us() + stub->delay_us;
    connection->next = NULL;
    *stub->last = connection;
    stub->last = &connection->next;
    return true;
}

/* Reads what is there; a request in one piece is never copied. */
static void on_readable(struct stub *stub, struct connection *connection)
{
    for (;;) {
        ssize_t got = recv(connection->fd, stub->scratch, READ_BYTES, 0);
        if (got < 0 && errno == EAGAIN) {
            return;
        }
        if (got <= 0) {
            drop(connection);
            return;
        }
        const char *data = stub->scratch;
        size_t size = (size_t)got;
        if (connection->in.size > 0) {
            (void)buf_add(&connection->in, data, size);
            data = connection->in.data;
            size = connection->in.size;
        }
        size_t request = request_size(data, size);
        if (request == 0) {
            if (connection->in.size == 0) {
                (void)buf_add(&connection->in, data, size);
            }
            if (connection->in.full) {
                drop(connection);
                return;
            }
        } else {
            bool alive = take_request(stub, connection, data, request);
            if (!alive) {
                return;
            }
            buf_release(&connection->in); /* clients here do not pipeline */
        }
        if (got < READ_BYTES) {
            return;
        }
    }
}

static void on_connect(struct stub *stub)
{
    for (;;) {
        int fd = accept4(stub->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            return;
        }
        int one = 1;
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct connection *connection = memory_alloc(sizeof *connection);
        connection->fd = fd;
        buf_init(&connection->in, REQUEST_MOST);
        watch(stub, connection, EPOLL_CTL_ADD, EPOLLIN);
    }
}

/* Answers what is due; returns the milliseconds to the next one, -1 for none. */
static int run_queue(struct stub *stub)
{
    int64_t now = now_us();
    while (stub->first) {
        struct connection *connection = stub->first;
        if (connection->due_us > now) {
            return (int)((connection->due_us - now + 999) / 1000);
        }
        stub->first = connection->next;
        if (!stub->first) {
            stub->last = &stub->first;
        }
        connection->waiting = false;
        if (connection->gone) {
            drop(connection);
        } else {
            (void)answer(stub, connection);
        }
    }
    return -1;
}

static void serve(struct stub *stub)
{
    struct epoll_event events[EVENTS];
    for (;;) {
        int count = epoll_wait(stub->epoll, events, EVENTS, run_queue(stub));
        for (int i = 0; i < count; i++) {
            struct connection *connection = events[i].data.ptr;
            if (!connection) {
                on_connect(stub);
            } else if (events[i].events & EPOLLOUT) {
                watch(stub, connection, EPOLL_CTL_MOD, EPOLLIN);
                (void)send_rest(stub, connection);
            } else {
                on_readable(stub, connection);
            }
        }
    }
}

static bool listen_on(struct stub *stub, int64_t port)
{
    stub->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int one = 1;
    (void)setsockopt(stub->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(stub->listener, (struct sockaddr *)&address, size) != 0 ||
        listen(stub->listener, 4096) != 0) {
        return false;
    }
    (void)getsockname(stub->listener, (struct sockaddr *)&address, &size);
    stub->epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    (void)epoll_ctl(stub->epoll, EPOLL_CTL_ADD, stub->listener, &event);
    (void)printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
    (void)fflush(stdout);
    return true;
}

static char *read_reply(const char *path)
{
    FILE *file = fopen(path, "rbe");
    if (!file) {
        return NULL;
    }
    char *text = memory_alloc(REQUEST_MOST);
    size_t size = fread(text, 1, REQUEST_MOST - 1, file);
    text[size] = '\0';
    (void)fclose(file);
    return text;
}

static int usage(void)
{
    (void)fputs("usage: stub_llm [--port N] [--delay-ms N] [--reply FILE] [--when WORDS "
                "FILE]...\n"
                "  --port 0 takes a free one; the first line printed says which\n"
                "  --when: what it says to requests that hold these words\n",
                stderr);
    return 2;
}

/* Reads the arguments; what is said by default comes last. */
static bool read_arguments(struct stub *stub, int argc, char **argv, int64_t *port)
{
    int64_t delay_ms = 0;
    char *otherwise = NULL;
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        bool ok = false;
        if (str_equal(argv[i], "--port")) {
            ok = str_to_int(value, port) && *port >= 0 && *port <= 65535;
        } else if (str_equal(argv[i], "--delay-ms")) {
            ok = str_to_int(value, &delay_ms) && delay_ms >= 0 && delay_ms < 3600000;
        } else if (str_equal(argv[i], "--reply")) {
            otherwise = read_reply(value);
            ok = otherwise != NULL;
        } else if (str_equal(argv[i], "--when") && i + 2 < argc &&
                   stub->reply_count < REPLIES_MOST) {
            struct reply *reply = &stub->replies[stub->reply_count++];
            reply->words = value;
            reply->text = read_reply(argv[++i + 1]);
            ok = reply->text != NULL;
        }
        if (!ok) {
            return false;
        }
    }
    stub->delay_us = delay_ms * 1000;
    stub->replies[stub->reply_count++].text =
        otherwise ? otherwise : memory_text(DEFAULT_REPLY);
    return true;
}

int main(int argc, char **argv)
{
    static struct stub stub;
    int64_t port = 0;
    if (!read_arguments(&stub, argc, argv, &port)) {
        return usage();
    }
    struct rlimit files;
    (void)getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files);
    (void)signal(SIGPIPE, SIG_IGN);
    stub.last = &stub.first;
    stub.scratch = memory_alloc(READ_BYTES);
    for (size_t i = 0; i < stub.reply_count; i++) {
        make_json(&stub.replies[i].json, stub.replies[i].text);
        make_sse(&stub.replies[i].sse, stub.replies[i].text);
    }
    if (!listen_on(&stub, port)) {
        (void)fprintf(stderr, "stub_llm: cannot listen on port %d\n", (int)port);
        return 1;
    }
    serve(&stub);
    return 0;
}
