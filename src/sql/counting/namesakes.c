/* Finds INTERSECT and EXCEPT over columns that do not tell the rows of a table apart. */
#include "sql/counting/namesakes.h"

#include "base/str.h"
#include "model/schema.h"
#include "sql/counting/build.h"

/* The SELECT of one side, also in parentheses. */
static const struct sql_node *side_of(const struct sql_node *node)
{
    while (sql_is(node, SQL_QUERY) && !node->children[QUERY_LIMIT]) {
        node = node->children[QUERY_BODY];
    }
    return sql_is(node, SQL_SELECT) ? node : NULL;
}

/* Do its items show plain columns of one table, and no primary key? The relation. */
static const struct sql_relation *shown(const struct sql_resolved *resolved,
                                        const struct sql_node *select)
{
    const struct sql_node *items = select ? select->children[SELECT_ITEMS] : NULL;
    const struct sql_relation *relation = NULL;
    if (!items || select->children[SELECT_GROUP]) {
        return NULL;
    }
    for (size_t i = 0; i < items->count; i++) {
        const struct sql_node *value = items->children[i]->children[SINGLE_VALUE];
        const struct sql_reference *reference =
            sql_is(value, SQL_COLUMN) ? sql_reference_of(resolved, value) : NULL;
        if (!reference || !reference->column || reference->fields ||
            reference->state != REFERENCE_COLUMN || !reference->relation ||
            !reference->relation->table || reference->column->primary ||
            (relation && relation != reference->relation)) {
            return NULL;
        }
        relation = reference->relation;
    }
    return relation;
}

static const char *count_rows(struct arena *arena, enum dialect dialect,
                              struct sql_node *from)
{
    struct sql_node *call = sql_node(arena, SQL_CALL, "COUNT");
    struct sql_node *select = sql_node(arena, SQL_SELECT, NULL);
    struct sql_node *query = sql_node(arena, SQL_QUERY, NULL);
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS], sql_node(arena, SQL_STAR, NULL));
    select->children[SELECT_ITEMS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_ITEMS], build_item(arena, call, "n"));
    select->children[SELECT_FROM] = from;
    query->children[QUERY_BODY] = select;
    return sql_statement_print(arena, dialect, query);
}

bool namesakes_find(struct arena *arena, const struct sql_statement *statement,
                    const struct sql_resolved *resolved, struct namesakes *out)
{
    const struct sql_node *query = statement->root;
    const struct sql_node *body =
        sql_is(query, SQL_QUERY) ? query->children[QUERY_BODY] : NULL;
    if (!sql_is(body, SQL_SET_OPERATION) || str_equal_nocase(body->text, "union")) {
        return false;
    }
    const struct sql_node *left = side_of(body->children[PAIR_LEFT]);
    const struct sql_node *right = side_of(body->children[PAIR_RIGHT]);
    const struct sql_relation *relation = shown(resolved, left);
    const struct sql_relation *other = shown(resolved, right);
    if (!relation || !other || relation->table != other->table) {
        return false;
    }
    struct sql_node *from = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, from, sql_clone(arena, relation->node));
    struct sql_node *inner = sql_node(arena, SQL_SELECT, NULL);
    inner->flags = FLAG_DISTINCT;
    inner->children[SELECT_ITEMS] = sql_clone(arena, left->children[SELECT_ITEMS]);
    inner->children[SELECT_FROM] = sql_clone(arena, from);
    *out =
        (struct namesakes){.name = body->text,
                           .table = relation->table,
                           .all = count_rows(arena, statement->dialect, from),
                           .different = count_rows(arena, statement->dialect,
                                                   build_from(arena, inner, "compared"))};
    return true;
}
