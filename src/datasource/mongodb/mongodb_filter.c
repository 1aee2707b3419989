/*
 * Conditions that MongoDB can judge before anything is read: `column op literal`, joined
 * by AND, in the outermost WHERE. A filter may let more through than the condition, never
 * less: the SQL is judged once more where it runs. Names and values from the SQL become
 * names and values; the operators are the few that stand here.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_plan.h"
#include "model/schema.h"

enum { PATH_MOST = 4096, LIST_MOST = 1000, KEY_SIZE = 24 };

static const struct {
    const char *sql;
    const char *operator; /* MongoDB's */
} comparisons[] = {
    {"=", "$eq"},   {"<>", "$ne"}, {"<", "$lt"},
    {"<=", "$lte"}, {">", "$gt"},  {">=", "$gte"},
};

/* ------------------------------------------------------------------ columns */

/* A table that stands in the query twice is read once, for both. */
static bool table_stands_once(const struct mongodb_plan *plan, const struct table *table)
{
    size_t times = 0;
    for (size_t i = 0; i < plan->resolved->scopes.count; i++) {
        const struct sql_relations *relations =
            &plan->resolved->scopes.items[i]->relations;
        for (size_t k = 0; k < relations->count; k++) {
            times += relations->items[k]->table == table;
        }
    }
    return times == 1;
}

/* The column that the node means, and its part; NULL when that is not certain. */
static const struct mongodb_column *column_of(const struct mongodb_plan *plan,
                                              const struct sql_node *node,
                                              struct mongodb_part **part)
{
    const struct sql_reference *reference =
        sql_is(node, SQL_COLUMN) ? sql_reference_of(plan->resolved, node) : NULL;
    const struct table *table =
        reference && reference->relation ? reference->relation->table : NULL;
    if (!table || reference->state != REFERENCE_COLUMN || !reference->column ||
        reference->fields || !table_stands_once(plan, table)) {
        return NULL;
    }
    *part = &plan->parts.items[table - plan->schema->tables.items];
    return &(*part)->table->columns.items[reference->column - table->columns.items];
}

static bool column_path(const struct mongodb_column *column, struct buf *path)
{
    for (size_t i = 0; i < column->path.count; i++) {
        const char *name = column->path.items[i];
        if (!name[0] || name[0] == '$' || strchr(name, '.')) {
            return false;
        }
        (void)buf_format(path, "%s%s", i ? "." : "", name);
    }
    return column->path.count > 0 && !path->full;
}

static bool column_filters(const struct mongodb_part *part,
                           const struct mongodb_column *column)
{
    return column && !column->in_element && !column->is_position && !column->unlike &&
           column->kind >= MONGODB_BOOL && column->kind <= MONGODB_TIME &&
           (column->kind != MONGODB_TEXT || !part->shape->collated);
}

/* ------------------------------------------------------------------ conditions */

/* `filter` is kept as { "0": {…}, "1": {…} }: the list of an $and. */
static void condition_add(struct mongodb_part *part, const char *path,
                          const bson_t *judged)
{
    char key[KEY_SIZE];
    bson_iter_t iter;
    int place = 0;
    if (!part->filter) {
        part->filter = mongo.bson_new();
    }
    if (mongo.bson_iter_init(&iter, part->filter)) {
        while (mongo.bson_iter_next(&iter)) {
            place++;
        }
    }
    bson_t item;
    (void)snprintf(key, sizeof key, "%d", place);
    (void)mongo.bson_append_document_begin(part->filter, key, -1, &item);
    (void)mongo.bson_append_document(&item, path, -1, judged);
    (void)mongo.bson_append_document_end(part->filter, &item);
}

static bool comparison_read(const struct sql_node *node,
                            const struct mongodb_column *column, bson_t *judged)
{
    /* NaN is greater than every number in DuckDB, and than none in MongoDB. */
    if (column->kind == MONGODB_REAL && node->text[0] == '>') {
        return false;
    }
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        if (str_equal(node->text, comparisons[i].sql)) {
            return mongodb_literal(node->children[PAIR_RIGHT], column, judged,
                                   comparisons[i].operator);
        }
    }
    return false;
}

static bool list_read(const struct sql_node *list, const struct mongodb_column *column,
                      bson_t *judged)
{
    bson_t values;
    char key[KEY_SIZE];
    bool ok = list->kind == SQL_TUPLE && list->count > 0 && list->count <= LIST_MOST;
    (void)mongo.bson_append_array_begin(judged, "$in", -1, &values);
    for (size_t i = 0; ok && i < list->count; i++) {
        (void)snprintf(key, sizeof key, "%zu", i);
        ok = mongodb_literal(list->children[i], column, &values, key);
    }
    (void)mongo.bson_append_array_end(judged, &values);
    return ok;
}

/* op literal | BETWEEN a AND b | IN (…) | IS NOT NULL; false: something else. */
static bool condition_read(const struct sql_node *node,
                           const struct mongodb_column *column, bson_t *judged)
{
    const struct sql_node *right = node->children[PAIR_RIGHT];
    switch (node->kind) {
    case SQL_BINARY:
        return comparison_read(node, column, judged);
    case SQL_BETWEEN:
        return node->flags == 0 &&
               mongodb_literal(node->children[TRIPLE_SECOND], column, judged, "$gte") &&
               mongodb_literal(node->children[TRIPLE_THIRD], column, judged, "$lte");
    case SQL_IN:
        return node->flags == 0 && list_read(right, column, judged);
    case SQL_IS:
        return node->flags == FLAG_NOT && sql_is(right, SQL_CONSTANT) &&
               str_equal(right->text, "NULL") &&
               mongo.bson_append_null(judged, "$ne", -1);
    default:
        return false;
    }
}

static void conjuncts_read(struct mongodb_plan *plan, const struct sql_node *node)
{
    struct mongodb_part *part = NULL;
    if (!node || node->count < PAIR_SLOTS) {
        return;
    }
    if (node->kind == SQL_BINARY && str_equal(node->text, "AND")) {
        conjuncts_read(plan, node->children[PAIR_LEFT]);
        conjuncts_read(plan, node->children[PAIR_RIGHT]);
        return;
    }
    const struct mongodb_column *column =
        column_of(plan, node->children[PAIR_LEFT], &part);
    if (!part || !column_filters(part, column)) {
        return;
    }
    struct buf path;
    bson_t judged;
    buf_init(&path, PATH_MOST);
    mongo.bson_init(&judged);
    if (column_path(column, &path) && condition_read(node, column, &judged)) {
        condition_add(part, buf_get(&path), &judged);
    }
    mongo.bson_destroy(&judged);
    buf_release(&path);
}

/* A list of conditions becomes { $and: […] }. */
static void filter_wrap(struct mongodb_part *part)
{
    bson_t *whole = mongo.bson_new();
    (void)mongo.bson_append_array(whole, "$and", -1, part->filter);
    mongo.bson_destroy(part->filter);
    part->filter = whole;
}

void mongodb_filter_make(struct mongodb_plan *plan, const struct sql_node *where)
{
    conjuncts_read(plan, where);
    for (size_t i = 0; i < plan->parts.count; i++) {
        if (plan->parts.items[i].filter) {
            filter_wrap(&plan->parts.items[i]);
        }
    }
}
