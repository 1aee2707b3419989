/* FROM: which relations a SELECT reads, and how they are joined. */
#include <string.h>

#include "base/str.h"
#include "sql/resolve/resolve_state.h"

struct sql_relation *resolve_relation_new(struct resolve *resolve,
                                          enum sql_relation_kind kind,
                                          const struct sql_node *node, const char *name)
{
    struct sql_relation *relation = ARENA_NEW(resolve->arena, struct sql_relation);
    relation->kind = kind;
    relation->node = node;
    relation->name = name;
    relation->scope = resolve->scope;
    relation->place = resolve->scope->relations.count;
    VEC_PUSH(resolve->arena, &resolve->scope->relations, relation);
    return relation;
}

/* ------------------------------------------------------------------ tables */

/* The namespace that tables have when none is written. */
static bool is_home(const struct resolve *resolve, const char *name)
{
    static const struct {
        const char *name;
        const char *dialects;
    } defaults[] = {{"main", "sd"}, {"public", "p"}, {"default", "c"}, {"dbo", "o"}};
    if (resolve->schema->home) {
        return str_equal_nocase(resolve->schema->home, name);
    }
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        if (resolve_dialect(resolve, defaults[i].dialects) &&
            str_equal_nocase(name, defaults[i].name)) {
            return true;
        }
    }
    return false;
}

static const struct table *find_table(const struct resolve *resolve,
                                      const struct sql_node *path)
{
    if (!resolve->schema) {
        return NULL;
    }
    const char *full = path->children[0]->text;
    for (size_t i = 1; i < path->count; i++) {
        full = arena_format(resolve->arena, "%s.%s", full, path->children[i]->text);
    }
    const struct table *table = schema_table(resolve->schema, full);
    if (!table && path->count == 2 && is_home(resolve, path->children[0]->text)) {
        table = schema_table(resolve->schema, path->children[1]->text);
        return table && table->namespace && !table->namespace[0] ? table : NULL;
    }
    /* BigQuery: project.dataset.table, also inside one pair of backticks */
    for (const char *dot = full; !table && resolve_dialect(resolve, "b");) {
        if (!(dot = strchr(dot, '.'))) {
            break;
        }
        table = schema_table(resolve->schema, ++dot);
    }
    return table;
}

static const char *last_name(const struct resolve *resolve, const struct sql_node *path)
{
    const char *name = path->children[path->count - 1]->text;
    const char *dot = resolve_dialect(resolve, "b") ? strrchr(name, '.') : NULL;
    return dot ? dot + 1 : name;
}

static const struct resolve_cte *find_cte(const struct resolve *resolve, const char *name)
{
    const struct resolve_cte *cte = resolve->ctes;
    while (cte &&
           !(cte->node->kind == SQL_CTE && str_equal_nocase(cte->node->text, name))) {
        cte = cte->before;
    }
    return cte;
}

static void add_table_columns(struct resolve *resolve, struct sql_relation *relation)
{
    const struct table *table = relation->table;
    relation->columns.open = !table;
    for (size_t i = 0; table && i < table->columns.count; i++) {
        struct sql_output *output =
            resolve_output_add(resolve, &relation->columns, table->columns.items[i].name);
        output->exact = true;
        output->column = &table->columns.items[i];
    }
}

static void set_alias(struct resolve *resolve, struct sql_relation *relation,
                      const struct sql_node *alias)
{
    if (!alias) {
        return;
    }
    relation->name = alias->text ? alias->text : relation->name;
    relation->aliased = alias->text != NULL;
    relation->exact = sql_has(alias, FLAG_QUOTED);
    resolve_outputs_rename(resolve, &relation->columns, alias->children[SINGLE_VALUE]);
}

static void table(struct resolve *resolve, const struct sql_node *node)
{
    const struct sql_node *path = node->children[TABLE_PATH];
    const struct resolve_cte *cte =
        path->count == 1 ? find_cte(resolve, path->children[0]->text) : NULL;
    const struct table *found = cte ? NULL : find_table(resolve, path);
    bool array = !cte && !found && path->count > 1 &&
                 resolve_relation_named(resolve->scope, path, 1);
    struct sql_relation *relation = resolve_relation_new(resolve,
                                                         cte     ? RELATION_CTE
                                                         : array ? RELATION_FUNCTION
                                                                 : RELATION_TABLE,
                                                         node, last_name(resolve, path));
    relation->exact = sql_has(path->children[path->count - 1], FLAG_QUOTED);
    if (cte) {
        relation->cte = cte->node;
        relation->query = cte->node->children[CTE_BODY];
        relation->columns = cte->columns;
    } else {
        relation->table = found;
        add_table_columns(resolve, relation);
    }
    set_alias(resolve, relation, node->children[TABLE_ALIAS]);
    if (node->children[TABLE_OFFSET]) {
        resolve_output_add(resolve, &relation->columns,
                           node->children[TABLE_OFFSET]->text);
    }
}

void resolve_target(struct resolve *resolve, const struct sql_node *node)
{
    const struct resolve_cte *ctes = resolve->ctes;
    resolve->ctes = NULL;
    table(resolve, node);
    resolve->ctes = ctes;
}

/* ------------------------------------------------------------------ made relations */

static void derived(struct resolve *resolve, const struct sql_node *node)
{
    struct sql_scope *scope = resolve->scope;
    struct sql_outputs columns = {0};
    /* DuckDB needs no LATERAL to see what stands before. */
    bool lateral = sql_has(node, FLAG_LATERAL) || resolve_dialect(resolve, "d");
    resolve->scope = lateral ? scope : scope->parent;
    resolve_query(resolve, node->children[DERIVED_SOURCE], &columns);
    resolve->scope = scope;
    resolve->clause = CLAUSE_FROM;
    struct sql_relation *relation =
        resolve_relation_new(resolve, RELATION_QUERY, node, NULL);
    relation->query = node->children[DERIVED_SOURCE];
    relation->columns = columns;
    set_alias(resolve, relation, node->children[DERIVED_ALIAS]);
}

static void json_columns(struct resolve *resolve, struct sql_outputs *columns,
                         const struct sql_node *list)
{
    for (size_t i = 0; list && i < list->count; i++) {
        const struct sql_node *column = list->children[i];
        if (column->text) {
            resolve_output_add(resolve, columns, column->text);
        } else {
            json_columns(resolve, columns, column->children[PAIR_RIGHT]);
        }
    }
}

static void table_function(struct resolve *resolve, const struct sql_node *node)
{
    const struct sql_node *source = node->children[DERIVED_SOURCE];
    bool json = source->kind == SQL_JSON_TABLE;
    resolve_expression(resolve, json ? source->children[PAIR_LEFT] : source);
    struct sql_relation *relation =
        resolve_relation_new(resolve, RELATION_FUNCTION, node, source->text);
    relation->columns.open = !json;
    if (json) {
        json_columns(resolve, &relation->columns, source->children[PAIR_RIGHT]);
    }
    set_alias(resolve, relation, node->children[DERIVED_ALIAS]);
    if (node->children[DERIVED_OFFSET]) {
        resolve_output_add(resolve, &relation->columns,
                           node->children[DERIVED_OFFSET]->text);
    }
}

static void item(struct resolve *resolve, const struct sql_node *node);

/* What stands inside is read in a scope of its own; outside only the alias is known. */
static void closed(struct resolve *resolve, const struct sql_node *node)
{
    struct sql_scope *scope = resolve->scope;
    bool pivot = node->kind == SQL_PIVOT || node->kind == SQL_UNPIVOT;
    resolve->scope = resolve_scope_new(resolve, node, scope->parent);
    if (pivot) {
        item(resolve, node->children[PIVOT_SOURCE]);
        if (node->kind == SQL_PIVOT) {
            resolve_expression(resolve, node->children[PIVOT_VALUES]);
        }
    } else {
        resolve_from(resolve, node->children[DERIVED_SOURCE]);
    }
    resolve->scope = scope;
    const struct sql_node *alias =
        node->children[pivot ? (size_t)PIVOT_ALIAS : (size_t)DERIVED_ALIAS];
    struct sql_relation *relation =
        resolve_relation_new(resolve, RELATION_OTHER, node, NULL);
    relation->columns.open = true;
    set_alias(resolve, relation, alias);
}

/* ------------------------------------------------------------------ joins */

static void mark_optional(struct sql_scope *scope, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        scope->relations.items[i]->optional = true;
    }
}

static void join(struct resolve *resolve, const struct sql_node *node)
{
    struct sql_scope *scope = resolve->scope;
    struct sql_join_place place = {.node = node, .first = scope->relations.count};
    item(resolve, node->children[JOIN_LEFT]);
    place.middle = scope->relations.count;
    item(resolve, node->children[JOIN_RIGHT]);
    place.last = scope->relations.count;
    if (node->variant == JOIN_LEFT_OUTER || node->variant == JOIN_FULL_OUTER) {
        mark_optional(scope, place.middle, place.last);
    }
    if (node->variant == JOIN_RIGHT_OUTER || node->variant == JOIN_FULL_OUTER) {
        mark_optional(scope, place.first, place.middle);
    }
    VEC_PUSH(resolve->arena, &scope->joins, place);
    resolve_using(resolve, &place);
    resolve_expression(resolve, node->children[JOIN_ON]);
}

/* ClickHouse: the values of arrays as columns of their own, which hide the arrays. */
static void array_join(struct resolve *resolve, const struct sql_node *node)
{
    item(resolve, node->children[PAIR_LEFT]);
    const struct sql_node *list = node->children[PAIR_RIGHT];
    resolve_expression(resolve, list);
    struct sql_relation *relation =
        resolve_relation_new(resolve, RELATION_OTHER, node, NULL);
    for (size_t i = 0; i < list->count; i++) {
        const struct sql_node *value = list->children[i]->children[SINGLE_VALUE];
        const char *name = list->children[i]->text;
        if (!name && value->kind == SQL_COLUMN) {
            name = value->children[value->count - 1]->text;
        }
        resolve_output_add(resolve, &relation->columns, name);
    }
}

static void item(struct resolve *resolve, const struct sql_node *node)
{
    static void (*const kinds[SQL_KIND_COUNT])(struct resolve *,
                                               const struct sql_node *) = {
        [SQL_TABLE] = table,       [SQL_DERIVED] = derived,
        [SQL_JOIN] = join,         [SQL_TABLE_FUNCTION] = table_function,
        [SQL_PIVOT] = closed,      [SQL_UNPIVOT] = closed,
        [SQL_JOIN_GROUP] = closed, [SQL_ARRAY_JOIN] = array_join,
    };
    if (node->kind == SQL_JOIN_GROUP && !node->children[DERIVED_ALIAS]) {
        resolve_from(resolve, node->children[DERIVED_SOURCE]);
    } else if (kinds[node->kind]) {
        kinds[node->kind](resolve, node);
    }
}

void resolve_from(struct resolve *resolve, const struct sql_node *list)
{
    struct sql_scope *scope = resolve->scope;
    size_t first = scope->relations.count;
    for (size_t i = 0; list && i < list->count; i++) {
        struct sql_join_place comma = {.first = first, .middle = scope->relations.count};
        item(resolve, list->children[i]);
        comma.last = scope->relations.count;
        if (i > 0) {
            VEC_PUSH(resolve->arena, &scope->joins, comma);
        }
    }
}
