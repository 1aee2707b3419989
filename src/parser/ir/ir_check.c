/* Indices in range, copies that exist, items that are selected, set parts of equal width.
 */
#include "parser/ir/ir_check.h"

#include "base/err.h"
#include "parser/ir/ir_edges.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"

bool ir_check_indices(const struct ir_tokens *tokens, const struct ir_schema *schema,
                      size_t value_count, struct err *err)
{
    for (size_t i = 0; i < tokens->count; i++) {
        const int limits[] = {
            [IR_KEYWORD] = IR_KEYWORD_COUNT,    [IR_FIXED] = IR_FIXED_COUNT,
            [IR_VALUE] = (int)value_count,      [IR_TABLE] = schema->table_count,
            [IR_COLUMN] = schema->column_count,
        };
        struct ir_token token = tokens->items[i];
        if (token.index < 0 || token.index >= limits[token.kind]) {
            return err_set(err, ERR_INVALID_DATA, "Token %zu points at nothing.", i + 1);
        }
    }
    return true;
}

/* How many columns it gives back; -1 when `*` or a table is among them. */
static int ir_query_width(const struct ir_query *query)
{
    for (size_t i = 0; i < query->select.count; i++) {
        const struct ir_node *node = query->select.items[i];
        if (ir_node_is_star(node) ||
            (node->kind == IR_NODE_TOKEN && node->token.kind == IR_TABLE)) {
            return -1;
        }
    }
    return (int)query->select.count;
}

struct check {
    const struct ir_schema *schema;
    const struct ir_query *query;
    const struct check *around;
    struct err *err;
    bool good;
};

static bool has_source(const struct ir_query *query, int table, bool second)
{
    for (size_t i = 0; i < query->sources.count; i++) {
        if (query->sources.items[i].table == table &&
            query->sources.items[i].second == second) {
            return true;
        }
    }
    return false;
}

static bool query_check(struct ir_query *query, const struct check *around,
                        const struct ir_schema *schema, struct err *err);

static bool fail(struct check *check, const char *why)
{
    if (check->good) {
        check->good = err_set(check->err, ERR_INVALID_DATA, "%s", why);
    }
    return false;
}

static void column_check(struct check *check, const struct ir_node *node)
{
    const struct check *owner = node->outer ? check->around : check;
    int table = check->schema->columns[node->token.index].table;
    if (!owner) {
        fail(check, "A column refers to a surrounding query, and there is none.");
    } else if (owner->query->from) {
        fail(check, "A query over a subquery cannot use the columns of tables.");
    } else if (node->second && !has_source(owner->query, table, true)) {
        fail(check, "A column refers to a second copy of its table that is not in FROM.");
    } else if (node->outer && !has_source(owner->query, table, node->second)) {
        fail(check, "The surrounding query does not contain the column's table.");
    }
}

static void node_check(void *context, struct ir_node *node)
{
    struct check *check = context;
    if (!check->good) {
        return;
    }
    if (ir_node_is_column(node)) {
        column_check(check, node);
    } else if (node->kind == IR_NODE_ITEM) {
        int width = check->query->from ? ir_query_width(check->query->from) : 0;
        if (node->item > width) {
            fail(check, "The subquery has no result column with this number.");
        }
    } else if (node->kind == IR_NODE_TOKEN && node->token.kind == IR_TABLE &&
               !has_source(check->query, node->token.index, false)) {
        fail(check, "All columns of a table are selected that is not in FROM.");
    } else if (node->kind == IR_NODE_QUERY) {
        check->good = query_check(node->query, check, check->schema, check->err);
    } else if ((ir_node_is(node, IR_IN) || ir_node_is(node, IR_NOT_IN)) &&
               node->args.items[1]->kind == IR_NODE_QUERY &&
               ir_query_width(node->args.items[1]->query) != 1) {
        fail(check, "A subquery that gives a list of values must have one column.");
    }
}

static bool sources_check(struct check *check)
{
    const struct ir_query *query = check->query;
    for (size_t i = 0; i < query->sources.count; i++) {
        const struct ir_source *source = &query->sources.items[i];
        if (source->second && !has_source(query, source->table, false)) {
            return fail(check, "FROM has a second copy of a table without the first.");
        }
        for (size_t j = 0; j < i; j++) {
            if (query->sources.items[j].table == source->table &&
                query->sources.items[j].second == source->second) {
                return fail(check, "FROM has the same table twice.");
            }
        }
        for (size_t j = 0; j < source->joins.count; j++) {
            const struct ir_join *join = &source->joins.items[j];
            node_check(check, join->a);
            if (join->b) {
                node_check(check, join->b);
            }
            if (check->good && join->b &&
                !ir_columns_meet(check->schema, join->a->token.index,
                                 join->b->token.index)) {
                return fail(check,
                            "A join compares two columns that can never be equal.");
            }
        }
    }
    return check->good;
}

static bool query_check(struct ir_query *query, const struct check *around,
                        const struct ir_schema *schema, struct err *err)
{
    struct check check = {schema, query, around, err, true};
    if (!sources_check(&check)) {
        return false;
    }
    if (query->from && !query_check(query->from, around, schema, err)) {
        return false;
    }
    ir_query_walk(query, node_check, &check);
    if (check.good && query->set_query) {
        int a = ir_query_width(query);
        int b = ir_query_width(query->set_query);
        if (a >= 0 && b >= 0 && a != b) {
            return fail(&check, "The two parts have not the same number of columns.");
        }
        return query_check(query->set_query, around, schema, err);
    }
    return check.good;
}

bool ir_check_query(struct ir_query *query, const struct ir_schema *schema,
                    struct err *err)
{
    return query_check(query, NULL, schema, err);
}
