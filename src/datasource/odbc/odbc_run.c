/*
 * Other people's SQL over ODBC. Drivers take several statements at once and ignore their
 * own read-only mode, so nothing runs here that the guard does not take for one query of
 * the database's dialect, whoever asks.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "datasource/odbc/odbc_driver.h"
#include "sql/guard.h"
#include "sql/lexer.h"

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

static bool guard_says(const struct odbc_state *state, const char *sql, bool *unlisted,
                       struct err *err)
{
    struct arena *arena = arena_new();
    struct guard_result guard = {0};
    guard_check(arena, state->product->dialect, sql, strlen(sql), NULL, &guard);
    bool ok = guard.verdict == GUARD_READ;
    *unlisted = guard.unlisted;
    if (!ok && guard.unparsable && guard.position >= 0) {
        const char *near = sql + guard.position;
        (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error near '%.*s'.",
                      (int)strcspn(near, " \t\r\n"), near);
        err->position = guard.position;
        (void)err_detail(err, "%s", guard.reason);
    } else if (!ok) {
        (void)err_set(err, guard.unparsable ? ERR_INVALID_SQL : ERR_UNSAFE, "%s",
                      guard.reason && guard.reason[0] ? guard.reason
                                                      : "The SQL is not allowed.");
        err->position = guard.position;
        (void)err_detail(err, "%s", guard.word ? guard.word : "The guard refused it.");
    }
    arena_free(arena);
    return ok;
}

/* MariaDB's driver ends the process at the next statement after one that begins with
 * VALUES. */
static bool driver_stands(const struct odbc_state *state, const char *sql,
                          struct err *err)
{
    struct arena *arena = arena_new();
    struct tokens tokens = {0};
    size_t at = 0;
    lexer_run(arena, state->product->dialect, sql, strlen(sql), &tokens);
    while (at < tokens.count && token_is_punct(&tokens.items[at], "(")) {
        at++;
    }
    bool ok = state->product->dialect != DIALECT_MYSQL || at >= tokens.count ||
              tokens.items[at].keyword != KEYWORD_values;
    if (!ok) {
        (void)err_set(err, ERR_INVALID_SQL,
                      "The ODBC driver of this database cannot run a statement that "
                      "begins with VALUES.");
        (void)err_hint(err, "Write SELECT * FROM (VALUES …) AS t.");
        err->position = (int)tokens.items[at].start;
    }
    arena_free(arena);
    return ok;
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
    bool ok = guard_says(session->state, sql, &unlisted, &refusal);
    if (!ok && unlisted && call == ODBC_PREPARE && /* is there such a function at all? */
        !odbc_job(session, &request, &job_sink, err)) {
        return false;
    }
    if (!ok) {
        *err = refusal;
        return false;
    }
    bool cut =
        call == ODBC_EXECUTE && session->state->product->dialect == DIALECT_POSTGRES;
    ok = driver_stands(session->state, sql, err) &&
         rows_most_set(session, request.most, err) &&
         (cut ? odbc_bound_run : odbc_job)(session, &request, &job_sink, err);
    return ok || odbc_bound_told(session->state, err);
}

bool odbc_ask(struct odbc_session *session, const char *sql, int64_t most,
              bool (*row)(void *context, const struct value *cells), void *context,
              struct err *err)
{
    const struct odbc_sink sink = {.row = row, .context = context};
    const struct odbc_request request = {.call = ODBC_EXECUTE, .text = sql, .most = most};
    return odbc_job(session, &request, &sink, err);
}
