/* What a login may do on the database behind ODBC, and how it gets there, as far as that
 * can be asked. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/odbc/odbc_driver.h"
#include "datasource/server/server_grants.h"
#include "datasource/server/server_line.h"

/* Texts of the last column, a line for each row. */
struct collecting {
    struct arena *arena;
    size_t column; /* which one */
    struct texts lines;
};

static bool line_row(void *context, const struct value *cells)
{
    struct collecting *work = context;
    const struct value *cell = &cells[work->column];
    if (cell->kind == VALUE_TEXT && cell->text.size > 0) {
        VEC_PUSH(work->arena, &work->lines,
                 arena_copy(work->arena, cell->text.data, cell->text.size));
    }
    return true;
}

/* False, with err, when the line is lost. A database that does not answer leaves nothing.
 */
static bool lines_ask(struct odbc_session *session, const char *sql, size_t column,
                      struct arena *arena, struct texts *out, bool *told, struct err *err)
{
    enum { ROWS_MOST = 1000 };
    struct collecting work = {.arena = arena, .column = column};
    struct err why;
    err_clear(&why);
    *told = odbc_ask(session, sql, ROWS_MOST, line_row, &work, &why);
    *out = work.lines;
    if (!*told &&
        (odbc_lost(&why) || why.code == ERR_STOPPED || why.code == ERR_TIMEOUT)) {
        *err = why;
        return false;
    }
    return true;
}

struct found {
    struct texts ruling;
    struct texts dangers;
};

static bool rights_ask(struct odbc_session *session, struct arena *arena,
                       struct found *out, struct err *err)
{
    const struct odbc_product *product = session->state->product;
    struct server_grants grants = {.arena = arena};
    struct texts lines = {0};
    bool told = true;
    if (!product->rights) {
        return true;
    }
    if (!lines_ask(session, product->rights, 0, arena, &lines, &told, err)) {
        return false;
    }
    if (!product->grants) {
        server_rights_words(arena, str_join(arena, &lines, "\n"), &out->ruling);
        server_rights_words(arena, str_join(arena, &lines, "\n"), &out->dangers);
        if (!told) {
            VEC_PUSH(arena, &out->dangers, SERVER_RIGHTS_UNKNOWN);
        }
        return true;
    }
    for (size_t i = 0; i < lines.count; i++) {
        server_grants_add(&grants, lines.items[i]);
    }
    grants.unknown = !told;
    if (!grants.superuser && grants.roles.count > 0 &&
        !odbc_roles_ask(session, &grants, err)) {
        return false;
    }
    server_grants_ruling(&grants, &out->ruling);
    server_grants_tell(&grants, &out->dangers);
    return true;
}

/* "TLSv1.3" or "none"; NULL: that cannot be asked. */
static bool encryption_ask(struct odbc_session *session, struct arena *arena,
                           const char **out, struct err *err)
{
    const struct odbc_product *product = session->state->product;
    struct texts lines = {0};
    bool told = false;
    *out = NULL;
    if (!product->encryption) {
        return true;
    }
    if (!lines_ask(session, product->encryption, product->grants ? 1 : 0, arena, &lines,
                   &told, err)) {
        return false;
    }
    *out = !told ? NULL : lines.count > 0 ? lines.items[0] : "none";
    return true;
}

static const char *info_text(struct odbc_session *session, SQLUSMALLINT what,
                             struct arena *arena)
{
    char text[256] = "";
    SQLSMALLINT size = 0;
    if (!SQL_SUCCEEDED(odbc.GetInfo(session->connection, what, text,
                                    (SQLSMALLINT)(sizeof text - 1), &size))) {
        text[0] = '\0';
    }
    size_t length = strlen(text);
    return arena_text(arena, text_clean(arena, text, &length));
}

/* MariaDB's driver continues without encryption, whatever was configured, if the
 * server's greeting offers no TLS. */
static bool line_holds(struct odbc_session *session, struct arena *arena, struct err *err)
{
    const struct odbc_state *state = session->state;
    const char *encryption = NULL;
    if (!state->tls_must || !state->product->grants) {
        return true;
    }
    if (!encryption_ask(session, arena, &encryption, err)) {
        return false;
    }
    return !str_equal(str_or_empty(encryption), "none") ||
           server_line_refuse(
               arena_format(arena, "%s=%s", state->habit->tls_key, state->habit->tls_off),
               err);
}

bool odbc_login_judge(struct odbc_session *session, struct err *err)
{
    struct arena *arena = arena_new();
    struct found found = {0};
    bool ok =
        line_holds(session, arena, err) && rights_ask(session, arena, &found, err) &&
        server_rights_judge(&session->state->rights,
                            info_text(session, SQL_USER_NAME, arena), &found.ruling, err);
    arena_free(arena);
    return ok;
}

struct inspecting {
    struct arena *arena;
    struct datasource_inspection *out;
};

static bool reader_write(struct odbc_session *session, struct inspecting *work,
                         struct err *err)
{
    const struct odbc_state *state = session->state;
    struct texts lines = {0};
    struct texts places = {0};
    bool told = true;
    if (!state->product->reads) {
        return true;
    }
    if (state->product->places &&
        !lines_ask(session, state->product->places, 0, work->arena, &lines, &told, err)) {
        return false;
    }
    str_split(work->arena, lines.count > 0 ? lines.items[0] : state->home, '\n', &places);
    server_reader_write(work->arena, state->product->reader,
                        info_text(session, SQL_DATABASE_NAME, work->arena), &places,
                        &work->out->reader);
    return true;
}

static bool inspect_work(struct odbc_session *session, void *context, struct err *err)
{
    struct inspecting *work = context;
    struct datasource_inspection *out = work->out;
    struct found found = {0};
    out->version =
        arena_format(work->arena, "%s %s", info_text(session, SQL_DBMS_NAME, work->arena),
                     info_text(session, SQL_DBMS_VER, work->arena));
    const char *user = info_text(session, SQL_USER_NAME, work->arena);
    out->user = user[0] ? user : NULL;
    if (!encryption_ask(session, work->arena, &out->encryption, err) ||
        !rights_ask(session, work->arena, &found, err)) {
        return false;
    }
    out->ruling = found.ruling;
    out->dangers = found.dangers;
    return reader_write(session, work, err);
}

bool odbc_inspect(struct datasource *source, struct arena *arena,
                  const struct datasource_limits *limits,
                  struct datasource_inspection *out, struct err *err)
{
    struct inspecting work = {.arena = arena, .out = out};
    out->remote = !((const struct odbc_state *)source->state)->here;
    return odbc_with(source, limits, inspect_work, &work, err);
}
