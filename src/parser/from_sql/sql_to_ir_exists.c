/* EXISTS (… WHERE inner.key = outer.key …) says the same as outer.key IN (…). */
#include "base/arena.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir_state.h"

static void count_outer(void *context, struct ir_node *node)
{
    size_t *count = context;
    *count += node->kind == IR_NODE_TOKEN && node->outer;
}

/* The equality of an own column and one of the query around: its position, or -1. */
static int find_tie(const struct ir_nodes *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        const struct ir_node *part = parts->items[i];
        if (ir_node_is(part, IR_EQUAL) && ir_node_is_column(part->args.items[0]) &&
            ir_node_is_column(part->args.items[1]) &&
            part->args.items[0]->outer != part->args.items[1]->outer) {
            return (int)i;
        }
    }
    return -1;
}

struct ir_node *sql_make_exists(struct sql_reading *reading, struct ir_node *inner)
{
    struct ir_query *query = inner->query;
    struct ir_nodes parts = {0};
    size_t outers = 0;
    if (reading->failed) {
        return inner;
    }
    ir_query_walk(query, count_outer, &outers);
    for (size_t i = 0; ir_node_is(query->where, IR_AND) && i < query->where->args.count;
         i++) {
        VEC_PUSH(reading->arena, &parts, query->where->args.items[i]);
    }
    if (query->where && !ir_node_is(query->where, IR_AND)) {
        VEC_PUSH(reading->arena, &parts, query->where);
    }
    int tie = find_tie(&parts);
    if (tie < 0 || outers != 1 || query->group.count || query->set_query ||
        query->limit) {
        return sql_call(reading, IR_EXISTS, inner, NULL);
    }
    struct ir_node *a = parts.items[tie]->args.items[0];
    struct ir_node *b = parts.items[tie]->args.items[1];
    struct ir_node *outside = a->outer ? a : b;
    query->select.count = 0;
    VEC_PUSH(reading->arena, &query->select, a->outer ? b : a);
    query->distinct = false;
    query->order.count = 0;
    outside->outer = false;
    struct ir_nodes rest = {0};
    for (size_t i = 0; i < parts.count; i++) {
        if ((int)i != tie) {
            VEC_PUSH(reading->arena, &rest, parts.items[i]);
        }
    }
    query->where = rest.count ? sql_make_chain(reading, IR_AND, &rest) : NULL;
    return sql_call(reading, IR_IN, outside, inner);
}
