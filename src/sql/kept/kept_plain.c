/* The other way round: what reads an amount or a date, or unites spellings, becomes its column. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/kept/kept_form.h"
#include "sql/kept/kept_sql.h"

struct plaining {
    struct arena *arena;
    const struct sql_statement *statement;
    const struct sql_resolved *resolved;
    bool changed;
};

/* The first column below the node. */
static bool find_column(void *context, struct sql_node *node)
{
    struct sql_node **found = context;
    if (!*found && sql_is(node, SQL_COLUMN)) {
        *found = node;
    }
    return !*found;
}

static bool reads(struct plaining *plaining, const struct sql_node *node,
                  const struct sql_node *path)
{
    const struct sql_reference *reference = sql_reference_of(plaining->resolved, path);
    enum dialect dialect = plaining->statement->dialect;
    struct kept kept = {.form = KEPT_AS_IS};
    struct sql_statement form;
    if (reference && reference->column && !reference->fields) {
        kept_of(reference->column, &kept);
    }
    const char *sql =
        kept.form == KEPT_AS_IS
            ? NULL
            : kept_form_sql(plaining->arena, dialect, &kept,
                            sql_statement_print(plaining->arena, dialect, path));
    const char *text = sql ? arena_format(plaining->arena, "SELECT %s", sql) : NULL;
    if (!text ||
        !sql_statement_read(plaining->arena, dialect, text, strlen(text), &form) ||
        !sql_is(form.root->children[QUERY_BODY], SQL_SELECT)) {
        return false;
    }
    const struct sql_node *items =
        form.root->children[QUERY_BODY]->children[SELECT_ITEMS];
    return sql_equal(items->children[0]->children[SINGLE_VALUE], node);
}

/* CASE LOWER(TRIM(region)) WHEN 'north' THEN 'North' ELSE region END: spellings as one. */
static bool unites(const struct sql_node *node, const struct sql_node *path)
{
    const struct sql_node *value =
        sql_is(node, SQL_CASE) ? node->children[CASE_VALUE] : NULL;
    const struct sql_node *rest = value ? node->children[CASE_ELSE] : NULL;
    const struct sql_node *trim =
        sql_is(value, SQL_CALL) && str_equal_nocase(value->text, "lower")
            ? sql_child(value->children[CALL_ARGUMENTS], 0)
            : NULL;
    return sql_is(trim, SQL_CALL) && str_equal_nocase(trim->text, "trim") &&
           trim->children[CALL_ARGUMENTS]->count == 1 && rest && sql_equal(rest, path) &&
           sql_equal(trim->children[CALL_ARGUMENTS]->children[0], path);
}

static bool visit(void *context, struct sql_node *node)
{
    struct plaining *plaining = context;
    struct sql_node *path = NULL;
    if (node->kind != SQL_CASE && node->kind != SQL_CALL && node->kind != SQL_BINARY &&
        node->kind != SQL_CAST) {
        return true;
    }
    sql_walk(node, find_column, &path);
    if (path && (unites(node, path) || reads(plaining, node, path))) {
        *node = *sql_clone(plaining->arena, path);
        plaining->changed = true;
        return false;
    }
    return true;
}

const char *kept_plain(struct arena *arena, struct sql_statement *statement,
                       const struct sql_resolved *resolved)
{
    struct plaining plaining = {
        .arena = arena, .statement = statement, .resolved = resolved};
    sql_walk(statement->root, visit, &plaining);
    return plaining.changed
               ? sql_statement_print(arena, statement->dialect, statement->root)
               : NULL;
}
