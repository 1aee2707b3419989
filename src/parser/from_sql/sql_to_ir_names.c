/* Names into columns: aliases, tables, what a query in FROM selects, queries around. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/from_sql/sql_to_ir_state.h"

/* The position of a name among what a query selects; 0 when it is not there. */
static int item_find(const struct sql_entry *entry, const char *name)
{
    for (size_t i = 0; entry->names && i < entry->names->count; i++) {
        if (entry->names->items[i] && str_equal_nocase(entry->names->items[i], name)) {
            return (int)i + 1;
        }
    }
    return 0;
}

/* A column that comes through a `*` of the query below: good only if the two are merged.
 */
static struct ir_node *star_column(struct sql_reading *reading, struct ir_query *query,
                                   const char *name)
{
    bool star = false;
    for (size_t i = 0; i < query->select.count; i++) {
        star = star || ir_node_is_star(query->select.items[i]);
    }
    for (size_t i = 0; star && i < query->sources.count; i++) {
        int column =
            ir_schema_column(reading->schema, query->sources.items[i].table, name);
        if (column > 0) {
            struct ir_node *node =
                ir_node_column(reading->arena, column, query->sources.items[i].second);
            node->text = "inner";
            return node;
        }
    }
    return NULL;
}

static struct ir_node *entry_column(struct sql_reading *reading,
                                    const struct sql_entry *entry, const char *name)
{
    if (entry->table < 0) {
        int item = item_find(entry, name);
        return item ? ir_node_item(reading->arena, item)
                    : star_column(reading, entry->query, name);
    }
    int column = ir_schema_column(reading->schema, entry->table, name);
    return column > 0 ? ir_node_column(reading->arena, column, entry->second) : NULL;
}

static bool entry_called(const struct sql_reading *reading, const struct sql_entry *entry,
                         const char *alias)
{
    return !alias || str_equal_nocase(entry->alias, alias) ||
           (entry->table >= 0 && !entry->second &&
            ir_schema_table(reading->schema, alias) == entry->table);
}

static struct ir_node *alias_find(const struct sql_scope *scope, const char *name)
{
    for (size_t i = 0; i < scope->aliases.count; i++) {
        if (str_equal_nocase(scope->aliases.items[i].name, name)) {
            return scope->aliases.items[i].node;
        }
    }
    return NULL;
}

static struct ir_node *scope_column(struct sql_reading *reading,
                                    const struct sql_scope *scope, const char *alias,
                                    const char *name)
{
    /* the alias as written first, then the table's own name */
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < scope->entries.count; i++) {
            const struct sql_entry *entry = &scope->entries.items[i];
            bool called = pass == 0 ? !alias || str_equal_nocase(entry->alias, alias)
                                    : entry_called(reading, entry, alias);
            struct ir_node *node = called ? entry_column(reading, entry, name) : NULL;
            if (node) {
                return node;
            }
        }
    }
    return NULL;
}

static bool has_alias(const struct sql_scope *scope, const char *alias)
{
    for (size_t i = 0; i < scope->entries.count; i++) {
        if (str_equal_nocase(scope->entries.items[i].alias, alias)) {
            return true;
        }
    }
    return false;
}

/* Inside `FROM orders AS e1` the name orders is that of the query around. */
static bool belongs_outside(const struct sql_scope *scope, const char *alias)
{
    return alias && scope->around && !has_alias(scope, alias) &&
           has_alias(scope->around, alias);
}

static struct ir_node *find_column(struct sql_reading *reading, const char *alias,
                                   const char *name)
{
    struct sql_scope *scope = reading->scope;
    struct ir_node *node = NULL;
    if (!scope) {
        return NULL;
    }
    if (!alias && scope->in_order) {
        node = alias_find(scope, name);
    }
    if (!node && !belongs_outside(scope, alias)) {
        node = scope_column(reading, scope, alias, name);
    }
    if (!node && !alias) {
        node = alias_find(scope, name);
    }
    if (node || !scope->around) {
        return node;
    }
    node = scope_column(reading, scope->around, alias, name);
    if (node && ir_node_is_column(node)) {
        node->outer = true;
        return node;
    }
    return NULL;
}

struct ir_node *sql_read_column(struct sql_reading *reading, const struct sql_node *node)
{
    /* schema.table.column: the last two count */
    const char *name = node->children[node->count - 1]->text;
    const char *alias = node->count > 1 ? node->children[node->count - 2]->text : NULL;
    struct ir_node *column = find_column(reading, alias, name);
    if (column) {
        return column;
    }
    if (!alias && reading->statement.text[node->start] == '"') {
        return ir_node_text(reading->arena, name, true); /* as SQLite reads it */
    }
    return sql_fail(reading, "There is no column '%s' here.", name);
}
