/* Points in time: read from cells, compared, named. */
#include "agent/sentence/period.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

_Static_assert(PHRASE_MONTH_NAME - PHRASE_YEAR == (int)PERIOD_MONTH_NAME &&
                   PHRASE_IN_MONTH_NAME - PHRASE_IN_YEAR == (int)PERIOD_MONTH_NAME,
               "the phrases of periods are in the order of the kinds");

static bool number_at(const char *text, size_t digits, int *out)
{
    *out = 0;
    for (size_t i = 0; i < digits; i++) {
        if (!isdigit((unsigned char)text[i])) {
            return false;
        }
        *out = *out * 10 + (text[i] - '0');
    }
    return true;
}

/* "14:30", "14:30:00", "14:30:00.000Z" */
static bool read_clock(const char *text, struct period *out)
{
    int hour = 0;
    int minute = 0;
    size_t more = text[0] && text[1] ? strspn(text, "0123456789:.Z+-") : 0;
    if (text[more] || more < 5 || !number_at(text, 2, &hour) || text[2] != ':' ||
        !number_at(text + 3, 2, &minute) || hour > 23 || minute > 59) {
        return false;
    }
    out->minute = hour * 60 + minute;
    out->kind = strspn(text, "0:.Z+") == more ? PERIOD_DAY : PERIOD_MOMENT;
    return true;
}

static bool read_month_name(const char *text, struct period *out)
{
    for (int i = 0; i < 12; i++) {
        if (str_equal(text,
                      language_english.months[i])) { /* as agent/wording.c says it */
            *out = (struct period){.kind = PERIOD_MONTH_NAME, .part = i + 1};
            return true;
        }
    }
    return false;
}

static bool read_text(const char *text, size_t size, bool years, struct period *out)
{
    *out = (struct period){.kind = PERIOD_NONE, .part = 1, .day = 1};
    if (!isdigit((unsigned char)*text)) {
        return read_month_name(text, out);
    }
    if (!number_at(text, 4, &out->year) || out->year < 1000 || out->year > 2999) {
        return false;
    }
    if (size == 4) {
        out->kind = PERIOD_YEAR;
        return years;
    }
    if (size == 7 && (text[4] == '-' || text[4] == ' ') && text[5] == 'Q') {
        out->kind = PERIOD_QUARTER;
        return number_at(text + 6, 1, &out->part) && out->part >= 1 && out->part <= 4;
    }
    if (size < 7 || text[4] != '-' || !number_at(text + 5, 2, &out->part) ||
        out->part < 1 || out->part > 12) {
        return false;
    }
    if (size == 7) {
        out->kind = PERIOD_MONTH;
        return true;
    }
    if (size < 10 || text[7] != '-' || !number_at(text + 8, 2, &out->day) ||
        out->day < 1 || out->day > 31) {
        return false;
    }
    out->kind = PERIOD_DAY;
    return size == 10 ||
           ((text[10] == ' ' || text[10] == 'T') && read_clock(text + 11, out));
}

bool period_read(const struct value *value, bool years, bool months, struct period *out)
{
    enum { TEXT_MOST = 40 };
    char text[TEXT_MOST + 1];
    if (value->kind == VALUE_INT) {
        int64_t number = value->integer;
        bool year = years && number >= 1000 && number <= 2999;
        bool month = !year && months && number >= 1 && number <= 12;
        *out = (struct period){.kind = year    ? PERIOD_YEAR
                                       : month ? PERIOD_MONTH_NAME
                                               : PERIOD_NONE,
                               .year = year ? (int)number : 0,
                               .part = month ? (int)number : 1,
                               .day = 1};
        return year || month;
    }
    if (value->kind != VALUE_TEXT || value->text.size < 3 ||
        value->text.size > TEXT_MOST || memchr(value->text.data, 0, value->text.size)) {
        return false;
    }
    memcpy(text, value->text.data, value->text.size);
    text[value->text.size] = '\0';
    return read_text(text, value->text.size, true, out) &&
           (years || out->kind != PERIOD_YEAR);
}

int period_compare(const struct period *a, const struct period *b)
{
    int differences[] = {a->year - b->year, a->part - b->part, a->day - b->day,
                         a->minute - b->minute};
    for (size_t i = 0; i < 4; i++) {
        if (differences[i]) {
            return differences[i];
        }
    }
    return 0;
}

void period_widen(struct period *period, enum period_kind kind)
{
    period->kind = kind;
    period->minute = kind == PERIOD_MOMENT ? period->minute : 0;
    period->day = kind <= PERIOD_MONTH ? 1 : period->day;
    period->part = kind == PERIOD_YEAR ? 1 : period->part;
}

int period_apart(const struct period *from, const struct period *to)
{
    static const int parts[] = {
        [PERIOD_YEAR] = 1,        [PERIOD_QUARTER] = 4, [PERIOD_MONTH] = 12,
        [PERIOD_MONTH_NAME] = 12, [PERIOD_NONE] = 0,
    };
    int years = (to->year - from->year) * parts[from->kind];
    return parts[from->kind] > 1 ? years + to->part - from->part : years;
}

bool period_holds(const struct period *period, const char *day)
{
    struct period now;
    if (strlen(day) != 10 || !read_text(day, 10, false, &now)) {
        return false;
    }
    int quarter = (now.part + 2) / 3;
    switch (period->kind) {
    case PERIOD_YEAR:
        return period->year == now.year;
    case PERIOD_QUARTER:
        return period->year == now.year && period->part == quarter;
    case PERIOD_MONTH:
        return period->year == now.year && period->part == now.part;
    case PERIOD_DAY:
        return period_compare(period, &now) == 0;
    default:
        return false;
    }
}

bool period_is_after(const struct period *period, const char *day)
{
    struct period now;
    bool named = period->kind == PERIOD_MONTH_NAME || period->kind == PERIOD_NONE;
    if (named || strlen(day) != 10 || !read_text(day, 10, false, &now) ||
        period->year != now.year) {
        return !named && strlen(day) == 10 && period->year > now.year;
    }
    if (period->kind == PERIOD_QUARTER) {
        return period->part > (now.part + 2) / 3;
    }
    int months = period->part - now.part;
    bool days = period->kind == PERIOD_DAY || period->kind == PERIOD_MOMENT;
    return period->kind != PERIOD_YEAR &&
           (months > 0 || (days && months == 0 && period->day > now.day));
}

bool period_of_span(const char *from, const char *until, struct period *out)
{
    struct period end;
    if (strlen(from) != 10 || strlen(until) != 10 || !read_text(from, 10, false, out) ||
        !read_text(until, 10, false, &end)) {
        return false;
    }
    int months = (end.year - out->year) * 12 + end.part - out->part;
    bool whole = out->day == 1 && end.day == 1;
    if (whole && months == 12 && out->part == 1) {
        out->kind = PERIOD_YEAR;
    } else if (whole && months == 3 && out->part % 3 == 1) {
        out->kind = PERIOD_QUARTER;
        out->part = (out->part + 2) / 3;
    } else if (whole && months == 1) {
        out->kind = PERIOD_MONTH;
    } else {
        return months == 0 && end.day == out->day + 1;
    }
    return true;
}

const char *period_text(const struct telling *telling, const struct period *period,
                        bool in)
{
    struct arena *arena = telling->arena;
    int month = period->kind == PERIOD_QUARTER ? 1 : period->part;
    int day = period->kind == PERIOD_QUARTER ? period->part : period->day;
    struct slots slots = {
        .texts = {[SLOT_YEAR] = arena_format(arena, "%d", period->year),
                  [SLOT_MONTH] = telling->language->months[month - 1],
                  [SLOT_DAY] = arena_format(arena, "%d", day),
                  [SLOT_CLOCK] = arena_format(arena, "%02d:%02d", period->minute / 60,
                                              period->minute % 60)}};
    enum phrase first = in ? PHRASE_IN_YEAR : PHRASE_YEAR;
    return say_text(telling, (enum phrase)((int)first + (int)period->kind), &slots);
}
