/* A small shop made by hand, and IR read from text: what the tests of the IR share. */
#ifndef DGM_TESTS_PARSER_IR_SHOP_H
#define DGM_TESTS_PARSER_IR_SHOP_H

#include "parser/ir/ir.h"
#include "sql/dialect.h"

struct arena;
struct schema;
struct ir_schema;
struct sql_statement;

struct ir_shop {
    struct arena *arena;
    struct schema *schema;
    const struct ir_schema *ir;
};

void ir_shop_init(struct ir_shop *shop, enum dialect dialect);
void ir_shop_release(struct ir_shop *shop);
/* SQL of SQLite, read; it lives as long as the shop. */
const struct sql_statement *ir_shop_statement(struct ir_shop *shop, const char *sql);

/* `select orders.id from orders where orders.total > 5 and orders.status = "open"`; `.*`
 * is the star, !1 a fixed literal, anything else a keyword or a table. Aborts the test on
 * words it does not know. */
void ir_shop_read(struct ir_shop *shop, const char *text, struct ir_tokens *tokens,
                  struct ir_values *values);
const char *ir_shop_print(struct ir_shop *shop, const struct ir_tokens *tokens,
                          const struct ir_values *values);

#endif
