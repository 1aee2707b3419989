/* "Sold on the day of the performance": the network compares the two times themselves, or counts
 * the days between them. */
#include "base/str.h"
#include "parser/search/mend/mend_state.h"

struct dates {
    const struct mend *mend;
    struct ir_node *items[2];
    size_t count;
    bool others;
};

static bool says(const struct tokens *words, size_t at, const char *text)
{
    return at < words->count && str_equal(words->items[at].text, text);
}

/* "on the day of the", "on the same day as", "before the day of the"; PAD: none of them. */
static enum ir_keyword asked(const struct tokens *words)
{
    for (size_t i = 2; i < words->count; i++) {
        if (!says(words, i, "day")) {
            continue;
        }
        bool thing = says(words, i + 1, "of") && i + 2 < words->count &&
                     words->items[i + 2].kind == TOKEN_WORD;
        if (says(words, i - 1, "same") && !says(words, i + 1, "of")) {
            return IR_EQUAL;
        }
        if (thing && says(words, i - 1, "the")) {
            const char *lead = words->items[i - 2].text;
            return str_equal(lead, "on")       ? IR_EQUAL
                   : str_equal(lead, "before") ? IR_LESS
                   : str_equal(lead, "after")  ? IR_GREATER
                                               : IR_PAD;
        }
    }
    return IR_PAD;
}

static void collect(void *context, struct ir_node *node)
{
    struct dates *dates = context;
    if (node->kind == IR_NODE_QUERY) {
        dates->others = true;
    }
    if (!ir_node_is_column(node)) {
        return;
    }
    bool time = dates->mend->schema->columns[node->token.index].type == IR_TYPE_TIME &&
                dates->count < 2;
    if (time) {
        dates->items[dates->count++] = node;
    } else {
        dates->others = true;
    }
}

static bool is_comparison(const struct ir_node *part)
{
    return ir_node_is(part, IR_EQUAL) || ir_node_is(part, IR_LESS) ||
           ir_node_is(part, IR_GREATER) || ir_node_is(part, IR_AT_MOST) ||
           ir_node_is(part, IR_AT_LEAST) || ir_node_is(part, IR_BETWEEN);
}

/* Which of the two dates does `a < b` call the earlier one? The first, unless it says so the other
 * way round. */
static bool is_turned(const struct ir_node *part)
{
    return ir_node_is_column(part->args.items[0]) &&
           (ir_node_is(part, IR_GREATER) || ir_node_is(part, IR_AT_LEAST));
}

bool mend_same_day(const struct mend *mend, struct ir_query *query)
{
    enum ir_keyword wanted = asked(mend->request->words);
    for (size_t i = 0; wanted != IR_PAD && i < mend_part_count(query->where); i++) {
        struct ir_node **part = mend_part(&query->where, i);
        struct dates dates = {.mend = mend};
        if (!is_comparison(*part)) {
            continue;
        }
        ir_node_walk(*part, collect, &dates);
        bool plain = ir_node_is_column((*part)->args.items[0]) &&
                     ir_node_is_column((*part)->args.items[1]);
        if (dates.count != 2 || dates.others ||
            ir_node_same(dates.items[0], dates.items[1]) ||
            (wanted != IR_EQUAL && !plain)) {
            continue;
        }
        bool turned = wanted != IR_EQUAL && is_turned(*part) == (wanted == IR_LESS);
        *part =
            ir_node_call(mend->arena, wanted,
                         ir_node_call(mend->arena, IR_DAY, dates.items[turned], NULL),
                         ir_node_call(mend->arena, IR_DAY, dates.items[!turned], NULL));
        return true;
    }
    return false;
}
