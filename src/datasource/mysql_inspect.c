/* What a login may do on a MySQL server, and how it gets there; for the doctor. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/mysql_driver.h"

struct inspecting {
    struct arena *arena;
    struct datasource_inspection *out;
    bool mariadb;
};

static const char *kept(struct arena *arena, const char *text)
{
    size_t size = strlen(text);
    return arena_text(arena, text_clean(arena, text, &size));
}

/* "10.11.6-MariaDB-1", "reader@%", seconds since 1970 */
static bool server_row(void *context, const char *const *texts)
{
    struct inspecting *work = context;
    struct datasource_inspection *out = work->out;
    int64_t seconds = 0;
    if (texts[0]) {
        out->version =
            kept(work->arena,
                 arena_format(work->arena, "%s %.*s", work->mariadb ? "MariaDB" : "MySQL",
                              (int)strcspn(texts[0], "-"), texts[0]));
    }
    if (texts[1]) {
        out->user = kept(work->arena, texts[1]);
    }
    if (texts[2] && str_to_int(texts[2], &seconds)) {
        out->clock_ms = seconds * 1000;
    }
    return false;
}

/* The name of the setting, and "TLSv1.3" or nothing. */
static bool encryption_row(void *context, const char *const *texts)
{
    struct inspecting *work = context;
    if (texts[0] && texts[1] && texts[1][0]) {
        work->out->encryption = kept(work->arena, texts[1]);
    }
    return false;
}

static bool inspect_work(struct maria_session *session, void *context, struct err *err)
{
    struct inspecting *work = context;
    struct maria_rights rights = {.arena = work->arena};
    work->mariadb = session->mariadb;
    if (!maria_rows(session, "SELECT VERSION(), CURRENT_USER(), UNIX_TIMESTAMP()",
                    server_row, work, err) ||
        !maria_rows(session, "SHOW SESSION STATUS LIKE 'Ssl_version'", encryption_row,
                    work, err) ||
        !maria_rights_ask(session, &rights, err)) {
        return false;
    }
    maria_rights_tell(&rights, &work->out->dangers);
    return true;
}

bool maria_inspect(struct datasource *source, struct arena *arena,
                   const struct datasource_limits *limits,
                   struct datasource_inspection *out, struct err *err)
{
    const struct maria_state *state = source->state;
    struct inspecting work = {.arena = arena, .out = out};
    out->encryption = "none";
    out->remote = !state->socket && !str_starts(state->host, "127.") &&
                  !str_equal(state->host, "::1") &&
                  !str_equal_nocase(state->host, "localhost");
    return maria_with(source, limits, inspect_work, &work, err);
}
