/* One request as libcurl sees it: options and callbacks. */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fetch_pool.h"
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
    (void)libcurl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_connected);
    (void)libcurl.easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_debug);
    (void)libcurl.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    (void)libcurl.easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, loop);
    (void)libcurl.easy_setopt(easy, CURLOPT_SHARE, share);
    if (ca_file && *ca_file) {
        (void)libcurl.easy_setopt(easy, CURLOPT_CAINFO, ca_file);
    }
    return easy;
}

/* Handles are used again, so everything that a request sets is set by every request. */
void fetch_easy_prepare(struct fetch_ticket *ticket)
{
    CURL *easy = ticket->easy;
    const struct fetch_request *request = &ticket->request;
    bool post = strcmp(request->method, "POST") == 0;
    bool plain = post || strcmp(request->method, "GET") == 0;
    (void)libcurl.easy_setopt(easy, CURLOPT_URL, request->url);
    if (request->body || post) {
        (void)libcurl.easy_setopt(easy, CURLOPT_POST, 1L);
        (void)libcurl.easy_setopt(easy, CURLOPT_POSTFIELDS,
                                  request->body ? request->body : "");
        (void)libcurl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                                  (curl_off_t)request->body_size);
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
    (void)libcurl.easy_setopt(easy, CURLOPT_PREREQDATA, ticket);
    (void)libcurl.easy_setopt(easy, CURLOPT_DEBUGDATA, ticket);
    (void)libcurl.easy_setopt(easy, CURLOPT_VERBOSE, ticket->probe ? 1L : 0L);
    (void)libcurl.easy_setopt(easy, CURLOPT_PRIVATE, ticket);
}
