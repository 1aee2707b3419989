/*
 * A very small HTTP server for tests of clients: a thread per connection, and a handler
 * that writes whatever bytes it likes, right or wrong.
 */
#ifndef DGM_TESTS_TINY_SERVER_H
#define DGM_TESTS_TINY_SERVER_H

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

struct tiny_request {
    const char *head; /* request line and headers, NUL-ended */
    const char *body; /* NUL-ended */
    size_t body_size;
    int number; /* from 1, over all connections */
};

struct tiny_server {
    int listener;
    int port;
    /* Writes the response; false closes the connection. */
    bool (*handle)(void *context, int fd, const struct tiny_request *request);
    void *context;
    atomic_int requests;
    atomic_int connections;
    atomic_bool ending;
    pthread_t thread;
    pthread_mutex_t lock;
    struct {
        int fd;
        pthread_t thread;
    } peers[4096];
    size_t peer_count;
};

struct tiny_peer {
    struct tiny_server *server;
    int fd;
};

static inline void tiny_write(int fd, const char *text)
{
    size_t size = strlen(text);
    while (size > 0) {
        ssize_t wrote = send(fd, text, size, MSG_NOSIGNAL);
        if (wrote <= 0) {
            return;
        }
        text += wrote;
        size -= (size_t)wrote;
    }
}

static inline bool tiny_answer(int fd, int status, const char *headers, const char *body)
{
    char head[512];
    (void)snprintf(head, sizeof head,
                   "HTTP/1.1 %d Status\r\n%sContent-Length: %zu\r\n\r\n", status, headers,
                   strlen(body));
    tiny_write(fd, head);
    tiny_write(fd, body);
    return true;
}

static inline size_t tiny_length(const char *head)
{
    const char *at = strcasestr(head, "\r\ncontent-length:");
    return at ? strtoul(at + 17, NULL, 10) : 0;
}

static inline void *tiny_peer_main(void *context)
{
    struct tiny_peer peer = *(struct tiny_peer *)context;
    free(context);
    char *data = malloc(1 << 20);
    size_t size = 0;
    for (bool open = true; open;) {
        data[size] = '\0';
        char *end = strstr(data, "\r\n\r\n");
        size_t head = end ? (size_t)(end - data) + 4 : 0;
        if (end && size >= head + tiny_length(data)) {
            size_t length = tiny_length(data);
            char saved = data[head + length];
            data[head + length] = '\0';
            end[2] = '\0';
            struct tiny_request request = {
                .head = data,
                .body = data + head,
                .body_size = length,
                .number = atomic_fetch_add(&peer.server->requests, 1) + 1};
            open = peer.server->handle(peer.server->context, peer.fd, &request);
            data[head + length] = saved;
            size -= head + length;
            memmove(data, data + head + length, size);
            continue;
        }
        ssize_t got = recv(peer.fd, data + size, (1 << 20) - 1 - size, 0);
        open = got > 0;
        size += got > 0 ? (size_t)got : 0;
    }
    free(data);
    (void)shutdown(peer.fd, SHUT_RDWR);
    return NULL;
}

static inline void *tiny_main(void *context)
{
    struct tiny_server *server = context;
    for (;;) {
        int fd = accept(server->listener, NULL, NULL);
        if (fd < 0) {
            return NULL;
        }
        /* head and body are written apart: the second must not wait for an answer to the
         * first */
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
        (void)atomic_fetch_add(&server->connections, 1);
        struct tiny_peer *peer = malloc(sizeof *peer);
        *peer = (struct tiny_peer){.server = server, .fd = fd};
        pthread_mutex_lock(&server->lock);
        server->peers[server->peer_count].fd = fd;
        pthread_create(&server->peers[server->peer_count++].thread, NULL, tiny_peer_main,
                       peer);
        pthread_mutex_unlock(&server->lock);
    }
}

static inline struct tiny_server *
tiny_start(bool (*handle)(void *context, int fd, const struct tiny_request *request),
           void *context)
{
    struct tiny_server *server = calloc(1, sizeof *server);
    server->handle = handle;
    server->context = context;
    pthread_mutex_init(&server->lock, NULL);
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(server->listener, (struct sockaddr *)&address, size) != 0 ||
        listen(server->listener, 1024) != 0) {
        abort();
    }
    (void)getsockname(server->listener, (struct sockaddr *)&address, &size);
    server->port = ntohs(address.sin_port);
    pthread_create(&server->thread, NULL, tiny_main, server);
    return server;
}

static inline void tiny_stop(struct tiny_server *server)
{
    atomic_store(&server->ending, true);
    (void)shutdown(server->listener, SHUT_RDWR);
    pthread_join(server->thread, NULL);
    for (size_t i = 0; i < server->peer_count; i++) {
        (void)shutdown(server->peers[i].fd, SHUT_RDWR);
        pthread_join(server->peers[i].thread, NULL);
        (void)close(server->peers[i].fd);
    }
    (void)close(server->listener);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

#endif
