/*
 * Medians, percentiles and deviations for weights that have not learnt these words: the question is read
 * as one about the average, and the average in what comes out is exchanged.
 */
#ifndef DGM_PARSER_STATISTIC_H
#define DGM_PARSER_STATISTIC_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/ir/ir.h"

struct arena;
struct ir_schema;
struct tokens;

/* What stands for the average. */
struct statistic {
    enum ir_keyword word; /* IR_PAD: nothing does */
    const char *percent;  /* of a percentile: "90" */
};

/* The question about the average, in the arena; NULL if it asks for no such figure, for several, or if a name of
 * the schema has the word. words: of the question; keywords: how many the weights know. */
const char *statistic_as_average(struct arena *arena, const struct ir_schema *schema,
                                 const struct tokens *words, size_t keywords,
                                 struct statistic *out);
/* Puts the figure in the place of each average. percent: the number of its value. False: there is no average, or
 * none that can be exchanged. */
bool statistic_put(struct arena *arena, const struct statistic *statistic, int percent,
                   struct ir_tokens *tokens);

#endif
