/* Which tables the SQL of a reply is about, even where it cannot run as it is. */
#include <ctype.h>
#include <string.h>

#include "agent/run_statement.h"
#include "agent/understand/understanding.h"
#include "base/str.h"
#include "sql/bind.h"
#include "sql/dialects/mend.h"
#include "sql/guard.h"

/* As sure as a model that does not say how sure it is. */
static const double STATED = 0.9;

static bool choose(struct run *run, const char *name)
{
    const struct table *table = name ? schema_table(run_schema(run), name) : NULL;
    if (table) {
        (void)run_choose(run, table, STATED);
    }
    return table != NULL;
}

/* The tables that the guard reads; the first that the schema does not have. */
static const char *choose_read(struct run *run, const char *sql)
{
    const char *unknown = NULL;
    struct guard_result result;
    run_guard(run, sql, NULL, &result);
    for (size_t i = 0; i < result.tables.count; i++) {
        if (!choose(run, result.tables.items[i]) && !unknown) {
            unknown = result.tables.items[i];
        }
    }
    return unknown;
}

/* Names that can only be meant one way: DIAGNOSE_ERROR puts them right in the SQL. */
static void choose_near(struct run *run, const char *sql, struct texts *near)
{
    struct bind_result bound;
    bind_check(run->scratch, run_statement(run, sql), run_schema(run), &bound);
    for (size_t i = 0; i < bound.names.count; i++) {
        const struct bind_name *name = &bound.names.items[i];
        if (name->is_table && !choose(run, name->right) && near->count == 0) {
            *near = name->near;
        }
    }
}

/* SQL that cannot be read still names tables in words. */
static void choose_words(struct run *run, const char *sql)
{
    for (const char *at = sql; *at;) {
        size_t size = 0;
        while (isalnum((unsigned char)at[size]) || at[size] == '_') {
            size++;
        }
        if (size) {
            (void)choose(run, arena_copy(run->scratch, at, size));
        }
        at += size ? size : 1;
    }
}

const char *understanding_choose_sql(struct run *run, const char *sql, struct texts *near)
{
    enum dialect dialect = datasource_dialect(run_datasource(run));
    const struct chosen_tables *chosen = &run->understanding.tables;
    const char *unknown = choose_read(run, sql);
    *near = (struct texts){0};
    if (unknown) {
        choose_near(run, sql, near);
    }
    struct mend mend;
    if (chosen->count == 0 &&
        mend_sql(run->scratch, dialect, sql, run_schema(run), &mend)) {
        (void)choose_read(run, mend.sql);
    }
    if (chosen->count == 0) {
        choose_words(run, sql);
    }
    return chosen->count ? NULL : unknown;
}
