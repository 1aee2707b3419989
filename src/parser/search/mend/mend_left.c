/* "Visits that are left this month" are those from today to its end, not those of the whole month. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/search/mend/mend_state.h"
#include "parser/words/calendar.h"
#include "parser/words/rest.h"

struct left {
    const struct mend *mend;
    struct calendar_day today;
    bool changed;
};

/* "2026", "2026-Q4", "2026-11", "--11", "--Q4": how many months from which one. */
static int months_of(const char *text, int year, struct calendar_day *first)
{
    enum { YEAR_DIGITS = 4, MONTHS = 12, QUARTER = 3 };
    int number = 0;
    bool open = str_starts(text, "--");
    *first = (struct calendar_day){year, 1, 1};
    if (!open && !calendar_digits(text, YEAR_DIGITS, &first->year)) {
        return 0;
    }
    const char *rest = text + (open ? 2 : YEAR_DIGITS);
    if (!open && *rest == '\0') {
        return MONTHS;
    }
    rest += !open && *rest == '-';
    if (*rest == 'Q' && calendar_digits(rest + 1, 1, &number) && !rest[2]) {
        first->month = number * QUARTER - 2;
        return number >= 1 && number <= MONTHS / QUARTER ? QUARTER : 0;
    }
    bool month = calendar_digits(rest, 2, &number) && !rest[2];
    first->month = number;
    return month && number >= 1 && number <= MONTHS ? 1 : 0;
}

/* The first day, and the one after the last; false: it is no period that today is within. */
static bool span_of(const struct left *left, const struct ir_node *period,
                    struct calendar_day *first, struct calendar_day *next)
{
    const char *text = mend_text(left->mend, period);
    if (text) {
        int months = months_of(text, left->today.year, first);
        *next = calendar_add_months(*first, months);
        if (!months) {
            return false;
        }
    } else if (ir_node_is(period, IR_THIS) && period->args.count == 1) {
        enum ir_keyword unit = period->args.items[0]->keyword;
        *first = calendar_start(left->today, unit);
        *next = calendar_add(*first, unit, 1);
    } else {
        return false;
    }
    long long today = calendar_number(&left->today);
    return calendar_number(first) <= today && today < calendar_number(next);
}

/* A column named for what is left says it itself: left_on, remaining_hours. */
static bool is_about(const struct mend *mend, const struct ir_node *node)
{
    if (!ir_node_is_column(node)) {
        return true;
    }
    const struct ir_column *column = &mend->schema->columns[node->token.index];
    return column->type != IR_TYPE_NUMBER && !str_contains_nocase(column->name, "left") &&
           !str_contains_nocase(column->name, "remain");
}

static void clip(void *context, struct ir_node *node)
{
    struct left *left = context;
    struct calendar_day first;
    struct calendar_day next;
    const struct mend *mend = left->mend;
    struct ir_values *values = mend->request->values;
    if (!ir_node_is(node, IR_DURING) || node->args.count != 2 ||
        !is_about(mend, node->args.items[0]) ||
        !span_of(left, node->args.items[1], &first, &next)) {
        return;
    }
    struct calendar_day last = calendar_add_days(next, -1);
    const struct calendar_day *from = &left->today;
    const char *text =
        arena_format(mend->arena, "%04d-%02d-%02d/%04d-%02d-%02d", from->year,
                     from->month, from->day, last.year, last.month, last.day);
    VEC_PUSH(mend->arena, values, ((struct ir_value){text, true, NULL}));
    node->args.items[1] =
        ir_node_token(mend->arena, (struct ir_token){IR_VALUE, (int)values->count - 1});
    left->changed = true;
}

bool mend_left(const struct mend *mend, struct ir_query *query)
{
    struct left left = {.mend = mend};
    const struct mend_request *request = mend->request;
    if (!request->adds || !rest_of_period(request->words) || !request->today ||
        !calendar_read(request->today, &left.today)) {
        return false;
    }
    ir_query_walk(query, clip, &left);
    return left.changed;
}
