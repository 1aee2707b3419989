/* Literals of the query before keep their tests: an end is written again as the same end. */
#include "parser/search/kept.h"

#include "base/arena.h"
#include "base/vec.h"
#include "parser/values/values.h"

enum side { SIDE_NONE, SIDE_BEGIN, SIDE_END };

static enum side side_of(struct ir_token token)
{
    static const struct {
        enum ir_keyword keyword;
        enum side side;
    } rows[] = {
        {IR_SINCE, SIDE_BEGIN},    {IR_AFTER, SIDE_BEGIN}, {IR_GREATER, SIDE_BEGIN},
        {IR_AT_LEAST, SIDE_BEGIN}, {IR_BEFORE, SIDE_END},  {IR_UNTIL, SIDE_END},
        {IR_LESS, SIDE_END},       {IR_AT_MOST, SIDE_END},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (ir_is(token, rows[i].keyword)) {
            return rows[i].side;
        }
    }
    return SIDE_NONE;
}

static bool is_value(const struct ir_tokens *tokens, size_t at, int value)
{
    return at < tokens->count && tokens->items[at].kind == IR_VALUE &&
           tokens->items[at].index == value;
}

/* How the literal was compared on this side; `other` when it was not, or in several ways. */
static enum ir_keyword test_before(const struct ir_tokens *before, int value,
                                   enum side side, enum ir_keyword other)
{
    enum ir_keyword found = IR_PAD;
    for (size_t i = 0; i < before->count; i++) {
        enum ir_keyword test = IR_PAD;
        struct ir_token token = before->items[i];
        if (side_of(token) == side && is_value(before, i + 1, value)) {
            test = (enum ir_keyword)token.index;
        } else if (ir_is(token, IR_BETWEEN) &&
                   is_value(before, i + (side == SIDE_BEGIN ? 1 : 2), value)) {
            test = side == SIDE_BEGIN ? IR_AT_LEAST : IR_AT_MOST;
        }
        if (test != IR_PAD && found != IR_PAD && found != test) {
            return other;
        }
        found = test != IR_PAD ? test : found;
    }
    return found != IR_PAD ? found : other;
}

/* Is this a literal of the query before that no word of the question names? */
static bool is_from_before(const struct candidates *values,
                           const struct ir_tokens *tokens, size_t at)
{
    return at < tokens->count && tokens->items[at].kind == IR_VALUE &&
           tokens->items[at].index >= 0 &&
           (size_t)tokens->items[at].index < values->count &&
           values->items[tokens->items[at].index].kind == CANDIDATE_BEFORE;
}

/* `C between V V` where the end was exclusive: two tests. */
static bool split_between(struct arena *arena, const struct ir_tokens *before,
                          const struct candidates *values, const struct ir_tokens *tokens,
                          size_t at, struct ir_tokens *out)
{
    if (!at || tokens->items[at - 1].kind != IR_COLUMN ||
        !is_from_before(values, tokens, at + 1) ||
        !is_from_before(values, tokens, at + 2)) {
        return false;
    }
    enum ir_keyword from =
        test_before(before, tokens->items[at + 1].index, SIDE_BEGIN, IR_AT_LEAST);
    enum ir_keyword to =
        test_before(before, tokens->items[at + 2].index, SIDE_END, IR_AT_MOST);
    if (from == IR_AT_LEAST && to == IR_AT_MOST) {
        return false;
    }
    bool second = at > 1 && ir_is(tokens->items[at - 2], IR_SECOND);
    VEC_PUSH(arena, out, ir_word(from));
    VEC_PUSH(arena, out, tokens->items[at + 1]);
    VEC_PUSH(arena, out, ir_word(IR_AND));
    if (second) {
        VEC_PUSH(arena, out, tokens->items[at - 2]);
    }
    VEC_PUSH(arena, out, tokens->items[at - 1]);
    VEC_PUSH(arena, out, ir_word(to));
    VEC_PUSH(arena, out, tokens->items[at + 2]);
    return true;
}

void kept_tests(struct arena *arena, const struct ir_tokens *before,
                const struct candidates *values, struct ir_tokens *tokens)
{
    struct ir_tokens out = {0};
    if (!before->count) {
        return;
    }
    for (size_t i = 0; i < tokens->count; i++) {
        struct ir_token token = tokens->items[i];
        enum side side = side_of(token);
        if (ir_is(token, IR_BETWEEN) &&
            split_between(arena, before, values, tokens, i, &out)) {
            i += 2;
            continue;
        }
        if (side != SIDE_NONE && is_from_before(values, tokens, i + 1)) {
            token = ir_word(test_before(before, tokens->items[i + 1].index, side,
                                        (enum ir_keyword)token.index));
        }
        VEC_PUSH(arena, &out, token);
    }
    if (out.count <= IR_TOKENS_MAX) {
        *tokens = out;
    }
}
