/* What a login to MariaDB or MySQL behind ODBC could do with roles that it has not taken
 * on. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/odbc/odbc_driver.h"
#include "datasource/server/server_grants.h"

static const char *text_of(struct arena *arena, const struct value *cell)
{
    return cell->kind == VALUE_TEXT ? arena_copy(arena, cell->text.data, cell->text.size)
                                    : NULL;
}

static bool grant_row(void *context, const struct value *cells)
{
    struct server_grants *grants = context;
    const char *line = text_of(grants->arena, &cells[0]);
    if (!str_empty(line)) {
        server_grants_add(grants, line);
    }
    return true;
}

static bool own_role_row(void *context, const struct value *cells)
{
    struct server_grants *grants = context;
    const char *name = text_of(grants->arena, &cells[0]);
    if (!str_empty(name)) {
        struct buf quoted;
        buf_init(&quoted, 1024);
        (void)buf_quote(&quoted, name, '`');
        grants->own_role = buf_clone(&quoted, grants->arena);
        buf_release(&quoted);
    }
    return false;
}

/* False, with err, when the line is lost or the time is at its end; a refusal leaves
 * `told` false. */
static bool ask(struct odbc_session *session, const char *sql,
                bool (*row)(void *, const struct value *), struct server_grants *grants,
                bool *told, struct err *err)
{
    struct err why;
    err_clear(&why);
    *told = odbc_ask(session, sql, 0, row, grants, &why);
    if (!*told &&
        (odbc_lost(&why) || why.code == ERR_STOPPED || why.code == ERR_TIMEOUT)) {
        *err = why;
        return false;
    }
    return true;
}

/* MariaDB shows the rights of a role to logins with the role active; MySQL to those that
 * may activate it. A role that cannot be taken on comes with another one. */
static bool role_show(struct odbc_session *session, const char *name,
                      struct server_grants *role, struct err *err)
{
    bool told = true;
    if (!session->state->product->sets_roles) {
        const char *sql =
            arena_format(role->arena, "SHOW GRANTS FOR CURRENT_USER() USING %s", name);
        bool ok = ask(session, sql, grant_row, role, &told, err);
        role->unknown = !told;
        return ok;
    }
    if (!ask(session, arena_format(role->arena, "SET ROLE %s", name), NULL, NULL, &told,
             err)) {
        return false;
    }
    if (!told) {
        return true;
    }
    bool ok = ask(session, "SHOW GRANTS", grant_row, role, &told, err);
    role->unknown = !told;
    return ok;
}

bool odbc_roles_ask(struct odbc_session *session, struct server_grants *grants,
                    struct err *err)
{
    enum { ROLES_MOST = 8 };
    bool sets = session->state->product->sets_roles;
    bool told = true;
    bool ok =
        !sets || ask(session, "SELECT CURRENT_ROLE()", own_role_row, grants, &told, err);
    for (size_t i = 0; ok && i < grants->roles.count && i < ROLES_MOST; i++) {
        struct server_grants role = {.arena = grants->arena};
        ok = role_show(session, grants->roles.items[i], &role, err);
        server_grants_add_role(grants, &role);
    }
    if (ok && sets) {
        const char *own = grants->own_role ? grants->own_role : "NONE";
        ok = odbc_ask(session, arena_format(grants->arena, "SET ROLE %s", own), 0, NULL,
                      NULL, err);
    }
    session->base.broken = session->base.broken || !ok; /* nobody else gets the role */
    return ok;
}
