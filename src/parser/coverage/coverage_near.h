/* What a word without a place may have meant. */
#ifndef DGM_PARSER_COVERAGE_NEAR_H
#define DGM_PARSER_COVERAGE_NEAR_H

#include "parser/coverage/coverage_state.h"

/* Fills table, column and nearest: the values that a column of the query's tables can have, or for
 * what is counted the tables that there are. */
void coverage_near(struct arena *arena, const struct coverage_request *request,
                   const struct coverage_use *use, struct coverage_word *word);

#endif
