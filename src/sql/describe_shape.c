/* How complex a query is, counted in one walk over its tokens. */
#include <string.h>

#include "base/arena.h"
#include "sql/describe.h"
#include "sql/describe_memory.h"
#include "sql/function.h"
#include "sql/guard.h"
#include "sql/lexer.h"

enum { DEPTH_MOST = 256 };

/* Whether each level of parentheses is a query, and whether we are in its FROM. */
struct levels {
    bool query[DEPTH_MOST];
    bool from[DEPTH_MOST];
    int depth;
};

static bool ends_from(enum keyword keyword)
{
    return keyword == KEYWORD_where || keyword == KEYWORD_group ||
           keyword == KEYWORD_having || keyword == KEYWORD_order ||
           keyword == KEYWORD_limit || keyword == KEYWORD_select ||
           keyword == KEYWORD_union || keyword == KEYWORD_intersect ||
           keyword == KEYWORD_except || keyword == KEYWORD_window ||
           keyword == KEYWORD_qualify;
}

static void count_punct(struct levels *levels, const struct token *token,
                        struct sql_shape *out)
{
    if (token_is_punct(token, "(")) {
        levels->depth += levels->depth + 1 < DEPTH_MOST;
        levels->query[levels->depth] = false;
        levels->from[levels->depth] = false;
    } else if (token_is_punct(token, ")")) {
        levels->depth -= levels->depth > 0;
    } else if (token_is_punct(token, ",") && levels->from[levels->depth]) {
        out->joins++;
    }
}

static void count_clause(struct levels *levels, const struct token *token,
                         bool after_star, struct sql_shape *out)
{
    bool top = levels->depth == 0;
    switch (token->keyword) {
    case KEYWORD_where:
        out->where = out->where || top;
        break;
    case KEYWORD_group:
        out->group_by = out->group_by || (top && token[1].keyword == KEYWORD_by);
        break;
    case KEYWORD_order:
        out->order_by = out->order_by || top;
        break;
    case KEYWORD_union:
    case KEYWORD_intersect:
    case KEYWORD_except:
        out->set_operations += !after_star; /* SELECT * EXCEPT (a) */
        break;
    case KEYWORD_join:
        out->joins++;
        break;
    default:
        break;
    }
}

static void count_word(struct levels *levels, enum dialect dialect,
                       const struct token *token, bool after_star, struct sql_shape *out)
{
    count_clause(levels, token, after_star, out);
    if (token->keyword == KEYWORD_select) {
        levels->query[levels->depth] = true;
        out->subqueries += levels->depth > 0;
        out->star = out->star || (levels->depth == 0 && token_is_punct(token + 1, "*"));
    }
    if (ends_from(token->keyword)) {
        levels->from[levels->depth] = false;
    } else if (token->keyword == KEYWORD_from && levels->query[levels->depth]) {
        levels->from[levels->depth] = true;
    }
    if (token_is_punct(token + 1, "(") &&
        function_has(function_find(dialect, token->text), 'a')) {
        out->aggregates++;
    }
}

static void count_all(struct arena *arena, enum dialect dialect, const char *sql,
                      struct sql_shape *out)
{
    *out = (struct sql_shape){0};
    struct guard_result guard;
    guard_check(arena, dialect, sql, strlen(sql), NULL, &guard);
    out->tables = (int)guard.tables.count;
    struct tokens tokens = {0};
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    struct levels levels = {0};
    for (size_t i = 0; i < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        if (token->kind == TOKEN_PUNCT) {
            count_punct(&levels, token, out);
        } else if (token->kind == TOKEN_WORD) {
            bool over =
                token->keyword == KEYWORD_over && i > 0 && token_is_punct(token - 1, ")");
            out->windows += over;
            count_word(&levels, dialect, token, i > 0 && token_is_punct(token - 1, "*"),
                       out);
        }
    }
}

void describe_shape(struct arena *arena, enum dialect dialect, const char *sql,
                    struct sql_shape *out)
{
    if (!describe_recall_shape(dialect, sql, out)) {
        count_all(arena, dialect, sql, out);
        describe_remember_shape(dialect, sql, out);
    }
}
