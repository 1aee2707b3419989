/*
 * Corrects boolean values to the form of the column: 1 and 0, Y and N, and so on,
 * whatever the network generated. A comparison with another form would find nothing.
 */
#ifndef DGM_PARSER_FLAGS_H
#define DGM_PARSER_FLAGS_H

#include "parser/ir/ir.h"

struct ir_schema;

/* Tokens are of the whole schema. */
void flags_settle(const struct ir_schema *schema, struct ir_tokens *tokens);

#endif
