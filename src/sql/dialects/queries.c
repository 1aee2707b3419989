/* Clauses of queries: LIMIT and its relatives, the order of NULLs, DISTINCT ON, QUALIFY,
 * GROUP BY ALL, set operations. */
#include <stdlib.h>
#include <string.h>

#include "sql/dialects/translate.h"
#include "sql/function.h"

/* ------------------------------------------------------------------ LIMIT */

static struct sql_node *select_of(const struct sql_node *query)
{
    struct sql_node *body = query->children[QUERY_BODY];
    return sql_is(body, SQL_SELECT) ? body : NULL;
}

/* TOP n, FETCH FIRST n ROWS ONLY and LIMIT n are one. */
static bool limit(struct translation *translation, struct sql_node *query)
{
    struct sql_node *select = select_of(query);
    if (select && select->children[SELECT_TOP] && !translate_to(translation, "o")) {
        query->children[QUERY_LIMIT] = select->children[SELECT_TOP];
        select->children[SELECT_TOP] = NULL;
        translate_note(translation, "TOP", "LIMIT");
    }
    bool fetch = sql_has(query, FLAG_FETCH);
    if ((sql_has(query, FLAG_WITH_TIES) && !translate_to(translation, "p")) ||
        sql_has(query, FLAG_PERCENT) || query->children[QUERY_LIMIT_BY]) {
        return translate_refuse(translation, "a limit has no equivalent");
    }
    if (fetch && !translate_to(translation, "po")) {
        query->flags &= ~(unsigned)FLAG_FETCH;
        translate_note(translation, "FETCH FIRST", "LIMIT");
    }
    if (!fetch && translate_to(translation, "o") && query->children[QUERY_LIMIT]) {
        query->flags |= FLAG_FETCH;
        translate_note(translation, "LIMIT", "FETCH FIRST");
    }
    if (query->children[QUERY_OFFSET] && !query->children[QUERY_LIMIT] &&
        translate_to(translation, "sm")) {
        query->children[QUERY_LIMIT] =
            translate_to(translation, "s")
                ? make_number(translation, -1)
                : make_number(translation, 9223372036854775807);
    }
    return true;
}

/* ------------------------------------------------------------------ ORDER BY */

/* 1: NULLs come first, 0: last, -1: not known */
static int nulls_first(enum dialect dialect, bool desc)
{
    switch (dialect) {
    case DIALECT_SQLITE:
    case DIALECT_MYSQL:
    case DIALECT_BIGQUERY:
        return !desc;
    case DIALECT_POSTGRES:
        return desc;
    case DIALECT_DUCKDB:
    case DIALECT_CLICKHOUSE:
        return 0;
    default:
        return -1;
    }
}

/* What an item of ORDER BY stands for: 2, or the name of an item of the list. */
static struct sql_node *meant(const struct sql_node *select, struct sql_node *value)
{
    const struct sql_node *items = select ? select->children[SELECT_ITEMS] : NULL;
    if (sql_is(value, SQL_NUMBER) && items) {
        long at = strtol(value->text, NULL, 10);
        struct sql_node *item = at > 0 ? sql_child(items, (size_t)at - 1) : NULL;
        return item && item->children[SINGLE_VALUE]->kind != SQL_STAR
                   ? item->children[SINGLE_VALUE]
                   : NULL;
    }
    for (size_t i = 0; items && i < items->count && sql_is(value, SQL_COLUMN); i++) {
        if (value->count == 1 &&
            str_equal_nocase(items->children[i]->text, value->children[0]->text)) {
            return items->children[i]->children[SINGLE_VALUE];
        }
    }
    return value;
}

/* MySQL and others have no NULLS LAST: a first key says whether it is NULL. */
static struct sql_node *null_key(struct translation *translation, struct sql_node *item,
                                 bool first)
{
    struct sql_node *key = sql_node(translation->arena, SQL_ORDER_ITEM, NULL);
    struct sql_node *null = sql_node(translation->arena, SQL_IS, NULL);
    null->children[PAIR_LEFT] =
        sql_clone(translation->arena, item->children[ORDER_VALUE]);
    null->children[PAIR_RIGHT] = sql_node(translation->arena, SQL_CONSTANT, "NULL");
    key->children[ORDER_VALUE] =
        translate_to(translation, "m")
            ? null
            : make_case(translation, null, make_number(translation, 1),
                        make_number(translation, 0));
    key->flags = first ? FLAG_DESC : 0;
    return key;
}

static bool order_item(struct translation *translation, struct sql_node *list,
                       struct sql_node *item, struct sql_node *value)
{
    unsigned given = item->flags & (FLAG_NULLS_FIRST | FLAG_NULLS_LAST);
    bool desc = sql_has(item, FLAG_DESC);
    int was = given ? (given == FLAG_NULLS_FIRST) : nulls_first(translation->from, desc);
    int is = nulls_first(translation->to, desc);
    bool chance = sql_is(value, SQL_CALL) && !value->children[CALL_ARGUMENTS]->count;
    bool never = value && (class_never_null(translation, value) || chance);
    item->flags &= ~(unsigned)(FLAG_NULLS_FIRST | FLAG_NULLS_LAST);
    bool differs = was >= 0 && !never && (is >= 0 ? was != is : given != 0) &&
                   (given || !translation->nulls_apart);
    if (differs && translate_to(translation, "mo")) {
        if (!value || sql_is(item->children[ORDER_VALUE], SQL_NUMBER)) {
            return translate_refuse(translation, "the place of NULLs has no equivalent");
        }
        sql_add(translation->arena, list, null_key(translation, item, was));
        translate_tell(translation,
                       "NULLs are placed by a first sort key, as where it was written.");
    } else if (differs) {
        item->flags |= was ? FLAG_NULLS_FIRST : FLAG_NULLS_LAST;
        if (!given) {
            translate_tell(translation,
                           arena_format(translation->arena,
                                        "NULLs are sorted %s, as in %s.",
                                        was ? "first" : "last",
                                        dialect_get(translation->from)->title));
        }
    } else if (given && !translate_to(translation, "mo")) {
        item->flags |= given;
    }
    sql_add(translation->arena, list, item);
    return true;
}

struct sql_node *queries_order(struct translation *translation, struct sql_node *list,
                               const struct sql_node *select)
{
    if (!list || translation->from == translation->to) {
        return translate_node(translation, list);
    }
    struct sql_node *made = sql_node(translation->arena, SQL_LIST, NULL);
    bool ordering = translation->ordering;
    translation->ordering = true;
    for (size_t i = 0; i < list->count && !translation->impossible; i++) {
        struct sql_node *item = list->children[i];
        if (sql_has(item, FLAG_ALL) || item->children[ORDER_FILL]) {
            return translate_refuse(translation, "ORDER BY ALL has no equivalent");
        }
        struct sql_node *value = meant(select, item->children[ORDER_VALUE]);
        bool never = value && class_never_null(translation, value);
        item->children[ORDER_VALUE] =
            translate_node(translation, item->children[ORDER_VALUE]);
        order_item(translation, made, item, never ? make_number(translation, 1) : value);
    }
    translation->ordering = ordering;
    return made;
}

/* ------------------------------------------------------------------ wrapped queries */

static bool names_visit(void *context, struct sql_node *node)
{
    bool *aggregate = context;
    if (node->kind == SQL_SUBQUERY || node->kind == SQL_EXISTS) {
        return false;
    }
    if (node->kind == SQL_CALL && !node->children[CALL_OVER]) {
        for (int i = 0; i < DIALECT_COUNT; i++) {
            *aggregate |= function_has(function_find((enum dialect)i, node->text), 'a');
        }
    }
    return true;
}

static bool is_aggregate(struct sql_node *node)
{
    bool aggregate = false;
    sql_walk(node, names_visit, &aggregate);
    return aggregate;
}

/* The name an item's column has outside of the query; NULL: it is not certain. */
static const char *item_name(struct sql_node *item)
{
    const struct sql_node *value = item->children[SINGLE_VALUE];
    return item->text                  ? item->text
           : sql_is(value, SQL_COLUMN) ? value->children[value->count - 1]->text
                                       : NULL;
}

/* The items by name, as the list of a query around this one. */
static struct sql_node *outer_items(struct translation *translation,
                                    struct sql_node *select)
{
    struct sql_node *items = sql_node(translation->arena, SQL_LIST, NULL);
    for (size_t i = 0; i < select->children[SELECT_ITEMS]->count; i++) {
        struct sql_node *item = select->children[SELECT_ITEMS]->children[i];
        const char *name = item_name(item);
        if (!name) {
            return translate_refuse(translation, "a column of the query has no name");
        }
        struct sql_node *outer = sql_node(translation->arena, SQL_ITEM, NULL);
        struct sql_node *column = make_column(translation, name);
        const struct sql_node *value = item->children[SINGLE_VALUE];
        column->children[0]->flags =
            item->text ? item->flags & FLAG_QUOTED
                       : value->children[value->count - 1]->flags & FLAG_QUOTED;
        outer->children[SINGLE_VALUE] = column;
        sql_add(translation->arena, items, outer);
    }
    return items;
}

/* SELECT items FROM (select) AS kept WHERE condition */
static struct sql_node *wrapped(struct translation *translation, struct sql_node *select,
                                struct sql_node *items, struct sql_node *condition)
{
    struct sql_node *query = sql_node(translation->arena, SQL_QUERY, NULL);
    struct sql_node *derived = sql_node(translation->arena, SQL_DERIVED, NULL);
    struct sql_node *outer = sql_node(translation->arena, SQL_SELECT, NULL);
    query->children[QUERY_BODY] = select;
    derived->children[DERIVED_SOURCE] = query;
    derived->children[DERIVED_ALIAS] = sql_node(translation->arena, SQL_ALIAS, "kept");
    outer->children[SELECT_ITEMS] = items;
    outer->children[SELECT_FROM] = derived;
    outer->children[SELECT_WHERE] = condition;
    return outer;
}

static void add_item(struct translation *translation, struct sql_node *select,
                     struct sql_node *value, const char *name)
{
    struct sql_node *item = sql_node(translation->arena, SQL_ITEM, name);
    item->children[SINGLE_VALUE] = value;
    sql_add(translation->arena, select->children[SELECT_ITEMS], item);
}

/* ORDER BY of the whole query must name columns of the wrapped one. */
static bool order_by_names(struct translation *translation, struct sql_node *query,
                           struct sql_node *select)
{
    const struct sql_node *list = query->children[QUERY_ORDER];
    for (size_t i = 0; list && i < list->count; i++) {
        struct sql_node *item = list->children[i];
        struct sql_node *value = item->children[ORDER_VALUE];
        const char *name = NULL;
        for (size_t k = 0; value && k < select->children[SELECT_ITEMS]->count; k++) {
            struct sql_node *one = select->children[SELECT_ITEMS]->children[k];
            bool same = sql_equal(one->children[SINGLE_VALUE], value) ||
                        (sql_is(value, SQL_COLUMN) &&
                         str_equal_nocase(item_name(one),
                                          value->children[value->count - 1]->text));
            name = same && !name ? item_name(one) : name;
        }
        if (!sql_is(value, SQL_NUMBER) && !name) {
            return translate_refuse(translation, "the order names what is not selected");
        }
        if (name) {
            item->children[ORDER_VALUE] = make_column(translation, name);
        }
    }
    return true;
}

/* The first row of each key, by the order of the query. */
static bool distinct_on(struct translation *translation, struct sql_node *query,
                        struct sql_node *select)
{
    struct sql_node *keys = select->children[SELECT_DISTINCT_ON];
    struct sql_node *items = outer_items(translation, select);
    if (!items || select->children[SELECT_GROUP]) {
        return translate_refuse(translation, "DISTINCT ON has no equivalent");
    }
    struct sql_node *window = sql_node(translation->arena, SQL_WINDOW, NULL);
    window->children[WINDOW_PARTITION] = sql_clone(translation->arena, keys);
    window->children[WINDOW_ORDER] =
        sql_clone(translation->arena, query->children[QUERY_ORDER]);
    if (!order_by_names(translation, query, select)) {
        return false;
    }
    struct sql_node *number = make_call(translation, "ROW_NUMBER", NULL, NULL, NULL);
    number->children[CALL_OVER] = window;
    select->children[SELECT_DISTINCT_ON] = NULL;
    select->flags &= ~(unsigned)FLAG_DISTINCT;
    add_item(translation, select, number, "row_of_key");
    query->children[QUERY_BODY] =
        wrapped(translation, select, items,
                make_pair(translation, "=", make_column(translation, "row_of_key"),
                          make_number(translation, 1)));
    translate_note(translation, "DISTINCT ON", "ROW_NUMBER() in a subquery");
    return true;
}

/* The windows of QUALIFY become columns, and the condition stands around them. */
struct windows {
    struct translation *translation;
    struct sql_node *select;
    int count;
};

static struct sql_node *lift_windows(struct windows *windows, struct sql_node *node)
{
    if (!node) {
        return NULL;
    }
    bool window = node->kind == SQL_CALL && node->children[CALL_OVER];
    if (window) {
        const char *name =
            arena_format(windows->translation->arena, "kept_by_%d", ++windows->count);
        add_item(windows->translation, windows->select, node, name);
        return make_column(windows->translation, name);
    }
    if (node->kind == SQL_COLUMN) { /* an item of the list */
        for (size_t i = 0; i < windows->select->children[SELECT_ITEMS]->count; i++) {
            struct sql_node *item = windows->select->children[SELECT_ITEMS]->children[i];
            if (item_name(item) &&
                str_equal_nocase(item_name(item),
                                 node->children[node->count - 1]->text)) {
                return make_column(windows->translation, item_name(item));
            }
        }
        return translate_refuse(windows->translation,
                                "QUALIFY names what is not selected");
    }
    for (size_t i = 0; i < node->count; i++) {
        node->children[i] = lift_windows(windows, node->children[i]);
    }
    return node;
}

static bool qualify(struct translation *translation, struct sql_node *query,
                    struct sql_node *select)
{
    struct sql_node *items = outer_items(translation, select);
    struct windows windows = {translation, select, 0};
    struct sql_node *condition = select->children[SELECT_QUALIFY];
    select->children[SELECT_QUALIFY] = NULL;
    if (!items || sql_has(select, FLAG_DISTINCT) ||
        !order_by_names(translation, query, select)) {
        return translate_refuse(translation, "QUALIFY has no equivalent");
    }
    condition = lift_windows(&windows, condition);
    query->children[QUERY_BODY] = wrapped(translation, select, items, condition);
    translate_note(translation, "QUALIFY", "WHERE around a subquery");
    return !translation->impossible;
}

/* ------------------------------------------------------------------ GROUP BY ALL */

static void group_all(struct translation *translation, struct sql_node *select)
{
    struct sql_node *list = sql_node(translation->arena, SQL_LIST, NULL);
    for (size_t i = 0; i < select->children[SELECT_ITEMS]->count; i++) {
        struct sql_node *value =
            select->children[SELECT_ITEMS]->children[i]->children[SINGLE_VALUE];
        if (sql_is(value, SQL_STAR)) {
            translate_refuse(translation, "GROUP BY ALL with a star");
        } else if (!is_aggregate(value)) {
            sql_add(translation->arena, list, sql_clone(translation->arena, value));
        }
    }
    select->children[SELECT_GROUP] = list->count ? list : NULL;
    translate_note(translation, "GROUP BY ALL", "the list of what is grouped");
}

/* ------------------------------------------------------------------ the walk */

static bool set_visit(void *context, struct sql_node *node)
{
    struct translation *translation = context;
    if (node->kind != SQL_SET_OPERATION) {
        return node->kind != SQL_QUERY;
    }
    if (str_equal(node->text, "MINUS") && !translate_to(translation, "o")) {
        node->text = "EXCEPT";
        translate_note(translation, "MINUS", "EXCEPT");
    }
    bool all = sql_has(node, FLAG_ALL) && !str_equal(node->text, "UNION");
    if ((all && translate_to(translation, "sb")) || sql_has(node, FLAG_BY_NAME)) {
        translate_refuse(translation, "a set operation has no equivalent");
    }
    if (sql_has(node, FLAG_DISTINCT) && !translate_to(translation, "pdmcb")) {
        node->flags &= ~(unsigned)FLAG_DISTINCT;
    }
    bool bare =
        !sql_has(node, FLAG_ALL | FLAG_DISTINCT) && translate_to(translation, "bc");
    node->flags |= bare ? FLAG_DISTINCT : 0;
    return true;
}

struct sql_node *queries_query(struct translation *translation, struct sql_node *query)
{
    struct sql_node *select = select_of(query);
    if (translation->from == translation->to) {
        return NULL;
    }
    sql_walk(query->children[QUERY_BODY], set_visit, translation);
    if (!limit(translation, query)) {
        return NULL;
    }
    if (select && select->children[SELECT_DISTINCT_ON] &&
        !translate_to(translation, "pd") && !distinct_on(translation, query, select)) {
        return NULL;
    }
    if (select && select->children[SELECT_QUALIFY] && !translate_to(translation, "dcb") &&
        !qualify(translation, query, select)) {
        return NULL;
    }
    select = select_of(query);
    for (size_t i = 0; i < query->count; i++) {
        if (i == QUERY_ORDER) {
            query->children[i] = queries_order(translation, query->children[i], select);
        }
    }
    for (size_t i = 0; i < query->count; i++) {
        if (i != QUERY_ORDER) {
            query->children[i] = translate_node(translation, query->children[i]);
        }
    }
    return query;
}

struct sql_node *queries_select(struct translation *translation, struct sql_node *select)
{
    if (translation->from == translation->to) {
        return NULL;
    }
    const struct sql_node *group = select->children[SELECT_GROUP];
    if (group && sql_has(group, FLAG_GROUP_ALL) && !translate_to(translation, "dcb")) {
        group_all(translation, select);
    }
    bool left =
        (select->children[SELECT_DISTINCT_ON] && !translate_to(translation, "pd")) ||
        (select->children[SELECT_QUALIFY] && !translate_to(translation, "dcb")) ||
        select->children[SELECT_TOP] || select->children[SELECT_PREWHERE] ||
        select->children[SELECT_SAMPLE] || (group && group->text);
    return left ? translate_refuse(translation, "a clause has no equivalent") : NULL;
}

struct sql_node *queries_window(struct translation *translation, struct sql_node *window)
{
    window->children[WINDOW_ORDER] =
        queries_order(translation, window->children[WINDOW_ORDER], NULL);
    for (size_t i = 0; i < window->count; i++) {
        if (i != WINDOW_ORDER) {
            window->children[i] = translate_node(translation, window->children[i]);
        }
    }
    return window;
}
