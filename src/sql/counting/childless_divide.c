/* "Average number of pets per owner": the owners without pets are owners too. */
#include <string.h>

#include "base/str.h"
#include "model/schema.h"
#include "sql/counting/build.h"
#include "sql/counting/childless.h"
#include "sql/counting/childless_parts.h"

struct dividing {
    const struct sql_resolved *resolved;
    struct sql_node *quotient;
};

static bool is_count(const struct sql_node *node, bool distinct)
{
    return sql_is(node, SQL_CALL) && str_equal_nocase(node->text, "count") &&
           sql_has(node, FLAG_DISTINCT) == distinct && !node->children[CALL_FILTER] &&
           !node->children[CALL_OVER] && node->children[CALL_ARGUMENTS]->count == 1;
}

static bool counts_rows(const struct sql_node *node)
{
    if (is_count(node, false)) {
        return true;
    }
    for (size_t i = 0; node && i < node->count; i++) {
        if (counts_rows(node->children[i])) {
            return true;
        }
    }
    return false;
}

static bool find_quotient(void *context, struct sql_node *node)
{
    struct dividing *dividing = context;
    if (node->kind == SQL_QUERY) {
        return false;
    }
    if (node->kind == SQL_BINARY && str_equal(node->text, "/") &&
        is_count(node->children[PAIR_RIGHT], true) &&
        counts_rows(node->children[PAIR_LEFT])) {
        dividing->quotient = node;
    }
    return true;
}

/* The table that the column refers to as its only key. */
static const struct table *referred(const struct schema *schema,
                                    const struct table *table, const char *column)
{
    const struct foreign_key *key = childless_key(table, column);
    return key ? schema_table(schema, key->table) : NULL;
}

/* (SELECT COUNT(*) FROM parent) */
static struct sql_node *count_of(struct arena *arena, enum dialect dialect,
                                 const struct table *parent)
{
    const struct sql_node *select =
        childless_read(arena, dialect, "SELECT (SELECT COUNT(*) FROM ", parent, ")");
    return select ? select->children[SELECT_ITEMS]->children[0]->children[SINGLE_VALUE]
                  : NULL;
}

/* A row without an owner does not count in the average of any owner. */
static void count_keyed(struct arena *arena, struct sql_node *node,
                        const struct sql_node *key)
{
    if (is_count(node, false) &&
        sql_is(node->children[CALL_ARGUMENTS]->children[0], SQL_STAR)) {
        node->children[CALL_ARGUMENTS]->children[0] = sql_clone(arena, key);
        return;
    }
    for (size_t i = 0; node && i < node->count; i++) {
        count_keyed(arena, node->children[i], key);
    }
}

const char *childless_divide(struct arena *arena, struct sql_statement *statement,
                             const struct sql_resolved *resolved,
                             const struct schema *schema, const struct table **parent,
                             const char **others)
{
    struct sql_node *root = statement->root;
    const struct sql_scope *scope =
        sql_is(root, SQL_QUERY) ? sql_scope_of(resolved, root->children[QUERY_BODY])
                                : NULL;
    struct dividing dividing = {.resolved = resolved};
    if (!scope || scope->relations.count != 1 || !scope->relations.items[0]->table ||
        !sql_is(scope->node, SQL_SELECT) || scope->node->children[SELECT_GROUP]) {
        return NULL;
    }
    sql_walk(scope->node->children[SELECT_ITEMS], find_quotient, &dividing);
    const struct sql_node *count =
        dividing.quotient ? dividing.quotient->children[PAIR_RIGHT] : NULL;
    const struct sql_reference *reference =
        count ? sql_reference_of(resolved, count->children[CALL_ARGUMENTS]->children[0])
              : NULL;
    *parent =
        reference && reference->column
            ? referred(schema, scope->relations.items[0]->table, reference->column->name)
            : NULL;
    struct sql_node *all = *parent ? count_of(arena, statement->dialect, *parent) : NULL;
    if (!all) {
        return NULL;
    }
    if (reference->column->nullable && reference->column->null_share != 0) {
        count_keyed(arena, dividing.quotient->children[PAIR_LEFT],
                    count->children[CALL_ARGUMENTS]->children[0]);
    }
    *others = sql_statement_print(arena, statement->dialect, root);
    dividing.quotient->children[PAIR_RIGHT] = all;
    return sql_statement_print(arena, statement->dialect, root);
}
