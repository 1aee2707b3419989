/*
 * Yes and no as a column has them: 1 and 0 where it holds numbers, Y and N where it holds
 * those, whatever the network wrote. A comparison with any other word finds nothing.
 */
#ifndef DGM_PARSER_FLAGS_H
#define DGM_PARSER_FLAGS_H

#include "parser/ir/ir.h"

struct ir_schema;

/* Tokens are of the whole schema. */
void flags_settle(const struct ir_schema *schema, struct ir_tokens *tokens);

#endif
