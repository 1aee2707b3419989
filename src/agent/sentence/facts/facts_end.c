/* Where the data end, if a question asks for later dates and finds nothing. */
#include <string.h>

#include "agent/date_range.h"
#include "agent/run_statement.h"
#include "agent/sentence/facts/facts.h"
#include "base/clock.h"
#include "base/str.h"

/* The earliest date in the SQL. */
static const char *first_date(const struct run *run)
{
    const struct texts *dates = &run->answer.dates_used;
    const char *first = dates->count ? dates->items[0] : NULL;
    for (size_t i = 1; i < dates->count; i++) {
        first = strcmp(dates->items[i], first) < 0 ? dates->items[i] : first;
    }
    return first;
}

/* A date of birth says nothing about where the data end. */
static bool is_birth(const struct column *column)
{
    static const char *const words[] = {"birth", "born", "dob"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(column->name, words[i])) {
            return true;
        }
    }
    return false;
}

/* The only column of dates that the SQL uses; NULL: none, or several. */
static const struct column *dated_column(struct run *run, const struct sql_nodes *used,
                                         const struct table **table)
{
    const struct column *found = NULL;
    for (size_t i = 0; i < run->answer.tables.count; i++) {
        const struct table *at =
            schema_table(run_schema(run), run->answer.tables.items[i]);
        for (size_t c = 0; at && c < at->columns.count; c++) {
            const struct column *column = &at->columns.items[c];
            bool named = false;
            for (size_t n = 0; n < used->count; n++) {
                named = named || str_equal_nocase(used->items[n]->text, column->name);
            }
            if (named && column->greatest && clock_begins_with_date(column->greatest)) {
                if (found) {
                    return NULL;
                }
                found = column;
                *table = at;
            }
        }
    }
    return found && !is_birth(found) ? found : NULL;
}

void facts_find_end(struct run *run, struct facts *facts)
{
    const char *first = first_date(run);
    if (!first || run->answer.tables.count != 1) {
        return;
    }
    struct sql_nodes used = {0};
    const struct table *table = NULL;
    sql_collect(run->scratch, run_statement(run, run->answer.sql)->root, SQL_NAME, &used);
    const struct column *column = dated_column(run, &used, &table);
    char last[sizeof facts->data_end];
    if (column && date_range_last(run, table, column, last) &&
        strncmp(last, first, sizeof last - 1) < 0) {
        str_put(facts->data_end, sizeof facts->data_end, last);
    }
}
