/* FROM: subqueries and joins. */
#include "sql/guard/guard_state.h"

#include <string.h>

static bool relation(struct guard *guard, const struct sql_node *node, bool lateral);

/* TABLESAMPLE BERNOULLI (10) REPEATABLE (1), SAMPLE 0.1, USING SAMPLE 10% */
bool guard_sample(struct guard *guard, const struct sql_node *sample)
{
    if (!sample) {
        return true;
    }
    return guard_expect(guard, sample, SQL_SAMPLE) &&
           guard_value(guard, sample->children[SINGLE_VALUE]);
}

static bool relations(struct guard *guard, const struct sql_node *list)
{
    if (!guard_expect(guard, list, SQL_LIST)) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (!relation(guard, list->children[i], false)) {
            return false;
        }
    }
    return true;
}

/* (SELECT …) x, (a JOIN b ON …) */
static bool from_parentheses(struct guard *guard, const struct sql_node *node,
                             bool lateral)
{
    const struct sql_node *source = node->children[DERIVED_SOURCE];
    bool query = node->kind == SQL_DERIVED;
    if (!guard_enter(guard, node)) {
        return false;
    }
    size_t first = guard->scope->relations.count;
    struct guard_range outside = guard->scope->visible;
    guard->scope->visible = (struct guard_range){0, lateral ? first : 0};
    if (query ? !guard_query(guard, source) : !relations(guard, source)) {
        return false;
    }
    guard->scope->visible = outside;
    guard->depth--;
    struct guard_alias alias = {0};
    const struct sql_node *offset = node->children[DERIVED_OFFSET];
    if (!guard_relation_alias(guard, node->children[DERIVED_ALIAS], false, &alias) ||
        !guard_sample(guard, node->children[DERIVED_SAMPLE])) {
        return false;
    }
    if (offset) {
        return guard_unexpected(guard, guard_first(guard, offset));
    }
    if (query) {
        guard_scope_derived(guard, &alias, guard->output);
    } else if (alias.token) {
        guard_scope_derived(guard, &alias, guard_output_joined(guard, first));
    }
    return true;
}

static bool from_item(struct guard *guard, const struct sql_node *node, bool lateral)
{
    if (!guard_listed(guard, node)) {
        return false;
    }
    switch (node->kind) {
    case SQL_TABLE:
        return guard_relation_table(guard, node, false);
    case SQL_TABLE_FUNCTION:
        return guard_relation_function(guard, node);
    case SQL_DERIVED:
    case SQL_JOIN_GROUP:
        return from_parentheses(guard, node, lateral || sql_has(node, FLAG_LATERAL));
    default:
        return guard_unexpected(guard, guard_first(guard, node));
    }
}

static bool joined_name(struct guard *guard, const struct sql_node *name)
{
    return guard_expect(guard, name, SQL_NAME);
}

/* ClickHouse: ARRAY JOIN tags AS tag, … */
static bool array_item(struct guard *guard, const struct sql_node *item)
{
    if (!guard_expect(guard, item, SQL_ITEM) ||
        !guard_value(guard, item->children[SINGLE_VALUE])) {
        return false;
    }
    if (item->text) {
        guard_scope_alias(guard, item->text);
    }
    return true;
}

/* What is joined to the relations from `first` on. A condition sees those of its join.
 * Behind a join that has none, which they are is not certain. */
static bool join(struct guard *guard, const struct sql_node *node, size_t first,
                 bool *waiting)
{
    const struct sql_node *on = node->children[JOIN_ON];
    const struct sql_node *names = node->children[JOIN_USING];
    bool apply = node->text && strstr(node->text, "APPLY"); /* SQL Server's LATERAL */
    if (!relation(guard, node->children[JOIN_RIGHT], apply)) {
        return false;
    }
    *waiting = *waiting || (!on && !names && node->variant != JOIN_CROSS &&
                            !sql_has(node, FLAG_NATURAL));
    if (!guard_list(guard, names, joined_name)) {
        return false;
    }
    struct guard_range outside = guard->scope->visible;
    size_t count = guard->scope->relations.count;
    guard->scope->visible = (struct guard_range){first, *waiting ? 0 : count};
    bool ok = !on || guard_value(guard, on);
    guard->scope->visible = outside;
    return ok;
}

/* a JOIN b ON … JOIN c ON …, with what PIVOT makes of them */
static bool relation(struct guard *guard, const struct sql_node *node, bool lateral)
{
    struct guard_spine spine;
    size_t first = guard->scope->relations.count;
    bool waiting = false;
    if (!guard_spine(guard, node, true, &spine) ||
        !from_item(guard, spine.end, lateral)) {
        return false;
    }
    for (size_t i = spine.count; i > 0; i--) {
        const struct sql_node *one = spine.items[i - 1];
        bool ok = one->kind == SQL_JOIN ? join(guard, one, first, &waiting)
                  : one->kind == SQL_ARRAY_JOIN
                      ? guard_list(guard, one->children[PAIR_RIGHT], array_item)
                      : guard_pivot(guard, one);
        if (!ok) {
            return false;
        }
    }
    return true;
}

bool guard_from(struct guard *guard, const struct sql_node *list)
{
    return relations(guard, list);
}
