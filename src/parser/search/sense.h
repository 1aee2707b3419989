/*
 * What can be meant in one way only: a time that passed is averaged unless a total is
 * asked for, growth goes from the earlier period to the later one, what was not seen
 * since March was seen before it, and months of 2024 are months of the date that is in
 * 2024.
 */
#ifndef DGM_PARSER_SENSE_H
#define DGM_PARSER_SENSE_H

#include "parser/ir/ir.h"

struct ir_schema;

void sense_settle(const struct ir_schema *schema, const char *question,
                  const struct ir_values *values, struct ir_tokens *tokens);

/* The part of it about slow and fast: where a time that was taken is compared or sorted by,
 * the slowest has the most of it. */
void sense_speed(const struct ir_schema *schema, const char *question,
                 struct ir_tokens *tokens);

#endif
