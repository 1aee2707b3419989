/* Keeps the trees of the SQL in use. */
#include "agent/run_statement.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

const struct sql_statement *run_statement(struct run *run, const char *sql)
{
    enum dialect dialect = datasource_dialect(run_datasource(run));
    for (size_t i = 0; i < RUN_STATEMENTS; i++) {
        const struct sql_statement *one = run->query.statements[i];
        if (one && one->dialect == dialect && str_equal(one->text, sql)) {
            return one;
        }
    }
    struct sql_statement *statement = ARENA_NEW(run->arena, struct sql_statement);
    const char *text = arena_text(run->arena, sql);
    (void)sql_statement_read(run->arena, dialect, text, strlen(text), statement);
    memmove(&run->query.statements[1], &run->query.statements[0],
            sizeof run->query.statements[0] * (RUN_STATEMENTS - 1));
    run->query.statements[0] = statement;
    return statement;
}
