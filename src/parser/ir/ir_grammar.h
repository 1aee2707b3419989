/*
 * What may follow what: a push-down automaton over IR tokens, small enough to be copied
 * for every hypothesis of a beam. Whatever it accepts to the end has a sound shape;
 * ir_check looks at the rest (columns of tables that are there, items that are selected).
 */
#ifndef DGM_PARSER_IR_GRAMMAR_H
#define DGM_PARSER_IR_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/ir/ir.h"

/* The kinds of pointers, as places after the keywords in a set of next tokens. */
enum ir_class {
    IR_CLASS_FIXED = IR_KEYWORD_COUNT,
    IR_CLASS_VALUE,
    IR_CLASS_TABLE,
    IR_CLASS_COLUMN, /* any but `*` */
    IR_CLASS_STAR,
    IR_CLASS_COUNT
};

enum { IR_STACK_MAX = 120 };

struct ir_state {
    uint8_t stack[IR_STACK_MAX];
    uint8_t depth;
    uint8_t nested; /* queries open */
    uint8_t length; /* tokens so far */
    bool done;
    bool failed;
};

struct ir_set {
    uint64_t bits[3];
};

void ir_state_init(struct ir_state *state);
/* Which tokens may come next. IR_END is in it when the query may end here. */
void ir_state_allowed(const struct ir_state *state, struct ir_set *set);
bool ir_set_has(const struct ir_set *set, int place);
int ir_class_of(struct ir_token token); /* its place in a set */
/* Takes one token (IR_END ends it). False, and for ever, when it may not come next. */
bool ir_state_take(struct ir_state *state, struct ir_token token);
/* Would the next token, if it begins an expression, be the whole of an item that the outermost query
 * shows? */
bool ir_state_at_item(const struct ir_state *state);
bool ir_state_done(const struct ir_state *state); /* IR_END was taken */

struct ir_schema;
struct err;
/* The whole check of a finished query: shape, indices in range, meaning. */
bool ir_check(const struct ir_tokens *tokens, const struct ir_schema *schema,
              size_t value_count, struct err *err);

#endif
