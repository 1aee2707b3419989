/* "The number of prescriptions per visit" can be written without the visits: then those without any are
 * missing, too. Joins them, so that childless_find() sees them. */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "model/schema.h"
#include "sql/counting/build.h"
#include "sql/counting/childless.h"
#include "sql/counting/childless_parts.h"

struct joining {
    struct arena *arena;
    struct sql_node *root;
    const struct sql_resolved *resolved;
    const struct sql_relation *counted;
    const struct column *key; /* of the counted table; what is grouped by */
    const struct table *parent;
    const char *parent_key; /* the column that the key refers to */
};

const struct foreign_key *childless_key(const struct table *table, const char *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct foreign_key *key = &table->foreign_keys.items[i];
        if (key->columns.count == 1 && str_equal_nocase(key->columns.items[0], column)) {
            return key;
        }
    }
    return NULL;
}

const struct sql_node *childless_read(struct arena *arena, enum dialect dialect,
                                      const char *before, const struct table *table,
                                      const char *after)
{
    struct sql_statement statement;
    struct buf text;
    buf_init(&text, 1024);
    (void)buf_text(&text, before);
    dialect_quote(&text, dialect, table->name, true);
    (void)buf_text(&text, after);
    const char *sql = buf_clone(&text, arena);
    buf_release(&text);
    return sql_statement_read(arena, dialect, sql, strlen(sql), &statement)
               ? statement.root->children[QUERY_BODY]
               : NULL;
}

/* A key of one column to another table; false: the column is none. */
static bool find_parent(struct joining *joining, const struct schema *schema)
{
    const struct table *table = joining->counted->table;
    const struct foreign_key *key = childless_key(table, joining->key->name);
    if (!key || key->references.count != 1) {
        return false;
    }
    joining->parent = schema_table(schema, key->table);
    joining->parent_key = key->references.items[0];
    return joining->parent && joining->parent != table &&
           !str_equal_nocase(joining->parent->bare_name, joining->counted->name);
}

static bool is_key(const struct joining *joining, const struct sql_reference *reference)
{
    return reference->state == REFERENCE_COLUMN && !reference->fields &&
           reference->relation == joining->counted && reference->column == joining->key;
}

static bool is_grouped_by_key(struct joining *joining, const struct schema *schema)
{
    const struct sql_scope *scope =
        sql_is(joining->root, SQL_QUERY)
            ? sql_scope_of(joining->resolved, joining->root->children[QUERY_BODY])
            : NULL;
    if (!scope || !sql_is(scope->node, SQL_SELECT) || scope->relations.count != 1 ||
        !scope->relations.items[0]->table || !scope->relations.items[0]->name) {
        return false;
    }
    const struct sql_node *group = scope->node->children[SELECT_GROUP];
    const struct sql_reference *reference =
        group && group->count == 1 && sql_is(group->children[0], SQL_COLUMN)
            ? sql_reference_of(joining->resolved, group->children[0])
            : NULL;
    joining->counted = scope->relations.items[0];
    joining->key = reference ? reference->column : NULL;
    return joining->key && is_key(joining, reference) && find_parent(joining, schema);
}

bool childless_is_joinable(const struct sql_statement *statement,
                           const struct sql_resolved *resolved,
                           const struct schema *schema)
{
    struct joining joining = {.root = statement->root, .resolved = resolved};
    return schema && is_grouped_by_key(&joining, schema);
}

/* The headings that the columns had stay. */
static void name_items(const struct joining *joining, struct sql_node *select)
{
    struct sql_node *items = select->children[SELECT_ITEMS];
    for (size_t i = 0; i < items->count; i++) {
        struct sql_node *item = items->children[i];
        const struct sql_reference *reference =
            sql_is(item, SQL_ITEM) && !item->text &&
                    sql_is(item->children[SINGLE_VALUE], SQL_COLUMN)
                ? sql_reference_of(joining->resolved, item->children[SINGLE_VALUE])
                : NULL;
        if (reference && reference->column) {
            item->text = reference->column->name;
            item->flags |= FLAG_QUOTED;
        }
    }
}

/* Columns say whose they are, and the key is the parent's. */
static bool qualify(const struct joining *joining)
{
    const struct sql_references *references = &joining->resolved->references;
    for (size_t i = 0; i < references->count; i++) {
        const struct sql_reference *reference = references->items[i];
        if (reference->state == REFERENCE_OUTPUT) {
            continue;
        }
        struct sql_node *node = build_find(joining->root, reference->node);
        if (!node || reference->state != REFERENCE_COLUMN || !reference->output ||
            reference->relation != joining->counted || reference->fields) {
            return false;
        }
        const struct sql_node *named =
            is_key(joining, reference)
                ? build_column(joining->arena, joining->parent->bare_name,
                               joining->parent_key)
                : build_reference(joining->arena, reference->relation, reference->output);
        node->children = named->children;
        node->count = named->count;
    }
    return true;
}

const char *childless_join(struct arena *arena, struct sql_statement *statement,
                           const struct sql_resolved *resolved,
                           const struct schema *schema)
{
    struct joining joining = {
        .arena = arena, .root = statement->root, .resolved = resolved};
    if (!schema || !is_grouped_by_key(&joining, schema)) {
        return NULL;
    }
    const struct sql_node *parent =
        childless_read(arena, statement->dialect, "SELECT 1 FROM ", joining.parent, "");
    if (!parent) {
        return NULL;
    }
    struct sql_node *select = joining.root->children[QUERY_BODY];
    struct sql_node *from = select->children[SELECT_FROM];
    struct sql_node *join = sql_node(arena, SQL_JOIN, NULL);
    join->variant = JOIN_INNER;
    join->children[JOIN_LEFT] = from->children[0];
    join->children[JOIN_RIGHT] = parent->children[SELECT_FROM]->children[0];
    join->children[JOIN_ON] = build_equal(
        arena, build_column(arena, joining.parent->bare_name, joining.parent_key),
        build_column(arena, joining.counted->name, joining.key->name));
    name_items(&joining, select);
    if (!qualify(&joining)) {
        return NULL;
    }
    from->children[0] = join;
    return sql_statement_print(arena, statement->dialect, joining.root);
}
