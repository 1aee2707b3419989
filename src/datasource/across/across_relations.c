/* What the conditions of a SELECT speak of: its joins, and the tables behind its
 * names. */
#include <string.h>

#include "base/str.h"
#include "datasource/across/across_state.h"

struct across_need *across_need_of(struct across_needs *needs,
                                   const struct across_table *table)
{
    for (size_t i = 0; i < needs->count; i++) {
        if (needs->items[i].table == table) {
            return &needs->items[i];
        }
    }
    return NULL;
}

bool across_side_of(const struct across_scope *scope, const struct sql_node *reference,
                    struct across_side *out)
{
    const struct sql_reference *found = sql_is(reference, SQL_COLUMN)
                                            ? sql_reference_of(scope->resolved, reference)
                                            : NULL;
    const struct table *table = found && found->relation ? found->relation->table : NULL;
    if (!table || found->state != REFERENCE_COLUMN || !found->column || found->fields ||
        found->second) {
        return false;
    }
    const struct across_table *entry =
        across_table_find(scope->across, table->namespace, table->bare_name);
    *out = (struct across_side){
        .need = entry ? across_need_of(scope->needs, entry) : NULL,
        .column = entry ? table_column(entry->table, found->column->name) : NULL,
        .relation = found->relation};
    return out->need && out->column;
}

/* Words before JOIN that are no more than a kind of it. */
static bool join_is(const struct sql_node *join, const char *word)
{
    return join->text && strcmp(join->text, word) == 0;
}

static bool across_relations_is_plain(const struct sql_node *node)
{
    bool plain = true;
    switch (node->kind) {
    case SQL_TABLE:
        return !node->children[TABLE_SAMPLE];
    case SQL_DERIVED:
    case SQL_TABLE_FUNCTION:
        return !node->children[DERIVED_SAMPLE];
    case SQL_JOIN_GROUP:
        return !node->children[DERIVED_ALIAS] && !node->children[DERIVED_SAMPLE] &&
               across_relations_is_plain(node->children[DERIVED_SOURCE]);
    case SQL_JOIN:
        return (!node->text || join_is(node, "SEMI") || join_is(node, "ANTI")) &&
               across_relations_is_plain(node->children[JOIN_LEFT]) &&
               across_relations_is_plain(node->children[JOIN_RIGHT]);
    case SQL_LIST:
        for (size_t i = 0; plain && i < node->count; i++) {
            plain = across_relations_is_plain(node->children[i]);
        }
        return plain;
    default:
        return false;
    }
}

/* Are all its joins decided by their conditions alone? Otherwise no condition tells which
 * rows are needed. */
static bool across_joins_plain(const struct sql_node *select)
{
    const struct sql_node *from = select->children[SELECT_FROM];
    return from && !select->children[SELECT_SAMPLE] && across_relations_is_plain(from);
}

/* ------------------------------------------------------------------ conditions */

struct visiting {
    const struct sql_scope *scope;
    across_visit *visit;
    void *context;
};

static void condition_visit(const struct visiting *visiting, const struct sql_node *node,
                            const struct sql_relation *only)
{
    if (sql_is(node, SQL_BINARY) && strcmp(node->text, "AND") == 0) {
        condition_visit(visiting, node->children[PAIR_LEFT], only);
        condition_visit(visiting, node->children[PAIR_RIGHT], only);
    } else if (node) {
        visiting->visit(visiting->context, node, only);
    }
}

/* The table that is the whole of one side of a join; NULL: it is none, or several. */
static const struct sql_relation *lone_table(const struct visiting *visiting,
                                             const struct sql_node *side)
{
    const struct sql_relations *relations = &visiting->scope->relations;
    for (size_t i = 0; i < relations->count; i++) {
        if (relations->items[i]->node == side) {
            return relations->items[i]->table ? relations->items[i] : NULL;
        }
    }
    return NULL;
}

/* ON of an inner join is the same as WHERE. ON of an outer join only limits the
 * matches of a row, so it may be pushed down to the optional side. */
static void joins_visit(const struct visiting *visiting, const struct sql_node *node)
{
    if (node->kind == SQL_JOIN_GROUP) {
        node = node->children[DERIVED_SOURCE];
    }
    for (size_t i = 0; node->kind == SQL_LIST && i < node->count; i++) {
        joins_visit(visiting, node->children[i]);
    }
    if (node->kind != SQL_JOIN) {
        return;
    }
    const struct sql_node *left = node->children[JOIN_LEFT];
    const struct sql_node *right = node->children[JOIN_RIGHT];
    const struct sql_node *condition = node->children[JOIN_ON];
    joins_visit(visiting, left);
    joins_visit(visiting, right);
    bool inner = node->variant == JOIN_INNER || node->variant == JOIN_CROSS;
    if (inner && !node->text) {
        condition_visit(visiting, condition, NULL);
        return;
    }
    const struct sql_node *missing = node->variant == JOIN_RIGHT_OUTER  ? left
                                     : node->variant == JOIN_FULL_OUTER ? NULL
                                                                        : right;
    const struct sql_relation *only = missing ? lone_table(visiting, missing) : NULL;
    if (only) {
        condition_visit(visiting, condition, only);
    }
}

void across_conditions(const struct across_scope *scope, const struct sql_node *select,
                       across_visit *visit, void *context)
{
    const struct visiting visiting = {.scope = sql_scope_of(scope->resolved, select),
                                      .visit = visit,
                                      .context = context};
    if (visiting.scope && across_joins_plain(select)) {
        joins_visit(&visiting, select->children[SELECT_FROM]);
        condition_visit(&visiting, select->children[SELECT_WHERE], NULL);
    }
}
