/* A tree into tokens. */
#include "parser/ir/ir_tree.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

struct writing {
    struct arena *arena;
    struct ir_tokens *tokens;
    bool bad; /* something without a token */
};

static void write_query(struct writing *writing, const struct ir_query *query);
static void write_node(struct writing *writing, const struct ir_node *node);
static void write_condition(struct writing *writing, const struct ir_node *node);

static void put(struct writing *writing, struct ir_token token)
{
    if (writing->tokens->count <= IR_TOKENS_MAX) {
        VEC_PUSH(writing->arena, writing->tokens, token);
    }
}

static void put_word(struct writing *writing, enum ir_keyword keyword)
{
    put(writing, ir_word(keyword));
}

static void write_inner(struct writing *writing, const struct ir_query *query)
{
    put_word(writing, IR_OPEN);
    write_query(writing, query);
    put_word(writing, IR_CLOSE);
}

static void write_nodes(struct writing *writing, const struct ir_nodes *nodes,
                        size_t from)
{
    for (size_t i = from; i < nodes->count; i++) {
        write_node(writing, nodes->items[i]);
    }
}

static bool is_test(enum ir_keyword keyword)
{
    return keyword >= IR_EQUAL && keyword <= IR_UNTIL && keyword != IR_EXISTS;
}

static bool is_condition(enum ir_keyword keyword)
{
    return is_test(keyword) || keyword == IR_EXISTS || keyword == IR_AND ||
           keyword == IR_OR || keyword == IR_NOT;
}

static void write_call(struct writing *writing, const struct ir_node *node)
{
    enum ir_keyword keyword = node->keyword;
    if (is_condition(keyword)) {
        writing->bad = true; /* a condition where an expression must stand */
        return;
    }
    put_word(writing, keyword);
    if (keyword != IR_IF) {
        write_nodes(writing, &node->args, 0);
        return;
    }
    write_condition(writing, node->args.items[0]);
    put_word(writing, IR_THEN);
    write_node(writing, node->args.items[1]);
    if (node->args.count > 2) {
        put_word(writing, IR_ELSE);
        write_node(writing, node->args.items[2]);
    }
}

static void write_node(struct writing *writing, const struct ir_node *node)
{
    switch (node->kind) {
    case IR_NODE_TOKEN:
        if (node->outer) {
            put_word(writing, IR_OUTER);
        }
        if (node->second) {
            put_word(writing, IR_SECOND);
        }
        put(writing, node->token);
        break;
    case IR_NODE_TEXT:
        writing->bad = true;
        break;
    case IR_NODE_ITEM:
        writing->bad = writing->bad || node->item < 1 || node->item > 3;
        put(writing, (struct ir_token){IR_KEYWORD, IR_ITEM1 + node->item - 1});
        break;
    case IR_NODE_CALL:
        write_call(writing, node);
        break;
    case IR_NODE_QUERY:
        write_inner(writing, node->query);
        break;
    }
}

static void write_bracket(struct writing *writing, const struct ir_node *node)
{
    put_word(writing, IR_BRACKET);
    write_condition(writing, node);
    put_word(writing, IR_BRACKET_END);
}

static void write_chain(struct writing *writing, const struct ir_node *node)
{
    for (size_t i = 0; i < node->args.count; i++) {
        const struct ir_node *part = node->args.items[i];
        if (i) {
            put_word(writing, node->keyword);
        }
        if (node->keyword == IR_AND && ir_node_is(part, IR_OR)) {
            write_bracket(writing, part);
        } else {
            write_condition(writing, part);
        }
    }
}

static void write_condition(struct writing *writing, const struct ir_node *node)
{
    if (node->kind != IR_NODE_CALL || !is_condition(node->keyword)) {
        writing->bad = true;
    } else if (node->keyword == IR_AND || node->keyword == IR_OR) {
        write_chain(writing, node);
    } else if (node->keyword == IR_NOT) {
        put_word(writing, IR_NOT);
        write_bracket(writing, node->args.items[0]);
    } else if (node->keyword == IR_EXISTS) {
        put_word(writing, IR_EXISTS);
        write_node(writing, node->args.items[0]);
    } else {
        write_node(writing, node->args.items[0]);
        put_word(writing, node->keyword);
        write_nodes(writing, &node->args, 1);
    }
}

static void write_sources(struct writing *writing, const struct ir_query *query)
{
    for (size_t i = 0; i < query->sources.count; i++) {
        const struct ir_source *source = &query->sources.items[i];
        if (source->left) {
            put_word(writing, IR_LEFT);
        }
        if (source->second) {
            put_word(writing, IR_SECOND);
        }
        put(writing, (struct ir_token){IR_TABLE, source->table});
        for (size_t j = 0; j < source->joins.count; j++) {
            const struct ir_join *join = &source->joins.items[j];
            put_word(writing, join->b ? IR_ON : IR_VIA);
            write_node(writing, join->a);
            if (join->b) {
                write_node(writing, join->b);
            }
        }
        if (source->with) {
            put_word(writing, IR_WITH);
            write_bracket(writing, source->with);
        }
    }
}

static void write_limit(struct writing *writing, const struct ir_query *query)
{
    const struct ir_node *limit = query->limit;
    if (!limit) {
        return;
    }
    if (limit->kind == IR_NODE_TOKEN && limit->token.kind == IR_FIXED &&
        limit->token.index == IR_FIXED_ONE) {
        put_word(writing, IR_LIMIT1);
    } else {
        put_word(writing, IR_LIMIT);
        write_node(writing, limit);
    }
    if (query->offset) {
        put_word(writing, IR_OFFSET);
        write_node(writing, query->offset);
    }
    if (query->per.count) {
        put_word(writing, IR_PER);
        write_nodes(writing, &query->per, 0);
    }
}

static void write_query(struct writing *writing, const struct ir_query *query)
{
    put_word(writing, IR_SELECT);
    if (query->distinct) {
        put_word(writing, IR_DISTINCT);
    }
    write_nodes(writing, &query->select, 0);
    put_word(writing, IR_FROM);
    if (query->from) {
        write_inner(writing, query->from);
    }
    write_sources(writing, query);
    if (query->where) {
        put_word(writing, IR_WHERE);
        write_condition(writing, query->where);
    }
    if (query->group.count) {
        put_word(writing, IR_GROUP);
        write_nodes(writing, &query->group, 0);
    }
    if (query->having) {
        put_word(writing, IR_HAVING);
        write_condition(writing, query->having);
    }
    for (size_t i = 0; i < query->order.count; i++) {
        if (i == 0) {
            put_word(writing, IR_ORDER);
        }
        write_node(writing, query->order.items[i].node);
        put_word(writing, query->order.items[i].descending ? IR_DESC : IR_ASC);
    }
    write_limit(writing, query);
    if (query->set_query) {
        put_word(writing, query->set);
        write_query(writing, query->set_query);
    }
}

bool ir_tree_write(struct arena *arena, const struct ir_query *query,
                   struct ir_tokens *tokens, struct err *err)
{
    struct writing writing = {arena, tokens, false};
    write_query(&writing, query);
    if (writing.bad) {
        return err_set(err, ERR_INVALID_DATA,
                       "The query says what the IR has no word for.");
    }
    if (tokens->count > IR_TOKENS_MAX) {
        return err_set(err, ERR_INVALID_DATA, "The query is too long.");
    }
    return true;
}
