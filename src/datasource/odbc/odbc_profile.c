/* Samples and statistics of one table behind ODBC: runs the SQL of the profiler here. */
#include "base/arena.h"
#include "datasource/odbc/odbc_driver.h"
#include "datasource/profile/profile.h"

struct profile_asked {
    struct odbc_session *session;
    struct table *table;
    struct arena *arena;
    int samples;
};

/* One statement whose values become texts. */
struct profile_statement {
    bool (*row)(void *, const char *const *);
    void *work;
    struct arena *scratch;
    const char **texts;
    size_t columns;
};

static bool row_hand_out(void *context, const struct value *cells)
{
    struct profile_statement *statement = context;
    for (size_t i = 0; i < statement->columns; i++) {
        statement->texts[i] = profile_cell(statement->scratch, &cells[i]);
    }
    return statement->row(statement->work, statement->texts);
}

static bool rows_run(void *context, const char *sql, size_t columns,
                     bool (*row)(void *, const char *const *), void *work,
                     struct err *err)
{
    struct profile_asked *asked = context;
    struct profile_statement statement = {
        .row = row, .work = work, .scratch = arena_new(), .columns = columns};
    statement.texts = arena_array(statement.scratch, columns, sizeof *statement.texts);
    bool ok = odbc_ask(asked->session, sql, 0, row_hand_out, &statement, err);
    arena_free(statement.scratch);
    return ok;
}

static void name_quote(void *context, struct buf *out, const char *name)
{
    struct profile_asked *asked = context;
    odbc_quote(asked->session->state, out, name);
}

static bool profile_work(struct odbc_session *session, void *context, struct err *err)
{
    struct profile_asked *asked = context;
    const struct odbc_state *state = session->state;
    asked->session = session;
    const struct profile_session profile = {
        .dialect = state->product->cuts_cells ? &profile_odbc_cuts : &profile_odbc,
        .schema = state->product->own_first ? state->home : NULL,
        .context = asked,
        .rows = rows_run,
        .quote_name = name_quote};
    return profile_table(&profile, asked->table, asked->arena, asked->samples, err);
}

bool odbc_profile(struct datasource *source, struct schema *schema, struct table *table,
                  struct arena *arena, int samples,
                  const struct datasource_limits *limits, struct err *err)
{
    if (schema->own_code || table->own_code) { /* the profiler casts and sorts, too */
        return true;
    }
    struct profile_asked asked = {.table = table, .arena = arena, .samples = samples};
    return odbc_with(source, limits, profile_work, &asked, err);
}
