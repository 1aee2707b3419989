/* Operators: prefix, binary and postfix, by how tightly they bind (operators.def). */
#include "sql/tree/parse_state.h"

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

/* ------------------------------------------------------------------ postfix */

/* [1], [1:3], ['key'] */
static struct sql_node *subscript(struct parse *parse, struct sql_node *value)
{
    struct sql_node *parts[SLICE_SLOTS] = {value};
    size_t slot = SLICE_FROM;
    bool slice = false;
    const struct token *from = parse->at++;
    while (!parse_at_char(parse, ']')) {
        if (parse_take_char(parse, ':')) {
            slice = true;
            if (++slot >= SLICE_SLOTS) {
                return parse_unexpected(parse);
            }
        } else if (parse_at_char(parse, '-') && parse_next_char(parse, ':')) {
            parts[slot] = parse_node(parse, SQL_CONSTANT, "-", parse->at++);
        } else if (parts[slot] || !(parts[slot] = parse_expression(parse))) {
            return parse_unexpected(parse);
        }
    }
    parse->at++;
    if (!slice && !parts[SLICE_FROM]) {
        parse->at--;
        return parse_unexpected(parse);
    }
    struct sql_node *node =
        parse_node(parse, slice ? SQL_SLICE : SQL_SUBSCRIPT, NULL, from);
    memcpy(node->children, parts, node->count * sizeof *parts);
    node->start = value->start;
    return parse_end(parse, node);
}

/* .field, .1, .* and DuckDB's .function(…) after a value */
static struct sql_node *member(struct parse *parse, struct sql_node *value)
{
    parse->at++;
    const struct token *name = parse->at;
    if (parse_at_char(parse, '*')) {
        struct sql_node *star = parse_star(parse, value);
        if (star) {
            star->variant =
                1; /* (c).*: the fields of c, and not the columns of a table c */
        }
        return star;
    }
    bool number = name->kind == TOKEN_NUMBER && parse_dialect(parse, "c");
    bool fields = !parse_dialect(parse, "sm"); /* SQLite reads 't'.a as a column of t */
    if ((name->kind != TOKEN_WORD && name->kind != TOKEN_NAME && !number) || !fields) {
        return parse_unexpected(parse);
    }
    parse->at++;
    if (parse_at_char(parse, '(') && name->kind != TOKEN_NUMBER) {
        return parse_dialect(parse, "d") && !keyword_reserved(name->keyword) &&
                       !parse_next_char(parse, '*')
                   ? parse_call(parse, name, value)
                   : parse_unexpected(parse);
    }
    struct sql_node *field = parse_node(parse, SQL_FIELD, name->text, name);
    field->flags = name->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
    field->start = value->start;
    field->children[SINGLE_VALUE] = value;
    return parse_end(parse, field);
}

static struct sql_node *collate(struct parse *parse, struct sql_node *value)
{
    struct sql_node *node = parse_node(parse, SQL_COLLATE, NULL, parse->at);
    struct sql_node *path = parse_node(parse, SQL_LIST, NULL, parse->at);
    parse->at++;
    do {
        bool text = parse->at->kind == TOKEN_STRING && *parse->at->text;
        if (!parse_at_name(parse) && !text) {
            return parse_unexpected(parse);
        }
        sql_add(parse->arena, path, parse_name(parse));
    } while (parse_take_char(parse, '.'));
    node->start = value->start;
    node->children[PAIR_LEFT] = value;
    node->children[PAIR_RIGHT] = parse_end(parse, path);
    return parse_end(parse, node);
}

static struct sql_node *cast_postfix(struct parse *parse, struct sql_node *value)
{
    struct sql_node *node = parse_node(parse, SQL_CAST, NULL, parse->at++);
    node->start = value->start;
    node->children[PAIR_LEFT] = value;
    node->children[PAIR_RIGHT] = parse_type(parse);
    if (node->children[PAIR_RIGHT] && parse_at_char(parse, '.')) {
        return parse_fail(parse, parse->at, "Types of another schema are not allowed.");
    }
    return node->children[PAIR_RIGHT] ? parse_end(parse, node) : NULL;
}

/* What hangs on the end of a value and binds tighter than any operator. */
static struct sql_node *postfixes(struct parse *parse, struct sql_node *value)
{
    while (value) {
        if (token_is_punct(parse->at, "::")) {
            value = cast_postfix(parse, value);
        } else if (parse_at_char(parse, '[')) {
            value = subscript(parse, value);
        } else if (parse_at_char(parse, '.')) {
            value = member(parse, value);
        } else {
            return value;
        }
    }
    return NULL;
}

static struct sql_node *prefixed(struct parse *parse)
{
    int strength = prefix_strength(parse);
    if (!strength) {
        return at_quantified(parse) ? quantified(parse)
                                    : postfixes(parse, parse_operand(parse));
    }
    if (!parse_enter(parse)) {
        return NULL;
    }
    struct sql_node *node =
        parse_node(parse, SQL_UNARY, parse_upper(parse, parse->at->text), parse->at);
    parse->at++;
    /* @ -5 || x is (@ -5) || x: what binds alike comes after it */
    node->children[SINGLE_VALUE] =
        parse_operators(parse, strength + (strength == STRENGTH_OTHER));
    parse->depth--;
    return node->children[SINGLE_VALUE] ? parse_end(parse, node) : NULL;
}

/* ------------------------------------------------------------------ IS, IN, LIKE,
 * BETWEEN */

static struct sql_node *is_null(struct parse *parse, struct sql_node *left, bool not )
{
    struct sql_node *node = parse_node(parse, SQL_IS, NULL, parse->at - 1);
    node->start = left->start;
    node->flags = not ? FLAG_NOT : 0;
    node->children[PAIR_LEFT] = left;
    node->children[PAIR_RIGHT] = sql_node(parse->arena, SQL_CONSTANT, "NULL");
    return parse_end(parse, node);
}

/* IS [NOT] x, IS [NOT] DISTINCT FROM x, IS [NOT] UNKNOWN */
static struct sql_node *is(struct parse *parse, struct sql_node *left)
{
    struct sql_node *node = parse_node(parse, SQL_IS, NULL, parse->at++);
    node->start = left->start;
    node->children[PAIR_LEFT] = left;
    node->flags |= parse_take(parse, KEYWORD_not) ? FLAG_NOT : 0;
    if (parse_take(parse, KEYWORD_distinct)) {
        if (!parse_take(parse, KEYWORD_from)) {
            return parse_unexpected(parse);
        }
        node->flags |= FLAG_DISTINCT;
    }
    if (parse_at(parse, KEYWORD_unknown)) {
        node->children[PAIR_RIGHT] =
            parse_node(parse, SQL_CONSTANT, "UNKNOWN", parse->at);
        parse->at++;
        return parse_end(parse, node);
    }
    bool free = parse_dialect(parse, "s") || sql_has(node, FLAG_DISTINCT);
    bool word = parse_at(parse, KEYWORD_null) || parse_at(parse, KEYWORD_true) ||
                parse_at(parse, KEYWORD_false);
    if (!free && !word) { /* elsewhere IS TRUE is one word, and TRUE no value */
        return parse_unexpected(parse);
    }
    node->children[PAIR_RIGHT] =
        free ? parse_operators(parse, strength_of_is(parse->dialect) + 1)
             : parse_operand(parse);
    return node->children[PAIR_RIGHT] ? parse_end(parse, node) : NULL;
}

/* x IN list. With an operator in it parentheses would be needed, and they mean another
 * thing behind IN. */
static struct sql_node *in_value(struct parse *parse)
{
    const struct token *from = parse->at;
    struct sql_node *value = parse_operators(parse, strength_of_in(parse->dialect) + 1);
    switch (value ? value->kind : SQL_COLUMN) {
    case SQL_BINARY:
    case SQL_UNARY:
    case SQL_TERNARY:
    case SQL_COLLATE:
    case SQL_AT_TIME_ZONE:
    case SQL_LAMBDA:
    case SQL_FIELD:
    case SQL_CAST:
        return parse_fail(parse, from, "IN needs a list, a query or parentheses.");
    default:
        return value;
    }
}

/* IN (…), IN (SELECT …); in SQLite and ClickHouse also IN table */
static struct sql_node *in(struct parse *parse, struct sql_node *left)
{
    struct sql_node *node = parse_node(parse, SQL_IN, NULL, parse->at++);
    node->start = left->start;
    node->children[PAIR_LEFT] = left;
    struct sql_node *right;
    if (parse_at_char(parse, '(')) {
        if (parse_next_char(parse, ')')) {
            right = parse_node(parse, SQL_TUPLE, NULL, parse->at);
            parse->at += 2;
        } else {
            const struct token *from = parse->at;
            right = parse_parentheses(parse);
            /* IN ((1, 2)) has one row, and IN ((SELECT …)) one value */
            bool whole = right && right->start == from->start &&
                         (right->kind == SQL_TUPLE || right->kind == SQL_SUBQUERY);
            if (right && !whole) {
                struct sql_node *one = parse_node(parse, SQL_TUPLE, NULL, from);
                sql_add(parse->arena, one, right);
                right = parse_end(parse, one);
            }
        }
    } else if (parse_dialect(parse, "sc") && parse_at_name(parse)) {
        right = parse_set(parse);
    } else if (parse_dialect(parse, "dbc")) {
        right = in_value(parse);
    } else {
        return parse_unexpected(parse);
    }
    node->children[PAIR_RIGHT] = right;
    return right ? parse_end(parse, node) : NULL;
}

static const struct like_word {
    enum keyword keyword;
    const char *dialects;
    enum keyword second; /* must follow */
    const char *text;
} like_words[] = {
    {KEYWORD_like, "sdpmcbo", KEYWORD_NONE, "LIKE"},
    {KEYWORD_ilike, "dpc", KEYWORD_NONE, "ILIKE"},
    {KEYWORD_glob, "sd", KEYWORD_NONE, "GLOB"},
    {KEYWORD_regexp, "smc", KEYWORD_NONE, "REGEXP"},
    {KEYWORD_rlike, "m", KEYWORD_NONE, "RLIKE"},
    {KEYWORD_match, "s", KEYWORD_NONE, "MATCH"},
    {KEYWORD_similar, "dp", KEYWORD_to, "SIMILAR TO"},
    {KEYWORD_sounds, "m", KEYWORD_like, "SOUNDS LIKE"},
};

static const struct like_word *like_at(const struct parse *parse)
{
    for (size_t i = 0; i < sizeof like_words / sizeof *like_words; i++) {
        if (parse_at(parse, like_words[i].keyword) &&
            parse_dialect(parse, like_words[i].dialects)) {
            return &like_words[i];
        }
    }
    return NULL;
}

static int link_strength(const struct parse *parse);

static struct sql_node *like(struct parse *parse, struct sql_node *left,
                             const struct like_word *word)
{
    struct sql_node *node = parse_node(parse, SQL_LIKE, word->text, parse->at++);
    if (word->second != KEYWORD_NONE && !parse_take(parse, word->second)) {
        return parse_unexpected(parse);
    }
    int strength = strength_of_in(parse->dialect) + 1;
    node->start = left->start;
    node->children[TRIPLE_FIRST] = left;
    node->children[TRIPLE_SECOND] = parse_operators(parse, strength);
    if (!node->children[TRIPLE_SECOND]) {
        return NULL;
    }
    if (parse_take(parse, KEYWORD_escape)) {
        node->children[TRIPLE_THIRD] = parse_operand(parse);
        if (!node->children[TRIPLE_THIRD]) {
            return NULL;
        }
        if (link_strength(parse) >= strength) {
            return parse_unexpected(
                parse); /* engines do not agree on what that is about */
        }
    }
    return parse_end(parse, node);
}

static struct sql_node *between(struct parse *parse, struct sql_node *left)
{
    struct sql_node *node = parse_node(parse, SQL_BETWEEN, NULL, parse->at++);
    int strength = strength_of_in(parse->dialect) + 1;
    node->start = left->start;
    node->flags |= parse_take_text(parse, "symmetric") ? FLAG_SYMMETRIC : 0;
    node->children[TRIPLE_FIRST] = left;
    node->children[TRIPLE_SECOND] = parse_operators(parse, strength);
    if (!node->children[TRIPLE_SECOND] || !parse_take(parse, KEYWORD_and)) {
        return node->children[TRIPLE_SECOND] ? parse_unexpected(parse) : NULL;
    }
    node->children[TRIPLE_THIRD] = parse_operators(parse, strength);
    return node->children[TRIPLE_THIRD] ? parse_end(parse, node) : NULL;
}

/* Is there a comparison in words here, and how tightly does it bind? */
static int word_strength(const struct parse *parse)
{
    const struct token *saved = parse->at;
    struct parse look = *parse;
    look.at += look.letter == 'c' && look.at->keyword == KEYWORD_global;
    look.at += look.at->keyword == KEYWORD_not && look.at[1].keyword != KEYWORD_indexed;
    bool denied = look.at != saved;
    if (parse_at(&look, KEYWORD_in)) {
        return look.no_in ? 0 : strength_of_in(parse->dialect);
    }
    if (parse_at(&look, KEYWORD_between) || like_at(&look)) {
        return strength_of_in(parse->dialect);
    }
    if (denied) {
        return parse_at(&look, KEYWORD_null) ? strength_of_is(parse->dialect) : 0;
    }
    return parse_at(&look, KEYWORD_is) || parse_at(&look, KEYWORD_isnull) ||
                   parse_at(&look, KEYWORD_notnull)
               ? strength_of_is(parse->dialect)
               : 0;
}

static struct sql_node *compare_words(struct parse *parse, struct sql_node *left)
{
    bool global = parse_dialect(parse, "c") && parse_take(parse, KEYWORD_global);
    bool not = parse_take(parse, KEYWORD_not);
    const struct like_word *word = like_at(parse);
    struct sql_node *node;
    if (parse_at(parse, KEYWORD_in)) {
        node = in(parse, left);
    } else if (parse_at(parse, KEYWORD_between)) {
        node = between(parse, left);
    } else if (word) {
        node = like(parse, left, word);
    } else if (parse_at(parse, KEYWORD_is)) {
        return is(parse, left);
    } else {
        bool denied =
            parse_at(parse, KEYWORD_notnull) || not ; /* NOTNULL, NOT NULL, ISNULL */
        parse->at++;
        return is_null(parse, left, denied);
    }
    if (node) {
        node->flags |= (not ? FLAG_NOT : 0) | (global ? FLAG_GLOBAL : 0);
    }
    return node;
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

static struct sql_node *pair(struct parse *parse, enum sql_kind kind, const char *text,
                             struct sql_node *left, int least)
{
    struct sql_node *node = parse_node(parse, kind, text, parse->at - 1);
    node->start = left->start;
    node->children[PAIR_LEFT] = left;
    /* = ANY (…) ends there: an operator behind it is about the whole comparison */
    node->children[PAIR_RIGHT] =
        at_quantified(parse) ? quantified(parse) : parse_operators(parse, least);
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
static int link_strength(const struct parse *parse)
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
    int words = word_strength(parse);
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

static struct sql_node *link(struct parse *parse, struct sql_node *left, int strength)
{
    if (parse->at->kind == TOKEN_PUNCT) {
        if (strength == STRENGTH_TERNARY) {
            return ternary(parse, left);
        }
        const char *text = canonical(parse, parse->at++->text);
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
        return collate(parse, left);
    }
    if (at_member_of(parse)) {
        parse->at += 2;
        return pair(parse, SQL_BINARY, "MEMBER OF", left, strength + 1);
    }
    if (word_strength(parse)) {
        return compare_words(parse, left);
    }
    if (parse_at(parse, KEYWORD_overlaps)) {
        return overlaps(parse, left);
    }
    const char *text = canonical(parse, parse->at++->text);
    return pair(parse, SQL_BINARY, text, left, strength + 1);
}

struct sql_node *parse_operators(struct parse *parse, int least)
{
    if (!parse_enter(parse)) {
        return NULL;
    }
    struct sql_node *left = prefixed(parse);
    int strength;
    while (left && (strength = link_strength(parse)) > 0 && strength >= least) {
        left = link(parse, left, strength);
    }
    parse->depth--;
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
