/* Days of the Gregorian calendar: to and from numbers, and some units later. */
#ifndef DGM_PARSER_CALENDAR_H
#define DGM_PARSER_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/ir/ir.h"

struct calendar_day {
    int year;
    int month;
    int day;
};

long long calendar_number(const struct calendar_day *day); /* days since 1970-01-01 */
struct calendar_day calendar_of_number(long long number);
struct calendar_day calendar_add_days(struct calendar_day day, long long days);
/* The 31st becomes the last day of a shorter month. */
struct calendar_day calendar_add_months(struct calendar_day day, long long months);
/* unit: IR_UNIT_DAY … IR_UNIT_YEAR */
struct calendar_day calendar_add(struct calendar_day day, enum ir_keyword unit,
                                 long long count);
/* The first day of the unit the day is in; weeks begin on Monday. */
struct calendar_day calendar_start(struct calendar_day day, enum ir_keyword unit);
int calendar_month_length(int year, int month);
/* From Monday, 0, to Sunday, 6. */
int calendar_weekday(const struct calendar_day *day);
/* Do so many digits stand there? The number they are. */
bool calendar_digits(const char *text, size_t count, int *number);
/* Does the text begin with a day, "2024-03-15"? */
bool calendar_read(const char *text, struct calendar_day *day);

#endif
