/* Samples and statistics of one PostgreSQL table: runs the SQL of the profiler here. */
#include "datasource/postgres/postgres_driver.h"

#include <string.h>

#include "base/buf.h"
#include "datasource/profile/profile.h"

struct profile_asked {
    struct profile_session session;
    struct table *table;
    struct arena *arena;
    int samples;
};

static bool rows_run(void *context, const char *sql, size_t columns,
                     bool (*row)(void *, const char *const *), void *work,
                     struct err *err)
{
    (void)columns;
    return postgres_rows(context, sql, row, work, err);
}

static void name_quote(void *context, struct buf *out, const char *name)
{
    (void)context;
    postgres_quote(out, name);
}

static void text_quote(void *context, struct buf *out, const char *text)
{
    struct postgres_session *session = context;
    char *literal = PQescapeLiteral(session->connection, text, strlen(text));
    (void)buf_text(out, literal ? literal : "NULL");
    PQfreemem(literal);
}

static bool profile_work(struct postgres_session *session, void *context, struct err *err)
{
    struct profile_asked *asked = context;
    asked->session.context = session;
    return profile_table(&asked->session, asked->table, asked->arena, asked->samples,
                         err);
}

bool postgres_profile(struct datasource *source, struct schema *schema,
                      struct table *table, struct arena *arena, int samples,
                      const struct datasource_limits *limits, struct err *err)
{
    if (schema->own_code || table->own_code) { /* the profiler casts and sorts, too */
        return true;
    }
    const struct postgres_state *state = source->state;
    struct profile_asked asked = {.session = {.dialect = &profile_postgres,
                                              .schema = state->schema,
                                              .rows = rows_run,
                                              .quote_name = name_quote,
                                              .quote_text = text_quote},
                                  .table = table,
                                  .arena = arena,
                                  .samples = samples};
    return postgres_with(source, limits, profile_work, &asked, err);
}
