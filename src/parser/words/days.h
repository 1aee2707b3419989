/*
 * Days counted from today: "tomorrow", "the day before yesterday". The network knows today and
 * yesterday alone: the question is read as one about today, and the day in what comes out is
 * moved.
 */
#ifndef DGM_PARSER_DAYS_H
#define DGM_PARSER_DAYS_H

#include <stddef.h>

struct arena;
struct tokens;

/* The question about today, in the arena, and how many days later is meant; NULL if it names no
 * such day, or several. */
const char *days_as_today(struct arena *arena, const struct tokens *words, int *days);
/* The question about the date itself, counted from `today`: in a conversation, "today" would
 * be the day that was spoken of. NULL likewise. */
const char *days_as_date(struct arena *arena, const struct tokens *words,
                         const char *today);

#endif
