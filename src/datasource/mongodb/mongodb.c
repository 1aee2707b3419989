/* The MongoDB driver: opening, checking and running; the other slots have their own
 * files. */
#include "base/arena.h"
#include "datasource/mongodb/mongodb_driver.h"

static bool open_work(struct mongodb_session *session, void *context, struct err *err)
{
    (void)context;
    struct arena *arena = arena_new();
    struct mongodb_collections all = {0};
    bool ok = mongodb_collections(session, arena, &all, err);
    if (ok && all.count == 0 && !mongodb_database_exists(session)) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "The server has no database '%s'.",
                      session->state->database);
        ok = err_hint(err, "Check the name after the host in the URL.");
    }
    arena_free(arena);
    return ok;
}

static bool mongodb_open_source(struct datasource *source, struct err *err)
{
    struct mongodb_state *state = ARENA_NEW(source->arena, struct mongodb_state);
    bool read = mongodb_library_load(err) && mongodb_url_read(source, state, err);
    if (read) {
        mongodb_pool_init(state);
        state->pool.places.most = driver_connections(source);
        source->state = state;
        /* The first connection proves that the server can be reached. */
        if (mongodb_with(source, source->opening_limits, open_work, NULL, err)) {
            return true;
        }
        mongodb_pool_release(state);
        source->state = NULL;
    }
    if (state->uri) {
        mongo.uri_destroy(state->uri);
    }
    return false;
}

static void mongodb_close_source(struct datasource *source)
{
    struct mongodb_state *state = source->state;
    if (state) {
        mongodb_pool_release(state);
        mongo.uri_destroy(state->uri);
        source->state = NULL;
    }
}

static bool mongodb_check(struct datasource *source, const char *sql,
                          const struct datasource_limits *limits, struct err *err)
{
    return mongodb_query(source, sql, limits, NULL, err);
}

static bool mongodb_execute(struct datasource *source, const char *sql,
                            const struct datasource_limits *limits,
                            const struct datasource_sink *sink, struct err *err)
{
    return mongodb_query(source, sql, limits, sink, err);
}

static const char *const mongodb_schemes[] = {"mongodb", "mongodb+srv", NULL};
static const char *const mongodb_extensions[] = {NULL};

extern const struct datasource_driver datasource_mongodb;
const struct datasource_driver datasource_mongodb = {
    .name = "mongodb",
    .dialect = DIALECT_DUCKDB,
    .engine = "duckdb",
    .schemes = mongodb_schemes,
    .extensions = mongodb_extensions,
    .open = mongodb_open_source,
    .close = mongodb_close_source,
    .signature = mongodb_signature,
    .describe = mongodb_describe,
    .profile = mongodb_profile,
    .check = mongodb_check,
    .estimate = mongodb_estimate,
    .execute = mongodb_execute,
    .inspect = mongodb_inspect,
};
