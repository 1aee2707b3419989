/* What a look at a ClickHouse server finds: version, login, encryption, rights. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/clickhouse_driver.h"

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

static bool is_here(const char *address)
{
    const char *host = strstr(address, "://");
    host = host ? host + 3 : address;
    return str_starts(host, "127.") || str_starts(host, "localhost:") ||
           str_starts(host, "[::1]");
}

bool clickhouse_inspect(struct datasource *source, struct arena *arena,
                        const struct datasource_limits *limits,
                        struct datasource_inspection *out, struct err *err)
{
    const struct clickhouse_state *state = source->state;
    struct inspecting work = {.arena = arena, .out = out};
    out->user = arena_text(arena, state->user); /* old servers cannot be asked */
    out->encryption = str_starts(state->address, "https:") ? "TLS" : "none";
    out->remote = !is_here(state->address);
    if (state->rights == CLICKHOUSE_MAY_SET) {
        VEC_PUSH(arena, &out->dangers,
                 "may write: its profile has readonly = 0 (only the settings of each "
                 "request forbid it)");
    }
    return clickhouse_rows(source->state,
                           "SELECT version(), toString(toUnixTimestamp(now()))", limits,
                           server_row, &work, err);
}
