/*
 * Converts units: seconds asked for in minutes are divided by sixty, a column asked for
 * in its own unit is not converted, whatever the network generated, and 20 compared with
 * a column of cents means 20 euros. Durations between dates get the unit asked for.
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
