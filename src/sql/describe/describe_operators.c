/* Operators in words: "is at least", "is one of", "contains". */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "sql/describe/describe_words.h"

static size_t token_at(const struct tokens *tokens, uint32_t start)
{
    size_t low = 0;
    size_t high = tokens->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (tokens->items[middle].start < start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The tree has no parentheses that only group. In words they stay where they stood. */
static bool in_parentheses(const struct describe_text *text, const struct sql_node *node)
{
    const struct tokens *tokens = &text->names->statement->tokens;
    if (node->end <= node->start || node->kind == SQL_SUBQUERY ||
        node->kind == SQL_TUPLE) {
        return false;
    }
    size_t first = token_at(tokens, node->start);
    size_t next = token_at(tokens, node->end);
    return first > 0 && token_is_punct(&tokens->items[first - 1], "(") &&
           token_is_punct(&tokens->items[next], ")");
}

void describe_operand(struct describe_text *text, const struct sql_node *node)
{
    bool open = in_parentheses(text, node);
    (void)buf_text(text->out, open ? "(" : "");
    describe_node(text, node);
    (void)buf_text(text->out, open ? ")" : "");
}

static bool is_arithmetic(const char *operator)
{
    return strchr("+-*/%", operator[0]) && !operator[1];
}

/* (the total of a) / (the number of rows) */
static void arithmetic_operand(struct describe_text *text, const struct sql_node *node)
{
    bool figure = describe_is_figure(node) && !in_parentheses(text, node);
    (void)buf_text(text->out, figure ? "(" : "");
    describe_operand(text, node);
    (void)buf_text(text->out, figure ? ")" : "");
}

static const char *operator_words(const struct describe_text *text, const char *operator)
{
    static const char *const words[][2] = {
        {"AND", "and"},        {"OR", "or"},          {"=", "is"},
        {"<>", "is not"},      {">=", "is at least"}, {"<=", "is at most"},
        {">", "is more than"}, {"<", "is less than"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words && text->condition; i++) {
        if (str_equal(words[i][0], operator)) {
            return words[i][1];
        }
    }
    return operator;
}

void describe_binary(struct describe_text *text, const struct sql_node *node)
{
    void (*add)(struct describe_text *, const struct sql_node *) =
        is_arithmetic(node->text) ? arithmetic_operand : describe_operand;
    add(text, node->children[PAIR_LEFT]);
    (void)buf_format(text->out, " %s ", operator_words(text, node->text));
    add(text, node->children[PAIR_RIGHT]);
}

void describe_unary(struct describe_text *text, const struct sql_node *node)
{
    const struct sql_node *value = node->children[SINGLE_VALUE];
    bool not = str_equal(node->text, "NOT");
    if (not &&value->kind == SQL_EXISTS && !in_parentheses(text, value)) {
        (void)buf_text(text->out, "there is no row of ");
        describe_rows(text->out, text->names, value->children[SINGLE_VALUE]);
        return;
    }
    bool word = node->text[0] >= 'A' && node->text[0] <= 'Z';
    (void)buf_format(text->out, "%s%s", not &&text->condition ? "not" : node->text,
                     word ? " " : "");
    if (is_arithmetic(node->text)) {
        arithmetic_operand(text, value);
    } else {
        describe_operand(text, value);
    }
}

void describe_exists(struct describe_text *text, const struct sql_node *node)
{
    (void)buf_text(text->out, "there are rows of ");
    describe_rows(text->out, text->names, node->children[SINGLE_VALUE]);
}

void describe_is(struct describe_text *text, const struct sql_node *node)
{
    const struct sql_node *right = node->children[PAIR_RIGHT];
    bool not = sql_has(node, FLAG_NOT);
    bool null = right->kind == SQL_CONSTANT && str_equal(right->text, "NULL");
    describe_operand(text, node->children[PAIR_LEFT]);
    if (text->condition) {
        (void)buf_text(text->out, not ? " is not " : " is ");
    } else {
        (void)buf_text(text->out, not ? " IS NOT " : " IS ");
    }
    (void)buf_text(text->out, sql_has(node, FLAG_DISTINCT) ? "DISTINCT FROM " : "");
    if (null && text->condition && !sql_has(node, FLAG_DISTINCT)) {
        (void)buf_text(text->out, "empty");
    } else {
        describe_operand(text, right);
    }
}

void describe_in(struct describe_text *text, const struct sql_node *node)
{
    bool not = sql_has(node, FLAG_NOT);
    describe_operand(text, node->children[PAIR_LEFT]);
    if (text->condition) {
        (void)buf_text(text->out, not ? " is none of " : " is one of ");
    } else {
        (void)buf_text(text->out, not ? " NOT IN " : " IN ");
    }
    describe_operand(text, node->children[PAIR_RIGHT]);
}

void describe_between(struct describe_text *text, const struct sql_node *node)
{
    bool not = sql_has(node, FLAG_NOT);
    describe_operand(text, node->children[TRIPLE_FIRST]);
    if (text->condition) {
        (void)buf_text(text->out, not ? " is not between " : " is between ");
    } else {
        (void)buf_text(text->out, not ? " NOT BETWEEN " : " BETWEEN ");
    }
    (void)buf_text(text->out, sql_has(node, FLAG_SYMMETRIC) ? "SYMMETRIC " : "");
    describe_operand(text, node->children[TRIPLE_SECOND]);
    (void)buf_text(text->out, text->condition ? " and " : " AND ");
    describe_operand(text, node->children[TRIPLE_THIRD]);
}

/* LIKE '%x%' -> contains 'x'; false when the pattern says more than that. */
static bool like_words(const char *pattern, bool not, const char **words, size_t *from,
                       size_t *size)
{
    size_t length = strlen(pattern);
    bool left = length > 1 && pattern[0] == '%';
    bool right = length > 1 && pattern[length - 1] == '%';
    *from = left;
    *size = length - (size_t)left - (length > (size_t)left ? (size_t)right : 0);
    for (size_t i = *from; i < *from + *size; i++) {
        if (pattern[i] == '%' || pattern[i] == '_' || pattern[i] == '\\') {
            return false;
        }
    }
    *words = left && right ? (not ? "does not contain" : "contains")
             : right       ? (not ? "does not begin with" : "begins with")
             : left        ? (not ? "does not end in" : "ends in")
                           : (not ? "is not" : "is");
    return *size > 0;
}

void describe_like(struct describe_text *text, const struct sql_node *node)
{
    const struct sql_node *pattern = node->children[TRIPLE_SECOND];
    const struct sql_node *escape = node->children[TRIPLE_THIRD];
    bool not = sql_has(node, FLAG_NOT);
    bool spoken = text->condition &&
                  (str_equal(node->text, "LIKE") || str_equal(node->text, "ILIKE"));
    bool plain = pattern->kind == SQL_STRING && !sql_has(pattern, FLAG_RAW) && !escape;
    const char *words;
    size_t from;
    size_t size;
    describe_operand(text, node->children[TRIPLE_FIRST]);
    if (spoken && plain && like_words(pattern->text, not, &words, &from, &size)) {
        (void)buf_format(text->out, " %s '%.*s'", words, (int)size, pattern->text + from);
        return;
    }
    if (spoken) {
        (void)buf_text(text->out, not ? " is not like " : " is like ");
    } else {
        (void)buf_format(text->out, "%s %s ",
                         !not              ? ""
                         : text->condition ? " not"
                                           : " NOT",
                         node->text);
    }
    describe_operand(text, pattern);
    if (escape) {
        (void)buf_text(text->out, " ESCAPE ");
        describe_operand(text, escape);
    }
}
