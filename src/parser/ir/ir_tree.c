/* Making, comparing and walking the nodes of a query. */
#include "parser/ir/ir_tree.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

struct ir_node *ir_node_token(struct arena *arena, struct ir_token token)
{
    struct ir_node *node = ARENA_NEW(arena, struct ir_node);
    node->kind = IR_NODE_TOKEN;
    node->token = token;
    return node;
}

struct ir_node *ir_node_column(struct arena *arena, int column, bool second)
{
    struct ir_node *node = ir_node_token(arena, (struct ir_token){IR_COLUMN, column});
    node->second = second;
    return node;
}

struct ir_node *ir_node_text(struct arena *arena, const char *text, bool is_text)
{
    struct ir_node *node = ARENA_NEW(arena, struct ir_node);
    node->kind = IR_NODE_TEXT;
    node->text = text;
    node->is_text = is_text;
    return node;
}

struct ir_node *ir_node_item(struct arena *arena, int item)
{
    struct ir_node *node = ARENA_NEW(arena, struct ir_node);
    node->kind = IR_NODE_ITEM;
    node->item = item;
    return node;
}

struct ir_node *ir_node_query(struct arena *arena, struct ir_query *query)
{
    struct ir_node *node = ARENA_NEW(arena, struct ir_node);
    node->kind = IR_NODE_QUERY;
    node->query = query;
    return node;
}

struct ir_node *ir_node_call(struct arena *arena, enum ir_keyword keyword,
                             struct ir_node *a, struct ir_node *b)
{
    struct ir_node *node = ARENA_NEW(arena, struct ir_node);
    node->kind = IR_NODE_CALL;
    node->keyword = keyword;
    if (a) {
        VEC_PUSH(arena, &node->args, a);
    }
    if (b) {
        VEC_PUSH(arena, &node->args, b);
    }
    return node;
}

bool ir_node_is(const struct ir_node *node, enum ir_keyword keyword)
{
    return node && node->kind == IR_NODE_CALL && node->keyword == keyword;
}

bool ir_node_is_column(const struct ir_node *node)
{
    return node && node->kind == IR_NODE_TOKEN && node->token.kind == IR_COLUMN &&
           node->token.index > 0;
}

bool ir_node_is_star(const struct ir_node *node)
{
    return node && node->kind == IR_NODE_TOKEN && node->token.kind == IR_COLUMN &&
           node->token.index == 0;
}

bool ir_node_is_weeks(const struct ir_node *node)
{
    const struct ir_node *by =
        ir_node_is(node, IR_RATIO) && ir_node_is(node->args.items[0], IR_DAYS)
            ? node->args.items[1]
            : NULL;
    return by && by->kind == IR_NODE_TOKEN && by->token.kind == IR_FIXED &&
           by->token.index == IR_FIXED_SEVEN;
}

bool ir_node_is_value(const struct ir_node *node)
{
    return node && (node->kind == IR_NODE_TEXT ||
                    (node->kind == IR_NODE_TOKEN &&
                     (node->token.kind == IR_VALUE || node->token.kind == IR_FIXED)));
}

static bool nodes_same(const struct ir_nodes *a, const struct ir_nodes *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!ir_node_same(a->items[i], b->items[i])) {
            return false;
        }
    }
    return true;
}

bool ir_node_same(const struct ir_node *a, const struct ir_node *b)
{
    if (!a || !b) {
        return a == b;
    }
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case IR_NODE_TOKEN:
        return a->token.kind == b->token.kind && a->token.index == b->token.index &&
               a->second == b->second && a->outer == b->outer;
    case IR_NODE_TEXT:
        return a->is_text == b->is_text && str_equal(a->text, b->text);
    case IR_NODE_ITEM:
        return a->item == b->item;
    case IR_NODE_CALL:
        return a->keyword == b->keyword && nodes_same(&a->args, &b->args);
    case IR_NODE_QUERY:
        return ir_query_same(a->query, b->query);
    }
    return false;
}

static bool sources_same(const struct ir_query *a, const struct ir_query *b)
{
    if (a->sources.count != b->sources.count) {
        return false;
    }
    for (size_t i = 0; i < a->sources.count; i++) {
        const struct ir_source *x = &a->sources.items[i];
        const struct ir_source *y = &b->sources.items[i];
        if (x->table != y->table || x->second != y->second || x->left != y->left ||
            !ir_node_same(x->with, y->with) || x->joins.count != y->joins.count) {
            return false;
        }
        for (size_t j = 0; j < x->joins.count; j++) {
            if (!ir_node_same(x->joins.items[j].a, y->joins.items[j].a) ||
                !ir_node_same(x->joins.items[j].b, y->joins.items[j].b)) {
                return false;
            }
        }
    }
    return true;
}

bool ir_query_same(const struct ir_query *a, const struct ir_query *b)
{
    if (!a || !b) {
        return a == b;
    }
    if (a->distinct != b->distinct || a->set != b->set ||
        a->order.count != b->order.count || !nodes_same(&a->select, &b->select) ||
        !ir_query_same(a->from, b->from) || !sources_same(a, b) ||
        !ir_node_same(a->where, b->where) || !nodes_same(&a->group, &b->group) ||
        !ir_node_same(a->having, b->having) || !ir_node_same(a->limit, b->limit) ||
        !ir_node_same(a->offset, b->offset) || !nodes_same(&a->per, &b->per)) {
        return false;
    }
    for (size_t i = 0; i < a->order.count; i++) {
        if (a->order.items[i].descending != b->order.items[i].descending ||
            !ir_node_same(a->order.items[i].node, b->order.items[i].node)) {
            return false;
        }
    }
    return ir_query_same(a->set_query, b->set_query);
}

bool ir_is_aggregate(enum ir_keyword keyword)
{
    return keyword == IR_COUNT || keyword == IR_COUNT_DISTINCT || keyword == IR_SUM ||
           keyword == IR_AVG || keyword == IR_MIN || keyword == IR_MAX ||
           (keyword >= IR_MEDIAN && keyword <= IR_VARIANCE);
}

bool ir_is_window(enum ir_keyword keyword)
{
    return keyword == IR_SHARE || keyword == IR_PREVIOUS || keyword == IR_CHANGE ||
           keyword == IR_GROWTH || keyword == IR_RUNNING || keyword == IR_RANK ||
           (keyword >= IR_MOVING && keyword <= IR_YEAR_GROWTH);
}

static bool node_has(const struct ir_node *node, bool (*test)(enum ir_keyword))
{
    if (!node || node->kind != IR_NODE_CALL) {
        return false;
    }
    if (test(node->keyword)) {
        return true;
    }
    for (size_t i = 0; i < node->args.count; i++) {
        if (node_has(node->args.items[i], test)) {
            return true;
        }
    }
    return false;
}

bool ir_node_aggregates(const struct ir_node *node)
{
    return node_has(node, ir_is_aggregate);
}

bool ir_node_windows(const struct ir_node *node)
{
    return node_has(node, ir_is_window);
}

void ir_node_walk(struct ir_node *node,
                  void (*visit)(void *context, struct ir_node *node), void *context)
{
    if (!node) {
        return;
    }
    visit(context, node);
    for (size_t i = 0; i < node->args.count; i++) {
        ir_node_walk(node->args.items[i], visit, context);
    }
}

static void nodes_walk(struct ir_nodes *nodes,
                       void (*visit)(void *context, struct ir_node *node), void *context)
{
    for (size_t i = 0; i < nodes->count; i++) {
        ir_node_walk(nodes->items[i], visit, context);
    }
}

void ir_query_walk(struct ir_query *query,
                   void (*visit)(void *context, struct ir_node *node), void *context)
{
    nodes_walk(&query->select, visit, context);
    for (size_t i = 0; i < query->sources.count; i++) {
        ir_node_walk(query->sources.items[i].with, visit, context);
    }
    ir_node_walk(query->where, visit, context);
    nodes_walk(&query->group, visit, context);
    ir_node_walk(query->having, visit, context);
    for (size_t i = 0; i < query->order.count; i++) {
        ir_node_walk(query->order.items[i].node, visit, context);
    }
    ir_node_walk(query->limit, visit, context);
    ir_node_walk(query->offset, visit, context);
    nodes_walk(&query->per, visit, context);
}
