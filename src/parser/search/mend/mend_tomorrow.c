/* "Tomorrow" was read as today: the day in the query is moved. */
#include "base/arena.h"
#include "base/vec.h"
#include "parser/search/mend/mend_state.h"
#include "parser/words/calendar.h"

struct moving {
    const struct mend *mend;
    const char *day;
    bool changed;
};

static void move(void *context, struct ir_node *node)
{
    static const enum ir_keyword tests[] = {IR_DURING, IR_SINCE, IR_BEFORE, IR_AFTER,
                                            IR_UNTIL};
    struct moving *moving = context;
    struct ir_node *period = node->args.count == 2 ? node->args.items[1] : NULL;
    bool today = period && ir_node_is(period, IR_THIS) && period->args.count == 1 &&
                 ir_node_is(period->args.items[0], IR_UNIT_DAY);
    for (size_t i = 0; today && i < sizeof tests / sizeof *tests; i++) {
        if (ir_node_is(node, tests[i])) {
            const struct mend *mend = moving->mend;
            struct ir_values *values = mend->request->values;
            VEC_PUSH(mend->arena, values, ((struct ir_value){moving->day, true, NULL}));
            node->args.items[1] = ir_node_token(
                mend->arena, (struct ir_token){IR_VALUE, (int)values->count - 1});
            moving->changed = true;
            return;
        }
    }
}

bool mend_tomorrow(const struct mend *mend, struct ir_query *query)
{
    struct calendar_day day;
    struct moving moving = {.mend = mend};
    const struct mend_request *request = mend->request;
    if (!request->days || !request->adds || !request->today ||
        !calendar_read(request->today, &day)) {
        return false;
    }
    day = calendar_add_days(day, request->days);
    moving.day =
        arena_format(mend->arena, "%04d-%02d-%02d", day.year, day.month, day.day);
    ir_query_walk(query, move, &moving);
    return moving.changed;
}
