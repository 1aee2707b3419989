/* Points in time in the cells of a result, and how a sentence names them. */
#ifndef DGM_AGENT_SENTENCE_PERIOD_H
#define DGM_AGENT_SENTENCE_PERIOD_H

#include "agent/sentence/telling.h"

/* As the phrases YEAR … MONTH_NAME and IN_YEAR … IN_MONTH_NAME. */
enum period_kind {
    PERIOD_YEAR,
    PERIOD_QUARTER,
    PERIOD_MONTH,
    PERIOD_DAY,
    PERIOD_MOMENT,
    PERIOD_MONTH_NAME, /* of no certain year */
    PERIOD_NONE
};

struct period {
    enum period_kind kind;
    int year;
    int part; /* month or quarter */
    int day;
    int minute; /* of the day */
};

/* years: a whole number is a year; months: it is a month. */
bool period_read(const struct value *value, bool years, bool months, struct period *out);
/* Before, the same, after: below 0, 0, above 0. Both are of the same kind. */
int period_compare(const struct period *a, const struct period *b);
/* The same point in time as a wider kind: the first of a month as the month. */
void period_widen(struct period *period, enum period_kind kind);
/* How many periods after the first: 1 is the next one. Of years, quarters and months; 0: of
 * others. */
int period_apart(const struct period *from, const struct period *to);
/* Does the day, "2026-11-19", lie in it? */
bool period_holds(const struct period *period, const char *day);
/* Does it begin after the day? */
bool period_is_after(const struct period *period, const char *day);
/* The period from a day up to the one before another; false: it is no day, month, quarter or
 * year. */
bool period_of_span(const char *from, const char *until, struct period *out);
/* "March 2025"; in: "in March 2025". */
const char *period_text(const struct telling *telling, const struct period *period,
                        bool in);

#endif
