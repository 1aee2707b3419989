/*
 * One meaning of money in all answers: a query that multiplies the quantity and the price
 * of a metric by hand means the metric, with the discount that it takes off.
 */
#include "parser/search/metrics.h"

#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"

enum { FACTORS = 6 };

struct factors {
    int columns[FACTORS];
    size_t count;
    int less; /* the column that is taken from 1; or 0 */
    bool other;
};

/* Reads the expression at a place; gives the place behind it. */
static size_t read_factors(const struct ir_tokens *tokens, size_t at, struct factors *out)
{
    if (at >= tokens->count) {
        out->other = true;
        return at;
    }
    struct ir_token token = tokens->items[at];
    bool less = ir_is(token, IR_MINUS) && at + 2 < tokens->count &&
                (tokens->items[at + 1].kind == IR_VALUE ||
                 tokens->items[at + 1].kind == IR_FIXED) &&
                tokens->items[at + 2].kind == IR_COLUMN && !out->less;
    if (ir_is(token, IR_TIMES)) {
        return read_factors(tokens, read_factors(tokens, at + 1, out), out);
    }
    if (less) {
        out->less = tokens->items[at + 2].index;
        return at + 3;
    }
    if (token.kind != IR_COLUMN || token.index <= 0 || out->count == FACTORS) {
        out->other = true;
        return at + 1;
    }
    out->columns[out->count++] = token.index;
    return at + 1;
}

static bool same_factors(const struct factors *a, const struct factors *b)
{
    bool same = a->count == b->count && a->count > 1 && (!a->less || a->less == b->less);
    for (size_t i = 0; same && i < a->count; i++) {
        size_t of_a = 0;
        size_t of_b = 0;
        for (size_t k = 0; k < a->count; k++) {
            of_a += a->columns[k] == a->columns[i];
            of_b += b->columns[k] == a->columns[i];
        }
        same = of_a == of_b;
    }
    return same;
}

/* SUM of a product and nothing else. */
static bool is_product(const struct parser_metric *metric, struct factors *out)
{
    *out = (struct factors){0};
    return metric->tokens.count > 3 && ir_is(metric->tokens.items[0], IR_SUM) &&
           read_factors(&metric->tokens, 1, out) == metric->tokens.count && !out->other;
}

static bool says(const char *question, const char *const *words)
{
    for (; *words; words++) {
        if (str_contains_nocase(question, *words)) {
            return true;
        }
    }
    return false;
}

/* The question may say how to compute it. */
static bool says_how(const char *question)
{
    static const char *const words[] = {"discount",   "gross", "list price", " times ",
                                        "multiplied", "*",     NULL};
    return says(question, words);
}

bool metrics_wants_no_discount(const char *question)
{
    static const char *const words[] = {"before discount",
                                        "without discount",
                                        "before the discount",
                                        "without the discount",
                                        "before any discount",
                                        "without any discount",
                                        "excluding discount",
                                        "ignoring discount",
                                        "undiscounted",
                                        "gross",
                                        NULL};
    return says(question, words);
}

/* The product as the metric has it, or without what it takes off. */
static void put_product(struct arena *arena, const struct parser_metric *metric,
                        const struct factors *wanted, bool whole, size_t values,
                        struct ir_tokens *out)
{
    for (size_t i = 0; whole && i < wanted->count; i++) {
        struct ir_token column = {IR_COLUMN, wanted->columns[i]};
        if (i + 1 < wanted->count) {
            VEC_PUSH(arena, out, ir_word(IR_TIMES));
        }
        VEC_PUSH(arena, out, column);
    }
    for (size_t k = 1; !whole && k < metric->tokens.count; k++) {
        struct ir_token token = metric->tokens.items[k];
        token.index += token.kind == IR_VALUE ? (int)values : 0;
        VEC_PUSH(arena, out, token);
    }
}

void metrics_unify(struct arena *arena, const struct parser_metrics *metrics,
                   const char *question, size_t values, struct ir_tokens *tokens)
{
    struct factors wanted;
    bool whole = metrics_wants_no_discount(question);
    for (size_t m = 0; m < metrics->count && (whole || !says_how(question)); m++) {
        const struct parser_metric *metric = &metrics->items[m];
        struct ir_tokens out = {0};
        if (!is_product(metric, &wanted)) {
            continue;
        }
        for (size_t i = 0; i < tokens->count; i++) {
            struct factors found = {0};
            bool product = ir_is(tokens->items[i], IR_TIMES);
            size_t end = product ? read_factors(tokens, i, &found) : i;
            if (!product || found.other || !same_factors(&found, &wanted)) {
                VEC_PUSH(arena, &out, tokens->items[i]);
                continue;
            }
            put_product(arena, metric, &wanted, whole, values, &out);
            i = end - 1;
        }
        if (out.count <= IR_TOKENS_MAX) {
            *tokens = out;
        }
    }
}

static bool is_total(const struct parser_metrics *metrics, int column)
{
    for (size_t i = 0; i < metrics->count; i++) {
        if (metrics->items[i].column == column && metrics->items[i].total) {
            return true;
        }
    }
    return false;
}

bool metrics_multiplied(const struct parser_metrics *metrics,
                        const struct ir_tokens *tokens)
{
    for (size_t i = 0; metrics->count && i < tokens->count; i++) {
        struct factors found = {0};
        if (ir_is(tokens->items[i], IR_TIMES)) {
            (void)read_factors(tokens, i, &found);
        }
        for (size_t k = 0; found.count > 1 && k < found.count; k++) {
            if (is_total(metrics, found.columns[k])) {
                return true;
            }
        }
    }
    return false;
}
