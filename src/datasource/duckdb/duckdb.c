/* The DuckDB driver: opening, checking and running; the other slots have their own files.
 */
#include <string.h>

#include "base/arena.h"
#include "datasource/duckdb/duckdb.h"

static bool duckdb_open_source(struct datasource *source, struct err *err)
{
    if (!file_source_check(source->path, err)) {
        return false;
    }
    struct duckdb_source_state *state =
        ARENA_NEW(source->arena, struct duckdb_source_state);
    if (!duckdb_state_init(state, source, err)) {
        return false;
    }
    source->state = state;
    return true;
}

static void duckdb_close_source(struct datasource *source)
{
    if (source->state) {
        duckdb_state_release(source->state);
        source->state = NULL;
    }
}

bool duckdb_check(struct datasource *source, const char *sql,
                  const struct datasource_limits *limits, struct err *err)
{
    struct duckdb_session session;
    if (!duckdb_begin(source, limits, &session, err)) {
        return false;
    }
    uint64_t type = 0;
    bool ok = duckdb_check_one(&session, sql, false, &type, err);
    duckdb_end(source, &session);
    return ok;
}

bool duckdb_execute(struct datasource *source, const char *sql,
                    const struct datasource_limits *limits,
                    const struct datasource_sink *sink, struct err *err)
{
    struct duckdb_session session;
    if (!duckdb_begin(source, limits, &session, err)) {
        return false;
    }
    bool ok = duckdb_run(&session, sql, false, sink, err);
    duckdb_end(source, &session);
    return ok;
}

static const char *const duckdb_schemes[] = {"duckdb", "dataset", NULL};
static const char *const duckdb_extensions[] = {".duckdb", ".ddb", NULL};

extern const struct datasource_driver datasource_duckdb;
const struct datasource_driver datasource_duckdb = {
    .name = "duckdb",
    .dialect = DIALECT_DUCKDB,
    .schemes = duckdb_schemes,
    .extensions = duckdb_extensions,
    .local = true,
    .open = duckdb_open_source,
    .close = duckdb_close_source,
    .signature = duckdb_signature,
    .describe = duckdb_describe,
    .profile = duckdb_profile,
    .check = duckdb_check,
    .estimate = duckdb_estimate,
    .execute = duckdb_execute,
    .write = duckdb_write,
};
