/*
 * "North", "NORTH " and "north" in one column: a question about the north means all of
 * them, and they form one group. SQL that a user wrote runs as it is, with a warning.
 */
#include "agent/counting/counting_state.h"
#include "base/str.h"
#include "sql/kept/variants.h"

/* Most queries have none, and need not be read again to be changed. */
static bool has_variants(struct run *run, struct variants_uses *uses)
{
    struct counting_sql read;
    if (!counting_sql(run, &read)) {
        return false;
    }
    variants_find(run->scratch, &read.statement, read.resolved, uses);
    return uses->count > 0;
}

void counting_join_variants(struct run *run)
{
    struct counting_sql read;
    struct variants_uses uses;
    if (!has_variants(run, &uses) || !counting_sql_anew(run, &read)) {
        return;
    }
    const char *sql = counting_accepted(
        run, variants_sql(run->scratch, &read.statement, read.resolved, &uses));
    for (size_t i = 0; sql && i < uses.count; i++) {
        run_warn(run, "%s: %s were treated as one value.", uses.items[i].column->name,
                 str_join(run->scratch, &uses.items[i].same, ", "));
    }
    run->answer.sql = sql ? sql : run->answer.sql;
}

void counting_tell_variants(struct run *run)
{
    struct variants_uses uses;
    bool any = has_variants(run, &uses);
    for (size_t i = 0; any && i < uses.count; i++) {
        const struct variants_use *use = &uses.items[i];
        const char *name = use->column->name;
        const char *same = str_join(run->scratch, &use->same, ", ");
        if (use->compared) {
            run_warn(run, "%s has %s: only one of them is asked for.", name, same);
        } else {
            run_warn(run,
                     "%s has %s, which are counted apart; LOWER(TRIM(%s)) would make "
                     "them one.",
                     name, same, name);
        }
    }
}
