/* Waits for the server in short slices, so that a stop or a deadline is noticed. */
#include "datasource/postgres/postgres_driver.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/memory.h"

enum {
    SLICE_MS = 20,             /* how soon a stop is seen */
    CANCEL_PATIENCE_MS = 2000, /* for the server to end a query that was cancelled */
    INTAKE_BYTES = 256 << 10,
    OWN_MOST = 256 << 20, /* of one result of our own SQL: a schema comes whole */
};

bool postgres_wait(struct postgres_session *session, int events, int64_t until_ms,
                   struct err *err)
{
    for (;;) {
        if (!limits_hold(session->base.limits, err)) {
            return false;
        }
        int64_t slice = limits_left_ms(session->base.limits, SLICE_MS);
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

/* The library keeps whatever comes until it is a whole message, however long: an error
 * may quote a text of a gigabyte. So it takes a little at a time, which is counted. */
static bool arrival_holds(struct postgres_session *session, size_t taken, struct err *err)
{
    size_t most = session->arrive_most ? session->arrive_most : OWN_MOST;
    session->arrived += taken;
    if (session->arrived <= most) {
        return true;
    }
    session->base.broken = true;
    (void)err_set(err, ERR_RESULT_TOO_LARGE,
                  "The database sends more in one piece than an answer may hold.");
    return err_hint(err, "Ask for fewer columns, or for a part of a long text.");
}

/* Where nothing can be counted while it is read, what lies ready is counted before; that
 * may be late. */
static bool arrival_take(struct postgres_session *session, struct err *err)
{
    int ready = 0;
    size_t taken = 0;
    if (!postgres_intake_counts() &&
        ioctl(PQsocket(session->connection), FIONREAD, &ready) == 0 &&
        !arrival_holds(session, (size_t)ready, err)) {
        return false;
    }
    if (!postgres_intake(session->connection, INTAKE_BYTES, &taken)) {
        return postgres_lost(session, err);
    }
    return arrival_holds(session, taken, err);
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
        if (!arrival_take(session, err)) {
            return false;
        }
    }
}

bool postgres_next(struct postgres_session *session, PGresult **result, struct err *err)
{
    *result = NULL;
    session->arrived = 0;
    if (!result_wait(session, 0, err)) {
        return false;
    }
    *result = PQgetResult(session->connection);
    if (PQstatus(session->connection) == CONNECTION_BAD) {
        PQclear(*result);
        *result = NULL;
        return postgres_lost(session, err);
    }
    session->syncs -= PQresultStatus(*result) == PGRES_PIPELINE_SYNC;
    session->base.answered |= *result && PQresultStatus(*result) != PGRES_FATAL_ERROR;
    return true;
}

/* ------------------------------------------------------------------ ending a query */

/* libpq's cancel blocks while it connects: it gets a thread of its own, and the two
 * share this. Who leaves last frees it. */
struct cancelling {
    PGcancel *cancel;
    atomic_bool done;
    atomic_int holders;
};

static void cancelling_leave(struct cancelling *work)
{
    if (atomic_fetch_sub(&work->holders, 1) == 1) {
        PQfreeCancel(work->cancel);
        memory_free(work);
    }
}

static void *cancel_send(void *context)
{
    struct cancelling *work = context;
    char message[256];
    (void)PQcancel(work->cancel, message, (int)sizeof message);
    atomic_store(&work->done, true);
    cancelling_leave(work);
    return NULL;
}

static struct cancelling *cancel_start(PGconn *connection)
{
    struct cancelling *work = memory_alloc(sizeof *work);
    pthread_t thread;
    work->cancel = PQgetCancel(connection);
    atomic_store(&work->holders, 2);
    if (!work->cancel || pthread_create(&thread, NULL, cancel_send, work) != 0) {
        atomic_store(&work->holders, 1);
        cancelling_leave(work);
        return NULL;
    }
    (void)pthread_detach(thread);
    return work;
}

/* A cancel that is still on its way would hit the next query on this connection. */
static bool cancel_end(struct cancelling *work, int64_t until_ms)
{
    bool done = atomic_load(&work->done);
    for (; !done && clock_ms() < until_ms; done = atomic_load(&work->done)) {
        (void)poll(NULL, 0, 1);
    }
    cancelling_leave(work);
    return done;
}

/* Reads away what the server still says, until it has nothing to say. */
static bool results_drop(struct postgres_session *session, int64_t until_ms)
{
    enum {
        NOTHING_MOST = 3
    }; /* NULL ends a command; this many in a row end the pipeline */
    struct err ignored;
    err_clear(&ignored);
    PGconn *connection = session->connection;
    bool pipeline = PQpipelineStatus(connection) != PQ_PIPELINE_OFF;
    for (int nothing = 0; pipeline ? session->syncs > 0 : nothing == 0;) {
        session->arrived = 0;
        if (nothing == NOTHING_MOST || !result_wait(session, until_ms, &ignored)) {
            return false;
        }
        PGresult *result = PQgetResult(connection);
        nothing = result ? 0 : nothing + 1;
        if (result && pipeline && session->syncs <= POSTGRES_RESET_SYNCS &&
            PQresultStatus(result) == PGRES_FATAL_ERROR) {
            session->base.broken = true; /* it is not as new */
        }
        session->syncs -= PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        PQclear(result);
        if (PQstatus(connection) == CONNECTION_BAD) {
            return false;
        }
    }
    return !pipeline || PQexitPipelineMode(connection) == 1;
}

void postgres_settle(struct postgres_session *session, int64_t patience_ms)
{
    const struct datasource_limits *limits = session->base.limits;
    session->base.limits = NULL; /* they may be spent */
    if (!session->base.broken && PQstatus(session->connection) == CONNECTION_OK &&
        !results_drop(session, clock_ms() + patience_ms)) {
        int64_t until_ms = clock_ms() + CANCEL_PATIENCE_MS;
        struct cancelling *work = cancel_start(session->connection);
        bool dropped = work && results_drop(session, until_ms);
        bool ended = work && cancel_end(work, until_ms);
        session->base.broken |= !dropped || !ended;
    }
    session->base.limits = limits;
}

void postgres_cancel(struct postgres_session *session)
{
    enum { NEARLY_DONE_MS = 3 };
    postgres_settle(session, NEARLY_DONE_MS);
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

struct reading {
    bool (*row)(void *context, const char *const *texts);
    void *context;
    const struct postgres_question *questions; /* of several: the next one */
    size_t left;                               /* questions without an answer yet */
};

static bool rows_take(void *context, const PGresult *result)
{
    struct reading *reading = context;
    if (PQresultStatus(result) != PGRES_TUPLES_OK) {
        return true; /* a setting */
    }
    if (reading->left > 0) {
        reading->row = (reading->questions++)->row;
        reading->left--;
    }
    int columns = PQnfields(result);
    const char **texts = memory_array((size_t)columns + 1, sizeof *texts);
    bool more = reading->row != NULL;
    for (int row = 0; more && row < PQntuples(result); row++) {
        for (int i = 0; i < columns; i++) {
            texts[i] = PQgetisnull(result, row, i) ? NULL : PQgetvalue(result, row, i);
        }
        more = reading->row(reading->context, texts);
    }
    memory_free(texts);
    return more;
}

/*
 * Own SQL runs with built-in functions and operators alone. Otherwise c.oid >= 16384
 * could call an operator that somebody has made in the schema of the tables: it would run
 * with our login, and could hide from us what it and others of its kind are called. All
 * is one transaction for the server: an error takes the setting back, too.
 */
static bool own_send(struct postgres_session *session, const char *sql)
{
    enum { SCRIPT_MOST = 1 << 20 };
    struct buf script;
    if (!session->home) {
        return PQsendQuery(session->connection, sql) == 1;
    }
    buf_init(&script, SCRIPT_MOST);
    bool sent =
        buf_format(&script,
                   "SET search_path = pg_catalog; %s; SET search_path = pg_catalog, %s, "
                   "pg_temp",
                   sql, session->home) &&
        PQsendQuery(session->connection, buf_get(&script)) == 1;
    buf_release(&script);
    return sent;
}

bool postgres_rows(struct postgres_session *session, const char *sql,
                   bool (*row)(void *context, const char *const *texts), void *context,
                   struct err *err)
{
    struct reading reading = {.row = row, .context = context};
    if (!own_send(session, sql)) {
        return postgres_lost(session, err);
    }
    return results_take(session, sql, rows_take, &reading, err);
}

bool postgres_script(struct postgres_session *session, const char *sql,
                     bool (*row)(void *context, const char *const *texts), void *context,
                     struct err *err)
{
    struct reading reading = {.row = row, .context = context};
    if (!PQsendQuery(session->connection, sql)) {
        return postgres_lost(session, err);
    }
    return results_take(session, sql, row ? rows_take : NULL, &reading, err);
}

bool postgres_ask(struct postgres_session *session,
                  const struct postgres_question *questions, size_t count, void *context,
                  struct err *err)
{
    enum { SCRIPT_MOST = 1 << 16 };
    struct reading reading = {.context = context, .questions = questions, .left = count};
    struct buf sql;
    buf_init(&sql, SCRIPT_MOST);
    for (size_t i = 0; i < count; i++) {
        (void)buf_format(&sql, "%s%s", i ? "; " : "", questions[i].sql);
    }
    bool ok = own_send(session, buf_get(&sql))
                  ? results_take(session, buf_get(&sql), rows_take, &reading, err)
                  : postgres_lost(session, err);
    buf_release(&sql);
    return ok;
}
