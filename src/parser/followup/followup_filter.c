/* Follow-ups that say which rows: values, comparisons, periods. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/followup/followup_state.h"

struct ir_node *followup_value(struct followup *followup, int candidate)
{
    VEC_PUSH(followup->arena, &followup->values,
             followup->features.values.items[candidate].value);
    struct ir_token token = {IR_VALUE, (int)followup->values.count - 1};
    return ir_node_token(followup->arena, token);
}

const struct caught *followup_caught(const struct followup *followup, enum slot slot,
                                     size_t which)
{
    for (size_t i = 0; i < followup->caught_count; i++) {
        if (followup->caught[i].slot == slot && which-- == 0) {
            return &followup->caught[i];
        }
    }
    return NULL;
}

struct ir_node **followup_conditions(struct ir_node **where, size_t *count)
{
    if (ir_node_is(*where, IR_AND)) {
        *count = (*where)->args.count;
        return (*where)->args.items;
    }
    *count = *where ? 1 : 0;
    return where;
}

void followup_filter_add(struct followup *followup, struct ir_node **where,
                         struct ir_node *node)
{
    if (!*where) {
        *where = node;
    } else if (ir_node_is(*where, IR_AND)) {
        VEC_PUSH(followup->arena, &(*where)->args, node);
    } else {
        *where = ir_node_call(followup->arena, IR_AND, *where, node);
    }
}

static bool is_one_of(const struct ir_node *node, const enum ir_keyword *keywords,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (ir_node_is(node, keywords[i])) {
            return true;
        }
    }
    return false;
}

static struct ir_node **find_in(struct ir_node **where, const struct ir_node *left,
                                const enum ir_keyword *keywords, size_t keyword_count)
{
    size_t count = 0;
    struct ir_node **items = followup_conditions(where, &count);
    for (size_t i = 0; i < count; i++) {
        if (is_one_of(items[i], keywords, keyword_count) &&
            (!left || ir_node_same(items[i]->args.items[0], left))) {
            return &items[i];
        }
    }
    return NULL;
}

struct ir_node **followup_filter_find(struct followup *followup,
                                      const struct ir_node *left,
                                      const enum ir_keyword *keywords,
                                      size_t keyword_count)
{
    struct ir_query *query = followup->query;
    struct ir_node **found = find_in(&query->where, left, keywords, keyword_count);
    for (size_t i = 0; i < query->sources.count && !found; i++) {
        found = find_in(&query->sources.items[i].with, left, keywords, keyword_count);
    }
    return found;
}

const char *followup_text_of(const struct followup *followup, const struct ir_node *node)
{
    if (node->kind != IR_NODE_TOKEN) {
        return "";
    }
    if (node->token.kind == IR_VALUE) {
        return followup->values.items[node->token.index].text;
    }
    return node->token.kind == IR_FIXED ? ir_fixed_get(node->token.index)->text : "";
}

static bool is_about(const struct followup *followup, const struct ir_node *condition,
                     const struct ir_node *value)
{
    for (size_t i = 1; i < condition->args.count; i++) {
        if (str_equal_nocase(followup_text_of(followup, condition->args.items[i]),
                             followup_text_of(followup, value))) {
            return true;
        }
    }
    return false;
}

static int column_of_value(struct followup *followup, const struct caught *value)
{
    const struct caught *named = followup_caught(followup, SLOT_COLUMN, 0);
    const struct candidate *candidate = &followup->features.values.items[value->value];
    size_t end = 0;
    int column = named ? followup_column(followup, named->first, WANT_ANY, &end) : -1;
    for (size_t i = 0; i < candidate->column_count; i++) {
        if (candidate->columns[i] == column) {
            return column;
        }
    }
    int found = followup_value_column(followup, candidate);
    return found >= 0 ? found : column;
}

/* In Rome, not in Rome, also in Rome: beside what is said of the city already. */
static void put_value(struct followup *followup, struct ir_node *column,
                      struct ir_node *value, bool negated)
{
    static const enum ir_keyword kinds[] = {IR_EQUAL,  IR_IN,       IR_UNEQUAL,
                                            IR_NOT_IN, IR_CONTAINS, IR_STARTS};
    struct arena *arena = followup->arena;
    struct ir_node **known =
        followup_filter_find(followup, column, kinds, sizeof kinds / sizeof *kinds);
    bool positive = known && (ir_node_is(*known, IR_EQUAL) || ir_node_is(*known, IR_IN));
    if (known && negated && (!positive || !is_about(followup, *known, value))) {
        followup_filter_add(followup, &followup->query->where,
                            ir_node_call(arena, IR_UNEQUAL, column, value));
    } else if (positive && followup->also && !negated) {
        struct ir_node *list = ir_node_call(arena, IR_IN, column, NULL);
        for (size_t i = 1; i < (*known)->args.count; i++) {
            VEC_PUSH(arena, &list->args, (*known)->args.items[i]);
        }
        VEC_PUSH(arena, &list->args, value);
        *known = list;
    } else {
        struct ir_node *made =
            ir_node_call(arena, negated ? IR_UNEQUAL : IR_EQUAL, column, value);
        if (known) {
            *known = made;
        } else {
            followup_filter_add(followup, &followup->query->where, made);
        }
    }
}

bool followup_filter_value(struct followup *followup, bool negated)
{
    const struct caught *value = followup_caught(followup, SLOT_VALUE, 0);
    int column = column_of_value(followup, value);
    if (column < 0) {
        return false;
    }
    put_value(followup, ir_node_column(followup->arena, column, false),
              followup_value(followup, value->value), negated);
    return true;
}

bool followup_filter_values(struct followup *followup)
{
    const struct caught *first = followup_caught(followup, SLOT_VALUE, 0);
    int column = column_of_value(followup, first);
    if (column < 0) {
        return false;
    }
    struct ir_node *left = ir_node_column(followup->arena, column, false);
    put_value(followup, left, followup_value(followup, first->value), false);
    bool also = followup->also;
    followup->also = true;
    const struct caught *next = NULL;
    for (size_t i = 1; (next = followup_caught(followup, SLOT_VALUE, i)); i++) {
        put_value(followup, left, followup_value(followup, next->value), false);
    }
    followup->also = also;
    return true;
}

struct search {
    int column;
    struct ir_node *found; /* an aggregate over the column; any when it is -1 */
};

static void find_aggregate(void *context, struct ir_node *node)
{
    struct search *search = context;
    if (!search->found && node->kind == IR_NODE_CALL && ir_is_aggregate(node->keyword) &&
        (search->column < 0 ||
         (node->args.count && ir_node_is_column(node->args.items[0]) &&
          node->args.items[0]->token.index == search->column))) {
        search->found = node;
    }
}

struct ir_node *followup_aggregate(const struct followup *followup, int column)
{
    struct search search = {column, NULL};
    for (size_t i = 0; i < followup->query->select.count; i++) {
        ir_node_walk(followup->query->select.items[i], find_aggregate, &search);
    }
    for (size_t i = 0; i < followup->query->order.count && !search.found; i++) {
        ir_node_walk(followup->query->order.items[i].node, find_aggregate, &search);
    }
    return search.found;
}

/* What a number is compared with: the named column, what the groups were counted by, or
 * the measure at hand. */
static struct ir_node *compared(struct followup *followup)
{
    const struct caught *named = followup_caught(followup, SLOT_COLUMN, 0);
    size_t end = 0;
    int column = named ? followup_column(followup, named->first, WANT_NUMBER, &end) : -1;
    struct ir_node *aggregate =
        followup->query->group.count ? followup_aggregate(followup, column) : NULL;
    if (aggregate) {
        return aggregate;
    }
    if (column < 0 && !named) {
        column = followup_number_column(followup, NULL);
        followup->confidence *= 0.85;
    }
    return column < 0 ? NULL : ir_node_column(followup->arena, column, false);
}

static struct ir_node **clause_of(struct followup *followup, const struct ir_node *left)
{
    return ir_node_aggregates(left) ? &followup->query->having : &followup->query->where;
}

bool followup_filter_compare(struct followup *followup)
{
    static const enum ir_keyword more[] = {IR_GREATER, IR_AT_LEAST, IR_BETWEEN};
    static const enum ir_keyword less[] = {IR_LESS, IR_AT_MOST, IR_BETWEEN};
    const struct caught *word = followup_caught(followup, SLOT_COMPARE, 0);
    const struct caught *number = followup_caught(followup, SLOT_NUMBER, 0);
    struct ir_node *left = compared(followup);
    if (!left || !number) {
        return false;
    }
    enum ir_keyword keyword = word ? word->keyword : IR_AT_LEAST;
    for (size_t i = 0; !word && i < followup->caught_count; i++) {
        keyword = followup_sense(followup, SENSE_OR_LESS, followup->caught[i].first)
                      ? IR_AT_MOST
                      : keyword;
    }
    bool up = keyword == IR_GREATER || keyword == IR_AT_LEAST;
    struct ir_node **clause = clause_of(followup, left);
    struct ir_node **known = find_in(clause, left, up ? more : less, 3);
    struct ir_node *made = ir_node_call(followup->arena, keyword, left,
                                        followup_value(followup, number->value));
    if (known) {
        *known = made;
    } else {
        followup_filter_add(followup, clause, made);
    }
    return true;
}

/* "Exclude missing regions": only rows that have one. */
bool followup_filter_known(struct followup *followup)
{
    static const enum ir_keyword missing[] = {IR_IS_NULL};
    const struct caught *named = followup_caught(followup, SLOT_COLUMN, 0);
    size_t end = 0;
    int column = named ? followup_column(followup, named->first, WANT_ANY, &end) : -1;
    if (column < 0 ||
        !followup_uses_table(followup, followup->schema->columns[column].table)) {
        return false;
    }
    struct ir_node *left = ir_node_column(followup->arena, column, false);
    struct ir_node *made = ir_node_call(followup->arena, IR_NOT_NULL, left, NULL);
    if (followup_filter_find(followup, left, missing, 1)) {
        return false; /* only those were asked for */
    }
    followup_filter_add(followup, &followup->query->where, made);
    followup->certain = true;
    return true;
}

/* "Who of them left?", and a date says when: those that have one. */
bool followup_filter_done(struct followup *followup)
{
    const struct caught *named = followup_caught(followup, SLOT_COLUMN, 0);
    size_t end = 0;
    int column = named ? followup_column(followup, named->first, WANT_ANY, &end) : -1;
    const struct ir_column *info = column > 0 ? &followup->schema->columns[column] : NULL;
    bool dated = info && info->type == IR_TYPE_TIME && info->gaps;
    return dated && followup_filter_known(followup);
}

bool followup_is_year(const char *text)
{
    return strlen(text) == 4 && (str_starts(text, "19") || str_starts(text, "20")) &&
           strspn(text, "0123456789") == 4;
}

struct ir_node **followup_filter_dates(struct followup *followup)
{
    static const enum ir_keyword kinds[] = {IR_DURING, IR_SINCE, IR_BEFORE, IR_AFTER,
                                            IR_UNTIL};
    return followup_filter_find(followup, NULL, kinds, sizeof kinds / sizeof *kinds);
}

/* From one year to another, when nothing else is named and there are dates. */
static bool between_years(struct followup *followup, const struct caught *low,
                          const struct caught *high)
{
    const struct candidates *values = &followup->features.values;
    struct arena *arena = followup->arena;
    struct ir_node **known = followup_filter_dates(followup);
    int column = known ? 0 : followup_time_column(followup);
    if (followup_caught(followup, SLOT_COLUMN, 0) || column < 0 ||
        !followup_is_year(values->items[low->value].value.text) ||
        !followup_is_year(values->items[high->value].value.text)) {
        return false;
    }
    struct ir_node *left =
        known ? (*known)->args.items[0] : ir_node_column(arena, column, false);
    struct ir_node *since =
        ir_node_call(arena, IR_SINCE, left, followup_value(followup, low->value));
    if (known) {
        *known = since;
    } else {
        followup_filter_add(followup, &followup->query->where, since);
    }
    followup_filter_add(
        followup, &followup->query->where,
        ir_node_call(arena, IR_UNTIL, left, followup_value(followup, high->value)));
    return true;
}

bool followup_filter_between(struct followup *followup)
{
    static const enum ir_keyword kinds[] = {IR_BETWEEN, IR_GREATER, IR_AT_LEAST, IR_LESS,
                                            IR_AT_MOST};
    const struct caught *low = followup_caught(followup, SLOT_NUMBER, 0);
    const struct caught *high = followup_caught(followup, SLOT_NUMBER, 1);
    if (!low || !high) {
        return false;
    }
    if (between_years(followup, low, high)) {
        return true;
    }
    struct ir_node *left = compared(followup);
    if (!left) {
        return false;
    }
    struct ir_node *made = ir_node_call(followup->arena, IR_BETWEEN, left,
                                        followup_value(followup, low->value));
    VEC_PUSH(followup->arena, &made->args, followup_value(followup, high->value));
    struct ir_node **clause = clause_of(followup, left);
    struct ir_node **known = find_in(clause, left, kinds, sizeof kinds / sizeof *kinds);
    if (known) {
        *known = made;
    } else {
        followup_filter_add(followup, clause, made);
    }
    return true;
}

/* "year", "model_year", or a date's year: what may be compared with one. */
static bool keeps_year(const struct followup *followup, const struct ir_node *left)
{
    if (!ir_node_is_column(left)) {
        return ir_node_is(left, IR_YEAR);
    }
    const struct ir_column *column = &followup->schema->columns[left->token.index];
    return column->type == IR_TYPE_TIME || str_contains_nocase(column->name, "year");
}

/* A year that is stored as a number: the condition that names one. A price of 2000 is
 * not a year. */
static struct ir_node **find_year_in(struct followup *followup, struct ir_node **where)
{
    size_t count = 0;
    struct ir_node **items = followup_conditions(where, &count);
    for (size_t i = 0; i < count; i++) {
        if (ir_node_is(items[i], IR_EQUAL) && items[i]->args.count == 2 &&
            keeps_year(followup, items[i]->args.items[0]) &&
            followup_is_year(followup_text_of(followup, items[i]->args.items[1]))) {
            return &items[i];
        }
    }
    return NULL;
}

static struct ir_node **find_year(struct followup *followup)
{
    struct ir_query *query = followup->query;
    struct ir_node **found = find_year_in(followup, &query->where);
    for (size_t i = 0; i < query->sources.count && !found; i++) {
        found = find_year_in(followup, &query->sources.items[i].with);
    }
    return found;
}

/* 2023 or 2024: either will do. */
bool followup_filter_periods(struct followup *followup)
{
    const struct caught *first = followup_caught(followup, SLOT_PERIOD, 0);
    const struct caught *second = followup_caught(followup, SLOT_PERIOD, 1);
    struct ir_node **known = followup_filter_dates(followup);
    int column = known ? 0 : followup_time_column(followup);
    if (column < 0 || !first || !second) {
        return false;
    }
    struct arena *arena = followup->arena;
    struct ir_node *left =
        known ? (*known)->args.items[0] : ir_node_column(arena, column, false);
    struct ir_node *either = ir_node_call(
        arena, IR_OR,
        ir_node_call(arena, IR_DURING, left,
                     followup_period(followup, first, known ? *known : NULL)),
        ir_node_call(arena, IR_DURING, left,
                     followup_period(followup, second, known ? *known : NULL)));
    if (known) {
        *known = either;
    } else {
        followup_filter_add(followup, &followup->query->where, either);
    }
    return true;
}

/* "hired in 2024": by the date that the word leads to. */
bool followup_filter_dated(struct followup *followup)
{
    static const enum ir_keyword kinds[] = {IR_DURING, IR_SINCE, IR_BEFORE, IR_AFTER,
                                            IR_UNTIL};
    const struct caught *named = followup_caught(followup, SLOT_COLUMN, 0);
    const struct caught *period = followup_caught(followup, SLOT_PERIOD, 0);
    const struct caught *when = followup_caught(followup, SLOT_WHEN, 0);
    size_t end = 0;
    int column = named ? followup_column(followup, named->first, WANT_TIME, &end) : -1;
    if (column < 0 || !period ||
        !followup_uses_table(followup, followup->schema->columns[column].table)) {
        return false;
    }
    struct ir_node *left = ir_node_column(followup->arena, column, false);
    struct ir_node **known =
        followup_filter_find(followup, left, kinds, sizeof kinds / sizeof *kinds);
    struct ir_node *made =
        ir_node_call(followup->arena, when ? when->keyword : IR_DURING, left,
                     followup_period(followup, period, known ? *known : NULL));
    if (known) {
        *known = made;
    } else {
        followup_filter_add(followup, &followup->query->where, made);
    }
    return true;
}

bool followup_filter_period(struct followup *followup, bool negated)
{
    const struct caught *period = followup_caught(followup, SLOT_PERIOD, 0);
    const struct caught *when = followup_caught(followup, SLOT_WHEN, 0);
    struct arena *arena = followup->arena;
    if (!period) {
        return false;
    }
    struct ir_node **known = followup_filter_dates(followup);
    struct ir_node *value = followup_period(followup, period, known ? *known : NULL);
    struct ir_node **year = known || when || negated ? NULL : find_year(followup);
    if (year && !period->period) {
        *year = ir_node_call(arena, IR_EQUAL, (*year)->args.items[0], value);
        return true;
    }
    int column = known ? -1 : followup_time_column(followup);
    if (!known && column < 0) {
        return false;
    }
    struct ir_node *left =
        known ? (*known)->args.items[0] : ir_node_column(arena, column, false);
    struct ir_node *made =
        ir_node_call(arena, when ? when->keyword : IR_DURING, left, value);
    made = negated ? ir_node_call(arena, IR_NOT, made, NULL) : made;
    if (known && !negated) {
        *known = made;
    } else {
        followup_filter_add(followup, &followup->query->where, made);
    }
    return true;
}
