/*
 * Things that are amounts of money by their name. "Total expenses" and "expenses per month" mean
 * what they cost together, "how many expenses" their number. Payments and invoices are papers
 * and acts, too: of those "total invoices" is a sum, and of payments also "payments per month".
 */
#ifndef DGM_PARSER_MONEY_H
#define DGM_PARSER_MONEY_H

#include <stddef.h>

struct tokens;

enum money_meaning {
    MONEY_NOT_MEANT, /* no such word, or their number is asked for */
    MONEY_SUMMED,
    MONEY_SUMMED_BY_CUSTOM, /* usually meant, but their number could be */
};

/* What the word here says about the things it names. */
enum money_meaning money_meaning(const struct tokens *words, size_t at);

#endif
