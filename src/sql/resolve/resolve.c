/* Names resolved: statements, queries, SELECTs and expressions, from the outside in. */
#include "sql/resolve/resolve.h"

#include <string.h>

#include "sql/resolve/resolve_state.h"

bool resolve_dialect(const struct resolve *resolve, const char *letters)
{
    return strchr(letters, "sdpmcbo"[resolve->dialect]) != NULL;
}

struct sql_scope *resolve_scope_new(struct resolve *resolve, const struct sql_node *node,
                                    struct sql_scope *parent)
{
    struct sql_scope *scope = ARENA_NEW(resolve->arena, struct sql_scope);
    scope->node = node;
    scope->parent = parent;
    VEC_PUSH(resolve->arena, &resolve->out->scopes, scope);
    return scope;
}

/* ------------------------------------------------------------------ expressions */

static void children(struct resolve *resolve, const struct sql_node *node)
{
    for (size_t i = 0; i < node->count; i++) {
        resolve_expression(resolve, node->children[i]);
    }
}

static void subquery(struct resolve *resolve, const struct sql_node *node)
{
    struct sql_outputs ignored = {0};
    enum resolve_clause clause = resolve->clause;
    resolve_query(resolve, node, &ignored);
    resolve->clause = clause;
}

static void lambda(struct resolve *resolve, const struct sql_node *node)
{
    const struct resolve_local *around = resolve->locals;
    const struct sql_node *names = node->children[PAIR_LEFT];
    for (size_t i = 0; names && i < names->count; i++) {
        struct resolve_local *local = ARENA_NEW(resolve->arena, struct resolve_local);
        *local = (struct resolve_local){resolve->locals, names->children[i]->text};
        resolve->locals = local;
    }
    resolve_expression(resolve, node->children[PAIR_RIGHT]);
    resolve->locals = around;
}

static void comprehension(struct resolve *resolve, const struct sql_node *node)
{
    struct resolve_local local = {resolve->locals, NULL};
    const struct sql_node *name = node->children[COMPREHENSION_NAME];
    resolve_expression(resolve, node->children[COMPREHENSION_LIST]);
    local.name = name ? name->text : NULL;
    resolve->locals = &local;
    resolve_expression(resolve, node->children[COMPREHENSION_VALUE]);
    resolve_expression(resolve, node->children[COMPREHENSION_IF]);
    resolve->locals = local.around;
}

void resolve_expression(struct resolve *resolve, const struct sql_node *node)
{
    static void (*const kinds[SQL_KIND_COUNT])(struct resolve *,
                                               const struct sql_node *) = {
        [SQL_COLUMN] = resolve_column,
        [SQL_STAR] = resolve_star,
        [SQL_QUERY] = subquery,
        [SQL_SELECT] = subquery,
        [SQL_VALUES] = subquery,
        [SQL_SET_OPERATION] = subquery,
        [SQL_ORDER_ITEM] = resolve_order_item,
        [SQL_LAMBDA] = lambda,
        [SQL_COMPREHENSION] = comprehension,
    };
    if (node) {
        (kinds[node->kind] ? kinds[node->kind] : children)(resolve, node);
    }
}

static void clause(struct resolve *resolve, enum resolve_clause name,
                   const struct sql_node *node)
{
    resolve->clause = name;
    resolve_expression(resolve, node);
}

/* ------------------------------------------------------------------ queries */

static void select_(struct resolve *resolve, const struct sql_node *node,
                    struct sql_scope *parent, struct sql_outputs *columns)
{
    struct sql_scope *scope = resolve_scope_new(resolve, node, parent);
    resolve->scope = scope;
    resolve->clause = CLAUSE_FROM;
    resolve_from(resolve, node->children[SELECT_FROM]);
    resolve->scope = scope;
    resolve_outputs_of_select(resolve, scope);
    size_t start = resolve->out->references.count;
    clause(resolve, CLAUSE_ITEMS, node->children[SELECT_ITEMS]);
    resolve_outputs_trace(resolve, scope, start);
    clause(resolve, CLAUSE_WHERE, node->children[SELECT_PREWHERE]);
    clause(resolve, CLAUSE_WHERE, node->children[SELECT_WHERE]);
    clause(resolve, CLAUSE_GROUP, node->children[SELECT_GROUP]);
    clause(resolve, CLAUSE_HAVING, node->children[SELECT_HAVING]);
    clause(resolve, CLAUSE_HAVING, node->children[SELECT_WINDOWS]);
    clause(resolve, CLAUSE_HAVING, node->children[SELECT_QUALIFY]);
    clause(resolve, CLAUSE_ORDER, node->children[SELECT_DISTINCT_ON]);
    *columns = scope->outputs;
}

/* ORDER BY behind a union sees the columns of its result alone. */
static struct sql_scope *result_scope(struct resolve *resolve,
                                      const struct sql_node *query,
                                      struct sql_scope *parent,
                                      const struct sql_outputs *columns)
{
    struct sql_scope *scope = resolve_scope_new(resolve, query, parent);
    resolve->scope = scope;
    struct sql_relation *relation =
        resolve_relation_new(resolve, RELATION_OTHER, query, NULL);
    relation->query = query;
    relation->columns = *columns;
    return scope;
}

static struct sql_scope *scope_find(const struct sql_resolved *resolved,
                                    const struct sql_node *node)
{
    for (size_t i = resolved->scopes.count; i > 0; i--) {
        if (resolved->scopes.items[i - 1]->node == node) {
            return resolved->scopes.items[i - 1];
        }
    }
    return NULL;
}

static void tail(struct resolve *resolve, const struct sql_node *query,
                 struct sql_scope *parent, const struct sql_outputs *columns)
{
    const struct sql_node *body = query->children[QUERY_BODY];
    const struct sql_node *by = query->children[QUERY_LIMIT_BY];
    if (!query->children[QUERY_ORDER] && !by) {
        return;
    }
    while (body->kind == SQL_QUERY) {
        body = body->children[QUERY_BODY];
    }
    struct sql_scope *scope = scope_find(resolve->out, body);
    resolve->scope = scope ? scope : result_scope(resolve, query, parent, columns);
    clause(resolve, CLAUSE_ORDER, query->children[QUERY_ORDER]);
    clause(resolve, CLAUSE_ORDER, by);
}

static void with(struct resolve *resolve, const struct sql_node *query)
{
    const struct sql_node *list = query->children[QUERY_WITH];
    for (size_t i = 0; list && i < list->count; i++) {
        const struct sql_node *node = list->children[i];
        struct resolve_cte *cte = ARENA_NEW(resolve->arena, struct resolve_cte);
        *cte = (struct resolve_cte){.before = resolve->ctes, .node = node};
        if (node->kind == SQL_CTE_VALUE) { /* ClickHouse: a value with a name */
            resolve_expression(resolve, node->children[SINGLE_VALUE]);
            resolve->ctes = cte;
            continue;
        }
        if (sql_has(query, FLAG_RECURSIVE)) {
            cte->columns.open = true; /* while it is read, its columns are not known */
            resolve->ctes = cte;
        }
        struct sql_outputs columns = {0};
        resolve_query(resolve, node->children[CTE_BODY], &columns);
        resolve_outputs_rename(resolve, &columns, node->children[CTE_COLUMNS]);
        cte->columns = columns;
        resolve->ctes = cte;
    }
}

/* UNION names its columns as its first part does. */
static void set_operation(struct resolve *resolve, const struct sql_node *node,
                          struct sql_outputs *columns)
{
    struct sql_outputs right = {0};
    resolve_query(resolve, node->children[PAIR_LEFT], columns);
    resolve_query(resolve, node->children[PAIR_RIGHT], &right);
    struct sql_outputs both = {.open = columns->open || sql_has(node, FLAG_BY_NAME)};
    for (size_t i = 0; i < columns->count; i++) {
        resolve_output_add(resolve, &both, columns->items[i]->name)->exact =
            columns->items[i]->exact;
    }
    *columns = both; /* they come from several places, so from none */
}

void resolve_query(struct resolve *resolve, const struct sql_node *node,
                   struct sql_outputs *columns)
{
    struct sql_scope *around = resolve->scope;
    const struct resolve_cte *ctes = resolve->ctes;
    if (node->kind == SQL_QUERY) {
        with(resolve, node);
        resolve->scope = around;
        resolve_query(resolve, node->children[QUERY_BODY], columns);
        tail(resolve, node, around, columns);
    } else if (node->kind == SQL_SELECT) {
        select_(resolve, node, around, columns);
    } else if (node->kind == SQL_SET_OPERATION) {
        set_operation(resolve, node, columns);
    } else { /* VALUES: every engine has its own names for them */
        columns->open = true;
        for (size_t i = 0; i < node->count; i++) {
            resolve_expression(resolve, node->children[i]);
        }
        size_t width = node->count ? node->children[0]->count : 0;
        for (size_t i = 0; i < width; i++) {
            resolve_output_add(resolve, columns, NULL);
        }
    }
    resolve->scope = around;
    resolve->ctes = ctes;
}

static void write_statement(struct resolve *resolve, const struct sql_node *root)
{
    struct sql_outputs ignored = {0};
    if (root->kind == SQL_INSERT) {
        const struct sql_node *source = root->children[INSERT_SOURCE];
        if (source && (source->kind == SQL_QUERY || source->kind == SQL_SELECT ||
                       source->kind == SQL_VALUES)) {
            resolve_query(resolve, source, &ignored);
        }
        return;
    }
    resolve->scope = resolve_scope_new(resolve, root, NULL);
    resolve_target(resolve, root->children[0]);
    resolve->clause = CLAUSE_WHERE;
    for (size_t i = 1; i < root->count; i++) {
        resolve_expression(resolve, root->children[i]);
    }
}

/* ------------------------------------------------------------------ the answers */

static size_t slot_of(const struct sql_resolved *resolved, const struct sql_node *node)
{
    size_t slot = ((uintptr_t)node >> 4) * 0x9E3779B97F4A7C15u >> 20;
    for (slot &= resolved->slots - 1;
         resolved->by_node[slot] && resolved->by_node[slot]->node != node;) {
        slot = (slot + 1) & (resolved->slots - 1);
    }
    return slot;
}

static void index_references(struct resolve *resolve)
{
    struct sql_resolved *out = resolve->out;
    for (out->slots = 16; out->slots < out->references.count * 2;) {
        out->slots *= 2;
    }
    out->by_node = arena_array(resolve->arena, out->slots, sizeof *out->by_node);
    for (size_t i = 0; i < out->references.count; i++) {
        const struct sql_reference *reference = out->references.items[i];
        out->by_node[slot_of(out, reference->node)] = reference;
    }
}

const struct sql_resolved *sql_resolve(struct arena *arena,
                                       const struct sql_statement *statement,
                                       const struct schema *schema)
{
    struct resolve resolve = {.arena = arena,
                              .dialect = statement->dialect,
                              .schema = schema,
                              .out = ARENA_NEW(arena, struct sql_resolved)};
    struct sql_outputs columns = {0};
    if (sql_is(statement->root, SQL_QUERY)) {
        resolve_query(&resolve, statement->root, &columns);
    } else if (statement->root) {
        write_statement(&resolve, statement->root);
    }
    index_references(&resolve);
    return resolve.out;
}

const struct sql_scope *sql_scope_of(const struct sql_resolved *resolved,
                                     const struct sql_node *select)
{
    return scope_find(resolved, select);
}

const struct sql_reference *sql_reference_of(const struct sql_resolved *resolved,
                                             const struct sql_node *column)
{
    return resolved->by_node[slot_of(resolved, column)];
}

const struct table *sql_reference_table(const struct sql_reference *reference,
                                        const struct sql_relation **origin)
{
    const struct sql_output *output = reference->output;
    const struct sql_relation *relation = reference->relation;
    if (reference->state == REFERENCE_OUTPUT) {
        relation = output ? output->relation : NULL;
        output = output ? output->inner : NULL;
    }
    while (relation && relation->kind != RELATION_TABLE) {
        relation = output ? output->relation : NULL;
        output = output ? output->inner : NULL;
    }
    if (origin) {
        *origin = relation;
    }
    return relation && output && output->column ? relation->table : NULL;
}
