/*
 * How many tables a statement reads once its common table expressions are written out. Engines do that while they
 * compile, where no deadline reaches them: 15 names that each join the one before with itself are 16,384 tables.
 */
#include "sql/guard/guard_state.h"

#include "base/str.h"

/* A common table expression and the tables that it stands for. */
struct expanded {
    const char *name;
    size_t tables;
    const struct expanded *outer;
};

static size_t add(size_t a, size_t b)
{
    size_t sum = a + b;
    return sum > GUARD_MAX_EXPANDED ? GUARD_MAX_EXPANDED + 1 : sum;
}

/* The nearest one of that name, in any spelling: the larger reading is the safe one. */
static size_t tables_of(const struct sql_node *table, const struct expanded *names)
{
    const struct sql_node *path = table->children[TABLE_PATH];
    for (; path && path->count == 1 && names; names = names->outer) {
        if (str_equal_nocase(path->children[0]->text, names->name)) {
            return names->tables ? names->tables : 1;
        }
    }
    return 1;
}

static size_t count(const struct sql_node *node, const struct expanded *names);

static size_t count_children(const struct sql_node *node, size_t from,
                             const struct expanded *names)
{
    size_t sum = 0;
    for (size_t i = from; i < node->count; i++) {
        sum = add(sum, node->children[i] ? count(node->children[i], names) : 0);
    }
    return sum;
}

/* Each name counts where it is used, so a body is counted once here and then only looked up. */
static size_t count_with(const struct sql_node *query, size_t next,
                         const struct expanded *names)
{
    const struct sql_node *with = query->children[QUERY_WITH];
    if (!with || next == with->count) {
        return count_children(query, QUERY_BODY, names);
    }
    const struct sql_node *cte = with->children[next];
    const struct expanded here = {cte->text, count_children(cte, 0, names), names};
    return count_with(query, next + 1, &here);
}

static size_t count(const struct sql_node *node, const struct expanded *names)
{
    switch ((int)node->kind) {
    case SQL_QUERY:
        return count_with(node, 0, names);
    case SQL_TABLE:
        return add(tables_of(node, names), count_children(node, TABLE_ALIAS, names));
    default:
        return count_children(node, 0, names);
    }
}

bool guard_expands_too_far(const struct sql_node *root)
{
    return root && count(root, NULL) > GUARD_MAX_EXPANDED;
}
