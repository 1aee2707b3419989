/* Takes a subquery that only joins into the SELECT around it. */
#include "sql/counting/flat.h"

#include "base/arena.h"
#include "base/str.h"
#include "sql/counting/build.h"
#include "sql/function.h"

struct flattening {
    struct arena *arena;
    const struct sql_statement *statement;
    const struct sql_resolved *resolved;
    const struct sql_relation *relation; /* the subquery */
    const struct sql_scope *inner;
    bool possible;
};

/* Nothing whose meaning depends on where it stands: figures, windows, other queries. */
static bool find_fixed(void *context, struct sql_node *node)
{
    bool *found = context;
    if (node->kind == SQL_QUERY || node->kind == SQL_SELECT ||
        (node->kind == SQL_CALL && node->children[CALL_OVER])) {
        *found = true;
    }
    for (enum dialect dialect = 0; node->kind == SQL_CALL && dialect < DIALECT_COUNT;
         dialect++) {
        *found |= function_has(function_find(dialect, node->text), 'a');
    }
    return !*found;
}

static bool find_query(void *context, struct sql_node *node)
{
    bool *found = context;
    *found |= node->kind == SQL_QUERY || node->kind == SQL_SELECT;
    return !*found;
}

static bool has_only(const struct sql_node *select, const size_t *slots, size_t count)
{
    for (size_t i = 0; i < SELECT_SLOTS; i++) {
        bool allowed = false;
        for (size_t k = 0; k < count; k++) {
            allowed |= slots[k] == i;
        }
        if (select->children[i] && !allowed) {
            return false;
        }
    }
    return true;
}

/* The SELECT of a subquery that does nothing but join and filter; NULL: it does more. */
static const struct sql_node *joining(const struct sql_node *query)
{
    static const size_t slots[] = {SELECT_ITEMS, SELECT_FROM, SELECT_WHERE};
    bool fixed = false;
    while (sql_is(query, SQL_QUERY)) {
        for (size_t i = 0; i < QUERY_SLOTS; i++) {
            if (query->children[i] && i != QUERY_BODY) {
                return NULL;
            }
        }
        query = query->children[QUERY_BODY];
    }
    if (!sql_is(query, SQL_SELECT) || sql_has(query, FLAG_DISTINCT) ||
        !query->children[SELECT_FROM] ||
        !has_only(query, slots, sizeof slots / sizeof *slots)) {
        return NULL;
    }
    sql_walk(query->children[SELECT_ITEMS], find_fixed, &fixed);
    return fixed ? NULL : query;
}

/* What a column of the subquery stands for; NULL: not known. */
static struct sql_node *value_of(const struct flattening *flat,
                                 const struct sql_output *column)
{
    const struct sql_outputs *columns = &flat->relation->columns;
    for (size_t i = 0; i < columns->count && i < flat->inner->outputs.count; i++) {
        const struct sql_output *output = flat->inner->outputs.items[i];
        if (columns->items[i] != column) {
            continue;
        }
        return output->value ? sql_clone(flat->arena, output->value)
               : output->relation && output->relation->name && output->inner
                   ? build_reference(flat->arena, output->relation, output->inner)
                   : NULL;
    }
    return NULL;
}

/* Every column of the subquery becomes what it stands for. */
static void replace(struct flattening *flat, struct sql_node *node)
{
    const struct sql_reference *reference =
        node->kind == SQL_COLUMN ? sql_reference_of(flat->resolved, node) : NULL;
    flat->possible &= !(node->kind == SQL_STAR && node->children[STAR_OF]);
    if (!reference || reference->relation != flat->relation) {
        for (size_t i = 0; i < node->count; i++) {
            if (node->children[i]) {
                replace(flat, node->children[i]);
            }
        }
        return;
    }
    struct sql_node *value = reference->state == REFERENCE_COLUMN && !reference->fields
                                 ? value_of(flat, reference->output)
                                 : NULL;
    flat->possible &= value != NULL;
    *node = value ? *value : *node;
}

/* The names that the columns had stay. */
static void name_columns(struct sql_node *items)
{
    for (size_t i = 0; i < items->count; i++) {
        struct sql_node *item = items->children[i];
        const struct sql_node *value = item->children[SINGLE_VALUE];
        if (!item->text && value->kind == SQL_COLUMN) {
            item->text = value->children[value->count - 1]->text;
            item->flags |= FLAG_QUOTED;
        }
    }
}

/* Only whole rows may be counted: COUNT(*), and no other star. */
static bool shows_star(const struct sql_node *items)
{
    for (size_t i = 0; i < items->count; i++) {
        if (sql_is(items->children[i]->children[SINGLE_VALUE], SQL_STAR)) {
            return true;
        }
    }
    return false;
}

static const struct sql_scope *flat_scope(const struct sql_statement *statement,
                                          const struct sql_resolved *resolved)
{
    const struct sql_node *root = statement->root;
    const struct sql_node *select =
        sql_is(root, SQL_QUERY) ? root->children[QUERY_BODY] : NULL;
    const struct sql_scope *scope =
        sql_is(select, SQL_SELECT) ? sql_scope_of(resolved, select) : NULL;
    return scope && scope->relations.count == 1 && scope->relations.items[0]->query
               ? scope
               : NULL;
}

bool flat_is_possible(const struct sql_statement *statement,
                      const struct sql_resolved *resolved)
{
    return flat_scope(statement, resolved) != NULL;
}

const char *flat_sql(struct arena *arena, struct sql_statement *statement,
                     const struct sql_resolved *resolved)
{
    static const size_t outer[] = {SELECT_ITEMS, SELECT_WHERE, SELECT_GROUP,
                                   SELECT_HAVING, SELECT_FROM};
    struct sql_node *root = statement->root;
    const struct sql_scope *scope = flat_scope(statement, resolved);
    struct sql_node *select = scope ? root->children[QUERY_BODY] : NULL;
    if (!scope || sql_has(root, FLAG_RECURSIVE) || sql_has(select, FLAG_DISTINCT) ||
        !has_only(select, outer, sizeof outer / sizeof *outer) ||
        shows_star(select->children[SELECT_ITEMS])) {
        return NULL;
    }
    struct flattening flat = {.arena = arena,
                              .statement = statement,
                              .resolved = resolved,
                              .relation = scope->relations.items[0],
                              .possible = true};
    const struct sql_node *inside = joining(flat.relation->query);
    flat.inner = inside ? sql_scope_of(resolved, inside) : NULL;
    bool nested = false;
    for (size_t i = 0; i + 1 < sizeof outer / sizeof *outer; i++) {
        if (select->children[outer[i]]) {
            sql_walk(select->children[outer[i]], find_query, &nested);
        }
    }
    if (!flat.inner || flat.inner->relations.count < 2 || nested) {
        return NULL;
    }
    name_columns(select->children[SELECT_ITEMS]);
    for (size_t i = 0; i + 1 < sizeof outer / sizeof *outer; i++) {
        if (select->children[outer[i]]) {
            replace(&flat, select->children[outer[i]]);
        }
    }
    if (root->children[QUERY_ORDER]) {
        replace(&flat, root->children[QUERY_ORDER]);
    }
    struct sql_node *with = root->children[QUERY_WITH];
    root->children[QUERY_WITH] = with && with->count > 1 ? with : NULL;
    select->children[SELECT_FROM] = inside->children[SELECT_FROM];
    select->children[SELECT_WHERE] =
        build_and(arena, inside->children[SELECT_WHERE], select->children[SELECT_WHERE]);
    return flat.possible ? sql_statement_print(arena, statement->dialect, root) : NULL;
}
