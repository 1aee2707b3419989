/* The BigQuery driver: opening, checking and running; the other slots have their own
 * files. */
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/bigquery/bigquery_driver.h"

enum { OPEN_MS = 30000 };

/* Looks at the dataset: is it there, may it be seen, where is it? */
static bool find_out(struct datasource *source, struct bigquery_state *state,
                     struct err *err)
{
    const struct datasource_limits *given = source->opening_limits;
    const struct datasource_limits limits = {.deadline_ms = given && given->deadline_ms
                                                                ? given->deadline_ms
                                                                : clock_ms() + OPEN_MS,
                                             .cancel = given ? given->cancel : NULL};
    const struct bigquery_request request = {
        .method = "GET",
        .path =
            arena_format(source->arena, "datasets/%s?fields=location", state->dataset)};
    const json_t *answer = bigquery_call(state, &request, &limits, source->arena, err);
    if (!answer) {
        if (err->code == ERR_DATASOURCE_NOT_FOUND) {
            struct err cause = *err;
            (void)err_set(err, cause.code, "There is no dataset '%s' in the project.",
                          state->dataset);
            (void)err_hint(err, "%s", cause.hint);
        }
        return false;
    }
    const char *location = json_text_at(answer, "location");
    if (!state->location[0] && location) {
        state->location = location;
    }
    return true;
}

static bool bigquery_open_source(struct datasource *source, struct err *err)
{
    struct bigquery_state *state = ARENA_NEW(source->arena, struct bigquery_state);
    if (!bigquery_url_read(source, state, err)) {
        return false;
    }
    if (!find_out(source, state, err)) {
        bigquery_state_release(state);
        return false;
    }
    source->state = state;
    return true;
}

static void bigquery_close_source(struct datasource *source)
{
    if (source->state) {
        bigquery_state_release(source->state);
        source->state = NULL;
    }
}

static bool bigquery_check(struct datasource *source, const char *sql,
                           const struct datasource_limits *limits, struct err *err)
{
    struct arena *arena = arena_new();
    const json_t *statistics = NULL;
    bool ok = bigquery_dry_run(source->state, sql, limits, arena, &statistics, err);
    arena_free(arena);
    return ok;
}

static bool bigquery_execute(struct datasource *source, const char *sql,
                             const struct datasource_limits *limits,
                             const struct datasource_sink *sink, struct err *err)
{
    return bigquery_run(source->state, sql, limits, sink, err);
}

static const char *const bigquery_schemes[] = {"bigquery", NULL};
static const char *const bigquery_extensions[] = {NULL};

extern const struct datasource_driver datasource_bigquery;
const struct datasource_driver datasource_bigquery = {
    .name = "bigquery",
    .dialect = DIALECT_BIGQUERY,
    .schemes = bigquery_schemes,
    .extensions = bigquery_extensions,
    .open = bigquery_open_source,
    .close = bigquery_close_source,
    .signature = bigquery_signature,
    .describe = bigquery_describe,
    .profile = bigquery_profile,
    .check = bigquery_check,
    .estimate = bigquery_estimate,
    .execute = bigquery_execute,
};
