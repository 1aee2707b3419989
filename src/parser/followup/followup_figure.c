/* Follow-ups that ask for figures: numbers, sums, averages, shares. */
#include "base/arena.h"
#include "base/vec.h"
#include "parser/followup/followup_state.h"

static struct ir_node *star(struct followup *followup)
{
    return ir_node_token(followup->arena, (struct ir_token){IR_COLUMN, 0});
}

/* What the figure is of: the named column, what the last figure was of, or the measure at
 * hand. */
static struct ir_node *measured(struct followup *followup, enum ir_keyword keyword)
{
    const struct caught *named = followup_caught(followup, SLOT_COLUMN, 0);
    size_t end = 0;
    if (named) {
        enum wanted wanted =
            keyword == IR_AVG || keyword == IR_SUM ? WANT_NUMBER : WANT_ANY;
        int column = followup_column(followup, named->first, wanted, &end);
        return column < 0 ? NULL : ir_node_column(followup->arena, column, false);
    }
    if (keyword == IR_COUNT) {
        return star(followup);
    }
    struct ir_node *known = followup_aggregate(followup, -1);
    if (known && known->args.count && !ir_node_is_star(known->args.items[0]) &&
        known->keyword != IR_COUNT && known->keyword != IR_COUNT_DISTINCT) {
        return known->args.items[0];
    }
    bool only = false;
    int column = followup_number_column(followup, &only);
    if (column < 0) {
        return NULL;
    }
    followup->confidence *= only || followup_uses_column(followup, column) ? 0.95 : 0.75;
    return ir_node_column(followup->arena, column, false);
}

static void replace_in(struct ir_nodes *nodes, const struct ir_node *old,
                       struct ir_node *made)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (ir_node_same(nodes->items[i], old)) {
            nodes->items[i] = made;
        }
    }
}

/* Instead of the figure there was; "also": beside it. */
static void put_figure(struct followup *followup, struct ir_node *made)
{
    struct ir_query *query = followup->query;
    struct ir_node *old = NULL;
    for (size_t i = 0; i < query->select.count && !old; i++) {
        old = ir_node_aggregates(query->select.items[i]) ? query->select.items[i] : NULL;
    }
    if (!old || followup->also || followup->selected) {
        VEC_PUSH(followup->arena, &query->select, made);
        return;
    }
    replace_in(&query->select, old, made);
    for (size_t i = 0; i < query->order.count; i++) {
        if (ir_node_same(query->order.items[i].node, old)) {
            query->order.items[i].node = made;
        }
    }
    followup->selected = true;
}

/* "the cheapest instead": rows in an order turn around. */
static bool turn_order(struct followup *followup, enum ir_keyword keyword)
{
    struct ir_query *query = followup->query;
    bool rows = query->group.count == 0 && !followup_aggregates(query);
    if ((keyword != IR_MIN && keyword != IR_MAX) || !rows || !query->limit ||
        query->order.count == 0 || followup_caught(followup, SLOT_COLUMN, 0)) {
        return false;
    }
    query->order.items[0].descending = keyword == IR_MAX;
    return true;
}

/* Instead of the figure its share of the total, in percent. */
bool followup_share(struct followup *followup)
{
    struct ir_query *query = followup->query;
    for (size_t i = 0; i < query->select.count && query->group.count; i++) {
        struct ir_node *item = query->select.items[i];
        if (item->kind == IR_NODE_CALL && ir_is_aggregate(item->keyword)) {
            query->select.items[i] = ir_node_call(followup->arena, IR_SHARE, item, NULL);
            return true;
        }
    }
    return false;
}

/* Is the query nothing but a number of things? */
static bool is_number(const struct ir_query *query)
{
    return query->select.count == 1 && query->group.count == 0 &&
           (ir_node_is(query->select.items[0], IR_COUNT) ||
            ir_node_is(query->select.items[0], IR_COUNT_DISTINCT));
}

/* "The number of invoices" is of those, whatever was counted before. */
static bool names_table(const struct followup *followup)
{
    size_t end = 0;
    for (size_t at = 0; at < followup->features.tokens.count; at++) {
        if (followup_table(followup, at, &end) >= 0) {
            return true;
        }
    }
    return false;
}

/* "How many of them" after things that were listed, or counted: how many things there are. */
static bool count_things(struct followup *followup)
{
    struct ir_query *query = followup->query;
    if (is_number(query) && !names_table(followup) &&
        !followup_caught(followup, SLOT_COLUMN, 0)) {
        followup->certain = followup->selected = true;
        return true;
    }
    if (query->group.count != 1 || followup_aggregates(query) || query->having ||
        followup_caught(followup, SLOT_COLUMN, 0)) {
        return false;
    }
    struct ir_node *thing = query->group.items[0];
    followup->confidence *= query->limit ? 0.6 : 1.0;
    query->group.count = 0;
    query->select.count = 0;
    query->distinct = false;
    VEC_PUSH(followup->arena, &query->select,
             ir_node_call(followup->arena, IR_COUNT_DISTINCT, thing, NULL));
    followup_drop_order(query);
    followup->selected = true;
    followup->certain = true;
    return true;
}

/* Another figure of the groups, or of the whole: "by distance instead", "I meant the amount". */
static bool measure(struct followup *followup, int column)
{
    struct arena *arena = followup->arena;
    const struct ir_node *old = followup_aggregate(followup, -1);
    bool counts = old && (old->keyword == IR_COUNT || old->keyword == IR_COUNT_DISTINCT);
    if (!old || column < 0 || !followup_is_measure(followup, column)) {
        return false;
    }
    put_figure(followup, ir_node_call(arena, counts ? IR_SUM : old->keyword,
                                      ir_node_column(arena, column, false), NULL));
    return true;
}

bool followup_measure(struct followup *followup)
{
    const struct caught *named = followup_caught(followup, SLOT_COLUMN, 0);
    size_t end = 0;
    return named &&
           measure(followup, followup_column(followup, named->first, WANT_NUMBER, &end));
}

bool followup_figure(struct followup *followup)
{
    struct ir_query *query = followup->query;
    enum ir_keyword keyword = followup_caught(followup, SLOT_FIGURE, 0)->keyword;
    if (turn_order(followup, keyword) ||
        (keyword == IR_COUNT && count_things(followup))) {
        return true;
    }
    struct ir_node *arg = measured(followup, keyword);
    if (!arg) {
        return false;
    }
    if (keyword == IR_COUNT && query->distinct && query->select.count == 1 &&
        ir_node_is_column(query->select.items[0])) {
        keyword = IR_COUNT_DISTINCT;
        arg = query->select.items[0];
    } else if (keyword == IR_COUNT && ir_node_is_column(arg)) {
        keyword = IR_COUNT_DISTINCT;
    }
    struct ir_node *made = ir_node_call(followup->arena, keyword, arg, NULL);
    if (query->group.count || followup_aggregates(query)) {
        put_figure(followup, made);
        return true;
    }
    followup->confidence *= query->limit ? 0.6 : 1.0; /* of the few that were shown? */
    query->select.count = 0;
    query->distinct = false;
    VEC_PUSH(followup->arena, &query->select, made);
    followup_drop_order(query);
    followup->selected = true;
    return true;
}
