/* Tables made of others in FROM: PIVOT, UNPIVOT and JSON_TABLE. */
#include "sql/guard/guard_state.h"

/* ------------------------------------------------------------------ PIVOT, UNPIVOT */

/* expression [AS alias] */
static bool named_expression(struct guard *guard, const struct sql_node *item)
{
    return guard_expect(guard, item, SQL_ITEM) &&
           guard_value(guard, item->children[SINGLE_VALUE]);
}

/* FOR column IN (value [AS alias], …) */
static bool for_values(struct guard *guard, const struct sql_node *node)
{
    if (!guard_expect(guard, node, SQL_PIVOT_FOR) ||
        !guard_expect(guard, node->children[PAIR_LEFT], SQL_NAME)) {
        return false;
    }
    guard_reference_name(guard, node->children[PAIR_LEFT]);
    return guard_list(guard, node->children[PAIR_RIGHT], named_expression);
}

static bool pivot_parts(struct guard *guard, const struct sql_node *pivot)
{
    const struct sql_node *values = pivot->children[PIVOT_VALUES];
    return (pivot->kind == SQL_PIVOT ? guard_expect(guard, values, SQL_LIST) &&
                                           guard_list(guard, values, named_expression)
                                     : guard_expect(guard, values, SQL_NAME)) &&
           guard_list(guard, pivot->children[PIVOT_FORS], for_values);
}

bool guard_pivot(struct guard *guard, const struct sql_node *pivot)
{
    const struct sql_node *alias = pivot->children[PIVOT_ALIAS];
    guard->unsure++; /* its columns are made of values: names here may come from it */
    bool ok = pivot_parts(guard, pivot);
    guard->unsure--;
    if (!ok || (alias && !guard_expect(guard, alias, SQL_ALIAS))) {
        return false;
    }
    if (alias && alias->children[SINGLE_VALUE]) {
        return guard_unexpected(guard, guard_first(guard, alias->children[SINGLE_VALUE]));
    }
    guard_scope_relation(guard,
                         &(struct guard_relation){.alias = alias ? alias->text : NULL});
    return true;
}

/* ------------------------------------------------------------------ JSON_TABLE */

static bool json_columns(struct guard *guard, const struct sql_node *list);

/* Where the value is, then [NULL | ERROR | DEFAULT 'x'] ON EMPTY, the same ON ERROR */
static bool json_detail(struct guard *guard, const struct sql_node *node)
{
    if (sql_is(node, SQL_STRING)) {
        return guard_expect(guard, node, SQL_STRING);
    }
    if (!guard_expect(guard, node, SQL_ARGUMENT)) {
        return false;
    }
    const struct sql_node *value = node->children[SINGLE_VALUE];
    return !value || guard_expect(guard, value,
                                  value->kind == SQL_STRING ? SQL_STRING : SQL_NUMBER);
}

/* n FOR ORDINALITY · a INT [EXISTS] PATH '$.a' … · NESTED PATH '$.b[*]' COLUMNS (…) */
static bool json_column(struct guard *guard, const struct sql_node *node)
{
    if (!guard_expect(guard, node, SQL_JSON_COLUMN)) {
        return false;
    }
    const struct sql_node *left = node->children[PAIR_LEFT];
    const struct sql_node *right = node->children[PAIR_RIGHT];
    if (!node->text) {
        return guard_expect(guard, left, SQL_STRING) && json_columns(guard, right);
    }
    if (sql_has(node, FLAG_ORDINALITY)) {
        return !left && !right;
    }
    return guard_type(guard, left) && guard_expect(guard, right, SQL_LIST) &&
           guard_list(guard, right, json_detail);
}

static bool json_columns(struct guard *guard, const struct sql_node *list)
{
    if (!guard_expect(guard, list, SQL_LIST) || !guard_enter(guard, list)) {
        return false;
    }
    bool ok = guard_list(guard, list, json_column);
    guard->depth--;
    return ok;
}

bool guard_json_table(struct guard *guard, const struct sql_node *table)
{
    if (!guard_expect(guard, table, SQL_JSON_TABLE)) {
        return false;
    }
    guard_note(guard, &guard->out->functions, "json_table");
    guard->unsure++; /* its document may be a column of a table before it */
    bool ok = guard_value(guard, table->children[PAIR_LEFT]);
    guard->unsure--;
    return ok && json_columns(guard, table->children[PAIR_RIGHT]);
}
