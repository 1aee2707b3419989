/* One request: its options and callbacks. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fetch/fetch_pool.h"
#include "base/loop.h"
#include "base/memory.h"

enum {
    RECEIVE_BYTES = 1024, /* per open request: replies are small or come in drops */
    SEND_BYTES = 16384,   /* libcurl's least */
    ERROR_BODY_MOST = 64 * 1024, /* kept of an error answer when streaming */
    DNS_SECONDS = 300,
    KEEPALIVE_SECONDS = 60,
};

/* The first piece of a body: where do pieces go? */
static void choose_way(struct fetch_ticket *ticket, int status)
{
    bool fine = status >= 200 && status < 300;
    ticket->begun = true;
    ticket->streaming = ticket->request.on_data && fine;
    if (ticket->request.on_data && !fine) {
        size_t most = ticket->request.max_bytes;
        buf_init(&ticket->answer,
                 most && most < ERROR_BODY_MOST ? most : ERROR_BODY_MOST);
    }
}

bool fetch_receive(struct fetch_ticket *ticket, int status, const char *data, size_t size)
{
    if (!ticket->begun) {
        choose_way(ticket, status);
    }
    ticket->received += size;
    if (!ticket->streaming && ticket->request.on_data) {
        size_t room = ticket->answer.ceiling - ticket->answer.size;
        (void)buf_add(&ticket->answer, data, size < room ? size : room);
        ticket->cut = size > room;
        return !ticket->cut;
    }
    if (ticket->request.max_bytes && ticket->received > ticket->request.max_bytes) {
        ticket->too_large = true;
        return false;
    }
    if (ticket->streaming) {
        ticket->stopped = !ticket->request.on_data(ticket->request.context, data, size);
        return !ticket->stopped;
    }
    return buf_add(&ticket->answer, data, size);
}

static size_t on_write(char *data, size_t unit, size_t count, void *context)
{
    struct fetch_ticket *ticket = context;
    size_t size = unit * count;
    long status = 0;
    ticket->active_ms = clock_ms();
    if (!ticket->begun) {
        (void)libcurl.easy_getinfo(ticket->easy, CURLINFO_RESPONSE_CODE, &status);
    }
    return fetch_receive(ticket, (int)status, data, size) ? size : 0;
}

/* Bytes of one piece of the request, which begins at `start` of it. */
static size_t copy_piece(char *out, size_t room, const char *piece, size_t size,
                         size_t start, size_t at)
{
    if (at < start || at - start >= size) {
        return 0;
    }
    size_t left = size - (at - start);
    size_t copied = left < room ? left : room;
    memcpy(out, piece + (at - start), copied);
    return copied;
}

static size_t on_read(char *out, size_t unit, size_t count, void *context)
{
    struct fetch_ticket *ticket = context;
    const struct fetch_request *request = &ticket->request;
    size_t room = unit * count;
    size_t first =
        copy_piece(out, room, request->prefix, request->prefix_size, 0, ticket->read);
    ticket->read += first;
    size_t second = copy_piece(out + first, room - first, request->body,
                               request->body_size, request->prefix_size, ticket->read);
    ticket->read += second;
    return first + second;
}

/* libcurl begins again, on another connection. */
static int on_seek(void *context, curl_off_t offset, int origin)
{
    struct fetch_ticket *ticket = context;
    size_t total = ticket->request.prefix_size + ticket->request.body_size;
    if (origin != SEEK_SET || offset < 0 || (size_t)offset > total) {
        return CURL_SEEKFUNC_FAIL;
    }
    ticket->read = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

static int on_connected(void *context, char *primary_ip, char *local_ip, int primary_port,
                        int local_port)
{
    (void)primary_ip;
    (void)local_ip;
    (void)primary_port;
    (void)local_port;
    struct fetch_ticket *ticket = context;
    ticket->active_ms = clock_ms();
    fetch_pool_connected(ticket);
    return CURL_PREREQFUNC_OK;
}

/* libcurl tells which protocol TLS agreed on only here. Listened to on probes alone. */
static int on_debug(CURL *easy, curl_infotype kind, char *data, size_t size,
                    void *context)
{
    static const char agreed[] = "ALPN: server accepted h2";
    (void)easy;
    if (kind == CURLINFO_TEXT && size >= sizeof agreed - 1 &&
        memcmp(data, agreed, sizeof agreed - 1) == 0) {
        fetch_pool_multiplexed(context);
    }
    return 0;
}

/* Another thread may get the same number at once: stop watching before it is free. */
static int on_close(void *context, curl_socket_t fd)
{
    loop_unwatch(context, fd);
    return close(fd);
}

CURL *fetch_easy_new(struct loop *loop, CURLSH *share, const char *ca_file)
{
    CURL *easy = libcurl.easy_init();
    if (!easy) {
        return NULL;
    }
    (void)libcurl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)libcurl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)libcurl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    (void)libcurl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    (void)libcurl.easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)RECEIVE_BYTES);
    (void)libcurl.easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)SEND_BYTES);
    (void)libcurl.easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
    (void)libcurl.easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    (void)libcurl.easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, (long)KEEPALIVE_SECONDS);
    (void)libcurl.easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, (long)DNS_SECONDS);
    (void)libcurl.easy_setopt(easy, CURLOPT_USERAGENT, "dragoman");
    (void)libcurl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_write);
    (void)libcurl.easy_setopt(easy, CURLOPT_READFUNCTION, on_read);
    (void)libcurl.easy_setopt(easy, CURLOPT_SEEKFUNCTION, on_seek);
    (void)libcurl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_connected);
    (void)libcurl.easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_debug);
    (void)libcurl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, libcurl_open_socket);
    (void)libcurl.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    (void)libcurl.easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, loop);
    (void)libcurl.easy_setopt(easy, CURLOPT_SHARE, share);
    if (ca_file && *ca_file) {
        (void)libcurl.easy_setopt(easy, CURLOPT_CAINFO, ca_file);
    }
    return easy;
}

/* To read a request piece by piece libcurl holds a buffer of SEND_BYTES as long as the
 * request lasts: a body that is not larger than that is better joined. */
static void fetch_transfer_join(struct fetch_ticket *ticket)
{
    struct fetch_request *request = &ticket->request;
    size_t size = request->prefix_size + request->body_size;
    if (request->prefix_size == 0 || size > SEND_BYTES) {
        return;
    }
    char *body = memory_resize(NULL, size);
    memcpy(body, request->prefix, request->prefix_size);
    if (request->body_size) {
        memcpy(body + request->prefix_size, request->body, request->body_size);
    }
    memory_free(ticket->body);
    request->body = ticket->body = body;
    request->body_size = size;
    request->prefix = NULL;
    request->prefix_size = 0;
}

/* Handles are used again, so everything that a request sets is set by every request. */
void fetch_easy_prepare(struct fetch_ticket *ticket)
{
    fetch_transfer_join(ticket);
    CURL *easy = ticket->easy;
    const struct fetch_request *request = &ticket->request;
    bool post = strcmp(request->method, "POST") == 0;
    bool plain = post || strcmp(request->method, "GET") == 0;
    (void)libcurl.easy_setopt(easy, CURLOPT_URL, request->url);
    if (request->body || request->prefix_size || post) {
        const char *whole = request->body ? request->body : "";
        size_t size = request->prefix_size + request->body_size;
        (void)libcurl.easy_setopt(easy, CURLOPT_POST, 1L);
        (void)libcurl.easy_setopt(easy, CURLOPT_POSTFIELDS,
                                  request->prefix_size ? NULL
                                                       : whole); /* NULL: on_read */
        (void)libcurl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
    } else {
        (void)libcurl.easy_setopt(easy, CURLOPT_POSTFIELDS, NULL);
        (void)libcurl.easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    }
    (void)libcurl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST,
                              plain ? NULL : request->method);
    (void)libcurl.easy_setopt(easy, CURLOPT_HTTPHEADER, ticket->headers);
    (void)libcurl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                              (long)request->connect_timeout_ms);
    (void)libcurl.easy_setopt(easy, CURLOPT_PIPEWAIT,
                              strncmp(request->url, "https:", 6) == 0 ? 1L : 0L);
    (void)libcurl.easy_setopt(easy, CURLOPT_WRITEDATA, ticket);
    (void)libcurl.easy_setopt(easy, CURLOPT_READDATA, ticket);
    (void)libcurl.easy_setopt(easy, CURLOPT_SEEKDATA, ticket);
    (void)libcurl.easy_setopt(easy, CURLOPT_PREREQDATA, ticket);
    (void)libcurl.easy_setopt(easy, CURLOPT_DEBUGDATA, ticket);
    (void)libcurl.easy_setopt(easy, CURLOPT_VERBOSE, ticket->probe ? 1L : 0L);
    (void)libcurl.easy_setopt(easy, CURLOPT_PRIVATE, ticket);
}
