/* What is left of a period: "visits left this month", "the rest of the year". */
#ifndef DGM_PARSER_REST_H
#define DGM_PARSER_REST_H

#include <stdbool.h>
#include <stddef.h>

struct tokens;

/* Does a word here say that something is left: "are left", "remaining", "rest of"? Employees who
 * "left" are gone, and what "remains open" is open. */
bool rest_at(const struct tokens *words, size_t at);
/* "Employees who left this year", "visits left this month": gone, or left. */
bool rest_has_left(const struct tokens *words, size_t at);
/* Is it said of a period? The period follows, or was named before the end of the question. */
bool rest_of_period(const struct tokens *words);

#endif
