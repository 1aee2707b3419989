/* Periods as the days they begin and end on: 2024-Q1, last month, the last 30 days. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "parser/to_sql/rebuild_state.h"

bool rebuild_today(const struct rebuilding *rebuilding, struct calendar_day *day)
{
    if (rebuilding->request->today) {
        return calendar_read(rebuilding->request->today, day);
    }
    *day = calendar_of_number(clock_wall_s() / 86400);
    return true;
}

static bool is_quarter(const char *text, int *quarter)
{
    return (text[0] == 'Q' || text[0] == 'q') && calendar_digits(text + 1, 1, quarter) &&
           text[2] == '\0' && *quarter >= 1 && *quarter <= 4;
}

static void span_of_months(struct rebuild_span *span, int year, int month, int count)
{
    span->from = (struct calendar_day){year, month, 1};
    span->to = calendar_add_months(span->from, count);
}

/* --03 and --Q1: in any year, or the latest one that has begun. */
static bool span_without_year(struct rebuilding *rebuilding, const char *text,
                              struct rebuild_span *span)
{
    struct calendar_day today;
    int number;
    if (!rebuild_today(rebuilding, &today)) {
        return false;
    }
    if (is_quarter(text, &number)) {
        span->quarter_of = number;
        number = number * 3 - 2;
    } else if (calendar_digits(text, 2, &number) && text[2] == '\0' && number >= 1 &&
               number <= 12) {
        span->month_of = number;
    } else {
        return false;
    }
    int year = number <= today.month ? today.year : today.year - 1;
    span_of_months(span, year, number, span->quarter_of ? 3 : 1);
    return true;
}

static bool span_of_text(struct rebuilding *rebuilding, const char *text,
                         struct rebuild_span *span)
{
    int year, number;
    if (str_starts(text, "--")) {
        return span_without_year(rebuilding, text + 2, span);
    }
    if (calendar_read(text, &span->from)) {
        bool range = text[10] == '/' && calendar_read(text + 11, &span->to);
        span->to = calendar_add_days(range ? span->to : span->from, 1);
        return true;
    }
    if (!calendar_digits(text, 4, &year) || year < 1) {
        return false;
    }
    if (text[4] == '\0') {
        span->year = year;
        span_of_months(span, year, 1, 12);
        return true;
    }
    if (text[4] == '-' && is_quarter(text + 5, &number)) {
        span_of_months(span, year, number * 3 - 2, 3);
        return true;
    }
    if (text[4] == '-' && calendar_digits(text + 5, 2, &number) && text[7] == '\0' &&
        number >= 1 && number <= 12) {
        span_of_months(span, year, number, 1);
        return true;
    }
    return false;
}

enum { COUNT_MAX = 20000 }; /* of units: keeps every year within four digits */

static bool span_relative(struct rebuilding *rebuilding, const struct ir_node *period,
                          struct rebuild_span *span)
{
    struct calendar_day today;
    long long count = 0;
    bool counted = period->args.count == 2;
    enum ir_keyword unit = period->args.items[period->args.count - 1]->keyword;
    if (!rebuild_today(rebuilding, &today)) {
        return rebuild_fail(rebuilding, "The date of today is not known.");
    }
    if (counted && (!rebuild_count(rebuilding, period->args.items[0], &count) ||
                    count > COUNT_MAX / (unit == IR_UNIT_YEAR ? 20 : 4))) {
        return rebuild_fail(rebuilding, "Too many days, months or years.");
    }
    if (period->keyword == IR_AGO) {
        span->from = calendar_add(today, unit, -count);
        span->to = calendar_add_days(span->from, 1);
    } else if (counted && period->keyword == IR_LAST) {
        span->from = calendar_add(today, unit, -count);
        span->to = calendar_add_days(today, 1);
    } else if (counted) {
        span->from = today;
        span->to = calendar_add_days(calendar_add(today, unit, count), 1);
    } else {
        int step = period->keyword == IR_LAST ? -1 : period->keyword == IR_NEXT ? 1 : 0;
        span->from = calendar_add(calendar_start(today, unit), unit, step);
        span->to = calendar_add(span->from, unit, 1);
        span->year = unit == IR_UNIT_YEAR ? span->from.year : 0;
    }
    return span->from.year > 0 && span->to.year < 10000
               ? true
               : rebuild_fail(rebuilding, "A date beyond the calendar.");
}

/* "3 months ago" with nothing before it: that month, as "last month" is one. */
static void widen_ago(const struct ir_node *period, struct rebuild_span *span)
{
    enum ir_keyword unit = period->args.items[1]->keyword;
    span->from = calendar_start(span->from, unit);
    span->to = calendar_add(span->from, unit, 1);
    span->year = unit == IR_UNIT_YEAR ? span->from.year : 0;
}

bool rebuild_span_during(struct rebuilding *rebuilding, const struct ir_node *period,
                         struct rebuild_span *span)
{
    bool ok = rebuild_span(rebuilding, period, span);
    if (ok && ir_node_is(period, IR_AGO)) {
        widen_ago(period, span);
    }
    return ok;
}

bool rebuild_span(struct rebuilding *rebuilding, const struct ir_node *period,
                  struct rebuild_span *span)
{
    *span = (struct rebuild_span){0};
    if (!ir_node_is_value(period)) {
        return span_relative(rebuilding, period, span);
    }
    const struct ir_value *value = rebuild_value_of(rebuilding, period);
    if (!span_of_text(rebuilding, value->text, span)) {
        return rebuild_fail(rebuilding, "'%.40s' is no period of time.", value->text);
    }
    return true;
}
