/* "Not in 2024", "not between 5 and 10": the network reads the range and ignores the
 * "not". */
#include "parser/search/sense/sense.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/words/tokens.h"

enum {
    WORDS_BETWEEN = 4
}; /* "not" and what it denies: "did not join the club in 2023" */

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

/* What a question denies, and with which words. */
struct denial {
    const struct tokens *tokens;
    size_t at;  /* "not" */
    size_t end; /* the period or the range begins here */
};

/* Does the question deny a period (or a range)? "Not only in", "not before" do not. */
static bool find_denial(const struct tokens *tokens, bool range, struct denial *out)
{
    static const char *const others[] = {"only",  "just",  "or",  "before",
                                         "after", "since", "and", "but",
                                         "until", "than",  "yet", "where"};
    for (size_t i = 0; i < tokens->count; i++) {
        for (size_t k = i + 1;
             is_not(tokens, i) && k < tokens->count && k <= i + 1 + WORDS_BETWEEN &&
             !IS_AMONG(tokens->items[k].text, others);
             k++) {
            if (range ? strcmp(tokens->items[k].text, "between") == 0
                      : begins_period(tokens, k)) {
                *out = (struct denial){tokens, i, k};
                return true;
            }
        }
    }
    return false;
}

/* Is a word between "not" and the period in this text, or the text itself? */
static bool is_denied(const struct denial *denial, const char *text, bool whole)
{
    enum { LEAST = 3 };
    for (size_t k = denial->at + 1; k < denial->end; k++) {
        const struct token *word = &denial->tokens->items[k];
        if (strlen(word->stem) >= LEAST && !token_is_grammar(word->text) &&
            (whole ? str_starts_nocase(text, word->stem)
                   : str_contains_nocase(text, word->stem))) {
            return true;
        }
    }
    return false;
}

static bool says_yes(struct ir_token token)
{
    return token.kind == IR_FIXED &&
           (token.index == IR_FIXED_ONE || token.index == IR_FIXED_TRUE_LETTER ||
            token.index == IR_FIXED_YES || token.index == IR_FIXED_YES_CAPITAL ||
            token.index == IR_FIXED_YES_LETTER);
}

/* "not sold out in march", and the column is called sold_out, or "not urgent", and that is its value:
 * this is denied and not the period, and the condition says so. */
static bool deny_state(const struct ir_schema *schema, const struct ir_values *values,
                       const struct denial *denial, struct ir_tokens *tokens)
{
    bool found = false;
    for (size_t i = 0; i + 2 < tokens->count && !found; i++) {
        struct ir_token column = tokens->items[i];
        struct ir_token *sign = &tokens->items[i + 1];
        struct ir_token value = tokens->items[i + 2];
        if (column.kind != IR_COLUMN || column.index <= 0 ||
            !(ir_is(*sign, IR_EQUAL) || ir_is(*sign, IR_UNEQUAL))) {
            continue;
        }
        const char *text = value.kind == IR_VALUE && (size_t)value.index < values->count
                               ? values->items[value.index].text
                               : "";
        bool named = is_denied(denial, schema->columns[column.index].name, false);
        bool same = is_denied(denial, text, true);
        found = named || is_denied(denial, text, false);
        if (found && !sense_has_denial(tokens) && (same || says_yes(value))) {
            *sign = ir_word(IR_UNEQUAL); /* the network did not hear it */
        }
    }
    return found;
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

/* "rides from Kiel not in 2025": the network took the "not" to the other condition. */
static bool take_back(const struct tokens *words, const struct denial *denial,
                      struct ir_tokens *tokens)
{
    size_t nots = 0;
    size_t unequal = sense_only_place(tokens, IR_UNEQUAL);
    for (size_t i = 0; i < words->count; i++) {
        nots += is_not(words, i);
    }
    if (!unequal || nots != 1 || denial->end != denial->at + 1) {
        return false;
    }
    struct ir_token kept = tokens->items[unequal];
    tokens->items[unequal] = ir_word(IR_EQUAL);
    bool only = !sense_has_denial(tokens);
    tokens->items[unequal] = only ? tokens->items[unequal] : kept;
    return only;
}

/* The month of "except december", "not in june", 1 to 12; 0: there is none. */
static int month_left_out(const struct tokens *tokens)
{
    static const char *const leads[] = {"except",  "excluding", "without",
                                        "besides", "omitting",  "minus"};
    static const char *const pairs[][2] = {{"other", "than"},
                                           {"apart", "from"},
                                           {"aside", "from"},
                                           {"but", "not"},
                                           {"leaving", "out"}};
    static const char *const months[] = {"january",   "february", "march",    "april",
                                         "may",       "june",     "july",     "august",
                                         "september", "october",  "november", "december"};
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        size_t pair = 0;
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
            pair = strcmp(tokens->items[i].text, pairs[k][0]) == 0 &&
                           strcmp(tokens->items[i + 1].text, pairs[k][1]) == 0
                       ? 1
                       : pair;
        }
        size_t at = i + 1 + pair;
        bool in = at < tokens->count && (strcmp(tokens->items[at].text, "in") == 0 ||
                                         strcmp(tokens->items[at].text, "for") == 0);
        bool lead =
            pair || IS_AMONG(tokens->items[i].text, leads) || (is_not(tokens, i) && in);
        at += in;
        for (size_t m = 0; lead && at < tokens->count && m < 12; m++) {
            if (strcmp(tokens->items[at].text, months[m]) == 0) {
                return (int)m + 1;
            }
        }
    }
    return 0;
}

/* "in 2025 except december": two periods, of which the month is the one to leave out. */
static void leave_month_out(struct arena *arena, const struct ir_values *values,
                            const struct tokens *words, struct ir_tokens *tokens)
{
    enum { TEXT_SIZE = 8 };
    int month = month_left_out(words);
    size_t periods = 0;
    size_t found = 0;
    char ending[TEXT_SIZE];
    (void)snprintf(ending, sizeof ending, "-%02d", month);
    for (size_t i = 0; month && i + 1 < tokens->count; i++) {
        if (!ir_is(tokens->items[i], IR_DURING)) {
            continue;
        }
        struct ir_token value = tokens->items[i + 1];
        bool said = value.kind == IR_VALUE && (size_t)value.index < values->count;
        periods++;
        if (said && str_ends(values->items[value.index].text, ending)) {
            found = i;
        }
    }
    if (periods == 2 && found && !sense_has_denial(tokens)) {
        deny(arena, found, tokens);
    }
}

void sense_not(struct arena *arena, const struct ir_schema *schema,
               const struct tokens *words, const struct ir_values *values,
               struct ir_tokens *tokens)
{
    size_t during = sense_only_place(tokens, IR_DURING);
    size_t between = sense_only_place(tokens, IR_BETWEEN);
    size_t at = during && !between ? during : between && !during ? between : 0;
    struct denial denial;
    leave_month_out(arena, values, words, tokens);
    if (!at) {
        return;
    }
    if (find_denial(words, between != 0, &denial) &&
        !deny_state(schema, values, &denial, tokens) &&
        (!sense_has_denial(tokens) || take_back(words, &denial, tokens))) {
        deny(arena, at, tokens);
    }
}
