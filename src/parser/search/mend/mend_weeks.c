/*
 * "Took longer than 2 weeks": the network compares the days between two dates with 2. Weeks are
 * written as days; months, quarters and years as a day of the calendar that many later.
 */
#include <math.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/search/mend/mend_state.h"
#include "parser/search/mend/mend_unit.h"

enum { FOUND_MOST = 8 };

struct durations {
    const struct mend *mend;
    struct ir_node *items[FOUND_MOST]; /* comparisons, or what is shown */
    size_t count;
    bool compared;
};

static bool is_duration(const struct ir_node *node)
{
    return ir_node_is(node, IR_DAYS) || ir_node_is(node, IR_HOURS) ||
           ir_node_is(node, IR_MONTHS) || ir_node_is(node, IR_YEARS);
}

static bool is_compared(const struct ir_node *node)
{
    static const enum ir_keyword words[] = {
        IR_LESS, IR_GREATER, IR_AT_MOST, IR_AT_LEAST, IR_BETWEEN, IR_EQUAL, IR_UNEQUAL};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ir_node_is(node, words[i])) {
            return is_duration(node->args.items[0]);
        }
    }
    return false;
}

static void collect(void *context, struct ir_node *node)
{
    struct durations *found = context;
    if (node->kind == IR_NODE_QUERY) {
        ir_query_walk(node->query, collect, context);
    }
    if (found->count < FOUND_MOST &&
        (found->compared ? is_compared(node) : is_duration(node))) {
        found->items[found->count++] = node;
    }
}

static void collect_all(struct ir_query *query, struct durations *found)
{
    ir_query_walk(query, collect, found);
    if (query->from) {
        collect_all(query->from, found);
    }
    if (query->set_query) {
        collect_all(query->set_query, found);
    }
}

/* The text of a number that a duration is compared with; NULL: it is something else. */
static const char *text_of(const struct mend *mend, const struct ir_node *node)
{
    const struct ir_value *fixed =
        node->kind == IR_NODE_TOKEN && node->token.kind == IR_FIXED
            ? ir_fixed_get(node->token.index)
            : NULL;
    return fixed ? fixed->text : mend_text(mend, node);
}

static bool is_zero(const struct mend *mend, const struct ir_node *node)
{
    double number;
    const char *text = text_of(mend, node);
    return text && str_to_real(text, &number) && number == 0;
}

/* So many days instead of so many units. */
static struct ir_node *in_days(const struct mend *mend, struct ir_node *node,
                               const struct mend_unit *unit)
{
    double number = 0;
    const char *text = text_of(mend, node);
    if (!text || !str_to_real(text, &number)) {
        return NULL;
    }
    text = arena_format(mend->arena, "%g", round(number * unit->days));
    VEC_PUSH(mend->arena, mend->request->values, ((struct ir_value){text, false, NULL}));
    return ir_node_token(
        mend->arena, (struct ir_token){IR_VALUE, (int)mend->request->values->count - 1});
}

static bool is_day(const struct mend *mend, const struct ir_node *node)
{
    if (!ir_node_is_column(node)) {
        return ir_node_is(node, IR_NOW) || ir_node_is(node, IR_DAY);
    }
    const struct ir_column *column = &mend->schema->columns[node->token.index];
    return column->storage == IR_STORED_DATE ||
           (column->source && str_equal_nocase(column->source->type, "date"));
}

static struct ir_node *day_of(const struct mend *mend, struct ir_node *date)
{
    return is_day(mend, date) ? date : ir_node_call(mend->arena, IR_DAY, date, NULL);
}

/* `days A B > 2` into `day A > shift day B 2 u_month` */
static void by_calendar(const struct mend *mend, struct ir_node *node,
                        const struct mend_unit *unit)
{
    struct ir_node *from = day_of(mend, node->args.items[0]->args.items[1]);
    node->args.items[0] = day_of(mend, node->args.items[0]->args.items[0]);
    for (size_t i = 1; i < node->args.count; i++) {
        struct ir_node *number = node->args.items[i];
        if (is_zero(mend, number)) {
            node->args.items[i] = from;
            continue;
        }
        node->args.items[i] = ir_node_call(mend->arena, IR_SHIFT, from, number);
        VEC_PUSH(mend->arena, &node->args.items[i]->args,
                 ir_node_call(mend->arena, unit->calendar, NULL, NULL));
    }
}

static bool is_whole(const struct mend *mend, const struct ir_node *node)
{
    double number = 0.5;
    const char *text = text_of(mend, node);
    return text && str_to_real(text, &number) && number == floor(number);
}

/* units_settle() converts the short ones. */
static bool is_long(const struct mend_unit *unit)
{
    return unit->days > 1;
}

static bool compare(const struct mend *mend, struct ir_node *node)
{
    struct ir_node *length = node->args.items[0];
    struct ir_node *last = node->args.items[node->args.count - 1];
    const char *most = text_of(mend, last);
    const struct mend_unit *month = most && ir_node_is(length, IR_DAYS)
                                        ? mend_unit_month(mend->request->words, most)
                                        : NULL;
    if (month) {
        node->args.items[node->args.count - 1] =
            ir_node_token(mend->arena, (struct ir_token){IR_FIXED, IR_FIXED_ONE});
        by_calendar(mend, node, month);
        return true;
    }
    const struct mend_unit *unit = NULL;
    bool whole = true;
    for (size_t i = 1; i < node->args.count; i++) {
        const char *text = text_of(mend, node->args.items[i]);
        const struct mend_unit *said =
            text ? mend_unit_of(mend->request->words, text) : NULL;
        if (!text || (said && unit && said != unit)) {
            return false;
        }
        unit = said ? said : unit;
        whole = whole && is_whole(mend, node->args.items[i]);
    }
    bool counted = ir_node_is(length, IR_MONTHS) || ir_node_is(length, IR_YEARS);
    bool until_now = ir_node_is(length->args.items[0], IR_NOW);
    if (!unit || !is_long(unit) ||
        (counted && (until_now || unit->between != length->keyword))) {
        return false; /* an age counts whole years */
    }
    if (unit->calendar != IR_PAD && whole && !ir_node_is(node, IR_EQUAL) &&
        !ir_node_is(node, IR_UNEQUAL)) {
        by_calendar(mend, node, unit);
        return true;
    }
    if (counted || !mend->request->adds) {
        return false;
    }
    length->keyword = IR_DAYS;
    for (size_t i = 1; i < node->args.count; i++) {
        struct ir_node *days = in_days(mend, node->args.items[i], unit);
        node->args.items[i] = days ? days : node->args.items[i];
    }
    return true;
}

static bool show(const struct mend *mend, struct ir_node *node,
                 const struct mend_unit *unit)
{
    if (ir_node_is(node, IR_MONTHS) || ir_node_is(node, IR_YEARS)) {
        return false;
    }
    if (unit->between != IR_PAD) {
        node->keyword = unit->between;
        return true;
    }
    if (!str_equal(unit->one, "week")) {
        return false;
    }
    struct ir_node *days =
        ir_node_call(mend->arena, IR_DAYS, node->args.items[0], node->args.items[1]);
    struct ir_node *seven =
        ir_node_token(mend->arena, (struct ir_token){IR_FIXED, IR_FIXED_SEVEN});
    *node = *ir_node_call(mend->arena, IR_RATIO, days, seven);
    return true;
}

bool mend_weeks(const struct mend *mend, struct ir_query *query)
{
    struct durations found = {.mend = mend, .compared = true};
    bool changed = false;
    collect_all(query, &found);
    for (size_t i = 0; i < found.count; i++) {
        changed = compare(mend, found.items[i]) || changed;
    }
    const struct mend_unit *wanted = mend_unit_wanted(mend->request->words);
    if (found.count || !wanted || !is_long(wanted)) {
        return changed;
    }
    found.compared = false;
    collect_all(query, &found);
    for (size_t i = 0; i < found.count; i++) {
        changed = show(mend, found.items[i], wanted) || changed;
    }
    return changed;
}
