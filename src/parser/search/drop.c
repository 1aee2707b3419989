/* Candidates that no question can mean, or not this one. */
#include "parser/search/drop.h"

#include <string.h>

#include "base/str.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"
#include "parser/words/tokens.h"

static bool is_keyword(const struct ir_tokens *tokens, size_t at, enum ir_keyword word)
{
    return at < tokens->count && ir_is(tokens->items[at], word);
}

/* `orders.total < orders.total` holds for no row. */
static bool is_less_than_itself(const struct ir_tokens *tokens, size_t at)
{
    return at + 2 < tokens->count && tokens->items[at].kind == IR_COLUMN &&
           tokens->items[at + 2].kind == IR_COLUMN &&
           tokens->items[at].index == tokens->items[at + 2].index &&
           (is_keyword(tokens, at + 1, IR_LESS) ||
            is_keyword(tokens, at + 1, IR_GREATER));
}

/* A column of type TIME may hold how long something took. */
static bool is_date(const struct ir_schema *schema, struct ir_token token)
{
    if (token.kind != IR_COLUMN || token.index <= 0 ||
        schema->columns[token.index].type != IR_TYPE_TIME) {
        return false;
    }
    const struct column *source = schema->columns[token.index].source;
    return !source || !source->type || !str_equal_nocase(source->type, "time");
}

static bool is_figure(struct ir_token token)
{
    return token.kind == IR_KEYWORD && ir_is_aggregate((enum ir_keyword)token.index);
}

/* `select count * … except select count * …`: a figure less another one is no set. */
static bool parts_figures(const struct ir_tokens *tokens)
{
    bool figure = tokens->count > 1 && is_figure(tokens->items[1]);
    bool grouped = false;
    for (size_t at = 1; at + 2 < tokens->count; at++) {
        bool set =
            is_keyword(tokens, at, IR_EXCEPT) || is_keyword(tokens, at, IR_INTERSECT);
        grouped = grouped || is_keyword(tokens, at, IR_GROUP);
        if (set && figure && !grouped && is_figure(tokens->items[at + 2])) {
            return true;
        }
    }
    return false;
}

/* `select count x count x`: the same figure twice. */
static bool shows_twice(const struct ir_tokens *tokens)
{
    size_t end = 1;
    while (end < tokens->count && !is_keyword(tokens, end, IR_FROM)) {
        end++;
    }
    size_t half = (end - 1) / 2;
    bool same = half > 0 && end - 1 == 2 * half && end < tokens->count;
    for (size_t i = 1; same && i <= half; i++) {
        same = tokens->items[i].kind == tokens->items[i + half].kind &&
               tokens->items[i].index == tokens->items[i + half].index;
    }
    return same;
}

/* Dates cannot be added up or multiplied: `avg * orders.sent_at 60`. */
static bool is_senseless(const struct ir_schema *schema, const struct ir_tokens *tokens)
{
    static const enum ir_keyword words[] = {IR_TIMES, IR_RATIO, IR_DIVIDE, IR_SUM,
                                            IR_AVG};
    if (parts_figures(tokens) || shows_twice(tokens)) {
        return true;
    }
    for (size_t at = 1; at < tokens->count; at++) {
        const struct ir_token *token = &tokens->items[at];
        if (is_less_than_itself(tokens, at)) {
            return true;
        }
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (is_keyword(tokens, at - 1, words[i]) && is_date(schema, *token)) {
                return true;
            }
        }
    }
    return false;
}

/* "List only open orders", "only organic crops": rows are asked for, and no number. */
static bool asks_for_rows(const struct tokens *words)
{
    static const char *const counts[] = {"many",  "much",     "number", "count",
                                         "total", "numbers",  "counts", "amount",
                                         "often", "quantity", "times",  "sum"};
    static const char *const openings[] = {"list", "show", "display", "only"};
    bool opens = false;
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i].text;
        if (str_is_among(word, counts, sizeof counts / sizeof *counts)) {
            return false;
        }
        opens =
            opens || strcmp(word, "only") == 0 ||
            (i == 0 && str_is_among(word, openings, sizeof openings / sizeof *openings));
    }
    return opens;
}

/* One number of rows, and nothing else. */
static bool counts_alone(const struct ir_tokens *tokens)
{
    bool counts =
        is_keyword(tokens, 1, IR_COUNT) || is_keyword(tokens, 1, IR_COUNT_DISTINCT);
    return counts && is_keyword(tokens, 3, IR_FROM);
}

/* `select count .* from crops where …` over one table as `select crops from …`: its rows. */
static bool show_rows(struct ir_tokens *tokens)
{
    enum { COUNTED = 2, TABLE = 4, AFTER = 5 };
    bool one = tokens->count > TABLE && tokens->items[TABLE].kind == IR_TABLE &&
               (tokens->count == AFTER || is_keyword(tokens, AFTER, IR_WHERE));
    if (!one) {
        return false;
    }
    tokens->items[1] = tokens->items[TABLE];
    for (size_t i = COUNTED; i + 1 < tokens->count; i++) {
        tokens->items[i] = tokens->items[i + 1];
    }
    tokens->count--;
    return true;
}

void drop_counts(const struct tokens *words, struct beam_candidates *candidates)
{
    size_t kept = 0;
    if (!asks_for_rows(words)) {
        return;
    }
    for (size_t i = 0; i < candidates->count; i++) {
        struct beam_candidate *candidate = &candidates->items[i];
        bool last = kept == 0 && i + 1 == candidates->count;
        if (!counts_alone(&candidate->tokens) || show_rows(&candidate->tokens) || last) {
            candidates->items[kept++] = *candidate;
        }
    }
    candidates->count = kept;
}

/* Leaves out what makes no sense, unless nothing else is there. */
void drop_senseless(const struct ir_schema *schema, struct beam_candidates *candidates)
{
    size_t kept = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        bool last = kept == 0 && i + 1 == candidates->count;
        if (last || !is_senseless(schema, &candidates->items[i].tokens)) {
            candidates->items[kept++] = candidates->items[i];
        }
    }
    candidates->count = kept;
}
