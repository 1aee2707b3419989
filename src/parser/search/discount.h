/* Discounts in a query that multiplies by hand. */
#ifndef DGM_PARSER_DISCOUNT_H
#define DGM_PARSER_DISCOUNT_H

struct arena;
struct ir_schema;
struct ir_tokens;

/* "Before discount" takes none off; a discount in percent is divided by 100 before it is
 * taken from 1. */
void discount_mend(struct arena *arena, const struct ir_schema *ir, const char *question,
                   struct ir_tokens *tokens);

#endif
