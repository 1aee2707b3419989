/*
 * Other people's SQL: one statement, in a transaction that can only read and is always
 * rolled back, so that nothing it sets outlives it.
 *
 * A slow line is crossed twice (for a plan: once). First go begin, the time limit, the
 * statement compiled as a cursor's query (which the server does for a plain query only),
 * and the statement by itself: the server says which columns it has. Then goes the
 * statement, inside of one that bounds its cells where that is needed. When one step
 * fails the server passes over the rest, so the statement never runs unless it is a
 * query. The rollback and what makes the session as new stand behind marks of their own
 * and run in any case.
 */
#include "datasource/postgres/postgres_driver.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"

enum {
    STEP_BEGIN,
    STEP_TIMEOUT,
    STEP_ONLY_QUERY,
    STEP_COMPILE,
    STEP_DESCRIBE,
    STEP_STATEMENT,
    STEP_COUNT,
    SERVER_GRACE_MS = 1000, /* we end it ourselves; the server only when we cannot */
    WORDS_MOST = 1 << 20,   /* what it says before there are rows */
    PLAN_MOST = 64 << 20,
};

struct running {
    struct postgres_session *session;
    struct postgres_state *state;
    const char *how; /* what stands before the statement when it runs */
    const char *sql;
    const char *whole; /* both, and what stands behind */
    bool direct;       /* it is run as it was compiled */
    bool plan;         /* only its plan is wanted */
    const struct datasource_sink *sink;
    struct postgres_bound bound;
    struct postgres_type *types;
    struct value *cells;
    const struct rows_column *names;
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

/* Discards what outlives a transaction (prepared statements, session locks, changes by
 * functions of the database), so that the next user of the connection does not get it. */
static bool reset_send(struct postgres_session *session)
{
    PGconn *connection = session->connection;
    return one(connection, "ROLLBACK") && PQpipelineSync(connection) &&
           one(connection, "DISCARD ALL") && PQpipelineSync(connection) &&
           one(connection, postgres_settings(session)) && PQpipelineSync(connection);
}

static bool first_send(struct running *work)
{
    PGconn *connection = work->session->connection;
    const struct datasource_limits *limits = work->session->base.limits;
    char timeout[80];
    int64_t left_ms = limits_left_ms(limits, 3600000) + SERVER_GRACE_MS;
    (void)snprintf(timeout, sizeof timeout, "SET LOCAL statement_timeout = %lld",
                   (long long)left_ms);
    const char *only =
        arena_format(work->arena, "%s%s", POSTGRES_ONLY_QUERIES, work->sql);
    return PQenterPipelineMode(connection) && one(connection, "BEGIN READ ONLY") &&
           one(connection, timeout) && PQsendPrepare(connection, "", only, 0, NULL);
}

static bool compile_send(struct running *work)
{
    PGconn *connection = work->session->connection;
    return PQsendPrepare(connection, "", work->sql, 0, NULL) &&
           PQsendDescribePrepared(connection, "") && PQsendFlushRequest(connection);
}

/* The statement, and what comes after it in any case. */
static bool rest_send(struct running *work, bool statement)
{
    PGconn *connection = work->session->connection;
    bool sent = !statement || (work->direct ? PQsendQueryPrepared(connection, "", 0, NULL,
                                                                  NULL, NULL, 0) == 1
                                            : one(connection, work->whole));
    work->session->syncs = 1 + POSTGRES_RESET_SYNCS;
    return sent && PQpipelineSync(connection) && reset_send(work->session);
}

static void columns_take(struct running *work, const PGresult *described)
{
    size_t count = (size_t)PQnfields(described);
    struct rows_column *columns = arena_array(work->arena, count, sizeof *columns);
    work->types = arena_array(work->arena, count, sizeof *work->types);
    work->cells = arena_array(work->arena, count, sizeof *work->cells);
    work->names = columns;
    work->columns = count;
    for (size_t i = 0; i < count; i++) {
        const char *name = arena_text(work->arena, PQfname(described, (int)i));
        size_t size = strlen(name);
        Oid oid = PQftype(described, (int)i);
        columns[i].name = text_clean(work->arena, name, &size);
        columns[i].type =
            postgres_type_name(work->state, work->arena, oid, PQfmod(described, (int)i));
        work->types[i] = postgres_type_get(work->state, oid);
    }
}

/* The statement is compiled, and its columns are known. */
static bool statement_make(struct running *work, const PGresult *described,
                           struct err *err)
{
    columns_take(work, described);
    postgres_bound_make(work->state, work->arena, described, work->session->base.limits,
                        &work->bound);
    work->session->arrive_most = work->bound.row_bytes;
    work->direct = work->bound.long_count == 0;
    return work->direct ||
           postgres_bound_wrap(work->arena, &work->bound, work->sql, &work->how,
                               &work->whole) ||
           err_set(err, ERR_INVALID_SQL, "The SQL is too long.");
}

static struct value cell_of(struct running *work, const PGresult *result, int row, int at)
{
    struct value none = {.kind = VALUE_NULL};
    if (PQgetisnull(result, row, at)) {
        return none;
    }
    const char *text = PQgetvalue(result, row, at);
    size_t size = (size_t)PQgetlength(result, row, at);
    const struct postgres_type *type = &work->types[at];
    bool bounded = (size_t)at < work->bound.count && work->bound.columns[at].is_long &&
                   type->kind != POSTGRES_BYTES;
    if (!bounded || size <= work->bound.cell_bytes) {
        struct value value = postgres_value(work->state, work->scratch, type, text, size);
        value.cut = value.kind == VALUE_BLOB && work->bound.count > 0 &&
                    value.text.size > work->bound.cell_bytes;
        return value;
    }
    /* only its beginning came, which is no JSON and no array any more */
    struct value value = {.kind = VALUE_TEXT, .cut = true};
    size = utf8_cut(text, size, work->bound.cell_bytes);
    value.text.data = text_clean(work->scratch, text, &size);
    value.text.size = size;
    return value;
}

static void rows_hand(struct running *work, const PGresult *result)
{
    if (!work->begun) {
        if (work->plan) {
            columns_take(work, result);
        }
        work->begun = true;
        work->enough =
            !work->sink->columns(work->sink->context, work->names, work->columns);
    }
    for (int row = 0; !work->enough && row < PQntuples(result); row++) {
        for (size_t i = 0; i < work->columns; i++) {
            work->cells[i] = cell_of(work, result, row, (int)i);
        }
        work->enough =
            !work->sink->row(work->sink->context, work->cells) || --work->left < 0;
        arena_reset(work->scratch);
    }
}

/* What the text that the step sent begins with, before the statement. */
static const char *step_prefix(const struct running *work, int step)
{
    return step == STEP_ONLY_QUERY  ? POSTGRES_ONLY_QUERIES
           : step == STEP_STATEMENT ? work->how
                                    : "";
}

/* One result of one step. False when the work cannot go on. */
static bool result_take(struct running *work, int step, const PGresult *result,
                        struct err *err)
{
    switch (PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
        return step != STEP_DESCRIBE || statement_make(work, result, err);
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
        return postgres_fail(work->session, result, step_prefix(work, step), work->sql,
                             err);
    }
}

static bool receive(struct running *work, int from, int to, struct err *err)
{
    for (int step = from; step < to; step++) {
        if (work->plan && (step == STEP_COMPILE || step == STEP_DESCRIBE)) {
            continue;
        }
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

/* The columns of a plan are known, and its cells are none of the database's. */
static bool plan_run(struct running *work, struct err *err)
{
    work->session->arrive_most = PLAN_MOST;
    work->whole = arena_format(work->arena, "%s%s", work->how, work->sql);
    return first_send(work) && rest_send(work, true)
               ? receive(work, STEP_BEGIN, STEP_COUNT, err)
               : postgres_lost(work->session, err);
}

static bool statement_run(struct running *work, struct err *err)
{
    work->session->arrive_most = WORDS_MOST;
    if (!first_send(work) || !compile_send(work)) {
        return postgres_lost(work->session, err);
    }
    bool ok = receive(work, STEP_BEGIN, STEP_STATEMENT, err);
    if (!work->session->base.broken && !rest_send(work, ok)) {
        return postgres_lost(work->session, ok ? err : &(struct err){0});
    }
    return ok && receive(work, STEP_STATEMENT, STEP_COUNT, err);
}

bool postgres_run(struct postgres_session *session, struct postgres_state *state,
                  const char *how, const char *sql, const struct datasource_sink *sink,
                  struct err *err)
{
    const struct datasource_limits *limits = session->base.limits;
    struct running work = {.session = session,
                           .state = state,
                           .how = how,
                           .plan = how[0] != '\0',
                           .sql = sql,
                           .sink = sink,
                           .left = limits && limits->max_rows > 0 ? limits->max_rows
                                                                  : INT64_MAX - 1,
                           .arena = arena_new(),
                           .scratch = arena_new()};
    bool ok = work.plan ? plan_run(&work, err) : statement_run(&work, err);
    session->arrive_most = 0;
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
