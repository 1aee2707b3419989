/*
 * "Which city has the most pets per owner" and "which species has the most no-shows per visit":
 * by the ratio. The network orders by the number. Units that the thing belongs to are groups:
 * "which employee has the highest salary per department".
 */
#include "base/vec.h"
#include "parser/search/mend/mend_state.h"
#include "parser/words/most_per.h"

/* The table of which each row is there once: it leads to all others; -1: none. */
static int counted_table(const struct mend *mend, const struct ir_query *query)
{
    for (size_t i = 0; i < query->sources.count; i++) {
        bool all = true;
        for (size_t k = 0; k < query->sources.count; k++) {
            const struct ir_source *other = &query->sources.items[k];
            all = all && !other->second && !other->left &&
                  ir_leads_to(mend->schema, query->sources.items[i].table, other->table);
        }
        if (all) {
            return query->sources.items[i].table;
        }
    }
    return -1;
}

static bool is_period(const struct ir_node *part)
{
    return ir_node_is(part, IR_DURING) || ir_node_is(part, IR_SINCE) ||
           ir_node_is(part, IR_BEFORE) || ir_node_is(part, IR_AFTER) ||
           ir_node_is(part, IR_UNTIL);
}

static struct ir_node *star(const struct mend *mend)
{
    return ir_node_column(mend->arena, 0, false);
}

/* Takes the one condition that is no period out of WHERE; false: several, or about other tables. */
static bool take_test(const struct mend *mend, struct ir_query *query, int counted,
                      struct ir_node **test)
{
    struct ir_node *where = NULL;
    *test = NULL;
    for (size_t i = 0; i < mend_part_count(query->where); i++) {
        struct ir_node *part = *mend_part(&query->where, i);
        if (is_period(part)) {
            where = mend_and(mend, where, part);
            continue;
        }
        const struct ir_node *left =
            part->kind == IR_NODE_CALL && part->args.count ? part->args.items[0] : NULL;
        if (*test || !ir_node_is_column(left) || left->second ||
            mend->schema->columns[left->token.index].table != counted) {
            return false;
        }
        *test = part;
    }
    query->where = where;
    return true;
}

/* "no-shows per visit": the condition says which visits those are. */
static struct ir_node *among_all(const struct mend *mend, struct ir_query *query,
                                 int counted)
{
    struct ir_node *test = NULL;
    if (!take_test(mend, query, counted, &test) || !test) {
        return NULL;
    }
    struct ir_node *those = ir_node_call(mend->arena, IR_IF, test, star(mend));
    return ir_node_call(mend->arena, IR_RATIO,
                        ir_node_call(mend->arena, IR_COUNT, those, NULL),
                        ir_node_call(mend->arena, IR_COUNT, star(mend), NULL));
}

/* "pets per owner": all owners, those without pets as well. */
static struct ir_node *by_owner(const struct mend *mend, struct ir_query *query,
                                int counted, int unit)
{
    int key = mend_key_between(mend, counted, unit);
    int own = mend_key(mend, counted);
    struct ir_node *test = NULL;
    if (key < 0 || own < 0 || query->sources.count != 2 ||
        !take_test(mend, query, counted, &test) || query->where) {
        return NULL;
    }
    for (size_t i = 0; i < 2; i++) { /* from owners left pets */
        struct ir_source *source = &query->sources.items[i];
        if (source->joins.count) {
            return NULL;
        }
        source->table = i ? counted : unit;
        source->left = i == 1;
    }
    struct ir_node *those = ir_node_column(mend->arena, own, false);
    those = test ? ir_node_call(mend->arena, IR_IF, test, those) : those;
    return ir_node_call(
        mend->arena, IR_RATIO, ir_node_call(mend->arena, IR_COUNT, those, NULL),
        ir_node_call(mend->arena, IR_COUNT_DISTINCT,
                     ir_node_column(mend->arena, mend->schema->keys[key].to, false),
                     NULL));
}

/* What the answer is grouped by: one of each thing; NULL: not known. */
static struct ir_node *group_of(const struct mend *mend, const struct ir_query *query,
                                struct ir_node *shown)
{
    int table = mend->schema->columns[shown->token.index].table;
    struct ir_node *group = query->per.count          ? query->per.items[0]
                            : query->group.count == 1 ? query->group.items[0]
                                                      : NULL;
    bool own =
        ir_node_is_column(group) && !group->second &&
        (ir_node_same(group, shown) || group->token.index == mend_key(mend, table));
    return own ? group : NULL;
}

bool mend_rate(const struct mend *mend, struct ir_query *query)
{
    struct most_per asked;
    struct ir_node *shown = query->select.count ? query->select.items[0] : NULL;
    if (query->from || query->set != IR_PAD || query->having || !query->limit ||
        query->per.count > 1 || query->order.count != 1 || !ir_node_is_column(shown) ||
        shown->second || !ir_node_is(query->order.items[0].node, IR_COUNT) ||
        !most_per_read(mend->request->words, &asked)) {
        return false;
    }
    int unit =
        ir_table_called(mend->schema, mend->request->words->items[asked.unit].text);
    int thing = mend->schema->columns[shown->token.index].table;
    int counted = unit >= 0 ? counted_table(mend, query) : -1;
    struct ir_node *group = counted >= 0 ? group_of(mend, query, shown) : NULL;
    if (!group || (thing == unit && group->token.index == mend_key(mend, unit)) ||
        (thing != unit && ir_leads_to(mend->schema, thing, unit))) {
        return false;
    }
    struct ir_node *ratio = unit == counted ? among_all(mend, query, counted)
                            : unit == thing ? by_owner(mend, query, counted, unit)
                                            : NULL;
    if (!ratio) {
        return false;
    }
    query->select.count = 1;
    VEC_PUSH(mend->arena, &query->select, ratio);
    query->group.count = 0;
    VEC_PUSH(mend->arena, &query->group, group);
    query->order.items[0].node = ratio;
    query->per.count = 0;
    return true;
}
