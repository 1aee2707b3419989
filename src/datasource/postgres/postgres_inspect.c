/* What a login may do on a PostgreSQL server, and how it gets there; for the doctor. */
#include "datasource/postgres/postgres_driver.h"

#include "base/arena.h"
#include "base/str.h"

#define ANY_ROLE(attribute)                                                              \
    ", EXISTS (SELECT FROM pg_roles WHERE " attribute                                    \
    " AND pg_has_role(session_user, oid, 'MEMBER'))"
#define NO_ROLE ", false, false, false"
#define ROLES                                                                            \
    ANY_ROLE("rolbypassrls")                                                             \
    ANY_ROLE("rolcreaterole AND " SERVER_ROLES_BOUND)                                    \
    ANY_ROLE("rolname = 'pg_signal_backend'")
#define RIGHTS(ruling, roles)                                                            \
    "SELECT " ruling ", (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid =" \
    " c.relnamespace WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"    \
    " AND c.relkind IN ('r', 'p') AND has_table_privilege(c.oid,"                        \
    " 'INSERT, UPDATE, DELETE, TRUNCATE')),"                                             \
    " has_database_privilege(current_database(), 'CREATE')" roles                        \
    ", has_table_privilege('pg_catalog.pg_authid', 'SELECT')"

enum { VERSION, USER, ENCRYPTION, CLOCK, DATABASE, SCHEMAS };
static const char server_question[] =
    "SELECT 'PostgreSQL ' || current_setting('server_version'), current_user,"
    " (SELECT CASE WHEN ssl THEN version ELSE 'none' END FROM pg_stat_ssl"
    " WHERE pid = pg_backend_pid()),"
    " (extract(epoch FROM clock_timestamp()) * 1000)::bigint, current_database(),"
    " " SERVER_PLACES_POSTGRES;

enum { RULING, WRITABLE, OTHERS };
static const char rights_question[] = RIGHTS(SERVER_RIGHTS_POSTGRES, ROLES);
static const char least_question[] = RIGHTS(SERVER_RIGHTS_POSTGRES_LEAST, NO_ROLE);

/* What the columns behind those of the enumeration mean; no reason to refuse a login. */
static const char *const others[] = {
    "may create schemas",
    "may see rows that row security hides",
    "may create roles",
    "may end queries of others",
    "may read the password hashes of the server",
};

struct inspecting {
    struct arena *arena;
    struct datasource_inspection *out;
};

/* A superuser may do all of it: saying that once is enough. */
static bool rights_row(void *context, const char *const *texts)
{
    struct inspecting *work = context;
    struct datasource_inspection *out = work->out;
    int64_t writable = 0;
    server_rights_words(work->arena, texts[RULING], &out->ruling);
    server_rights_words(work->arena, texts[RULING], &out->dangers);
    if (out->ruling.count > 0 && str_equal(out->ruling.items[0], "is a superuser")) {
        return false;
    }
    if (texts[WRITABLE] && str_to_int(texts[WRITABLE], &writable) && writable > 0) {
        VEC_PUSH(work->arena, &out->dangers,
                 arena_format(work->arena, "may change %lld table%s", (long long)writable,
                              writable == 1 ? "" : "s"));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (texts[OTHERS + i] && texts[OTHERS + i][0] == 't') {
            VEC_PUSH(work->arena, &out->dangers, others[i]);
        }
    }
    return false;
}

static bool server_row(void *context, const char *const *texts)
{
    struct inspecting *work = context;
    struct datasource_inspection *out = work->out;
    struct texts schemas = {0};
    out->version = arena_text(work->arena, texts[VERSION]);
    out->user = arena_text(work->arena, texts[USER]);
    out->encryption = arena_text(work->arena, texts[ENCRYPTION]);
    (void)(texts[CLOCK] && str_to_int(texts[CLOCK], &out->clock_ms));
    str_split(work->arena, texts[SCHEMAS] ? texts[SCHEMAS] : "public", '\n', &schemas);
    server_reader_write(work->arena, SERVER_READER_POSTGRES,
                        arena_text(work->arena, texts[DATABASE]), &schemas, &out->reader);
    return false;
}

static bool inspect_work(struct postgres_session *session, void *context, struct err *err)
{
    struct inspecting *work = context;
    if (!postgres_rows(session, server_question, server_row, work, err)) {
        return false;
    }
    if (postgres_rows(session, rights_question, rights_row, work, err)) {
        return true;
    }
    if (postgres_ended(session, err)) {
        return false;
    }
    err_clear(err); /* its roles are closed to this login */
    VEC_PUSH(work->arena, &work->out->dangers, SERVER_RIGHTS_UNKNOWN);
    return postgres_rows(session, least_question, rights_row, work, err);
}

bool postgres_inspect(struct datasource *source, struct arena *arena,
                      const struct datasource_limits *limits,
                      struct datasource_inspection *out, struct err *err)
{
    struct inspecting work = {.arena = arena, .out = out};
    out->remote = !((const struct postgres_state *)source->state)->line.here;
    return postgres_with(source, limits, inspect_work, &work, err);
}
