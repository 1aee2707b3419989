/* Samples and statistics of one ClickHouse table: runs the SQL of the profiler here. */
#include "datasource/clickhouse/clickhouse_driver.h"
#include "datasource/profile/profile.h"

struct profile_run {
    struct clickhouse_state *state;
    const struct datasource_limits *limits;
};

static bool rows_run(void *context, const char *sql, size_t columns,
                     bool (*row)(void *, const char *const *), void *work,
                     struct err *err)
{
    struct profile_run *run = context;
    (void)columns;
    return clickhouse_rows(run->state, sql, run->limits, row, work, err);
}

static void name_quote(void *context, struct buf *out, const char *name)
{
    (void)context;
    clickhouse_quote(out, name);
}

bool clickhouse_profile(struct datasource *source, struct schema *schema,
                        struct table *table, struct arena *arena, int samples,
                        const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    struct profile_run run = {.state = source->state, .limits = limits};
    const struct profile_session session = {.dialect = &profile_clickhouse,
                                            .context = &run,
                                            .schema = run.state->database,
                                            .rows = rows_run,
                                            .quote_name = name_quote};
    return profile_table(&session, table, arena, samples, err);
}
