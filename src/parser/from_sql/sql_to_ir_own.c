/*
 * The IR's own words as functions, for training questions whose SQL would be long:
 * ir_growth(sum(amount)), ir_during(order_date, 'last month'), ir_bucket(age, 18, 65).
 */
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir_state.h"

struct ir_node *sql_make_own(struct sql_reading *reading, const char *name,
                             struct ir_nodes *args)
{
    int keyword;
    if (!ir_keyword_find(str_lower(reading->arena, name), &keyword) ||
        keyword <= IR_EXISTS) {
        return sql_fail(reading, "The function ir_%s.", name);
    }
    struct ir_node *node = sql_call(reading, (enum ir_keyword)keyword, NULL, NULL);
    node->args = *args;
    if (keyword >= IR_DURING && keyword <= IR_UNTIL) {
        if (args->count != 2 || args->items[1]->kind != IR_NODE_TEXT) {
            return sql_fail(reading, "ir_%s wants a date and a period.", name);
        }
        node->args.items[1] = sql_read_period(reading, args->items[1]->text);
    }
    return node;
}
