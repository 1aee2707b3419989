/* Months of the year that is spoken of, and days of the week. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/followup/followup_state.h"

enum { YEAR_DIGITS = 4 };

/* The year that a period speaks of; 0: none, or several. */
static int year_of(const struct followup *followup, const struct ir_node *period)
{
    const char *text = followup_text_of(followup, period);
    const char *part = strchr(text, '/'); /* the last days of a month */
    bool same = !part || strncmp(text, part + 1, YEAR_DIGITS) == 0;
    if (strspn(text, "0123456789") == YEAR_DIGITS) {
        return same ? (int)strtol(text, NULL, 10) : 0;
    }
    bool whole = (ir_node_is(period, IR_THIS) || ir_node_is(period, IR_LAST)) &&
                 period->args.count == 1 &&
                 ir_node_is(period->args.items[0], IR_UNIT_YEAR);
    const char *today = followup->request->today;
    return whole && today ? (int)strtol(today, NULL, 10) - ir_node_is(period, IR_LAST)
                          : 0;
}

struct ir_node *followup_period(struct followup *followup, const struct caught *period,
                                const struct ir_node *known)
{
    if (period->period) {
        return period->period;
    }
    const struct ir_value *value = &followup->features.values.items[period->value].value;
    int year = known && known->args.count == 2 && str_starts(value->text, "--")
                   ? year_of(followup, known->args.items[1])
                   : 0;
    if (!year) {
        return followup_value(followup, period->value);
    }
    struct ir_value dated = {
        .text = arena_format(followup->arena, "%04d%s", year, value->text + 1),
        .is_text = value->is_text};
    VEC_PUSH(followup->arena, &followup->values, dated);
    struct ir_token token = {IR_VALUE, (int)followup->values.count - 1};
    return ir_node_token(followup->arena, token);
}

static struct ir_node *number(struct followup *followup, int value)
{
    struct ir_value made = {.text = arena_format(followup->arena, "%d", value)};
    VEC_PUSH(followup->arena, &followup->values, made);
    struct ir_token token = {IR_VALUE, (int)followup->values.count - 1};
    return ir_node_token(followup->arena, token);
}

/* The days that were said, Sunday is 0: Saturday and Sunday for the weekend. */
static bool said_days(struct followup *followup, struct ir_node *test)
{
    const struct caught *said = followup_caught(followup, SLOT_SENSE, 0);
    for (size_t i = 1; said && followup_caught(followup, SLOT_SENSE, i); i++) {
        said = followup_caught(followup, SLOT_SENSE, i);
    }
    for (int day = 0; said && day < 7; day++) {
        if (followup_sense(followup, (enum sense)(SENSE_SUNDAYS + day), said->first)) {
            VEC_PUSH(followup->arena, &test->args, number(followup, day));
            return true;
        }
    }
    VEC_PUSH(followup->arena, &test->args, number(followup, 0));
    VEC_PUSH(followup->arena, &test->args, number(followup, 6));
    return said && followup_sense(followup, SENSE_WORKDAYS, said->first) == 0;
}

static bool keep_days(struct followup *followup, bool denied)
{
    static const enum ir_keyword kinds[] = {IR_EQUAL, IR_UNEQUAL, IR_IN, IR_NOT_IN};
    struct arena *arena = followup->arena;
    struct ir_node **dates = followup_filter_dates(followup);
    struct ir_node *of = dates ? (*dates)->args.items[0] : NULL;
    int column =
        of && ir_node_is_column(of) ? of->token.index : followup_time_column(followup);
    if (column < 0) {
        return false;
    }
    struct ir_node *left =
        ir_node_call(arena, IR_WEEKDAY_OF, ir_node_column(arena, column, false), NULL);
    struct ir_node *test = ir_node_call(arena, IR_IN, left, NULL);
    bool kept = said_days(followup, test) != denied;
    if (test->args.count == 2) {
        test->keyword = kept ? IR_EQUAL : IR_UNEQUAL;
    } else {
        test->keyword = kept ? IR_IN : IR_NOT_IN;
    }
    struct ir_node **known =
        followup_filter_find(followup, left, kinds, sizeof kinds / sizeof *kinds);
    if (known) {
        *known = test;
    } else {
        followup_filter_add(followup, &followup->query->where, test);
    }
    return true;
}

bool followup_weekdays(struct followup *followup)
{
    return keep_days(followup, false);
}

bool followup_not_weekdays(struct followup *followup)
{
    return keep_days(followup, true);
}
