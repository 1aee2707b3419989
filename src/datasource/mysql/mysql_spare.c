/*
 * The connection that ends other people's queries, one for each MySQL database, kept
 * apart from those that run queries. Agreeing on encryption takes longer than a stop may:
 * so it is made as soon as a query lasts, by a thread of its own, and kept.
 */
#include <linux/sockios.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>

#include "base/clock.h"
#include "datasource/mysql/mysql_driver.h"

enum {
    PROVEN_MS = 30000, /* a line that lay longer is asked before it is relied on */
    RETRY_MS = 5000,   /* after a server that did not let us in */
    CARRIED_MS = 500,  /* for a line to bring what was sent to the other side */
    ANSWER_MS = 3000,  /* for a slow server to answer */
};

void mysql_spare_init(struct mysql_spare *spare)
{
    pthread_condattr_t attributes;
    (void)pthread_mutex_init(&spare->lock, NULL);
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&spare->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    cancel_init(&spare->closing);
}

void mysql_spare_release(struct mysql_spare *spare)
{
    cancel_fire(&spare->closing);
    if (spare->begun) {
        (void)pthread_join(spare->maker, NULL);
    }
    if (spare->session) {
        mysql_disconnect(spare->session);
    }
    cancel_release(&spare->closing);
    (void)pthread_cond_destroy(&spare->changed);
    (void)pthread_mutex_destroy(&spare->lock);
}

/* The server says nothing on its own: a socket that can be read was closed. */
static bool line_open(struct mysql_session *session)
{
    struct pollfd socket = {.fd = maria.get_socket(session->handle), .events = POLLIN};
    return poll(&socket, 1, 0) == 0;
}

static void line_drop(struct mysql_session *session)
{
    session->base.broken = true; /* closed without waiting for the server */
    mysql_disconnect(session);
}

/* The server's machine has taken all that was sent. A local socket is always there. */
static bool line_carries(struct mysql_session *session)
{
    int left = 0;
    return session->state->socket ||
           (ioctl(maria.get_socket(session->handle), SIOCOUTQ, &left) == 0 && left == 0);
}

/* A connection on which nothing arrives is lost, and is soon given up, because a new
 * one can be made. One that works is used, however long the server takes. */
static bool answer_await(struct mysql_session *session, int64_t until_ms)
{
    struct err ignored;
    int64_t carried_ms = clock_ms() + CARRIED_MS;
    bool came =
        mysql_finish(session, carried_ms < until_ms ? carried_ms : until_ms, &ignored) ||
        (line_carries(session) && mysql_finish(session, until_ms, &ignored));
    return came && session->status == 0;
}

static bool line_proven(struct mysql_session *session)
{
    if (!line_open(session)) {
        return false;
    }
    mysql_start_ping(session);
    return answer_await(session, clock_ms() + ANSWER_MS);
}

/* It lies as long as those of the pool, whatever the server's own habit is. */
static struct mysql_session *line_make(struct mysql_state *state)
{
    const struct datasource_limits limits = {.cancel = &state->spare.closing};
    int64_t until_ms = clock_ms() + state->connect_timeout_ms;
    struct err ignored;
    struct mysql_session *session = mysql_connect_bare(state, &limits, until_ms);
    if (session &&
        !mysql_run_text(session, "SET SESSION wait_timeout = 900", until_ms, &ignored)) {
        line_drop(session);
        session = NULL;
    }
    if (session) {
        session->base.limits = NULL;
    }
    return session;
}

/* Makes one, or asks the one that is there whether it still is. */
static void *spare_make(void *context)
{
    struct mysql_state *state = context;
    struct mysql_spare *spare = &state->spare;
    (void)pthread_mutex_lock(&spare->lock);
    struct mysql_session *session = spare->session;
    spare->session = NULL;
    (void)pthread_mutex_unlock(&spare->lock);
    if (session && !line_proven(session)) {
        line_drop(session);
        session = NULL;
    }
    session = session ? session : line_make(state);
    (void)pthread_mutex_lock(&spare->lock);
    spare->session = session;
    spare->making = false;
    spare->look_at_ms = clock_ms() + (session ? PROVEN_MS : RETRY_MS);
    (void)pthread_cond_broadcast(&spare->changed);
    (void)pthread_mutex_unlock(&spare->lock);
    return NULL;
}

/* Every slice of every wait comes here: it must not wait for anybody. */
void mysql_spare_want(struct mysql_state *state)
{
    struct mysql_spare *spare = &state->spare;
    if (pthread_mutex_trylock(&spare->lock) != 0) {
        return;
    }
    bool due =
        clock_ms() >= spare->look_at_ms || (spare->session && !line_open(spare->session));
    if (due && !spare->making) {
        if (spare->begun) {
            (void)pthread_join(spare->maker, NULL); /* it is at its end */
        }
        spare->begun = pthread_create(&spare->maker, NULL, spare_make, state) == 0;
        spare->making = spare->begun;
        if (!spare->begun) {
            spare->look_at_ms = clock_ms() + RETRY_MS;
        }
    }
    (void)pthread_mutex_unlock(&spare->lock);
}

/* Somebody is just making it: that is sooner there than one that is begun now. */
static void making_await(struct mysql_spare *spare, int64_t until_ms)
{
    struct timespec until = {.tv_sec = until_ms / 1000,
                             .tv_nsec = until_ms % 1000 * 1000000L};
    int failed = 0;
    while (spare->making && !failed) {
        failed = pthread_cond_timedwait(&spare->changed, &spare->lock, &until);
    }
}

enum mysql_stop mysql_spare_kill(struct mysql_state *state, const char *sql,
                                 int64_t until_ms)
{
    struct mysql_spare *spare = &state->spare;
    struct err ignored;
    enum mysql_stop outcome = MARIA_KILL_UNSENT;
    (void)pthread_mutex_lock(&spare->lock);
    making_await(spare, until_ms);
    struct mysql_session *session = spare->session;
    if (session && line_open(session)) {
        mysql_start_query(session, sql);
        bool sent = answer_await(session, until_ms);
        if (!sent && !session->pending) {
            (void)mysql_fail(session, sql, &ignored); /* says whether the line is lost */
        }
        bool answered = !session->pending && !session->base.broken;
        outcome = sent       ? MARIA_KILL_SENT
                  : answered ? MARIA_KILL_REFUSED
                             : MARIA_KILL_UNKNOWN;
    }
    if (session && outcome != MARIA_KILL_SENT && outcome != MARIA_KILL_REFUSED) {
        line_drop(session);
        spare->session = NULL;
        spare->look_at_ms = 0; /* the next query that lasts makes another */
    }
    (void)pthread_mutex_unlock(&spare->lock);
    return outcome;
}
