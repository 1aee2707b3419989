/* The entry of the reader, its small tools, and literals looked up at the end. */
#include "parser/from_sql/sql_to_ir.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_check.h"
#include "parser/from_sql/sql_to_ir_state.h"

struct ir_node *sql_fail(struct sql_reading *reading, const char *format, ...)
{
    if (!reading->failed) {
        char reason[200];
        va_list args;
        va_start(args, format);
        (void)vsnprintf(reason, sizeof reason, format, args);
        va_end(args);
        reading->failed = true;
        err_set(reading->err, ERR_INVALID_DATA, "%s", reason);
    }
    return ir_node_token(reading->arena, (struct ir_token){IR_FIXED, IR_FIXED_UNKNOWN});
}

struct ir_node *sql_call(struct sql_reading *reading, enum ir_keyword keyword,
                         struct ir_node *a, struct ir_node *b)
{
    return ir_node_call(reading->arena, keyword, a, b);
}

struct ir_node *sql_number(struct sql_reading *reading, const char *text)
{
    return ir_node_text(reading->arena, text, false);
}

bool sql_is_number(const struct ir_node *node, double number)
{
    double value;
    return node && node->kind == IR_NODE_TEXT && str_to_real(node->text, &value) &&
           fabs(value - number) < 1e-9;
}

bool sql_is_text(const struct ir_node *node, const char *text)
{
    return node && node->kind == IR_NODE_TEXT && str_equal_nocase(node->text, text);
}

static void query_settle(struct sql_reading *reading, struct ir_query *query);

/* Literals become tokens; what only the reader understands has no token and fails. */
static void node_settle(void *context, struct ir_node *node)
{
    struct sql_reading *reading = context;
    if (node->kind == IR_NODE_QUERY) {
        query_settle(reading, node->query);
    } else if (node->kind == IR_NODE_TEXT) {
        node->token = reading->request->find_value(reading->request->context, node->text,
                                                   node->is_text);
        node->kind = IR_NODE_TOKEN;
        node->text = NULL; /* SELECT and GROUP BY may share the node */
        reading->value_missing =
            reading->value_missing ||
            (node->token.kind == IR_FIXED && node->token.index == IR_FIXED_UNKNOWN);
    } else if (node->text) {
        sql_fail(reading, "A part of the query has no words in the IR.");
    } else {
        sql_shorten_date(reading, node);
    }
}

/* `1.0 * x` outside a division is just x. */
static void node_plain(void *context, struct ir_node *node)
{
    (void)context;
    for (size_t i = 0; i < node->args.count; i++) {
        node->args.items[i] = sql_drop_real(node->args.items[i]);
    }
}

static void query_settle(struct sql_reading *reading, struct ir_query *query)
{
    for (; query && !reading->failed; query = query->set_query) {
        for (size_t i = 0; i < query->select.count; i++) {
            query->select.items[i] = sql_drop_real(query->select.items[i]);
        }
        for (size_t i = 0; i < query->order.count; i++) {
            query->order.items[i].node = sql_drop_real(query->order.items[i].node);
        }
        ir_query_walk(query, node_plain, reading);
        ir_query_walk(query, node_settle, reading);
        query_settle(reading, query->from);
    }
}

bool sql_to_ir(struct arena *arena, const struct sql_to_ir_request *request,
               const char *sql, struct sql_to_ir_result *result, struct err *err)
{
    struct sql_reading reading = {
        .arena = arena, .request = request, .schema = request->schema, .err = err};
    struct ir_query *query = NULL;
    *result = (struct sql_to_ir_result){0};
    if (!sql_statement_read(arena, request->dialect, sql, strlen(sql),
                            &reading.statement)) {
        sql_fail(&reading, "%s", reading.statement.reason);
    } else if (!sql_is(reading.statement.root, SQL_QUERY)) {
        sql_fail(&reading, "The statement is no query.");
    } else {
        query = sql_read_query(&reading, reading.statement.root, NULL, NULL);
    }
    if (!reading.failed) {
        query_settle(&reading, query);
    }
    if (reading.failed) {
        return false;
    }
    result->value_missing = reading.value_missing;
    struct ir_query *again;
    return ir_tree_write(arena, query, &result->tokens, err) &&
           ir_tree_read(arena, &result->tokens, request->schema, (size_t)1 << 30, &again,
                        err);
}
