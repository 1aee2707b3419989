/* A reading without a condition that no word asked for. */
#include <string.h>

#include "agent/run_statement.h"
#include "agent/understand/placing/placing.h"
#include "base/str.h"
#include "sql/describe/describe.h"
#include "sql/statement.h"

/* The condition less the part with this text, which must be one that has to hold; NULL: nothing
 * is left. */
static struct sql_node *without(struct sql_node *node, const char *sql, const char *text,
                                bool *dropped)
{
    size_t size = node->end - node->start;
    if (!*dropped && size == strlen(text) && memcmp(sql + node->start, text, size) == 0) {
        *dropped = true;
        return NULL;
    }
    if (node->kind != SQL_BINARY || !str_equal_nocase(node->text, "and")) {
        return node;
    }
    struct sql_node *left = without(node->children[PAIR_LEFT], sql, text, dropped);
    struct sql_node *right = without(node->children[PAIR_RIGHT], sql, text, dropped);
    node->children[PAIR_LEFT] = left;
    node->children[PAIR_RIGHT] = right;
    return left && right ? node : left ? left : right;
}

bool placing_drop(struct run *run, struct run_reading *reading, const char *condition)
{
    bool dropped = false;
    const struct sql_statement statement =
        sql_statement_copy(run->scratch, run_statement(run, reading->sql));
    if (!sql_is(statement.root, SQL_QUERY) ||
        !sql_is(statement.root->children[QUERY_BODY], SQL_SELECT)) {
        return false;
    }
    struct sql_node *select = statement.root->children[QUERY_BODY];
    if (!select->children[SELECT_WHERE]) {
        return false;
    }
    select->children[SELECT_WHERE] =
        without(select->children[SELECT_WHERE], reading->sql, condition, &dropped);
    const char *sql =
        dropped ? sql_statement_print(run->arena, statement.dialect, statement.root)
                : NULL;
    if (!sql || !run_statement(run, sql)->root) {
        return false;
    }
    reading->sql = sql;
    reading->words = describe_sql(run->arena, run_statement(run, sql));
    return true;
}
