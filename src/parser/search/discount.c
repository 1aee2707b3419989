/*
 * Discounts in a query that multiplies by hand: `price * quantity * (1 - discount)`. The network writes that
 * whether the discount is 0.15 or 15, and for a revenue before the discount, too.
 */
#include "parser/search/discount.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/search/metrics.h"

enum { LESS = 3 }; /* tokens of "1 - discount" */

static const char *column_name(const struct ir_schema *ir, struct ir_token token)
{
    return token.kind == IR_COLUMN && token.index > 0 ? ir->columns[token.index].name
                                                      : "";
}

/* Is it "1 - discount" there? */
static bool is_less(const struct ir_schema *ir, const struct ir_tokens *tokens, size_t at)
{
    return at + LESS <= tokens->count && ir_is(tokens->items[at], IR_MINUS) &&
           tokens->items[at + 1].kind == IR_FIXED &&
           tokens->items[at + 1].index == IR_FIXED_ONE &&
           str_contains_nocase(column_name(ir, tokens->items[at + 2]), "disc");
}

/* Where the factor ends that begins there; 0: it is neither a column nor a product. */
static size_t factor_end(const struct ir_schema *ir, const struct ir_tokens *tokens,
                         size_t at)
{
    if (is_less(ir, tokens, at)) {
        return at + LESS;
    }
    if (at < tokens->count && ir_is(tokens->items[at], IR_TIMES)) {
        size_t middle = factor_end(ir, tokens, at + 1);
        return middle ? factor_end(ir, tokens, middle) : 0;
    }
    return at < tokens->count && tokens->items[at].kind == IR_COLUMN ? at + 1 : 0;
}

/* The product and its discount at `less` go; the other factor stays. */
static void drop(bool *dropped, size_t product, size_t less)
{
    dropped[product] = true;
    memset(dropped + less, true, LESS);
}

static bool is_percent(const char *name)
{
    return str_contains_nocase(name, "percent") || str_contains_nocase(name, "pct");
}

void discount_mend(struct arena *arena, const struct ir_schema *ir, const char *question,
                   struct ir_tokens *tokens)
{
    bool whole = metrics_wants_no_discount(question);
    bool *dropped = arena_array(arena, tokens->count + 1, sizeof *dropped);
    struct ir_tokens out = {0};
    bool changed = false;
    for (size_t i = 0; i < tokens->count; i++) {
        size_t middle =
            ir_is(tokens->items[i], IR_TIMES) ? factor_end(ir, tokens, i + 1) : 0;
        if (whole && middle && is_less(ir, tokens, i + 1)) {
            drop(dropped, i, i + 1);
        } else if (whole && middle && is_less(ir, tokens, middle)) {
            drop(dropped, i, middle);
        }
        bool share = !dropped[i] && i >= 2 && is_less(ir, tokens, i - 2) &&
                     is_percent(column_name(ir, tokens->items[i]));
        changed = changed || dropped[i] || share;
        if (share) {
            VEC_PUSH(arena, &out, ir_word(IR_RATIO));
        }
        if (!dropped[i]) {
            VEC_PUSH(arena, &out, tokens->items[i]);
        }
        if (share) {
            struct ir_token hundred = {IR_FIXED, IR_FIXED_HUNDRED};
            VEC_PUSH(arena, &out, hundred);
        }
    }
    if (changed && out.count <= IR_TOKENS_MAX) {
        *tokens = out;
    }
}
