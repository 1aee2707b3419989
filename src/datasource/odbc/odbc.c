/* The ODBC driver: opening, checking and running. Which dialect its database speaks is
 * known once a source is open. */
#include "base/arena.h"
#include "datasource/odbc/odbc_driver.h"
#include "datasource/opening.h"

static bool nothing_more(struct odbc_session *session, void *context, struct err *err)
{
    (void)session;
    (void)context;
    (void)err;
    return true;
}

static void odbc_close_source(struct datasource *source)
{
    struct odbc_state *state = source->state;
    if (state) {
        server_pool_release(&state->pool);
        source->state = NULL;
    }
}

struct asked {
    enum odbc_call call;
    const char *sql;
    const struct datasource_sink *sink;
};

static bool run_work(struct odbc_session *session, void *context, struct err *err)
{
    const struct asked *asked = context;
    return odbc_run(session, asked->call, asked->sql, asked->sink, err);
}

static bool odbc_check(struct datasource *source, const char *sql,
                       const struct datasource_limits *limits, struct err *err)
{
    struct asked asked = {.call = ODBC_PREPARE, .sql = sql};
    return odbc_with(source, limits, run_work, &asked, err);
}

static bool odbc_execute(struct datasource *source, const char *sql,
                         const struct datasource_limits *limits,
                         const struct datasource_sink *sink, struct err *err)
{
    struct asked asked = {.call = ODBC_EXECUTE, .sql = sql, .sink = sink};
    return odbc_with(source, limits, run_work, &asked, err);
}

static bool odbc_open_source(struct datasource *source, struct err *err)
{
    struct odbc_state *state = ARENA_NEW(source->arena, struct odbc_state);
    if (!odbc_library_load(err) || !odbc_string_read(source, state, err)) {
        return false;
    }
    odbc_pool_init(state);
    source->state = state;
    /* The first connection proves that the database can be reached. */
    if (!odbc_with(source, source->opening_limits, nothing_more, NULL, err)) {
        odbc_close_source(source);
        return false;
    }
    opening_speaks(source, state->product->dialect);
    return true;
}

static const char *const odbc_schemes[] = {"odbc", NULL};
static const char *const odbc_extensions[] = {NULL};

extern const struct datasource_driver datasource_odbc;
const struct datasource_driver datasource_odbc = {
    .name = "odbc",
    .dialect = DIALECT_ODBC,
    .schemes = odbc_schemes,
    .extensions = odbc_extensions,
    .open = odbc_open_source,
    .close = odbc_close_source,
    .signature = odbc_signature,
    .describe = odbc_describe,
    .profile = odbc_profile,
    .check = odbc_check,
    .execute = odbc_execute,
    .inspect = odbc_inspect,
};
