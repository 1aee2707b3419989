/* "Revenue per month", where the data end on the ninth day of the last month: that month looks like a
 * fall, but it is only not complete. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/counting/counting.h"
#include "agent/counting/counting_state.h"
#include "agent/date_range.h"
#include "agent/run_statement.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "model/schema.h"
#include "parser/words/calendar.h"

enum {
    DATE_SIZE = 10,
    DATE_ROOM = 24,
    CELL_ROOM = 16,
    MISSING_LEAST = 4, /* days at the end of a period, to be worth a sentence */
    MISSING_TIMES = 3, /* as many as at the end of the period before */
    YEAR_FIRST = 1900,
    YEAR_LAST = 2200,
    QUARTER_MONTHS = 3,
    YEAR_MONTHS = 12
};

/* A month, a quarter or a year: its first day, and the first one after it. */
struct shown_period {
    char label[CELL_ROOM];
    char from[DATE_ROOM];
    char until[DATE_ROOM];
};

static void set_days(struct shown_period *period, int year, int month, int months)
{
    int next = month + months - 1;
    (void)snprintf(period->from, DATE_ROOM, "%04d-%02d-01", year, month);
    (void)snprintf(period->until, DATE_ROOM, "%04d-%02d-01", year + next / YEAR_MONTHS,
                   next % YEAR_MONTHS + 1);
}

/* 2026-10, 2026-Q4, 2026 */
static bool read_period(const char *text, struct shown_period *out)
{
    size_t digits = strspn(text, "0123456789");
    int year = digits == 4 ? (int)strtol(text, NULL, 10) : 0;
    if (year < YEAR_FIRST || year > YEAR_LAST || strlen(text) >= CELL_ROOM) {
        return false;
    }
    (void)snprintf(out->label, CELL_ROOM, "%s", text);
    const char *rest = text + digits;
    if (!*rest) {
        set_days(out, year, 1, YEAR_MONTHS);
        return true;
    }
    bool quarter =
        rest[0] == '-' && rest[1] == 'Q' && rest[2] >= '1' && rest[2] <= '4' && !rest[3];
    int month = rest[0] == '-' && strlen(rest) == 3 && isdigit((unsigned char)rest[1]) &&
                        isdigit((unsigned char)rest[2])
                    ? (int)strtol(rest + 1, NULL, 10)
                    : 0;
    if (quarter) {
        set_days(out, year, (rest[2] - '1') * QUARTER_MONTHS + 1, QUARTER_MONTHS);
    } else if (month >= 1 && month <= YEAR_MONTHS) {
        set_days(out, year, month, 1);
    }
    return quarter || (month >= 1 && month <= YEAR_MONTHS);
}

static bool cell_period(struct run *run, size_t row, size_t column,
                        struct shown_period *out)
{
    struct buf text;
    buf_init(&text, DATE_ROOM * 2);
    value_print(&text, rows_cell(&run->answer.rows, row, column));
    bool ok = !text.full && text.data && read_period(text.data, out);
    buf_release(&text);
    return ok;
}

/* The latest of the periods in a column; false: it holds something else, or one period only. */
static bool latest(struct run *run, size_t column, struct shown_period *out)
{
    const struct rows *rows = &run->answer.rows;
    bool several = false;
    for (size_t i = 0; i < rows->count; i++) {
        struct shown_period period;
        if (rows_cell(rows, i, column)->kind == VALUE_NULL) {
            continue; /* rows without a date */
        }
        if (!cell_period(run, i, column, &period)) {
            return false;
        }
        several = several || (*out->from && strcmp(period.from, out->from) != 0);
        if (!*out->from || strcmp(period.from, out->from) > 0) {
            *out = period;
        }
    }
    return several;
}

/* Adds the columns of an expression; false: they are of several, or of no table. */
static bool gather(const struct sql_resolved *resolved, const struct sql_node *node,
                   const struct sql_reference **found)
{
    if (node->kind == SQL_COLUMN) {
        const struct sql_reference *reference = sql_reference_of(resolved, node);
        if (!reference || !reference->column || !reference->relation->table ||
            (*found && (*found)->column != reference->column)) {
            return false;
        }
        *found = reference;
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (node->children[i] && !gather(resolved, node->children[i], found)) {
            return false;
        }
    }
    return true;
}

/* The only column of a table that the shown value is made of; NULL: there are several. */
static const struct sql_reference *date_of(struct run *run,
                                           const struct sql_resolved *resolved,
                                           const struct sql_output *output)
{
    static const char *const figures[] = {"count", "sum", "min", "max", "avg"};
    const struct sql_reference *found = NULL;
    const struct sql_node *value = output->value;
    if (!value || sql_is(value, SQL_COLUMN) ||
        (sql_is(value, SQL_CALL) &&
         str_is_among(str_lower(run->scratch, value->text), figures,
                      sizeof figures / sizeof *figures))) {
        return NULL;
    }
    return gather(resolved, value, &found) ? found : NULL;
}

static long days_until(const char *from, const char *until)
{
    struct calendar_day a;
    struct calendar_day b;
    return calendar_read(from, &a) && calendar_read(until, &b)
               ? (long)(calendar_number(&b) - calendar_number(&a))
               : -1;
}

/* The last date before a day; NULL: it cannot be measured. */
static const char *last_before(struct run *run, const struct sql_reference *date,
                               const char *day)
{
    enum dialect dialect = datasource_dialect(run_datasource(run));
    struct buf sql;
    struct buf text;
    struct rows rows;
    buf_init(&sql, 2048);
    buf_init(&text, DATE_ROOM * 2);
    (void)buf_text(&sql, "SELECT MAX(");
    dialect_quote(&sql, dialect, date->column->name, false);
    (void)buf_text(&sql, ") FROM ");
    dialect_quote(&sql, dialect, date->relation->table->name, true);
    (void)buf_text(&sql, " WHERE ");
    dialect_quote(&sql, dialect, date->column->name, false);
    (void)buf_format(&sql, " < '%s'", day);
    const char *found = NULL;
    if (!sql.full && counting_measure(run, buf_get(&sql), 1, &rows)) {
        value_print(&text, rows_cell(&rows, 0, 0));
        found = text.data && clock_begins_with_date(text.data)
                    ? arena_copy(run->scratch, text.data, DATE_SIZE)
                    : NULL;
    }
    buf_release(&sql);
    buf_release(&text);
    return found;
}

/* Do the data end within this period, and not just before its end as in other periods? */
static bool is_cut(struct run *run, const struct sql_reference *date,
                   const struct shown_period *period, char last[11])
{
    const char *today =
        clock_date(run->scratch, clock_wall_s(), run->options->agent_time_zone);
    if (strcmp(period->until, today) > 0 || /* not over: the sentence says so */
        !date_range_last(run, date->relation->table, date->column, last) ||
        strcmp(last, period->from) < 0 || strcmp(last, period->until) >= 0) {
        return false;
    }
    long missing = days_until(last, period->until) - 1;
    const char *before =
        missing >= MISSING_LEAST ? last_before(run, date, period->from) : NULL;
    long usual = before ? days_until(before, period->from) - 1 : -1;
    return usual >= 0 && missing >= usual * MISSING_TIMES;
}

/* Several groups for each period: the sentence is about the groups, and says nothing about
 * periods that are not over or not even begun. */
static bool tell_open(struct run *run, const struct sql_scope *scope,
                      const struct shown_period *period)
{
    const char *today =
        clock_date(run->scratch, clock_wall_s(), run->options->agent_time_zone);
    const struct sql_node *groups = scope->node->children[SELECT_GROUP];
    if (strcmp(period->until, today) <= 0 || groups->count < 2) {
        return false;
    }
    if (strcmp(period->from, today) > 0) {
        run_warn(run,
                 "%s lies in the future: figures from today (%s) on may still change.",
                 period->label, today);
    } else {
        run_warn(run, "%s is not over: its figures may still change.", period->label);
    }
    return true;
}

void counting_tell_cut_period(struct run *run)
{
    const char *sql = run->answer.sql;
    const struct sql_node *root =
        sql && run->answer.has_rows && run->answer.rows.count > 1 &&
                !run->request.delivery && !run->query.is_write && run_schema(run)
            ? run_statement(run, sql)->root
            : NULL;
    const struct sql_resolved *resolved = root ? run_resolved(run, sql) : NULL;
    const struct sql_scope *scope =
        resolved && sql_is(root, SQL_QUERY)
            ? sql_scope_of(resolved, root->children[QUERY_BODY])
            : NULL;
    if (!scope || !scope->node->children[SELECT_GROUP] || scope->outputs.open ||
        scope->outputs.count != run->answer.rows.column_count ||
        run->answer.rows.cut != ROWS_WHOLE) {
        return;
    }
    for (size_t i = 0; i < scope->outputs.count; i++) {
        struct shown_period period = {{0}, {0}, {0}};
        char last[DATE_SIZE + 1];
        const struct sql_reference *date =
            date_of(run, resolved, scope->outputs.items[i]);
        if (!date || !latest(run, i, &period) || tell_open(run, scope, &period)) {
            continue;
        }
        if (is_cut(run, date, &period, last)) {
            run_warn(run, "The data ends on %s, so %s is not complete.", last,
                     period.label);
            return;
        }
    }
}
