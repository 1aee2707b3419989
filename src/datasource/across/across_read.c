/* What a query needs of each table, from the statement's tree. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/across/across_state.h"
#include "datasource/reading.h"

/* ------------------------------------------------------------------ tables */

static struct across_need *need_of(const struct across_scope *scope,
                                   const struct across_table *table)
{
    struct across_need *need = across_need_of(scope->needs, table);
    if (!need) {
        need = VEC_ADD(scope->arena, scope->needs);
        *need = (struct across_need){.table = table, .limit = -1};
        need->columns = arena_array(scope->arena, table->table->columns.count + 1,
                                    sizeof *need->columns);
    }
    return need;
}

static bool table_unknown(const struct across_table *table, const struct sql_node *path,
                          const char *name, struct err *err)
{
    if (table && path->count == 1) {
        (void)err_set(err, ERR_INVALID_SQL,
                      "Tables of several datasources are written with their source: "
                      "'%s'.",
                      table->name);
    } else {
        (void)err_set(err, ERR_INVALID_SQL, "Table '%s' does not exist.", name);
    }
    err->position = (int)path->start;
    return false;
}

/* The tables of sources; a name of WITH is none. */
static bool tables_read(const struct across_scope *scope, struct err *err)
{
    for (size_t i = 0; i < scope->resolved->scopes.count; i++) {
        const struct sql_relations *relations =
            &scope->resolved->scopes.items[i]->relations;
        for (size_t k = 0; k < relations->count; k++) {
            const struct sql_relation *relation = relations->items[k];
            if (relation->kind == RELATION_CTE || !sql_is(relation->node, SQL_TABLE)) {
                continue;
            }
            const struct sql_node *path = relation->node->children[TABLE_PATH];
            const char *name = path->children[path->count - 1]->text;
            const char *namespace =
                path->count > 1 ? path->children[path->count - 2]->text : "";
            const struct across_table *table =
                across_table_find(scope->across, namespace, name);
            if (!table || path->count != 2) {
                return table_unknown(
                    table, path,
                    path->count == 1
                        ? name
                        : arena_format(scope->arena, "%s.%s", namespace, name),
                    err);
            }
            need_of(scope, table)->uses++;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ columns */

static void need_mark(struct across_need *need, const char *name)
{
    const struct columns *columns = &need->table->table->columns;
    for (size_t i = 0; i < columns->count; i++) {
        need->columns[i] =
            need->columns[i] || !name || str_equal_nocase(columns->items[i].name, name);
    }
}

static void column_mark(void *context, const struct table *table, const char *column)
{
    const struct across_scope *scope = context;
    const struct across_table *only =
        table ? across_table_find(scope->across, table->namespace, table->bare_name)
              : NULL;
    for (size_t i = 0; i < scope->needs->count; i++) {
        struct across_need *need = &scope->needs->items[i];
        if (!table || need->table == only) {
            need_mark(need, column);
        }
    }
}

/* Rows are counted by something. */
static void columns_count(struct across_needs *needs)
{
    for (size_t i = 0; i < needs->count; i++) {
        struct across_need *need = &needs->items[i];
        bool any = false;
        for (size_t c = 0; c < need->table->table->columns.count; c++) {
            any = any || need->columns[c];
        }
        need->columns[0] = need->columns[0] || !any;
    }
}

/* ------------------------------------------------------------------ the statement */

static void selects_read(const struct across_scope *scope)
{
    for (size_t i = 0; i < scope->resolved->scopes.count; i++) {
        const struct sql_node *node = scope->resolved->scopes.items[i]->node;
        if (sql_is(node, SQL_SELECT)) {
            across_filters_read(scope, node);
            across_links_read(scope, node);
        }
    }
}

bool across_read(const struct across *across, struct arena *arena,
                 const struct sql_statement *statement, struct across_needs *out,
                 struct err *err)
{
    struct across_scope scope = {.across = across,
                                 .arena = arena,
                                 .resolved =
                                     sql_resolve(arena, statement, across->schema),
                                 .needs = out};
    if (statement->root->kind != SQL_QUERY) {
        return err_set(err, ERR_UNSAFE, "Only a query that reads may run.");
    }
    if (!tables_read(&scope, err)) {
        return false;
    }
    reading_columns(statement, scope.resolved, column_mark, &scope);
    columns_count(out);
    selects_read(&scope);
    /* "SELECT a, b FROM one.table LIMIT 5": the source need not send more. */
    int64_t limit = -1;
    if (out->count == 1 && reading_takes_first(statement->root, &limit)) {
        out->items[0].limit = limit;
    }
    across_links_choose(across, out);
    return true;
}
