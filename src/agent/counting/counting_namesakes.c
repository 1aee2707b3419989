/* Warns about INTERSECT and EXCEPT by values that several rows share. */
#include "agent/counting/counting_state.h"
#include "sql/counting/namesakes.h"

/* A name belongs to few rows. Fewer different values are groups, such as cities, and then the
 * groups are what is compared. */
enum { NAMES_LEAST = 2 };

static int64_t number(struct run *run, const char *sql)
{
    struct rows rows;
    bool read =
        counting_measure(run, sql, 1, &rows) && rows_cell(&rows, 0, 0)->kind == VALUE_INT;
    return read ? rows_cell(&rows, 0, 0)->integer : -1;
}

void counting_tell_namesakes(struct run *run)
{
    struct counting_sql read;
    struct namesakes found;
    if (!counting_sql(run, &read) ||
        !namesakes_find(run->scratch, &read.statement, read.resolved, &found)) {
        return;
    }
    int64_t all = number(run, found.all);
    int64_t different = number(run, found.different);
    if (different > 0 && different < all && different > all / NAMES_LEAST) {
        struct value few = {.kind = VALUE_INT, .integer = different};
        struct value many = {.kind = VALUE_INT, .integer = all};
        run_warn(run,
                 "%s compares what is shown and not the rows of %s: those that look "
                 "the same are taken as one (%s different ones among %s rows).",
                 found.name, found.table->name, counting_number(run, &few),
                 counting_number(run, &many));
        run->query.doubtful = true;
    }
}
