/*
 * EXECUTE_QUERY: executes the query read-only and with limits, or the write that the
 * user approved.
 */
#include "agent/counting/counting.h"
#include "agent/headings.h"
#include "agent/run_statement.h"
#include "agent/sources/policing.h"
#include "agent/sql_text.h"
#include "agent/stages/stages.h"
#include "agent/wording.h"
#include "base/str.h"
#include "sql/counting/tie.h"
#include "sql/limit.h"
#include "store/store.h"

/* The approval was for other rows. The write was rolled back, is counted again, and a
 * person is asked again. */
static enum event asked_anew(struct run *run, struct err *trouble)
{
    run->query.approved = false;
    (void)store_audit(run->agent->store, run->question.account, "write_rolled_back",
                      run->answer.sql, trouble);
    return EVENT_ROWS_CHANGED;
}

static enum event write_approved(struct run *run, struct err *err)
{
    struct datasource_limits limits = run_limits(run);
    struct datasource *source = run_datasource(run);
    struct err trouble;
    err_clear(&trouble);
    /* A process that was paused may not be the one any more that has the question. */
    if (!store_question_confirm(run->agent->store, run->answer.query_id)) {
        (void)err_set(err, ERR_INTERRUPTED,
                      "Another process has taken this question over: nothing was written "
                      "here.");
        return EVENT_FATAL;
    }
    /* The audit comes first: what cannot be written down is not done. */
    if (!store_audit(run->agent->store, run->question.account, "write", run->answer.sql,
                     &trouble)) {
        *err = trouble;
        return EVENT_FATAL;
    }
    int64_t touched = 0;
    if (run->answer.rows_touched < 0) { /* never counted, so never shown to anybody */
        return asked_anew(run, &trouble);
    }
    if (!datasource_write(source, run->answer.sql, run_schema(run),
                          run->answer.rows_touched, &limits, &touched, err)) {
        return err->code == ERR_WRITE_CHANGED ? asked_anew(run, &trouble) : EVENT_FATAL;
    }
    run->answer.rows_touched = touched;
    run->query.written = true;
    policing_note(run);
    return EVENT_DONE;
}

/* Did the schema change while we worked? Then the SQL may be right for another one. */
static bool schema_moved(struct run *run)
{
    struct datasource_limits limits = run_limits(run);
    struct err trouble;
    err_clear(&trouble);
    for (size_t i = 0; run->budget.schema_rounds == 0 && i < run->sources.count; i++) {
        const struct run_source *source = &run->sources.items[i];
        char now[33];
        if (datasource_signature(source->source, &limits, now, &trouble) &&
            !str_equal(now, source->signature)) {
            return true;
        }
    }
    return false;
}

static enum event failed(struct run *run, struct err *err)
{
    if (run->answer.rows.passed_count && err->code == ERR_INVALID_SQL) {
        return EVENT_FATAL; /* what has been handed on cannot be taken back */
    }
    switch ((int)err->code) {
    case ERR_TIMEOUT:
        return EVENT_TIMEOUT;
    case ERR_DATASOURCE_UNREACHABLE:
    case ERR_DATABASE_LOCKED:
    case ERR_DATASOURCE_NOT_FOUND:
        return EVENT_UNREACHABLE;
    case ERR_INVALID_SQL:
        break;
    default:
        return EVENT_FATAL;
    }
    if (schema_moved(run)) {
        run->budget.schema_rounds++;
        return EVENT_SCHEMA_CHANGED;
    }
    if (run->request.given_sql) {
        return EVENT_FATAL;
    }
    sql_text_failed(run, err);
    return EVENT_RETRY;
}

/* Where the LIMIT is ours one row more is asked for: only so can "there are more" be
 * true. */
static const char *bounded(struct run *run, struct datasource_limits *limits)
{
    if (!run->query.unlimited) {
        limits->statement = run_statement(run, run->answer.sql);
        return run->answer.sql;
    }
    const struct sql_statement *statement = run_statement(run, run->query.unlimited);
    struct limit_result shown;
    struct limit_result one_more;
    limit_apply(run->scratch, statement, run->options->sql_default_rows,
                run->options->sql_max_rows, &shown);
    limit_apply(run->scratch, statement, run->options->sql_default_rows + 1,
                run->options->sql_max_rows + 1, &one_more);
    limits->max_rows = shown.limit;
    limits->statement = one_more.statement;
    return one_more.sql;
}

/* The same checks and limits as for an answer, but all rows, as they come. */
static enum event deliver(struct run *run, struct err *err)
{
    struct datasource_limits limits = run_limits(run);
    limits.max_rows = run->request.delivery->max_rows;
    limits.max_bytes = run->request.delivery->max_bytes;
    const char *sql = run->query.unlimited ? run->query.unlimited : run->answer.sql;
    struct wording_sink wording;
    const struct datasource_sink worded =
        wording_sink(run, run->request.delivery->sink, &wording);
    struct headings headings;
    return datasource_stream(run_datasource(run), sql, run_schema(run), &limits,
                             headings_before(&headings, run, &worded), err)
               ? EVENT_DONE
               : failed(run, err);
}

/* Not even one row fits: an empty answer would mean "there are none". */
static bool rows_fit(struct run *run, struct err *err)
{
    const struct rows *rows = &run->answer.rows;
    if (rows_given(rows) > 0 || rows_given_cut(rows) != ROWS_CUT_BY_BYTES) {
        return true;
    }
    (void)err_set(err, ERR_RESULT_TOO_LARGE, "The first row has more than %lld bytes.",
                  (long long)policing_max_bytes(run));
    return err_hint(err, "Ask for fewer columns, or raise sql.max_bytes.");
}

/* To somebody who takes rows as they come: headings and cells get their words on the
 * way. */
static bool pass(struct run *run, struct datasource *source, const char *sql,
                 const struct datasource_limits *limits, struct rows *rows,
                 struct err *err)
{
    enum { KEPT = 10000 };
    struct wording_sink wording;
    struct headings headings;
    const struct datasource_sink worded = wording_sink(run, run->request.sink, &wording);
    return datasource_pass(source, sql, run_schema(run), limits,
                           headings_before(&headings, run, &worded), KEPT, rows, err);
}

/* Rows that somebody takes as they come need no room here; what an answer holds without
 * anybody asking for more is kept, for the history and for what is asked next. */
static bool collect(struct run *run, struct err *err)
{
    struct datasource_limits limits = run_limits(run);
    struct rows *rows = &run->answer.rows;
    struct datasource *source = run_datasource(run);
    const char *sql = bounded(run, &limits);
    struct tie_next next;
    bool watched = counting_watch_tie(run, &next);
    if (watched) {
        sql = next.sql;
        limits.statement = next.statement;
    }
    run->query.untied = false;
    rows_init(rows, run->arena);
    bool ok = run->request.sink
                  ? pass(run, source, sql, &limits, rows, err)
                  : datasource_execute(source, sql, run_schema(run), &limits, rows, err);
    if (ok && watched) {
        counting_note_tie(run, &next, rows);
    }
    if (ok) {
        headings_name(run, rows);
    }
    return ok && rows_fit(run, err);
}

static enum event execute_query_work(struct run *run, struct err *err)
{
    if (run->query.is_write) {
        if (!run->query.approved) {
            (void)err_set(err, ERR_INTERNAL, "A write reached execution unapproved.");
            return EVENT_FATAL;
        }
        return write_approved(run, err);
    }
    if (run->question.dry_run) {
        return EVENT_DONE;
    }
    if (run->request.delivery) {
        return deliver(run, err);
    }
    if (!collect(run, err)) {
        return failed(run, err);
    }
    run->answer.has_rows = true;
    policing_note(run);
    run_tell(run, OBSERVE_ROWS, NULL);
    return EVENT_DONE;
}

const struct stage stage_execute_query = {.state = STATE_EXECUTE_QUERY,
                                          .work = execute_query_work};
