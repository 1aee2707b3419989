/*
 * Other people's SQL: one statement, in a transaction that can only read and is always
 * rolled back, so that nothing it sets outlives it.
 *
 * All goes out at once, so that a slow line is crossed once: begin, the time limit, the
 * statement compiled as a cursor's query (which the server does for a plain query only),
 * the statement itself. When one fails the server passes over the rest, so the statement
 * never runs unless it is a query. The rollback and what makes the session as new stand
 * behind marks of their own and run in any case.
 */
#include "datasource/postgres_driver.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"

enum {
    STEP_BEGIN,
    STEP_TIMEOUT,
    STEP_ONLY_QUERY,
    STEP_STATEMENT,
    STEP_COUNT,
    SERVER_GRACE_MS = 1000, /* we end it ourselves; the server only when we cannot */
};

struct running {
    struct postgres_session *session;
    struct postgres_state *state;
    const char *how;
    const char *sql;
    const struct datasource_sink *sink;
    struct postgres_type *types;
    struct value *cells;
    size_t columns;
    int64_t left; /* rows that may still be handed out */
    bool begun;   /* the sink has the columns */
    bool enough;  /* the sink or the cap said stop */
    struct arena *arena;
    struct arena *scratch; /* for one row */
};

static bool one(PGconn *connection, const char *sql)
{
    return PQsendQueryParams(connection, sql, 0, NULL, NULL, NULL, NULL, 0) == 1;
}

/* Prepared statements, locks of the session, what functions of the database left: all of
 * it outlives a transaction and is gone for whoever has the connection next. */
static bool reset_send(struct postgres_session *session)
{
    PGconn *connection = session->connection;
    return one(connection, "ROLLBACK") && PQpipelineSync(connection) &&
           one(connection, "DISCARD ALL") && PQpipelineSync(connection) &&
           one(connection, postgres_settings(session)) && PQpipelineSync(connection);
}

static bool send(struct running *work, const char *how)
{
    PGconn *connection = work->session->connection;
    const struct datasource_limits *limits = work->session->base.limits;
    char timeout[80];
    int64_t left_ms = limits_left_ms(limits, 3600000) + SERVER_GRACE_MS;
    (void)snprintf(timeout, sizeof timeout, "SET LOCAL statement_timeout = %lld",
                   (long long)left_ms);
    const char *only =
        arena_format(work->arena, "%s%s", POSTGRES_ONLY_QUERIES, work->sql);
    const char *sql = arena_format(work->arena, "%s%s", how, work->sql);
    bool sent = PQenterPipelineMode(connection) && one(connection, "BEGIN READ ONLY") &&
                one(connection, timeout) &&
                PQsendPrepare(connection, "", only, 0, NULL) && one(connection, sql) &&
                PQpipelineSync(connection) && reset_send(work->session);
    work->session->syncs = 1 + POSTGRES_RESET_SYNCS;
    return sent;
}

static void columns_hand(struct running *work, const PGresult *result)
{
    size_t count = (size_t)PQnfields(result);
    struct rows_column *columns = arena_array(work->arena, count, sizeof *columns);
    work->types = arena_array(work->arena, count, sizeof *work->types);
    work->cells = arena_array(work->arena, count, sizeof *work->cells);
    work->columns = count;
    for (size_t i = 0; i < count; i++) {
        const char *name = PQfname(result, (int)i);
        size_t size = strlen(name);
        Oid oid = PQftype(result, (int)i);
        columns[i].name = text_clean(work->arena, name, &size);
        columns[i].type =
            postgres_type_name(work->state, work->arena, oid, PQfmod(result, (int)i));
        work->types[i] = postgres_type_get(work->state, oid);
    }
    work->begun = true;
    work->enough = !work->sink->columns(work->sink->context, columns, count);
}

static void rows_hand(struct running *work, const PGresult *result)
{
    if (!work->begun) {
        columns_hand(work, result);
    }
    for (int row = 0; !work->enough && row < PQntuples(result); row++) {
        for (size_t i = 0; i < work->columns; i++) {
            int at = (int)i;
            struct value none = {.kind = VALUE_NULL};
            work->cells[i] =
                PQgetisnull(result, row, at)
                    ? none
                    : postgres_value(work->state, work->scratch, &work->types[i],
                                     PQgetvalue(result, row, at),
                                     (size_t)PQgetlength(result, row, at));
        }
        work->enough =
            !work->sink->row(work->sink->context, work->cells) || --work->left < 0;
        arena_reset(work->scratch);
    }
}

/* One result of one step. False when the work cannot go on. */
static bool result_take(struct running *work, int step, const PGresult *result,
                        struct err *err)
{
    switch (PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_EMPTY_QUERY:
    case PGRES_PIPELINE_ABORTED:
        return true;
    case PGRES_SINGLE_TUPLE:
    case PGRES_TUPLES_OK:
        if (step == STEP_STATEMENT) {
            rows_hand(work, result);
        }
        return true;
    default:
        return postgres_fail(work->session, result,
                             step == STEP_ONLY_QUERY ? POSTGRES_ONLY_QUERIES : work->how,
                             work->sql, err);
    }
}

static bool receive(struct running *work, struct err *err)
{
    for (int step = 0; step < STEP_COUNT; step++) {
        if (step == STEP_STATEMENT) {
            (void)PQsetSingleRowMode(work->session->connection);
        }
        for (;;) {
            PGresult *result = NULL;
            if (!postgres_next(work->session, &result, err)) {
                return false;
            }
            if (!result) {
                break;
            }
            bool ok = result_take(work, step, result, err);
            PQclear(result);
            if (!ok || work->enough) {
                return ok;
            }
        }
    }
    return true;
}

bool postgres_run(struct postgres_session *session, struct postgres_state *state,
                  const char *how, const char *sql, const struct datasource_sink *sink,
                  struct err *err)
{
    const struct datasource_limits *limits = session->base.limits;
    struct running work = {.session = session,
                           .state = state,
                           .how = how,
                           .sql = sql,
                           .sink = sink,
                           .left = limits && limits->max_rows > 0 ? limits->max_rows
                                                                  : INT64_MAX - 1,
                           .arena = arena_new(),
                           .scratch = arena_new()};
    bool ok = send(&work, how) ? receive(&work, err) : postgres_lost(session, err);
    /* When it ended by itself, the rollback's answer is all that is missing. */
    if (!work.enough && !limits_spent(limits)) {
        postgres_settle(session, SERVER_GRACE_MS);
    } else {
        postgres_cancel(session);
    }
    arena_free(work.arena);
    arena_free(work.scratch);
    return ok;
}

bool postgres_check_one(struct postgres_session *session, const char *sql,
                        struct err *err)
{
    struct arena *arena = arena_new();
    const char *only = arena_format(arena, "%s%s", POSTGRES_ONLY_QUERIES, sql);
    bool ok = PQsendPrepare(session->connection, "", only, 0, NULL) == 1 ||
              postgres_lost(session, err);
    for (PGresult *result = NULL; ok;) {
        if (!postgres_next(session, &result, err)) {
            postgres_cancel(session);
            ok = false;
        }
        if (!ok || !result) {
            break;
        }
        ok = PQresultStatus(result) == PGRES_COMMAND_OK ||
             postgres_fail(session, result, POSTGRES_ONLY_QUERIES, sql, err);
        PQclear(result);
    }
    if (!ok && !session->base.broken) {
        postgres_cancel(session);
    }
    arena_free(arena);
    return ok;
}
