/* Waiting for the server without ever being deaf to a stop or a deadline. */
#include "datasource/postgres_driver.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

enum {
    SLICE_MS = 20,             /* how soon a stop is seen */
    CANCEL_PATIENCE_MS = 2000, /* for the server to end a query that was cancelled */
};

bool postgres_wait(struct postgres_session *session, int events, int64_t until_ms,
                   struct err *err)
{
    for (;;) {
        if (!limits_hold(session->limits, err)) {
            return false;
        }
        int64_t slice = limits_left_ms(session->limits, SLICE_MS);
        int64_t left = until_ms ? until_ms - clock_ms() : slice;
        if (until_ms && left <= 0) {
            return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                           "The database server did not answer in time.");
        }
        struct pollfd socket = {.fd = PQsocket(session->connection),
                                .events = (short)events};
        int ready = poll(&socket, 1, (int)(left < slice ? left : slice) + 1);
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return true; /* libpq finds out what is wrong with a bad socket */
        }
    }
}

/* Sends what is left to send and reads until a result is there. */
static bool result_wait(struct postgres_session *session, int64_t until_ms,
                        struct err *err)
{
    PGconn *connection = session->connection;
    for (;;) {
        int unsent = PQflush(connection);
        if (unsent < 0) {
            return postgres_lost(session, err);
        }
        if (!PQisBusy(connection)) {
            return true;
        }
        if (!postgres_wait(session, unsent ? POLLIN | POLLOUT : POLLIN, until_ms, err)) {
            return false;
        }
        if (!PQconsumeInput(connection)) {
            return postgres_lost(session, err);
        }
    }
}

bool postgres_next(struct postgres_session *session, PGresult **result, struct err *err)
{
    *result = NULL;
    if (!result_wait(session, 0, err)) {
        return false;
    }
    *result = PQgetResult(session->connection);
    if (PQstatus(session->connection) == CONNECTION_BAD) {
        PQclear(*result);
        *result = NULL;
        return postgres_lost(session, err);
    }
    session->answered |= *result && PQresultStatus(*result) != PGRES_FATAL_ERROR;
    return true;
}

/* ------------------------------------------------------------------ ending a query */

/* libpq's cancel blocks while it connects: it gets a thread of its own, which owns all
 * that it uses. */
static void *cancel_send(void *context)
{
    char message[256];
    (void)PQcancel(context, message, (int)sizeof message);
    PQfreeCancel(context);
    return NULL;
}

static bool cancel_start(PGconn *connection)
{
    PGcancel *cancel = PQgetCancel(connection);
    pthread_t thread;
    if (!cancel) {
        return false;
    }
    if (pthread_create(&thread, NULL, cancel_send, cancel) != 0) {
        PQfreeCancel(cancel);
        return false;
    }
    (void)pthread_detach(thread);
    return true;
}

/* Reads away what the server still says, until it has nothing to say. */
static bool results_drop(struct postgres_session *session, int64_t until_ms)
{
    struct err ignored;
    err_clear(&ignored);
    PGconn *connection = session->connection;
    bool pipeline = PQpipelineStatus(connection) != PQ_PIPELINE_OFF;
    int nothing = 0; /* in a pipeline one NULL ends a command, two end all */
    while (nothing < (pipeline ? 2 : 1)) {
        if (!result_wait(session, until_ms, &ignored)) {
            return false;
        }
        PGresult *result = PQgetResult(connection);
        nothing = result ? 0 : nothing + 1;
        bool synced = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        PQclear(result);
        if (PQstatus(connection) == CONNECTION_BAD) {
            return false;
        }
        if (synced) {
            return PQexitPipelineMode(connection) == 1;
        }
    }
    return !pipeline || PQexitPipelineMode(connection) == 1;
}

void postgres_cancel(struct postgres_session *session)
{
    enum { NEARLY_DONE_MS = 3 };
    const struct datasource_limits *limits = session->limits;
    session->limits = NULL; /* they are spent */
    if (!session->broken && PQstatus(session->connection) == CONNECTION_OK &&
        !results_drop(session, clock_ms() + NEARLY_DONE_MS)) {
        session->broken = !cancel_start(session->connection) ||
                          !results_drop(session, clock_ms() + CANCEL_PATIENCE_MS);
    }
    session->limits = limits;
}

/* ------------------------------------------------------------------ own SQL */

/* Takes every result of what was sent; each goes to `take`, until one fails. */
static bool results_take(struct postgres_session *session, const char *sql,
                         bool (*take)(void *context, const PGresult *result),
                         void *context, struct err *err)
{
    bool ok = true;
    for (;;) {
        PGresult *result = NULL;
        if (!postgres_next(session, &result, ok ? err : &(struct err){0})) {
            postgres_cancel(session);
            return false;
        }
        if (!result) {
            return ok;
        }
        ExecStatusType status = PQresultStatus(result);
        if (ok && status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
            ok = postgres_fail(session, result, "", sql, err);
        } else if (ok && take) {
            (void)take(context, result);
        }
        PQclear(result);
    }
}

bool postgres_command(struct postgres_session *session, const char *sql, struct err *err)
{
    if (!PQsendQuery(session->connection, sql)) {
        return postgres_lost(session, err);
    }
    return results_take(session, sql, NULL, NULL, err);
}

struct reading {
    bool (*row)(void *context, const char *const *texts);
    void *context;
};

static bool rows_take(void *context, const PGresult *result)
{
    struct reading *reading = context;
    int columns = PQnfields(result);
    const char **texts = memory_array((size_t)columns + 1, sizeof *texts);
    bool more = true;
    for (int row = 0; more && row < PQntuples(result); row++) {
        for (int i = 0; i < columns; i++) {
            texts[i] = PQgetisnull(result, row, i) ? NULL : PQgetvalue(result, row, i);
        }
        more = reading->row(reading->context, texts);
    }
    memory_free(texts);
    return more;
}

bool postgres_rows(struct postgres_session *session, const char *sql,
                   bool (*row)(void *context, const char *const *texts), void *context,
                   struct err *err)
{
    struct reading reading = {.row = row, .context = context};
    if (!PQsendQueryParams(session->connection, sql, 0, NULL, NULL, NULL, NULL, 0)) {
        return postgres_lost(session, err);
    }
    return results_take(session, sql, rows_take, &reading, err);
}
