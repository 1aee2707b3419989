/* Finds the first and last date of a table. */
#include "agent/date_range.h"

#include <string.h>

#include "agent/sources/policing.h"
#include "agent/suggest/suggest_columns.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"

enum {
    PROBE_MS = 500,       /* a clarifying question should appear without delay */
    PROBE_ROWS = 1000000, /* larger tables of remote databases are not read */
    SQL_MOST = 4096,
};

static bool date_range_take(char out[11], const char *text)
{
    if (!text || !clock_begins_with_date(text)) {
        return false;
    }
    memcpy(out, text, 10);
    out[10] = '\0';
    return true;
}

static bool by_profile(const struct column *column, struct suggest_range *out)
{
    struct suggest_range range = {.column = column};
    if (!date_range_take(range.first, column->least) ||
        !date_range_take(range.last, column->greatest)) {
        return false;
    }
    *out = range;
    return true;
}

static bool take_cell(const struct rows *rows, size_t column, char out[11])
{
    struct buf buf;
    buf_init(&buf, SQL_MOST);
    value_print(&buf, rows_cell(rows, 0, column));
    bool ok = date_range_take(out, buf_get(&buf));
    buf_release(&buf);
    return ok;
}

/* SELECT MIN(d), MAX(d), read-only and bounded as any query is. */
static bool by_asking(struct run *run, const struct table *table,
                      const struct column *column, struct suggest_range *out)
{
    struct datasource *source = run_datasource(run);
    if (policing_wants_approval(run) && !run->query.approved) {
        return false; /* no query has been approved yet */
    }
    if (!source->driver->local &&
        (table->row_count < 0 || table->row_count > PROBE_ROWS)) {
        return false;
    }
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    for (int end = 0; end < 2; end++) {
        (void)buf_text(&sql, end ? ", MAX(" : "SELECT MIN(");
        dialect_quote(&sql, datasource_dialect(source), column->name, false);
        (void)buf_text(&sql, ")");
    }
    (void)buf_text(&sql, " FROM ");
    dialect_quote(&sql, datasource_dialect(source), table->name, true);
    int64_t steps;
    struct datasource_limits limits = run_probe_limits(run, PROBE_MS, 1, &steps);
    struct rows rows;
    struct err trouble;
    err_clear(&trouble);
    rows_init(&rows, run->scratch);
    struct suggest_range range = {.column = column};
    bool ok = !sql.full &&
              datasource_execute(source, buf_get(&sql), run_schema(run), &limits, &rows,
                                 &trouble) &&
              rows.count == 1 && rows.column_count == 2 &&
              take_cell(&rows, 0, range.first) && take_cell(&rows, 1, range.last);
    buf_release(&sql);
    if (ok) {
        *out = range;
    }
    return ok;
}

/* The column of dates that the question names, else the first. */
static const struct column *date_column(const struct run *run, const struct table *table)
{
    const struct column *first = NULL;
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        struct suggest_range range; /* ordered_on: no name of a date, but its cells are */
        if (suggest_is_key(table, column) ||
            (!suggest_is_date(table, column) && !by_profile(column, &range))) {
            continue;
        }
        if (str_contains_nocase(run_question_text(run),
                                suggest_words(run->scratch, column->name))) {
            return column;
        }
        bool better = !first || (str_contains_nocase(first->name, "birth") &&
                                 !str_contains_nocase(column->name, "birth"));
        first = better ? column : first; /* a day of birth is rarely meant */
    }
    return first;
}

void date_range_find(struct run *run, const struct table *table,
                     struct suggest_range *out)
{
    *out = (struct suggest_range){0};
    out->column = table ? date_column(run, table) : NULL;
    if (out->column && !by_profile(out->column, out)) {
        (void)by_asking(run, table, out->column, out);
    }
    (void)date_range_take(out->today, clock_date(run->scratch, clock_wall_s(),
                                                 run->options->agent_time_zone));
}

bool date_range_last(struct run *run, const struct table *table,
                     const struct column *column, char out[11])
{
    struct suggest_range range = {.column = column};
    const struct datasource *source = run_datasource(run);
    if (!source || run->sources.across || run->question.dry_run || run_stopped(run) ||
        str_equal(source->driver->name, "bigquery") || /* each query costs money */
        !by_asking(run, table, column, &range)) {
        return false;
    }
    memcpy(out, range.last, sizeof range.last);
    return true;
}
