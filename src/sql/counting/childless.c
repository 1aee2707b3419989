/* Finds groups that an inner join drops, and writes the join that keeps them. */
#include "sql/counting/childless.h"

#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/build.h"
#include "sql/counting/fanout.h"
#include "sql/counting/lowest.h"
#include "sql/function.h"

struct keeping {
    struct arena *arena;
    const struct sql_statement *statement;
    const struct sql_scope *scope;
    struct grain grain;
    struct grain_conjuncts conjuncts; /* of WHERE and of every ON */
    bool upper[GRAIN_RELATIONS];      /* the parent and what is looked up for it */
    size_t parent;
    size_t counted;
    size_t
        shown; /* looked up for what is counted, by its key: the plays of castings; or counted */
    bool possible;
};

/* ------------------------------------------------------------------ may it be done? */

static bool childless_is_plain(const struct keeping *keeping)
{
    static const size_t others[] = {SELECT_DISTINCT_ON, SELECT_TOP,     SELECT_PREWHERE,
                                    SELECT_WINDOWS,     SELECT_QUALIFY, SELECT_SAMPLE};
    const struct sql_scope *scope = keeping->scope;
    const struct sql_node *select = scope->node;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (select->children[others[i]]) {
            return false;
        }
    }
    for (size_t i = 0; i < scope->relations.count; i++) {
        if (!scope->relations.items[i]->table || !scope->relations.items[i]->name) {
            return false;
        }
    }
    for (size_t i = 0; i < scope->joins.count; i++) {
        const struct sql_node *join = scope->joins.items[i].node;
        if (!join || join->variant != JOIN_INNER || !join->children[JOIN_ON] ||
            join->children[JOIN_USING] || sql_has(join, FLAG_NATURAL)) {
            return false;
        }
    }
    const struct sql_node *group = select->children[SELECT_GROUP];
    return group && !group->text && !sql_has(group, FLAG_GROUP_ALL);
}

static void gather(struct keeping *keeping)
{
    const struct sql_scope *scope = keeping->scope;
    grain_conjuncts(keeping->arena, scope->node->children[SELECT_WHERE],
                    &keeping->conjuncts);
    for (size_t i = 0; i < scope->joins.count; i++) {
        grain_conjuncts(keeping->arena, scope->joins.items[i].node->children[JOIN_ON],
                        &keeping->conjuncts);
    }
}

static bool closes(const struct keeping *keeping, size_t relation, bool *marked)
{
    memset(marked, 0, GRAIN_RELATIONS * sizeof *marked);
    marked[relation] = true;
    return grain_close(&keeping->grain, marked);
}

/* What is counted leads to every other relation. */
static bool find_counted(struct keeping *keeping)
{
    size_t count = keeping->scope->relations.count;
    keeping->counted = count;
    for (size_t i = 0; i < count; i++) {
        bool marked[GRAIN_RELATIONS];
        if (!keeping->upper[i] && closes(keeping, i, marked)) {
            keeping->counted = i;
        }
    }
    keeping->shown = keeping->counted;
    return keeping->counted < count;
}

/* The groups are of the parent's columns; every other relation leads to the parent, but for one that
 * the counted rows refer to: "plays per actor" over castings. */
static bool is_parent(struct keeping *keeping, size_t parent)
{
    const struct sql_node *group = keeping->scope->node->children[SELECT_GROUP];
    bool grouped[GRAIN_RELATIONS] = {false};
    keeping->parent = parent;
    if (closes(keeping, parent, keeping->upper) ||
        !grain_relations_in(&keeping->grain, group, grouped) || !grouped[parent] ||
        !find_counted(keeping)) {
        return false;
    }
    for (size_t i = 0; i < keeping->scope->relations.count; i++) {
        bool marked[GRAIN_RELATIONS];
        (void)closes(keeping, i, marked);
        if (keeping->upper[i]) {
            continue;
        }
        if (grouped[i] || (!marked[parent] && keeping->shown != keeping->counted)) {
            return false;
        }
        keeping->shown = marked[parent] ? keeping->shown : i;
    }
    return true;
}

/* COUNT and SUM of the rows that are counted; anything else has no value without rows. */
static bool judge_call(void *context, struct sql_node *node)
{
    struct keeping *keeping = context;
    enum dialect dialect = keeping->statement->dialect;
    if (node->kind == SQL_QUERY || node->kind == SQL_SELECT) {
        keeping->possible = false;
        return false;
    }
    if (node->kind != SQL_CALL) {
        return true;
    }
    if (node->children[CALL_OVER]) {
        keeping->possible = false;
    }
    if (!function_has(function_find(dialect, node->text), 'a')) {
        return true;
    }
    const struct sql_node *arguments = node->children[CALL_ARGUMENTS];
    bool marked[GRAIN_RELATIONS] = {false};
    bool below = arguments->count == 1 && sql_is(arguments->children[0], SQL_STAR);
    bool certain = grain_relations_in(&keeping->grain, arguments, marked);
    for (size_t i = 0; i < keeping->scope->relations.count; i++) {
        below |= marked[i] && !keeping->upper[i];
    }
    keeping->possible &=
        certain && below && !node->children[CALL_FILTER] &&
        (str_equal_nocase(node->text, "count") ||
         (str_equal_nocase(node->text, "sum") && !sql_has(node, FLAG_DISTINCT) &&
          keeping->shown == keeping->counted)); /* a row without a play counts nothing */
    return false;
}

static struct sql_node *order_of(const struct keeping *keeping)
{
    return keeping->statement->root->children[QUERY_ORDER];
}

/* A share of nothing is not a number, so such a figure must not be part of a
 * calculation. */
static bool are_figures_alone(const struct sql_node *items)
{
    for (size_t i = 0; i < items->count; i++) {
        const struct sql_node *value = items->children[i]->children[SINGLE_VALUE];
        if (value->kind != SQL_CALL && value->kind != SQL_COLUMN) {
            return false;
        }
    }
    return true;
}

static bool calls_fit(struct keeping *keeping)
{
    const struct sql_node *select = keeping->scope->node;
    struct sql_nodes calls = {0};
    keeping->possible = are_figures_alone(select->children[SELECT_ITEMS]);
    sql_walk(select->children[SELECT_ITEMS], judge_call, keeping);
    sql_walk(select->children[SELECT_HAVING], judge_call, keeping);
    sql_walk(order_of(keeping), judge_call, keeping);
    if (select->children[SELECT_ITEMS]) {
        sql_collect(keeping->arena, select->children[SELECT_ITEMS], SQL_CALL, &calls);
    }
    if (order_of(keeping)) {
        sql_collect(keeping->arena, order_of(keeping), SQL_CALL, &calls);
    }
    if (select->children[SELECT_HAVING]) {
        sql_collect(keeping->arena, select->children[SELECT_HAVING], SQL_CALL, &calls);
    }
    return keeping->possible && calls.count > 0;
}

/* ------------------------------------------------------------------ the join */

/* The conditions that can be decided once `relation` has joined the others. */
static struct sql_node *conditions_for(const struct keeping *keeping, bool *used,
                                       const bool *joined, size_t relation)
{
    struct sql_node *all = NULL;
    for (size_t i = 0; i < keeping->conjuncts.count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        bool fits = !used[i] && grain_relations_in(&keeping->grain,
                                                   keeping->conjuncts.items[i], marked);
        for (size_t k = 0; k < GRAIN_RELATIONS; k++) {
            fits = fits && (!marked[k] || joined[k] || k == relation);
        }
        if (fits && marked[relation]) {
            used[i] = true;
            all = build_and(keeping->arena, all,
                            sql_clone(keeping->arena, keeping->conjuncts.items[i]));
        }
    }
    return all;
}

static bool touches(const struct keeping *keeping, const bool *joined, size_t relation)
{
    for (size_t i = 0; i < keeping->grain.equalities.count; i++) {
        const struct grain_equality *equal = &keeping->grain.equalities.items[i];
        if (equal->right != GRAIN_FIXED &&
            ((equal->left == relation && joined[equal->right]) ||
             (equal->right == relation && joined[equal->left]))) {
            return true;
        }
    }
    return false;
}

/* Joins all relations of one side to what is there; false: one hangs on nothing. */
static bool join_side(struct keeping *keeping, struct sql_node **from, bool *joined,
                      bool *used, bool upper)
{
    size_t count = keeping->scope->relations.count;
    for (size_t round = 0; round < count; round++) {
        for (size_t i = 0; i < count; i++) {
            if (joined[i] || keeping->upper[i] != upper || !touches(keeping, joined, i)) {
                continue;
            }
            struct sql_node *join = sql_node(keeping->arena, SQL_JOIN, NULL);
            join->variant = upper ? JOIN_INNER : JOIN_LEFT_OUTER;
            join->children[JOIN_LEFT] = *from;
            join->children[JOIN_RIGHT] =
                sql_clone(keeping->arena, keeping->scope->relations.items[i]->node);
            join->children[JOIN_ON] = conditions_for(keeping, used, joined, i);
            joined[i] = true;
            *from = join;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (keeping->upper[i] == upper && !joined[i]) {
            return false;
        }
    }
    return true;
}

static bool join_again(struct keeping *keeping, struct sql_node *select)
{
    struct arena *arena = keeping->arena;
    bool joined[GRAIN_RELATIONS] = {false};
    bool *used = arena_array(arena, keeping->conjuncts.count + 1, sizeof *used);
    const struct sql_relation *parent = keeping->scope->relations.items[keeping->parent];
    struct sql_node *from = sql_clone(arena, parent->node);
    struct sql_node *where = conditions_for(keeping, used, joined, keeping->parent);
    joined[keeping->parent] = true;
    if (!join_side(keeping, &from, joined, used, true) ||
        !join_side(keeping, &from, joined, used, false)) {
        return false;
    }
    for (size_t i = 0; i < keeping->conjuncts.count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        if (!grain_relations_in(&keeping->grain, keeping->conjuncts.items[i], marked)) {
            return false;
        }
        if (!used[i]) { /* of no relation at all */
            where =
                build_and(arena, where, sql_clone(arena, keeping->conjuncts.items[i]));
        }
    }
    select->children[SELECT_FROM] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_FROM], from);
    select->children[SELECT_WHERE] = where;
    return true;
}

/* ------------------------------------------------------------------ the figures */

static struct sql_node *counted_key(struct keeping *keeping)
{
    const struct grain_key *key = grain_key_of(&keeping->grain, keeping->shown);
    return key && key->count
               ? build_reference(keeping->arena,
                                 keeping->scope->relations.items[keeping->shown],
                                 key->items[0])
               : NULL;
}

/* ClickHouse may fill the missing side of an outer join with 0 and '' instead of NULL. There the key tells
 * a row from none; NULL: it may be 0 itself, or nobody knows. */
static struct sql_node *is_there(struct keeping *keeping)
{
    const struct grain_key *key = grain_key_of(&keeping->grain, keeping->shown);
    const struct column *column = key && key->count ? key->items[0]->column : NULL;
    double least = 0;
    bool above = column && str_to_real(str_or_empty(column->least), &least) && least > 0;
    struct sql_node *none = !column           ? NULL
                            : column->is_text ? sql_node(keeping->arena, SQL_STRING, "")
                            : above           ? sql_node(keeping->arena, SQL_NUMBER, "0")
                                              : NULL;
    struct sql_node *condition =
        none ? build_equal(keeping->arena, counted_key(keeping), none) : NULL;
    if (condition) {
        condition->text = "<>";
    }
    return condition;
}

static bool may_fill(const struct keeping *keeping)
{
    return keeping->statement->dialect == DIALECT_CLICKHOUSE;
}

/* What is counted of a row; nothing where there is none. NULL value: the row itself. */
static struct sql_node *counted_value(struct keeping *keeping, struct sql_node *value)
{
    if (!may_fill(keeping)) {
        return value ? value : counted_key(keeping);
    }
    return build_case(keeping->arena, is_there(keeping),
                      value ? value : sql_node(keeping->arena, SQL_NUMBER, "1"));
}

static struct sql_node *call_of(struct arena *arena, const char *name,
                                struct sql_node *first, struct sql_node *second)
{
    struct sql_node *call = sql_node(arena, SQL_CALL, name);
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS], first);
    sql_add(arena, call->children[CALL_ARGUMENTS], second);
    return call;
}

/* COUNT(*) -> COUNT(key), SUM(x) -> COALESCE(SUM(x), 0) */
static struct sql_node *with_zero(struct keeping *keeping, struct sql_node *node)
{
    if (!node) {
        return NULL;
    }
    if (node->kind == SQL_CALL && str_equal_nocase(node->text, "count")) {
        struct sql_node *arguments = node->children[CALL_ARGUMENTS];
        bool star = sql_is(arguments->children[0], SQL_STAR);
        arguments->children[0] =
            counted_value(keeping, star ? NULL : arguments->children[0]);
        return node;
    }
    if (node->kind == SQL_CALL && str_equal_nocase(node->text, "sum")) {
        return call_of(keeping->arena, "COALESCE", node,
                       sql_node(keeping->arena, SQL_NUMBER, "0"));
    }
    for (size_t i = 0; i < node->count; i++) {
        node->children[i] = with_zero(keeping, node->children[i]);
    }
    return node;
}

/* The names that the columns had stay. */
static void name_items(struct keeping *keeping, struct sql_node *select)
{
    struct sql_node *items = select->children[SELECT_ITEMS];
    for (size_t i = 0; i < items->count; i++) {
        struct sql_node *item = items->children[i];
        const struct sql_node *value = item->children[SINGLE_VALUE];
        if (!item->text && value->kind == SQL_CALL) {
            item->flags |= FLAG_QUOTED;
            item->text =
                sql_statement_print(keeping->arena, keeping->statement->dialect, value);
        }
    }
}

static const char *write_kept(struct keeping *keeping)
{
    struct sql_node *root = sql_clone(keeping->arena, keeping->statement->root);
    struct sql_node *select = root->children[QUERY_BODY];
    bool known = counted_key(keeping) && (!may_fill(keeping) || is_there(keeping));
    if (!known || !join_again(keeping, select)) {
        return NULL;
    }
    name_items(keeping, select);
    with_zero(keeping, select->children[SELECT_ITEMS]);
    with_zero(keeping, select->children[SELECT_HAVING]);
    with_zero(keeping, root->children[QUERY_ORDER]);
    return sql_statement_print(keeping->arena, keeping->statement->dialect, root);
}

/* SELECT COUNT(*), COUNT(CASE WHEN n = 0 THEN 1 END) FROM (SELECT COUNT(key) AS n …) */
static const char *write_count(struct keeping *keeping)
{
    struct arena *arena = keeping->arena;
    struct sql_node *inside = sql_node(arena, SQL_SELECT, NULL);
    inside->children[SELECT_GROUP] =
        sql_clone(arena, keeping->scope->node->children[SELECT_GROUP]);
    inside->children[SELECT_ITEMS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, inside->children[SELECT_ITEMS],
            build_item(arena, call_of(arena, "COUNT", counted_value(keeping, NULL), NULL),
                       "n"));
    if (!join_again(keeping, inside)) {
        return NULL;
    }
    struct sql_node *none = build_equal(arena, build_column(arena, "counted", "n"),
                                        sql_node(arena, SQL_NUMBER, "0"));
    struct sql_node *empty = build_case(arena, none, sql_node(arena, SQL_NUMBER, "1"));
    struct sql_node *select = sql_node(arena, SQL_SELECT, NULL);
    select->children[SELECT_ITEMS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_ITEMS],
            build_item(arena,
                       call_of(arena, "COUNT", sql_node(arena, SQL_STAR, NULL), NULL),
                       "all_groups"));
    sql_add(arena, select->children[SELECT_ITEMS],
            build_item(arena, call_of(arena, "COUNT", empty, NULL), "without_rows"));
    select->children[SELECT_FROM] = build_from(arena, inside, "counted");
    struct sql_node *query = sql_node(arena, SQL_QUERY, NULL);
    query->children[QUERY_BODY] = select;
    return sql_statement_print(arena, keeping->statement->dialect, query);
}

/* ------------------------------------------------------------------ what is asked for */

/* A condition on what is counted that does more than join. */
static bool is_filtered(const struct keeping *keeping)
{
    for (size_t i = 0; i < keeping->conjuncts.count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        size_t several = 0;
        bool below = false;
        (void)grain_relations_in(&keeping->grain, keeping->conjuncts.items[i], marked);
        for (size_t k = 0; k < keeping->scope->relations.count; k++) {
            several += marked[k];
            below |= marked[k] && !keeping->upper[k];
        }
        if (below && several == 1) {
            return true;
        }
    }
    return false;
}

bool childless_find(struct arena *arena, const struct sql_statement *statement,
                    const struct sql_resolved *resolved, struct childless *out)
{
    const struct sql_node *root = statement->root;
    struct keeping keeping = {.arena = arena, .statement = statement};
    keeping.scope = sql_is(root, SQL_QUERY)
                        ? sql_scope_of(resolved, root->children[QUERY_BODY])
                        : NULL;
    *out = (struct childless){0};
    if (!keeping.scope || keeping.scope->relations.count < 2 ||
        !sql_is(keeping.scope->node, SQL_SELECT) || root->children[QUERY_WITH] ||
        !childless_is_plain(&keeping) ||
        !grain_read(arena, resolved, keeping.scope, &keeping.grain)) {
        return false;
    }
    bool found = false;
    for (size_t i = 0; i < keeping.scope->relations.count && !found; i++) {
        found = is_parent(&keeping, i);
    }
    const struct sql_node *having = keeping.scope->node->children[SELECT_HAVING];
    if (!found || (having && !lowest_is_below(having)) || !calls_fit(&keeping)) {
        return false;
    }
    gather(&keeping);
    bool marked[GRAIN_RELATIONS] = {false};
    (void)grain_close_group(&keeping.grain, marked);
    *out = (struct childless){.parent = keeping.scope->relations.items[keeping.parent],
                              .counted = keeping.scope->relations.items[keeping.shown],
                              .keyed = marked[keeping.parent],
                              .filtered = is_filtered(&keeping),
                              .ascending = lowest_is_ascending(
                                  root->children[QUERY_ORDER], keeping.scope->node),
                              .first = root->children[QUERY_LIMIT] != NULL,
                              .below = having != NULL,
                              .kept = write_kept(&keeping)};
    out->count = out->kept ? write_count(&keeping) : NULL;
    return out->kept && out->count;
}
