/* Operators: prefix, binary and postfix, by how tightly they bind (operators.def). */
#include "sql/tree/parse/parse_state.h"

#include <string.h>

#include "sql/tree/strength.h"

/* ------------------------------------------------------------------ prefix */

static bool at_operand(const struct token *token)
{
    return token->kind == TOKEN_NAME || token->kind == TOKEN_STRING ||
           token->kind == TOKEN_NUMBER || token_is_punct(token, "(") ||
           (token->kind == TOKEN_WORD && !keyword_reserved(token->keyword));
}

/* How tightly the prefix operator at the current place binds; 0: there is none. */
static int prefix_strength(const struct parse *parse)
{
    const struct token *token = parse->at;
    if (token->kind == TOKEN_PUNCT) {
        bool sign = strchr("+-~!", token->text[0]) && token->text[1] == '\0';
        bool other = strcmp(token->text, "|/") == 0 || strcmp(token->text, "||/") == 0 ||
                     strcmp(token->text, "@") == 0;
        bool column = parse_at_char(parse, '#') && parse_dialect(parse, "d") &&
                      token[1].kind == TOKEN_NUMBER; /* DuckDB: #1 */
        bool bits = sign && strchr("~!", token->text[0]) && parse_dialect(parse, "dp");
        return other || bits ? STRENGTH_OTHER : sign || column ? STRENGTH_UNARY : 0;
    }
    if (token->keyword == KEYWORD_not) {
        return STRENGTH_NOT;
    }
    bool binary = token->keyword == KEYWORD_binary && parse_dialect(parse, "m") &&
                  at_operand(token + 1);
    return binary ? STRENGTH_COLLATE : 0;
}

static bool at_quantified(const struct parse *parse)
{
    return (parse_at(parse, KEYWORD_any) || parse_at(parse, KEYWORD_all) ||
            parse_at(parse, KEYWORD_some)) &&
           parse_next_char(parse, '(') && !parse_dialect(parse, "c");
}

/* ANY (…), ALL (…), SOME (…) on the right of a comparison */
static struct sql_node *quantified(struct parse *parse)
{
    struct sql_node *node =
        parse_node(parse, SQL_QUANTIFIED, parse_upper(parse, parse->at->text), parse->at);
    parse->at++;
    node->children[SINGLE_VALUE] = parse_parentheses(parse);
    return node->children[SINGLE_VALUE] ? parse_end(parse, node) : NULL;
}

static struct sql_node *prefixed(struct parse *parse)
{
    int strength = prefix_strength(parse);
    if (!strength) {
        return parse_postfixes(parse, parse_operand(parse));
    }
    if (!parse_enter(parse)) {
        return NULL;
    }
    struct sql_node *node =
        parse_node(parse, SQL_UNARY, parse_upper(parse, parse->at->text), parse->at);
    parse->at++;
    if (*node->text == '#') { /* a number and no more: #1[2] is (#1)[2] */
        node->children[SINGLE_VALUE] = parse_operand(parse);
        parse->depth--;
        return parse_postfixes(parse, parse_end(parse, node));
    }
    /* @ -5 || x is (@ -5) || x: what binds alike comes after it */
    node->children[SINGLE_VALUE] =
        parse_operators(parse, strength + (strength == STRENGTH_OTHER));
    parse->depth--;
    return node->children[SINGLE_VALUE] ? parse_end(parse, node) : NULL;
}

/* ------------------------------------------------------------------ binary operators */

/* != is <>, == is =: one spelling for each meaning. */
static const char *canonical(struct parse *parse, const char *text)
{
    static const char *const same[][2] = {{"!=", "<>"}, {"==", "="}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        if (strcmp(text, same[i][0]) == 0) {
            return same[i][1];
        }
    }
    return parse_upper(parse, text);
}

/* What a comparison compares with. "= ANY (…)" ends there: an operator behind it is about the
 * whole comparison. */
struct sql_node *parse_compared(struct parse *parse, int least)
{
    return at_quantified(parse) ? quantified(parse) : parse_operators(parse, least);
}

static struct sql_node *pair(struct parse *parse, enum sql_kind kind, const char *text,
                             struct sql_node *left, int least)
{
    struct sql_node *node = parse_node(parse, kind, text, parse->at - 1);
    node->start = left->start;
    node->children[PAIR_LEFT] = left;
    bool arrow = kind == SQL_BINARY && *text == '-' && parse_dialect(parse, "dc");
    node->children[PAIR_RIGHT] =
        arrow ? parse_operators(parse, least) : parse_compared(parse, least);
    return node->children[PAIR_RIGHT] ? parse_end(parse, node) : NULL;
}

/* a ? b : c, in ClickHouse */
static struct sql_node *ternary(struct parse *parse, struct sql_node *left)
{
    struct sql_node *node = parse_node(parse, SQL_TERNARY, NULL, parse->at++);
    node->start = left->start;
    node->children[TRIPLE_FIRST] = left;
    node->children[TRIPLE_SECOND] = parse_expression(parse);
    if (!node->children[TRIPLE_SECOND] || !parse_expect_char(parse, ':')) {
        return NULL;
    }
    node->children[TRIPLE_THIRD] = parse_expression(parse);
    return node->children[TRIPLE_THIRD] ? parse_end(parse, node) : NULL;
}

static bool at_time_zone(const struct parse *parse)
{
    return parse_at(parse, KEYWORD_at) && parse_next_is(parse, KEYWORD_time) &&
           token_is(parse->at + 2, "zone");
}

static bool at_member_of(const struct parse *parse)
{
    return parse_dialect(parse, "m") && parse_at_text(parse, "member") &&
           token_is(parse->at + 1, "of");
}

/* How tightly what follows binds to the value on its left; 0: nothing follows. */
int parse_link_strength(const struct parse *parse)
{
    const struct token *token = parse->at;
    if (token->kind == TOKEN_PUNCT) {
        bool ternary_here = parse_at_char(parse, '?') && parse_dialect(parse, "c");
        return ternary_here ? STRENGTH_TERNARY : strength_of(parse->dialect, token->text);
    }
    if (token->kind != TOKEN_WORD) {
        return 0;
    }
    if (at_time_zone(parse)) {
        return STRENGTH_AT;
    }
    if (parse_at(parse, KEYWORD_collate)) {
        return STRENGTH_COLLATE;
    }
    if (at_member_of(parse)) {
        return STRENGTH_COMPARE;
    }
    int words = parse_word_strength(parse);
    bool operator= parse_at(parse, KEYWORD_and) || parse_at(parse, KEYWORD_or) ||
        parse_at(parse, KEYWORD_xor) || parse_at(parse, KEYWORD_div) ||
        parse_at(parse, KEYWORD_mod) || parse_at(parse, KEYWORD_overlaps);
    return words ? words : operator? strength_of(parse->dialect, token->text) : 0;
}

/* (a, b) OVERLAPS (c, d): between two rows of values, and nothing else */
static struct sql_node *overlaps(struct parse *parse, struct sql_node *left)
{
    struct sql_node *node = parse_node(parse, SQL_BINARY, "OVERLAPS", parse->at++);
    struct sql_node *right =
        parse_at_char(parse, '(') ? parse_parentheses(parse) : parse_unexpected(parse);
    if (!right) {
        return NULL;
    }
    if (left->kind != SQL_TUPLE || right->kind != SQL_TUPLE) {
        return parse_fail(parse, parse->at - 1, "OVERLAPS needs two rows of values.");
    }
    node->start = left->start;
    node->children[PAIR_LEFT] = left;
    node->children[PAIR_RIGHT] = right;
    return parse_end(parse, node);
}

/* In DuckDB a || NOT NULL is (a ||) IS NOT NULL, and a || GLOB (b) is (a ||) GLOB b. */
static bool ends_operator(const struct parse *parse)
{
    return parse_dialect(parse, "d") && parse->at->kind == TOKEN_WORD &&
           (parse_at(parse, KEYWORD_not) || parse_at(parse, KEYWORD_escape) ||
            parse_link_strength(parse) > 0);
}

static struct sql_node *parse_expression_link(struct parse *parse, struct sql_node *left,
                                              int strength)
{
    if (parse->at->kind == TOKEN_PUNCT) {
        if (strength == STRENGTH_TERNARY) {
            return ternary(parse, left);
        }
        const char *text = canonical(parse, parse->at++->text);
        if (strength == STRENGTH_OTHER && ends_operator(parse)) {
            return parse_unexpected(parse);
        }
        /* a lambda's body reaches as far as it can; DuckDB's ->> takes all on its left and
         * little on its right */
        bool arrow = strength == STRENGTH_ARROW && strcmp(text, "->>") == 0;
        return pair(parse, SQL_BINARY, text, left,
                    strength == STRENGTH_LAMBDA ? strength
                    : arrow                     ? STRENGTH_OTHER + 1
                                                : strength + 1);
    }
    if (strength == STRENGTH_AT) {
        parse->at += 3;
        return pair(parse, SQL_AT_TIME_ZONE, NULL, left, strength + 1);
    }
    if (parse_at(parse, KEYWORD_collate)) {
        return parse_collate(parse, left);
    }
    if (at_member_of(parse)) {
        parse->at += 2;
        return pair(parse, SQL_BINARY, "MEMBER OF", left, strength + 1);
    }
    if (parse_word_strength(parse)) {
        return parse_compare(parse, left);
    }
    if (parse_at(parse, KEYWORD_overlaps)) {
        return overlaps(parse, left);
    }
    const char *text = canonical(parse, parse->at++->text);
    return pair(parse, SQL_BINARY, text, left, strength + 1);
}

struct sql_node *parse_operators(struct parse *parse, int least)
{
    int depth = parse->depth;
    if (!parse_enter(parse)) {
        return NULL;
    }
    struct sql_node *left = prefixed(parse);
    size_t length = 0;
    int strength;
    while (left && (strength = parse_link_strength(parse)) > 0 && strength >= least) {
        left = parse_expression_link(parse, left, strength);
        bool fits = sql_is(left, SQL_BINARY) ? parse_chain(parse, &length)
                                             : !left || parse_hang(parse);
        if (!fits) {
            return NULL;
        }
    }
    parse->depth = depth;
    return left;
}

struct sql_node *parse_expression(struct parse *parse)
{
    return parse_operators(parse, STRENGTH_NONE);
}

struct sql_node *parse_expressions(struct parse *parse)
{
    return parse_list(parse, parse_expression);
}
