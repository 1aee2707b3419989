/*
 * Rewrites a SELECT so that figures count each row of their table once. A count becomes a
 * count of different keys. Anything else is computed over the joined rows as a subquery,
 * in which the rows of one key are numbered and only the first one counts:
 *
 *     SELECT joined.region, SUM(CASE WHEN joined.row_of_s = 1 THEN joined.target END)
 *     FROM (SELECT s.region AS region, s.target AS target,
 *                  ROW_NUMBER() OVER (PARTITION BY s.id ORDER BY s.id) AS row_of_s
 *           FROM stores s JOIN orders o ON …) AS joined
 *     GROUP BY joined.region
 *
 * Where the groups are of the rows that repeat, the rows are numbered within each group.
 * That is right for any join, in every dialect, and leaves the other figures as they are.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/build.h"
#include "sql/counting/fanout.h"
#include "sql/describe/describe.h"

#define JOINED "joined"

/* A column of the joined rows that the outer query needs. */
struct picked {
    const struct sql_relation *relation;
    const struct sql_output *output;
    const char *name;
};

struct once {
    struct arena *arena;
    struct sql_statement *statement;
    const struct sql_resolved *resolved;
    const struct sql_scope *scope;
    struct sql_node *select;
    struct sql_node *query; /* whose ORDER BY is about it; or NULL */
    struct grain grain;
    struct {
        struct picked *items;
        size_t count;
        size_t capacity;
    } picked;
    struct sql_node *inner; /* the items of the subquery */
    bool possible;
};

/* ------------------------------------------------------------------ may it be done? */

static bool find_star(void *context, struct sql_node *node)
{
    bool *found = context;
    *found |= node->kind == SQL_STAR && node->children[STAR_OF];
    return node->kind != SQL_CALL || node->children[CALL_OVER];
}

/* Of the repeated rows only the first counts: nothing in the figure may differ among
 * them. */
static bool stands_alone(const struct once *once, const struct fanout *fanout)
{
    bool used[GRAIN_RELATIONS] = {false};
    bool covered[GRAIN_RELATIONS] = {false};
    covered[fanout->subject->place] = true;
    grain_close(&once->grain, covered);
    if (!grain_relations_in(&once->grain, fanout->call, used)) {
        return false;
    }
    for (size_t i = 0; i < once->scope->relations.count; i++) {
        if (used[i] && !covered[i]) {
            return false;
        }
    }
    return true;
}

static bool is_plain(const struct once *once)
{
    static const size_t others[] = {SELECT_DISTINCT_ON, SELECT_TOP,     SELECT_PREWHERE,
                                    SELECT_WINDOWS,     SELECT_QUALIFY, SELECT_SAMPLE};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (once->select->children[others[i]]) {
            return false;
        }
    }
    const struct sql_node *items = once->select->children[SELECT_ITEMS];
    for (size_t i = 0; i < items->count; i++) {
        if (sql_is(items->children[i]->children[SINGLE_VALUE], SQL_STAR)) {
            return false;
        }
    }
    bool star = false;
    sql_walk(once->select->children[SELECT_ITEMS], find_star, &star);
    return !star;
}

/* ------------------------------------------------------------------ counts */

/* COUNT(x) -> COUNT(DISTINCT key), of those whose x is not NULL */
static bool count_keys(struct once *once, const struct fanout *fanout)
{
    struct sql_node *call = fanout->call;
    struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    struct sql_node *key =
        build_reference(once->arena, fanout->subject, fanout->key->items[0]);
    if (fanout->indicator.condition) {
        indicator_write(once->arena, call, &fanout->indicator, key);
        return true;
    }
    if (arguments->count != 1) {
        return false;
    }
    struct sql_node *value = arguments->children[0];
    const struct sql_reference *reference = sql_reference_of(once->resolved, value);
    const struct column *column = reference ? reference->column : NULL;
    bool never_null =
        column && (!column->nullable || column->primary) && !fanout->subject->optional;
    bool is_key = reference && reference->output == fanout->key->items[0];
    if (!fanout->star && !never_null && !is_key) {
        key = build_case(once->arena, build_not_null(once->arena, value), key);
    }
    arguments->children[0] = key;
    call->flags |= FLAG_DISTINCT;
    return true;
}

/* ------------------------------------------------------------------ other figures */

static const char *pick(struct once *once, const struct sql_relation *relation,
                        const struct sql_output *output)
{
    const char *name = output->name;
    for (size_t i = 0; i < once->picked.count; i++) {
        const struct picked *picked = &once->picked.items[i];
        if (picked->relation == relation && picked->output == output) {
            return picked->name;
        }
        if (str_equal_nocase(picked->name, name)) {
            name = arena_format(once->arena, "%s_of_%s", output->name, relation->name);
        }
    }
    struct picked *picked = VEC_ADD(once->arena, &once->picked);
    *picked = (struct picked){relation, output, name};
    sql_add(
        once->arena, once->inner,
        build_item(once->arena, build_reference(once->arena, relation, output), name));
    return name;
}

/* Every reference to a joined table becomes one to the column of the subquery. */
static void redirect(struct once *once, struct sql_node *node)
{
    const struct sql_reference *reference =
        node->kind == SQL_COLUMN ? sql_reference_of(once->resolved, node) : NULL;
    if (!reference || !reference->relation || reference->relation->scope != once->scope) {
        for (size_t i = 0; i < node->count; i++) {
            if (node->children[i]) {
                redirect(once, node->children[i]);
            }
        }
        return;
    }
    if (reference->state != REFERENCE_COLUMN || !reference->relation->name ||
        !reference->output->name || reference->fields) {
        once->possible = false;
        return;
    }
    const char *name = pick(once, reference->relation, reference->output);
    *node = *build_column(once->arena, JOINED, name);
}

/* ROW_NUMBER() OVER (PARTITION BY key ORDER BY key) AS row_of_s */
static const char *number_rows(struct once *once, const struct fanout *fanout)
{
    struct arena *arena = once->arena;
    const char *name = arena_format(arena, "row_of_%s", fanout->subject->name);
    for (size_t i = 0; i < once->inner->count; i++) {
        if (str_equal(once->inner->children[i]->text, name)) {
            return name;
        }
    }
    struct sql_node *window = sql_node(arena, SQL_WINDOW, NULL);
    window->children[WINDOW_PARTITION] = sql_node(arena, SQL_LIST, NULL);
    window->children[WINDOW_ORDER] = sql_node(arena, SQL_LIST, NULL);
    for (size_t i = 0; i < fanout->key->count; i++) {
        const struct sql_output *column = fanout->key->items[i];
        struct sql_node *order = sql_node(arena, SQL_ORDER_ITEM, NULL);
        order->children[ORDER_VALUE] = build_reference(arena, fanout->subject, column);
        sql_add(arena, window->children[WINDOW_ORDER], order);
        sql_add(arena, window->children[WINDOW_PARTITION],
                build_reference(arena, fanout->subject, column));
    }
    for (size_t i = 0; fanout->within && i < fanout->within->count; i++) {
        sql_add(arena, window->children[WINDOW_PARTITION],
                sql_clone(arena, fanout->within->children[i]));
    }
    struct sql_node *call = sql_node(arena, SQL_CALL, "ROW_NUMBER");
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    call->children[CALL_OVER] = window;
    sql_add(arena, once->inner, build_item(arena, call, name));
    return name;
}

static void wrap(struct once *once, const struct fanout *fanout, const char *row)
{
    struct sql_node *arguments = fanout->call->children[CALL_ARGUMENTS];
    struct sql_node *first =
        build_equal(once->arena, build_column(once->arena, JOINED, row),
                    sql_node(once->arena, SQL_NUMBER, "1"));
    struct sql_node *value = sql_is(arguments->children[0], SQL_STAR)
                                 ? sql_node(once->arena, SQL_NUMBER, "1")
                                 : arguments->children[0];
    arguments->children[0] = build_case(once->arena, first, value);
}

/* The names that the columns had stay; computed ones are called as they would have been. */
static void name_items(struct once *once)
{
    struct sql_node *items = once->select->children[SELECT_ITEMS];
    const struct sql_node *root = once->statement->root;
    struct texts names = {0};
    if (sql_is(root, SQL_QUERY) && root->children[QUERY_BODY] == once->select) {
        describe_headings(once->arena, once->statement, once->resolved, &names);
    }
    for (size_t i = 0; i < items->count; i++) {
        struct sql_node *item = items->children[i];
        const struct sql_node *value = item->children[SINGLE_VALUE];
        if (item->text) {
            continue;
        }
        item->flags |= FLAG_QUOTED;
        item->text =
            value->kind == SQL_COLUMN ? value->children[value->count - 1]->text
            : names.count == items->count && names.items[i]
                ? names.items[i]
                : sql_statement_print(once->arena, once->statement->dialect, value);
    }
}

/* GROUP BY d, GROUP BY 1: the item itself */
static bool names_item(const struct sql_node *group, const struct sql_node *item,
                       size_t place)
{
    if (group->kind == SQL_NUMBER) {
        return strtoul(group->text, NULL, 10) == place + 1;
    }
    return group->kind == SQL_COLUMN && group->count == 1 && item->text &&
           str_equal_nocase(group->children[0]->text, item->text);
}

/* A column that a key in GROUP BY determines no longer is when both come out of a
 * subquery: engines refuse it there, so it is grouped by, too. */
static void group_shown(struct once *once)
{
    struct sql_node *group = once->select->children[SELECT_GROUP];
    const struct sql_node *items = once->select->children[SELECT_ITEMS];
    if (!group || sql_has(group, FLAG_GROUP_ALL)) {
        return;
    }
    for (size_t k = 0; k < group->count; k++) {
        if (group->children[k]->kind == SQL_GROUPING_SETS) {
            return;
        }
    }
    for (size_t i = 0; i < items->count; i++) {
        const struct sql_node *value = items->children[i]->children[SINGLE_VALUE];
        bool grouped = value->kind != SQL_COLUMN;
        for (size_t k = 0; k < group->count && !grouped; k++) {
            grouped = sql_equal(group->children[k], value) ||
                      names_item(group->children[k], items->children[i], i);
        }
        if (!grouped) {
            sql_add(once->arena, group, sql_clone(once->arena, value));
        }
    }
}

static bool number(struct once *once, const struct fanouts *chosen)
{
    static const size_t outer[] = {SELECT_ITEMS, SELECT_GROUP, SELECT_HAVING};
    struct arena *arena = once->arena;
    struct sql_node *select = once->select;
    once->inner = sql_node(arena, SQL_LIST, NULL);
    for (size_t i = 0; i < chosen->count; i++) {
        const struct fanout *fanout = &chosen->items[i];
        if (!stands_alone(once, fanout) || !fanout->subject->name ||
            (fanout->grouped_by_repeater && !fanout->within)) {
            return false;
        }
    }
    name_items(once);
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++) {
        if (select->children[outer[i]]) {
            redirect(once, select->children[outer[i]]);
        }
    }
    if (once->query && once->query->children[QUERY_ORDER]) {
        redirect(once, once->query->children[QUERY_ORDER]);
    }
    for (size_t i = 0; i < chosen->count; i++) {
        wrap(once, &chosen->items[i], number_rows(once, &chosen->items[i]));
    }
    group_shown(once);
    struct sql_node *inside = sql_node(arena, SQL_SELECT, NULL);
    inside->children[SELECT_ITEMS] = once->inner;
    inside->children[SELECT_FROM] = select->children[SELECT_FROM];
    inside->children[SELECT_WHERE] = select->children[SELECT_WHERE];
    select->children[SELECT_WHERE] = NULL;
    select->children[SELECT_FROM] = build_from(arena, inside, JOINED);
    return once->possible;
}

const char *fanout_once(struct arena *arena, struct sql_statement *statement,
                        const struct sql_resolved *resolved, const struct fanouts *chosen)
{
    struct once once = {.arena = arena,
                        .statement = statement,
                        .resolved = resolved,
                        .scope = chosen->items[0].scope,
                        .possible = true};
    once.select = build_find(statement->root, once.scope->node);
    once.query = build_query_of(statement->root, once.select);
    if (!grain_read(arena, resolved, once.scope, &once.grain) || !is_plain(&once)) {
        return NULL;
    }
    bool counts = true;
    for (size_t i = 0; i < chosen->count && counts; i++) {
        const struct fanout *fanout = &chosen->items[i];
        counts = fanout->counts && fanout->key->count == 1 && fanout->subject->name &&
                 (fanout->indicator.condition ||
                  str_equal_nocase(fanout->call->text, "count"));
    }
    bool done = true;
    for (size_t i = 0; i < chosen->count && counts && done; i++) {
        done = count_keys(&once, &chosen->items[i]);
    }
    if (!counts) {
        done = number(&once, chosen);
    }
    return done ? sql_statement_print(arena, statement->dialect, statement->root) : NULL;
}
