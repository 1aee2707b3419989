/* The ClickHouse driver: opening, checking and running; the other slots have their own
 * files. */
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/collect.h"
#include "datasource/clickhouse/clickhouse_driver.h"

enum { OPEN_MS = 20000 };

void clickhouse_quote(struct buf *out, const char *name)
{
    (void)buf_char(out, '`');
    for (; *name; name++) {
        if (*name == '`' || *name == '\\') {
            (void)buf_char(out, '\\');
        }
        (void)buf_char(out, *name);
    }
    (void)buf_char(out, '`');
}

void clickhouse_quote_text(struct buf *out, const char *text)
{
    (void)buf_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') {
            (void)buf_char(out, '\\');
        }
        (void)buf_char(out, *text);
    }
    (void)buf_char(out, '\'');
}

void clickhouse_databases(struct buf *out, const struct clickhouse_state *state)
{
    (void)buf_char(out, '(');
    clickhouse_quote_text(out, state->database);
    for (size_t i = 0; i < state->databases.count; i++) {
        (void)buf_text(out, ", ");
        clickhouse_quote_text(out, state->databases.items[i]);
    }
    (void)buf_char(out, ')');
}

/* Only the settings of each request keep an account from writing whose profile has
 * readonly = 0. */
bool clickhouse_rights_judge(struct clickhouse_state *state, const char *readonly,
                             struct err *err)
{
    const char *found[] = {CLICKHOUSE_WRITER};
    const struct texts ruling = {.items = found, .count = readonly[0] == '0' ? 1 : 0};
    return server_rights_judge(&state->login, state->user, &ruling, err);
}

/* name, value */
static bool found_row(void *context, const struct value *cells)
{
    struct clickhouse_state *state = context;
    if (cells[0].kind != VALUE_TEXT || cells[1].kind != VALUE_TEXT) {
        return true;
    }
    const char *name = cells[0].text.data;
    const char *value = cells[1].text.data;
    if (str_equal(name, "readonly")) {
        state->rights = value[0] == '0'   ? CLICKHOUSE_MAY_SET
                        : value[0] == '2' ? CLICKHOUSE_LIMITS
                                          : CLICKHOUSE_READS_ONLY;
    } else if (str_equal(name, "cancel_http_readonly_queries_on_client_close")) {
        state->ends_with_client = true;
    } else if (str_equal(name, "comment")) {
        state->comments = true;
    } else if (str_equal(name, "total_rows")) {
        state->counts = true;
    } else if (str_equal(name, "users")) {
        state->has_users = true;
    } else if (str_equal(name, "allow_experimental_analyzer") ||
               str_equal(name, "allow_experimental_window_functions")) {
        state->has_explain = true;
    }
    return true;
}

static bool found_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count == 2;
}

/* What the server and the account can do. Older servers refuse settings that they do not
 * know, so those that are used are asked for. */
static bool find_out(struct clickhouse_state *state,
                     const struct datasource_limits *given, struct err *err)
{
    static const struct clickhouse_question question = {
        .sql = "SELECT name, value FROM system.settings WHERE name IN ('readonly',"
               " 'cancel_http_readonly_queries_on_client_close',"
               " 'allow_experimental_analyzer', 'allow_experimental_window_functions')"
               " UNION ALL SELECT name, type FROM system.columns WHERE"
               " database = 'system' AND table = 'tables' AND name IN ('comment',"
               " 'total_rows') UNION ALL SELECT name, engine FROM system.tables WHERE"
               " database = 'system' AND name = 'users'",
        .bare = true};
    const struct datasource_limits limits = {.deadline_ms = given && given->deadline_ms
                                                                ? given->deadline_ms
                                                                : clock_ms() + OPEN_MS,
                                             .cancel = given ? given->cancel : NULL};
    const struct datasource_sink sink = {
        .columns = found_columns, .row = found_row, .context = state};
    return clickhouse_call(state, &question, &limits, &sink, err);
}

static bool clickhouse_open_source(struct datasource *source, struct err *err)
{
    struct clickhouse_state *state = ARENA_NEW(source->arena, struct clickhouse_state);
    state->rights = CLICKHOUSE_READS_ONLY;
    if (!clickhouse_url_read(source, state, err)) {
        return false;
    }
    source->state = state;
    if (find_out(state, source->opening_limits, err) &&
        clickhouse_rights_judge(state, state->rights == CLICKHOUSE_MAY_SET ? "0" : "",
                                err)) {
        (void)pthread_mutex_init(&state->lock, NULL);
        return true;
    }
    if (err->code == ERR_DATASOURCE_NOT_FOUND) {
        struct err cause = *err;
        (void)err_set(err, cause.code, "The server has no database '%s'.",
                      state->database);
        (void)err_hint(err, "%s", cause.hint);
    }
    webclient_free(state->client);
    source->state = NULL;
    return false;
}

static void clickhouse_close_source(struct datasource *source)
{
    struct clickhouse_state *state = source->state;
    if (state) {
        (void)pthread_mutex_destroy(&state->lock);
        webclient_free(state->client);
        source->state = NULL;
    }
}

/* Asks which columns the query has: the server compiles it for that and runs nothing,
 * and only a query may stand in brackets. */
static bool clickhouse_check(struct datasource *source, const char *sql,
                             const struct datasource_limits *limits, struct err *err)
{
    size_t size = 0;
    if (!clickhouse_query_only(sql, &size, err)) {
        return false;
    }
    struct arena *arena = arena_new();
    const struct datasource_sink sink = dropped_sink();
    const struct clickhouse_question question = {.prefix = "DESCRIBE TABLE (",
                                                 .sql = arena_copy(arena, sql, size),
                                                 .suffix = "\n)"};
    struct datasource_limits whole = *limits;
    whole.max_rows = 0;
    bool ok = clickhouse_call(source->state, &question, &whole, &sink, err);
    arena_free(arena);
    return ok;
}

static bool clickhouse_execute(struct datasource *source, const char *sql,
                               const struct datasource_limits *limits,
                               const struct datasource_sink *sink, struct err *err)
{
    size_t size = 0;
    const struct clickhouse_question question = {.sql = sql};
    return clickhouse_query_only(sql, &size, err) &&
           clickhouse_call(source->state, &question, limits, sink, err);
}

static const char *const clickhouse_schemes[] = {"clickhouse", "clickhouses", NULL};
static const char *const clickhouse_extensions[] = {NULL};

extern const struct datasource_driver datasource_clickhouse;
const struct datasource_driver datasource_clickhouse = {
    .name = "clickhouse",
    .dialect = DIALECT_CLICKHOUSE,
    .schemes = clickhouse_schemes,
    .extensions = clickhouse_extensions,
    .open = clickhouse_open_source,
    .close = clickhouse_close_source,
    .signature = clickhouse_signature,
    .describe = clickhouse_describe,
    .profile = clickhouse_profile,
    .check = clickhouse_check,
    .estimate = clickhouse_estimate,
    .execute = clickhouse_execute,
    .inspect = clickhouse_inspect,
};
