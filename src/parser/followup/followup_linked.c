/* Things and what belongs to them: "and with a badge?", "which patients?" */
#include "base/vec.h"
#include "parser/followup/followup_state.h"

/* Is the table in the query, or does one of its tables refer to it, as of a table between two? */
static bool is_about(const struct followup *followup, const struct ir_query *query,
                     int table)
{
    const struct ir_schema *schema = followup->schema;
    for (size_t i = 0; i < query->sources.count; i++) {
        int source = query->sources.items[i].table;
        if (source == table) {
            return true;
        }
        for (int k = 0; k < schema->key_count; k++) {
            if (schema->columns[schema->keys[k].from].table == source &&
                schema->columns[schema->keys[k].to].table == table) {
                return true;
            }
        }
    }
    return false;
}

/* What a condition says of rows of the table that belong to each row; NULL: it says nothing of them. table -1: any. */
static struct ir_node *existence(const struct followup *followup, struct ir_node *node,
                                 int table)
{
    struct ir_node *test = ir_node_is(node, IR_NOT) ? node->args.items[0] : node;
    bool asks = ir_node_is(test, IR_IN) || ir_node_is(test, IR_NOT_IN) ||
                ir_node_is(test, IR_EXISTS);
    const struct ir_node *last =
        asks && test->args.count ? test->args.items[test->args.count - 1] : NULL;
    bool about = last && last->kind == IR_NODE_QUERY &&
                 (table < 0 || is_about(followup, last->query, table));
    return about ? test : NULL;
}

/* Rows that have some of it become those that have none, and the other way round. */
static bool turn(struct followup *followup, bool wanted)
{
    const struct caught *named = followup_caught(followup, SLOT_TABLE, 0);
    size_t count = 0;
    struct ir_node **items = followup_conditions(&followup->query->where, &count);
    for (size_t i = 0; i < count; i++) {
        struct ir_node *test = existence(followup, items[i], named ? named->table : -1);
        if (!test) {
            continue;
        }
        bool denied = (test != items[i]) != ir_node_is(test, IR_NOT_IN);
        if (denied != wanted) {
            return false; /* it says so already: something else is meant */
        }
        if (test->keyword == IR_EXISTS) {
            items[i] = wanted ? test : ir_node_call(followup->arena, IR_NOT, test, NULL);
        } else {
            test->keyword = wanted ? IR_IN : IR_NOT_IN;
            items[i] = test;
        }
        followup->certain = true;
        return true;
    }
    return false;
}

bool followup_with(struct followup *followup)
{
    return turn(followup, true);
}

bool followup_without(struct followup *followup)
{
    return turn(followup, false);
}

/* "Which patients?" after a number of appointments: each patient that one of them belongs to. */
bool followup_which(struct followup *followup)
{
    struct ir_query *query = followup->query;
    const struct caught *named = followup_caught(followup, SLOT_TABLE, 0);
    struct ir_nodes names = {0};
    bool figure = query->select.count == 1 && query->group.count == 0 &&
                  ir_node_aggregates(query->select.items[0]) && !query->having;
    if (!named || !figure || !followup_is_near(followup, named->table)) {
        return false;
    }
    if (query->sources.count == 1 && query->sources.items[0].table == named->table) {
        return followup_rows(followup);
    }
    struct ir_node *thing = followup_thing(followup, named->table, &names);
    if (!thing) {
        return false;
    }
    query->select = names;
    query->distinct = false;
    query->order.count = 0;
    query->limit = NULL;
    query->offset = NULL;
    VEC_PUSH(followup->arena, &query->group, thing);
    followup->selected = true;
    return true;
}
