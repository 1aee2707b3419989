/* Finds inner joins that drop rows which are counted. */
#include "sql/counting/left_out.h"

#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/build.h"
#include "sql/counting/fanout.h"

struct leaving {
    const struct sql_statement *statement;
    const struct schema *schema;
    const struct grain *grain;
    size_t counted;
    bool things; /* only different keys are counted */
};

/* The relations of a join in an order in which each is tied to one before it. */
struct route {
    size_t order[GRAIN_RELATIONS];
    size_t count;
    bool has[GRAIN_RELATIONS];
};

/* ------------------------------------------------------------------ what is counted */

static bool counts_rows_of(const struct leaving *work, const struct sql_node *node)
{
    if (!node || node->kind == SQL_QUERY || node->kind == SQL_SELECT) {
        return false;
    }
    if (fanout_is_additive(work->statement->dialect, node)) {
        bool marked[GRAIN_RELATIONS] = {false};
        bool certain = grain_relations_in(work->grain, node, marked);
        bool none = !memchr(marked, true, sizeof marked);
        return certain && (none || marked[work->counted]);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (counts_rows_of(work, node->children[i])) {
            return true;
        }
    }
    return false;
}

/* COUNT(DISTINCT o.id): things, by their key */
static bool counts_things(const struct leaving *work, const struct sql_node *node)
{
    if (!node || node->kind == SQL_QUERY || node->kind == SQL_SELECT) {
        return false;
    }
    if (node->kind == SQL_CALL && sql_has(node, FLAG_DISTINCT) &&
        str_equal_nocase(node->text, "count")) {
        const struct sql_node *value = sql_child(node->children[CALL_ARGUMENTS], 0);
        const struct sql_reference *reference =
            sql_is(value, SQL_COLUMN) ? sql_reference_of(work->grain->resolved, value)
                                      : NULL;
        return reference && reference->column && reference->column->primary;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (counts_things(work, node->children[i])) {
            return true;
        }
    }
    return false;
}

/* The relation that all others are looked up for: its rows are the rows of the join. */
static bool find_counted(struct leaving *work)
{
    size_t count = work->grain->scope->relations.count;
    const struct sql_node *items = work->grain->scope->node->children[SELECT_ITEMS];
    for (work->counted = 0; work->counted < count; work->counted++) {
        bool marked[GRAIN_RELATIONS] = {false};
        marked[work->counted] = true;
        if (!grain_close(work->grain, marked)) {
            continue;
        }
        work->things = !counts_rows_of(work, items);
        if (!work->things || counts_things(work, items)) {
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------ what may be dropped */

/* A row without its parent cannot be there. SQLite checks declared keys only if asked. */
static bool is_certain(const struct leaving *work, const struct sql_relation *counted,
                       const struct sql_relation *other, const struct column *column)
{
    if (work->statement->dialect == DIALECT_SQLITE ||
        work->statement->dialect == DIALECT_CLICKHOUSE ||
        work->statement->dialect == DIALECT_BIGQUERY ||
        (column->nullable && column->null_share != 0)) {
        return false;
    }
    for (size_t i = 0; i < counted->table->foreign_keys.count; i++) {
        const struct foreign_key *key = &counted->table->foreign_keys.items[i];
        if (key->confidence >= 1 && key->columns.count == 1 &&
            str_equal_nocase(key->columns.items[0], column->name) &&
            schema_table(work->schema, key->table) == other->table) {
            return true;
        }
    }
    return false;
}

static bool is_join(const struct grain *grain, const struct sql_node *conjunct)
{
    if (conjunct->kind != SQL_BINARY || !str_equal(conjunct->text, "=")) {
        return false;
    }
    const struct sql_reference *sides[2];
    for (size_t i = 0; i < 2; i++) {
        const struct sql_node *side = conjunct->children[i];
        sides[i] =
            side->kind == SQL_COLUMN ? sql_reference_of(grain->resolved, side) : NULL;
    }
    return sides[0] && sides[1] && sides[0]->relation && sides[1]->relation &&
           sides[0]->relation != sides[1]->relation;
}

/* The relations that the rows of the join have without this one. An outer join drops none
 * of them and is left out, too. */
static void read_route(const struct leaving *work, size_t without, struct route *out)
{
    const struct sql_scope *scope = work->grain->scope;
    *out = (struct route){.order = {work->counted}, .count = 1};
    out->has[work->counted] = true;
    for (size_t at = 0; at < out->count; at++) {
        for (size_t i = 0; i < work->grain->equalities.count; i++) {
            const struct grain_equality *equal = &work->grain->equalities.items[i];
            if (equal->right == GRAIN_FIXED ||
                (equal->left != out->order[at] && equal->right != out->order[at])) {
                continue;
            }
            size_t next = equal->left == out->order[at] ? equal->right : equal->left;
            const struct sql_relation *relation = scope->relations.items[next];
            if (next != without && !out->has[next] && !relation->optional &&
                relation->name) {
                out->has[next] = true;
                out->order[out->count++] = next;
            }
        }
    }
}

/* Do the conditions of this join hold for the rows that are counted? */
static bool restricts(const struct leaving *work, const struct sql_join_place *join)
{
    return join->node && (join->node->variant == JOIN_INNER ||
                          (join->node->variant == JOIN_LEFT_OUTER &&
                           work->counted >= join->middle && work->counted < join->last));
}

/* Conditions on the rows of the route alone; false when others are asked for anything. */
static bool own_conditions(const struct leaving *work, const struct route *route,
                           struct sql_node **out)
{
    struct arena *arena = work->grain->arena;
    struct grain_conjuncts conjuncts = {0};
    const struct sql_scope *scope = work->grain->scope;
    grain_conjuncts(arena, scope->node->children[SELECT_WHERE], &conjuncts);
    for (size_t i = 0; i < scope->joins.count; i++) {
        if (restricts(work, &scope->joins.items[i])) {
            grain_conjuncts(arena, scope->joins.items[i].node->children[JOIN_ON],
                            &conjuncts);
        }
    }
    *out = NULL;
    for (size_t i = 0; i < conjuncts.count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        if (is_join(work->grain, conjuncts.items[i])) {
            continue;
        }
        bool certain = grain_relations_in(work->grain, conjuncts.items[i], marked);
        for (size_t k = 0; k < GRAIN_RELATIONS; k++) {
            certain &= !marked[k] || route->has[k];
        }
        if (!certain) {
            return false;
        }
        *out = build_and(arena, *out, sql_clone(arena, conjuncts.items[i]));
    }
    return !scope->node->children[SELECT_PREWHERE] &&
           !scope->node->children[SELECT_SAMPLE];
}

/* ------------------------------------------------------------------ the query */

static struct sql_node *count_item(struct arena *arena, struct sql_node *argument,
                                   bool distinct, const char *name)
{
    struct sql_node *call = sql_node(arena, SQL_CALL, "COUNT");
    call->flags = distinct ? FLAG_DISTINCT : 0;
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS], argument);
    return build_item(arena, call, name);
}

/* What ties a relation to those of the route that come before it. */
static struct sql_node *tie(const struct leaving *work, const struct route *route,
                            size_t count, size_t place)
{
    struct sql_node *condition = NULL;
    for (size_t i = 0; i < work->grain->equalities.count; i++) {
        const struct grain_equality *equal = &work->grain->equalities.items[i];
        size_t other = equal->left == place ? equal->right : equal->left;
        bool tied = equal->left == place || equal->right == place;
        for (size_t k = 0; tied && k < count; k++) {
            if (route->order[k] == other) {
                const struct sql_relation *const *relations =
                    (const struct sql_relation *const *)
                        work->grain->scope->relations.items;
                condition = build_and(work->grain->arena, condition,
                                      build_equal(work->grain->arena,
                                                  build_reference(work->grain->arena,
                                                                  relations[equal->left],
                                                                  equal->left_column),
                                                  build_reference(work->grain->arena,
                                                                  relations[equal->right],
                                                                  equal->right_column)));
            }
        }
    }
    return condition;
}

static struct sql_node *join(struct arena *arena, enum sql_join kind,
                             struct sql_node *left, const struct sql_relation *right,
                             struct sql_node *condition)
{
    struct sql_node *node = sql_node(arena, SQL_JOIN, NULL);
    node->variant = (int)kind;
    node->children[JOIN_LEFT] = left;
    node->children[JOIN_RIGHT] = sql_clone(arena, right->node);
    node->children[JOIN_ON] = condition;
    return node;
}

/* key: by which the rows that are told differ; NULL: all rows of the join are counted. */
static const char *count_query(const struct leaving *work, const struct route *route,
                               const struct sql_relation *other, struct sql_node *where,
                               struct sql_node *key)
{
    struct arena *arena = work->grain->arena;
    const struct sql_relations *relations = &work->grain->scope->relations;
    struct sql_node *from = sql_clone(arena, relations->items[work->counted]->node);
    for (size_t i = 1; i < route->count; i++) {
        from = join(arena, JOIN_INNER, from, relations->items[route->order[i]],
                    tie(work, route, i, route->order[i]));
    }
    struct sql_node *condition = tie(work, route, route->count, other->place);
    /* ClickHouse may fill the missing side with 0 and '', which COUNT(key) would count */
    struct sql_node *with_one =
        build_case(arena, sql_clone(arena, condition),
                   key ? sql_clone(arena, key) : sql_node(arena, SQL_NUMBER, "1"));
    struct sql_node *select = sql_node(arena, SQL_SELECT, NULL);
    select->children[SELECT_FROM] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_FROM],
            join(arena, JOIN_LEFT_OUTER, from, other, condition));
    select->children[SELECT_WHERE] = where;
    select->children[SELECT_ITEMS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(
        arena, select->children[SELECT_ITEMS],
        count_item(arena, key ? key : sql_node(arena, SQL_STAR, NULL), key, "all_rows"));
    sql_add(arena, select->children[SELECT_ITEMS],
            count_item(arena, with_one, key, "with_one"));
    struct sql_node *query = sql_node(arena, SQL_QUERY, NULL);
    query->children[QUERY_BODY] = select;
    return sql_statement_print(arena, work->statement->dialect, query);
}

/* By anything that the rows do not have without it? */
static bool groups_by(const struct grain *grain, const struct route *route)
{
    const struct sql_node *group = grain->scope->node->children[SELECT_GROUP];
    bool marked[GRAIN_RELATIONS] = {false};
    if (!group || !grain_relations_in(grain, group, marked)) {
        return false;
    }
    for (size_t i = 0; i < GRAIN_RELATIONS; i++) {
        if (marked[i] && !route->has[i]) {
            return true;
        }
    }
    return false;
}

/* The relation that has the key of the other; what is counted if there are several.
 * certain: each of its rows has a partner. NULL: nothing ties the other to the route. */
static const struct sql_relation *holder_of(const struct leaving *work,
                                            const struct route *route,
                                            const struct sql_relation *other,
                                            bool *certain)
{
    const struct sql_relations *relations = &work->grain->scope->relations;
    const struct sql_relation *holder = NULL;
    *certain = true;
    for (size_t i = 0; i < work->grain->equalities.count; i++) {
        const struct grain_equality *equal = &work->grain->equalities.items[i];
        bool left = equal->left == other->place;
        size_t place = left ? equal->right : equal->left;
        if ((!left && equal->right != other->place) || place == GRAIN_FIXED ||
            !route->has[place]) {
            continue;
        }
        const struct sql_output *own = left ? equal->right_column : equal->left_column;
        const struct sql_relation *relation = relations->items[place];
        *certain &= relation->table && own->column &&
                    is_certain(work, relation, other, own->column);
        holder =
            !holder || holder == relation ? relation : relations->items[work->counted];
    }
    return holder;
}

static void judge(const struct leaving *work, size_t other, struct left_outs *out)
{
    const struct grain *grain = work->grain;
    const struct sql_relation *first = grain->scope->relations.items[work->counted];
    const struct sql_relation *looked_up = grain->scope->relations.items[other];
    struct route route;
    struct sql_node *where;
    bool certain;
    read_route(work, other, &route);
    const struct sql_relation *holder = holder_of(work, &route, looked_up, &certain);
    if (!holder || certain || !own_conditions(work, &route, &where)) {
        return;
    }
    const struct grain_key *key = grain_key_of(grain, holder->place);
    bool single = holder != first && holder->table && key && key->count == 1;
    struct left_out left_out = {
        .scope = grain->scope,
        .grain = grain,
        .first = first,
        .counted = single ? holder : first,
        .looked_up = looked_up,
        .count = count_query(work, &route, looked_up, where,
                             single ? build_reference(grain->arena, holder, key->items[0])
                                    : NULL),
        .grouped = groups_by(grain, &route)};
    if (left_out.grouped ||
        !work->things) { /* "customers with orders" loses no customer */
        VEC_PUSH(grain->arena, out, left_out);
    }
}

void left_out_find(struct arena *arena, const struct sql_statement *statement,
                   const struct sql_resolved *resolved, const struct schema *schema,
                   struct left_outs *out)
{
    const struct sql_node *root = statement->root;
    const struct sql_scope *scope =
        sql_is(root, SQL_QUERY) ? sql_scope_of(resolved, root->children[QUERY_BODY])
                                : NULL;
    struct grain *grain = ARENA_NEW(arena, struct grain);
    struct leaving work = {.statement = statement, .schema = schema, .grain = grain};
    /* the question is about the best groups; a group without a name would not be among
     * them */
    if (!scope || root->children[QUERY_LIMIT] || scope->relations.count < 2 ||
        !grain_read(arena, resolved, scope, grain) ||
        scope->node->children[SELECT_HAVING] || !find_counted(&work)) {
        return;
    }
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct sql_relation *relation = scope->relations.items[i];
        if (i != work.counted && relation->table && !relation->optional &&
            relation->name && scope->relations.items[work.counted]->table &&
            scope->relations.items[work.counted]->name) {
            judge(&work, i, out);
        }
    }
}
