/* "Between 7 and 9 in the morning" ends at 9:00, and "after 5 pm" begins then: an hour stands for
 * all its minutes. */
#include <stdlib.h>

#include "base/str.h"
#include "parser/search/mend/mend_state.h"
#include "parser/words/times.h"

enum { FOUND_MOST = 4 };

/* A full hour that begins here, "9", "9 am" or "9:00"; *end: the word after it. */
static bool is_hour(const struct tokens *words, size_t at, const char *text, size_t *end)
{
    struct time_of_day time;
    double number;
    double wanted;
    if (at >= words->count || !str_to_real(text, &wanted)) {
        return false;
    }
    if (times_at(words, at, &time)) {
        *end = time.end;
        return !time.minute && (double)time.hour == wanted;
    }
    *end = at + 1;
    return words->items[at].kind == TOKEN_NUMBER && !words->items[at].quoted &&
           str_to_real(words->items[at].text, &number) && number == wanted;
}

/* "between 7 and 9", "from 7 am to 9 am", but not "hours 7 to 9" */
static bool says_span(const struct tokens *words, const char *from, const char *to)
{
    static const char *const links[] = {"and", "to", "until", "till", "-"};
    static const char *const whole[] = {"hour", "hours"};
    static const char *const last[] = {"inclusive", "inclusively", "included"};
    for (size_t i = 0; i < words->count; i++) {
        size_t end = 0;
        if (!is_hour(words, i, from, &end) || end >= words->count ||
            (i && IS_AMONG(words->items[i - 1].text, whole)) ||
            !IS_AMONG(words->items[end].text, links)) {
            continue;
        }
        if (is_hour(words, end + 1, to, &end)) {
            return end >= words->count || !IS_AMONG(words->items[end].text, last);
        }
    }
    return false;
}

static bool says_after(const struct tokens *words, const char *hour)
{
    static const char *const leads[] = {"after", "past"};
    for (size_t i = 1; i < words->count; i++) {
        size_t end = 0;
        if (IS_AMONG(words->items[i - 1].text, leads) && is_hour(words, i, hour, &end)) {
            return true;
        }
    }
    return false;
}

struct hours {
    struct ir_node *items[FOUND_MOST];
    size_t count;
};

static void collect(void *context, struct ir_node *node)
{
    struct hours *hours = context;
    bool compared = ir_node_is(node, IR_BETWEEN) || ir_node_is(node, IR_AND) ||
                    ir_node_is(node, IR_GREATER);
    if (node->kind == IR_NODE_QUERY) {
        ir_query_walk(node->query, collect, context);
    }
    if (compared && hours->count < FOUND_MOST &&
        (ir_node_is(node, IR_AND) || ir_node_is(node->args.items[0], IR_HOUR_OF))) {
        hours->items[hours->count++] = node;
    }
}

/* `hour >= 7 and hour < 9`; over midnight, `hour >= 22 or hour < 2` */
static bool open_between(const struct mend *mend, struct ir_node *node)
{
    const char *from = mend_text(mend, node->args.items[1]);
    const char *to = mend_text(mend, node->args.items[2]);
    if (!from || !to || !says_span(mend->request->words, from, to)) {
        return false;
    }
    bool over = strtod(from, NULL) > strtod(to, NULL);
    struct ir_node *hour = node->args.items[0];
    struct ir_node *least =
        ir_node_call(mend->arena, IR_AT_LEAST, hour, node->args.items[1]);
    struct ir_node *less = ir_node_call(mend->arena, IR_LESS, hour, node->args.items[2]);
    *node = *ir_node_call(mend->arena, over ? IR_OR : IR_AND, least, less);
    return true;
}

/* `hour >= 7 and hour <= 9` */
static bool open_end(const struct mend *mend, struct ir_node *node)
{
    struct ir_node *least = NULL;
    struct ir_node *most = NULL;
    for (size_t i = 0; i < node->args.count; i++) {
        struct ir_node *part = node->args.items[i];
        bool hour = part->args.count == 2 && ir_node_is(part->args.items[0], IR_HOUR_OF);
        least = hour && ir_node_is(part, IR_AT_LEAST) ? part : least;
        most = hour && ir_node_is(part, IR_AT_MOST) ? part : most;
    }
    const char *from = least ? mend_text(mend, least->args.items[1]) : NULL;
    const char *to = most ? mend_text(mend, most->args.items[1]) : NULL;
    if (!from || !to || !says_span(mend->request->words, from, to)) {
        return false;
    }
    most->keyword = IR_LESS;
    return true;
}

static bool open_after(const struct mend *mend, struct ir_node *node)
{
    const char *hour = mend_text(mend, node->args.items[1]);
    if (!hour || !says_after(mend->request->words, hour)) {
        return false;
    }
    node->keyword = IR_AT_LEAST;
    return true;
}

bool mend_span(const struct mend *mend, struct ir_query *query)
{
    struct hours hours = {.count = 0};
    bool changed = false;
    ir_query_walk(query, collect, &hours);
    for (size_t i = 0; i < hours.count; i++) {
        struct ir_node *node = hours.items[i];
        bool done = ir_node_is(node, IR_BETWEEN) ? open_between(mend, node)
                    : ir_node_is(node, IR_AND)   ? open_end(mend, node)
                                                 : open_after(mend, node);
        changed = done || changed;
    }
    return changed;
}
