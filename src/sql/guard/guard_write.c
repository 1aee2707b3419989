/* INSERT, UPDATE and DELETE of the plain form: one table, no tricks. */
#include "sql/guard/guard_state.h"

static bool value(struct guard *guard, const struct sql_node *node)
{
    return sql_is(node, SQL_DEFAULT) ? guard_expect(guard, node, SQL_DEFAULT)
                                     : guard_value(guard, node);
}

static bool insert_rows(struct guard *guard, const struct sql_node *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct sql_node *row = rows->children[i];
        if (!guard_expect(guard, row, SQL_TUPLE)) {
            return false;
        }
        for (size_t j = 0; j < row->count; j++) {
            if (!value(guard, row->children[j])) {
                return false;
            }
        }
    }
    return true;
}

static bool column_name(struct guard *guard, const struct sql_node *name)
{
    if (!guard_expect(guard, name, SQL_NAME)) {
        return false;
    }
    guard_reference_name(guard, name);
    return true;
}

static bool insert(struct guard *guard, const struct sql_node *node)
{
    const struct sql_node *source = node->children[INSERT_SOURCE];
    if (!guard_relation_table(guard, node->children[INSERT_TABLE], true) ||
        !guard_list(guard, node->children[INSERT_COLUMNS], column_name)) {
        return false;
    }
    return sql_is(source, SQL_VALUES)
               ? guard_expect(guard, source, SQL_VALUES) && insert_rows(guard, source)
               : guard_query(guard, source);
}

static bool where(struct guard *guard, const struct sql_node *condition)
{
    return !condition || guard_value(guard, condition);
}

static bool assignment(struct guard *guard, const struct sql_node *node)
{
    return guard_expect(guard, node, SQL_ASSIGNMENT) &&
           column_name(guard, node->children[PAIR_LEFT]) &&
           value(guard, node->children[PAIR_RIGHT]);
}

static bool update(struct guard *guard, const struct sql_node *node)
{
    return guard_relation_table(guard, node->children[UPDATE_TABLE], true) &&
           guard_expect(guard, node->children[UPDATE_ASSIGNMENTS], SQL_LIST) &&
           guard_list(guard, node->children[UPDATE_ASSIGNMENTS], assignment) &&
           where(guard, node->children[UPDATE_WHERE]);
}

static bool delete_rows(struct guard *guard, const struct sql_node *node)
{
    return guard_relation_table(guard, node->children[DELETE_TABLE], true) &&
           where(guard, node->children[DELETE_WHERE]);
}

bool guard_write(struct guard *guard, const struct sql_node *root)
{
    struct guard_scope scope;
    if (!guard_listed(guard, root)) {
        return false;
    }
    guard_scope_open(guard, &scope);
    bool ok = root->kind == SQL_INSERT   ? insert(guard, root)
              : root->kind == SQL_UPDATE ? update(guard, root)
              : root->kind == SQL_DELETE
                  ? delete_rows(guard, root)
                  : guard_unexpected(guard, guard_first(guard, root));
    if (ok) {
        guard_scope_close(guard);
    }
    return ok;
}
