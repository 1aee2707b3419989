/* The tables of a query's outermost FROM clause, and how its columns name them. */
#include <string.h>

#include "base/str.h"
#include "datasource/mongodb/mongodb_plan.h"

static bool token_is_name(const struct token *token)
{
    return token->kind == TOKEN_NAME ||
           (token->kind == TOKEN_WORD && !keyword_reserved(token->keyword));
}

static const char *bare_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

struct mongodb_part *mongodb_part_named(struct mongodb_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->parts.count; i++) {
        struct mongodb_part *part = &plan->parts.items[i];
        if (str_equal_nocase(part->table->name, name) ||
            str_equal_nocase(bare_name(part->table->name), name)) {
            return part;
        }
    }
    return NULL;
}

bool mongodb_names_table(const struct mongodb_plan *plan, size_t at,
                         const struct mongodb_part *part)
{
    const struct token *token = &plan->tokens.items[at];
    return (token->kind == TOKEN_NAME || token->kind == TOKEN_WORD) &&
           str_equal_nocase(token->text, bare_name(part->table->name)) &&
           !token_is_punct(token + 1, ".");
}

/* Words behind which rows no longer meet the plain rules of joins. */
static bool word_is_odd(const struct token *token)
{
    static const char *const words[] = {"asof",    "positional", "tablesample", "lateral",
                                        "semi",    "anti",       "pivot",       "unpivot",
                                        "natural", "using",      "using_sample"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (token_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

/* One relation, from its first token; returns the first behind it. */
static size_t relation_read(struct mongodb_plan *plan, struct mongodb_relations *out,
                            size_t at)
{
    const struct token *tokens = plan->tokens.items;
    struct mongodb_relation *relation = VEC_ADD(plan->arena, out);
    if (!token_is_name(&tokens[at])) {
        return at; /* a query of its own, or a function */
    }
    const char *name = tokens[at].text;
    while (token_is_punct(&tokens[at + 1], ".") && token_is_name(&tokens[at + 2])) {
        at += 2;
        name = tokens[at].text;
    }
    if (token_is_punct(&tokens[at + 1], "(")) {
        return at + 1;
    }
    relation->part = mongodb_part_named(plan, name);
    relation->name = name;
    size_t next = token_is(&tokens[at + 1], "as") ? at + 2 : at + 1;
    bool joins = token_is(&tokens[next], "left") || token_is(&tokens[next], "right") ||
                 token_is(&tokens[next], "inner") || token_is(&tokens[next], "cross") ||
                 token_is(&tokens[next], "full");
    if (token_is_name(&tokens[next]) && !joins && !word_is_odd(&tokens[next])) {
        relation->name = tokens[next].text;
        next++;
    }
    return next;
}

/* The end of the FROM clause, at the same depth. */
static bool clause_ends(const struct token *token)
{
    static const enum keyword ends[] = {
        KEYWORD_where,  KEYWORD_group,   KEYWORD_having, KEYWORD_order,
        KEYWORD_limit,  KEYWORD_union,   KEYWORD_except, KEYWORD_intersect,
        KEYWORD_window, KEYWORD_qualify, KEYWORD_offset, KEYWORD_fetch};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (token->kind == TOKEN_WORD && token->keyword == ends[i]) {
            return true;
        }
    }
    return token->kind == TOKEN_END;
}

void mongodb_relations_read(struct mongodb_plan *plan, struct mongodb_relations *out)
{
    const struct token *tokens = plan->tokens.items;
    size_t count = plan->tokens.count;
    int depth = 0;
    size_t at = 0;
    if (!token_is(&tokens[0], "select")) {
        return;
    }
    for (; at < count && (depth > 0 || !token_is(&tokens[at], "from")); at++) {
        depth += token_is_punct(&tokens[at], "(") - token_is_punct(&tokens[at], ")");
    }
    if (at >= count) {
        return;
    }
    out->simple = true;
    out->from = at;
    for (bool begins = true; at < count && (depth > 0 || !clause_ends(&tokens[at]));) {
        if (begins && depth == 0) {
            at = relation_read(plan, out, at + 1);
            begins = false;
            continue;
        }
        depth += token_is_punct(&tokens[at], "(") - token_is_punct(&tokens[at], ")");
        out->simple = out->simple && (depth > 0 || !word_is_odd(&tokens[at]));
        begins = depth == 0 &&
                 (token_is(&tokens[at], "join") || token_is_punct(&tokens[at], ","));
        at += begins ? 0 : 1;
    }
    out->where = at;
    depth = 0;
    for (size_t i = 0; i < count; i++) { /* one SELECT, not several side by side */
        depth += token_is_punct(&tokens[i], "(") - token_is_punct(&tokens[i], ")");
        bool sets = token_is(&tokens[i], "union") || token_is(&tokens[i], "except") ||
                    token_is(&tokens[i], "intersect");
        out->simple = out->simple && (depth > 0 || !sets);
    }
}
