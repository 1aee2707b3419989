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

static void read_definition(struct sql_reading *reading, struct sql_window *window)
{
    sql_need(reading, "(");
    if (sql_eat(reading, "partition")) {
        sql_need(reading, "by");
        do {
            VEC_PUSH(reading->arena, &window->partition, sql_read_expression(reading));
        } while (sql_eat_punct(reading, ","));
    }
    if (sql_eat(reading, "order")) {
        sql_need(reading, "by");
        do {
            struct ir_order order = {sql_read_expression(reading), false};
            order.descending = sql_eat(reading, "desc");
            (void)sql_eat(reading, "asc");
            VEC_PUSH(reading->arena, &window->order, order);
        } while (sql_eat_punct(reading, ","));
    }
    if (sql_eat(reading, "rows") || sql_eat(reading, "range")) {
        while (!sql_next_punct(reading, ")") && sql_peek(reading, 0)->kind != TOKEN_END) {
            reading->at++;
        }
    }
    sql_need(reading, ")");
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

struct ir_node *sql_read_over(struct sql_reading *reading, const char *name,
                              struct ir_nodes *args)
{
    struct sql_window window = {0};
    struct ir_node *node;
    sql_need(reading, "over");
    read_definition(reading, &window);
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
