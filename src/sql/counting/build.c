/* Small parts of a statement's tree. */
#include "sql/counting/build.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "sql/dialect.h"
#include "sql/keyword.h"

/* A name that any dialect reads as it stands. */
static bool is_plain_name(const char *name)
{
    if (!islower((unsigned char)name[0]) && name[0] != '_') {
        return false;
    }
    for (const char *at = name; *at; at++) {
        if (!islower((unsigned char)*at) && !isdigit((unsigned char)*at) && *at != '_') {
            return false;
        }
    }
    return keyword_find(name, strlen(name)) == KEYWORD_NONE && !dialect_is_reserved(name);
}

static struct sql_node *name_node(struct arena *arena, const char *name)
{
    struct sql_node *node = sql_node(arena, SQL_NAME, name);
    node->flags = is_plain_name(name) ? 0 : FLAG_QUOTED;
    return node;
}

struct sql_node *build_reference(struct arena *arena, const struct sql_relation *relation,
                                 const struct sql_output *output)
{
    struct sql_node *node = sql_node(arena, SQL_COLUMN, NULL);
    struct sql_node *owner = name_node(arena, relation->name);
    struct sql_node *name = name_node(arena, output->name);
    owner->flags = relation->exact ? owner->flags : 0;
    name->flags = output->exact ? name->flags : 0;
    sql_add(arena, node, owner);
    sql_add(arena, node, name);
    return node;
}

struct sql_node *build_column(struct arena *arena, const char *relation,
                              const char *column)
{
    struct sql_node *node = sql_node(arena, SQL_COLUMN, NULL);
    if (relation) {
        sql_add(arena, node, name_node(arena, relation));
    }
    sql_add(arena, node, name_node(arena, column));
    return node;
}

struct sql_node *build_item(struct arena *arena, struct sql_node *value,
                            const char *alias)
{
    struct sql_node *item = sql_node(arena, SQL_ITEM, alias);
    item->flags = is_plain_name(alias) ? 0 : FLAG_QUOTED;
    item->children[SINGLE_VALUE] = value;
    return item;
}

static struct sql_node *pair(struct arena *arena, enum sql_kind kind, const char *text,
                             struct sql_node *left, struct sql_node *right)
{
    struct sql_node *node = sql_node(arena, kind, text);
    node->children[PAIR_LEFT] = left;
    node->children[PAIR_RIGHT] = right;
    return node;
}

struct sql_node *build_equal(struct arena *arena, struct sql_node *left,
                             struct sql_node *right)
{
    return pair(arena, SQL_BINARY, "=", left, right);
}

struct sql_node *build_not_null(struct arena *arena, struct sql_node *value)
{
    struct sql_node *node =
        pair(arena, SQL_IS, NULL, value, sql_node(arena, SQL_CONSTANT, "NULL"));
    node->flags = FLAG_NOT;
    return node;
}

struct sql_node *build_case(struct arena *arena, struct sql_node *condition,
                            struct sql_node *value)
{
    struct sql_node *node = sql_node(arena, SQL_CASE, NULL);
    node->children[CASE_WHENS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, node->children[CASE_WHENS],
            pair(arena, SQL_WHEN, NULL, condition, value));
    return node;
}

struct sql_node *build_and(struct arena *arena, struct sql_node *left,
                           struct sql_node *right)
{
    return left && right ? pair(arena, SQL_BINARY, "AND", left, right)
           : left        ? left
                         : right;
}

struct sql_node *build_or(struct arena *arena, struct sql_node *left,
                          struct sql_node *right)
{
    return pair(arena, SQL_BINARY, "OR", left, right);
}

struct sql_node *build_from(struct arena *arena, struct sql_node *select,
                            const char *alias)
{
    struct sql_node *query = sql_node(arena, SQL_QUERY, NULL);
    query->children[QUERY_BODY] = select;
    struct sql_node *derived = sql_node(arena, SQL_DERIVED, NULL);
    derived->children[DERIVED_SOURCE] = query;
    derived->children[DERIVED_ALIAS] = sql_node(arena, SQL_ALIAS, alias);
    struct sql_node *list = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, list, derived);
    return list;
}

struct search {
    const struct sql_node *wanted;
    struct sql_node *found;
};

static bool is_wanted(void *context, struct sql_node *node)
{
    struct search *search = context;
    search->found = node == search->wanted ? node : search->found;
    return !search->found;
}

struct sql_node *build_find(struct sql_node *root, const struct sql_node *node)
{
    struct search search = {.wanted = node};
    sql_walk(root, is_wanted, &search);
    return search.found;
}

static bool holds_wanted(void *context, struct sql_node *node)
{
    struct search *search = context;
    if (node->kind == SQL_QUERY && node->children[QUERY_BODY] == search->wanted) {
        search->found = node;
    }
    return !search->found;
}

struct sql_node *build_query_of(struct sql_node *root, const struct sql_node *select)
{
    struct search search = {.wanted = select};
    sql_walk(root, holds_wanted, &search);
    return search.found;
}
