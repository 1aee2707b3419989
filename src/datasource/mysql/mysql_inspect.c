/* What a login may do on a MySQL server, and how it gets there; for the doctor. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/mysql/mysql_driver.h"

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

static bool grant_row(void *context, const char *const *texts)
{
    if (texts[0]) {
        server_grants_add(context, texts[0]);
    }
    return true;
}

/* False, with err, when the line is lost; a refusal is noted. */
static bool grants_show(struct mysql_session *session, const char *sql,
                        struct server_grants *grants, struct err *err)
{
    struct err why;
    err_clear(&why);
    bool told = mysql_rows(session, sql, grant_row, grants, &why);
    grants->unknown = grants->unknown || !told;
    if (!told &&
        (session->base.broken || why.code == ERR_STOPPED || why.code == ERR_TIMEOUT)) {
        *err = why;
        return false;
    }
    return true;
}

static bool role_row(void *context, const char *const *texts)
{
    struct server_grants *grants = context;
    if (texts[0]) {
        struct buf name;
        buf_init(&name, 1024);
        mysql_quote(&name, texts[0]);
        grants->own_role = buf_clone(&name, grants->arena);
        buf_release(&name);
    }
    return false;
}

/* MariaDB shows the rights of a role to logins with the role active; MySQL to those that
 * may activate it. */
static bool role_show(struct mysql_session *session, const char *name,
                      struct server_grants *role, struct err *err)
{
    struct err refused;
    err_clear(&refused);
    if (!session->mariadb) {
        return grants_show(
            session,
            arena_format(role->arena, "SHOW GRANTS FOR CURRENT_USER() USING %s", name),
            role, err);
    }
    if (!mysql_rows(session, arena_format(role->arena, "SET ROLE %s", name), NULL, NULL,
                    &refused)) {
        *err = session->base.broken ? refused : *err;
        return !session->base.broken; /* a role of a role is taken on with that */
    }
    return grants_show(session, "SHOW GRANTS", role, err);
}

/* What a login could do with roles that it has not taken on. Our own SQL is all that runs
 * on the connection until it is as it was. */
static bool roles_show(struct mysql_session *session, struct server_grants *grants,
                       struct err *err)
{
    enum { ROLES_MOST = 8 };
    struct arena *arena = grants->arena;
    bool ok = !session->mariadb ||
              mysql_rows(session, "SELECT CURRENT_ROLE()", role_row, grants, err);
    for (size_t i = 0; ok && i < grants->roles.count && i < ROLES_MOST; i++) {
        struct server_grants role = {.arena = arena};
        ok = role_show(session, grants->roles.items[i], &role, err);
        server_grants_add_role(grants, &role);
    }
    if (ok && session->mariadb) {
        const char *own = grants->own_role ? grants->own_role : "NONE";
        ok =
            mysql_rows(session, arena_format(arena, "SET ROLE %s", own), NULL, NULL, err);
    }
    session->base.broken = session->base.broken || !ok; /* nobody else gets the role */
    return ok;
}

bool mysql_grants_ask(struct mysql_session *session, struct server_grants *grants,
                      struct err *err)
{
    return grants_show(session, "SHOW GRANTS", grants, err) &&
           (grants->superuser || grants->roles.count == 0 ||
            roles_show(session, grants, err));
}

static bool inspect_work(struct mysql_session *session, void *context, struct err *err)
{
    struct inspecting *work = context;
    struct server_grants grants = {.arena = work->arena};
    struct texts databases = {0};
    work->mariadb = session->mariadb;
    if (!mysql_rows(session, "SELECT VERSION(), CURRENT_USER(), UNIX_TIMESTAMP()",
                    server_row, work, err) ||
        !mysql_rows(session, "SHOW SESSION STATUS LIKE 'Ssl_version'", encryption_row,
                    work, err) ||
        !mysql_grants_ask(session, &grants, err) ||
        !mysql_databases(session, work->arena, &databases, err)) {
        return false;
    }
    server_grants_ruling(&grants, &work->out->ruling);
    server_grants_tell(&grants, &work->out->dangers);
    server_reader_write(work->arena, SERVER_READER_MYSQL, "", &databases,
                        &work->out->reader);
    return true;
}

bool mysql_inspect(struct datasource *source, struct arena *arena,
                   const struct datasource_limits *limits,
                   struct datasource_inspection *out, struct err *err)
{
    const struct mysql_state *state = source->state;
    struct inspecting work = {.arena = arena, .out = out};
    out->encryption = "none";
    out->remote = !state->line.here;
    return mysql_with(source, limits, inspect_work, &work, err);
}
