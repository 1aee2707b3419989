/* What the shape of a query cannot tell: are the things it points at there? */
#ifndef DGM_PARSER_IR_CHECK_H
#define DGM_PARSER_IR_CHECK_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct ir_query;
struct ir_schema;
struct ir_tokens;

bool ir_check_indices(const struct ir_tokens *tokens, const struct ir_schema *schema,
                      size_t value_count, struct err *err);
bool ir_check_query(struct ir_query *query, const struct ir_schema *schema,
                    struct err *err);

#endif
