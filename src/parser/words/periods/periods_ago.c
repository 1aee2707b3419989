/* "A year ago" has no number, "within the last year" is no calendar year, and "the first monday of march
 * 2025" is a day. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/words/periods/periods_state.h"

enum { UNITS = 5, FORMS = 2 };

static const char *const units[UNITS][FORMS] = {{"day", "days"},
                                                {"week", "weeks"},
                                                {"month", "months"},
                                                {"quarter", "quarters"},
                                                {"year", "years"}};

/* Which of the units, from 0; -1: none. */
static int take_unit(struct period_reader *reader)
{
    for (int i = 0; i < UNITS; i++) {
        if (period_take(reader, units[i][0]) || period_take(reader, units[i][1])) {
            return i;
        }
    }
    return -1;
}

/* "a week ago", "half a year ago", "a couple of months ago"; "a few months ago" is open. */
bool period_ago(struct period_reader *reader, struct period_phrase *out)
{
    static const char *const ones[] = {"a", "an"};
    static const char *const vague[] = {"few", "several", "some"};
    struct period_reader try = *reader;
    bool half = period_take(&try, "half");
    bool one = PERIOD_TAKE_ANY(&try, ones);
    bool couple = one && period_take(&try, "couple") && period_take(&try, "of");
    bool open = !couple && PERIOD_TAKE_ANY(&try, vague);
    int unit = one || open ? take_unit(&try) : -1;
    if (unit < 0 || !period_take(&try, "ago") || (half && unit != UNITS - 1)) {
        return false;
    }
    out->kind = open ? PERIOD_OPEN : PERIOD_SAME;
    out->plain = open   ? ""
                 : half ? "6 months ago"
                        : arena_format(reader->arena, "%d %s ago", couple ? 2 : 1,
                                       units[unit][couple ? 1 : 0]);
    reader->at = try.at;
    return true;
}

/* "within the last year", "in the past month": so long up to today. */
bool period_within(struct period_reader *reader, struct period_phrase *out)
{
    static const char *const lengths[] = {"day", "7 days", "30 days", "3 months",
                                          "12 months"};
    struct period_reader try = *reader;
    static const char *const leads[] = {"in", "over", "during", "throughout", "for"};
    bool within = period_take(&try, "within");
    bool led = within || PERIOD_TAKE_ANY(&try, leads);
    if (!led || !period_take(&try, "the") ||
        !(period_take(&try, "past") || (within && period_take(&try, "last")))) {
        return false;
    }
    int unit = take_unit(&try);
    const struct tokens *tokens = reader->request->tokens;
    if (unit < 1 || !str_equal(tokens->items[try.at - 1].text, units[unit][0])) {
        return false; /* "the past years" */
    }
    out->kind = PERIOD_SAME;
    out->plain = arena_format(reader->arena, "in the last %s", lengths[unit]);
    reader->at = try.at;
    return true;
}

static int take_count(struct period_reader *reader)
{
    enum { DIGITS = 3 };
    const struct tokens *tokens = reader->request->tokens;
    if (reader->at >= tokens->count || tokens->items[reader->at].kind != TOKEN_NUMBER ||
        strlen(tokens->items[reader->at].text) > DIGITS) {
        return 0;
    }
    return (int)strtol(tokens->items[reader->at++].text, NULL, 10);
}

/* "between 3 and 6 months ago", "3 to 6 months ago", "3-6 months ago" */
bool period_between_ago(struct period_reader *reader, struct period_phrase *out)
{
    static const char *const links[] = {"and", "to", "-"};
    struct period_reader try = *reader;
    (void)period_take(&try, "between");
    int least = take_count(&try);
    struct period_reader bare = try;
    (void)take_unit(&try);
    bool linked = least && PERIOD_TAKE_ANY(&try, links);
    if (!linked) {
        try = bare;
        linked = least && PERIOD_TAKE_ANY(&try, links);
    }
    int most = linked ? take_count(&try) : 0;
    int unit = most > least ? take_unit(&try) : -1;
    if (unit < 0 || !period_take(&try, "ago")) {
        return false;
    }
    out->kind = PERIOD_SAME;
    out->plain =
        arena_format(reader->arena, "more than %d %s ago and less than %d %s ago", least,
                     units[unit][1], most, units[unit][1]);
    reader->at = try.at;
    return true;
}

/* The day of this weekday: the first one of the month has the number 1, the last one 0. */
static int day_of(int year, int month, int weekday, int number)
{
    enum { WEEK = 7 };
    struct calendar_day first = {year, month, 1};
    int day = 1 + (weekday - calendar_weekday(&first) + WEEK) % WEEK;
    if (number) {
        return day + (number - 1) * WEEK;
    }
    while (day + WEEK <= calendar_month_length(year, month)) {
        day += WEEK;
    }
    return day;
}

/* "the first monday of march 2025", "last friday in may 2025" */
bool period_weekday(struct period_reader *reader, struct period_phrase *out)
{
    static const char *const numbers[] = {"last", "first", "second", "third", "fourth"};
    static const char *const days[] = {"monday", "tuesday",  "wednesday", "thursday",
                                       "friday", "saturday", "sunday"};
    struct period_reader try = *reader;
    int number = -1;
    int weekday = -1;
    (void)period_take(&try, "the");
    for (int i = 0; number < 0 && i < (int)(sizeof numbers / sizeof *numbers); i++) {
        number = period_take(&try, numbers[i]) ? i : -1;
    }
    for (int i = 0; number >= 0 && weekday < 0 && i < (int)(sizeof days / sizeof *days);
         i++) {
        weekday = period_take(&try, days[i]) ? i : -1;
    }
    if (weekday < 0 || !(period_take(&try, "of") || period_take(&try, "in"))) {
        return false;
    }
    int month = period_take_month(&try);
    (void)period_take(&try, ",");
    int year = month ? period_take_year(&try) : 0;
    if (!year) {
        return false;
    }
    out->kind = PERIOD_SAME;
    out->plain = arena_format(reader->arena, "%s %d, %d", period_month_name(month),
                              day_of(year, month, weekday, number), year);
    reader->at = try.at;
    return true;
}
