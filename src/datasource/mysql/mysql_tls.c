/*
 * TLS for connections to MySQL. The library does not enforce it: even if told to, it
 * continues in plain text when the server's greeting does not offer TLS, and an attacker
 * in between can remove that offer. So the greeting is read here first, without consuming
 * it, and a connection that must be encrypted is closed before any login data is sent.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "datasource/mysql/mysql_driver.h"

enum {
    SLICE_MS = 20, /* how soon a stop is seen */
    /* The greeting: a head of 4 bytes, the protocol, the version as a text, then the
     * connection's number, half of a secret, a zero, and the first two bytes of flags. */
    GREETING_HEAD = 4,
    GREETING_PROTOCOL = 10,
    GREETING_BEFORE_FLAGS = 4 + 8 + 1,
    GREETING_MOST = 512,
};

/* Bytes that have come, without taking them; -1: the line is closed or broken. */
static ssize_t peek(int line, unsigned char *bytes, size_t most)
{
    ssize_t size = recv(line, bytes, most, MSG_PEEK | MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    return size > 0 ? size : -1;
}

/* False as long as more of it must come. Something else than a greeting is the library's
 * to judge: it offers nothing. */
static bool greeting_parse(const unsigned char *bytes, size_t size,
                           enum mysql_offer *offer)
{
    if (size <= GREETING_HEAD) {
        return false;
    }
    if (bytes[GREETING_HEAD] != GREETING_PROTOCOL) {
        return true;
    }
    const unsigned char *version = bytes + GREETING_HEAD + 1;
    const unsigned char *end = memchr(version, '\0', size - GREETING_HEAD - 1);
    if (!end) {
        return size >= GREETING_MOST;
    }
    const unsigned char *flags = end + 1 + GREETING_BEFORE_FLAGS;
    if (flags + 2 > bytes + size) {
        return size >= GREETING_MOST;
    }
    unsigned int found = flags[0] | (unsigned int)flags[1] << 8;
    *offer = found & CLIENT_SSL ? MARIA_OFFER_TLS : MARIA_OFFER_NONE;
    return true;
}

bool mysql_greeting_read(struct mysql_session *session, int64_t until_ms, struct err *err)
{
    unsigned char bytes[GREETING_MOST];
    struct pollfd socket = {.fd = maria.get_socket(session->handle), .events = POLLOUT};
    if (!session->wants_tls || session->offer != MARIA_OFFER_UNKNOWN) {
        return true;
    }
    /* The library does not read before it knows that it is connected, and that it learns
     * from us. One that is refused goes to the host's next address. */
    if (poll(&socket, 1, 0) != 1 || socket.revents != POLLOUT) {
        return true;
    }
    for (;;) {
        ssize_t size = peek(socket.fd, bytes, sizeof bytes);
        if (size < 0 || greeting_parse(bytes, (size_t)size, &session->offer)) {
            break;
        }
        if (!limits_hold(session->base.limits, err)) {
            return false;
        }
        if (until_ms && clock_ms() >= until_ms) {
            return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                           "The database server did not answer in time.");
        }
        struct pollfd readable = {.fd = socket.fd, .events = POLLIN};
        (void)poll(size ? NULL : &readable, size ? 0 : 1, size ? 1 : SLICE_MS);
    }
    return session->offer != MARIA_OFFER_NONE ||
           session->state->tls == MARIA_TLS_PREFERRED ||
           server_line_refuse("ssl_mode=preferred", err);
}

bool mysql_tls_holds(struct mysql_session *session, struct err *err)
{
    struct mysql_state *state = session->state;
    bool plain = !maria.get_ssl_cipher(session->handle);
    if (session->wants_tls && plain && session->offer != MARIA_OFFER_NONE) {
        return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                       "The connection to the database server is not encrypted.");
    }
    server_line_note(&state->line,
                     plain && !state->socket && state->tls == MARIA_TLS_PREFERRED);
    return true;
}

/* ------------------------------------------------------------------ the handshake */

struct mysql_watch {
    pthread_t thread;
    pthread_mutex_t lock; /* guards `done` */
    pthread_cond_t changed;
    bool done;
    int line; /* a number of our own: the library may close its one at any time */
    int64_t until_ms;
    const struct datasource_limits *limits;
};

static void *watch_run(void *context)
{
    struct mysql_watch *watch = context;
    (void)pthread_mutex_lock(&watch->lock);
    while (!watch->done) {
        int64_t look_ms = clock_ms() + SLICE_MS;
        struct timespec until = {.tv_sec = look_ms / 1000,
                                 .tv_nsec = look_ms % 1000 * 1000000L};
        (void)pthread_cond_timedwait(&watch->changed, &watch->lock, &until);
        if (limits_spent(watch->limits) || clock_ms() >= watch->until_ms) {
            (void)shutdown(watch->line, SHUT_RDWR);
            break;
        }
    }
    (void)pthread_mutex_unlock(&watch->lock);
    return NULL;
}

static void watch_free(struct mysql_watch *watch)
{
    (void)pthread_cond_destroy(&watch->changed);
    (void)pthread_mutex_destroy(&watch->lock);
    if (watch->line >= 0) {
        (void)close(watch->line);
    }
    memory_free(watch);
}

struct mysql_watch *mysql_watch_start(struct mysql_session *session, int64_t until_ms)
{
    pthread_condattr_t attributes;
    struct mysql_watch *watch = memory_alloc(sizeof *watch);
    watch->line = fcntl(maria.get_socket(session->handle), F_DUPFD_CLOEXEC, 0);
    watch->until_ms = until_ms;
    watch->limits = session->base.limits;
    (void)pthread_mutex_init(&watch->lock, NULL);
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&watch->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    if (watch->line < 0 || pthread_create(&watch->thread, NULL, watch_run, watch) != 0) {
        watch_free(watch);
        return NULL;
    }
    return watch;
}

void mysql_watch_end(struct mysql_watch *watch)
{
    if (!watch) {
        return;
    }
    (void)pthread_mutex_lock(&watch->lock);
    watch->done = true;
    (void)pthread_cond_signal(&watch->changed);
    (void)pthread_mutex_unlock(&watch->lock);
    (void)pthread_join(watch->thread, NULL);
    watch_free(watch);
}
