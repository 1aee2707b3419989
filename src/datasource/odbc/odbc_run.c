/*
 * Runs SQL of users or models over ODBC. Drivers accept several statements at once and
 * ignore their own read-only mode, so only a single query in the database's dialect that
 * the guard accepts is run.
 */
#include <stdio.h>

#include "datasource/odbc/odbc_driver.h"
#include "datasource/odbc/odbc_gate.h"

struct running {
    const struct datasource_sink *sink;
    int64_t left;
};

static bool columns_pass(void *context, const struct rows_column *columns, size_t count)
{
    const struct running *work = context;
    return !work->sink || work->sink->columns(work->sink->context, columns, count);
}

static bool row_pass(void *context, const struct value *cells)
{
    struct running *work = context;
    return work->sink->row(work->sink->context, cells) && --work->left >= 0;
}

/* MariaDB's driver reads a whole result before it hands out the first row, and would
 * write a limit into the SQL: the server itself ends the result. */
static bool rows_most_set(struct odbc_session *session, int64_t most, struct err *err)
{
    char sql[100];
    most = most > 0 ? most : INT64_MAX;
    if (!session->state->product->limits_rows || session->rows_most == most) {
        return true;
    }
    session->rows_most = most;
    (void)snprintf(sql, sizeof sql, "SET SESSION sql_select_limit = %lld",
                   (long long)most);
    return odbc_ask(session, sql, 0, NULL, NULL, err);
}

bool odbc_run(struct odbc_session *session, enum odbc_call call, const char *sql,
              const struct datasource_sink *sink, struct err *err)
{
    const struct datasource_limits *limits = session->base.limits;
    enum dialect dialect = session->state->product->dialect;
    struct running work = {.sink = sink,
                           .left = limits && limits->max_rows > 0 ? limits->max_rows
                                                                  : INT64_MAX - 1};
    const struct odbc_sink job_sink = {
        .columns = columns_pass, .row = row_pass, .context = &work};
    const struct odbc_request request = {
        .call = call, .text = sql, .most = work.left < INT64_MAX - 1 ? work.left + 1 : 0};
    struct err refusal;
    bool unlisted = false;
    err_clear(&refusal);
    bool ok = odbc_gate(dialect, sql, limits, &unlisted, &refusal);
    if (!ok && unlisted && call == ODBC_PREPARE && /* is there such a function at all? */
        !odbc_job(session, &request, &job_sink, err)) {
        return false;
    }
    if (!ok) {
        *err = refusal;
        return false;
    }
    bool cut = call == ODBC_EXECUTE && dialect == DIALECT_POSTGRES;
    ok = rows_most_set(session, request.most, err) &&
         (cut ? odbc_bound_run : odbc_job)(session, &request, &job_sink, err);
    return ok || odbc_bound_told(session->state, err);
}

bool odbc_ask(struct odbc_session *session, const char *sql, int64_t most,
              bool (*row)(void *context, const struct value *cells), void *context,
              struct err *err)
{
    const struct odbc_sink sink = {.row = row, .context = context};
    const char *first = session->ready ? session->state->product->own_first : NULL;
    const struct odbc_request request = {
        .call = ODBC_EXECUTE, .text = sql, .most = most, .first = first};
    return odbc_job(session, &request, &sink, err);
}
