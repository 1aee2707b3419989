/* What was understood, as the parser's reading has it. */
#include "agent/prompting.h"
#include "agent/run_statement.h"
#include "agent/understand/solving.h"
#include "agent/understand/sql_parts.h"
#include "agent/understand/understanding.h"
#include "base/str.h"

/* As sure as a model that does not say how sure it is. */
static const double STATED = 0.9;

void solving_fill(struct run *run, const struct run_reading *reading)
{
    struct understanding *understanding = &run->understanding;
    struct sql_parts parts;
    sql_parts_read(run->arena, run_statement(run, reading->sql), &parts);
    understanding_forget(run);
    understanding->whole = true;
    understanding->sql = reading->sql;
    understanding->named = reading->tables;
    understanding->joins_needed = parts.joins.count > 0 || reading->tables.count > 1;
    understanding->filters = parts.filters;
    understanding->aggregations = parts.aggregations;
    understanding->ordering =
        parts.order.count ? str_join(run->arena, &parts.order, ", ") : NULL;
    understanding->summary = prompting_harmless(run, reading->words);
    for (size_t i = 0; i < parts.joins.count; i++) {
        VEC_PUSH(run->arena, &understanding->stated,
                 ((struct stated_join){parts.joins.items[i], STATED}));
    }
    sql_parts_steps(run->arena, &parts, &reading->tables, &understanding->plan);
}

void solving_choose_named(struct run *run)
{
    for (size_t i = 0; i < run->understanding.named.count; i++) {
        const struct table *table =
            understanding_find_table(run, run->understanding.named.items[i]);
        if (table) {
            (void)run_choose(run, table, STATED);
        }
    }
}
