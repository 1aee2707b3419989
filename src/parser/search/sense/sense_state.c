/* "Expired subscriptions" have a day of cancellation, and "incomplete" ones are not completed: the network
 * often writes the opposite. */
#include "parser/search/sense/sense.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/ir/ir_key_words.h"
#include "parser/ir/ir_schema.h"
#include "parser/words/states.h"
#include "parser/words/tokens.h"

static struct ir_token *next_comparison(const struct ir_tokens *tokens, size_t *at)
{
    for (; *at + 2 < tokens->count; ++*at) {
        if (tokens->items[*at].kind == IR_COLUMN && tokens->items[*at].index > 0 &&
            ir_is(tokens->items[*at + 1], IR_EQUAL) &&
            tokens->items[*at + 2].kind == IR_VALUE) {
            return &tokens->items[(*at)++];
        }
    }
    return NULL;
}

/* `status = "completed"` for "incomplete" ones. */
static void turn_prefixed(const struct ir_values *values, const struct tokens *words,
                          struct ir_tokens *tokens)
{
    struct ir_token *column = NULL;
    for (size_t at = 0; (column = next_comparison(tokens, &at));) {
        size_t value = (size_t)column[2].index;
        for (size_t i = 0; value < values->count && i < words->count; i++) {
            const char *base = states_denied(words->items[i].text);
            if (base && !words->items[i].quoted &&
                states_same(base, values->items[value].text)) {
                column[1] = ir_word(IR_UNEQUAL);
                break;
            }
        }
    }
}

/* The only column of an end that is tested to be there or not; its sign. 0: none. */
static size_t end_tested(const struct ir_schema *schema, const struct ir_tokens *tokens)
{
    size_t found = 0;
    for (size_t i = 1; i < tokens->count; i++) {
        struct ir_token column = tokens->items[i - 1];
        bool tested =
            ir_is(tokens->items[i], IR_IS_NULL) || ir_is(tokens->items[i], IR_NOT_NULL);
        if (tested && column.kind == IR_COLUMN && column.index > 0 &&
            states_is_end(schema->columns[column.index].name)) {
            if (found) {
                return 0;
            }
            found = i;
        }
    }
    return found;
}

/* "expired subscriptions in 2025" expired in 2025: no other date is named. */
static void move_period(const struct ir_schema *schema, const char *question, int end,
                        struct ir_tokens *tokens)
{
    size_t during = sense_only_place(tokens, IR_DURING);
    struct ir_token *date = during ? &tokens->items[during - 1] : NULL;
    if (date && date->kind == IR_COLUMN && date->index > 0 && date->index != end &&
        schema->columns[date->index].table == schema->columns[end].table &&
        schema->columns[end].type == schema->columns[date->index].type &&
        !ir_key_is_named(schema, question, date->index)) {
        date->index = end;
    }
}

void sense_state(const struct ir_schema *schema, const char *question,
                 const struct tokens *words, const struct ir_values *values,
                 struct ir_tokens *tokens)
{
    turn_prefixed(values, words, tokens);
    enum state state = states_of(words);
    size_t sign = state ? end_tested(schema, tokens) : 0;
    if (!sign) {
        return;
    }
    bool ended = state == STATE_ENDED;
    tokens->items[sign] = ir_word(ended ? IR_NOT_NULL : IR_IS_NULL);
    if (ended) {
        move_period(schema, question, tokens->items[sign - 1].index, tokens);
    }
}
