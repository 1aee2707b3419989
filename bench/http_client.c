/* A keep-alive HTTP connection of the load client. */
#include "http_client.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RESPONSE_MOST = 64 * 1024 * 1024, PIECE = 64 * 1024, WAIT_MS = 30000 };

bool http_client_connect(struct http_client *client, int port)
{
    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (client->fd < 0) {
        return false;
    }
    int one = 1;
    (void)setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(client->fd, (struct sockaddr *)&address, sizeof address) != 0 &&
        errno != EINPROGRESS) {
        (void)close(client->fd);
        return false;
    }
    buf_init(&client->in, RESPONSE_MOST);
    client->open = true;
    return true;
}

void http_client_close(struct http_client *client)
{
    if (client->open) {
        (void)close(client->fd);
        buf_release(&client->in);
        client->open = false;
    }
}

bool http_client_send(struct http_client *client, const char *text, size_t size)
{
    client->out = text;
    client->out_size = size;
    return http_client_send_rest(client);
}

bool http_client_send_rest(struct http_client *client)
{
    while (client->out_size) {
        ssize_t sent = send(client->fd, client->out, client->out_size, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == ENOTCONN || errno == EINPROGRESS)) {
            return true;
        }
        if (sent <= 0) {
            return false;
        }
        client->out += sent;
        client->out_size -= (size_t)sent;
    }
    return true;
}

static const char *body_of(const struct http_client *client)
{
    const char *end = memmem(client->in.data, client->in.size, "\r\n\r\n", 4);
    return end ? end + 4 : NULL;
}

/* Has everything come that the head says will come? */
static bool is_whole(const struct http_client *client)
{
    const char *body = client->in.size ? body_of(client) : NULL;
    if (!body) {
        return false;
    }
    const char *end = client->in.data + client->in.size;
    for (const char *line = client->in.data; line < body;) {
        if (strncasecmp(line, "content-length:", 15) == 0) {
            return (size_t)(end - body) >= strtoul(line + 15, NULL, 10);
        }
        line = (const char *)memchr(line, '\n', (size_t)(body - line)) + 1;
    }
    return end - body >= 5 && memcmp(end - 5, "0\r\n\r\n", 5) == 0;
}

enum http_state http_client_read(struct http_client *client)
{
    char piece[PIECE];
    for (;;) {
        ssize_t got = recv(client->fd, piece, sizeof piece, 0);
        if (got < 0 && errno == EAGAIN) {
            return HTTP_MORE;
        }
        if (got <= 0 || !buf_add(&client->in, piece, (size_t)got)) {
            return HTTP_GONE;
        }
        if (is_whole(client)) {
            return HTTP_WHOLE;
        }
        if ((size_t)got < sizeof piece) {
            return HTTP_MORE;
        }
    }
}

int http_client_status(const struct http_client *client)
{
    return client->in.size > 12 ? (int)strtol(client->in.data + 9, NULL, 10) : 0;
}

bool http_client_has(const struct http_client *client, const char *text)
{
    const char *body = body_of(client);
    return body && memmem(body, client->in.size - (size_t)(body - client->in.data), text,
                          strlen(text));
}

bool http_client_call(struct http_client *client, int port, const char *text, size_t size)
{
    if (!http_client_connect(client, port)) {
        return false;
    }
    client->out = text;
    client->out_size = size;
    for (;;) {
        struct pollfd wait = {.fd = client->fd, .events = POLLIN};
        wait.events = client->out_size ? POLLIN | POLLOUT : POLLIN;
        if (poll(&wait, 1, WAIT_MS) <= 0 || !http_client_send_rest(client)) {
            return false;
        }
        enum http_state state = wait.revents & (POLLIN | POLLERR | POLLHUP)
                                    ? http_client_read(client)
                                    : HTTP_MORE;
        if (state != HTTP_MORE) {
            return state == HTTP_WHOLE;
        }
    }
}

void http_client_write(struct buf *out, const char *method, const char *path,
                       const char *body)
{
    (void)buf_format(out, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n", method, path);
    if (body) {
        (void)buf_format(out,
                         "Accept: application/json, text/event-stream\r\n"
                         "Content-Type: application/json\r\nContent-Length: %zu\r\n",
                         strlen(body));
    }
    (void)buf_format(out, "\r\n%s", body ? body : "");
}
