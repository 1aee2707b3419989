/* OVER: ranks, totals, running totals and the row before. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir_state.h"

const struct sql_window *sql_window_of(const struct sql_reading *reading,
                                       const struct ir_node *node)
{
    for (size_t i = 0; i < reading->windows.count; i++) {
        if (reading->windows.items[i].node == node) {
            return &reading->windows.items[i];
        }
    }
    return NULL;
}

/* sum(x) OVER (): only below a fraction it has a word, `share`. */
bool sql_is_total(const struct ir_node *node)
{
    return ir_node_is(node, IR_RUNNING) && node->text;
}

/* OVER (…), or OVER with a name from the WINDOW clause. */
static const struct sql_node *definition_of(const struct sql_reading *reading,
                                            const struct sql_node *over)
{
    const struct sql_node *select = reading->scope->select;
    const struct sql_node *named = select ? select->children[SELECT_WINDOWS] : NULL;
    for (size_t i = 0; sql_is(over, SQL_NAME) && named && i < named->count; i++) {
        if (str_equal_nocase(named->children[i]->text, over->text)) {
            return named->children[i];
        }
    }
    return sql_is(over, SQL_WINDOW) && !over->children[WINDOW_BASE] ? over : NULL;
}

static void read_definition(struct sql_reading *reading, const struct sql_node *over,
                            struct sql_window *window)
{
    const struct sql_node *definition = definition_of(reading, over);
    if (!definition) {
        sql_fail(reading, "A window built on another.");
        return;
    }
    const struct sql_node *partition = definition->children[WINDOW_PARTITION];
    const struct sql_node *order = definition->children[WINDOW_ORDER];
    for (size_t i = 0; partition && i < partition->count; i++) {
        VEC_PUSH(reading->arena, &window->partition,
                 sql_read_value(reading, partition->children[i]));
    }
    for (size_t i = 0; order && i < order->count && !reading->failed; i++) {
        const struct sql_node *item = order->children[i];
        if (!item->children[ORDER_VALUE]) {
            sql_fail(reading, "A window ordered by all.");
            return;
        }
        struct ir_order one = {sql_read_value(reading, item->children[ORDER_VALUE]),
                               sql_has(item, FLAG_DESC)};
        VEC_PUSH(reading->arena, &window->order, one);
    }
}

static struct ir_node *make_rank(struct sql_reading *reading, struct sql_window *window)
{
    if (window->order.count == 0) {
        return sql_fail(reading, "A rank without an order.");
    }
    window->is_row_number = true;
    struct ir_node *node = sql_call(reading, IR_RANK, window->order.items[0].node, NULL);
    bool plain = window->partition.count == 0 && window->order.count == 1 &&
                 window->order.items[0].descending;
    node->text = plain ? NULL : "rank"; /* good only as "the first N of each" */
    return node;
}

struct ir_node *sql_read_over(struct sql_reading *reading, const struct sql_node *call,
                              struct ir_nodes *args)
{
    const char *name = call->text;
    struct sql_window window = {0};
    struct ir_node *node;
    read_definition(reading, call->children[CALL_OVER], &window);
    if (str_equal_nocase(name, "row_number") || str_equal_nocase(name, "rank") ||
        str_equal_nocase(name, "dense_rank")) {
        node = make_rank(reading, &window);
    } else if (str_equal_nocase(name, "lag") && args->count > 0) {
        node = sql_call(reading, IR_PREVIOUS, sql_drop_real(args->items[0]), NULL);
    } else if (str_equal_nocase(name, "sum") && args->count == 1 &&
               window.partition.count == 0) {
        node = sql_call(reading, IR_RUNNING, sql_drop_real(args->items[0]), NULL);
        node->text = window.order.count ? NULL : "total";
    } else {
        node = sql_fail(reading, "The window function %s.", name);
    }
    window.node = node;
    VEC_PUSH(reading->arena, &reading->windows, window);
    return node;
}
