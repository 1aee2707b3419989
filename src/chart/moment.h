/* Points in time on an axis: days since 1970, and how they are written. */
#ifndef DGM_CHART_MOMENT_H
#define DGM_CHART_MOMENT_H

#include "base/arena.h"
#include "chart/draw.h"

/* Days since 1970 of a text from chart_time(); false if it is no date. */
bool moment_read(const char *time, double *days);
/* "2025", "Dec 2025", "31 Dec 2025", "31 Dec 2025 14:30" of the same texts. */
const char *moment_words(struct arena *arena, const struct draw_words *words,
                         const char *time);

enum moment_unit { MOMENT_YEARS, MOMENT_MONTHS, MOMENT_DAYS, MOMENT_HOURS };

struct moment_ticks {
    enum moment_unit unit;
    int step;
};

/* Ticks for this span, at most about `most` of them. */
struct moment_ticks moment_ticks(double first, double last, int most);
/* The first tick that is not before `day`, or the next one after `tick`. */
double moment_tick_first(const struct moment_ticks *ticks, double day);
double moment_tick_next(const struct moment_ticks *ticks, double tick);
const char *moment_tick_words(struct arena *arena, const struct draw_words *words,
                              const struct moment_ticks *ticks, double tick);

#endif
