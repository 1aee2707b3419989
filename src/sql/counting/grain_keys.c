/* By which columns the rows of a relation differ: declared, measured, or made so. */
#include <stdlib.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/grain_state.h"
#include "sql/function.h"

enum { DEPTH_MOST = 8 }; /* a CTE may name itself */

static const struct sql_output *output_of(const struct sql_relation *relation,
                                          const struct column *column)
{
    for (size_t i = 0; i < relation->columns.count; i++) {
        if (relation->columns.items[i]->column == column) {
            return relation->columns.items[i];
        }
    }
    return NULL;
}

static void add_key(struct grain *grain, struct grain_keys *out,
                    const struct sql_relation *relation, const struct table *table,
                    const struct texts *names)
{
    struct grain_key key = {0};
    for (size_t i = 0; i < names->count; i++) {
        const struct column *column = table_column(table, names->items[i]);
        const struct sql_output *output = column ? output_of(relation, column) : NULL;
        if (!output) {
            return;
        }
        VEC_PUSH(grain->arena, &key, output);
    }
    if (key.count) {
        VEC_PUSH(grain->arena, out, key);
    }
}

/* Every row has its own value, as far as the rows were counted. */
static bool is_measured_key(const struct table *table, const struct column *column)
{
    return table->row_count > 1 && table->row_count_exact &&
           column->distinct == table->row_count;
}

static void table_keys(struct grain *grain, const struct sql_relation *relation,
                       struct grain_keys *out)
{
    const struct table *table = relation->table;
    struct texts primary = {0};
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        if (column->primary) {
            VEC_PUSH(grain->arena, &primary, column->name);
        }
    }
    add_key(grain, out, relation, table, &primary);
    for (size_t i = 0; i < table->indexes.count; i++) {
        if (table->indexes.items[i].unique) {
            add_key(grain, out, relation, table, &table->indexes.items[i].columns);
        }
    }
    for (size_t i = 0; i < table->columns.count; i++) {
        if (is_measured_key(table, &table->columns.items[i])) {
            struct texts one = {0};
            VEC_PUSH(grain->arena, &one, table->columns.items[i].name);
            add_key(grain, out, relation, table, &one);
        }
    }
}

/* ------------------------------------------------------------------ queries */

const struct sql_node *grain_group_value(const struct grain *grain,
                                         const struct sql_node *item)
{
    if (item->kind == SQL_NUMBER) {
        const struct sql_node *items = grain->scope->node->children[SELECT_ITEMS];
        long place = strtol(item->text, NULL, 10);
        return place > 0 && (size_t)place <= items->count
                   ? items->children[place - 1]->children[SINGLE_VALUE]
                   : NULL;
    }
    const struct sql_reference *reference =
        item->kind == SQL_COLUMN ? sql_reference_of(grain->resolved, item) : NULL;
    if (reference && reference->state == REFERENCE_OUTPUT) {
        return reference->output->value;
    }
    return item;
}

static bool find_aggregate(void *context, struct sql_node *node)
{
    bool *found = context;
    if (node->kind == SQL_SUBQUERY || node->kind == SQL_EXISTS ||
        node->kind == SQL_QUERY) {
        return false;
    }
    if (node->kind == SQL_CALL && !node->children[CALL_OVER]) {
        for (enum dialect dialect = 0; dialect < DIALECT_COUNT && !*found; dialect++) {
            *found = function_has(function_find(dialect, node->text), 'a');
        }
    }
    return true;
}

static const struct sql_output *relation_output(const struct sql_relation *relation,
                                                const struct sql_node *item,
                                                const struct sql_scope *inner)
{
    for (size_t i = 0; i < inner->outputs.count && i < relation->columns.count; i++) {
        if (inner->outputs.items[i]->item == item) {
            return relation->columns.items[i];
        }
    }
    return NULL;
}

/* GROUP BY makes its values a key, when all of them are given out. */
static void group_key(struct grain *grain, const struct sql_relation *relation,
                      const struct sql_scope *inner, struct grain_keys *out)
{
    struct grain inside = {
        .arena = grain->arena, .resolved = grain->resolved, .scope = inner};
    const struct sql_node *group = inner->node->children[SELECT_GROUP];
    const struct sql_node *items = inner->node->children[SELECT_ITEMS];
    struct grain_key key = {0};
    for (size_t g = 0; g < group->count; g++) {
        const struct sql_node *value = grain_group_value(&inside, group->children[g]);
        const struct sql_output *output = NULL;
        for (size_t i = 0; value && i < items->count && !output; i++) {
            const struct sql_node *item = items->children[i];
            if (sql_equal(item->children[SINGLE_VALUE], value)) {
                output = relation_output(relation, item, inner);
            }
        }
        if (!output) {
            return;
        }
        VEC_PUSH(grain->arena, &key, output);
    }
    if (group->count && !sql_has(group, FLAG_GROUP_ALL) && !group->text) {
        VEC_PUSH(grain->arena, out, key);
    }
}

/* A query over one table keeps the keys that it gives out. */
static void passed_keys(struct grain *grain, const struct sql_relation *relation,
                        const struct sql_scope *inner, struct grain_keys *out)
{
    const struct sql_relation *source = inner->relations.items[0];
    struct grain_keys keys = {0};
    struct grain inside = {.arena = grain->arena,
                           .resolved = grain->resolved,
                           .scope = inner,
                           .depth = grain->depth + 1};
    grain_relation_keys(&inside, source, &keys);
    for (size_t k = 0; k < keys.count; k++) {
        struct grain_key key = {0};
        for (size_t c = 0; c < keys.items[k].count; c++) {
            for (size_t i = 0; i < relation->columns.count; i++) {
                if (relation->columns.items[i]->inner == keys.items[k].items[c]) {
                    VEC_PUSH(grain->arena, &key,
                             (const struct sql_output *)relation->columns.items[i]);
                    break;
                }
            }
        }
        if (key.count == keys.items[k].count) {
            VEC_PUSH(grain->arena, out, key);
        }
    }
}

static bool is_one(const struct sql_node *limit)
{
    return sql_is(limit, SQL_NUMBER) && str_equal(limit->text, "1");
}

static void query_keys(struct grain *grain, const struct sql_relation *relation,
                       struct grain_keys *out)
{
    const struct sql_node *body = relation->query;
    bool one = false;
    while (body->kind == SQL_QUERY) {
        one |= is_one(body->children[QUERY_LIMIT]);
        body = body->children[QUERY_BODY];
    }
    const struct sql_scope *inner = sql_scope_of(grain->resolved, body);
    bool aggregates = false;
    if (one || (body->kind == SQL_SELECT && !body->children[SELECT_FROM])) {
        VEC_PUSH(grain->arena, out, (struct grain_key){0});
        return;
    }
    if (body->kind != SQL_SELECT || !inner) {
        return;
    }
    sql_walk(body->children[SELECT_ITEMS], find_aggregate, &aggregates);
    if (body->children[SELECT_GROUP]) {
        group_key(grain, relation, inner, out);
    } else if (aggregates) {
        VEC_PUSH(grain->arena, out, (struct grain_key){0});
    } else if (inner->relations.count == 1) {
        passed_keys(grain, relation, inner, out);
    }
    if (sql_has(body, FLAG_DISTINCT) && !body->children[SELECT_DISTINCT_ON] &&
        !relation->columns.open) {
        struct grain_key all = {0};
        for (size_t i = 0; i < relation->columns.count; i++) {
            VEC_PUSH(grain->arena, &all,
                     (const struct sql_output *)relation->columns.items[i]);
        }
        VEC_PUSH(grain->arena, out, all);
    }
}

void grain_relation_keys(struct grain *grain, const struct sql_relation *relation,
                         struct grain_keys *out)
{
    if (relation->kind == RELATION_TABLE && relation->table) {
        table_keys(grain, relation, out);
    } else if (relation->query && grain->depth < DEPTH_MOST) {
        query_keys(grain, relation, out);
    }
}
