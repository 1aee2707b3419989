/*
 * Functions of the database's own behind ODBC: those of PostgreSQL, MySQL and MariaDB are
 * known to their catalogs, and the schema lists them for the guard.
 */
#include "base/arena.h"
#include "base/str.h"
#include "datasource/odbc/odbc_driver.h"
#include "datasource/profile/profile.h"
#include "datasource/server/server_own.h"
#include "sql/guard.h"

/* Without a database before it a name means a function of the one that is used. */
static const char mysql_functions[] =
    "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_TYPE = 'FUNCTION'"
    " AND ROUTINE_SCHEMA = DATABASE() ORDER BY 1";

static bool mysql_row(void *context, const char *const *texts)
{
    struct server_own *work = context;
    guard_own_add(work->schema, DIALECT_MYSQL, str_or_empty(texts[0]));
    return true;
}

static const struct server_own_question mysql_question = {mysql_functions, 1, mysql_row};

struct asking {
    const struct server_own_question *question;
    struct server_own *work;
    struct arena *scratch;
};

static bool row_hand(void *context, const struct value *cells)
{
    enum { COLUMNS_MOST = 8 };
    const char *texts[COLUMNS_MOST];
    struct asking *asking = context;
    for (size_t i = 0; i < asking->question->columns && i < COLUMNS_MOST; i++) {
        texts[i] = profile_cell(asking->scratch, &cells[i]);
    }
    return asking->question->row(asking->work, texts);
}

static bool ask(struct odbc_session *session, const struct server_own_question *questions,
                size_t count, struct server_own *work, struct err *err)
{
    bool ok = true;
    struct arena *scratch = arena_new();
    for (size_t i = 0; ok && i < count; i++) {
        struct asking asking = {&questions[i], work, scratch};
        ok = odbc_ask(session, questions[i].sql, 0, row_hand, &asking, err);
    }
    arena_free(scratch);
    return ok;
}

static bool ask_postgres(struct odbc_session *session, struct server_own *work,
                         struct err *err)
{
    size_t count = 0;
    const struct server_own_question *named = server_own_named(&count);
    if (!ask(session, named, count, work, err)) {
        return false;
    }
    const struct server_own_question *unnamed = server_own_unnamed(&count);
    return session->state->allow_own_types || ask(session, unnamed, count, work, err);
}

bool odbc_own(struct odbc_session *session, struct schema *schema, struct err *err)
{
    const struct odbc_state *state = session->state;
    struct server_own work = {.schema = schema, .home = state->home};
    if (state->product->dialect == DIALECT_POSTGRES) {
        return ask_postgres(session, &work, err);
    }
    /* SQLite keeps no functions in its file; of other databases nothing is known */
    return state->product->dialect != DIALECT_MYSQL ||
           ask(session, &mysql_question, 1, &work, err);
}
