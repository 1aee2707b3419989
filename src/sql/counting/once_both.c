/* The two figures of an aggregate over repeated rows, as one query. */
#include <string.h>

#include "base/vec.h"
#include "sql/counting/build.h"
#include "sql/counting/fanout.h"

/* Only of the SELECT that gives the answer: it stands for itself. */
static bool stands_outside(const struct sql_statement *statement,
                           const struct fanout *fanout)
{
    const struct sql_node *root = statement->root;
    return root->kind == SQL_QUERY && root->children[QUERY_BODY] == fanout->scope->node;
}

const char *fanout_both(struct arena *arena, const struct sql_statement *statement,
                        const struct schema *schema, const struct fanout *fanout)
{
    if (!stands_outside(statement, fanout)) {
        return NULL;
    }
    struct sql_node *select = sql_node(arena, SQL_SELECT, NULL);
    const struct sql_node *from = fanout->scope->node;
    struct sql_node *items = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, items, build_item(arena, fanout->call, "written"));
    sql_add(arena, items, build_item(arena, fanout->call, "once"));
    select->children[SELECT_ITEMS] = items;
    select->children[SELECT_FROM] = from->children[SELECT_FROM];
    select->children[SELECT_PREWHERE] = from->children[SELECT_PREWHERE];
    select->children[SELECT_WHERE] = from->children[SELECT_WHERE];
    struct sql_node *query = sql_node(arena, SQL_QUERY, NULL);
    query->flags = statement->root->flags & FLAG_RECURSIVE;
    query->children[QUERY_WITH] = statement->root->children[QUERY_WITH];
    query->children[QUERY_BODY] = select;
    const char *sql = sql_statement_print(arena, statement->dialect, query);
    struct sql_statement both;
    if (!sql_statement_read(arena, statement->dialect, sql, strlen(sql), &both)) {
        return NULL;
    }
    const struct sql_resolved *resolved = sql_resolve(arena, &both, schema);
    struct fanouts found = {0};
    struct fanouts second = {0};
    fanout_find(arena, &both, resolved, &found);
    for (size_t i = 0; i < found.count; i++) {
        bool same = found.items[i].subject->place == fanout->subject->place;
        if (same && found.items[i].scope->node == both.root->children[QUERY_BODY]) {
            second.items = &found.items[i];
            second.items->grouped_by_repeater = fanout->grouped_by_repeater;
            second.items->within = fanout->within;
            second.count = 1;
        }
    }
    return second.count ? fanout_once(arena, &both, resolved, &second) : NULL;
}
