/* "Which city has the most pets per owner": a thing, what is counted or measured of it, and what
 * that is divided by. */
#ifndef DGM_PARSER_MOST_PER_H
#define DGM_PARSER_MOST_PER_H

#include <stdbool.h>
#include <stddef.h>

struct tokens;

struct most_per {
    size_t thing; /* the places of the words */
    size_t unit;
};

bool most_per_read(const struct tokens *words, struct most_per *out);

#endif
