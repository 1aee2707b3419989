/* The civil calendar, reckoned from days since 1970. */
#include "parser/words/calendar.h"

#include <ctype.h>
#include <string.h>

long long calendar_number(const struct calendar_day *day)
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

struct calendar_day calendar_of_number(long long number)
{
    number += 719468;
    long long era = (number >= 0 ? number : number - 146096) / 146097;
    long long day_of_era = number - era * 146097;
    long long year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    long long day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    long long shifted = (5 * day_of_year + 2) / 153;
    struct calendar_day day;
    day.day = (int)(day_of_year - (153 * shifted + 2) / 5 + 1);
    day.month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    day.year = (int)(year_of_era + era * 400 + (day.month <= 2));
    return day;
}

struct calendar_day calendar_add_days(struct calendar_day day, long long days)
{
    return calendar_of_number(calendar_number(&day) + days);
}

int calendar_month_length(int year, int month)
{
    struct calendar_day first = {year, month, 1};
    struct calendar_day next = {month == 12 ? year + 1 : year,
                                month == 12 ? 1 : month + 1, 1};
    return (int)(calendar_number(&next) - calendar_number(&first));
}

struct calendar_day calendar_add_months(struct calendar_day day, long long months)
{
    long long total = (long long)day.year * 12 + day.month - 1 + months;
    day.year = (int)(total / 12);
    day.month = (int)(total % 12) + 1;
    int length = calendar_month_length(day.year, day.month);
    day.day = day.day > length ? length : day.day;
    return day;
}

struct calendar_day calendar_add(struct calendar_day day, enum ir_keyword unit,
                                 long long count)
{
    switch (unit) {
    case IR_UNIT_DAY:
        return calendar_add_days(day, count);
    case IR_UNIT_WEEK:
        return calendar_add_days(day, count * 7);
    case IR_UNIT_MONTH:
        return calendar_add_months(day, count);
    case IR_UNIT_QUARTER:
        return calendar_add_months(day, count * 3);
    default:
        return calendar_add_months(day, count * 12);
    }
}

int calendar_weekday(const struct calendar_day *day)
{
    return (int)(((calendar_number(day) + 3) % 7 + 7) % 7); /* 1970-01-01: a Thursday */
}

struct calendar_day calendar_start(struct calendar_day day, enum ir_keyword unit)
{
    switch (unit) {
    case IR_UNIT_DAY:
        return day;
    case IR_UNIT_WEEK:
        return calendar_add_days(day, -calendar_weekday(&day));
    case IR_UNIT_MONTH:
        return (struct calendar_day){day.year, day.month, 1};
    case IR_UNIT_QUARTER:
        return (struct calendar_day){day.year, (day.month - 1) / 3 * 3 + 1, 1};
    default:
        return (struct calendar_day){day.year, 1, 1};
    }
}

bool calendar_digits(const char *text, size_t count, int *number)
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

bool calendar_read(const char *text, struct calendar_day *day)
{
    return strnlen(text, 10) >= 10 && calendar_digits(text, 4, &day->year) &&
           text[4] == '-' && calendar_digits(text + 5, 2, &day->month) &&
           text[7] == '-' && calendar_digits(text + 8, 2, &day->day) && day->year > 0 &&
           day->month >= 1 && day->month <= 12 && day->day >= 1 &&
           day->day <= calendar_month_length(day->year, day->month);
}
