/* Keeps the trees of the SQL in use. */
#include "agent/run_statement.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/guard.h"
#include "sql/resolve/resolve.h"

static struct run_statement *run_statement_find(struct run *run, enum dialect dialect,
                                                const char *sql)
{
    struct run_statement *all = run->query.statements;
    for (size_t i = 0; i < RUN_STATEMENTS && all[i].statement; i++) {
        const struct sql_statement *one = all[i].statement;
        if (one->dialect == dialect && str_equal(one->text, sql)) {
            return &all[i];
        }
    }
    return NULL;
}

/* The newest one comes first. */
static struct run_statement *keep(struct run *run, const struct sql_statement *statement)
{
    struct run_statement *all = run->query.statements;
    memmove(&all[1], &all[0], sizeof all[0] * (RUN_STATEMENTS - 1));
    all[0] = (struct run_statement){.statement = statement};
    return &all[0];
}

static struct run_statement *get(struct run *run, const char *sql)
{
    enum dialect dialect = datasource_dialect(run_datasource(run));
    struct run_statement *found = run_statement_find(run, dialect, sql);
    if (found) {
        return found;
    }
    struct sql_statement *statement = ARENA_NEW(run->arena, struct sql_statement);
    const char *text = arena_text(run->arena, sql);
    (void)sql_statement_read(run->arena, dialect, text, strlen(text), statement);
    return keep(run, statement);
}

void run_statement_keep(struct run *run, const struct sql_statement *statement)
{
    if (statement && !run_statement_find(run, statement->dialect, statement->text)) {
        (void)keep(run, statement);
    }
}

const struct sql_statement *run_statement(struct run *run, const char *sql)
{
    return get(run, sql)->statement;
}

const struct sql_resolved *run_resolved(struct run *run, const char *sql)
{
    struct run_statement *found = get(run, sql);
    const struct schema *schema = run_schema(run);
    if (!found->resolved || found->schema != schema) {
        found->schema = schema;
        found->resolved = sql_resolve(run->arena, found->statement, schema);
    }
    return found->resolved;
}

void run_guard(struct run *run, const char *sql, const struct schema *schema,
               struct guard_result *out)
{
    guard_check_statement(run->scratch, run_statement(run, sql), schema, out);
}
