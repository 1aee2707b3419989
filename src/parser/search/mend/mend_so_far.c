/* "This year to date against the same period last year": the year before goes as far as this one
 * has gone, and not to its end. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/search/mend/mend_state.h"
#include "parser/words/calendar.h"

static bool asks_so_far(const struct tokens *words)
{
    static const char *const phrases[] = {"same period",  "same time",   "same point",
                                          "year to date", "ytd",         "so far",
                                          "same months",  "same stretch"};
    for (size_t i = 0; i < words->count; i++) {
        for (size_t k = 0; k < sizeof phrases / sizeof *phrases; k++) {
            if (tokens_phrase(words, i, phrases[k])) {
                return true;
            }
        }
    }
    return false;
}

struct so_far {
    const struct mend *mend;
    struct ir_node *earlier[4]; /* during last u_year */
    size_t count;
    enum ir_keyword unit;
    bool now; /* during this u_year */
    bool several;
};

static void look(void *context, struct ir_node *node)
{
    struct so_far *so_far = context;
    struct ir_node *period =
        ir_node_is(node, IR_DURING) && node->args.count == 2 ? node->args.items[1] : NULL;
    bool plain = period && period->kind == IR_NODE_CALL && period->args.count == 1;
    if (!plain || !(ir_node_is(period, IR_LAST) || ir_node_is(period, IR_THIS))) {
        return;
    }
    enum ir_keyword unit = period->args.items[0]->keyword;
    so_far->several = so_far->several || (so_far->unit && so_far->unit != unit);
    so_far->unit = unit;
    if (ir_node_is(period, IR_THIS)) {
        so_far->now = true;
    } else if (so_far->count < sizeof so_far->earlier / sizeof *so_far->earlier) {
        so_far->earlier[so_far->count++] = node;
    } else {
        so_far->several = true;
    }
}

bool mend_so_far(const struct mend *mend, struct ir_query *query)
{
    struct calendar_day today;
    struct so_far so_far = {.mend = mend};
    const struct mend_request *request = mend->request;
    if (!request->adds || !request->today || !calendar_read(request->today, &today) ||
        !asks_so_far(request->words)) {
        return false;
    }
    ir_query_walk(query, look, &so_far);
    if (!so_far.now || !so_far.count || so_far.several) {
        return false;
    }
    struct calendar_day last = calendar_add(today, so_far.unit, -1);
    struct calendar_day first = calendar_start(last, so_far.unit);
    const char *text =
        arena_format(mend->arena, "%04d-%02d-%02d/%04d-%02d-%02d", first.year,
                     first.month, first.day, last.year, last.month, last.day);
    VEC_PUSH(mend->arena, request->values, ((struct ir_value){text, true, NULL}));
    for (size_t i = 0; i < so_far.count; i++) {
        so_far.earlier[i]->args.items[1] = ir_node_token(
            mend->arena, (struct ir_token){IR_VALUE, (int)request->values->count - 1});
    }
    return true;
}
