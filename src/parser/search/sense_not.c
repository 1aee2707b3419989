/* "Not in 2024", "not between 5 and 10": the network reads the range and ignores the
 * "not". */
#include "parser/search/sense.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/words/tokens.h"

enum {
    WORDS_BETWEEN = 4
}; /* "not" and what it denies: "did not join the club in 2023" */

#define IS_AMONG(text, words)                                                            \
    str_is_among((text), (words), sizeof(words) / sizeof *(words))

static bool is_not(const struct tokens *tokens, size_t at)
{
    static const char *const words[] = {"not",   "didnt",  "wasnt", "werent", "isnt",
                                        "arent", "doesnt", "dont",  "hasnt",  "havent"};
    const struct token *token = &tokens->items[at];
    bool contracted =
        strcmp(token->text, "t") == 0 && at >= 2 && strcmp(token[-1].text, "'") == 0;
    return !token->quoted && (contracted || IS_AMONG(token->text, words));
}

static bool begins_period(const struct tokens *tokens, size_t at)
{
    static const char *const prepositions[] = {"in",   "during", "on",
                                               "from", "within", "for"};
    static const char *const months[] = {
        "january", "february",  "march",   "april",    "may",      "june", "july",
        "august",  "september", "october", "november", "december", "last", "this",
        "the",     "q1",        "q2",      "q3",       "q4"};
    const struct token *next = at + 1 < tokens->count ? &tokens->items[at + 1] : NULL;
    return next && IS_AMONG(tokens->items[at].text, prepositions) &&
           (next->kind == TOKEN_NUMBER || IS_AMONG(next->text, months));
}

/* Does the question deny a period (or a range) directly? "Not only in", "not before" do not. */
static bool denies(const struct tokens *words, bool range)
{
    static const char *const others[] = {"only",  "just",  "or",  "before",
                                         "after", "since", "and", "but",
                                         "until", "than",  "yet", "where"};
    for (size_t i = 0; i < words->count; i++) {
        for (size_t k = i + 1;
             is_not(words, i) && k < words->count && k <= i + 1 + WORDS_BETWEEN &&
             !IS_AMONG(words->items[k].text, others);
             k++) {
            if (range ? strcmp(words->items[k].text, "between") == 0
                      : begins_period(words, k)) {
                return true;
            }
        }
    }
    return false;
}

static bool ends_predicate(struct ir_token token)
{
    static const enum ir_keyword words[] = {
        IR_WHERE,       IR_HAVING, IR_AND,       IR_OR,    IR_BRACKET,
        IR_BRACKET_END, IR_GROUP,  IR_ORDER,     IR_LIMIT, IR_LIMIT1,
        IR_OPEN,        IR_CLOSE,  IR_INTERSECT, IR_UNION, IR_EXCEPT};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ir_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

/* `c during v` becomes `not [ c during v ]`. */
static void deny(struct arena *arena, size_t at, struct ir_tokens *tokens)
{
    struct ir_tokens out = {0};
    size_t first = at;
    size_t end = at;
    while (first > 0 && !ends_predicate(tokens->items[first - 1])) {
        first--;
    }
    while (end < tokens->count && !ends_predicate(tokens->items[end])) {
        end++;
    }
    bool inside = first > 0 && (ir_is(tokens->items[first - 1], IR_WHERE) ||
                                ir_is(tokens->items[first - 1], IR_AND) ||
                                ir_is(tokens->items[first - 1], IR_BRACKET));
    if (!inside) {
        return;
    }
    for (size_t i = 0; i < tokens->count; i++) {
        if (i == first) {
            VEC_PUSH(arena, &out, ir_word(IR_NOT));
            VEC_PUSH(arena, &out, ir_word(IR_BRACKET));
        }
        VEC_PUSH(arena, &out, tokens->items[i]);
        if (i + 1 == end) {
            VEC_PUSH(arena, &out, ir_word(IR_BRACKET_END));
        }
    }
    *tokens = out;
}

void sense_not(struct arena *arena, const struct tokens *words, struct ir_tokens *tokens)
{
    size_t during = sense_only_place(tokens, IR_DURING);
    size_t between = sense_only_place(tokens, IR_BETWEEN);
    size_t at = during && !between ? during : between && !during ? between : 0;
    if (at && !sense_has_denial(tokens) && denies(words, between != 0)) {
        deny(arena, at, tokens);
    }
}
