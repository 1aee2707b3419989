/*
 * Tokens into a tree. The automaton has looked at the shape before, so the reader here
 * asks only what it needs to know to go on; its depth is bounded by the token limit.
 */
#include "parser/ir/ir_tree.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "parser/ir/ir_check.h"
#include "parser/ir/ir_grammar.h"
#include "parser/ir/ir_schema.h"

struct reader {
    struct arena *arena;
    const struct ir_tokens *tokens;
    size_t at;
};

static struct ir_query *read_query(struct reader *reader);
static struct ir_node *read_condition(struct reader *reader);
static struct ir_node *read_expression(struct reader *reader);

static struct ir_token peek(const struct reader *reader)
{
    return reader->at < reader->tokens->count ? reader->tokens->items[reader->at]
                                              : ir_word(IR_END);
}

static bool next_is(const struct reader *reader, enum ir_keyword keyword)
{
    return ir_is(peek(reader), keyword);
}

static bool eat(struct reader *reader, enum ir_keyword keyword)
{
    if (!next_is(reader, keyword)) {
        return false;
    }
    reader->at++;
    return true;
}

static struct ir_token ir_read_take(struct reader *reader)
{
    struct ir_token token = peek(reader);
    reader->at++;
    return token;
}

static bool next_is_value(const struct reader *reader)
{
    enum ir_kind kind = peek(reader).kind;
    return kind == IR_VALUE || kind == IR_FIXED;
}

static struct ir_node *read_value(struct reader *reader)
{
    return ir_node_token(reader->arena, ir_read_take(reader));
}

static struct ir_node *read_column(struct reader *reader)
{
    bool second = eat(reader, IR_SECOND);
    struct ir_node *node = ir_node_token(reader->arena, ir_read_take(reader));
    node->second = second;
    return node;
}

static struct ir_node *read_inner(struct reader *reader) /* ( query ) */
{
    reader->at++;
    struct ir_node *node = ir_node_query(reader->arena, read_query(reader));
    reader->at++;
    return node;
}

static void read_values(struct reader *reader, struct ir_node *call)
{
    while (next_is_value(reader)) {
        VEC_PUSH(reader->arena, &call->args, read_value(reader));
    }
}

static bool is_binary(enum ir_keyword keyword)
{
    static const enum ir_keyword words[] = {IR_PLUS,   IR_MINUS,   IR_TIMES,  IR_DIVIDE,
                                            IR_RATIO,  IR_PERCENT, IR_CONCAT, IR_YEARS,
                                            IR_MONTHS, IR_DAYS,    IR_HOURS};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i] == keyword) {
            return true;
        }
    }
    return false;
}

static struct ir_node *read_if(struct reader *reader)
{
    struct ir_node *node =
        ir_node_call(reader->arena, IR_IF, read_condition(reader), NULL);
    reader->at++; /* then */
    VEC_PUSH(reader->arena, &node->args, read_expression(reader));
    if (eat(reader, IR_ELSE)) {
        VEC_PUSH(reader->arena, &node->args, read_expression(reader));
    }
    return node;
}

/* Has it one value after its expression? */
static bool is_valued(enum ir_keyword keyword)
{
    return keyword == IR_PERCENTILE || keyword == IR_MOVING ||
           (keyword >= IR_LEFT_OF && keyword <= IR_AFTER_SIGN);
}

static struct ir_node *read_unit(struct reader *reader)
{
    return ir_node_call(reader->arena, (enum ir_keyword)ir_read_take(reader).index, NULL,
                        NULL);
}

static struct ir_node *read_call(struct reader *reader, enum ir_keyword keyword)
{
    if (keyword == IR_NOW) {
        return ir_node_call(reader->arena, keyword, NULL, NULL);
    }
    if (keyword == IR_IF) {
        return read_if(reader);
    }
    struct ir_node *first = read_expression(reader);
    bool date = keyword >= IR_SHIFT && keyword <= IR_PRIOR;
    struct ir_node *second = is_binary(keyword) || date ? read_expression(reader)
                             : is_valued(keyword)       ? read_value(reader)
                                                        : NULL;
    struct ir_node *node = ir_node_call(reader->arena, keyword, first, second);
    if (keyword == IR_BUCKET) {
        read_values(reader, node);
    } else if (keyword == IR_SHIFT) {
        VEC_PUSH(reader->arena, &node->args, read_unit(reader));
    }
    return node;
}

static struct ir_node *read_expression(struct reader *reader)
{
    struct ir_token token = peek(reader);
    if (token.kind != IR_KEYWORD) {
        return ir_node_token(reader->arena, ir_read_take(reader));
    }
    if (token.index == IR_SECOND) {
        return read_column(reader);
    }
    if (token.index == IR_OPEN) {
        return read_inner(reader);
    }
    reader->at++;
    if (token.index == IR_OUTER) {
        struct ir_node *node = read_column(reader);
        node->outer = true;
        return node;
    }
    if (token.index >= IR_ITEM1 && token.index <= IR_ITEM3) {
        return ir_node_item(reader->arena, token.index - IR_ITEM1 + 1);
    }
    return read_call(reader, (enum ir_keyword)token.index);
}

static struct ir_node *read_period(struct reader *reader)
{
    if (next_is_value(reader)) {
        return read_value(reader);
    }
    enum ir_keyword keyword = (enum ir_keyword)ir_read_take(reader).index;
    struct ir_node *value = next_is_value(reader) ? read_value(reader) : NULL;
    return ir_node_call(reader->arena, keyword, value, read_unit(reader));
}

static struct ir_node *read_test(struct reader *reader, struct ir_node *left)
{
    enum ir_keyword keyword = (enum ir_keyword)ir_read_take(reader).index;
    struct ir_node *node = ir_node_call(reader->arena, keyword, left, NULL);
    if (keyword == IR_IS_NULL || keyword == IR_NOT_NULL) {
        return node;
    }
    if (keyword == IR_IN || keyword == IR_NOT_IN) {
        if (next_is(reader, IR_OPEN)) {
            VEC_PUSH(reader->arena, &node->args, read_inner(reader));
        } else {
            read_values(reader, node);
        }
        return node;
    }
    bool period = keyword >= IR_DURING && keyword <= IR_UNTIL;
    VEC_PUSH(reader->arena, &node->args,
             period ? read_period(reader) : read_expression(reader));
    if (keyword == IR_BETWEEN) {
        VEC_PUSH(reader->arena, &node->args, read_expression(reader));
    }
    return node;
}

static struct ir_node *read_predicate(struct reader *reader)
{
    if (eat(reader, IR_NOT)) {
        return ir_node_call(reader->arena, IR_NOT, read_predicate(reader), NULL);
    }
    if (eat(reader, IR_BRACKET)) {
        struct ir_node *node = read_condition(reader);
        reader->at++;
        return node;
    }
    if (eat(reader, IR_EXISTS)) {
        return ir_node_call(reader->arena, IR_EXISTS, read_inner(reader), NULL);
    }
    return read_test(reader, read_expression(reader));
}

/* AND binds tighter than OR, as in SQL; a chain becomes one call. */
static struct ir_node *read_chain(struct reader *reader, enum ir_keyword keyword)
{
    struct ir_node *node =
        keyword == IR_OR ? read_chain(reader, IR_AND) : read_predicate(reader);
    struct ir_node *chain = NULL;
    while (eat(reader, keyword)) {
        if (!chain) {
            chain = ir_node_call(reader->arena, keyword, node, NULL);
        }
        VEC_PUSH(reader->arena, &chain->args,
                 keyword == IR_OR ? read_chain(reader, IR_AND) : read_predicate(reader));
    }
    return chain ? chain : node;
}

static struct ir_node *read_condition(struct reader *reader)
{
    return read_chain(reader, IR_OR);
}

static void read_source(struct reader *reader, struct ir_query *query)
{
    struct ir_source *source = VEC_ADD(reader->arena, &query->sources);
    source->left = eat(reader, IR_LEFT);
    source->second = eat(reader, IR_SECOND);
    source->table = ir_read_take(reader).index;
    while (next_is(reader, IR_VIA) || next_is(reader, IR_ON) ||
           next_is(reader, IR_WITH)) {
        if (eat(reader, IR_WITH)) {
            source->with = read_predicate(reader);
            continue;
        }
        bool two = ir_read_take(reader).index == IR_ON;
        struct ir_node *a = read_column(reader);
        struct ir_join join = {a, two ? read_column(reader) : NULL};
        VEC_PUSH(reader->arena, &source->joins, join);
    }
}

static void read_from(struct reader *reader, struct ir_query *query)
{
    if (next_is(reader, IR_OPEN)) {
        query->from = read_inner(reader)->query;
        return;
    }
    while (peek(reader).kind == IR_TABLE || next_is(reader, IR_LEFT) ||
           next_is(reader, IR_SECOND)) {
        read_source(reader, query);
    }
}

/* Expressions up to the next clause. */
static bool ends_list(struct ir_token token)
{
    static const enum ir_keyword words[] = {
        IR_END,    IR_FROM,  IR_WHERE, IR_HAVING,    IR_ORDER, IR_LIMIT1,    IR_LIMIT,
        IR_OFFSET, IR_CLOSE, IR_PER,   IR_INTERSECT, IR_UNION, IR_UNION_ALL, IR_EXCEPT};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ir_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

static void read_list(struct reader *reader, struct ir_nodes *nodes)
{
    while (!ends_list(peek(reader))) {
        VEC_PUSH(reader->arena, nodes, read_expression(reader));
    }
}

static void read_order(struct reader *reader, struct ir_query *query)
{
    while (!ends_list(peek(reader))) {
        struct ir_order order = {read_expression(reader), false};
        order.descending = ir_read_take(reader).index == IR_DESC;
        VEC_PUSH(reader->arena, &query->order, order);
    }
}

static void read_limit(struct reader *reader, struct ir_query *query)
{
    if (eat(reader, IR_LIMIT1)) {
        query->limit =
            ir_node_token(reader->arena, (struct ir_token){IR_FIXED, IR_FIXED_ONE});
    } else if (eat(reader, IR_LIMIT)) {
        query->limit = read_value(reader);
    }
    if (eat(reader, IR_OFFSET)) {
        query->offset = read_value(reader);
    }
    if (eat(reader, IR_PER)) {
        read_list(reader, &query->per);
    }
}

static struct ir_query *read_query(struct reader *reader)
{
    struct ir_query *query = ARENA_NEW(reader->arena, struct ir_query);
    reader->at++; /* select */
    query->distinct = eat(reader, IR_DISTINCT);
    read_list(reader, &query->select);
    reader->at++; /* from */
    read_from(reader, query);
    if (eat(reader, IR_WHERE)) {
        query->where = read_condition(reader);
    }
    if (eat(reader, IR_GROUP)) {
        read_list(reader, &query->group);
    }
    if (eat(reader, IR_HAVING)) {
        query->having = read_condition(reader);
    }
    if (eat(reader, IR_ORDER)) {
        read_order(reader, query);
    }
    read_limit(reader, query);
    struct ir_token token = peek(reader);
    if (token.kind == IR_KEYWORD && token.index >= IR_INTERSECT &&
        token.index <= IR_EXCEPT) {
        query->set = (enum ir_keyword)ir_read_take(reader).index;
        query->set_query = read_query(reader);
    }
    return query;
}

static bool shape_check(const struct ir_tokens *tokens, struct err *err)
{
    struct ir_state state;
    ir_state_init(&state);
    for (size_t i = 0; i < tokens->count; i++) {
        if (ir_is(tokens->items[i], IR_END) || !ir_state_take(&state, tokens->items[i])) {
            return err_set(err, ERR_INVALID_DATA, "Token %zu may not stand there.",
                           i + 1);
        }
    }
    if (!ir_state_take(&state, ir_word(IR_END))) {
        return err_set(err, ERR_INVALID_DATA, "The query stops in the middle.");
    }
    return true;
}

bool ir_tree_read(struct arena *arena, const struct ir_tokens *tokens,
                  const struct ir_schema *schema, size_t value_count,
                  struct ir_query **query, struct err *err)
{
    if (!shape_check(tokens, err) ||
        !ir_check_indices(tokens, schema, value_count, err)) {
        return false;
    }
    struct reader reader = {arena, tokens, 0};
    *query = read_query(&reader);
    return ir_check_query(*query, schema, err);
}

bool ir_check(const struct ir_tokens *tokens, const struct ir_schema *schema,
              size_t value_count, struct err *err)
{
    struct ir_query *query;
    struct arena *arena = arena_new();
    bool good = ir_tree_read(arena, tokens, schema, value_count, &query, err);
    arena_free(arena);
    return good;
}
