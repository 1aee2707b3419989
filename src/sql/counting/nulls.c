/* Keeps rows without a value out of the first places of an order. */
#include "sql/counting/nulls.h"

#include <string.h>

#include "base/str.h"
#include "model/schema.h"
#include "sql/counting/build.h"
#include "sql/counting/grain.h"

/* Where NULL comes first when nothing is said: ascending, or descending. */
static bool puts_nulls_first(enum dialect dialect, const struct sql_node *item)
{
    static const char *const ascending = "smb";
    static const char *const descending = "po";
    if (sql_has(item, FLAG_NULLS_FIRST | FLAG_NULLS_LAST)) {
        return false; /* the author has decided where NULLs are sorted */
    }
    char letter = "sdpmcbo"[dialect];
    return strchr(sql_has(item, FLAG_DESC) ? descending : ascending, letter) != NULL;
}

static bool may_be_null(const struct sql_reference *reference)
{
    const struct column *column = reference ? reference->column : NULL;
    return column && reference->state == REFERENCE_COLUMN && !reference->fields &&
           (reference->relation->optional ||
            (column->nullable && !column->primary && column->null_share != 0));
}

/* A condition on the column says already which rows are wanted. */
static bool is_asked_about(const struct sql_resolved *resolved,
                           const struct sql_node *node,
                           const struct sql_reference *wanted)
{
    const struct sql_reference *reference =
        node && node->kind == SQL_COLUMN ? sql_reference_of(resolved, node) : NULL;
    if (reference && reference->relation == wanted->relation &&
        reference->output == wanted->output) {
        return true;
    }
    for (size_t i = 0; node && i < node->count; i++) {
        if (is_asked_about(resolved, node->children[i], wanted)) {
            return true;
        }
    }
    return false;
}

/* SUM(x), AVG(x), MIN(x), MAX(x): NULL when no row has an x */
static const struct sql_reference *aggregated(const struct sql_resolved *resolved,
                                              const struct sql_node *value)
{
    static const char *const names[] = {"sum", "avg", "min", "max"};
    bool found = false;
    for (size_t i = 0; i < 4 && sql_is(value, SQL_CALL); i++) {
        found |= str_equal_nocase(value->text, names[i]);
    }
    const struct sql_node *arguments = found ? value->children[CALL_ARGUMENTS] : NULL;
    return arguments && !value->children[CALL_OVER] && arguments->count == 1
               ? sql_reference_of(resolved, arguments->children[0])
               : NULL;
}

static bool is_limited(const struct sql_node *query)
{
    return query->children[QUERY_LIMIT] && query->children[QUERY_ORDER] &&
           query->children[QUERY_ORDER]->count > 0;
}

/* What is ordered by: its value, the column of it, and the condition that may keep rows out. */
struct ordered {
    const struct sql_node *value;
    const struct sql_reference *reference;
    size_t slot; /* of the SELECT */
};

static bool nulls_find(const struct sql_statement *statement,
                       const struct sql_resolved *resolved, struct ordered *out)
{
    const struct sql_node *query = statement->root;
    const struct sql_node *select =
        sql_is(query, SQL_QUERY) ? query->children[QUERY_BODY] : NULL;
    if (!sql_is(select, SQL_SELECT) || !is_limited(query) ||
        sql_has(select, FLAG_DISTINCT)) {
        return false;
    }
    const struct sql_node *item = query->children[QUERY_ORDER]->children[0];
    out->value = item->children[ORDER_VALUE];
    if (!out->value || !puts_nulls_first(statement->dialect, item)) {
        return false;
    }
    const struct sql_reference *named = sql_reference_of(resolved, out->value);
    if (named && named->state == REFERENCE_OUTPUT && named->output->value) {
        out->value = named->output->value;
    }
    bool grouped = select->children[SELECT_GROUP] != NULL;
    out->reference = grouped ? aggregated(resolved, out->value)
                             : sql_reference_of(resolved, out->value);
    out->slot = grouped ? (size_t)SELECT_HAVING : (size_t)SELECT_WHERE;
    return may_be_null(out->reference) &&
           out->reference->relation->scope == sql_scope_of(resolved, select) &&
           !is_asked_about(resolved, select->children[out->slot], out->reference);
}

bool nulls_come_first(const struct sql_statement *statement,
                      const struct sql_resolved *resolved)
{
    struct ordered ordered;
    return nulls_find(statement, resolved, &ordered);
}

const char *nulls_skip(struct arena *arena, struct sql_statement *statement,
                       const struct sql_resolved *resolved, const struct column **column)
{
    struct ordered ordered;
    if (!nulls_find(statement, resolved, &ordered)) {
        return NULL;
    }
    struct sql_node *select = statement->root->children[QUERY_BODY];
    struct sql_node **condition = &select->children[ordered.slot];
    *column = ordered.reference->column;
    *condition = build_and(arena, *condition,
                           build_not_null(arena, sql_clone(arena, ordered.value)));
    return sql_statement_print(arena, statement->dialect, statement->root);
}
