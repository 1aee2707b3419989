/*
 * Keywords of the IR as SQL functions, for training questions whose SQL would be long:
 * ir_growth(sum(amount)), ir_during(order_date, 'last month'), ir_bucket(age, 18, 65).
 */
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir_state.h"

/* 'day' as the unit that the IR has for it. */
static struct ir_node *unit_of(struct sql_reading *reading, const struct ir_node *text)
{
    int keyword = IR_PAD;
    const char *name = text->kind == IR_NODE_TEXT
                           ? arena_format(reading->arena, "u_%s", text->text)
                           : "";
    return ir_keyword_find(name, &keyword)
               ? sql_call(reading, (enum ir_keyword)keyword, NULL, NULL)
               : sql_fail(reading, "ir_shift wants a date, a number and a unit.");
}

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
    if (keyword == IR_SHIFT) {
        if (args->count != 3) {
            return sql_fail(reading, "ir_shift wants a date, a number and a unit.");
        }
        node->args.items[2] = unit_of(reading, args->items[2]);
    }
    return node;
}
