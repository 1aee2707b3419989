/* Time. Durations use the monotonic clock; dates shown to people use the wall clock. */
#ifndef DGM_BASE_CLOCK_H
#define DGM_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

int64_t clock_ms(void);     /* monotonic */
int64_t clock_us(void);     /* monotonic */
int64_t clock_wall_s(void); /* seconds since 1970, UTC */
int64_t clock_wall_ms(void);
/* clock_ms() >= at_ms; five times as fast while the time is far away, for checks in
 * loops. */
bool clock_passed(int64_t at_ms);

/* "2026-11-15T04:20:00Z" */
char *clock_iso(struct arena *arena, int64_t wall_s);
/* "2026-11-15" in the named time zone ("" or NULL: the machine's own). */
char *clock_date(struct arena *arena, int64_t wall_s, const char *zone);
/* Does the text begin with a date, as in "2026-11-15 04:20"? */
bool clock_begins_with_date(const char *text);

#endif
