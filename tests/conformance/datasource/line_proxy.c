/* Somebody between dragoman and a server: a thread for each line. */
#include "line_proxy.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LINES_MOST = 256,
    SLOW_MS = 600, /* far longer than a wait that gives up early */
    SLICE_MS = 20,
    BLOCK = 1 << 16,
    POSTGRES_ASKS_TLS = 80877103,
    POSTGRES_CANCELS = 80877102,
    MYSQL_HAS_TLS = 0x0800,
    MYSQL_ASKS_TLS_SIZE = 32,
};

struct line {
    struct line_proxy *proxy;
    pthread_t thread;
    int client;
    int server;
};

struct line_proxy {
    enum kind_line kind;
    int server_port;
    int socket;
    int port;
    atomic_int mode;
    atomic_int handshakes;
    atomic_int plain_logins;
    atomic_bool ending;
    pthread_t thread;
    struct line lines[LINES_MOST];
    size_t count; /* of the accepting thread alone, until that is joined */
};

/* Waits for bytes; 0: the line or the test is at its end. */
static size_t take(struct line_proxy *proxy, int from, unsigned char *bytes, size_t most)
{
    while (!atomic_load(&proxy->ending)) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (poll(&ready, 1, SLICE_MS) > 0) {
            ssize_t size = recv(from, bytes, most, 0);
            return size > 0 ? (size_t)size : 0;
        }
    }
    return 0;
}

static bool take_all(struct line_proxy *proxy, int from, unsigned char *bytes,
                     size_t size)
{
    size_t done = 0;
    for (size_t more = 1; done < size && more; done += more) {
        more = take(proxy, from, bytes + done, size - done);
    }
    return done == size;
}

static bool give(int to, const unsigned char *bytes, size_t size)
{
    return send(to, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
}

/* Both ways, until one side has enough. */
static void pump(struct line *line)
{
    unsigned char *bytes = malloc(BLOCK);
    bool open = bytes != NULL;
    while (open && !atomic_load(&line->proxy->ending)) {
        struct pollfd ready[] = {{.fd = line->client, .events = POLLIN},
                                 {.fd = line->server, .events = POLLIN}};
        (void)poll(ready, 2, SLICE_MS);
        for (int i = 0; i < 2 && open; i++) {
            if (ready[i].revents) {
                ssize_t size = recv(ready[i].fd, bytes, BLOCK, 0);
                open = size > 0 && give(ready[1 - i].fd, bytes, (size_t)size);
            }
        }
    }
    free(bytes);
}

static void reset(struct line *line)
{
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(line->client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

/* The client has been told that there is TLS; its first bytes of it come now. */
static void handshake(struct line *line)
{
    struct line_proxy *proxy = line->proxy;
    int mode = atomic_load(&proxy->mode);
    unsigned char *bytes = malloc(BLOCK);
    size_t size = bytes ? take(proxy, line->client, bytes, BLOCK) : 0;
    if (size > 0) {
        atomic_fetch_add(&proxy->handshakes, 1);
    }
    if (size > 0 && mode == LINE_BREAK) {
        reset(line);
        size = 0;
    }
    for (int i = 0; i < SLOW_MS / SLICE_MS && mode == LINE_SLOW; i++) {
        (void)poll(NULL, 0, SLICE_MS);
    }
    if (size > 0 && mode == LINE_SILENT) {
        (void)take(proxy, line->client, bytes, BLOCK); /* until it gives up */
        size = 0;
    }
    if (size > 0 && give(line->server, bytes, size)) {
        pump(line);
    }
    free(bytes);
}

static uint32_t big(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

static void postgres_line(struct line *line)
{
    struct line_proxy *proxy = line->proxy;
    unsigned char head[8];
    unsigned char answer = 'N';
    if (!take_all(proxy, line->client, head, sizeof head)) {
        return;
    }
    if (big(head + 4) == POSTGRES_ASKS_TLS) {
        bool strip = atomic_load(&proxy->mode) == LINE_STRIP;
        bool told = strip || (give(line->server, head, sizeof head) &&
                              take_all(proxy, line->server, &answer, 1));
        if (!told || !give(line->client, &answer, 1)) {
            return;
        }
        if (answer == 'S') {
            handshake(line);
            return;
        }
        if (!take_all(proxy, line->client, head, sizeof head)) {
            return; /* it would not go on without */
        }
    }
    if (big(head + 4) != POSTGRES_CANCELS) {
        atomic_fetch_add(&proxy->plain_logins, 1);
    }
    if (give(line->server, head, sizeof head)) {
        pump(line);
    }
}

/* One packet with its head of four bytes; its size, or 0. */
static size_t packet(struct line_proxy *proxy, int from, unsigned char *bytes,
                     size_t most)
{
    if (!take_all(proxy, from, bytes, 4)) {
        return 0;
    }
    size_t size = bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16;
    return size + 4 <= most && take_all(proxy, from, bytes + 4, size) ? size + 4 : 0;
}

static void mysql_line(struct line *line)
{
    struct line_proxy *proxy = line->proxy;
    unsigned char bytes[4096];
    size_t size = packet(proxy, line->server, bytes, sizeof bytes);
    if (size == 0) {
        return;
    }
    /* protocol, version, number, secret, zero, then the flags */
    size_t flags = 5 + strlen((const char *)bytes + 5) + 1 + 4 + 8 + 1;
    if (atomic_load(&proxy->mode) == LINE_STRIP && flags + 2 < size) {
        bytes[flags + 1] &= (unsigned char)~(MYSQL_HAS_TLS >> 8);
    }
    if (!give(line->client, bytes, size)) {
        return;
    }
    size = packet(proxy, line->client, bytes, sizeof bytes);
    if (size == 0) {
        return; /* it would not go on */
    }
    bool asks = size == MYSQL_ASKS_TLS_SIZE + 4 && (bytes[5] & (MYSQL_HAS_TLS >> 8));
    if (!asks) {
        atomic_fetch_add(&proxy->plain_logins, 1);
    }
    if (give(line->server, bytes, size)) {
        (asks ? handshake : pump)(line);
    }
}

static void *line_run(void *context)
{
    struct line *line = context;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)line->proxy->server_port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    line->server = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(line->server, (struct sockaddr *)&address, sizeof address) == 0) {
        static void (*const runs[])(struct line *) = {[KIND_LINE_NONE] = pump,
                                                      [KIND_LINE_MYSQL] = mysql_line,
                                                      [KIND_LINE_POSTGRES] =
                                                          postgres_line};
        runs[line->proxy->kind](line);
    }
    (void)close(line->server);
    (void)close(line->client);
    return NULL;
}

static void *proxy_run(void *context)
{
    struct line_proxy *proxy = context;
    while (!atomic_load(&proxy->ending)) {
        struct pollfd ready = {.fd = proxy->socket, .events = POLLIN};
        if (poll(&ready, 1, SLICE_MS) <= 0 || proxy->count == LINES_MOST) {
            continue;
        }
        struct line *line = &proxy->lines[proxy->count];
        *line =
            (struct line){.proxy = proxy, .client = accept(proxy->socket, NULL, NULL)};
        if (line->client >= 0 &&
            pthread_create(&line->thread, NULL, line_run, line) == 0) {
            proxy->count++;
        }
    }
    return NULL;
}

struct line_proxy *line_proxy_new(enum kind_line words, int server_port, bool everywhere)
{
    struct line_proxy *proxy = calloc(1, sizeof *proxy);
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    assert_non_null(proxy);
    proxy->kind = words;
    proxy->server_port = server_port;
    address.sin_addr.s_addr = htonl(everywhere ? INADDR_ANY : INADDR_LOOPBACK);
    proxy->socket = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(proxy->socket, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(proxy->socket, 64), 0);
    assert_int_equal(getsockname(proxy->socket, (struct sockaddr *)&address, &size), 0);
    proxy->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&proxy->thread, NULL, proxy_run, proxy), 0);
    return proxy;
}

void line_proxy_free(struct line_proxy *proxy)
{
    atomic_store(&proxy->ending, true);
    (void)pthread_join(proxy->thread, NULL);
    for (size_t i = 0; i < proxy->count; i++) {
        (void)pthread_join(proxy->lines[i].thread, NULL);
    }
    (void)close(proxy->socket);
    free(proxy);
}

int line_proxy_port(const struct line_proxy *proxy)
{
    return proxy->port;
}

void line_proxy_set(struct line_proxy *proxy, enum line_mode mode)
{
    atomic_store(&proxy->mode, (int)mode);
}

int line_proxy_handshakes(struct line_proxy *proxy)
{
    return atomic_load(&proxy->handshakes);
}

int line_proxy_plain_logins(struct line_proxy *proxy)
{
    return atomic_load(&proxy->plain_logins);
}

bool line_proxy_outer(char out[LINE_HOST_SIZE])
{
    struct ifaddrs *all = NULL;
    bool found = false;
    assert_int_equal(getifaddrs(&all), 0);
    for (struct ifaddrs *at = all; at && !found; at = at->ifa_next) {
        if (at->ifa_addr && at->ifa_addr->sa_family == AF_INET &&
            !(at->ifa_flags & IFF_LOOPBACK)) {
            const struct sockaddr_in *address = (const void *)at->ifa_addr;
            found = inet_ntop(AF_INET, &address->sin_addr, out, LINE_HOST_SIZE) != NULL;
        }
    }
    freeifaddrs(all);
    return found;
}
