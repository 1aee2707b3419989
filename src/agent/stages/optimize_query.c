/* OPTIMIZE_QUERY: a LIMIT where there is none, and a look at what running it would read.
 */
#include "agent/run_statement.h"
#include "agent/sources/policing.h"
#include "agent/stages/stages.h"
#include "sql/limit.h"

enum { LARGE_SCAN_ROWS = 5000000 };

/* Asking the database what a query would read costs as much as a small query. Where even
 * reading everything would be little, there is nothing to ask. */
static bool may_be_large(const struct run *run)
{
    bool strict = false;
    int64_t most = policing_max_cost(run, &strict);
    int64_t bound = most ? most : LARGE_SCAN_ROWS;
    if (strict) {
        return true;
    }
    for (size_t i = 0; i < run->answer.tables.count; i++) {
        const struct table *table =
            schema_table(run_schema(run), run->answer.tables.items[i]);
        if (!table || table->row_count < 0 || table->row_count > bound / 4) {
            return true; /* counts may be old: a quarter of the bound is near it */
        }
    }
    return false;
}

static enum event optimize_query_work(struct run *run, struct err *err)
{
    struct limit_result result;
    limit_apply(run->arena, run_statement(run, run->answer.sql),
                run->options->sql_default_rows, run->options->sql_max_rows, &result);
    if (result.lowered) {
        run_warn(run, "The LIMIT was lowered to %lld rows.", (long long)result.limit);
    }
    run->query.unlimited = result.added || result.lowered ? run->answer.sql : NULL;
    run->answer.sql = result.sql;
    run_statement_keep(run, result.statement);
    if (!may_be_large(run)) {
        return EVENT_DONE;
    }
    struct datasource_limits limits = run_limits(run);
    limits.statement = result.statement;
    struct datasource_estimate estimate = {.rows = -1, .bytes = -1};
    struct err trouble;
    err_clear(&trouble);
    if (!datasource_estimate(run_datasource(run), run->answer.sql, run->scratch, &limits,
                             &estimate, &trouble)) {
        estimate.rows = -1;
    }
    bool strict = false;
    int64_t most = policing_max_cost(run, &strict);
    if (strict && estimate.rows < 0) {
        (void)err_set(err, ERR_TOO_EXPENSIVE,
                      "The number of rows that the query would read is unknown, and the "
                      "policy limits it.");
        return EVENT_CANNOT;
    }
    if (most && estimate.rows > most && estimate.by_size) {
        (void)err_set(err, ERR_TOO_EXPENSIVE,
                      "The query would read more rows than are allowed.");
        (void)err_hint(err, "Where a policy hides rows, the size of the tables counts, "
                            "whatever the conditions of the query.");
        return EVENT_CANNOT;
    }
    if (most && estimate.rows > most) {
        (void)err_set(err, ERR_TOO_EXPENSIVE,
                      "The query would read about %lld rows; %lld are allowed.",
                      (long long)estimate.rows, (long long)most);
        return EVENT_CANNOT;
    }
    if (estimate.full_scan && !estimate.by_size && estimate.rows > LARGE_SCAN_ROWS) {
        run_warn(run, "The query reads all of %s (about %lld rows).",
                 estimate.table ? estimate.table : "a table", (long long)estimate.rows);
    }
    return EVENT_DONE;
}

const struct stage stage_optimize_query = {.state = STATE_OPTIMIZE_QUERY,
                                           .work = optimize_query_work};
