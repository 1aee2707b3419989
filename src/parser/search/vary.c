/* Small changes to the best candidates. */
#include "parser/search/vary.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/values/flags.h"
#include "parser/ir/ir_key_words.h"
#include "parser/ir/ir_schema.h"
#include "parser/search/drop.h"
#include "parser/search/mend/mend.h"
#include "parser/search/sense/sense.h"
#include "parser/words/units.h"

enum { VARIED = 2, MORE_MOST = 5 };

/* What a change costs: less likely than what the network wrote, by a factor of 7. */
static const double change_cost = 2.0;

static bool is_keyword(const struct ir_tokens *tokens, size_t at, enum ir_keyword word)
{
    return at < tokens->count && tokens->items[at].kind == IR_KEYWORD &&
           tokens->items[at].index == (int)word;
}

static bool is_known(const struct beam_candidates *candidates,
                     const struct ir_tokens *tokens)
{
    for (size_t i = 0; i < candidates->count; i++) {
        const struct ir_tokens *other = &candidates->items[i].tokens;
        bool same = other->count == tokens->count;
        for (size_t j = 0; same && j < tokens->count; j++) {
            same = other->items[j].kind == tokens->items[j].kind &&
                   other->items[j].index == tokens->items[j].index;
        }
        if (same) {
            return true;
        }
    }
    return false;
}

static void add(struct arena *arena, struct beam_candidates *candidates,
                const struct ir_tokens *tokens, double log_probability)
{
    if (!is_known(candidates, tokens)) {
        VEC_PUSH(arena, candidates,
                 ((struct beam_candidate){*tokens, log_probability - change_cost}));
    }
}

static struct ir_tokens copy(struct arena *arena, const struct ir_tokens *tokens)
{
    struct ir_tokens out = {0};
    for (size_t i = 0; i < tokens->count; i++) {
        VEC_PUSH(arena, &out, tokens->items[i]);
    }
    return out;
}

/* The key that begins at this column, or NULL. */
static const struct ir_key *key_from(const struct ir_schema *schema, int column)
{
    for (int i = 0; i < schema->key_count; i++) {
        if (schema->keys[i].from == column) {
            return &schema->keys[i];
        }
    }
    return NULL;
}

/* Another key between the same two tables. */
static bool is_other_key(const struct ir_schema *schema, const struct ir_key *key,
                         const struct ir_key *other)
{
    return other->from != key->from &&
           schema->columns[other->from].table == schema->columns[key->from].table &&
           schema->columns[other->to].table == schema->columns[key->to].table;
}

/* `via` another key between the same two tables. */
static void other_keys(struct arena *arena, const struct ir_schema *schema,
                       const struct beam_candidate *from, size_t at,
                       struct beam_candidates *candidates)
{
    int column = from->tokens.items[at].index;
    const struct ir_key *key = key_from(schema, column);
    for (int i = 0; key && i < schema->key_count; i++) {
        const struct ir_key *other = &schema->keys[i];
        if (is_other_key(schema, key, other)) {
            struct ir_tokens tokens = copy(arena, &from->tokens);
            for (size_t j = 0; j < tokens.count; j++) {
                bool same = tokens.items[j].kind == IR_COLUMN &&
                            tokens.items[j].index == column &&
                            is_keyword(&tokens, j - 1, IR_VIA);
                tokens.items[j].index = same ? other->from : tokens.items[j].index;
            }
            add(arena, candidates, &tokens, from->log_probability);
        }
    }
}

static bool uses_table(const struct ir_schema *schema, const struct ir_tokens *tokens,
                       int table)
{
    for (size_t i = 0; i < tokens->count; i++) {
        const struct ir_token *token = &tokens->items[i];
        if (token->kind == IR_COLUMN && token->index > 0 &&
            schema->columns[token->index].table == table) {
            return true;
        }
    }
    return false;
}

/* A table among others after `from`, with nothing said about how it is joined. */
static bool is_plain_source(const struct ir_tokens *tokens, size_t at)
{
    size_t count = tokens->count;
    bool before = at > 0 && tokens->items[at - 1].kind == IR_TABLE;
    bool after = at + 1 < count && tokens->items[at + 1].kind == IR_TABLE;
    return (before || (after && is_keyword(tokens, at - 1, IR_FROM))) &&
           !is_keyword(tokens, at + 1, IR_VIA) && !is_keyword(tokens, at + 1, IR_ON);
}

static void without_table(struct arena *arena, const struct ir_schema *schema,
                          const struct beam_candidate *from, size_t at,
                          struct beam_candidates *candidates)
{
    if (!uses_table(schema, &from->tokens, from->tokens.items[at].index) &&
        is_plain_source(&from->tokens, at)) {
        struct ir_tokens tokens = copy(arena, &from->tokens);
        memmove(&tokens.items[at], &tokens.items[at + 1],
                (tokens.count - at - 1) * sizeof *tokens.items);
        tokens.count--;
        add(arena, candidates, &tokens, from->log_probability);
    }
}

static bool joins(const struct ir_schema *schema, const struct ir_key *key, int one,
                  int other)
{
    int from = schema->columns[key->from].table;
    int to = schema->columns[key->to].table;
    return one != other && ((from == one && to == other) || (from == other && to == one));
}

static size_t keys_between(const struct ir_schema *schema, int one, int other)
{
    size_t count = 0;
    for (int i = 0; i < schema->key_count; i++) {
        count += joins(schema, &schema->keys[i], one, other);
    }
    return count;
}

/* `via` each of several keys to a table before it, where none is written. */
static void name_keys(struct arena *arena, const struct ir_schema *schema,
                      const struct beam_candidate *from, size_t at,
                      struct beam_candidates *candidates)
{
    int table = from->tokens.items[at].index;
    for (size_t back = at; back > 0 && from->tokens.items[back - 1].kind == IR_TABLE;
         back--) {
        int other = from->tokens.items[back - 1].index;
        if (keys_between(schema, table, other) < 2) {
            continue;
        }
        for (int i = 0; i < schema->key_count; i++) {
            if (!joins(schema, &schema->keys[i], table, other)) {
                continue;
            }
            struct ir_tokens tokens = {0};
            for (size_t j = 0; j < from->tokens.count; j++) {
                VEC_PUSH(arena, &tokens, from->tokens.items[j]);
                if (j == at) {
                    VEC_PUSH(arena, &tokens, ((struct ir_token){IR_KEYWORD, IR_VIA}));
                    VEC_PUSH(arena, &tokens,
                             ((struct ir_token){IR_COLUMN, schema->keys[i].from}));
                }
            }
            add(arena, candidates, &tokens, from->log_probability);
        }
        return;
    }
}

static bool uses_column(const struct ir_tokens *tokens, int column)
{
    for (size_t i = 0; i < tokens->count; i++) {
        if (tokens->items[i].kind == IR_COLUMN && tokens->items[i].index == column) {
            return true;
        }
    }
    return false;
}

/* The key that the question names instead of this one, or the same one. */
static int key_meant(const struct ir_schema *schema, const char *question,
                     const struct ir_tokens *tokens, int column)
{
    const struct ir_key *key = key_from(schema, column);
    if (!key || ir_key_is_named(schema, question, column)) {
        return column;
    }
    for (int i = 0; i < schema->key_count; i++) {
        const struct ir_key *other = &schema->keys[i];
        if (is_other_key(schema, key, other) && !uses_column(tokens, other->from) &&
            ir_key_is_named(schema, question, other->from)) {
            return other->from;
        }
    }
    return column;
}

/* Leaves out what takes a time of day for an amount, unless all do. */
static void drop_untimely(const struct tokens *words, const struct ir_values *values,
                          struct beam_candidates *candidates)
{
    size_t kept = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        const struct beam_candidate one = candidates->items[i];
        if (!sense_misses_time(words, values, &one.tokens)) {
            candidates->items[i] = candidates->items[kept];
            candidates->items[kept++] = one;
        }
    }
    candidates->count = kept ? kept : candidates->count;
}

void settle_candidates(struct arena *arena, const struct ir_schema *schema,
                       const char *question, const struct tokens *words,
                       const struct ir_values *values, struct beam_candidates *candidates)
{
    struct ir_values known = *values; /* none are added */
    const struct mend_request mending = {
        .schema = schema, .question = question, .words = words, .values = &known};
    for (size_t i = 0; i < candidates->count; i++) {
        struct ir_tokens *tokens = &candidates->items[i].tokens;
        for (size_t at = 1; at < tokens->count; at++) {
            struct ir_token *token = &tokens->items[at];
            if (token->kind == IR_COLUMN && is_keyword(tokens, at - 1, IR_VIA)) {
                token->index = key_meant(schema, question, tokens, token->index);
            }
        }
        units_settle(arena, schema, question, tokens);
        sense_settle(schema, question, values, tokens);
        sense_state(schema, question, words, values, tokens);
        sense_age(arena, schema, question, words, values, tokens);
        sense_ago(arena, question, tokens);
        sense_not(arena, schema, words, values, tokens);
        sense_self(arena, schema, question, tokens);
        flags_settle(schema, tokens);
        mend_known(arena, &mending, tokens);
    }
    drop_senseless(schema, candidates);
    drop_untimely(words, values, candidates);
}

void vary_candidates(struct arena *arena, const struct ir_schema *schema,
                     struct beam_candidates *candidates)
{
    size_t known = candidates->count;
    for (size_t i = 0; i < known && i < VARIED; i++) {
        const struct beam_candidate from = candidates->items[i];
        for (size_t at = 1;
             at < from.tokens.count && candidates->count < known + MORE_MOST; at++) {
            const struct ir_token *token = &from.tokens.items[at];
            if (token->kind == IR_COLUMN && is_keyword(&from.tokens, at - 1, IR_VIA)) {
                other_keys(arena, schema, &from, at, candidates);
            } else if (token->kind == IR_TABLE) {
                without_table(arena, schema, &from, at, candidates);
                if (!is_keyword(&from.tokens, at + 1, IR_VIA)) {
                    name_keys(arena, schema, &from, at, candidates);
                }
            }
        }
    }
}
