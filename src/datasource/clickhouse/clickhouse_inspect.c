/* What a look at a ClickHouse server finds: version, login, encryption, rights. */
#include "base/arena.h"
#include "base/str.h"
#include "datasource/clickhouse/clickhouse_driver.h"

struct inspecting {
    struct arena *arena;
    struct datasource_inspection *out;
};

/* version, seconds since 1970 */
static bool server_row(void *context, const char *const *texts)
{
    struct inspecting *work = context;
    int64_t seconds = 0;
    if (texts[0]) {
        work->out->version = arena_format(work->arena, "ClickHouse %s", texts[0]);
    }
    if (texts[1] && str_to_int(texts[1], &seconds)) {
        work->out->clock_ms = seconds * 1000;
    }
    return false;
}

bool clickhouse_inspect(struct datasource *source, struct arena *arena,
                        const struct datasource_limits *limits,
                        struct datasource_inspection *out, struct err *err)
{
    const struct clickhouse_state *state = source->state;
    struct inspecting work = {.arena = arena, .out = out};
    out->user = arena_text(arena, state->user); /* old servers cannot be asked */
    out->encryption = str_starts(state->address, "https:") ? "TLS" : "none";
    out->remote = !state->here;
    if (state->rights == CLICKHOUSE_MAY_SET) {
        VEC_PUSH(arena, &out->ruling, CLICKHOUSE_WRITER);
        VEC_PUSH(arena, &out->dangers, CLICKHOUSE_WRITER);
    }
    struct texts databases = {0};
    VEC_PUSH(arena, &databases, state->database);
    for (size_t i = 0; i < state->databases.count; i++) {
        VEC_PUSH(arena, &databases, state->databases.items[i]);
    }
    server_reader_write(arena,
                        state->has_users ? SERVER_READER_CLICKHOUSE
                                         : SERVER_READER_CLICKHOUSE_FILE,
                        state->database, &databases, &out->reader);
    return clickhouse_rows(source->state,
                           "SELECT version(), toString(toUnixTimestamp(now()))", limits,
                           server_row, &work, err);
}
