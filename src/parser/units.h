/*
 * Units of time: a column that holds seconds, asked for in minutes, is divided by sixty,
 * and one that is asked for in its own unit is left alone, whatever the network made of
 * it.
 */
#ifndef DGM_PARSER_UNITS_H
#define DGM_PARSER_UNITS_H

#include "parser/ir.h"

struct ir_schema;

/* Puts conversions right where the question names one unit and the column's name another
 * or the same. Tokens are of the whole schema. */
void units_settle(const struct ir_schema *schema, const char *question,
                  struct ir_tokens *tokens);

#endif
