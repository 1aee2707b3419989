/* Warns about rows without a value that "not this value" leaves out. */
#include "agent/counting/counting_state.h"
#include "sql/counting/unequal.h"

void counting_tell_unequal(struct run *run)
{
    struct counting_sql read;
    struct unequals found = {0};
    if (!counting_sql(run, &read)) {
        return;
    }
    unequal_find(run->scratch, &read.statement, read.resolved, &found);
    for (size_t i = 0; i < found.count; i++) {
        const struct unequal *unequal = &found.items[i];
        const char *table = counting_in_words(run, counting_table(unequal->relation));
        const char *column = counting_in_words(run, unequal->column->name);
        struct rows rows;
        if (!counting_measure(run, unequal->count, 1, &rows) ||
            rows_cell(&rows, 0, 0)->kind != VALUE_INT) {
            continue;
        }
        int64_t missing = rows_cell(&rows, 0, 0)->integer;
        if (missing > 0) {
            run_warn(run, "%s %s of %s %s no %s and %s left out.",
                     counting_number(run, rows_cell(&rows, 0, 0)),
                     missing == 1 ? "row" : "rows", table, missing == 1 ? "has" : "have",
                     column, missing == 1 ? "is" : "are");
        }
    }
}
