/* The private database that rows are staged in: made, locked, asked, and taken away. */
#include "datasource/staging/staging.h"

#include "base/arena.h"
#include "base/buf.h"
#include "datasource/staging/staging_state.h"

enum { TREE_SQL_MOST = 4 << 20 };

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

struct parsing {
    struct arena *arena;
    const char *tree;
};

static bool parsing_row(void *context, const char *const *texts)
{
    struct parsing *parsing = context;
    parsing->tree = arena_text(parsing->arena, texts[0]);
    return false;
}

const char *staging_parse(struct staging *staging, struct arena *arena, const char *sql,
                          const struct datasource_limits *limits, struct err *err)
{
    struct duckdb_session session;
    struct parsing parsing = {.arena = arena};
    struct buf own;
    buf_init(&own, TREE_SQL_MOST);
    (void)buf_text(&own, "SELECT CAST(json_serialize_sql('");
    for (const char *at = sql; *at; at++) {
        (void)buf_text(&own, *at == '\'' ? "'" : "");
        (void)buf_char(&own, *at);
    }
    /* places that are not known would be numbers past what JSON readers take */
    (void)buf_text(&own, "', skip_default := true) AS VARCHAR)");
    if (!own.full && duckdb_begin(staging->source, limits, &session, err)) {
        (void)duckdb_rows(&session, buf_get(&own), parsing_row, &parsing, err);
        duckdb_end(staging->source, &session);
    }
    buf_release(&own);
    if (!parsing.tree && err->code == ERR_OK) {
        (void)err_set(err, ERR_INVALID_SQL, "The SQL cannot be read.");
    }
    return parsing.tree;
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
