/* What a login may do on a PostgreSQL server, and how it gets there; for the doctor. */
#include "datasource/postgres_driver.h"

#include "base/arena.h"
#include "base/str.h"

/* A role that reads needs none of these. */
#define ROLE(name) ", pg_has_role('" name "', 'MEMBER')"
static const char question[] =
    "SELECT 'PostgreSQL ' || current_setting('server_version'), current_user,"
    " (SELECT CASE WHEN ssl THEN version ELSE 'none' END FROM pg_stat_ssl"
    " WHERE pid = pg_backend_pid()),"
    " coalesce(host(inet_server_addr()), ''),"
    " (extract(epoch FROM clock_timestamp()) * 1000)::bigint,"
    " (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),"
    " (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_'"
    " AND n.nspname <> 'information_schema'"
    " AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')),"
    " has_database_privilege(current_database(), 'CREATE')" ROLE("pg_read_server_files")
        ROLE("pg_write_server_files") ROLE("pg_execute_server_program");

struct inspecting {
    struct arena *arena;
    struct datasource_inspection *out;
};

static void danger(struct inspecting *work, const char *text, bool there)
{
    if (there) {
        VEC_PUSH(work->arena, &work->out->dangers, text);
    }
}

static bool yes(const char *text)
{
    return text && text[0] == 't';
}

/* A superuser is a member of every role: saying it once is enough. */
static void dangers_note(struct inspecting *work, const char *const *texts)
{
    int64_t writable = 0;
    if (yes(texts[5])) {
        danger(work, "is a superuser", true);
        return;
    }
    if (texts[6] && str_to_int(texts[6], &writable) && writable > 0) {
        danger(work,
               arena_format(work->arena, "may change %lld table%s", (long long)writable,
                            writable == 1 ? "" : "s"),
               true);
    }
    danger(work, "may create schemas", yes(texts[7]));
    danger(work, "may read files of the server", yes(texts[8]));
    danger(work, "may write files of the server", yes(texts[9]));
    danger(work, "may run programs on the server", yes(texts[10]));
}

static bool inspect_row(void *context, const char *const *texts)
{
    struct inspecting *work = context;
    struct datasource_inspection *out = work->out;
    out->version = arena_text(work->arena, texts[0]);
    out->user = arena_text(work->arena, texts[1]);
    out->encryption = arena_text(work->arena, texts[2]);
    out->remote = texts[3] && texts[3][0] && !str_starts(texts[3], "127.") &&
                  !str_equal(texts[3], "::1");
    (void)(texts[4] && str_to_int(texts[4], &out->clock_ms));
    dangers_note(work, texts);
    return false;
}

static bool inspect_work(struct postgres_session *session, void *context, struct err *err)
{
    return postgres_rows(session, question, inspect_row, context, err);
}

bool postgres_inspect(struct datasource *source, struct arena *arena,
                      const struct datasource_limits *limits,
                      struct datasource_inspection *out, struct err *err)
{
    struct inspecting work = {.arena = arena, .out = out};
    return postgres_with(source, limits, inspect_work, &work, err);
}
