/* Which of the words for yes and no a column has cells of. */
#include "parser/values/flags.h"

#include "base/str.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"

static const struct {
    enum ir_fixed no, yes;
} pairs[] = {
    {IR_FIXED_ZERO, IR_FIXED_ONE},
    {IR_FIXED_FALSE_LETTER, IR_FIXED_TRUE_LETTER},
    {IR_FIXED_NO, IR_FIXED_YES},
    {IR_FIXED_NO_CAPITAL, IR_FIXED_YES_CAPITAL},
    {IR_FIXED_NO_LETTER, IR_FIXED_YES_LETTER},
};

enum { PAIRS = sizeof pairs / sizeof *pairs };

static bool is_cell(const char *cell, enum ir_fixed fixed)
{
    return cell && str_equal(cell, ir_fixed_get((int)fixed)->text);
}

/* The pair that the column's cells are of; PAIRS where that is not known. */
static size_t pair_of(const struct ir_column *column)
{
    if (!column->flag || column->type == IR_TYPE_BOOLEAN || !column->source) {
        return PAIRS; /* every dialect has its own way of comparing booleans */
    }
    const struct texts *samples = &column->source->samples;
    bool all = column->source->samples_all && samples->count == 2;
    for (size_t i = 0; i < PAIRS; i++) {
        if (is_cell(column->source->least, pairs[i].no) &&
            is_cell(column->source->greatest, pairs[i].yes)) {
            return i;
        }
        for (size_t k = 0; all && k < 2; k++) {
            if (is_cell(samples->items[k], pairs[i].no) &&
                is_cell(samples->items[1 - k], pairs[i].yes)) {
                return i;
            }
        }
    }
    return column->integer && !column->source->least ? 0 : PAIRS;
}

void flags_settle(const struct ir_schema *schema, struct ir_tokens *tokens)
{
    for (size_t i = 0; i + 2 < tokens->count; i++) {
        const struct ir_token *left = &tokens->items[i];
        const struct ir_token *sign = &tokens->items[i + 1];
        struct ir_token *right = &tokens->items[i + 2];
        if (left->kind != IR_COLUMN || right->kind != IR_FIXED ||
            !(ir_is(*sign, IR_EQUAL) || ir_is(*sign, IR_UNEQUAL))) {
            continue;
        }
        size_t wanted = pair_of(&schema->columns[left->index]);
        for (size_t k = 0; k < PAIRS && wanted < PAIRS; k++) {
            if (right->index == (int)pairs[k].yes) {
                right->index = (int)pairs[wanted].yes;
                break;
            }
            if (right->index == (int)pairs[k].no) {
                right->index = (int)pairs[wanted].no;
                break;
            }
        }
    }
}
