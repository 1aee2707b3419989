/*
 * A query over a query, told as one where that means the same: WITH and brackets are how
 * people write step by step, the IR says what comes out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir_state.h"

/* Puts what the inner query selects in place of its items. */
static struct ir_node *replace_items(const struct ir_query *inner, struct ir_node *node)
{
    if (node->kind == IR_NODE_ITEM) {
        return inner->select.items[node->item - 1];
    }
    if (ir_node_is_column(node) && node->text) {
        node->text = NULL; /* came through `*` */
    }
    for (size_t i = 0; i < node->args.count; i++) {
        node->args.items[i] = replace_items(inner, node->args.items[i]);
    }
    return node;
}

static void replace_all(const struct ir_query *inner, struct ir_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        nodes->items[i] = replace_items(inner, nodes->items[i]);
    }
}

static bool nodes_aggregate(const struct ir_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (ir_node_aggregates(nodes->items[i])) {
            return true;
        }
    }
    return false;
}

static bool nodes_window(const struct ir_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (ir_node_windows(nodes->items[i])) {
            return true;
        }
    }
    return false;
}

static bool query_aggregates(const struct ir_query *query)
{
    return query->group.count > 0 || query->having || nodes_aggregate(&query->select);
}

static bool selects_all(const struct ir_query *query)
{
    return query->select.count == 1 && ir_node_is_star(query->select.items[0]);
}

static struct ir_node *and_both(struct sql_reading *reading, struct ir_node *a,
                                struct ir_node *b)
{
    struct ir_nodes parts = {0};
    if (!a || !b) {
        return a ? a : b;
    }
    VEC_PUSH(reading->arena, &parts, a);
    VEC_PUSH(reading->arena, &parts, b);
    return sql_make_chain(reading, IR_AND, &parts);
}

/* A condition of the outer query over rows, or over groups when the inner one groups. */
static void add_condition(struct sql_reading *reading, struct ir_query *inner,
                          struct ir_node *condition)
{
    if (!condition) {
        return;
    }
    condition = replace_items(inner, condition);
    if (query_aggregates(inner)) {
        inner->having = and_both(reading, inner->having, condition);
    } else {
        inner->where = and_both(reading, inner->where, condition);
    }
}

/* Takes `rank <= N` out of the outer condition: the window it is about, and N. */
static const struct sql_window *
take_rank(struct sql_reading *reading, struct ir_query *outer, int *item, int64_t *first)
{
    struct ir_node *where = outer->where;
    size_t count = ir_node_is(where, IR_AND) ? where->args.count : 1;
    for (size_t i = 0; where && i < count; i++) {
        struct ir_node *part = ir_node_is(where, IR_AND) ? where->args.items[i] : where;
        if (part->kind != IR_NODE_CALL || part->args.count != 2 ||
            part->args.items[0]->kind != IR_NODE_ITEM ||
            part->args.items[1]->kind != IR_NODE_TEXT ||
            !str_to_int(part->args.items[1]->text, first)) {
            continue;
        }
        *item = part->args.items[0]->item;
        const struct sql_window *window =
            sql_window_of(reading, outer->from->select.items[*item - 1]);
        bool fits = ir_node_is(part, IR_AT_MOST) || ir_node_is(part, IR_LESS) ||
                    (ir_node_is(part, IR_EQUAL) && *first == 1);
        if (!window || !window->is_row_number || !fits) {
            continue;
        }
        *first -= ir_node_is(part, IR_LESS);
        struct ir_nodes rest = {0};
        for (size_t j = 0; ir_node_is(where, IR_AND) && j < count; j++) {
            if (j != i) {
                VEC_PUSH(reading->arena, &rest, where->args.items[j]);
            }
        }
        outer->where = rest.count ? sql_make_chain(reading, IR_AND, &rest) : NULL;
        return window;
    }
    return NULL;
}

static struct ir_node *count_node(struct sql_reading *reading, int64_t count)
{
    if (count == 1) {
        return ir_node_token(reading->arena, (struct ir_token){IR_FIXED, IR_FIXED_ONE});
    }
    return sql_number(reading, arena_format(reading->arena, "%lld", (long long)count));
}

/* What the outer query selects, in the inner one's terms, without the rank itself. The
 * names go along, for a query around both. */
static void take_select(struct sql_reading *reading, struct sql_scope *scope,
                        struct ir_query *inner, int rank)
{
    bool all = selects_all(scope->query);
    const struct ir_nodes *from = all ? &inner->select : &scope->query->select;
    const struct texts *names = all ? scope->entries.items[0].names : &scope->names;
    struct ir_nodes select = {0};
    struct texts kept = {0};
    for (size_t i = 0; i < from->count; i++) {
        struct ir_node *node = from->items[i];
        bool is_rank = rank > 0 && (node == inner->select.items[rank - 1] ||
                                    (node->kind == IR_NODE_ITEM && node->item == rank));
        if (!is_rank) {
            VEC_PUSH(reading->arena, &select, replace_items(inner, node));
            VEC_PUSH(reading->arena, &kept, i < names->count ? names->items[i] : NULL);
        }
    }
    inner->select = select;
    scope->names = kept;
}

/* The first N of each group, told with ROW_NUMBER or RANK. */
static bool merge_rank(struct sql_reading *reading, struct sql_scope *scope)
{
    struct ir_query *outer = scope->query;
    struct ir_query *inner = outer->from;
    int item;
    int64_t first;
    if (inner->limit || inner->set_query || outer->limit || outer->group.count) {
        return false;
    }
    const struct sql_window *window = take_rank(reading, outer, &item, &first);
    if (!window) {
        return false;
    }
    add_condition(reading, inner, outer->where);
    take_select(reading, scope, inner, item);
    inner->distinct = outer->distinct;
    inner->order.items = window->order.items;
    inner->order.count = inner->order.capacity = window->order.count;
    inner->per = window->partition;
    inner->limit = count_node(reading, first);
    *outer = *inner;
    return true;
}

/* SELECT * FROM (…) and nothing else. */
static bool is_wrapper(const struct ir_query *query)
{
    return selects_all(query) && !query->distinct && !query->where && !query->limit &&
           query->group.count == 0 && query->order.count == 0;
}

static void merge_clauses(struct ir_query *outer, struct ir_query *inner)
{
    for (size_t i = 0; i < outer->order.count; i++) {
        outer->order.items[i].node = replace_items(inner, outer->order.items[i].node);
    }
    replace_all(inner, &outer->group);
    replace_all(inner, &outer->per);
    if (outer->having) {
        outer->having = replace_items(inner, outer->having);
    }
}

static bool merge_plain(struct sql_reading *reading, struct sql_scope *scope)
{
    struct ir_query *outer = scope->query;
    struct ir_query *inner = outer->from;
    bool groups = query_aggregates(outer);
    if (inner->limit || inner->set_query || inner->distinct ||
        (groups && (query_aggregates(inner) || nodes_window(&inner->select))) ||
        (outer->where && nodes_window(&inner->select))) {
        return false;
    }
    merge_clauses(outer, inner);
    add_condition(reading, inner, outer->where);
    take_select(reading, scope, inner, 0);
    inner->distinct = outer->distinct;
    if (groups) {
        inner->group = outer->group;
        inner->having = outer->having;
    }
    if (outer->order.count || groups) {
        inner->order.items = outer->order.items;
        inner->order.count = outer->order.count;
        inner->order.capacity = outer->order.capacity;
    }
    inner->limit = outer->limit;
    inner->offset = outer->offset;
    inner->per = outer->per;
    *outer = *inner;
    return true;
}

bool sql_merge(struct sql_reading *reading, struct sql_scope *scope, bool right_part)
{
    struct ir_query *outer = scope->query;
    struct ir_query *inner = outer->from;
    if (is_wrapper(outer) && !inner->set_query &&
        !(right_part && (inner->limit || inner->order.count))) {
        *outer = *inner;
        scope->names = *scope->entries.items[0].names;
        return true;
    }
    return merge_rank(reading, scope) || merge_plain(reading, scope);
}

static bool has_source(const struct ir_query *query, const struct ir_source *source)
{
    for (size_t i = 0; i < query->sources.count; i++) {
        if (query->sources.items[i].table == source->table) {
            return true;
        }
    }
    return false;
}

/* 100 * sum(x) / (SELECT sum(x) FROM …), per group: a share of the total. */
static void make_share(void *context, struct ir_node *node)
{
    const struct ir_query *query = context;
    if (!ir_node_is(node, IR_PERCENT) || node->args.items[1]->kind != IR_NODE_QUERY) {
        return;
    }
    const struct ir_query *total = node->args.items[1]->query;
    if (total->group.count || total->set_query || total->limit ||
        total->select.count != 1 || total->sources.count == 0 ||
        !ir_node_same(total->select.items[0], node->args.items[0]) ||
        !ir_node_same(total->where, query->where)) {
        return;
    }
    for (size_t i = 0; i < total->sources.count; i++) {
        if (!has_source(query, &total->sources.items[i])) {
            return;
        }
    }
    node->keyword = IR_SHARE;
    node->args.count = 1;
}

void sql_settle_shares(struct ir_query *query)
{
    if (query->group.count > 0 && !query->from) {
        ir_query_walk(query, make_share, query);
    }
}
