/* Points in time: from texts to days, and ticks at the beginnings of periods. */
#include "chart/moment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { SHORT_MONTH = 3 };

struct civil {
    int year;
    int month; /* 1 to 12 */
    int day;
};

/* Days since 1970 in the Gregorian calendar. */
static double days_of(int year, int month, int day)
{
    int y = month <= 2 ? year - 1 : year;
    int era = (y >= 0 ? y : y - 399) / 400;
    int of_era = y - era * 400;
    int of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return (double)era * 146097 + days - 719468;
}

static struct civil civil_of(double days)
{
    long z = (long)floor(days) + 719468;
    long era = (z >= 0 ? z : z - 146096) / 146097;
    long of_era = z - era * 146097;
    long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long of_year = of_era - (365 * year + year / 4 - year / 100);
    long month = (5 * of_year + 2) / 153;
    struct civil out = {.day = (int)(of_year - (153 * month + 2) / 5 + 1),
                        .month = (int)(month < 10 ? month + 3 : month - 9)};
    out.year = (int)(year + era * 400) + (out.month <= 2 ? 1 : 0);
    return out;
}

static int number_at(const char *text, size_t at, size_t size)
{
    int number = 0;
    for (size_t i = at; i < at + size; i++) {
        number = number * 10 + (text[i] >= '0' && text[i] <= '9' ? text[i] - '0' : 0);
    }
    return number;
}

static struct civil civil_read(const char *time, size_t size)
{
    return (struct civil){.year = number_at(time, 0, 4),
                          .month = size >= 7 ? number_at(time, 5, 2) : 1,
                          .day = size >= 10 ? number_at(time, 8, 2) : 1};
}

bool moment_read(const char *time, double *days)
{
    size_t size = strlen(time);
    if (size < 4) {
        return false;
    }
    struct civil civil = civil_read(time, size);
    *days = days_of(civil.year, civil.month, civil.day);
    if (size >= 16) {
        int seconds = size >= 19 ? number_at(time, 17, 2) : 0;
        *days += (number_at(time, 11, 2) * 3600 + number_at(time, 14, 2) * 60 + seconds) /
                 86400.0;
    }
    return civil.month >= 1 && civil.month <= 12 && civil.day >= 1 && civil.day <= 31;
}

static const char *month_of(struct arena *arena, const struct draw_words *words,
                            int month)
{
    const char *name = words->months[month >= 1 && month <= DRAW_MONTHS ? month - 1 : 0];
    size_t size = strlen(name);
    size_t at = 0;
    uint32_t code = 0;
    for (int i = 0; i < SHORT_MONTH && at < size; i++) {
        at += utf8_next(name + at, size - at, &code);
    }
    return arena_copy(arena, name, at);
}

const char *moment_words(struct arena *arena, const struct draw_words *words,
                         const char *time)
{
    double days = 0;
    size_t size = strlen(time);
    if (size < 7 || !moment_read(time, &days)) {
        return arena_text(arena, time);
    }
    struct civil civil = civil_read(time, size);
    const char *month = month_of(arena, words, civil.month);
    if (size < 10) {
        return arena_format(arena, "%s %d", month, civil.year);
    }
    bool clock = size >= 16 && memcmp(time + 11, "00:00", 5) != 0;
    return arena_format(arena, "%d %s %d%s%.*s", civil.day, month, civil.year,
                        clock ? " " : "", clock ? 5 : 0, time + (clock ? 11 : 0));
}

struct moment_ticks moment_ticks(double first, double last, int most)
{
    static const struct row {
        double days;
        struct moment_ticks ticks;
    } rows[] = {
        {1 / 24.0, {MOMENT_HOURS, 1}}, {3 / 24.0, {MOMENT_HOURS, 3}},
        {6 / 24.0, {MOMENT_HOURS, 6}}, {1, {MOMENT_DAYS, 1}},
        {2, {MOMENT_DAYS, 2}},         {7, {MOMENT_DAYS, 7}},
        {14, {MOMENT_DAYS, 14}},       {30.4, {MOMENT_MONTHS, 1}},
        {60.8, {MOMENT_MONTHS, 2}},    {91.3, {MOMENT_MONTHS, 3}},
        {182.6, {MOMENT_MONTHS, 6}},   {365.2, {MOMENT_YEARS, 1}},
        {730.5, {MOMENT_YEARS, 2}},    {1826.2, {MOMENT_YEARS, 5}},
        {3652.5, {MOMENT_YEARS, 10}},  {7305, {MOMENT_YEARS, 20}},
        {18262, {MOMENT_YEARS, 50}},   {36525, {MOMENT_YEARS, 100}},
        {182625, {MOMENT_YEARS, 500}},
    };
    size_t at = 0;
    while (at + 1 < sizeof rows / sizeof *rows && (last - first) / rows[at].days > most) {
        at++;
    }
    return rows[at].ticks;
}

double moment_tick_first(const struct moment_ticks *ticks, double day)
{
    struct civil civil = civil_of(day);
    double tick = 0;
    switch (ticks->unit) {
    case MOMENT_HOURS:
        return ceil(day * 24 / ticks->step - 1e-6) * ticks->step / 24;
    case MOMENT_DAYS:
        return ceil(day - 1e-9);
    case MOMENT_MONTHS:
        tick = days_of(civil.year, (civil.month - 1) / ticks->step * ticks->step + 1, 1);
        break;
    default:
        tick = days_of(civil.year / ticks->step * ticks->step, 1, 1);
        break;
    }
    return tick < day ? moment_tick_next(ticks, tick) : tick;
}

double moment_tick_next(const struct moment_ticks *ticks, double tick)
{
    struct civil civil = civil_of(tick + 1e-6);
    switch (ticks->unit) {
    case MOMENT_HOURS:
        return tick + ticks->step / 24.0;
    case MOMENT_DAYS:
        return tick + ticks->step;
    case MOMENT_MONTHS:
        civil.month += ticks->step;
        return civil.month > 12 ? days_of(civil.year + 1, civil.month - 12, 1)
                                : days_of(civil.year, civil.month, 1);
    default:
        return days_of(civil.year + ticks->step, 1, 1);
    }
}

const char *moment_tick_words(struct arena *arena, const struct draw_words *words,
                              const struct moment_ticks *ticks, double tick)
{
    struct civil civil = civil_of(tick + 1e-6);
    int minutes = (int)lround((tick - floor(tick + 1e-6)) * 1440);
    const char *month = month_of(arena, words, civil.month);
    switch (ticks->unit) {
    case MOMENT_HOURS:
        return minutes ? arena_format(arena, "%02d:%02d", minutes / 60, minutes % 60)
                       : arena_format(arena, "%d %s", civil.day, month);
    case MOMENT_DAYS:
        return arena_format(arena, "%d %s", civil.day, month);
    case MOMENT_MONTHS:
        return arena_format(arena, "%s %d", month, civil.year);
    default:
        return arena_format(arena, "%d", civil.year);
    }
}
