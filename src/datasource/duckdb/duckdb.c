/* The DuckDB driver: opening, checking and running; the other slots have their own files.
 */
#include <string.h>

#include "base/arena.h"
#include "datasource/duckdb/duckdb.h"

static bool duck_open_source(struct datasource *source, struct err *err)
{
    if (!file_source_check(source->path, err)) {
        return false;
    }
    struct duck_state *state = ARENA_NEW(source->arena, struct duck_state);
    if (!duck_state_init(state, source, err)) {
        return false;
    }
    source->state = state;
    return true;
}

static void duck_close_source(struct datasource *source)
{
    if (source->state) {
        duck_state_release(source->state);
        source->state = NULL;
    }
}

bool duck_check(struct datasource *source, const char *sql,
                const struct datasource_limits *limits, struct err *err)
{
    struct duck_session session;
    if (!duck_begin(source, limits, &session, err)) {
        return false;
    }
    uint64_t type = 0;
    bool ok = duck_check_one(&session, sql, false, &type, err);
    duck_end(source, &session);
    return ok;
}

bool duck_execute(struct datasource *source, const char *sql,
                  const struct datasource_limits *limits,
                  const struct datasource_sink *sink, struct err *err)
{
    struct duck_session session;
    if (!duck_begin(source, limits, &session, err)) {
        return false;
    }
    bool ok = duck_run(&session, sql, false, sink, err);
    duck_end(source, &session);
    return ok;
}

static const char *const duck_schemes[] = {"duckdb", "dataset", NULL};
static const char *const duck_extensions[] = {".duckdb", ".ddb", NULL};

extern const struct datasource_driver datasource_duckdb;
const struct datasource_driver datasource_duckdb = {
    .name = "duckdb",
    .dialect = DIALECT_DUCKDB,
    .schemes = duck_schemes,
    .extensions = duck_extensions,
    .local = true,
    .open = duck_open_source,
    .close = duck_close_source,
    .signature = duck_signature,
    .describe = duck_describe,
    .profile = duck_profile,
    .check = duck_check,
    .estimate = duck_estimate,
    .execute = duck_execute,
    .write = duck_write,
};
