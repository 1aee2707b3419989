/* The PostgreSQL driver: opening, checking and running; the other slots have their own
 * files. */
#include "datasource/postgres/postgres_driver.h"

#include "base/arena.h"

static bool nothing_more(struct postgres_session *session, void *context, struct err *err)
{
    (void)session;
    (void)context;
    (void)err;
    return true;
}

static bool postgres_open_source(struct datasource *source, struct err *err)
{
    struct postgres_state *state = ARENA_NEW(source->arena, struct postgres_state);
    if (!postgres_intake_load(err) || !postgres_url_read(source, state, err)) {
        return false;
    }
    postgres_pool_init(state);
    state->pool.places.most = driver_connections(source);
    source->state = state;
    /* The first connection proves that the server can be reached. */
    if (postgres_with(source, source->opening_limits, nothing_more, NULL, err)) {
        return true;
    }
    postgres_pool_release(state);
    source->state = NULL;
    return false;
}

static void postgres_close_source(struct datasource *source)
{
    if (source->state) {
        postgres_pool_release(source->state);
        source->state = NULL;
    }
}

struct asked {
    struct postgres_state *state;
    const char *sql;
    const struct datasource_sink *sink;
};

static bool check_work(struct postgres_session *session, void *context, struct err *err)
{
    struct asked *asked = context;
    return postgres_check_one(session, asked->sql, err);
}

static bool postgres_check(struct datasource *source, const char *sql,
                           const struct datasource_limits *limits, struct err *err)
{
    struct asked asked = {.state = source->state, .sql = sql};
    return postgres_with(source, limits, check_work, &asked, err);
}

static bool execute_work(struct postgres_session *session, void *context, struct err *err)
{
    struct asked *asked = context;
    return postgres_run(session, asked->state, "", asked->sql, asked->sink, err);
}

static bool postgres_execute(struct datasource *source, const char *sql,
                             const struct datasource_limits *limits,
                             const struct datasource_sink *sink, struct err *err)
{
    struct asked asked = {.state = source->state, .sql = sql, .sink = sink};
    return postgres_with(source, limits, execute_work, &asked, err);
}

static const char *const postgres_schemes[] = {"postgres", "postgresql", NULL};
static const char *const postgres_extensions[] = {NULL};

extern const struct datasource_driver datasource_postgres;
const struct datasource_driver datasource_postgres = {
    .name = "postgres",
    .dialect = DIALECT_POSTGRES,
    .schemes = postgres_schemes,
    .extensions = postgres_extensions,
    .open = postgres_open_source,
    .close = postgres_close_source,
    .signature = postgres_signature,
    .describe = postgres_describe,
    .profile = postgres_profile,
    .check = postgres_check,
    .estimate = postgres_estimate,
    .execute = postgres_execute,
    .write = postgres_write,
    .inspect = postgres_inspect,
};
