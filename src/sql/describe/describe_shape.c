/* How complex a query is, counted in one walk over its tree. */
#include "sql/describe/describe.h"
#include "sql/statement.h"

static bool count_node(void *context, struct sql_node *node)
{
    struct sql_shape *shape = context;
    switch (node->kind) {
    case SQL_SELECT: {
        const struct sql_node *from = node->children[SELECT_FROM];
        shape->joins += from ? (int)from->count - 1 : 0; /* FROM a, b */
        shape->subqueries++;
        break;
    }
    case SQL_SET_OPERATION:
        shape->set_operations++;
        break;
    case SQL_JOIN:
    case SQL_ARRAY_JOIN:
        shape->joins++;
        break;
    case SQL_CALL:
        shape->windows += node->children[CALL_OVER] != NULL;
        break;
    default:
        break;
    }
    return true;
}

/* The SELECTs that are not inside of another one. */
static void count_top(const struct sql_node *node, struct sql_shape *shape)
{
    if (node->kind == SQL_QUERY) {
        shape->order_by = shape->order_by || node->children[QUERY_ORDER];
        count_top(node->children[QUERY_BODY], shape);
    } else if (node->kind == SQL_SET_OPERATION) {
        count_top(node->children[PAIR_LEFT], shape);
        count_top(node->children[PAIR_RIGHT], shape);
    } else if (node->kind == SQL_SELECT) {
        shape->subqueries--;
        shape->group_by = shape->group_by || node->children[SELECT_GROUP];
    }
}

void describe_shape(const struct sql_statement *statement, struct sql_shape *out)
{
    *out = (struct sql_shape){0};
    if (statement->root) {
        sql_walk(statement->root, count_node, out);
        count_top(statement->root, out);
    }
}
