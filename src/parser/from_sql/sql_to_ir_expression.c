/* Expressions and conditions of SQL by precedence, from OR down to names and literals. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/from_sql/sql_to_ir_state.h"

static struct ir_node *read_inner(struct sql_reading *reading) /* after ( */
{
    struct ir_query *query = sql_read_query(reading, reading->scope, NULL);
    sql_need(reading, ")");
    return ir_node_query(reading->arena, query);
}

static bool next_is_query(const struct sql_reading *reading)
{
    return sql_next_is(reading, "select") || sql_next_is(reading, "with");
}

static struct ir_node *read_bracket(struct sql_reading *reading)
{
    if (next_is_query(reading)) {
        return read_inner(reading);
    }
    struct ir_node *node = sql_read_condition(reading);
    sql_need(reading, ")");
    return node;
}

static struct ir_node *read_exists(struct sql_reading *reading)
{
    sql_need(reading, "(");
    return sql_make_exists(reading, read_inner(reading));
}

/* Words that are values or dates by themselves. NULL: none of them. */
static struct ir_node *read_constant(struct sql_reading *reading)
{
    static const char *const dates[] = {"current_date", "current_timestamp", NULL};
    if (sql_eat(reading, "true")) {
        return sql_number(reading, "1");
    }
    if (sql_eat(reading, "false")) {
        return sql_number(reading, "0");
    }
    for (size_t i = 0; dates[i]; i++) {
        if (sql_eat(reading, dates[i])) {
            return sql_call(reading, IR_NOW, NULL, NULL);
        }
    }
    bool typed = sql_next_is(reading, "date") || sql_next_is(reading, "timestamp");
    if (typed && sql_peek(reading, 1)->kind == TOKEN_STRING) {
        reading->at += 2;
        return ir_node_text(reading->arena, reading->tokens.items[reading->at - 1].text,
                            true);
    }
    return NULL;
}

static struct ir_node *read_primary(struct sql_reading *reading)
{
    const struct token *token = sql_peek(reading, 0);
    if (token->kind == TOKEN_NUMBER || token->kind == TOKEN_STRING) {
        reading->at++;
        return ir_node_text(reading->arena, token->text, token->kind == TOKEN_STRING);
    }
    if (sql_eat_punct(reading, "(")) {
        return read_bracket(reading);
    }
    if (sql_eat_punct(reading, "*")) {
        return ir_node_column(reading->arena, 0, false);
    }
    if (token->kind != TOKEN_WORD) {
        return sql_read_name(reading);
    }
    struct ir_node *date = sql_read_template(reading);
    if (date) {
        return date;
    }
    if (sql_eat(reading, "case")) {
        return sql_read_case(reading);
    }
    if (sql_eat(reading, "exists")) {
        return read_exists(reading);
    }
    struct ir_node *constant = read_constant(reading);
    if (constant) {
        return constant;
    }
    if (token_is_punct(sql_peek(reading, 1), "(")) {
        return sql_read_function(reading);
    }
    return sql_read_name(reading);
}

static struct ir_node *read_unary(struct sql_reading *reading)
{
    if (!sql_eat_punct(reading, "-")) {
        (void)sql_eat_punct(reading, "+");
        return read_primary(reading);
    }
    const struct token *token = sql_peek(reading, 0);
    if (token->kind == TOKEN_NUMBER) {
        reading->at++;
        return sql_number(reading, arena_format(reading->arena, "-%s", token->text));
    }
    return sql_make_binary(reading, IR_MINUS, sql_number(reading, "0"),
                           read_primary(reading));
}

static struct ir_node *read_concat(struct sql_reading *reading)
{
    struct ir_node *node = read_unary(reading);
    if (!sql_next_punct(reading, "||")) {
        return node;
    }
    struct ir_nodes parts = {0};
    VEC_PUSH(reading->arena, &parts, node);
    while (sql_eat_punct(reading, "||")) {
        VEC_PUSH(reading->arena, &parts, read_unary(reading));
    }
    return sql_make_concat(reading, &parts);
}

static struct ir_node *read_product(struct sql_reading *reading)
{
    struct ir_node *node = read_concat(reading);
    for (;;) {
        if (sql_eat_punct(reading, "*")) {
            node = sql_make_binary(reading, IR_TIMES, node, read_concat(reading));
        } else if (sql_eat_punct(reading, "/")) {
            node = sql_make_binary(reading, IR_DIVIDE, node, read_concat(reading));
        } else {
            return node;
        }
    }
}

struct ir_node *sql_read_expression(struct sql_reading *reading)
{
    struct ir_node *node = read_product(reading);
    for (;;) {
        if (sql_eat_punct(reading, "+")) {
            node = sql_make_binary(reading, IR_PLUS, node, read_product(reading));
        } else if (sql_eat_punct(reading, "-")) {
            node = sql_make_binary(reading, IR_MINUS, node, read_product(reading));
        } else {
            return node;
        }
    }
}

static struct ir_node *read_in(struct sql_reading *reading, struct ir_node *left)
{
    sql_need(reading, "(");
    if (next_is_query(reading)) {
        return sql_call(reading, IR_IN, left, read_inner(reading));
    }
    struct ir_node *node = sql_call(reading, IR_IN, left, NULL);
    struct ir_nodes values = {0};
    if (!sql_read_list(reading, &values)) {
        return node;
    }
    if (values.count == 1) {
        return sql_make_test(reading, IR_EQUAL, left, values.items[0]);
    }
    for (size_t i = 0; i < values.count; i++) {
        if (!ir_node_is_value(values.items[i])) {
            return sql_fail(reading, "A list of something but values.");
        }
        VEC_PUSH(reading->arena, &node->args, values.items[i]);
    }
    return node;
}

static struct ir_node *read_between(struct sql_reading *reading, struct ir_node *left)
{
    struct ir_node *low = sql_read_expression(reading);
    sql_need(reading, "and");
    struct ir_node *high = sql_read_expression(reading);
    struct ir_node *from = sql_make_test(reading, IR_AT_LEAST, left, low);
    struct ir_node *to = sql_make_test(reading, IR_AT_MOST, left, high);
    struct ir_nodes parts = {0};
    VEC_PUSH(reading->arena, &parts, from);
    VEC_PUSH(reading->arena, &parts, to);
    return sql_make_chain(reading, IR_AND, &parts); /* joins the two again */
}

static struct ir_node *read_like(struct sql_reading *reading, struct ir_node *left)
{
    struct ir_node *pattern = read_unary(reading);
    if (pattern->kind != IR_NODE_TEXT) {
        return sql_fail(reading, "LIKE with something but a text.");
    }
    return sql_make_like(reading, left, pattern->text, false);
}

static struct ir_node *read_is(struct sql_reading *reading, struct ir_node *left)
{
    bool negated = sql_eat(reading, "not");
    if (sql_eat(reading, "null")) {
        return sql_call(reading, negated ? IR_NOT_NULL : IR_IS_NULL, left, NULL);
    }
    return sql_make_test(reading, negated ? IR_UNEQUAL : IR_EQUAL, left,
                         sql_read_expression(reading));
}

static bool read_operator(struct sql_reading *reading, enum ir_keyword *keyword)
{
    static const struct {
        const char *punct;
        enum ir_keyword keyword;
    } rows[] = {
        {"=", IR_EQUAL},    {"==", IR_EQUAL},    {"!=", IR_UNEQUAL}, {"<>", IR_UNEQUAL},
        {"<=", IR_AT_MOST}, {">=", IR_AT_LEAST}, {"<", IR_LESS},     {">", IR_GREATER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (sql_eat_punct(reading, rows[i].punct)) {
            *keyword = rows[i].keyword;
            return true;
        }
    }
    return false;
}

static struct ir_node *read_comparison(struct sql_reading *reading)
{
    struct ir_node *left = sql_read_expression(reading);
    enum ir_keyword keyword;
    if (read_operator(reading, &keyword)) {
        return sql_make_test(reading, keyword, left, sql_read_expression(reading));
    }
    if (sql_eat(reading, "is")) {
        return read_is(reading, left);
    }
    bool negated = sql_eat(reading, "not");
    struct ir_node *node = left;
    if (sql_eat(reading, "in")) {
        node = read_in(reading, left);
    } else if (sql_eat(reading, "between")) {
        node = read_between(reading, left);
    } else if (sql_eat(reading, "like") || sql_eat(reading, "ilike")) {
        node = read_like(reading, left);
    }
    return negated ? sql_make_not(reading, node) : node;
}

static struct ir_node *read_not(struct sql_reading *reading)
{
    bool negated = false;
    while (sql_eat(reading, "not")) {
        negated = !negated;
    }
    struct ir_node *node = read_comparison(reading);
    return negated ? sql_make_not(reading, node) : node;
}

static struct ir_node *read_and(struct sql_reading *reading)
{
    struct ir_nodes parts = {0};
    do {
        VEC_PUSH(reading->arena, &parts, read_not(reading));
    } while (sql_eat(reading, "and"));
    return parts.count == 1 ? parts.items[0] : sql_make_chain(reading, IR_AND, &parts);
}

struct ir_node *sql_read_condition(struct sql_reading *reading)
{
    struct ir_nodes parts = {0};
    if (++reading->depth > SQL_DEPTH_MAX) {
        return sql_fail(reading, "The query is too deep.");
    }
    do {
        VEC_PUSH(reading->arena, &parts, read_and(reading));
    } while (sql_eat(reading, "or"));
    reading->depth--;
    return parts.count == 1 ? parts.items[0] : sql_make_chain(reading, IR_OR, &parts);
}
