/* The MySQL and MariaDB driver: opening, checking and running; the other slots have their
 * own files. */
#include "base/arena.h"
#include "datasource/mysql/mysql_driver.h"

/* Two packets of the protocol and a bit: only so can a row that is too large be told from
 * a line that breaks (see row_too_large). */
enum { ROW_LEAST = 32 << 20, ROW_EXTRA = 1 << 20 };

static bool nothing_more(struct mysql_session *session, void *context, struct err *err)
{
    (void)session;
    (void)context;
    (void)err;
    return true;
}

static void mysql_close_source(struct datasource *source)
{
    struct mysql_state *state = source->state;
    if (state) {
        server_pool_release(&state->pool);
        mysql_spare_release(&state->spare);
        source->state = NULL;
    }
}

static bool mysql_open_source(struct datasource *source, struct err *err)
{
    struct mysql_state *state = ARENA_NEW(source->arena, struct mysql_state);
    if (!mysql_library_load(err) || !mysql_url_read(source, state, err)) {
        return false;
    }
    mysql_pool_init(state);
    mysql_spare_init(&state->spare);
    state->pool.places.most = driver_connections(source);
    int64_t most = source->options->sql_max_bytes;
    state->row_most = (size_t)(most > ROW_LEAST ? most : ROW_LEAST) + ROW_EXTRA;
    source->state = state;
    /* The first connection proves that the server can be reached. */
    if (mysql_with(source, source->opening_limits, nothing_more, NULL, err)) {
        return true;
    }
    mysql_close_source(source);
    return false;
}

struct asked {
    const char *sql;
    const struct datasource_sink *sink;
};

static bool check_work(struct mysql_session *session, void *context, struct err *err)
{
    const struct asked *asked = context;
    return mysql_check_one(session, asked->sql, err);
}

static bool mysql_check(struct datasource *source, const char *sql,
                        const struct datasource_limits *limits, struct err *err)
{
    struct asked asked = {.sql = sql};
    return mysql_with(source, limits, check_work, &asked, err);
}

static bool execute_work(struct mysql_session *session, void *context, struct err *err)
{
    const struct asked *asked = context;
    return mysql_run(session, "", asked->sql, asked->sink, err);
}

static bool mysql_execute(struct datasource *source, const char *sql,
                          const struct datasource_limits *limits,
                          const struct datasource_sink *sink, struct err *err)
{
    struct asked asked = {.sql = sql, .sink = sink};
    return mysql_with(source, limits, execute_work, &asked, err);
}

static const char *const mysql_schemes[] = {"mysql", "mariadb", NULL};
static const char *const mysql_extensions[] = {NULL};

extern const struct datasource_driver datasource_mysql;
const struct datasource_driver datasource_mysql = {
    .name = "mysql",
    .dialect = DIALECT_MYSQL,
    .schemes = mysql_schemes,
    .extensions = mysql_extensions,
    .open = mysql_open_source,
    .close = mysql_close_source,
    .signature = mysql_signature,
    .describe = mysql_describe,
    .profile = mysql_profile,
    .check = mysql_check,
    .estimate = mysql_estimate,
    .execute = mysql_execute,
    .write = mysql_write,
    .inspect = mysql_inspect,
};
