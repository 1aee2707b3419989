/*
 * Expressions: operators and what hangs on the end of a value. Chains of them are as long
 * as the statement, so they are walked without recursion, from the left.
 */
#include "sql/guard/guard_state.h"

#include <string.h>

#include "base/str.h"

/*
 * ClickHouse takes IN (name), IN ((database.name)) for a table, as IN name. It drops a plus
 * before a name, and what it makes of more behind a name in parentheses is not certain: no
 * honest query has either. Returns the value that the set begins with.
 */
static const struct sql_node *set_start(const struct sql_node *set, bool *plus)
{
    for (;;) {
        bool sign = sql_is(set, SQL_UNARY) && str_equal(set->text, "+");
        bool row = sql_is(set, SQL_TUPLE) && set->count;
        *plus = *plus || sign;
        if (!sign && !row && !(set && guard_hangs_on_left(set->kind, false))) {
            return set;
        }
        set = set->children[0];
    }
}

static bool check_set_clickhouse(struct guard *guard, const struct sql_node *set)
{
    bool plus = false;
    bool values = sql_is(set, SQL_TUPLE);
    const struct sql_node *start = set_start(set, &plus);
    if (plus && !sql_is(start, SQL_NUMBER) && !sql_is(start, SQL_STRING)) {
        return guard_refuse(guard, guard_first(guard, set),
                            "A plus before a name behind IN is not allowed.");
    }
    if (values && set->count == 1 && sql_is(set->children[0], SQL_COLUMN)) {
        return guard_expect(guard, set, SQL_TUPLE) &&
               guard_relation_set(guard, set->children[0]);
    }
    const struct token *behind =
        sql_is(start, SQL_COLUMN) ? guard_token(guard, start->end) : NULL;
    if (values && behind && token_is_punct(behind, ")")) {
        return guard_unexpected(guard, behind + 1);
    }
    return guard_value(guard, set);
}

/* Behind IN: (…); in SQLite and ClickHouse also a table, which is read without FROM. */
static bool check_set(struct guard *guard, const struct sql_node *set)
{
    if (sql_is(set, SQL_TABLE) || sql_is(set, SQL_TABLE_FUNCTION)) {
        return guard_dialect(guard, "sc")
                   ? guard_relation_set(guard, set)
                   : guard_unexpected(guard, guard_first(guard, set));
    }
    if (guard_dialect(guard, "c")) {
        return check_set_clickhouse(guard, set);
    }
    bool list = sql_is(set, SQL_TUPLE) || sql_is(set, SQL_SUBQUERY);
    if (!list && !guard_dialect(guard, "db")) {
        return guard_unexpected(guard, guard_first(guard, set));
    }
    return guard_value(guard, set);
}

static bool collation_name(struct guard *guard, const struct sql_node *name)
{
    return guard_expect(guard, name, SQL_NAME);
}

/* x::type, CAST(x AS type), CONVERT(x USING utf8mb4), CAST(x, 'UInt8') */
static bool cast_to(struct guard *guard, const struct sql_node *cast)
{
    const struct sql_node *type = cast->children[PAIR_RIGHT];
    if (!guard_listed(guard, type)) {
        return false;
    }
    switch (type->kind) {
    case SQL_TYPE:
        return guard_type(guard, type);
    case SQL_STRING:
        return guard_dialect(guard, "c")
                   ? guard_type_text(guard, type)
                   : guard_unexpected(guard, guard_first(guard, type));
    case SQL_NAME:
        return guard_dialect(guard, "m") ||
               guard_unexpected(guard, guard_first(guard, type));
    default:
        return guard_unexpected(guard, guard_first(guard, type));
    }
}

/* Every child but the first, which has been walked. */
static bool others(struct guard *guard, const struct sql_node *node)
{
    for (size_t i = 1; i < node->count; i++) {
        if (node->children[i] && !guard_value(guard, node->children[i])) {
            return false;
        }
    }
    return true;
}

/* What hangs on a value that was judged already. */
static bool guard_expression_link(struct guard *guard, const struct sql_node *node)
{
    switch (node->kind) {
    case SQL_IN:
        return check_set(guard, node->children[PAIR_RIGHT]);
    case SQL_CAST:
        return cast_to(guard, node);
    case SQL_COLLATE:
        return guard_list(guard, node->children[PAIR_RIGHT], collation_name);
    case SQL_FIELD:
        return guard_field(guard, node);
    default:
        return others(guard, node);
    }
}

bool guard_value(struct guard *guard, const struct sql_node *node)
{
    struct guard_spine spine;
    if (!guard_listed(guard, node) || !guard_enter(guard, node) ||
        !guard_spine(guard, node, false, &spine) || !guard_operand(guard, spine.end)) {
        return false;
    }
    for (size_t i = spine.count; i > 0; i--) {
        if (!guard_expression_link(guard, spine.items[i - 1])) {
            return false;
        }
    }
    guard->depth--;
    return true;
}

bool guard_values(struct guard *guard, const struct sql_node *list)
{
    return guard_list(guard, list, guard_value);
}
