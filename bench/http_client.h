/*
 * A keep-alive HTTP connection of the load client: one request out, one whole response
 * in, whether it says its length or comes in chunks. Not for servers that are not
 * trusted.
 */
#ifndef DGM_BENCH_HTTP_CLIENT_H
#define DGM_BENCH_HTTP_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct http_client {
    int fd;
    struct buf in;
    const char *out; /* the rest of a request that is on its way */
    size_t out_size;
    size_t asked; /* which request of those it takes in turn */
    int64_t sent_us;
    bool open;
};

enum http_state { HTTP_MORE, HTTP_WHOLE, HTTP_GONE };

/* Connects to this machine, without waiting for it. False: no descriptor left. */
bool http_client_connect(struct http_client *client, int port);
void http_client_close(struct http_client *client);
/* The text stays as it is until it is sent. False: the connection is gone. */
bool http_client_send(struct http_client *client, const char *text, size_t size);
bool http_client_send_rest(struct http_client *client);
/* Reads what is there. */
enum http_state http_client_read(struct http_client *client);
/* Of a whole response: its status, and whether this text is in its body. */
int http_client_status(const struct http_client *client);
bool http_client_has(const struct http_client *client, const char *text);
/* Waits for the one response. True: it came; it is in client->in. */
bool http_client_call(struct http_client *client, int port, const char *text,
                      size_t size);
/* The request as it is sent; body may be NULL. */
void http_client_write(struct buf *out, const char *method, const char *path,
                       const char *body);

#endif
