/* INTERSECT and EXCEPT by values that several rows share: by their key instead, else with a
 * warning. */
#include "agent/counting/counting_state.h"
#include "sql/counting/namesakes.h"

/* A name belongs to few rows. If no column is called so, fewer different values are groups, such as
 * cities, and then the groups are what is compared. */
enum { NAMES_LEAST = 2 };

static int64_t number(struct run *run, const char *sql)
{
    struct rows rows;
    bool read =
        counting_measure(run, sql, 1, &rows) && rows_cell(&rows, 0, 0)->kind == VALUE_INT;
    return read ? rows_cell(&rows, 0, 0)->integer : -1;
}

/* Do rows of the table look the same in what is compared? "99 different ones among 150 rows" */
static bool find(struct run *run, struct namesakes *found, const char **numbers)
{
    struct counting_sql read;
    if (!counting_sql(run, &read) ||
        !namesakes_find(run->scratch, &read.statement, read.resolved, found)) {
        return false;
    }
    int64_t all = number(run, found->all);
    int64_t different = number(run, found->different);
    struct value few = {.kind = VALUE_INT, .integer = different};
    struct value many = {.kind = VALUE_INT, .integer = all};
    bool names = found->by_key || different > all / NAMES_LEAST;
    bool shared = different > 0 && different < all && names;
    *numbers =
        !shared ? NULL
                : arena_format(run->scratch, "%s different ones among %s rows",
                               counting_number(run, &few), counting_number(run, &many));
    return shared;
}

void counting_part_namesakes(struct run *run)
{
    struct namesakes found;
    const char *numbers;
    if (!find(run, &found, &numbers)) {
        return;
    }
    const char *sql = counting_accepted(run, found.by_key);
    if (sql) {
        run_warn(run, "Several rows of %s look the same (%s); they are compared by %s.",
                 found.table->name, numbers, found.key);
        run->answer.sql = sql;
    }
}

void counting_tell_namesakes(struct run *run)
{
    struct namesakes found;
    const char *numbers;
    if (find(run, &found, &numbers)) {
        run_warn(run,
                 "%s compares the shown values, not the rows of %s: rows with the "
                 "same values count as one (%s).",
                 found.name, found.table->name, numbers);
        run->query.doubtful = true;
    }
}
