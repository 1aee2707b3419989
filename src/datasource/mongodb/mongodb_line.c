/* The line under a connection to MongoDB: waits in short slices, so that a stop and the
 * deadline are seen while the library believes that it blocks. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "datasource/mongodb/mongodb_driver.h"

enum {
    SLICE_MS = 20,
    LINE_TYPE = 170, /* of a stream: any number that is none of the library's */
    BUFFER_BYTES = 1024,
};

struct line {
    mongoc_stream_t stream; /* first: the library sees only this */
    int socket;
    struct mongodb_session *session;
    bool timed_out;
};

static struct line *line_of(mongoc_stream_t *stream)
{
    return (struct line *)stream;
}

/* 1 when ready, 0 when the time is over, -1 when the work must end or the line is dead.
 * timeout_ms below 0: none. */
static int line_wait(struct line *line, short events, int64_t timeout_ms)
{
    struct mongodb_session *session = line->session;
    int64_t until_ms = timeout_ms < 0 ? 0 : clock_ms() + timeout_ms;
    if (session->connect_until_ms &&
        (!until_ms || session->connect_until_ms < until_ms)) {
        until_ms = session->connect_until_ms;
    }
    for (;;) {
        struct pollfd ready = {.fd = line->socket, .events = events};
        int count = poll(&ready, 1, SLICE_MS);
        if (count > 0) {
            return 1;
        }
        if ((count < 0 && errno != EINTR) || limits_spent(session->base.limits)) {
            return -1;
        }
        if (until_ms && clock_ms() >= until_ms) {
            line->timed_out = true;
            errno = ETIMEDOUT;
            return 0;
        }
    }
}

static ssize_t line_writev(mongoc_stream_t *stream, mongoc_iovec_t *parts, size_t count,
                           int32_t timeout_ms)
{
    struct line *line = line_of(stream);
    ssize_t total = 0;
    line->timed_out = false;
    for (size_t i = 0; i < count; i++) {
        size_t done = 0;
        while (done < parts[i].iov_len) {
            const char *from = (const char *)parts[i].iov_base + done;
            ssize_t sent =
                send(line->socket, from, parts[i].iov_len - done, MSG_NOSIGNAL);
            if (sent > 0) {
                done += (size_t)sent;
                total += sent;
            } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
                return -1;
            } else if (line_wait(line, POLLOUT, timeout_ms) <= 0) {
                return -1;
            }
        }
    }
    return total;
}

/* Reads until min_bytes are there, as a socket of the library does. */
static ssize_t line_readv(mongoc_stream_t *stream, mongoc_iovec_t *parts, size_t count,
                          size_t min_bytes, int32_t timeout_ms)
{
    struct line *line = line_of(stream);
    size_t total = 0;
    line->timed_out = false;
    for (size_t i = 0; i < count; i++) {
        size_t done = 0;
        while (done < parts[i].iov_len) {
            char *to = (char *)parts[i].iov_base + done;
            ssize_t got = recv(line->socket, to, parts[i].iov_len - done, 0);
            if (got > 0) {
                done += (size_t)got;
                total += (size_t)got;
                continue;
            }
            if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
                return got == 0 ? (ssize_t)total : -1;
            }
            if (total >= min_bytes && total > 0) {
                return (ssize_t)total;
            }
            if (line_wait(line, POLLIN, timeout_ms) <= 0) {
                return -1;
            }
        }
    }
    return (ssize_t)total;
}

static int line_close(mongoc_stream_t *stream)
{
    struct line *line = line_of(stream);
    int result = line->socket >= 0 ? close(line->socket) : 0;
    line->socket = -1;
    return result;
}

static void line_destroy(mongoc_stream_t *stream)
{
    (void)line_close(stream);
    memory_free(line_of(stream));
}

static int line_flush(mongoc_stream_t *stream)
{
    (void)stream;
    return 0;
}

static int line_setsockopt(mongoc_stream_t *stream, int level, int name, void *value,
                           mongoc_socklen_t size)
{
    return setsockopt(line_of(stream)->socket, level, name, value, size);
}

static bool line_check_closed(mongoc_stream_t *stream)
{
    char byte;
    ssize_t got = recv(line_of(stream)->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN);
}

/* Asked while servers are looked for: all streams are lines then. */
static ssize_t line_poll(mongoc_stream_poll_t *streams, size_t count, int32_t timeout_ms)
{
    enum { MOST = 64 };
    struct pollfd sockets[MOST];
    int64_t until_ms = clock_ms() + timeout_ms;
    count = count < MOST ? count : MOST;
    for (;;) {
        for (size_t i = 0; i < count; i++) {
            sockets[i] = (struct pollfd){.fd = line_of(streams[i].stream)->socket,
                                         .events = (short)streams[i].events};
        }
        int ready = poll(sockets, (nfds_t)count, SLICE_MS);
        for (size_t i = 0; i < count; i++) {
            streams[i].revents = ready > 0 ? sockets[i].revents : 0;
        }
        struct mongodb_session *session =
            count > 0 ? line_of(streams[0].stream)->session : NULL;
        if (ready != 0 || clock_ms() >= until_ms ||
            (session && limits_spent(session->base.limits))) {
            return ready;
        }
    }
}

static bool line_timed_out(mongoc_stream_t *stream)
{
    return line_of(stream)->timed_out;
}

static bool line_should_retry(mongoc_stream_t *stream)
{
    (void)stream;
    return false;
}

static struct line *line_new(int socket, struct mongodb_session *session)
{
    static const mongoc_stream_t functions = {
        .type = LINE_TYPE,
        .destroy = line_destroy,
        .close = line_close,
        .flush = line_flush,
        .writev = line_writev,
        .readv = line_readv,
        .setsockopt = line_setsockopt,
        .check_closed = line_check_closed,
        .poll = line_poll,
        .failed = line_destroy,
        .timed_out = line_timed_out,
        .should_retry = line_should_retry,
    };
    struct line *line = memory_alloc(sizeof *line);
    line->stream = functions;
    line->socket = socket;
    line->session = session;
    return line;
}

/* One address; NULL when nobody answers there in time. */
static struct line *line_try(int family, const struct sockaddr *address, socklen_t size,
                             struct mongodb_session *session)
{
    int one = 1;
    int made = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (made < 0) {
        return NULL;
    }
    struct line *line = line_new(made, session);
    if (family != AF_UNIX) {
        (void)setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        (void)setsockopt(made, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    }
    int failure = connect(made, address, size) == 0 ? 0 : errno;
    if (failure == EINPROGRESS &&
        line_wait(line, POLLOUT, session->state->connect_timeout_ms) > 0) {
        socklen_t length = sizeof failure;
        (void)getsockopt(made, SOL_SOCKET, SO_ERROR, &failure, &length);
    }
    if (failure != 0) {
        line_destroy(&line->stream);
        return NULL;
    }
    return line;
}

static struct line *line_local(const mongoc_host_list_t *host,
                               struct mongodb_session *session)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t size = strnlen(host->host, sizeof host->host);
    if (size >= sizeof address.sun_path) {
        return NULL;
    }
    memcpy(address.sun_path, host->host, size);
    return line_try(AF_UNIX, (const struct sockaddr *)&address, sizeof address, session);
}

static struct line *line_name(const char *name, const mongoc_host_list_t *host, int flags,
                              struct mongodb_session *session)
{
    const struct addrinfo wanted = {.ai_family = flags ? AF_UNSPEC : host->family,
                                    .ai_socktype = SOCK_STREAM,
                                    .ai_flags = flags};
    struct addrinfo *found = NULL;
    char port[8];
    (void)snprintf(port, sizeof port, "%u", (unsigned)host->port);
    if (getaddrinfo(name, port, &wanted, &found) != 0) {
        return NULL;
    }
    struct line *line = NULL;
    for (struct addrinfo *at = found; at && !line; at = at->ai_next) {
        line = line_try(at->ai_family, at->ai_addr, at->ai_addrlen, session);
    }
    freeaddrinfo(found);
    return line;
}

/* Where addresses were allowed there is one host, and it is at these alone. */
static struct line *line_connect(const mongoc_host_list_t *host,
                                 struct mongodb_session *session)
{
    const struct texts *allowed = &session->state->addresses;
    if (host->family == AF_UNIX) {
        return allowed->count ? NULL : line_local(host, session);
    }
    if (allowed->count == 0) {
        return line_name(host->host, host, 0, session);
    }
    struct line *line = NULL;
    for (size_t i = 0; i < allowed->count && !line; i++) {
        line = line_name(allowed->items[i], host, AI_NUMERICHOST, session);
    }
    return line;
}

/* Encryption as the URL asks for it, over the line. Takes the line. */
static mongoc_stream_t *line_encrypt(const mongoc_uri_t *uri, const char *host,
                                     struct line *line, bson_error_t *error)
{
    bool careless = mongo.uri_get_option_as_bool(uri, MONGOC_URI_TLSINSECURE, false);
    mongoc_ssl_opt_t options = {
        .pem_file =
            mongo.uri_get_option_as_utf8(uri, MONGOC_URI_TLSCERTIFICATEKEYFILE, NULL),
        .pem_pwd = mongo.uri_get_option_as_utf8(
            uri, MONGOC_URI_TLSCERTIFICATEKEYFILEPASSWORD, NULL),
        .ca_file = mongo.uri_get_option_as_utf8(uri, MONGOC_URI_TLSCAFILE, NULL),
        .weak_cert_validation =
            careless || mongo.uri_get_option_as_bool(
                            uri, MONGOC_URI_TLSALLOWINVALIDCERTIFICATES, false),
        .allow_invalid_hostname =
            careless ||
            mongo.uri_get_option_as_bool(uri, MONGOC_URI_TLSALLOWINVALIDHOSTNAMES, false),
    };
    if (options.ca_file && access(options.ca_file, R_OK) != 0) {
        line_destroy(&line->stream); /* else the library would trust the system's list */
        (void)snprintf(error->message, sizeof error->message, "certificate file");
        return NULL;
    }
    mongoc_stream_t *secure =
        mongo.stream_tls_new_with_hostname(&line->stream, host, &options, 1);
    if (!secure) {
        line_destroy(&line->stream);
        (void)snprintf(error->message, sizeof error->message, "certificate setup");
        return NULL;
    }
    if (!mongo.stream_tls_handshake_block(
            secure, host, (int32_t)line->session->state->connect_timeout_ms, error)) {
        mongo.stream_destroy(secure);
        (void)snprintf(error->message, sizeof error->message, "TLS handshake");
        return NULL;
    }
    return secure;
}

mongoc_stream_t *mongodb_line_open(const mongoc_uri_t *uri,
                                   const mongoc_host_list_t *host, void *context,
                                   bson_error_t *error)
{
    struct mongodb_session *session = context;
    struct line *line =
        limits_spent(session->base.limits) ? NULL : line_connect(host, session);
    error->domain = MONGOC_ERROR_STREAM;
    error->code = MONGOC_ERROR_STREAM_CONNECT;
    if (!line) {
        (void)snprintf(error->message, sizeof error->message, "connect");
        return NULL;
    }
    mongoc_stream_t *stream = &line->stream;
    if (mongo.uri_get_tls(uri) && host->family != AF_UNIX) {
        stream = line_encrypt(uri, host->host, line, error);
    }
    return stream ? mongo.stream_buffered_new(stream, BUFFER_BYTES) : NULL;
}
