/* Which tables a query needs, which joins it asks for, and which keys its words prefer.
 */
#include "parser/ir/ir_joins_state.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_key_words.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"

int ir_place_of(const struct ir_schema *schema, int column, bool second)
{
    return schema->columns[column].table * 2 + second;
}

static void need(struct ir_joining *joining, int place)
{
    if (!joining->is_needed[place]) {
        joining->is_needed[place] = true;
        VEC_PUSH(joining->arena, &joining->needed, place);
    }
}

static void need_node(void *context, struct ir_node *node)
{
    struct ir_joining *joining = context;
    if (ir_node_is_column(node) && !node->outer) {
        joining->is_used[node->token.index] = true;
        need(joining, ir_place_of(joining->schema, node->token.index, node->second));
    }
}

/* The column that `via column` means at this table: the other end of its key. */
static bool via_resolve(const struct ir_joining *joining, const struct ir_source *source,
                        const struct ir_node *via, struct ir_pair *pair)
{
    const struct ir_schema *schema = joining->schema;
    int column = via->token.index;
    int table = schema->columns[column].table;
    int here = source->table * 2 + source->second;
    bool own = ir_place_of(schema, column, via->second) == here;
    double best = 1e9;
    for (int i = schema->edges_at[table]; i < schema->edges_at[table + 1]; i++) {
        const struct ir_edge *edge = &schema->edges[schema->edge_list[i]];
        if (edge->from != column && edge->to != column) {
            continue;
        }
        int other = edge->from == column ? edge->to : edge->from;
        int other_table = schema->columns[other].table;
        bool self = other_table == source->table && table == source->table;
        bool fits = own ? self || joining->is_needed[other_table * 2]
                        : other_table == source->table;
        double cost = edge->cost + (edge->from == column ? 0 : 0.01);
        if (fits && cost < best) {
            best = cost;
            bool other_second = own ? self && !source->second : source->second;
            *pair = (struct ir_pair){column, other, via->second, other_second};
        }
    }
    return best < 1e9;
}

static bool joins_force(struct ir_joining *joining, const struct ir_source *source,
                        struct err *err)
{
    for (size_t i = 0; i < source->joins.count; i++) {
        const struct ir_join *join = &source->joins.items[i];
        struct ir_pair pair = {join->a->token.index, join->b ? join->b->token.index : 0,
                               join->a->second, join->b && join->b->second};
        if (!join->b && !via_resolve(joining, source, join->a, &pair)) {
            return err_set(err, ERR_INVALID_DATA, "%s is no key to %s.",
                           joining->schema->columns[join->a->token.index].name,
                           joining->schema->tables[source->table].name);
        }
        int a = ir_place_of(joining->schema, pair.a, pair.a_second);
        int b = ir_place_of(joining->schema, pair.b, pair.b_second);
        if (a == b) {
            return err_set(err, ERR_INVALID_DATA, "A table cannot be joined to itself.");
        }
        need(joining, a);
        need(joining, b);
        VEC_PUSH(joining->arena, &joining->forced, pair);
    }
    return true;
}

bool ir_joining_init(struct ir_joining *joining, struct ir_query *query, struct err *err)
{
    size_t places = (size_t)joining->schema->table_count * 2;
    joining->is_needed = arena_array(joining->arena, places, sizeof(bool));
    joining->is_left = arena_array(joining->arena, places, sizeof(bool));
    joining->inside = arena_array(joining->arena, places, sizeof(bool));
    joining->is_used =
        arena_array(joining->arena, (size_t)joining->schema->column_count, sizeof(bool));
    joining->named = arena_array(joining->arena, (size_t)joining->schema->column_count,
                                 sizeof *joining->named);
    for (size_t i = 0; i < query->sources.count; i++) {
        const struct ir_source *source = &query->sources.items[i];
        int place = source->table * 2 + source->second;
        need(joining, place);
        joining->is_left[place] = source->left;
    }
    ir_query_walk(query, need_node, joining);
    for (size_t i = 0; i < query->sources.count; i++) {
        if (!joins_force(joining, &query->sources.items[i], err)) {
            return false;
        }
    }
    return true;
}

/* A search comes by the same keys many times: each is looked for once. */
static bool question_names(const struct ir_joining *joining, int column)
{
    uint8_t *known = &joining->named[column];
    if (*known == NAMED_UNKNOWN) {
        *known = ir_key_is_named(joining->schema, joining->question, column) ? NAMED_YES
                                                                             : NAMED_NO;
    }
    return *known == NAMED_YES;
}

/* The words of the question only choose among keys between the same two tables. */
double ir_edge_bonus(const struct ir_joining *joining, const struct ir_edge *edge)
{
    double bonus = joining->is_used[edge->from] || joining->is_used[edge->to] ? -0.04 : 0;
    bonus += edge->is_default ? 0 : 0.015;
    if (joining->question && edge->is_parallel) {
        bonus -= question_names(joining, edge->from) ? 0.02 : 0;
        bonus -= question_names(joining, edge->to) ? 0.02 : 0;
    }
    return bonus;
}
