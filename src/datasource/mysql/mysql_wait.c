/* Waits for a MySQL server in short slices, so that a stop or a deadline is noticed: a
 * table of the library's non-blocking operations. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/clock.h"
#include "datasource/mysql/mysql_driver.h"

enum {
    SLICE_MS = 20, /* how soon a stop is seen */
    LASTS_MS = 40, /* a statement that takes longer may be one that is stopped */
};

/* OpenSSL keeps a thread's errors until somebody clears them, and libmariadb does not: it
 * would take an old one, of any line of this thread, for the loss of this line. */
static void old_errors_clear(void)
{
    if (maria.tls_error && maria.tls_errors_clear && maria.tls_error() != 0) {
        maria.tls_errors_clear();
    }
}

static void step_begin(struct mysql_session *session, enum mysql_step step)
{
    session->step = step;
    old_errors_clear();
}

static int go_on(struct mysql_session *session, int ready)
{
    old_errors_clear();
    switch (session->step) {
    case MARIA_CONNECT:
        return maria.real_connect_cont(&session->connected, session->handle, ready);
    case MARIA_QUERY:
        return maria.real_query_cont(&session->status, session->handle, ready);
    case MARIA_FETCH:
        return maria.fetch_row_cont(&session->row, session->rows, ready);
    case MARIA_PREPARE:
        return maria.stmt_prepare_cont(&session->status, session->statement, ready);
    case MARIA_RESET:
        return maria.reset_connection_cont(&session->status, session->handle, ready);
    case MARIA_PING:
        break;
    }
    return maria.ping_cont(&session->status, session->handle, ready);
}

/* What the library waits for, as poll says it, and back. */
static short events_of(int pending)
{
    int events = (pending & MYSQL_WAIT_READ ? POLLIN : 0) |
                 (pending & MYSQL_WAIT_WRITE ? POLLOUT : 0) |
                 (pending & MYSQL_WAIT_EXCEPT ? POLLPRI : 0);
    return (short)events;
}

static int ready_of(int pending, int events)
{
    int ready = (events & POLLIN ? MYSQL_WAIT_READ : 0) |
                (events & POLLOUT ? MYSQL_WAIT_WRITE : 0) |
                (events & POLLPRI ? MYSQL_WAIT_EXCEPT : 0);
    /* the library finds out what is wrong with a bad socket */
    return ready ? ready : pending & ~MYSQL_WAIT_TIMEOUT;
}

/* 0, with err, when the wait must end; else what became ready. */
static int wait_once(struct mysql_session *session, int64_t until_ms,
                     int64_t library_until_ms, struct err *err)
{
    for (;;) {
        if (!limits_hold(session->base.limits, err)) {
            return 0;
        }
        int64_t slice = limits_left_ms(session->base.limits, SLICE_MS);
        int64_t now_ms = clock_ms();
        if (session->base.limits && session->asked_ms && !session->bare &&
            now_ms - session->asked_ms >= LASTS_MS) {
            mysql_spare_want(session->state);
        }
        if (until_ms && now_ms >= until_ms) {
            (void)err_set(err, ERR_DATASOURCE_UNREACHABLE,
                          "The database server did not answer in time.");
            return 0;
        }
        if (library_until_ms && now_ms >= library_until_ms) {
            return MYSQL_WAIT_TIMEOUT;
        }
        slice = until_ms && until_ms - now_ms < slice ? until_ms - now_ms : slice;
        struct pollfd socket = {.fd = maria.get_socket(session->handle),
                                .events = events_of(session->pending)};
        int ready = poll(&socket, 1, (int)slice + 1);
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return ready_of(session->pending, socket.revents);
        }
    }
}

/* Over an encrypted line the library forgets that it must not block: the socket itself
 * has to know. While it connects even that is undone, so its reads end by themselves. */
static void line_set(struct mysql_session *session)
{
    int line = maria.get_socket(session->handle);
    struct timeval slice = {.tv_usec = 5 * SLICE_MS * 1000L};
    if (line >= 0) {
        int flags = fcntl(line, F_GETFL);
        (void)fcntl(line, F_SETFL, flags | O_NONBLOCK);
        (void)setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &slice, sizeof slice);
        (void)setsockopt(line, SOL_SOCKET, SO_SNDTIMEO, &slice, sizeof slice);
    }
}

/* One step of connecting. The greeting is looked at before the library reads it; what
 * comes then holds this thread until both sides have agreed on encryption. */
static bool connect_on(struct mysql_session *session, int ready, int64_t until_ms,
                       struct err *err)
{
    if (!mysql_greeting_read(session, until_ms, err)) {
        return false;
    }
    bool agreeing = session->wants_tls && session->offer == MARIA_OFFER_TLS;
    struct mysql_watch *watch = agreeing ? mysql_watch_start(session, until_ms) : NULL;
    session->pending = go_on(session, ready);
    mysql_watch_end(watch);
    return session->connected || limits_hold(session->base.limits, err);
}

bool mysql_finish(struct mysql_session *session, int64_t until_ms, struct err *err)
{
    bool connecting = session->step == MARIA_CONNECT;
    while (session->pending) {
        if (connecting) {
            line_set(session);
        }
        int64_t library_until_ms = 0;
        if (session->pending & MYSQL_WAIT_TIMEOUT) {
            library_until_ms =
                clock_ms() + (int64_t)maria.get_timeout_value_ms(session->handle);
        }
        int ready = wait_once(session, until_ms, library_until_ms, err);
        if (!ready || (connecting && !connect_on(session, ready, until_ms, err))) {
            return false;
        }
        session->pending = connecting ? session->pending : go_on(session, ready);
    }
    if (connecting) {
        line_set(session);
    }
    return true;
}

void mysql_abandon(struct mysql_session *session)
{
    enum { STEPS_MOST = 16 }; /* a closed line ends every step after a few */
    session->base.broken = true;
    int line = maria.get_socket(session->handle);
    if (line >= 0) {
        (void)shutdown(line, SHUT_RDWR);
    }
    for (int i = 0; session->pending && i < STEPS_MOST; i++) {
        session->pending = go_on(session, session->pending);
    }
    session->pending = 0;
}

void mysql_start_connect(struct mysql_session *session, const char *host,
                         const char *database)
{
    const struct mysql_state *state = session->state;
    step_begin(session, MARIA_CONNECT);
    session->connected = NULL;
    session->pending = maria.real_connect_start(
        &session->connected, session->handle, state->socket ? NULL : host, state->user,
        state->password, database[0] ? database : NULL, state->port, state->socket, 0);
}

void mysql_start_query(struct mysql_session *session, const char *sql)
{
    step_begin(session, MARIA_QUERY);
    session->asked_ms = clock_ms();
    session->pending = maria.real_query_start(&session->status, session->handle, sql,
                                              (unsigned long)strlen(sql));
}

bool mysql_run_text(struct mysql_session *session, const char *sql, int64_t until_ms,
                    struct err *err)
{
    mysql_start_query(session, sql);
    if (!mysql_finish(session, until_ms, err)) {
        return false;
    }
    if (session->status != 0) {
        return mysql_fail(session, sql, err);
    }
    session->base.answered = true;
    session->rows = maria.use_result(session->handle);
    session->ended = false;
    return session->rows || maria.field_count(session->handle) == 0 ||
           mysql_fail(session, sql, err);
}

bool mysql_fetch(struct mysql_session *session, MYSQL_ROW *row, int64_t until_ms,
                 struct err *err)
{
    step_begin(session, MARIA_FETCH);
    session->row = NULL;
    session->pending = maria.fetch_row_start(&session->row, session->rows);
    if (!mysql_finish(session, until_ms, err)) {
        return false;
    }
    *row = session->row;
    session->ended = !session->row;
    return session->row || maria.error_number(session->handle) == 0 ||
           mysql_fail(session, "", err);
}

bool mysql_prepare(struct mysql_session *session, const char *sql, const char *said,
                   struct err *err)
{
    session->statement = maria.stmt_init(session->handle);
    if (!session->statement) {
        return mysql_lost(session, err);
    }
    step_begin(session, MARIA_PREPARE);
    session->asked_ms = clock_ms();
    session->pending = maria.stmt_prepare_start(&session->status, session->statement, sql,
                                                (unsigned long)strlen(sql));
    bool ok = mysql_finish(session, 0, err);
    if (!ok) {
        mysql_cancel(session);
    } else if (session->status != 0) {
        ok = mysql_fail_statement(session, said, err);
    } else if (maria.stmt_field_count(session->statement) == 0) {
        ok = err_set(err, ERR_UNSAFE, "Only a query that reads may run.");
    }
    (void)maria.stmt_close(session->statement);
    session->statement = NULL;
    return ok;
}

void mysql_start_ping(struct mysql_session *session)
{
    step_begin(session, MARIA_PING);
    session->asked_ms = 0;
    session->pending = maria.ping_start(&session->status, session->handle);
}

bool mysql_still_there(struct mysql_session *session)
{
    enum { PING_PATIENCE_MS = 3000 };
    struct err ignored;
    mysql_start_ping(session);
    return mysql_finish(session, clock_ms() + PING_PATIENCE_MS, &ignored) &&
           session->status == 0;
}

bool mysql_reset(struct mysql_session *session, int64_t until_ms)
{
    struct err ignored;
    step_begin(session, MARIA_RESET);
    session->asked_ms = 0;
    session->pending = maria.reset_connection_start(&session->status, session->handle);
    return mysql_finish(session, until_ms, &ignored) && session->status == 0;
}
