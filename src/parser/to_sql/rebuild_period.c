/* Periods as the days they begin and end on: 2024-Q1, last month, the last 30 days. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "parser/to_sql/rebuild_state.h"

/* Days since 1970-01-01 by the civil calendar. */
long long rebuild_day_number(const struct rebuild_day *day)
{
    long long year = day->month <= 2 ? day->year - 1 : day->year;
    long long era = (year >= 0 ? year : year - 399) / 400;
    long long year_of_era = year - era * 400;
    long long shifted = (day->month + 9) % 12;
    long long day_of_year = (153 * shifted + 2) / 5 + day->day - 1;
    long long day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static struct rebuild_day day_of_number(long long number)
{
    number += 719468;
    long long era = (number >= 0 ? number : number - 146096) / 146097;
    long long day_of_era = number - era * 146097;
    long long year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    long long day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    long long shifted = (5 * day_of_year + 2) / 153;
    struct rebuild_day day;
    day.day = (int)(day_of_year - (153 * shifted + 2) / 5 + 1);
    day.month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    day.year = (int)(year_of_era + era * 400 + (day.month <= 2));
    return day;
}

static struct rebuild_day add_days(struct rebuild_day day, long long days)
{
    return day_of_number(rebuild_day_number(&day) + days);
}

static int month_length(int year, int month)
{
    struct rebuild_day first = {year, month, 1};
    struct rebuild_day next = {month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1,
                               1};
    return (int)(rebuild_day_number(&next) - rebuild_day_number(&first));
}

/* The 31st becomes the last day of a shorter month. */
static struct rebuild_day add_months(struct rebuild_day day, long long months)
{
    long long total = (long long)day.year * 12 + day.month - 1 + months;
    day.year = (int)(total / 12);
    day.month = (int)(total % 12) + 1;
    int length = month_length(day.year, day.month);
    day.day = day.day > length ? length : day.day;
    return day;
}

static struct rebuild_day add_units(struct rebuild_day day, enum ir_keyword unit,
                                    long long count)
{
    switch (unit) {
    case IR_UNIT_DAY:
        return add_days(day, count);
    case IR_UNIT_WEEK:
        return add_days(day, count * 7);
    case IR_UNIT_MONTH:
        return add_months(day, count);
    case IR_UNIT_QUARTER:
        return add_months(day, count * 3);
    default:
        return add_months(day, count * 12);
    }
}

/* The first day of the unit the day is in; weeks begin on Monday. */
static struct rebuild_day unit_start(struct rebuild_day day, enum ir_keyword unit)
{
    switch (unit) {
    case IR_UNIT_DAY:
        return day;
    case IR_UNIT_WEEK: /* 1970-01-01 was a Thursday */
        return add_days(day, -(((rebuild_day_number(&day) + 3) % 7 + 7) % 7));
    case IR_UNIT_MONTH:
        return (struct rebuild_day){day.year, day.month, 1};
    case IR_UNIT_QUARTER:
        return (struct rebuild_day){day.year, (day.month - 1) / 3 * 3 + 1, 1};
    default:
        return (struct rebuild_day){day.year, 1, 1};
    }
}

static bool digits_at(const char *text, size_t count, int *number)
{
    *number = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isdigit((unsigned char)text[i])) {
            return false;
        }
        *number = *number * 10 + (text[i] - '0');
    }
    return true;
}

static bool day_read(const char *text, struct rebuild_day *day)
{
    return strnlen(text, 10) >= 10 && digits_at(text, 4, &day->year) && text[4] == '-' &&
           digits_at(text + 5, 2, &day->month) && text[7] == '-' &&
           digits_at(text + 8, 2, &day->day) && day->year > 0 && day->month >= 1 &&
           day->month <= 12 && day->day >= 1 &&
           day->day <= month_length(day->year, day->month);
}

bool rebuild_today(const struct rebuilding *rebuilding, struct rebuild_day *day)
{
    if (rebuilding->request->today) {
        return day_read(rebuilding->request->today, day);
    }
    *day = day_of_number(clock_wall_s() / 86400);
    return true;
}

static bool is_quarter(const char *text, int *quarter)
{
    return (text[0] == 'Q' || text[0] == 'q') && digits_at(text + 1, 1, quarter) &&
           text[2] == '\0' && *quarter >= 1 && *quarter <= 4;
}

static void span_of_months(struct rebuild_span *span, int year, int month, int count)
{
    span->from = (struct rebuild_day){year, month, 1};
    span->to = add_months(span->from, count);
}

/* --03 and --Q1: in any year, or the latest one that has begun. */
static bool span_without_year(struct rebuilding *rebuilding, const char *text,
                              struct rebuild_span *span)
{
    struct rebuild_day today;
    int number;
    if (!rebuild_today(rebuilding, &today)) {
        return false;
    }
    if (is_quarter(text, &number)) {
        span->quarter_of = number;
        number = number * 3 - 2;
    } else if (digits_at(text, 2, &number) && text[2] == '\0' && number >= 1 &&
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
    if (day_read(text, &span->from)) {
        bool range = text[10] == '/' && day_read(text + 11, &span->to);
        span->to = add_days(range ? span->to : span->from, 1);
        return true;
    }
    if (!digits_at(text, 4, &year) || year < 1) {
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
    if (text[4] == '-' && digits_at(text + 5, 2, &number) && text[7] == '\0' &&
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
    struct rebuild_day today;
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
        span->from = add_units(today, unit, -count);
        span->to = add_days(span->from, 1);
    } else if (counted && period->keyword == IR_LAST) {
        span->from = add_units(today, unit, -count);
        span->to = add_days(today, 1);
    } else if (counted) {
        span->from = today;
        span->to = add_days(add_units(today, unit, count), 1);
    } else {
        int step = period->keyword == IR_LAST ? -1 : period->keyword == IR_NEXT ? 1 : 0;
        span->from = add_units(unit_start(today, unit), unit, step);
        span->to = add_units(span->from, unit, 1);
        span->year = unit == IR_UNIT_YEAR ? span->from.year : 0;
    }
    return span->from.year > 0 && span->to.year < 10000
               ? true
               : rebuild_fail(rebuilding, "A date beyond the calendar.");
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
