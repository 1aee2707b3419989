/* Values and conditions, one function for each kind of node. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir_state.h"

static struct ir_node *read_number(struct sql_reading *reading,
                                   const struct sql_node *node)
{
    return sql_number(reading, node->text);
}

static struct ir_node *read_text(struct sql_reading *reading, const struct sql_node *node)
{
    return sql_has(node, FLAG_RAW)
               ? sql_fail(reading, "A text with escapes: %.80s.", node->text)
               : ir_node_text(reading->arena, node->text, true);
}

/* DATE '2024-01-01' */
static struct ir_node *read_typed_text(struct sql_reading *reading,
                                       const struct sql_node *node)
{
    const char *type = node->children[PAIR_LEFT]->text;
    return str_equal_nocase(type, "date") || str_equal_nocase(type, "timestamp")
               ? read_text(reading, node->children[PAIR_RIGHT])
               : sql_fail(reading, "A text of the type %s.", type);
}

static struct ir_node *read_constant(struct sql_reading *reading,
                                     const struct sql_node *node)
{
    if (str_equal(node->text, "TRUE") || str_equal(node->text, "FALSE")) {
        return sql_number(reading, str_equal(node->text, "TRUE") ? "1" : "0");
    }
    if (str_equal(node->text, "CURRENT_DATE") ||
        str_equal(node->text, "CURRENT_TIMESTAMP")) {
        return sql_call(reading, IR_NOW, NULL, NULL);
    }
    return sql_fail(reading, "The value %s.", node->text);
}

static struct ir_node *read_star(struct sql_reading *reading, const struct sql_node *node)
{
    return node->children[STAR_OPTIONS] ? sql_fail(reading, "A part of all columns.")
                                        : ir_node_column(reading->arena, 0, false);
}

static struct ir_node *read_query(struct sql_reading *reading,
                                  const struct sql_node *query)
{
    return ir_node_query(reading->arena,
                         sql_read_query(reading, query, reading->scope, NULL));
}

static struct ir_node *read_subquery(struct sql_reading *reading,
                                     const struct sql_node *node)
{
    struct ir_node *inner = read_query(reading, node->children[SINGLE_VALUE]);
    struct ir_node *event =
        inner->kind == IR_NODE_QUERY ? sql_make_event(reading, inner->query) : NULL;
    return event ? event : inner;
}

static struct ir_node *read_exists(struct sql_reading *reading,
                                   const struct sql_node *node)
{
    return sql_make_exists(reading, read_query(reading, node->children[SINGLE_VALUE]));
}

static struct ir_node *read_unary(struct sql_reading *reading,
                                  const struct sql_node *node)
{
    const struct sql_node *operand = node->children[SINGLE_VALUE];
    if (str_equal(node->text, "NOT")) {
        bool twice = sql_is(operand, SQL_UNARY) && str_equal(operand->text, "NOT");
        return twice ? sql_read_value(reading, operand->children[SINGLE_VALUE])
                     : sql_make_not(reading, sql_read_value(reading, operand));
    }
    if (str_equal(node->text, "+")) {
        return sql_read_value(reading, operand);
    }
    if (!str_equal(node->text, "-")) {
        return sql_fail(reading, "The operator %s.", node->text);
    }
    if (sql_is(operand, SQL_NUMBER)) {
        return sql_number(reading, arena_format(reading->arena, "-%s", operand->text));
    }
    return sql_make_binary(reading, IR_MINUS, sql_number(reading, "0"),
                           sql_read_value(reading, operand));
}

/* a AND b AND c hangs to the left; its parts from left to right. */
static void read_parts(struct sql_reading *reading, const struct sql_node *node,
                       struct ir_nodes *parts)
{
    size_t links = 0;
    const struct sql_node *first = node;
    while (sql_is(first, SQL_BINARY) && str_equal(first->text, node->text)) {
        first = first->children[PAIR_LEFT];
        links++;
    }
    const struct sql_node **values =
        arena_array(reading->arena, links + 1, sizeof *values);
    values[0] = first;
    for (size_t i = links; i > 0; i--, node = node->children[PAIR_LEFT]) {
        values[i] = node->children[PAIR_RIGHT];
    }
    for (size_t i = 0; i <= links; i++) {
        VEC_PUSH(reading->arena, parts, sql_read_value(reading, values[i]));
    }
}

static struct ir_node *read_chain(struct sql_reading *reading, enum ir_keyword keyword,
                                  const struct sql_node *node)
{
    struct ir_nodes parts = {0};
    read_parts(reading, node, &parts);
    return keyword == IR_CONCAT ? sql_make_concat(reading, &parts)
                                : sql_make_chain(reading, keyword, &parts);
}

typedef struct ir_node *(*make_fn)(struct sql_reading *reading, enum ir_keyword keyword,
                                   struct ir_node *a, struct ir_node *b);

static const struct binary {
    const char *text;
    enum ir_keyword keyword;
    make_fn make; /* NULL: a chain of any length */
} binaries[] = {
    {"AND", IR_AND, NULL},
    {"OR", IR_OR, NULL},
    {"||", IR_CONCAT, NULL},
    {"=", IR_EQUAL, sql_make_test},
    {"<>", IR_UNEQUAL, sql_make_test},
    {"<", IR_LESS, sql_make_test},
    {">", IR_GREATER, sql_make_test},
    {"<=", IR_AT_MOST, sql_make_test},
    {">=", IR_AT_LEAST, sql_make_test},
    {"+", IR_PLUS, sql_make_binary},
    {"-", IR_MINUS, sql_make_binary},
    {"*", IR_TIMES, sql_make_binary},
    {"/", IR_DIVIDE, sql_make_binary},
};

static struct ir_node *read_binary(struct sql_reading *reading,
                                   const struct sql_node *node)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        const struct binary *binary = &binaries[i];
        if (!str_equal(node->text, binary->text)) {
            continue;
        }
        if (!binary->make) {
            return read_chain(reading, binary->keyword, node);
        }
        struct ir_node *a = sql_read_value(reading, node->children[PAIR_LEFT]);
        struct ir_node *b = sql_read_value(reading, node->children[PAIR_RIGHT]);
        return binary->make(reading, binary->keyword, a, b);
    }
    return sql_fail(reading, "The operator %s.", node->text);
}

static struct ir_node *negate(struct sql_reading *reading, const struct sql_node *node,
                              struct ir_node *test)
{
    return sql_has(node, FLAG_NOT) ? sql_make_not(reading, test) : test;
}

static struct ir_node *read_is(struct sql_reading *reading, const struct sql_node *node)
{
    const struct sql_node *right = node->children[PAIR_RIGHT];
    bool negated = sql_has(node, FLAG_NOT);
    struct ir_node *left = sql_read_value(reading, node->children[PAIR_LEFT]);
    if (sql_has(node, FLAG_DISTINCT)) {
        return sql_fail(reading, "IS DISTINCT FROM.");
    }
    if (sql_is(right, SQL_CONSTANT) && str_equal(right->text, "NULL")) {
        return sql_call(reading, negated ? IR_NOT_NULL : IR_IS_NULL, left, NULL);
    }
    return sql_make_test(reading, negated ? IR_UNEQUAL : IR_EQUAL, left,
                         sql_read_value(reading, right));
}

static struct ir_node *read_in(struct sql_reading *reading, const struct sql_node *node)
{
    const struct sql_node *right = node->children[PAIR_RIGHT];
    struct ir_node *left = sql_read_value(reading, node->children[PAIR_LEFT]);
    if (sql_is(right, SQL_SUBQUERY)) {
        struct ir_node *query = sql_read_value(reading, right);
        return negate(reading, node, sql_call(reading, IR_IN, left, query));
    }
    if (!sql_is(right, SQL_TUPLE) || right->count == 0) {
        return sql_fail(reading, "IN with something but values or a query.");
    }
    struct ir_node *test = sql_call(reading, IR_IN, left, NULL);
    for (size_t i = 0; i < right->count; i++) {
        struct ir_node *value = sql_read_value(reading, right->children[i]);
        if (right->count == 1) {
            test = sql_make_test(reading, IR_EQUAL, left, value);
        } else if (!ir_node_is_value(value)) {
            return sql_fail(reading, "A list of something but values.");
        } else {
            VEC_PUSH(reading->arena, &test->args, value);
        }
    }
    return negate(reading, node, test);
}

static struct ir_node *read_between(struct sql_reading *reading,
                                    const struct sql_node *node)
{
    struct ir_node *value = sql_read_value(reading, node->children[TRIPLE_FIRST]);
    struct ir_node *low = sql_read_value(reading, node->children[TRIPLE_SECOND]);
    struct ir_node *high = sql_read_value(reading, node->children[TRIPLE_THIRD]);
    struct ir_nodes parts = {0};
    if (sql_has(node, FLAG_SYMMETRIC)) {
        return sql_fail(reading, "BETWEEN SYMMETRIC.");
    }
    VEC_PUSH(reading->arena, &parts, sql_make_test(reading, IR_AT_LEAST, value, low));
    VEC_PUSH(reading->arena, &parts, sql_make_test(reading, IR_AT_MOST, value, high));
    return negate(reading, node, /* joins the two again */
                  sql_make_chain(reading, IR_AND, &parts));
}

/* What escapes in a pattern without being told to. */
static char escape_of(enum dialect dialect)
{
    bool backslash = dialect == DIALECT_POSTGRES || dialect == DIALECT_MYSQL ||
                     dialect == DIALECT_CLICKHOUSE || dialect == DIALECT_BIGQUERY;
    return backslash ? '\\' : '\0';
}

static struct ir_node *read_like(struct sql_reading *reading, const struct sql_node *node)
{
    struct ir_node *value = sql_read_value(reading, node->children[TRIPLE_FIRST]);
    struct ir_node *pattern = sql_read_value(reading, node->children[TRIPLE_SECOND]);
    const struct sql_node *sign = node->children[TRIPLE_THIRD];
    bool known = str_equal(node->text, "LIKE") || str_equal(node->text, "ILIKE");
    bool one = sign && sql_is(sign, SQL_STRING) && strlen(sign->text) == 1;
    if (!known || (sign && !one) || pattern->kind != IR_NODE_TEXT) {
        return sql_fail(reading, "LIKE with something but a text.");
    }
    char escape = one ? sign->text[0] : escape_of(reading->request->dialect);
    struct ir_node *test = sql_make_like(reading, value, pattern->text, escape);
    if (one && ir_node_is(test, IR_MATCHES)) {
        return sql_fail(reading, "LIKE with ESCAPE and signs that stand for others.");
    }
    return negate(reading, node, test);
}

static struct ir_node *(*const readers[SQL_KIND_COUNT])(struct sql_reading *reading,
                                                        const struct sql_node *node) = {
    [SQL_NUMBER] = read_number,
    [SQL_STRING] = read_text,
    [SQL_TYPED_STRING] = read_typed_text,
    [SQL_CONSTANT] = read_constant,
    [SQL_COLUMN] = sql_read_column,
    [SQL_STAR] = read_star,
    [SQL_SUBQUERY] = read_subquery,
    [SQL_EXISTS] = read_exists,
    [SQL_UNARY] = read_unary,
    [SQL_BINARY] = read_binary,
    [SQL_IS] = read_is,
    [SQL_IN] = read_in,
    [SQL_BETWEEN] = read_between,
    [SQL_LIKE] = read_like,
    [SQL_CASE] = sql_read_case,
    [SQL_CALL] = sql_read_call,
    [SQL_CAST] = sql_read_cast,
    [SQL_EXTRACT] = sql_read_extract,
};

struct ir_node *sql_read_value(struct sql_reading *reading, const struct sql_node *node)
{
    if (reading->failed || reading->depth >= SQL_DEPTH_MAX) {
        return sql_fail(reading, "The query is too deep.");
    }
    reading->depth++;
    struct ir_node *value = sql_read_template(reading, node);
    if (!value && !readers[node->kind]) {
        value =
            sql_fail(reading, "The IR has no words for: %s.", sql_kind_name(node->kind));
    }
    value = value ? value : readers[node->kind](reading, node);
    reading->depth--;
    return value;
}
