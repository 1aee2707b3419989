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
    return ir_node_is(node, IR_RUNNING) && node->text && str_equal(node->text, "total");
}

bool sql_is_cumulative(const struct ir_node *node)
{
    return ir_node_is(node, IR_RUNNING) && node->text && !sql_is_total(node);
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

/* The mean of this row and a number of rows before it (moving average). */
static struct ir_node *make_moving(struct sql_reading *reading,
                                   const struct sql_node *over, struct ir_node *value,
                                   const struct sql_window *window)
{
    const struct sql_node *definition = definition_of(reading, over);
    const struct sql_node *frame = definition ? definition->children[WINDOW_FRAME] : NULL;
    const struct sql_node *start = frame ? frame->children[FRAME_START] : NULL;
    double back = 0;
    bool rows = start && window->order.count == 1 && !window->order.items[0].descending &&
                str_equal_nocase(frame->text, "rows") && start->text &&
                str_equal_nocase(start->text, "PRECEDING") && start->count &&
                start->children[0] && start->children[0]->text &&
                str_to_real(start->children[0]->text, &back);
    if (!rows || back < 1) {
        return sql_fail(reading, "The window function avg.");
    }
    return sql_call(reading, IR_MOVING, value,
                    sql_number(reading, arena_format(reading->arena, "%g", back + 1)));
}

/* RANGE BETWEEN 12 PRECEDING AND 12 PRECEDING: as we write "a year before". */
static bool is_year_before(const struct sql_reading *reading, const struct sql_node *over)
{
    const struct sql_node *definition = definition_of(reading, over);
    const struct sql_node *frame = definition ? definition->children[WINDOW_FRAME] : NULL;
    double back[2] = {0, 0};
    if (!frame || !str_equal_nocase(frame->text, "range") ||
        !frame->children[FRAME_START] || !frame->children[FRAME_END]) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        const struct sql_node *bound = frame->children[i ? FRAME_END : FRAME_START];
        const struct sql_node *value = bound->children[SINGLE_VALUE];
        if (!str_equal_nocase(bound->text, "PRECEDING") || !value || !value->text ||
            !str_to_real(value->text, &back[i])) {
            return false;
        }
    }
    return back[0] == back[1] && (back[0] == 1 || back[0] == 4 || back[0] == 12);
}

struct ir_node *sql_read_over(struct sql_reading *reading, const struct sql_node *call,
                              struct ir_nodes *args)
{
    const char *name = call->text;
    struct sql_window window = {0};
    struct ir_node *node;
    if (str_equal_nocase(name, "max") && args->count == 1 &&
        is_year_before(reading, call->children[CALL_OVER])) {
        return sql_call(reading, IR_YEAR_AGO, sql_drop_real(args->items[0]), NULL);
    }
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
        if (window.order.count == 1 && window.order.items[0].descending &&
            ir_node_same(window.order.items[0].node, node->args.items[0])) {
            node->text = "greatest first"; /* good only as a share of the total */
        }
    } else if (str_equal_nocase(name, "avg") && args->count == 1) {
        node = make_moving(reading, call->children[CALL_OVER], args->items[0], &window);
    } else {
        node = sql_fail(reading, "The window function %s.", name);
    }
    window.node = node;
    VEC_PUSH(reading->arena, &reading->windows, window);
    return node;
}
