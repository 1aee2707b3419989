/* Samples and statistics of one DuckDB table: runs the SQL of the profiler here. */
#include "base/buf.h"
#include "datasource/duckdb/duckdb.h"
#include "datasource/profile/profile.h"

static bool rows_run(void *context, const char *sql, size_t columns,
                     bool (*row)(void *, const char *const *), void *work,
                     struct err *err)
{
    (void)columns;
    return duckdb_rows(context, sql, row, work, err);
}

static void name_quote(void *context, struct buf *out, const char *name)
{
    (void)context;
    (void)buf_quote(out, name, '"');
}

bool duckdb_profile(struct datasource *source, struct schema *schema, struct table *table,
                    struct arena *arena, int samples,
                    const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    struct duckdb_session duckdb;
    if (!duckdb_begin(source, limits, &duckdb, err)) {
        return false;
    }
    const struct profile_session session = {.dialect = &profile_duckdb,
                                            .context = &duckdb,
                                            .rows = rows_run,
                                            .quote_name = name_quote};
    bool ok = profile_table(&session, table, arena, samples, err);
    duckdb_end(source, &duckdb);
    return ok;
}
