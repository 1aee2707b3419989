/* Conditions of a SELECT that say something about one table alone. They stay in the
 * query: what is told to the source may leave out only what the engine would leave out.
 */
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "datasource/across/across_state.h"

struct searching {
    const struct across_scope *scope;
    struct across_relations relations;
};

/* A constant, perhaps with a cast around it or a sign before it. */
static bool is_constant(const json_t *node)
{
    const char *class = str_or_empty(json_text_at(node, "class"));
    if (strcmp(class, "CAST") == 0) {
        return is_constant(json_object_at(node, "child"));
    }
    return strcmp(class, "CONSTANT") == 0;
}

static bool values_read(const struct searching *searching, const json_t *const *nodes,
                        size_t count, struct across_filter *out)
{
    out->values = arena_array(searching->scope->arena, count + 1, sizeof *out->values);
    for (size_t i = 0; i < count; i++) {
        if (!is_constant(nodes[i])) {
            return false;
        }
        out->values[i] = nodes[i];
    }
    out->count = count;
    return true;
}

static const struct {
    const char *type;
    enum across_test test;
    enum across_test turned; /* with its sides exchanged */
} comparisons[] = {
    {"COMPARE_EQUAL", ACROSS_EQUAL, ACROSS_EQUAL},
    {"COMPARE_NOTEQUAL", ACROSS_NOT_EQUAL, ACROSS_NOT_EQUAL},
    {"COMPARE_LESSTHAN", ACROSS_LESS, ACROSS_MORE},
    {"COMPARE_GREATERTHAN", ACROSS_MORE, ACROSS_LESS},
    {"COMPARE_LESSTHANOREQUALTO", ACROSS_LESS_EQUAL, ACROSS_MORE_EQUAL},
    {"COMPARE_GREATERTHANOREQUALTO", ACROSS_MORE_EQUAL, ACROSS_LESS_EQUAL},
};

static void filter_add(const struct searching *searching, const json_t *reference,
                       const json_t *const *values, size_t count, enum across_test test)
{
    const struct column *column = NULL;
    const struct across_relation *relation =
        across_relation_of(&searching->relations, reference, &column);
    struct across_filter filter = {.test = test, .column = column};
    if (!relation || !values_read(searching, values, count, &filter)) {
        return;
    }
    if (test == ACROSS_IS_NULL && searching->relations.outer) {
        return; /* there it asks for rows without a partner */
    }
    struct across_need *need = across_need_of(searching->scope->needs, relation->table);
    if (need) {
        VEC_PUSH(searching->scope->arena, &need->filters, filter);
    }
}

static void comparison_read(const struct searching *searching, const json_t *node)
{
    const char *type = str_or_empty(json_text_at(node, "type"));
    const json_t *left = json_object_at(node, "left");
    const json_t *right = json_object_at(node, "right");
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        if (strcmp(comparisons[i].type, type) == 0) {
            filter_add(searching, left, &right, 1, comparisons[i].test);
            filter_add(searching, right, &left, 1, comparisons[i].turned);
        }
    }
}

static void test_read(const struct searching *searching, const json_t *node)
{
    const char *type = str_or_empty(json_text_at(node, "type"));
    const json_t *children = json_array_at(node, "children");
    size_t count = json_array_size(children);
    const json_t *first = json_array_get(children, 0);
    if (strcmp(type, "COMPARE_IN") == 0 && count > 1) {
        const json_t **values =
            arena_array(searching->scope->arena, count, sizeof *values);
        for (size_t i = 1; i < count; i++) {
            values[i - 1] = json_array_get(children, i);
        }
        filter_add(searching, first, values, count - 1, ACROSS_IN);
    } else if (strcmp(type, "OPERATOR_IS_NULL") == 0) {
        filter_add(searching, first, NULL, 0, ACROSS_IS_NULL);
    } else if (strcmp(type, "OPERATOR_IS_NOT_NULL") == 0) {
        filter_add(searching, first, NULL, 0, ACROSS_NOT_NULL);
    }
}

static void condition_read(const struct searching *searching, const json_t *node)
{
    const char *class = str_or_empty(json_text_at(node, "class"));
    const json_t *children = json_array_at(node, "children");
    size_t index;
    const json_t *item;
    if (strcmp(class, "CONJUNCTION") == 0) {
        bool every = str_equal(json_text_at(node, "type"), "CONJUNCTION_AND");
        json_array_foreach(children, index, item)
        {
            if (every) {
                condition_read(searching, item);
            }
        }
    } else if (strcmp(class, "COMPARISON") == 0) {
        comparison_read(searching, node);
    } else if (strcmp(class, "BETWEEN") == 0 &&
               str_equal(json_text_at(node, "type"), "COMPARE_BETWEEN")) {
        const json_t *input = json_object_at(node, "input");
        const json_t *lower = json_object_at(node, "lower");
        const json_t *upper = json_object_at(node, "upper");
        filter_add(searching, input, &lower, 1, ACROSS_MORE_EQUAL);
        filter_add(searching, input, &upper, 1, ACROSS_LESS_EQUAL);
    } else if (strcmp(class, "OPERATOR") == 0) {
        test_read(searching, node);
    } else if (strcmp(class, "FUNCTION") == 0 && json_array_size(children) == 2 &&
               str_equal(json_text_at(node, "function_name"), "~~")) {
        const json_t *pattern = json_array_get(children, 1);
        filter_add(searching, json_array_get(children, 0), &pattern, 1, ACROSS_LIKE);
    }
}

/* ON of an inner join is as good as WHERE; that of an outer one says which partners a row
 * may have, so it counts for the side that may be missing. */
static void joins_read(const struct searching *searching, const json_t *from)
{
    if (!str_equal(json_text_at(from, "type"), "JOIN")) {
        return;
    }
    static const char *const right_may_miss[] = {"LEFT", "SEMI", "ANTI"};
    const char *join = str_or_empty(json_text_at(from, "join_type"));
    const json_t *condition = json_object_at(from, "condition");
    joins_read(searching, json_object_at(from, "left"));
    joins_read(searching, json_object_at(from, "right"));
    if (strcmp(join, "INNER") == 0) {
        condition_read(searching, condition);
        return;
    }
    const json_t *side = strcmp(join, "RIGHT") == 0 ? json_object_at(from, "left") : NULL;
    for (size_t i = 0; i < sizeof right_may_miss / sizeof *right_may_miss; i++) {
        side =
            strcmp(join, right_may_miss[i]) == 0 ? json_object_at(from, "right") : side;
    }
    if (side) {
        struct searching inner = {.scope = searching->scope};
        across_relations_read(searching->scope, side, &inner.relations);
        /* a name without its table may be the other side's */
        struct searching all = {.scope = searching->scope};
        across_relations_read(searching->scope, from, &all.relations);
        if (inner.relations.count == 1) {
            for (size_t i = 0; i < all.relations.count; i++) {
                if (all.relations.items[i].table != inner.relations.items[0].table) {
                    all.relations.items[i].table = NULL;
                }
            }
            all.relations.outer = true;
            condition_read(&all, condition);
        }
    }
}

void across_filters_read(const struct across_scope *scope, const json_t *select)
{
    struct searching searching = {.scope = scope};
    const json_t *from = json_object_at(select, "from_table");
    across_relations_read(scope, from, &searching.relations);
    if (searching.relations.strange || json_object_at(select, "sample")) {
        return;
    }
    joins_read(&searching, from);
    condition_read(&searching, json_object_at(select, "where_clause"));
}

static bool list_is_plain(const json_t *list)
{
    size_t index;
    const json_t *item;
    json_array_foreach(list, index, item)
    {
        const char *class = str_or_empty(json_text_at(item, "class"));
        if (strcmp(class, "COLUMN_REF") != 0 && strcmp(class, "STAR") != 0 &&
            strcmp(class, "CONSTANT") != 0) {
            return false;
        }
    }
    return true;
}

int64_t across_plain_limit(const json_t *statement)
{
    const json_t *select = json_object_at(statement, "node");
    const json_t *modifiers = json_array_at(select, "modifiers");
    const json_t *limit = json_array_get(modifiers, 0);
    bool plain =
        str_equal(json_text_at(select, "type"), "SELECT_NODE") &&
        str_equal(json_text_at(json_object_at(select, "from_table"), "type"),
                  "BASE_TABLE") &&
        !json_object_at(select, "where_clause") && !json_object_at(select, "having") &&
        !json_object_at(select, "qualify") && !json_object_at(select, "sample") &&
        !json_array_size(json_array_at(select, "group_expressions")) &&
        !json_array_size(json_array_at(json_object_at(select, "cte_map"), "map")) &&
        list_is_plain(json_array_at(select, "select_list"));
    if (!plain || json_array_size(modifiers) != 1 ||
        !str_equal(json_text_at(limit, "type"), "LIMIT_MODIFIER") ||
        json_object_at(limit, "offset")) {
        return -1;
    }
    const json_t *value = json_object_at(json_object_at(limit, "limit"), "value");
    return json_int_at(value, "value", -1);
}
