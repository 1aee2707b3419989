/*
 * Units: a column that holds seconds, asked for in minutes, is divided by sixty, one that
 * is asked for in its own unit is left alone, whatever the network made of it, and 20
 * beside a column of cents are 20 euros. Times between two dates are in the unit asked
 * for.
 */
#ifndef DGM_PARSER_UNITS_H
#define DGM_PARSER_UNITS_H

#include "parser/ir/ir.h"

struct arena;
struct ir_schema;

/* Puts conversions right, and in where they are missing, by what the question and the
 * names of columns say. Tokens are of the whole schema. */
void units_settle(struct arena *arena, const struct ir_schema *schema,
                  const char *question, struct ir_tokens *tokens);

#endif
