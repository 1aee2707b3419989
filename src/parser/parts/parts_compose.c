/* The query that is made of a changed object; its tables follow in parts_sources.c. */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/parts/parts_state.h"

static bool fail(struct parts_making *making, const char *where, const char *why)
{
    return err_set(making->err, ERR_INVALID_DATA, "%s: %s", where, why);
}

static const char *place(const struct parts_making *making, const char *key, size_t index)
{
    return arena_format(making->parts->arena, "%s[%zu]", key, index);
}

/* An array of at most that many; a part that is missing is an empty one. */
static bool list_of(struct parts_making *making, const json_t *changed, const char *key,
                    size_t most, const json_t **out)
{
    const json_t *list = json_object_get(changed, key);
    *out = list;
    if (list && !json_is_array(list)) {
        return fail(making, key, "this must be a list.");
    }
    return json_array_size(list) <= most || fail(making, key, "the list is too long.");
}

static bool has(const struct ir_nodes *nodes, const struct ir_node *node)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (ir_node_same(nodes->items[i], node)) {
            return true;
        }
    }
    return false;
}

static bool read_items(struct parts_making *making, const json_t *changed,
                       const char *key, bool measure, struct ir_nodes *out)
{
    struct parts *parts = making->parts;
    const json_t *list = NULL;
    size_t most = measure ? PARTS_MEASURES : PARTS_COLUMNS;
    if (!list_of(making, changed, key, most, &list)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *where = place(making, key, i);
        struct ir_node *node =
            parts_item_read(making, json_array_get(list, i),
                            measure ? &parts->measures : &parts->columns, where);
        if (!node) {
            return false;
        }
        if (parts_is_measure(node) != measure) {
            return fail(making, where,
                        measure ? "a measure needs a figure, such as count."
                                : "figures belong in 'measures'.");
        }
        bool counts = ir_node_is(node, IR_COUNT) && ir_node_is_star(node->args.items[0]);
        if (!counts && has(out, node)) {
            return fail(making, where, "this part is there twice.");
        }
        VEC_PUSH(parts->arena, out, node);
    }
    return true;
}

/* ------------------------------------------------------------------ conditions */

static bool is_of_join(const struct parts *parts, const struct ir_node *node)
{
    size_t first = parts->where_count + parts->having_count;
    for (size_t i = first; i < parts->conditions.count; i++) {
        if (parts->conditions.items[i] == node) {
            return true;
        }
    }
    return false;
}

/* Conditions of left joins that are not kept go. */
static void settle_joins(struct parts_making *making, const struct ir_nodes *kept)
{
    struct arena *arena = making->parts->arena;
    struct ir_query *query = making->query;
    struct ir_source *items = arena_array(arena, query->sources.count + 1, sizeof *items);
    memcpy(items, query->sources.items, query->sources.count * sizeof *items);
    for (size_t i = 0; i < query->sources.count; i++) {
        bool stays = false;
        for (size_t k = 0; k < kept->count; k++) {
            stays = stays || kept->items[k] == items[i].with;
        }
        items[i].with = stays ? items[i].with : NULL;
    }
    query->sources.items = items;
    query->sources.capacity = query->sources.count + 1;
}

static struct ir_node *chain(struct parts_making *making, const struct ir_nodes *nodes)
{
    if (nodes->count < 2) {
        return nodes->count ? nodes->items[0] : NULL;
    }
    struct ir_node *node = ir_node_call(making->parts->arena, IR_AND, NULL, NULL);
    for (size_t i = 0; i < nodes->count; i++) {
        VEC_PUSH(making->parts->arena, &node->args, nodes->items[i]);
    }
    return node;
}

static bool read_filters(struct parts_making *making, const json_t *changed)
{
    struct parts *parts = making->parts;
    struct ir_nodes joins = {0};
    const json_t *list = NULL;
    if (!list_of(making, changed, "filters", PARTS_FILTERS, &list)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct ir_node *node = parts_filter_read(making, json_array_get(list, i),
                                                 place(making, "filters", i));
        if (!node) {
            return false;
        }
        struct ir_nodes *to = is_of_join(parts, node)  ? &joins
                              : parts_is_measure(node) ? &making->having
                                                       : &making->where;
        VEC_PUSH(parts->arena, to, node);
    }
    settle_joins(making, &joins);
    making->query->where = chain(making, &making->where);
    making->query->having = chain(making, &making->having);
    return true;
}

/* ------------------------------------------------------------------ groups */

static int table_of(const struct parts *parts, const struct ir_node *node)
{
    const struct ir_node *inner =
        node->kind == IR_NODE_CALL && node->args.count ? node->args.items[0] : node;
    int column = parts_column_of(inner);
    return column < 0 ? -1 : parts->schema->columns[column].table;
}

/* A group that is not shown tells the shown ones apart: two customers of one name. It
 * stays as long as something of its table is shown, or nothing was before. */
static bool is_needed(const struct parts_making *making, const struct ir_node *group)
{
    const struct parts *parts = making->parts;
    int table = table_of(parts, group);
    bool before = false;
    bool now = false;
    for (size_t i = 0; i < parts->columns.count; i++) {
        before = before || table_of(parts, parts->columns.items[i]) == table;
    }
    for (size_t i = 0; i < making->columns.count; i++) {
        now = now || (table_of(parts, making->columns.items[i]) == table &&
                      has(&parts->columns, making->columns.items[i]));
    }
    return now || !before;
}

static bool group_all(struct parts_making *making)
{
    struct parts *parts = making->parts;
    const struct ir_nodes before = parts->query->group;
    struct ir_nodes *group = &making->query->group;
    *group = (struct ir_nodes){0};
    bool hidden = false;
    for (size_t i = 0; i < before.count; i++) {
        bool shown = has(&parts->columns, before.items[i]);
        if (shown ? has(&making->columns, before.items[i])
                  : is_needed(making, before.items[i])) {
            VEC_PUSH(parts->arena, group, before.items[i]);
            hidden = hidden || !shown;
        }
    }
    for (size_t i = 0; i < making->columns.count; i++) {
        struct ir_node *node = making->columns.items[i];
        bool all = ir_node_is_star(node) ||
                   (node->kind == IR_NODE_TOKEN && node->token.kind == IR_TABLE);
        bool depends = hidden && has(&parts->columns, node) && !has(&before, node);
        if (all) {
            return fail(making, place(making, "columns", i),
                        "all columns of a table cannot be shown together with a figure.");
        }
        if (!depends && !ir_node_is_value(node) && !has(group, node)) {
            VEC_PUSH(parts->arena, group, node);
        }
    }
    return true;
}

/* ------------------------------------------------------------------ order and limit */

static bool is_time(const struct ir_node *node)
{
    static const enum ir_keyword units[] = {IR_YEAR, IR_QUARTER, IR_MONTH, IR_WEEK,
                                            IR_DAY};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (ir_node_is(node, units[i])) {
            return true;
        }
    }
    return false;
}

/* Time goes on, and the greatest comes first. */
static void order_as_usual(struct parts_making *making)
{
    struct arena *arena = making->parts->arena;
    struct ir_query *query = making->query;
    for (size_t i = 0; i < making->columns.count; i++) {
        if (is_time(making->columns.items[i])) {
            VEC_PUSH(arena, &query->order,
                     ((struct ir_order){making->columns.items[i], false}));
            return;
        }
    }
    if (making->measures.count && making->columns.count) {
        VEC_PUSH(arena, &query->order,
                 ((struct ir_order){making->measures.items[0], true}));
    }
}

static struct ir_node *ordered(struct parts_making *making, const json_t *item)
{
    const struct ir_query *before = making->parts->query;
    int64_t measure = json_int_at(item, "measure", -1);
    int64_t column = json_int_at(item, "column", -1);
    int64_t kept = json_int_at(item, "kept", -1);
    if (measure >= 0 && (size_t)measure < making->measures.count) {
        return making->measures.items[measure];
    }
    if (column >= 0 && (size_t)column < making->columns.count) {
        return making->columns.items[column];
    }
    if (kept < 0 || (size_t)kept >= before->order.count) {
        return NULL;
    }
    struct ir_node *node = before->order.items[kept].node;
    bool fits = making->query->group.count == 0
                    ? parts_is_measure(node) == (making->measures.count > 0)
                    : parts_is_measure(node) || has(&making->query->group, node);
    return fits ? node : NULL;
}

static bool read_order(struct parts_making *making, const json_t *changed)
{
    const json_t *list = NULL;
    making->query->order.items = NULL;
    making->query->order.count = making->query->order.capacity = 0;
    if (!list_of(making, changed, "order", PARTS_ORDERS, &list)) {
        return false;
    }
    if (!list) {
        order_as_usual(making);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        struct ir_node *node = json_is_object(item) ? ordered(making, item) : NULL;
        if (!node || ir_node_is_star(node)) {
            return fail(making, place(making, "order", i),
                        "there is no such figure or column in the answer.");
        }
        VEC_PUSH(making->parts->arena, &making->query->order,
                 ((struct ir_order){node, json_bool_at(item, "descending", false)}));
    }
    return true;
}

static bool read_limit(struct parts_making *making, const json_t *changed)
{
    struct parts *parts = making->parts;
    struct ir_query *query = making->query;
    const json_t *item = json_object_get(changed, "limit");
    int64_t limit = json_int_at(changed, "limit", 0);
    if (item && !json_is_null(item) &&
        (!json_is_integer(item) || limit < 0 || limit > PARTS_LIMIT)) {
        return fail(making, "limit", "this is not a number of rows.");
    }
    if (limit == 0) {
        query->limit = NULL;
        query->offset = NULL;
        query->per = (struct ir_nodes){0};
        return true;
    }
    query->limit =
        parts_value(parts, arena_format(parts->arena, "%lld", (long long)limit), false);
    for (size_t i = 0; i < query->per.count; i++) {
        if (!has(&query->group, query->per.items[i]) && query->group.count) {
            query->per = (struct ir_nodes){0}; /* of groups that are gone */
        }
    }
    return true;
}

/* ------------------------------------------------------------------ all */

static void select_all(struct parts_making *making)
{
    const struct parts *parts = making->parts;
    const struct ir_nodes *before = &parts->query->select;
    bool figures_first = parts->columns.count && parts_is_measure(before->items[0]);
    const struct ir_nodes *lists[] = {&making->columns, &making->measures};
    making->query->select = (struct ir_nodes){0};
    for (size_t n = 0; n < 2; n++) {
        const struct ir_nodes *list = lists[figures_first ? 1 - n : n];
        for (size_t i = 0; i < list->count; i++) {
            VEC_PUSH(parts->arena, &making->query->select, list->items[i]);
        }
    }
}

bool parts_compose(struct parts_making *making, const json_t *changed)
{
    struct ir_query *query = making->query;
    if (!json_is_object(changed)) {
        return fail(making, "parts", "this must be an object.");
    }
    if (!read_items(making, changed, "measures", true, &making->measures) ||
        !read_items(making, changed, "columns", false, &making->columns) ||
        !read_filters(making, changed)) {
        return false;
    }
    if (making->measures.count + making->columns.count == 0) {
        return fail(making, "measures", "at least one figure or column is needed.");
    }
    select_all(making);
    bool grouped = making->measures.count || making->having.count ||
                   making->parts->query->group.count;
    if (grouped) {
        query->distinct = false;
        if (!group_all(making)) {
            return false;
        }
    }
    return read_order(making, changed) && read_limit(making, changed);
}
