/* Ending a query on a MySQL server, and own SQL. */
#include <stdio.h>

#include "base/clock.h"
#include "base/memory.h"
#include "datasource/mysql/mysql_driver.h"

enum { CANCEL_PATIENCE_MS = 3000 }; /* for the server to end a query that was killed */

/* Lets the step that is under way come to its end, and reads away the rows. *cut: it
 * ended because somebody ended it. */
static bool rest_drop(struct mysql_session *session, int64_t until_ms, bool *cut)
{
    struct err ignored;
    err_clear(&ignored);
    *cut = false;
    if (session->pending) {
        if (!mysql_finish(session, until_ms, &ignored)) {
            return false;
        }
        bool fetched = session->step == MARIA_FETCH;
        session->ended = fetched && !session->row;
        if (fetched ? session->ended : session->status != 0) {
            unsigned int number = session->step == MARIA_PREPARE
                                      ? maria.stmt_errno(session->statement)
                                      : maria.error_number(session->handle);
            *cut = mysql_interrupted(number);
            return *cut || number == 0;
        }
        if (session->step == MARIA_QUERY) {
            session->rows = maria.use_result(session->handle);
        }
    }
    for (MYSQL_ROW row = NULL; session->rows && !session->ended;) {
        if (!mysql_fetch(session, &row, until_ms, &ignored)) {
            *cut = !session->pending &&
                   mysql_interrupted(maria.error_number(session->handle));
            return *cut;
        }
    }
    return true;
}

/* KILL QUERY goes over another connection: the one that stands ready, else one that is
 * made for it. *late: it may still arrive when nobody expects it any more. */
static bool kill_send(struct mysql_session *session, int64_t until_ms, bool *late)
{
    char sql[64];
    struct err ignored;
    (void)snprintf(sql, sizeof sql, "KILL QUERY %lu",
                   (unsigned long)maria.thread_id(session->handle));
    enum mysql_stop outcome = mysql_spare_kill(session->state, sql, until_ms);
    *late = outcome == MARIA_KILL_UNKNOWN;
    if (outcome == MARIA_KILL_SENT || outcome == MARIA_KILL_REFUSED) {
        return outcome == MARIA_KILL_SENT;
    }
    struct mysql_session *other = mysql_connect_bare(session->state, NULL, until_ms);
    if (!other) {
        return false;
    }
    bool sent = mysql_run_text(other, sql, until_ms, &ignored);
    mysql_disconnect(other);
    return sent;
}

/* A kill that meets no query would meet the next one: such a connection is given up. */
static void mysql_settle(struct mysql_session *session, int64_t patience_ms)
{
    const struct datasource_limits *limits = session->base.limits;
    bool cut = false;
    session->base.limits = NULL; /* they may be spent */
    if (!session->base.broken && (session->pending || session->rows) &&
        !rest_drop(session, clock_ms() + patience_ms, &cut)) {
        int64_t until_ms = clock_ms() + CANCEL_PATIENCE_MS;
        bool late = false;
        bool killed = kill_send(session, until_ms, &late);
        bool dropped = killed && rest_drop(session, until_ms, &cut);
        session->base.broken = !dropped || !cut || late;
    }
    if (session->base.broken || session->pending) {
        mysql_abandon(session);
    }
    if (session->rows) {
        maria.free_result(session->rows);
        session->rows = NULL;
    }
    session->base.limits = limits;
}

void mysql_cancel(struct mysql_session *session)
{
    enum { NEARLY_DONE_MS = 3 };
    mysql_settle(session, NEARLY_DONE_MS);
}

bool mysql_rows(struct mysql_session *session, const char *sql,
                bool (*row)(void *context, const char *const *texts), void *context,
                struct err *err)
{
    enum { OWN_PATIENCE_MS = 500 }; /* our own questions have short answers */
    bool ok = mysql_run_text(session, sql, 0, err);
    bool more = ok && session->rows && row;
    while (ok && more) {
        MYSQL_ROW texts = NULL;
        ok = mysql_fetch(session, &texts, 0, err);
        more = ok && texts && row(context, (const char *const *)texts);
    }
    if (ok) {
        mysql_settle(session, OWN_PATIENCE_MS);
    } else {
        mysql_cancel(session);
    }
    return ok;
}
