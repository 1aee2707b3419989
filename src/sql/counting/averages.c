/* Averages that do not weigh each row alike: found, and weighed. */
#include "sql/counting/averages.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/build.h"

#define SUM_NAME   "sum_of_rows"
#define COUNT_NAME "number_of_rows"

enum { DEPTH_MOST = 8 }; /* a CTE may name itself */

struct averaging {
    struct arena *arena;
    const struct sql_resolved *resolved;
    const struct sql_scope *scope;
    struct averages_list *out;
};

/* ------------------------------------------------------------------ found */

static bool is_average(const struct sql_node *node)
{
    return sql_is(node, SQL_CALL) &&
           (str_equal_nocase(node->text, "avg") ||
            str_equal_nocase(node->text, "mean")) &&
           !node->children[CALL_OVER] && !node->children[CALL_FILTER] &&
           !sql_has(node, FLAG_DISTINCT) && node->children[CALL_ARGUMENTS]->count == 1;
}

static const struct sql_node *argument(const struct sql_node *call)
{
    return call->children[CALL_ARGUMENTS]->children[0];
}

/* ROUND(x, 2), CAST(x AS REAL): what is inside; else the node itself. */
static const struct sql_node *unwrapped(const struct sql_node *node)
{
    for (;;) {
        bool round = node->kind == SQL_CALL && str_equal_nocase(node->text, "round") &&
                     node->children[CALL_ARGUMENTS]->count;
        if (!round && node->kind != SQL_CAST) {
            return node;
        }
        node = round ? argument(node) : node->children[PAIR_LEFT];
    }
}

static const struct sql_node *select_of(const struct sql_relation *relation)
{
    const struct sql_node *body = relation->query;
    while (sql_is(body, SQL_QUERY)) {
        body = body->children[QUERY_BODY];
    }
    return sql_is(body, SQL_SELECT) ? body : NULL;
}

static bool names_average(const char *column)
{
    return str_starts_nocase(column, "avg") || str_starts_nocase(column, "average") ||
           str_starts_nocase(column, "mean_") || str_ends(column, "_avg") ||
           str_ends(column, "_average");
}

/* What the column is, through queries that only hand it on. */
static bool judge_column(const struct averaging *work, const struct sql_node *column,
                         struct averages *out)
{
    const struct sql_reference *reference = sql_reference_of(work->resolved, column);
    const struct sql_relation *relation = reference ? reference->relation : NULL;
    const struct sql_output *output = reference ? reference->output : NULL;
    out->relation = relation;
    for (int depth = 0; relation && output && depth < DEPTH_MOST; depth++) {
        if (relation->kind == RELATION_TABLE) {
            out->kind = AVERAGES_OF_VIEW;
            return relation->table && relation->table->is_view && output->name &&
                   names_average(output->name);
        }
        const struct sql_node *select = relation->query ? select_of(relation) : NULL;
        const struct sql_node *value = output->value ? unwrapped(output->value) : NULL;
        if (select && select->children[SELECT_GROUP] && value && is_average(value)) {
            out->kind = AVERAGES_OF_AVERAGES;
            out->select = depth ? NULL : select;
            out->inner = value;
            return true;
        }
        relation = output->relation;
        output = output->inner;
    }
    return false;
}

static bool holds(const struct sql_node *node, enum sql_kind wanted)
{
    bool found = node->kind == wanted;
    for (size_t i = 0; i < node->count && !found; i++) {
        found = node->children[i] && holds(node->children[i], wanted);
    }
    return found;
}

/* The only quotient by a column, below factors without one; NULL: it has another form. */
static const struct sql_node *quotient(const struct sql_node *node)
{
    node = unwrapped(node);
    if (node->kind != SQL_BINARY) {
        return NULL;
    }
    const struct sql_node *left = node->children[PAIR_LEFT];
    const struct sql_node *right = node->children[PAIR_RIGHT];
    if (str_equal(node->text, "/") && holds(right, SQL_COLUMN)) {
        return holds(left, SQL_COLUMN) && !holds(node, SQL_QUERY) ? node : NULL;
    }
    if (!str_equal(node->text, "*")) {
        return NULL;
    }
    return !holds(left, SQL_COLUMN)    ? quotient(right)
           : !holds(right, SQL_COLUMN) ? quotient(left)
                                       : NULL;
}

/* What the only SUM of a side adds up; NULL: another aggregate, or a sum with a condition. */
static struct sql_node *summed(struct arena *arena, struct sql_node *side)
{
    struct sql_nodes calls = {0};
    struct sql_node *found = NULL;
    sql_collect(arena, side, SQL_CALL, &calls);
    for (size_t i = 0; i < calls.count; i++) {
        const struct sql_node *call = calls.items[i];
        bool sum = str_equal_nocase(call->text, "sum");
        bool harmless = str_equal_nocase(call->text, "nullif") ||
                        str_equal_nocase(call->text, "round");
        if (found || (!sum && !harmless) || call->children[CALL_OVER] ||
            call->children[CALL_FILTER] || sql_has(call, FLAG_DISTINCT)) {
            return NULL;
        }
        found = sum ? call->children[CALL_ARGUMENTS]->children[0] : found;
    }
    return found && !holds(found, SQL_CASE) && !holds(side, SQL_QUERY) ? found : NULL;
}

/* The table whose columns these are, all of them; *gaps: some of its rows may have none. */
static const struct sql_relation *table_of(const struct averaging *work,
                                           struct sql_node *value, bool *gaps)
{
    struct sql_nodes columns = {0};
    const struct sql_relation *found = NULL;
    sql_collect(work->arena, value, SQL_COLUMN, &columns);
    for (size_t i = 0; i < columns.count; i++) {
        const struct sql_reference *reference =
            sql_reference_of(work->resolved, columns.items[i]);
        if (!reference || !reference->column || !reference->relation ||
            (found && found != reference->relation)) {
            return NULL;
        }
        found = reference->relation;
        *gaps = *gaps || (reference->column->nullable && !reference->column->primary &&
                          reference->column->null_share != 0);
    }
    return found;
}

/* SUM(cost) / SUM(clicks), where the cost of some clicks is not known */
static bool is_of_parts(const struct averaging *work, struct sql_node *node)
{
    if (node->kind != SQL_BINARY || !str_equal(node->text, "/")) {
        return false;
    }
    struct sql_node *upper = summed(work->arena, node->children[PAIR_LEFT]);
    struct sql_node *lower =
        upper ? summed(work->arena, node->children[PAIR_RIGHT]) : NULL;
    bool gaps = false;
    const struct sql_relation *table = lower ? table_of(work, upper, &gaps) : NULL;
    return table && table_of(work, lower, &gaps) == table && gaps &&
           !sql_equal(upper, lower);
}

static bool visit(void *context, struct sql_node *node)
{
    struct averaging *work = context;
    if (node->kind == SQL_QUERY || node->kind == SQL_SELECT) {
        return false; /* a subquery has its own averages */
    }
    if (is_of_parts(work, node)) {
        struct averages parts = {
            .kind = AVERAGES_OF_PARTS, .scope = work->scope, .call = node};
        VEC_PUSH(work->arena, work->out, parts);
        return false;
    }
    if (!is_average(node)) {
        return true;
    }
    struct averages average = {.scope = work->scope, .call = node};
    const struct sql_node *value = unwrapped(argument(node));
    const struct sql_node *ratio = quotient(value);
    if (value->kind == SQL_COLUMN && judge_column(work, value, &average)) {
        VEC_PUSH(work->arena, work->out, average);
    } else if (ratio) {
        average.kind = AVERAGES_OF_RATIOS;
        average.inner = ratio;
        VEC_PUSH(work->arena, work->out, average);
    }
    return false;
}

void averages_find(struct arena *arena, const struct sql_statement *statement,
                   const struct sql_resolved *resolved, struct averages_list *out)
{
    (void)statement;
    for (size_t i = 0; i < resolved->scopes.count; i++) {
        const struct sql_scope *scope = resolved->scopes.items[i];
        struct averaging work = {arena, resolved, scope, out};
        if (sql_is(scope->node, SQL_SELECT)) {
            sql_walk(scope->node->children[SELECT_ITEMS], visit, &work);
        }
    }
}

/* ------------------------------------------------------------------ weighed */

static struct sql_node *call_of(struct arena *arena, const char *name,
                                struct sql_node *value)
{
    struct sql_node *call = sql_node(arena, SQL_CALL, name);
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS], value);
    return call;
}

static struct sql_node *operation(struct arena *arena, const char *text,
                                  struct sql_node *left, struct sql_node *right)
{
    struct sql_node *node = sql_node(arena, SQL_BINARY, text);
    node->children[PAIR_LEFT] = left;
    node->children[PAIR_RIGHT] = right;
    return node;
}

/* 1.0 * SUM(upper) / SUM(lower) */
static struct sql_node *divided(struct arena *arena, struct sql_node *upper,
                                struct sql_node *lower)
{
    struct sql_node *sum = call_of(arena, "SUM", upper);
    struct sql_node *one = sql_node(arena, SQL_NUMBER, "1.0");
    return operation(arena, "/", operation(arena, "*", one, sum),
                     call_of(arena, "SUM", lower));
}

/* The subquery gives the sum and the number of its rows, too. */
static struct sql_node *weighed_average(struct arena *arena,
                                        const struct averages *average)
{
    const char *name = average->relation ? average->relation->name : NULL;
    if (!average->select) {
        return NULL;
    }
    struct sql_node *items = average->select->children[SELECT_ITEMS];
    const struct sql_node *value = argument(average->inner);
    for (size_t i = 0; i < items->count; i++) {
        if (str_equal_nocase(items->children[i]->text, SUM_NAME)) {
            return NULL; /* two averages of one subquery: one after the other */
        }
    }
    sql_add(arena, items,
            build_item(arena, call_of(arena, "SUM", sql_clone(arena, value)), SUM_NAME));
    sql_add(
        arena, items,
        build_item(arena, call_of(arena, "COUNT", sql_clone(arena, value)), COUNT_NAME));
    return divided(arena, build_column(arena, name, SUM_NAME),
                   build_column(arena, name, COUNT_NAME));
}

/* Rows without a ratio count in neither sum. */
static struct sql_node *weighed_ratio(struct arena *arena, const struct averages *average)
{
    const struct sql_node *ratio = average->inner;
    struct sql_node *sides[2];
    for (size_t i = 0; i < 2; i++) {
        sides[i] = build_case(arena, build_not_null(arena, sql_clone(arena, ratio)),
                              sql_clone(arena, ratio->children[i]));
    }
    struct sql_node *quotient = divided(arena, sides[0], sides[1]);
    struct sql_node *value = sql_clone(arena, argument(average->call));
    struct sql_nodes all = {0};
    sql_collect(arena, value, SQL_BINARY, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (sql_equal(all.items[i], ratio)) {
            *all.items[i] = *quotient;
            return value;
        }
    }
    return NULL;
}

/* The same quotient over the rows that have both. */
static struct sql_node *weighed_parts(struct arena *arena, const struct averages *average)
{
    struct sql_node *value = sql_clone(arena, average->call);
    struct sql_node *both[2];
    for (size_t i = 0; i < 2; i++) {
        both[i] = summed(arena, value->children[i]);
    }
    struct sql_node *condition =
        build_and(arena, build_not_null(arena, sql_clone(arena, both[0])),
                  build_not_null(arena, sql_clone(arena, both[1])));
    for (size_t i = 0; i < 2; i++) {
        struct sql_node *inner = sql_clone(arena, both[i]);
        *both[i] = *build_case(arena, sql_clone(arena, condition), inner);
    }
    return value;
}

static struct sql_node *weighed(struct arena *arena, const struct averages *average)
{
    return average->kind == AVERAGES_OF_AVERAGES ? weighed_average(arena, average)
           : average->kind == AVERAGES_OF_RATIOS ? weighed_ratio(arena, average)
           : average->kind == AVERAGES_OF_PARTS  ? weighed_parts(arena, average)
                                                 : NULL;
}

const char *averages_weigh(struct arena *arena, struct sql_statement *statement,
                           const struct averages *average)
{
    struct sql_node *value = weighed(arena, average);
    struct sql_node *call = value ? build_find(statement->root, average->call) : NULL;
    if (!call) {
        return NULL;
    }
    *call = *value;
    return sql_statement_print(arena, statement->dialect, statement->root);
}

const char *averages_both(struct arena *arena, struct sql_statement *statement,
                          const struct averages *average)
{
    static const size_t rest[] = {QUERY_ORDER, QUERY_LIMIT_BY, QUERY_LIMIT, QUERY_OFFSET};
    struct sql_node *root = statement->root;
    if (!sql_is(root, SQL_QUERY) || root->children[QUERY_BODY] != average->scope->node) {
        return NULL;
    }
    struct sql_node *select = root->children[QUERY_BODY];
    struct sql_node *written = sql_clone(arena, average->call);
    struct sql_node *value = weighed(arena, average);
    if (!value || select->children[SELECT_WINDOWS] || select->children[SELECT_QUALIFY]) {
        return NULL;
    }
    struct sql_node *items = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, items, build_item(arena, written, "written"));
    sql_add(arena, items, build_item(arena, value, "overall"));
    select->children[SELECT_ITEMS] = items;
    select->children[SELECT_GROUP] = NULL;
    select->children[SELECT_HAVING] = NULL;
    select->children[SELECT_DISTINCT_ON] = NULL;
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        root->children[rest[i]] = NULL;
    }
    return sql_statement_print(arena, statement->dialect, root);
}
