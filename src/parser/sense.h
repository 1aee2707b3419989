/*
 * What can be meant in one way only: a time that passed is averaged unless a total is
 * asked for, and growth goes from the earlier period to the later one.
 */
#ifndef DGM_PARSER_SENSE_H
#define DGM_PARSER_SENSE_H

#include "parser/ir.h"

void sense_settle(const char *question, const struct ir_values *values,
                  struct ir_tokens *tokens);

#endif
