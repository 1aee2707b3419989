/* SQL as people write it into IR: how training data and earlier answers become targets.
 */
#ifndef DGM_PARSER_SQL_TO_IR_H
#define DGM_PARSER_SQL_TO_IR_H

#include <stdbool.h>

#include "parser/ir/ir.h"
#include "sql/dialect.h"

struct arena;
struct err;
struct ir_schema;

struct sql_to_ir_request {
    const struct ir_schema *schema;
    enum dialect dialect;
    const char *question; /* as in rebuild_request; may be NULL */
    const char *today;    /* what date('now') stands for; may be NULL */
    /* The token a literal stands for: IR_VALUE, IR_FIXED, or IR_FIXED_UNKNOWN when there
     * is none. Periods are asked for as ir.h writes them (2024-03). */
    struct ir_token (*find_value)(void *context, const char *literal, bool is_text);
    void *context;
};

struct sql_to_ir_result {
    struct ir_tokens tokens;
    bool value_missing; /* some literal is IR_FIXED_UNKNOWN */
};

/* False with a reason when the SQL says what the IR cannot. */
bool sql_to_ir(struct arena *arena, const struct sql_to_ir_request *request,
               const char *sql, struct sql_to_ir_result *result, struct err *err);

#endif
