/* The private database that rows are staged in: made, locked, asked, and taken away. */
#include "datasource/staging/staging.h"

#include "base/arena.h"
#include "base/str.h"
#include "datasource/staging/staging_state.h"
#include "sql/statement.h"

extern const struct datasource_driver datasource_duckdb;

bool staging_ready(const struct options *options, struct err *err)
{
    return engine_ready(options, err);
}

struct staging *staging_open(const struct options *options, struct err *err)
{
    struct arena *arena = arena_new();
    struct staging *staging = ARENA_NEW(arena, struct staging);
    staging->arena = arena;
    staging->options = options;
    staging->folder =
        staging_folder_make(arena, options->staging_folder, &staging->folder_lock, err);
    if (!staging->folder) {
        arena_free(arena);
        return NULL;
    }
    staging->state = ARENA_NEW(arena, struct duckdb_source_state);
    staging->state->spill = staging->folder;
    staging->source = ARENA_NEW(arena, struct datasource);
    *staging->source = (struct datasource){.id = "staging",
                                           .url = "",
                                           .place = "",
                                           .driver = &datasource_duckdb,
                                           .options = options,
                                           .arena = arena};
    if (!duckdb_state_init(staging->state, staging->source, err)) {
        staging_folder_remove(staging->folder, staging->folder_lock);
        arena_free(arena);
        return NULL;
    }
    staging->source->state = staging->state;
    return staging;
}

void staging_close(struct staging *staging)
{
    if (staging) {
        duckdb_state_release(staging->state);
        staging_folder_remove(staging->folder, staging->folder_lock);
        arena_free(staging->arena);
    }
}

void staging_watch(struct staging *staging, const struct staging_watcher *watcher)
{
    staging->watcher = *watcher;
}

bool staging_unreadable(struct staging *staging, const struct sql_statement *statement,
                        const struct datasource_limits *limits, struct err *err)
{
    bool ok = staging_check(staging, statement->text, limits, err);
    if (!ok &&
        (err->code != ERR_INVALID_SQL || str_starts(err->detail, "Parser Error"))) {
        return false;
    }
    err_clear(err); /* beyond its grammar the engine knows nothing: there are no tables */
    (void)err_set(err, statement->malformed ? ERR_INVALID_SQL : ERR_UNSAFE, "%s",
                  statement->reason);
    err->position = statement->placed ? (int)statement->position : -1;
    return false;
}

void staging_lock(struct staging *staging)
{
    (void)pthread_mutex_lock(&staging->state->lock);
    staging->state->locked = true;
    (void)pthread_mutex_unlock(&staging->state->lock);
}

bool staging_check(struct staging *staging, const char *sql,
                   const struct datasource_limits *limits, struct err *err)
{
    return datasource_duckdb.check(staging->source, sql, limits, err);
}

bool staging_run(struct staging *staging, const char *sql,
                 const struct datasource_limits *limits,
                 const struct datasource_sink *sink, struct err *err)
{
    return datasource_duckdb.execute(staging->source, sql, limits, sink, err);
}
