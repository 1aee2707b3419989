/*
 * One approved write to a DuckDB file, in a transaction that a preview rolls back. A file
 * that is open for reading cannot be written, so for that time nobody has it but us.
 */
#include "base/str.h"
#include "datasource/duckdb/duckdb.h"

static bool count_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count == 1;
}

static bool count_row(void *context, const struct value *cells)
{
    int64_t *touched = context;
    *touched = cells[0].kind == VALUE_INT ? cells[0].integer : 0;
    return true; /* read all rows: stopping early could stop the statement */
}

/* Whatever the words are, the engine itself says what kind of statement it is. */
static bool kind_holds(struct duckdb_session *session, const char *sql, struct err *err)
{
    uint64_t type = 0;
    return duckdb_check_one(session, sql, true, &type, err) &&
           (type == DUCKDB_STATEMENT_TYPE_INSERT ||
            type == DUCKDB_STATEMENT_TYPE_UPDATE ||
            type == DUCKDB_STATEMENT_TYPE_DELETE ||
            err_set(err, ERR_UNSAFE,
                    "Only an INSERT, UPDATE or DELETE can be approved."));
}

struct writing {
    const char *sql;
    int64_t approved;
    int64_t *touched;
};

static bool duckdb_write_work(struct duckdb_session *session, void *context,
                              struct err *err)
{
    struct writing *writing = context;
    const struct datasource_sink sink = {
        .columns = count_columns, .row = count_row, .context = writing->touched};
    bool ok = duckdb_statement(session, "BEGIN TRANSACTION", err) &&
              kind_holds(session, writing->sql, err) &&
              duckdb_run(session, writing->sql, true, &sink, err) &&
              limits_hold(session->limits, err);
    session->limits = session->line.limits = NULL; /* from here on it is not cut short */
    bool ready = ok;
    enum writing_end end =
        ok ? writing_ends(writing->approved, *writing->touched, err) : WRITING_DIFFERS;
    bool commits = end == WRITING_COMMITS;
    struct err trouble;
    err_clear(&trouble);
    ok = ok && duckdb_statement(session, commits ? "COMMIT" : "ROLLBACK", &trouble);
    if (!ok && ready) {
        *err = trouble;
    }
    if (!ok && commits && engine_dead(session->line.engine)) {
        (void)writing_unsure(err);
    }
    if (!ok) {
        *writing->touched = 0; /* what was not committed is gone with the connection */
    }
    return ok && end != WRITING_DIFFERS;
}

bool duckdb_write(struct datasource *source, const char *sql, int64_t approved,
                  const struct datasource_limits *limits, int64_t *touched,
                  struct err *err)
{
    struct writing writing = {.sql = sql, .approved = approved, .touched = touched};
    *touched = 0;
    return writing_holds(DIALECT_DUCKDB, sql, err) &&
           duckdb_alone(source, limits, duckdb_write_work, &writing, err);
}
