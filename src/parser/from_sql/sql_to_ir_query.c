/* SELECT … FROM … WHERE … as a query of the IR. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/from_sql/sql_to_ir_state.h"

/* T.* as the table's token, * as all columns. */
static struct ir_node *read_star(struct sql_reading *reading,
                                 const struct sql_scope *scope,
                                 const struct sql_node *star)
{
    const struct sql_node *of = star->children[STAR_OF];
    if (!of || scope->entries.count == 1) {
        return sql_read_value(reading, star);
    }
    const char *name =
        sql_is(of, SQL_COLUMN) ? of->children[of->count - 1]->text : "a value";
    for (size_t i = 0; i < scope->entries.count && !star->children[STAR_OPTIONS]; i++) {
        const struct sql_entry *entry = &scope->entries.items[i];
        if (str_equal_nocase(entry->alias, name)) {
            return entry->second
                       ? sql_fail(reading, "All columns of a second copy.")
                       : ir_node_token(reading->arena,
                                       (struct ir_token){IR_TABLE, entry->table});
        }
    }
    return sql_fail(reading, "There is no table '%s' here.", name);
}

static void read_item(struct sql_reading *reading, struct sql_scope *scope,
                      const struct sql_node *item)
{
    const struct sql_node *value = item->children[SINGLE_VALUE];
    struct ir_node *node = sql_is(value, SQL_STAR) ? read_star(reading, scope, value)
                                                   : sql_read_value(reading, value);
    const char *name =
        ir_node_is_column(node) ? reading->schema->columns[node->token.index].name : NULL;
    if (node->kind == IR_NODE_ITEM && scope->entries.count == 1 &&
        scope->entries.items[0].names) {
        name = scope->entries.items[0].names->items[node->item - 1];
    }
    if (item->text) {
        name = item->text;
        struct sql_alias alias = {name, node};
        VEC_PUSH(reading->arena, &scope->aliases, alias);
    }
    VEC_PUSH(reading->arena, &scope->query->select, node);
    VEC_PUSH(reading->arena, &scope->names, name);
}

/* `1` in GROUP BY and ORDER BY is the first thing selected. */
static struct ir_node *read_or_position(struct sql_reading *reading,
                                        const struct sql_scope *scope,
                                        const struct sql_node *node)
{
    int64_t position;
    if (sql_is(node, SQL_NUMBER) && str_to_int(node->text, &position) && position >= 1 &&
        position <= (int64_t)scope->query->select.count) {
        return scope->query->select.items[position - 1];
    }
    return sql_read_value(reading, node);
}

static void read_group(struct sql_reading *reading, struct sql_scope *scope,
                       const struct sql_node *group)
{
    if (group->flags || group->text) {
        sql_fail(reading, "Groups of several kinds.");
    }
    for (size_t i = 0; i < group->count; i++) {
        VEC_PUSH(reading->arena, &scope->query->group,
                 read_or_position(reading, scope, group->children[i]));
    }
}

/* Our own: ORDER BY price DESC, ir_per(category) LIMIT 2 is the first two of each. */
static bool read_per(struct sql_reading *reading, struct ir_query *query,
                     const struct sql_node *value)
{
    if (!sql_is(value, SQL_CALL) || !str_equal_nocase(value->text, "ir_per")) {
        return false;
    }
    const struct sql_node *list = value->children[CALL_ARGUMENTS];
    for (size_t i = 0; i < list->count; i++) {
        VEC_PUSH(reading->arena, &query->per, sql_read_value(reading, list->children[i]));
    }
    return true;
}

static void read_order(struct sql_reading *reading, struct sql_scope *scope,
                       const struct sql_node *list)
{
    scope->in_order = true;
    for (size_t i = 0; i < list->count && !reading->failed; i++) {
        const struct sql_node *item = list->children[i];
        if (item->children[ORDER_FILL] || !item->children[ORDER_VALUE]) {
            sql_fail(reading, "An order of this kind.");
        } else if (!read_per(reading, scope->query, item->children[ORDER_VALUE])) {
            struct ir_order order = {
                read_or_position(reading, scope, item->children[ORDER_VALUE]),
                sql_has(item, FLAG_DESC)};
            VEC_PUSH(reading->arena, &scope->query->order, order);
        }
    }
    scope->in_order = false;
}

static struct ir_node *read_count(struct sql_reading *reading,
                                  const struct sql_node *node)
{
    int64_t number;
    if (!sql_is(node, SQL_NUMBER) || !str_to_int(node->text, &number)) {
        return sql_fail(reading, "A limit must be a number.");
    }
    if (number == 1) {
        return ir_node_token(reading->arena, (struct ir_token){IR_FIXED, IR_FIXED_ONE});
    }
    return sql_number(reading, node->text);
}

/* ORDER BY and LIMIT. */
static void read_tail(struct sql_reading *reading, struct sql_scope *scope,
                      const struct sql_node *query)
{
    const struct sql_node *limit = query->children[QUERY_LIMIT];
    const struct sql_node *offset = query->children[QUERY_OFFSET];
    if (sql_has(query, FLAG_WITH_TIES | FLAG_PERCENT) ||
        query->children[QUERY_LIMIT_BY] || (offset && !limit)) {
        sql_fail(reading, "A limit of this kind.");
    }
    if (query->children[QUERY_ORDER]) {
        read_order(reading, scope, query->children[QUERY_ORDER]);
    }
    if (limit) {
        scope->query->limit = read_count(reading, limit);
    }
    if (offset) {
        scope->query->offset = read_count(reading, offset);
    }
}

/* SELECT without FROM: one row of the first table asked in the queries inside. */
static void borrow_source(void *context, struct ir_node *node)
{
    struct sql_scope *scope = context;
    if (node->kind == IR_NODE_QUERY && scope->query->sources.count == 0) {
        scope->query->sources = node->query->sources;
    }
}

static void settle_without_from(struct sql_reading *reading, struct sql_scope *scope)
{
    for (size_t i = 0; i < scope->query->select.count; i++) {
        ir_node_walk(scope->query->select.items[i], borrow_source, scope);
    }
    if (scope->query->sources.count == 0 || scope->select->children[SELECT_WHERE]) {
        sql_fail(reading, "A query without a table.");
        return;
    }
    struct ir_source *source = ARENA_NEW(reading->arena, struct ir_source);
    source->table = scope->query->sources.items[0].table;
    scope->query->sources.items = source;
    scope->query->sources.count = scope->query->sources.capacity = 1;
    scope->query->limit =
        ir_node_token(reading->arena, (struct ir_token){IR_FIXED, IR_FIXED_ONE});
}

static void read_select(struct sql_reading *reading, struct sql_scope *scope)
{
    static const size_t unknown[] = {SELECT_DISTINCT_ON, SELECT_PREWHERE, SELECT_QUALIFY,
                                     SELECT_SAMPLE};
    struct sql_node *const *parts = scope->select->children;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        if (parts[unknown[i]]) {
            sql_fail(reading, "The IR has no words for a clause of the query.");
        }
    }
    scope->query->distinct = sql_has(scope->select, FLAG_DISTINCT);
    if (parts[SELECT_FROM]) {
        sql_read_from(reading, scope, parts[SELECT_FROM]);
    }
    for (size_t i = 0; i < parts[SELECT_ITEMS]->count && !reading->failed; i++) {
        read_item(reading, scope, parts[SELECT_ITEMS]->children[i]);
    }
    if (!parts[SELECT_FROM] && !reading->failed) {
        settle_without_from(reading, scope);
    }
    if (parts[SELECT_WHERE]) {
        scope->query->where = sql_read_value(reading, parts[SELECT_WHERE]);
    }
    if (parts[SELECT_GROUP]) {
        read_group(reading, scope, parts[SELECT_GROUP]);
    }
    if (parts[SELECT_HAVING]) {
        scope->query->having = sql_read_value(reading, parts[SELECT_HAVING]);
    }
    if (parts[SELECT_TOP]) {
        scope->query->limit = read_count(reading, parts[SELECT_TOP]);
    }
}

/* One SELECT of a UNION, or the only one. */
struct part {
    const struct sql_node *set; /* what joins it to the one before; NULL: nothing */
    const struct sql_node *select;
    const struct sql_node *tail; /* the query whose ORDER BY and LIMIT it takes */
};

struct parts {
    struct part *items;
    size_t count;
    size_t capacity;
};

static struct ir_query *read_part(struct sql_reading *reading, const struct part *part,
                                  struct sql_scope *around, bool right_part,
                                  struct texts *names)
{
    struct sql_scope *before = reading->scope;
    struct sql_scope *scope = ARENA_NEW(reading->arena, struct sql_scope);
    scope->query = ARENA_NEW(reading->arena, struct ir_query);
    scope->around = around;
    scope->select = part->select;
    reading->scope = scope;
    read_select(reading, scope);
    if (part->tail && !reading->failed) {
        read_tail(reading, scope, part->tail);
    }
    if (!reading->failed && scope->query->from) {
        (void)sql_merge(reading, scope, right_part);
    } else if (!reading->failed) {
        sql_settle_joins(reading, scope);
    }
    if (!reading->failed) {
        sql_settle_shares(scope->query);
    }
    reading->scope = before;
    if (names) {
        *names = scope->names;
    }
    return scope->query;
}

static bool has_tail(const struct sql_node *query)
{
    return query->children[QUERY_ORDER] || query->children[QUERY_LIMIT] ||
           query->children[QUERY_OFFSET] || query->children[QUERY_LIMIT_BY];
}

/* The SELECTs of a UNION from left to right. */
static void parts_collect(struct sql_reading *reading, const struct sql_node *node,
                          struct parts *parts)
{
    if (reading->failed || reading->depth >= SQL_DEPTH_MAX) {
        sql_fail(reading, "The query is too deep.");
        return;
    }
    reading->depth++;
    if (sql_is(node, SQL_SET_OPERATION)) {
        parts_collect(reading, node->children[PAIR_LEFT], parts);
        size_t right = parts->count;
        parts_collect(reading, node->children[PAIR_RIGHT], parts);
        if (!reading->failed) {
            parts->items[right].set = node;
        }
    } else {
        struct part part = {.select = node};
        if (sql_is(node, SQL_QUERY) && !node->children[QUERY_WITH]) {
            part.select = node->children[QUERY_BODY]; /* in brackets */
            part.tail = has_tail(node) ? node : NULL;
        }
        if (!sql_is(part.select, SQL_SELECT)) {
            sql_fail(reading, "A part of a query that is no SELECT.");
        }
        VEC_PUSH(reading->arena, parts, part);
    }
    reading->depth--;
}

static enum ir_keyword keyword_of(struct sql_reading *reading, const struct sql_node *set)
{
    bool all = sql_has(set, FLAG_ALL);
    bool unites = str_equal(set->text, "UNION");
    if ((all && !unites) || sql_has(set, FLAG_BY_NAME)) {
        sql_fail(reading, "ALL is known for UNION only.");
    }
    return unites && all                       ? IR_UNION_ALL
           : unites                            ? IR_UNION
           : str_equal(set->text, "INTERSECT") ? IR_INTERSECT
                                               : IR_EXCEPT;
}

/* ORDER BY and LIMIT after the last part apply to all parts. */
static void tail_settle(struct sql_reading *reading, const struct sql_node *query,
                        struct parts *parts)
{
    struct part *last = &parts->items[parts->count - 1];
    bool own = last->tail && (parts->count == 1 || has_tail(query) ||
                              reading->request->dialect != DIALECT_CLICKHOUSE);
    if (own) {
        sql_fail(reading, "A part of a query with an order or a limit of its own.");
    }
    last->tail = last->tail ? last->tail : query;
}

static const struct sql_with *withs_add(struct sql_reading *reading,
                                        const struct sql_node *list)
{
    const struct sql_with *before = reading->withs;
    for (size_t i = 0; list && i < list->count; i++) {
        if (!sql_is(list->children[i], SQL_CTE) ||
            list->children[i]->children[CTE_COLUMNS]) {
            sql_fail(reading, "WITH of this kind.");
        }
        struct sql_with *with = ARENA_NEW(reading->arena, struct sql_with);
        *with = (struct sql_with){list->children[i], reading->withs};
        reading->withs = with;
    }
    return before;
}

struct ir_query *sql_read_query(struct sql_reading *reading, const struct sql_node *query,
                                struct sql_scope *around, struct texts *names)
{
    struct parts parts = {0};
    struct ir_query *first = NULL;
    struct ir_query *last = NULL;
    const struct sql_with *withs = withs_add(reading, query->children[QUERY_WITH]);
    parts_collect(reading, query->children[QUERY_BODY], &parts);
    if (!reading->failed) {
        tail_settle(reading, query, &parts);
    }
    reading->depth++;
    for (size_t i = 0; i < parts.count && !reading->failed; i++) {
        const struct part *part = &parts.items[i];
        bool right_part = last && !last->limit;
        struct ir_query *next =
            read_part(reading, part, around, right_part, last ? NULL : names);
        if (last) {
            last->set = keyword_of(reading, part->set);
            last->set_query = next;
        }
        first = first ? first : next;
        last = next;
    }
    reading->depth--;
    reading->withs = withs;
    return first ? first : ARENA_NEW(reading->arena, struct ir_query);
}
