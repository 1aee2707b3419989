/* Splits sums over several tables into one sum for each of them. */
#include "sql/counting/split.h"

#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "sql/counting/build.h"
#include "sql/counting/left_out.h"

static bool is_chain(const struct sql_node *node)
{
    return sql_is(node, SQL_BINARY) &&
           (str_equal(node->text, "+") || str_equal(node->text, "-"));
}

static struct sql_node *call_of(struct arena *arena, const char *name,
                                struct sql_node *value)
{
    struct sql_node *call = sql_node(arena, SQL_CALL, name);
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS], value);
    return call;
}

/* a - b -> COALESCE(SUM(a), 0) - COALESCE(SUM(b), 0) */
static struct sql_node *sums_of(struct arena *arena, const struct sql_node *node)
{
    if (!is_chain(node)) {
        struct sql_node *sum = call_of(arena, "SUM", sql_clone(arena, node));
        struct sql_node *call = call_of(arena, "COALESCE", sum);
        sql_add(arena, call->children[CALL_ARGUMENTS], sql_node(arena, SQL_NUMBER, "0"));
        return call;
    }
    struct sql_node *chain = sql_node(arena, SQL_BINARY, node->text);
    chain->children[PAIR_LEFT] = sums_of(arena, node->children[PAIR_LEFT]);
    chain->children[PAIR_RIGHT] = sums_of(arena, node->children[PAIR_RIGHT]);
    return chain;
}

/* The relation that each table of the sum is or refers to, as the others do unless it looks
 * them up; with most looked up, so that groups above it, which have nothing on either side,
 * are not added. */
static bool find_first(const struct grain *grain, const struct sql_node *argument,
                       size_t *first, bool *outer)
{
    size_t count = grain->scope->relations.count;
    size_t most = 0;
    bool summed[GRAIN_RELATIONS] = {false};
    if (!grain_relations_in(grain, argument, summed)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        bool covered[GRAIN_RELATIONS] = {false};
        size_t size = 0;
        bool fits = true;
        covered[i] = true;
        (void)grain_close(grain, covered);
        for (size_t k = 0; k < count; k++) {
            bool marked[GRAIN_RELATIONS] = {false};
            marked[k] = true;
            (void)grain_close(grain, marked);
            fits = fits && (marked[i] || (covered[k] && !summed[k]));
            size += covered[k];
        }
        if (fits && size > most) {
            most = size;
            *first = i;
            for (size_t k = 0; k < count; k++) {
                outer[k] = !covered[k];
            }
        }
    }
    return most > 0;
}

/* Conditions of WHERE on what an outer join may lack go to that join. False: one is about
 * more than that. */
static bool move_conditions(struct arena *arena, const struct grain *grain,
                            struct sql_node *select, const bool *outer,
                            struct grain_conjuncts *moved)
{
    struct grain_conjuncts all = {0};
    struct sql_node *kept = NULL;
    grain_conjuncts(arena, select->children[SELECT_WHERE], &all);
    for (size_t i = 0; i < all.count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        size_t inside = 0;
        size_t outside = 0;
        if (!grain_relations_in(grain, all.items[i], marked)) {
            return false;
        }
        for (size_t k = 0; k < grain->scope->relations.count; k++) {
            inside += marked[k] && !outer[k];
            outside += marked[k] && outer[k];
        }
        if (outside > 1 || (outside && inside)) {
            return false;
        }
        if (outside) {
            VEC_PUSH(arena, moved, all.items[i]);
        } else {
            kept = build_and(arena, kept, sql_clone(arena, all.items[i]));
        }
    }
    select->children[SELECT_WHERE] = kept;
    return true;
}

/* ORDER BY SUM(a - b) is by the item that shows it. */
static void order_by_item(struct arena *arena, struct sql_node *query,
                          const struct sql_node *select, const struct sql_node *call)
{
    struct sql_node *order = query ? query->children[QUERY_ORDER] : NULL;
    const struct sql_node *items = select->children[SELECT_ITEMS];
    for (size_t i = 0; order && i < order->count; i++) {
        for (size_t k = 0; k < items->count; k++) {
            const struct sql_node *item = items->children[k];
            struct sql_node *by = order->children[i];
            if (item->text && sql_equal(item->children[SINGLE_VALUE], call) &&
                sql_equal(by->children[ORDER_VALUE], call)) {
                by->children[ORDER_VALUE] = build_column(arena, NULL, item->text);
            }
        }
    }
}

const char *split_sums(struct arena *arena, struct sql_statement *statement,
                       const struct sql_resolved *resolved, struct fanout *out)
{
    struct fanouts found = {0};
    struct grain grain;
    fanout_find(arena, statement, resolved, &found);
    size_t at = 0;
    while (at < found.count && !(found.items[at].mixed &&
                                 str_equal_nocase(found.items[at].call->text, "sum"))) {
        at++;
    }
    if (at == found.count) {
        return NULL;
    }
    *out = found.items[at];
    struct sql_node *select = build_find(statement->root, out->scope->node);
    const struct sql_node *argument = sql_child(out->call->children[CALL_ARGUMENTS], 0);
    size_t first = 0;
    bool outer[GRAIN_RELATIONS] = {false};
    struct grain_conjuncts moved = {0};
    if (!select || !is_chain(argument) || out->call->children[CALL_FILTER] ||
        !grain_read(arena, resolved, out->scope, &grain) ||
        !find_first(&grain, argument, &first, outer) ||
        !move_conditions(arena, &grain, select, outer, &moved)) {
        return NULL;
    }
    order_by_item(arena, build_query_of(statement->root, select), select, out->call);
    struct sql_node *call = build_find(statement->root, out->call);
    *call = *sums_of(arena, argument);
    return left_out_rejoin(arena, statement, &grain, first, outer, &moved)
               ? sql_statement_print(arena, statement->dialect, statement->root)
               : NULL;
}
