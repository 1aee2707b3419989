/* Samples and statistics of one MySQL table: runs the SQL of the profiler here. */
#include "datasource/mysql/mysql_driver.h"

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
    return mysql_rows(context, sql, row, work, err);
}

static void name_quote(void *context, struct buf *out, const char *name)
{
    (void)context;
    mysql_quote(out, name);
}

static void text_quote(void *context, struct buf *out, const char *text)
{
    (void)context;
    mysql_literal(out, text);
}

static bool profile_work(struct mysql_session *session, void *context, struct err *err)
{
    struct profile_asked *asked = context;
    asked->session.context = session;
    return profile_table(&asked->session, asked->table, asked->arena, asked->samples,
                         err);
}

bool mysql_profile(struct datasource *source, struct schema *schema, struct table *table,
                   struct arena *arena, int samples,
                   const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    const struct mysql_state *state = source->state;
    struct profile_asked asked = {.session = {.dialect = &profile_mysql,
                                              .schema = state->database,
                                              .rows = rows_run,
                                              .quote_name = name_quote,
                                              .quote_text = text_quote},
                                  .table = table,
                                  .arena = arena,
                                  .samples = samples};
    return mysql_with(source, limits, profile_work, &asked, err);
}
