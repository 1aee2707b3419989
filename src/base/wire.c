/* Plain HTTP/1.1 connections. */
#include "base/wire.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fetch/fetch_pool.h"
#include "base/loop.h"
#include "base/memory.h"
#include "base/wire_parser.h"

enum { PARTS = 3 }; /* of a request: head, prefix, body */

struct wire {
    struct wire_site *site;
    struct wire *next;           /* in site->idle */
    struct wire **link;          /* what points here in it */
    struct fetch_ticket *ticket; /* NULL when idle */
    struct wire_parser parser;
    int fd;
    bool reused;   /* carried a request before */
    bool heard;    /* something of the response came */
    bool complete; /* all of it did */
    size_t tried;  /* addresses */
    size_t sent;   /* bytes of head, prefix and body */
    int64_t connecting_since_ms;
    int64_t idle_since_ms;
};

static void on_ready(void *context, int fd, uint32_t events);
static void wire_begin(struct wire_site *site, struct fetch_ticket *ticket, bool fresh);

static void wire_close(struct wire *wire)
{
    if (wire->fd >= 0) {
        loop_unwatch(wire->site->loop, wire->fd);
        (void)close(wire->fd);
    }
    wire_parser_release(&wire->parser);
    memory_free(wire);
}

/* Ends the request; the connection may be gone afterwards. */
static void end(struct wire *wire, CURLcode code, int os_error)
{
    fetch_finish(wire->ticket, FETCH_CURL, code, os_error);
}

void wire_detach(struct fetch_ticket *ticket)
{
    struct wire *wire = ticket->wire;
    ticket->wire = NULL;
    wire->ticket = NULL;
    if (!wire->complete || !wire->parser.keep_alive) {
        wire_close(wire);
        return;
    }
    wire_parser_release(&wire->parser);
    wire->idle_since_ms = clock_ms();
    wire->next = wire->site->idle;
    wire->link = &wire->site->idle;
    if (wire->next) {
        wire->next->link = &wire->next;
    }
    wire->site->idle = wire;
}

static void leave_idle(struct wire *wire)
{
    *wire->link = wire->next;
    if (wire->next) {
        wire->next->link = wire->link;
    }
}

/* A kept connection that died before it answered was closed by the server just as we
 * wrote: the request has not been served, so it goes out again on a new one. */
static void lost(struct wire *wire, CURLcode code, int os_error)
{
    struct fetch_ticket *ticket = wire->ticket;
    if (!wire->reused || wire->heard) {
        end(wire, code, os_error);
        return;
    }
    struct wire_site *site = wire->site;
    wire->complete = false;
    wire_detach(ticket);
    wire_begin(site, ticket, true);
}

/* Connecting. */

static bool try_connect(struct wire *wire)
{
    struct wire_site *site = wire->site;
    const struct sockaddr_storage *address = &site->addresses[site->address];
    socklen_t size = address->ss_family == AF_INET ? sizeof(struct sockaddr_in)
                                                   : sizeof(struct sockaddr_in6);
    wire->fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (wire->fd < 0) {
        return false;
    }
    int one = 1;
    (void)setsockopt(wire->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(wire->fd, (const struct sockaddr *)address, size) != 0 &&
        errno != EINPROGRESS) {
        return false;
    }
    loop_watch(site->loop, wire->fd, EPOLLOUT, on_ready, wire);
    return true;
}

/* The next address, or the end. */
static void connect_failed(struct wire *wire, int os_error)
{
    struct wire_site *site = wire->site;
    if (wire->fd >= 0) {
        loop_unwatch(site->loop, wire->fd);
        (void)close(wire->fd);
        wire->fd = -1;
    }
    while (++wire->tried < site->address_count) {
        site->address = (site->address + 1) % site->address_count;
        if (try_connect(wire)) {
            return;
        }
        os_error = errno;
    }
    end(wire, CURLE_COULDNT_CONNECT, os_error);
}

/* Sending. */

static size_t total_size(const struct fetch_ticket *ticket)
{
    return ticket->head.size + ticket->request.prefix_size + ticket->request.body_size;
}

/* What is not sent yet, piece by piece and without a copy; returns how many pieces. */
static size_t parts_left(const struct wire *wire, struct iovec parts[PARTS])
{
    const struct fetch_ticket *ticket = wire->ticket;
    const struct iovec all[PARTS] = {
        {ticket->head.data, ticket->head.size},
        {(char *)(uintptr_t)ticket->request.prefix, ticket->request.prefix_size},
        {(char *)(uintptr_t)ticket->request.body, ticket->request.body_size},
    };
    size_t skip = wire->sent;
    size_t count = 0;
    for (size_t i = 0; i < PARTS; i++) {
        size_t gone = skip < all[i].iov_len ? skip : all[i].iov_len;
        skip -= gone;
        if (gone < all[i].iov_len) {
            parts[count++] =
                (struct iovec){(char *)all[i].iov_base + gone, all[i].iov_len - gone};
        }
    }
    return count;
}

static void send_request(struct wire *wire)
{
    size_t total = total_size(wire->ticket);
    while (wire->sent < total) {
        struct iovec parts[PARTS];
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = parts_left(wire, parts)};
        ssize_t sent = sendmsg(wire->fd, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0 && errno == EAGAIN) {
            loop_watch(wire->site->loop, wire->fd, EPOLLIN | EPOLLOUT, on_ready, wire);
            return;
        }
        if (sent < 0) {
            lost(wire, CURLE_SEND_ERROR, errno);
            return;
        }
        wire->sent += (size_t)sent;
    }
    loop_watch(wire->site->loop, wire->fd, EPOLLIN, on_ready, wire);
}

static void wire_begin(struct wire_site *site, struct fetch_ticket *ticket, bool fresh)
{
    struct wire *wire = fresh ? NULL : site->idle;
    if (wire) {
        leave_idle(wire);
        wire->reused = true;
    } else {
        wire = memory_alloc(sizeof *wire);
        wire->site = site;
        wire->fd = -1;
    }
    wire->ticket = ticket;
    wire->heard = wire->complete = false;
    wire->sent = wire->tried = 0;
    wire_parser_init(&wire->parser);
    ticket->wire = wire;
    if (wire->reused) {
        ticket->active_ms = clock_ms();
        send_request(wire);
        return;
    }
    wire->connecting_since_ms = clock_ms();
    if (!try_connect(wire)) {
        connect_failed(wire, errno);
    }
}

void wire_start(struct wire_site *site, struct fetch_ticket *ticket)
{
    wire_begin(site, ticket, false);
}

/* Receiving. */

static bool on_body(void *context, const char *data, size_t size)
{
    struct wire *wire = context;
    return fetch_receive(wire->ticket, wire->parser.status, data, size);
}

/* False when the connection is not to be read any further. */
static bool wire_take(struct wire *wire, const char *data, size_t size)
{
    size_t used = 0;
    wire->heard = true;
    wire->ticket->active_ms = clock_ms();
    enum wire_step step =
        wire_parser_feed(&wire->parser, data, size, &used, on_body, wire);
    if (step == WIRE_MORE) {
        return true;
    }
    if (step == WIRE_DONE) {
        /* an answer before the request was out, or more than one: not to be used again */
        wire->complete = used == size && wire->sent == total_size(wire->ticket);
        end(wire, CURLE_OK, 0);
    } else {
        end(wire, step == WIRE_BAD ? CURLE_WEIRD_SERVER_REPLY : CURLE_WRITE_ERROR, 0);
    }
    return false;
}

static void closed(struct wire *wire)
{
    if (wire->heard && wire_parser_close(&wire->parser) == WIRE_DONE) {
        end(wire, CURLE_OK, 0);
    } else {
        lost(wire, wire->heard ? CURLE_PARTIAL_FILE : CURLE_GOT_NOTHING, 0);
    }
}

static void receive(struct wire *wire)
{
    for (;;) {
        ssize_t got = recv(wire->fd, wire->site->scratch, WIRE_SCRATCH, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 && errno == EAGAIN) {
            return;
        }
        if (got < 0) {
            lost(wire, CURLE_RECV_ERROR, errno);
            return;
        }
        if (got == 0) {
            closed(wire);
            return;
        }
        if (!wire_take(wire, wire->site->scratch, (size_t)got) || got < WIRE_SCRATCH) {
            return;
        }
    }
}

/* Nothing may come on an idle connection, so whatever it is, it is the end. */
static void drop_idle(struct wire *wire)
{
    leave_idle(wire);
    wire_close(wire);
}

static void on_ready(void *context, int fd, uint32_t events)
{
    struct wire *wire = context;
    if (!wire->ticket) {
        drop_idle(wire);
        return;
    }
    if (wire->connecting_since_ms) {
        int os_error = 0;
        socklen_t size = sizeof os_error;
        (void)getsockopt(fd, SOL_SOCKET, SO_ERROR, &os_error, &size);
        if (os_error) {
            connect_failed(wire, os_error);
            return;
        }
        wire->connecting_since_ms = 0;
        wire->ticket->active_ms = clock_ms();
        send_request(wire);
        return;
    }
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        receive(wire); /* first: an early answer or a reset says why writing fails */
    } else if (events & EPOLLOUT) {
        send_request(wire);
    }
}

int wire_status(const struct wire *wire)
{
    return wire->parser.status;
}

int64_t wire_retry_after_ms(const struct wire *wire)
{
    return wire->parser.retry_after_ms;
}

int64_t wire_connecting_since_ms(const struct wire *wire)
{
    return wire->connecting_since_ms;
}

void wire_site_release(struct wire_site *site)
{
    wire_site_trim(site, INT64_MAX);
}

void wire_site_trim(struct wire_site *site, int64_t idle_since_ms)
{
    for (struct wire *wire = site->idle; wire;) {
        struct wire *next = wire->next;
        if (wire->idle_since_ms <= idle_since_ms) {
            leave_idle(wire);
            wire_close(wire);
        }
        wire = next;
    }
}
