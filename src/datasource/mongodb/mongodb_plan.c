/* Which columns of which tables a query needs. In doubt all of them: a column that is
 * missing would be an error, and a row of fewer columns a wrong answer. */
#include "datasource/mongodb/mongodb_plan.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

/* count(*), or a times sign? Everything else is "all columns". */
static bool star_means_all(const struct token *tokens, size_t at)
{
    if (at == 0) {
        return true;
    }
    const struct token *before = &tokens[at - 1];
    if (token_is_punct(before, "(") && token_is_punct(&tokens[at + 1], ")")) {
        return at < 2 || !token_is(&tokens[at - 2], "count");
    }
    bool operand = before->kind == TOKEN_NAME || before->kind == TOKEN_NUMBER ||
                   before->kind == TOKEN_STRING || token_is_punct(before, ")") ||
                   (before->kind == TOKEN_WORD && !keyword_reserved(before->keyword)) ||
                   token_is(before, "end");
    return !operand;
}

/* "AS t (a, b)" renames columns by their place; "AS DECIMAL(10, 2)" is a type. */
static bool renames_columns(const struct mongodb_plan *plan, size_t at)
{
    static const char *const types[] = {"decimal", "numeric", "varchar", "char"};
    const struct token *tokens = plan->tokens.items;
    if (!token_is_punct(&tokens[at + 2], "(")) {
        return false;
    }
    for (size_t i = 0; i < plan->parts.count; i++) {
        if (mongodb_names_table(plan, at, &plan->parts.items[i]) &&
            (tokens[at + 1].kind == TOKEN_NAME || tokens[at + 1].kind == TOKEN_WORD) &&
            !keyword_reserved(tokens[at + 1].keyword)) {
            return true;
        }
    }
    if (!token_is(&tokens[at], "as")) {
        return false;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (token_is(&tokens[at + 1], types[i])) {
            return false;
        }
    }
    return true;
}

/* A table's name or alias that stands for its whole row. */
static bool row_is_meant(const struct mongodb_plan *plan, size_t at)
{
    const struct token *tokens = plan->tokens.items;
    bool name = tokens[at].kind == TOKEN_NAME || tokens[at].kind == TOKEN_WORD;
    if (!name || token_is_punct(&tokens[at + 1], ".") ||
        (at > 0 && token_is_punct(&tokens[at - 1], "."))) {
        return false;
    }
    for (size_t i = 0; i + 1 < plan->tokens.count; i++) {
        bool table = false;
        for (size_t p = 0; p < plan->parts.count; p++) {
            table = table || mongodb_names_table(plan, i, &plan->parts.items[p]);
        }
        size_t alias = table ? (token_is(&tokens[i + 1], "as") ? i + 2 : i + 1) : 0;
        if (alias && alias != at && i != at && alias < plan->tokens.count &&
            !keyword_reserved(tokens[alias].keyword) &&
            tokens[alias].kind != TOKEN_PUNCT &&
            str_equal_nocase(tokens[alias].text, tokens[at].text)) {
            return true;
        }
    }
    return false;
}

static bool everything_is_needed(const struct mongodb_plan *plan)
{
    const struct token *tokens = plan->tokens.items;
    size_t selects = 0;
    size_t froms = 0;
    for (size_t i = 0; i < plan->tokens.count; i++) {
        selects += token_is(&tokens[i], "select");
        froms += token_is(&tokens[i], "from");
        if ((token_is_punct(&tokens[i], "*") && star_means_all(tokens, i)) ||
            token_is(&tokens[i], "natural") || token_is(&tokens[i], "columns") ||
            (token_is(&tokens[i], "distinct") && token_is(&tokens[i + 1], "on")) ||
            tokens[i].kind == TOKEN_BAD || renames_columns(plan, i) ||
            row_is_meant(plan, i)) {
            return true;
        }
    }
    return froms > selects;
}

static bool column_is_named(const struct mongodb_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->tokens.count; i++) {
        const struct token *token = &plan->tokens.items[i];
        if ((token->kind == TOKEN_NAME || token->kind == TOKEN_WORD ||
             token->kind == TOKEN_STRING) &&
            str_equal_nocase(token->text, name)) {
            return true;
        }
    }
    return false;
}

static void columns_choose(struct mongodb_plan *plan, struct mongodb_part *part, bool all)
{
    size_t count = part->table->columns.count;
    part->columns = arena_array(plan->arena, count + 1, sizeof *part->columns);
    part->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (all || column_is_named(plan, part->table->columns.items[i].name)) {
            part->columns[part->count++] = i;
        }
    }
    if (part->count == 0) { /* rows are only counted: the first column is the key */
        part->columns[part->count++] = 0;
    }
}

/* Rows come out as documents went in: then no more of them than wanted need be read. */
static int64_t limit_of(const struct mongodb_plan *plan,
                        const struct mongodb_relations *relations, int64_t max_rows)
{
    const struct token *tokens = plan->tokens.items;
    int64_t limit = max_rows < INT64_MAX - 1 ? max_rows + 1 : 0;
    int64_t asked = 0;
    if (!relations->simple || relations->count != 1 || plan->parts.count != 1 ||
        plan->parts.items[0].table->array.count > 0) {
        return 0;
    }
    for (size_t i = 1; i < relations->from; i++) {
        if (token_is_punct(&tokens[i], "(") || token_is(&tokens[i], "distinct")) {
            return 0; /* a function may look at all rows */
        }
    }
    size_t at = relations->where;
    if (token_is(&tokens[at], "limit") && tokens[at + 1].kind == TOKEN_NUMBER &&
        str_to_int(tokens[at + 1].text, &asked)) {
        limit = limit == 0 || asked < limit ? asked : limit;
        limit = asked == 0 ? 1 : limit; /* 0 would mean all */
        at += 2;
    }
    if (token_is_punct(&tokens[at], ";")) {
        at++;
    }
    return at >= plan->tokens.count ? limit : 0;
}

void mongodb_plan_make(struct mongodb_plan *plan, int64_t max_rows)
{
    struct mongodb_relations relations = {0};
    bool all = everything_is_needed(plan);
    for (size_t i = 0; i < plan->parts.count; i++) {
        columns_choose(plan, &plan->parts.items[i], all);
    }
    mongodb_relations_read(plan, &relations);
    if (relations.simple) {
        mongodb_filter_make(plan, &relations);
        int64_t limit = limit_of(plan, &relations, max_rows);
        for (size_t i = 0; i < plan->parts.count; i++) {
            plan->parts.items[i].limit = limit;
        }
    }
}

void mongodb_plan_release(struct mongodb_plan *plan)
{
    for (size_t i = 0; i < plan->parts.count; i++) {
        if (plan->parts.items[i].filter) {
            mongo.bson_destroy(plan->parts.items[i].filter);
            plan->parts.items[i].filter = NULL;
        }
    }
}
