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

/* Names stand for their rows; the places that people live in are meant themselves. */
static bool shows_names(const struct sql_node *select)
{
    static const char *const words[] = {"name", "title", "label", "nick"};
    const struct sql_node *items = select->children[SELECT_ITEMS];
    for (size_t i = 0; i < items->count; i++) {
        const struct sql_node *column = items->children[i]->children[SINGLE_VALUE];
        const char *name = column->children[column->count - 1]->text;
        bool found = false;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            found = found || str_contains_nocase(name, words[k]);
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

/* key [NOT] IN (the side, which shows its key) */
static struct sql_node *is_in(struct arena *arena, struct sql_node *value,
                              const struct sql_node *side,
                              const struct sql_relation *relation, const char *key,
                              bool denied)
{
    struct sql_node *select = sql_clone(arena, side);
    struct sql_node *query = sql_node(arena, SQL_QUERY, NULL);
    struct sql_node *subquery = sql_node(arena, SQL_SUBQUERY, NULL);
    struct sql_node *in = sql_node(arena, SQL_IN, NULL);
    struct sql_node *item = sql_node(arena, SQL_ITEM, NULL);
    item->children[SINGLE_VALUE] = build_column(arena, relation->name, key);
    select->children[SELECT_ITEMS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_ITEMS], item);
    select->flags &= ~(unsigned)FLAG_DISTINCT;
    query->children[QUERY_BODY] = select;
    subquery->children[SINGLE_VALUE] = query;
    in->children[PAIR_LEFT] = value;
    in->children[PAIR_RIGHT] = subquery;
    in->flags = denied ? FLAG_NOT : 0;
    return in;
}

/* SELECT name FROM people WHERE id IN (the one side) AND id NOT IN (the other) */
static const char *compare_by(struct arena *arena, const struct sql_statement *statement,
                              const struct sql_node *sides[2],
                              const struct sql_relation *relations[2], const char *key)
{
    const struct sql_node *root = statement->root;
    const struct sql_node *body = root->children[QUERY_BODY];
    const struct sql_relation *shown_of = relations[0];
    bool outer = false;
    for (size_t i = 0; i < 2; i++) {
        outer = outer || relations[i]->optional || !relations[i]->name;
    }
    if (outer || sql_has(body, FLAG_ALL)) {
        return NULL;
    }
    bool denied = !str_equal_nocase(body->text, "intersect");
    struct sql_node *from = sql_node(arena, SQL_LIST, NULL);
    struct sql_node *where = is_in(arena, build_column(arena, shown_of->name, key),
                                   sides[0], shown_of, key, false);
    sql_add(arena, from, sql_clone(arena, shown_of->node));
    where = build_and(arena, where,
                      is_in(arena, build_column(arena, shown_of->name, key), sides[1],
                            relations[1], key, denied));
    struct sql_node *select = sql_node(arena, SQL_SELECT, NULL);
    select->children[SELECT_ITEMS] = sql_clone(arena, sides[0]->children[SELECT_ITEMS]);
    select->children[SELECT_FROM] = from;
    select->children[SELECT_WHERE] = where;
    struct sql_node *query = sql_clone(arena, root);
    query->children[QUERY_BODY] = select;
    return sql_statement_print(arena, statement->dialect, query);
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
                                                   build_from(arena, inner, "compared")),
                           .key = table_sole_key(relation->table)};
    const struct sql_node *sides[] = {left, right};
    const struct sql_relation *relations[] = {relation, other};
    out->by_key = out->key && shows_names(left)
                      ? compare_by(arena, statement, sides, relations, out->key)
                      : NULL;
    return true;
}
