/* Which groups a statement asks for: the first ones of an order, those with fewer than some. */
#include "sql/counting/lowest.h"

#include "base/str.h"
#include "sql/statement.h"

bool lowest_is_below(const struct sql_node *having)
{
    return sql_is(having, SQL_BINARY) &&
           (str_equal(having->text, "<") || str_equal(having->text, "<=")) &&
           sql_is(having->children[PAIR_LEFT], SQL_CALL) &&
           str_equal_nocase(having->children[PAIR_LEFT]->text, "count");
}

/* Is the name one of a figure that is shown: ORDER BY sum_amount? */
static bool names_figure(const struct sql_node *select, const struct sql_node *column)
{
    const struct sql_node *items = select->children[SELECT_ITEMS];
    const char *name = column->count == 1 ? column->children[0]->text : NULL;
    for (size_t i = 0; name && i < items->count; i++) {
        const struct sql_node *item = items->children[i];
        if (str_equal_nocase(item->text, name)) {
            return sql_is(item->children[SINGLE_VALUE], SQL_CALL);
        }
    }
    return false;
}

bool lowest_is_ascending(const struct sql_node *order, const struct sql_node *select)
{
    if (!order || !order->count || !sql_is(order->children[0], SQL_ORDER_ITEM) ||
        sql_has(order->children[0], FLAG_DESC)) {
        return false;
    }
    const struct sql_node *value = order->children[0]->children[ORDER_VALUE];
    return !sql_is(value, SQL_COLUMN) || names_figure(select, value);
}
