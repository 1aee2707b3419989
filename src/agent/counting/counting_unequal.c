/* Warns about rows without a value that "not this value" leaves out. */
#include "agent/counting/counting_state.h"
#include "sql/counting/unequal.h"

/* The figure that the answer would give with these rows; NULL: it gives no single one. */
static const char *figure_with(struct run *run, const struct unequal *unequal)
{
    struct rows rows;
    return unequal->figure && counting_measure(run, unequal->with, 1, &rows)
               ? counting_number(run, rows_cell(&rows, 0, 0))
               : NULL;
}

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
        const char *number = counting_number(run, rows_cell(&rows, 0, 0));
        int64_t missing = rows_cell(&rows, 0, 0)->integer;
        if (missing > 0) {
            const char *with = figure_with(run, unequal);
            run_warn(run, "%s %s of %s %s no %s and %s left out%s%s.", number,
                     missing == 1 ? "row" : "rows", table, missing == 1 ? "has" : "have",
                     column, missing == 1 ? "is" : "are",
                     !with          ? ""
                     : missing == 1 ? "; with it, the figure is "
                                    : "; with them, the figure is ",
                     with ? with : "");
        }
    }
}
