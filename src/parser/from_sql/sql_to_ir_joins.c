/*
 * Joins as written against joins as they would be rebuilt: what is the same is left out,
 * what differs is said with `via` or `on`.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/from_sql/sql_to_ir_state.h"

/* Columns that are equal to each other share a root. By column * 2 + copy. */
struct classes {
    int *parent;
    int count;
};

static int class_of(const struct classes *classes, int member)
{
    while (classes->parent[member] != member) {
        member = classes->parent[member];
    }
    return member;
}

static void classes_init(struct sql_reading *reading, struct classes *classes)
{
    classes->count = reading->schema->column_count * 2;
    classes->parent = arena_array(reading->arena, (size_t)classes->count, sizeof(int));
    for (int i = 0; i < classes->count; i++) {
        classes->parent[i] = i;
    }
}

static void classes_join(struct classes *classes, const struct ir_pair *pair)
{
    classes->parent[class_of(classes, pair->a * 2 + pair->a_second)] =
        class_of(classes, pair->b * 2 + pair->b_second);
}

static bool classes_equal(const struct classes *classes, const struct ir_pair *pair)
{
    return class_of(classes, pair->a * 2 + pair->a_second) ==
           class_of(classes, pair->b * 2 + pair->b_second);
}

struct comparison {
    struct classes written;
    struct classes planned;
    struct ir_plan plan;
};

/* Plans the joins of the query as it is now. True when they are those that were written.
 */
static bool plan_matches(struct sql_reading *reading, struct sql_scope *scope,
                         struct comparison *comparison)
{
    struct err ignored;
    struct ir_plan *plan = &comparison->plan;
    if (!ir_plan_make(reading->arena, reading->schema, scope->query,
                      reading->request->question, plan, &ignored)) {
        return false;
    }
    bool same = plan->count == scope->query->sources.count;
    classes_init(reading, &comparison->planned);
    for (size_t i = 0; i < plan->count; i++) {
        for (size_t j = 0; j < plan->items[i].pairs.count; j++) {
            const struct ir_pair *pair = &plan->items[i].pairs.items[j];
            classes_join(&comparison->planned, pair);
            same = same && classes_equal(&comparison->written, pair);
        }
    }
    for (size_t i = 0; i < scope->pairs.count; i++) {
        same = same && classes_equal(&comparison->planned, &scope->pairs.items[i]);
    }
    return same;
}

static struct ir_source *source_of(struct sql_reading *reading, struct sql_scope *scope,
                                   int column, bool second)
{
    for (size_t i = 0; i < scope->query->sources.count; i++) {
        struct ir_source *source = &scope->query->sources.items[i];
        if (source->table == reading->schema->columns[column].table &&
            source->second == second) {
            return source;
        }
    }
    return NULL;
}

/* The key column, said at the table it leads to; any other pair as `on`. */
static void join_say(struct sql_reading *reading, struct sql_scope *scope,
                     const struct ir_pair *pair, bool always_on)
{
    struct ir_node *a = ir_node_column(reading->arena, pair->a, pair->a_second);
    struct ir_node *b = ir_node_column(reading->arena, pair->b, pair->b_second);
    struct ir_join join = {a, b};
    struct ir_source *source = source_of(reading, scope, pair->b, pair->b_second);
    struct ir_source *first = source_of(reading, scope, pair->a, pair->a_second);
    if (!source || !first) {
        return;
    }
    if (source < first) { /* `on` stands at the later table, its own column last */
        join = (struct ir_join){b, a};
        source = first;
    }
    for (int i = 0; i < reading->schema->edge_count && !always_on; i++) {
        const struct ir_edge *edge = &reading->schema->edges[i];
        if ((edge->from == pair->a && edge->to == pair->b) ||
            (edge->from == pair->b && edge->to == pair->a)) {
            join.b = NULL;
            join.a = edge->from == pair->a ? a : b;
            source = source_of(reading, scope, edge->to,
                               edge->from == pair->a ? pair->b_second : pair->a_second);
            break;
        }
    }
    if (source) {
        VEC_PUSH(reading->arena, &source->joins, join);
    }
}

static void joins_clear(struct sql_scope *scope)
{
    for (size_t i = 0; i < scope->query->sources.count; i++) {
        scope->query->sources.items[i].joins.count = 0;
    }
}

/* Do the tables of these columns have more than one key between them? */
static bool is_parallel(const struct ir_schema *schema, const struct ir_pair *pair,
                        bool *usual)
{
    int a = schema->columns[pair->a].table;
    int b = schema->columns[pair->b].table;
    bool parallel = false;
    *usual = false;
    for (int i = schema->edges_at[a]; i < schema->edges_at[a + 1]; i++) {
        const struct ir_edge *edge = &schema->edges[schema->edge_list[i]];
        bool here = (edge->from == pair->a && edge->to == pair->b) ||
                    (edge->from == pair->b && edge->to == pair->a);
        *usual = *usual || (here && edge->is_default && a != b);
        parallel = parallel || (edge->is_parallel &&
                                ((edge->from_table == a && edge->to_table == b) ||
                                 (edge->from_table == b && edge->to_table == a)));
    }
    return parallel;
}

/*
 * A key other than the default one is always written, even if words of the question would
 * lead the planner to it, so that the network need not learn that. The default key is
 * omitted, unless the other one is used, too.
 */
static void parallels_say(struct sql_reading *reading, struct sql_scope *scope,
                          struct comparison *comparison)
{
    size_t said = 0;
    bool unusual = false;
    bool usual;
    for (size_t i = 0; i < scope->pairs.count; i++) {
        bool parallel = is_parallel(reading->schema, &scope->pairs.items[i], &usual);
        unusual = unusual || (parallel && !usual);
    }
    for (size_t i = 0; unusual && i < scope->pairs.count; i++) {
        if (is_parallel(reading->schema, &scope->pairs.items[i], &usual)) {
            join_say(reading, scope, &scope->pairs.items[i], false);
            said++;
        }
    }
    if (said && !plan_matches(reading, scope, comparison)) {
        joins_clear(scope);
    }
}

/* Which joins to say: first none, then those that differ, then all; via, then on. */
static void joins_say(struct sql_reading *reading, struct sql_scope *scope)
{
    struct comparison comparison;
    classes_init(reading, &comparison.written);
    for (size_t i = 0; i < scope->pairs.count; i++) {
        classes_join(&comparison.written, &scope->pairs.items[i]);
    }
    if (plan_matches(reading, scope, &comparison)) {
        parallels_say(reading, scope, &comparison);
        return;
    }
    struct classes without = comparison.planned;
    for (int attempt = 0; attempt < 4; attempt++) {
        bool all = attempt >= 2;
        bool usual;
        joins_clear(scope);
        for (size_t i = 0; i < scope->pairs.count; i++) {
            const struct ir_pair *pair = &scope->pairs.items[i];
            if (all || !classes_equal(&without, pair) ||
                is_parallel(reading->schema, pair, &usual)) {
                join_say(reading, scope, pair, attempt % 2 == 1);
            }
        }
        if (plan_matches(reading, scope, &comparison)) {
            return;
        }
    }
    /* Some table is joined by nothing: the rebuilt join is what was meant. */
}

static struct ir_node *and_all(struct sql_reading *reading, struct ir_nodes *parts)
{
    return parts->count == 0 ? NULL : sql_make_chain(reading, IR_AND, parts);
}

static void condition_parts(struct sql_reading *reading, struct ir_node *node,
                            struct ir_nodes *parts)
{
    for (size_t i = 0; ir_node_is(node, IR_AND) && i < node->args.count; i++) {
        VEC_PUSH(reading->arena, parts, node->args.items[i]);
    }
    if (node && !ir_node_is(node, IR_AND)) {
        VEC_PUSH(reading->arena, parts, node);
    }
}

/* Tables after commas are joined by WHERE. */
static void take_pairs(struct sql_reading *reading, struct sql_scope *scope)
{
    struct ir_nodes parts = {0};
    struct ir_nodes rest = {0};
    condition_parts(reading, scope->query->where, &parts);
    for (size_t i = 0; i < parts.count; i++) {
        struct ir_node *part = parts.items[i];
        struct ir_node *a = ir_node_is(part, IR_EQUAL) ? part->args.items[0] : NULL;
        struct ir_node *b = a ? part->args.items[1] : NULL;
        if (scope->pairs.count + 1 < scope->query->sources.count &&
            ir_node_is_column(a) && ir_node_is_column(b) && !a->outer && !b->outer &&
            source_of(reading, scope, a->token.index, a->second) !=
                source_of(reading, scope, b->token.index, b->second)) {
            struct ir_pair pair = {a->token.index, b->token.index, a->second, b->second};
            VEC_PUSH(reading->arena, &scope->pairs, pair);
        } else {
            VEC_PUSH(reading->arena, &rest, part);
        }
    }
    scope->query->where = and_all(reading, &rest);
}

struct use {
    const struct sql_reading *reading;
    int table;
    bool second;
    size_t count;
    bool outer;
};

static void use_count(void *context, struct ir_node *node)
{
    struct use *use = context;
    if (node->kind == IR_NODE_TOKEN && node->token.kind == IR_TABLE) {
        use->count += node->token.index == use->table;
    } else if (ir_node_is_column(node)) {
        use->count +=
            use->reading->schema->columns[node->token.index].table == use->table &&
            node->second == use->second;
    }
}

/* The one pair that ties a table to the others; NULL when there are more. */
static const struct ir_pair *only_pair(const struct sql_reading *reading,
                                       const struct sql_scope *scope,
                                       const struct ir_source *source)
{
    const struct ir_pair *only = NULL;
    for (size_t i = 0; i < scope->pairs.count; i++) {
        const struct ir_pair *pair = &scope->pairs.items[i];
        const struct ir_column *columns = reading->schema->columns;
        bool touches =
            (columns[pair->a].table == source->table &&
             pair->a_second == source->second) ||
            (columns[pair->b].table == source->table && pair->b_second == source->second);
        if (touches && only) {
            return NULL;
        }
        only = touches ? pair : only;
    }
    return only;
}

static void drop_source(struct sql_scope *scope, const struct ir_source *source,
                        const struct ir_pair *pair)
{
    size_t at = (size_t)(source - scope->query->sources.items);
    scope->query->sources.count--;
    for (size_t i = at; i < scope->query->sources.count; i++) {
        scope->query->sources.items[i] = scope->query->sources.items[i + 1];
    }
    at = (size_t)(pair - scope->pairs.items);
    scope->pairs.count--;
    for (size_t i = at; i < scope->pairs.count; i++) {
        scope->pairs.items[i] = scope->pairs.items[i + 1];
    }
}

/* LEFT JOIN t … WHERE t.x IS NULL: rows that have no partner, as NOT IN. */
static bool settle_anti_join(struct sql_reading *reading, struct sql_scope *scope,
                             struct ir_source *source)
{
    struct use use = {reading, source->table, source->second, 0, false};
    const struct ir_pair *pair = only_pair(reading, scope, source);
    struct ir_nodes parts = {0};
    condition_parts(reading, scope->query->where, &parts);
    struct ir_node *with = source->with;
    source->with = NULL; /* it moves along */
    ir_query_walk(scope->query, use_count, &use);
    source->with = with;
    if (!source->left || source->second || !pair || use.count != 1) {
        return false;
    }
    for (size_t i = 0; i < parts.count; i++) {
        use.count = 0;
        ir_node_walk(parts.items[i], use_count, &use);
        if (use.count == 0 || !ir_node_is(parts.items[i], IR_IS_NULL) ||
            !ir_node_is_column(parts.items[i]->args.items[0])) {
            continue;
        }
        bool b_inside = reading->schema->columns[pair->b].table == source->table;
        struct ir_query *inner = ARENA_NEW(reading->arena, struct ir_query);
        struct ir_source copy = {.table = source->table};
        VEC_PUSH(reading->arena, &inner->sources, copy);
        VEC_PUSH(reading->arena, &inner->select,
                 ir_node_column(reading->arena, b_inside ? pair->b : pair->a, false));
        if (source->with) {
            condition_parts(reading, source->with, &scope->extra);
            source->with = NULL;
        }
        inner->where = and_all(reading, &scope->extra);
        scope->extra.count = 0;
        parts.items[i] =
            sql_call(reading, IR_NOT_IN,
                     ir_node_column(reading->arena, b_inside ? pair->a : pair->b,
                                    b_inside ? pair->a_second : pair->b_second),
                     ir_node_query(reading->arena, inner));
        drop_source(scope, source, pair);
        scope->query->where = and_all(reading, &parts);
        return true;
    }
    return false;
}

/* Exchanges the two copies of a table in everything below. */
static void node_swap(void *context, struct ir_node *node)
{
    const struct use *use = context;
    if (node->kind == IR_NODE_QUERY) {
        for (struct ir_query *part = node->query; part; part = part->set_query) {
            struct use inside = *use;
            inside.outer = true;
            inside.count++;
            if (inside.count < 2) { /* deeper ones cannot speak of this query */
                ir_query_walk(part, node_swap, &inside);
            }
        }
    } else if (ir_node_is_column(node) && node->outer == use->outer &&
               use->reading->schema->columns[node->token.index].table == use->table &&
               !node->is_text) {
        node->second = !node->second;
        node->is_text = true; /* nodes may be shared: once each */
    }
}

static void node_unmark(void *context, struct ir_node *node)
{
    (void)context;
    if (ir_node_is_column(node)) {
        node->is_text = false;
    } else if (node->kind == IR_NODE_QUERY) {
        for (struct ir_query *part = node->query; part; part = part->set_query) {
            ir_query_walk(part, node_unmark, NULL);
        }
    }
}

/* The copy that is shown first is the first copy. */
static void settle_copies(struct sql_reading *reading, struct sql_scope *scope, int table)
{
    const struct ir_nodes *select = &scope->query->select;
    for (size_t i = 0; i < select->count; i++) {
        const struct ir_node *node = select->items[i];
        while (node->kind == IR_NODE_CALL && node->args.count) {
            node = node->args.items[0];
        }
        if (!ir_node_is_column(node) ||
            reading->schema->columns[node->token.index].table != table) {
            continue;
        }
        if (!node->second) {
            return;
        }
        struct use use = {reading, table, false, 0, false};
        ir_query_walk(scope->query, node_swap, &use);
        ir_query_walk(scope->query, node_unmark, NULL);
        for (size_t j = 0; j < scope->pairs.count; j++) {
            struct ir_pair *pair = &scope->pairs.items[j];
            pair->a_second ^= reading->schema->columns[pair->a].table == table;
            pair->b_second ^= reading->schema->columns[pair->b].table == table;
        }
        for (size_t j = 0; j < scope->query->sources.count; j++) {
            struct ir_source *source = &scope->query->sources.items[j];
            source->second ^= source->table == table;
        }
        return;
    }
}

static int source_order(const void *a, const void *b)
{
    const struct ir_source *x = a;
    const struct ir_source *y = b;
    if (x->second != y->second) {
        return x->second ? 1 : -1;
    }
    return (x->table > y->table) - (x->table < y->table);
}

void sql_settle_joins(struct sql_reading *reading, struct sql_scope *scope)
{
    struct ir_query *query = scope->query;
    for (size_t i = query->sources.count; i-- > 0;) {
        (void)settle_anti_join(reading, scope, &query->sources.items[i]);
    }
    if (scope->extra.count > 0) {
        scope->has_left = false;
        for (size_t i = 0; i < query->sources.count; i++) {
            scope->has_left = scope->has_left || query->sources.items[i].left;
        }
        if (scope->has_left) {
            sql_fail(reading, "A condition inside LEFT JOIN.");
            return;
        }
        condition_parts(reading, query->where, &scope->extra);
        query->where = and_all(reading, &scope->extra);
    }
    if (query->sources.count > 1) {
        if (scope->pairs.count + 1 < query->sources.count) {
            take_pairs(reading, scope);
        }
        for (size_t i = 0; i < query->sources.count; i++) {
            if (query->sources.items[i].second) {
                settle_copies(reading, scope, query->sources.items[i].table);
                break;
            }
        }
        qsort(query->sources.items, query->sources.count, sizeof *query->sources.items,
              source_order);
        joins_say(reading, scope);
    }
}
