/*
 * Adds candidates by small changes of the best ones that correct frequent errors: another
 * of several keys between two tables, or a joined table that is not used. The judge
 * decides whether they are better.
 */
#ifndef DGM_PARSER_VARY_H
#define DGM_PARSER_VARY_H

#include "parser/search/beam.h"

struct ir_schema;
struct tokens;

/* Where a question names one of several keys ("reported by"), it is the one meant; units,
 * growth and the like are put right. words: of the question; values: what tokens point at. */
void settle_candidates(struct arena *arena, const struct ir_schema *schema,
                       const char *question, const struct tokens *words,
                       const struct ir_values *values,
                       struct beam_candidates *candidates);

/* Appends them; tokens are of the whole schema. */
void vary_candidates(struct arena *arena, const struct ir_schema *schema,
                     struct beam_candidates *candidates);

#endif
