/* Comparisons in words: IS, IN, LIKE and its relatives, BETWEEN. */
#include "sql/tree/parse/parse_state.h"

#include "sql/tree/strength.h"

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
    const struct sql_node *base = value;
    while (base && (base->kind == SQL_SUBSCRIPT || base->kind == SQL_SLICE)) {
        base = base->children[PAIR_LEFT];
    }
    if (base != value && base->kind != SQL_COLUMN && base->kind != SQL_CALL) {
        return parse_fail(parse, from, "IN needs a list, a query or parentheses.");
    }
    switch (value ? value->kind : SQL_COLUMN) {
    case SQL_BINARY:
    case SQL_UNARY:
    case SQL_TERNARY:
    case SQL_COLLATE:
    case SQL_AT_TIME_ZONE:
    case SQL_LAMBDA:
    case SQL_FIELD:
    case SQL_CAST:
    case SQL_STAR:
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
    node->children[TRIPLE_SECOND] = parse_compared(parse, strength);
    if (!node->children[TRIPLE_SECOND]) {
        return NULL;
    }
    if (parse_take(parse, KEYWORD_escape)) {
        node->children[TRIPLE_THIRD] = parse_operand(parse);
        if (!node->children[TRIPLE_THIRD]) {
            return NULL;
        }
        if (parse_link_strength(parse) >= strength) {
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
    bool symmetric = parse_dialect(parse, "dpo") && parse_take_text(parse, "symmetric");
    node->flags |= symmetric ? FLAG_SYMMETRIC : 0;
    node->children[TRIPLE_FIRST] = left;
    node->children[TRIPLE_SECOND] = parse_operators(parse, strength);
    if (!node->children[TRIPLE_SECOND] || !parse_take(parse, KEYWORD_and)) {
        return node->children[TRIPLE_SECOND] ? parse_unexpected(parse) : NULL;
    }
    node->children[TRIPLE_THIRD] = parse_operators(parse, strength);
    return node->children[TRIPLE_THIRD] ? parse_end(parse, node) : NULL;
}

/* Is there a comparison in words here, and how tightly does it bind? */
int parse_word_strength(const struct parse *parse)
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
    bool test = parse_dialect(parse, "sdp") && /* elsewhere it is a name */
                (parse_at(&look, KEYWORD_isnull) || parse_at(&look, KEYWORD_notnull));
    return test || parse_at(&look, KEYWORD_is) ? strength_of_is(parse->dialect) : 0;
}

struct sql_node *parse_compare(struct parse *parse, struct sql_node *left)
{
    bool global = parse_dialect(parse, "c") && parse_take(parse, KEYWORD_global);
    bool not = parse_take(parse, KEYWORD_not);
    const struct like_word *word = like_at(parse);
    struct sql_node *node;
    if (global && !parse_at(parse, KEYWORD_in)) {
        return parse_unexpected(parse);
    }
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
    if (node && parse_dialect(parse, "m") &&
        parse_link_strength(parse) >= strength_of_in(parse->dialect)) {
        return parse_unexpected(parse); /* a LIKE b NOT LIKE c: not in MySQL, and MariaDB
                                           groups it now to the left, now to the right */
    }
    if (node) {
        node->flags |= (not ? FLAG_NOT : 0) | (global ? FLAG_GLOBAL : 0);
    }
    return node;
}
