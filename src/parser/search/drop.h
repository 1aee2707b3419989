/*
 * Leaves candidates out that cannot be meant, such as the difference of two figures as a set, or a
 * count where rows are asked for. If nothing else would be left, they stay.
 */
#ifndef DGM_PARSER_DROP_H
#define DGM_PARSER_DROP_H

#include "parser/search/beam.h"

struct ir_schema;
struct tokens;

void drop_senseless(const struct ir_schema *schema, struct beam_candidates *candidates);
/* "List only open orders" asks for rows: counts of a table become its rows, others are left
 * out. */
void drop_counts(const struct tokens *words, struct beam_candidates *candidates);

#endif
