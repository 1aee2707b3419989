/* Converts amounts and dates that are stored as text, with a warning. */
#include <string.h>

#include "agent/counting/counting.h"
#include "agent/counting/counting_state.h"
#include "base/str.h"
#include "sql/kept/kept_form.h"
#include "sql/kept/kept_sql.h"
#include "sql/kept/variants.h"

const char *counting_read_kept(struct run *run, struct arena *arena,
                               const struct sql_statement *statement)
{
    struct kept_uses uses = {0};
    struct variants_uses variants;
    const struct schema *schema = run_schema(run);
    if (!schema || !statement->root) {
        return NULL;
    }
    struct sql_statement copy = sql_statement_copy(arena, statement);
    const char *united =
        variants_sql(arena, &copy, sql_resolve(arena, &copy, schema), &variants);
    if (!united) {
        copy = sql_statement_copy(arena, statement);
    } else if (!sql_statement_read(arena, statement->dialect, united, strlen(united),
                                   &copy)) {
        return united;
    }
    const struct sql_resolved *resolved = sql_resolve(arena, &copy, schema);
    const char *read =
        kept_is_used(resolved) ? kept_sql(arena, &copy, resolved, &uses) : NULL;
    return read ? read : united;
}

/* Number of cells in another form; -1: cannot be measured. */
static int64_t unread(struct run *run, const struct kept_use *use)
{
    struct rows rows;
    struct buf name;
    enum dialect dialect = datasource_dialect(run_datasource(run));
    if (!use->table) {
        return -1;
    }
    buf_init(&name, 1024);
    dialect_quote(&name, dialect, use->column->name, false);
    const char *column = buf_clone(&name, run->scratch);
    buf_clear(&name);
    dialect_quote(&name, dialect, use->table->name, true);
    const char *table = buf_clone(&name, run->scratch);
    buf_release(&name);
    const char *form = kept_form_sql(run->scratch, dialect, &use->kept, column);
    const char *sql = arena_format(
        run->scratch, "SELECT COUNT(*) FROM %s WHERE %s <> '' AND (%s) IS NULL", table,
        column, form);
    return counting_measure(run, sql, 1, &rows) &&
                   rows_cell(&rows, 0, 0)->kind == VALUE_INT
               ? rows_cell(&rows, 0, 0)->integer
               : -1;
}

static void tell(struct run *run, const struct kept_use *use)
{
    int64_t others = unread(run, use);
    const char *what = use->kept.form == KEPT_DATE ? "date" : "number";
    const char *left_out =
        others > 0 ? arena_format(run->scratch,
                                  "; %lld cells have another form and are left out",
                                  (long long)others)
                   : "";
    run_warn(run, "%s is text such as '%s' and was read as a %s%s.", use->column->name,
             use->kept.example, what, left_out);
}

void counting_keep_kept(struct run *run)
{
    struct counting_sql read;
    struct kept_uses uses = {0};
    if (!counting_sql(run, &read) || !kept_is_used(read.resolved) ||
        !counting_sql_anew(run, &read)) {
        return;
    }
    const char *sql = counting_accepted(
        run, kept_sql(run->scratch, &read.statement, read.resolved, &uses));
    for (size_t i = 0; sql && i < uses.count; i++) {
        tell(run, &uses.items[i]);
    }
    run->answer.sql = sql ? sql : run->answer.sql;
}

void counting_tell_kept(struct run *run)
{
    struct counting_sql read;
    struct kept_uses uses = {0};
    if (!counting_sql(run, &read) || !kept_is_used(read.resolved) ||
        !counting_sql_anew(run, &read) ||
        !kept_sql(run->scratch, &read.statement, read.resolved, &uses)) {
        return;
    }
    for (size_t i = 0; i < uses.count; i++) {
        run_warn(run, "%s is text such as '%s': the database does not take it for a %s.",
                 uses.items[i].column->name, uses.items[i].kept.example,
                 uses.items[i].kept.form == KEPT_DATE ? "date" : "number");
        run->query.doubtful = true;
    }
}
