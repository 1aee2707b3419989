/* The clauses of one SELECT: its list, WHERE, GROUP BY, ORDER BY, LIMIT and the rest. */
#include "sql/guard/guard_state.h"

/* ------------------------------------------------------------------ stars */

/* x AS a inside REPLACE ( … ) and RENAME ( … ) */
static bool star_entry(struct guard *guard, const struct sql_node *entry)
{
    return guard_expect(guard, entry, SQL_ITEM) &&
           guard_value(guard, entry->children[SINGLE_VALUE]);
}

/* EXCLUDE (a), EXCEPT (a), REPLACE (x AS a), RENAME (a AS b) */
static bool star_option(struct guard *guard, const struct sql_node *option)
{
    if (!guard_listed(guard, option)) {
        return false;
    }
    bool names = option->kind == SQL_STAR_EXCLUDE;
    if (!names && option->kind != SQL_STAR_REPLACE && option->kind != SQL_STAR_RENAME) {
        return guard_unexpected(guard, guard_first(guard, option));
    }
    for (size_t i = 0; i < option->count; i++) {
        const struct sql_node *child = option->children[i];
        if (names ? !guard_expect(guard, child, SQL_NAME) : !star_entry(guard, child)) {
            return false;
        }
    }
    return true;
}

/* t.*; (value).* has the fields of a value, which PostgreSQL may read as calls */
static bool star_owner(struct guard *guard, const struct sql_node *star)
{
    const struct sql_node *of = star->children[STAR_OF];
    bool fields = star->variant == 1;
    if (!fields) {
        if (!guard_expect(guard, of, SQL_COLUMN)) {
            return false;
        }
        for (size_t i = 0; i < of->count; i++) {
            if (!guard_expect(guard, of->children[i], SQL_NAME)) {
                return false;
            }
        }
        guard_scope_star(guard, of->children[of->count - 1]->text);
        return true;
    }
    if (guard_dialect(guard, "po")) {
        return guard_field_refuse(guard, guard_last(guard, star));
    }
    if (guard_dialect(guard, "sm")) {
        return guard_unexpected(guard, guard_last(guard, star) - 1);
    }
    return guard_value(guard, of);
}

bool guard_star(struct guard *guard, const struct sql_node *star)
{
    if (!guard_expect(guard, star, SQL_STAR)) {
        return false;
    }
    const struct sql_node *of = star->children[STAR_OF];
    if (!of) {
        guard_scope_star(guard, NULL);
    }
    return (!of || star_owner(guard, star)) &&
           guard_list(guard, star->children[STAR_OPTIONS], star_option);
}

/* ------------------------------------------------------------------ the list */

static bool select_item(struct guard *guard, const struct sql_node *item)
{
    if (!guard_expect(guard, item, SQL_ITEM) ||
        !guard_value(guard, item->children[SINGLE_VALUE])) {
        return false;
    }
    if (item->text) {
        guard_scope_alias(guard, item->text);
    }
    guard_output_item(guard, item);
    return true;
}

/* ------------------------------------------------------------------ GROUP BY */

static bool grouping_sets(struct guard *guard, const struct sql_node *sets)
{
    for (size_t i = 0; i < sets->count; i++) {
        if (!guard_value(guard, sets->children[i])) {
            return false;
        }
    }
    return true;
}

static bool group_item(struct guard *guard, const struct sql_node *item)
{
    if (sql_is(item, SQL_GROUPING_SETS)) {
        return guard_expect(guard, item, SQL_GROUPING_SETS) && grouping_sets(guard, item);
    }
    return guard_value(guard, item);
}

/* ------------------------------------------------------------------ ORDER BY, LIMIT */

/* ClickHouse: WITH FILL FROM a TO b STEP c makes rows, so the bounds must be small. */
static bool with_fill(struct guard *guard, struct sql_node *fill)
{
    if (!guard_expect(guard, fill, SQL_FILL)) {
        return false;
    }
    for (size_t i = 0; i < FILL_SLOTS; i++) {
        if (fill->children[i] && !guard_value(guard, fill->children[i])) {
            return false;
        }
    }
    return guard_size_bounds(guard, guard_first(guard, fill)[1].text, fill);
}

static bool order_item(struct guard *guard, const struct sql_node *item)
{
    if (!guard_expect(guard, item, SQL_ORDER_ITEM)) {
        return false;
    }
    if (!sql_has(item, FLAG_ALL) && !guard_value(guard, item->children[ORDER_VALUE])) {
        return false;
    }
    struct sql_node *fill = item->children[ORDER_FILL];
    return !fill || with_fill(guard, fill);
}

bool guard_order(struct guard *guard, const struct sql_node *list)
{
    return guard_list(guard, list, order_item);
}

static bool limit_by(struct guard *guard, const struct sql_node *by)
{
    const struct sql_node *offset = sql_child(by, LIMIT_BY_OFFSET);
    return guard_expect(guard, by, SQL_LIMIT_BY) &&
           (!offset || guard_value(guard, offset)) &&
           guard_value(guard, by->children[LIMIT_BY_COUNT]) &&
           guard_values(guard, by->children[LIMIT_BY_VALUES]);
}

static bool tail_clause(struct guard *guard, const struct sql_node *clause, size_t slot)
{
    return slot == QUERY_ORDER      ? guard_order(guard, clause)
           : slot == QUERY_LIMIT_BY ? limit_by(guard, clause)
                                    : guard_value(guard, clause);
}

static bool tail_compound(struct guard *guard, const struct sql_node *clause, size_t slot)
{
    /* after UNION, ORDER BY sorts by the names of the first SELECT */
    bool outside = slot == QUERY_ORDER;
    guard->unsure += outside;
    bool ok = tail_clause(guard, clause, slot);
    guard->unsure -= outside;
    return ok;
}

bool guard_tail(struct guard *guard, const struct sql_node *query, bool compound)
{
    return guard_slots(guard, query, QUERY_ORDER, QUERY_SLOTS,
                       compound ? tail_compound : tail_clause);
}

/* ------------------------------------------------------------------ windows */

static bool frame_bound(struct guard *guard, const struct sql_node *bound)
{
    const struct sql_node *distance = sql_child(bound, SINGLE_VALUE);
    return guard_expect(guard, bound, SQL_FRAME_BOUND) &&
           (!distance || guard_value(guard, distance));
}

static bool window_frame(struct guard *guard, const struct sql_node *frame)
{
    const struct sql_node *end = sql_child(frame, FRAME_END);
    return guard_expect(guard, frame, SQL_FRAME) &&
           frame_bound(guard, frame->children[FRAME_START]) &&
           (!end || frame_bound(guard, end));
}

bool guard_window(struct guard *guard, const struct sql_node *window)
{
    if (!guard_expect(guard, window, SQL_WINDOW)) {
        return false;
    }
    const struct sql_node *base = window->children[WINDOW_BASE];
    const struct sql_node *frame = window->children[WINDOW_FRAME];
    return (!base || guard_expect(guard, base, SQL_NAME)) &&
           guard_values(guard, window->children[WINDOW_PARTITION]) &&
           guard_order(guard, window->children[WINDOW_ORDER]) &&
           (!frame || window_frame(guard, frame));
}

/* ------------------------------------------------------------------ the clauses */

static bool clause_items(struct guard *guard, const struct sql_node *list)
{
    return guard_list(guard, list, select_item);
}

static bool clause_group(struct guard *guard, const struct sql_node *list)
{
    return guard_list(guard, list, group_item);
}

static bool clause_windows(struct guard *guard, const struct sql_node *list)
{
    return guard_list(guard, list, guard_window);
}

static bool (*const clauses[SELECT_SLOTS])(struct guard *guard,
                                           const struct sql_node *node) = {
    [SELECT_DISTINCT_ON] = guard_values, [SELECT_TOP] = guard_value,
    [SELECT_ITEMS] = clause_items,       [SELECT_FROM] = guard_from,
    [SELECT_PREWHERE] = guard_value,     [SELECT_WHERE] = guard_value,
    [SELECT_GROUP] = clause_group,       [SELECT_HAVING] = guard_value,
    [SELECT_WINDOWS] = clause_windows,   [SELECT_QUALIFY] = guard_value,
    [SELECT_SAMPLE] = guard_sample,
};

static bool clause(struct guard *guard, const struct sql_node *node, size_t slot)
{
    return clauses[slot](guard, node);
}

bool guard_select(struct guard *guard, const struct sql_node *select)
{
    return guard_slots(guard, select, 0, SELECT_SLOTS, clause);
}
