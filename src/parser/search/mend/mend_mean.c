/* "Temperature change from May to July": between the averages of the two periods, because the
 * sums only tell how often somebody measured. */
#include "base/str.h"
#include "parser/search/mend/mend_state.h"
#include "parser/search/sense/sense.h"

struct averaging {
    const struct mend *mend;
    bool changed;
};

/* "Price change": a price that is named is meant itself; as revenue it is added up. */
static bool is_named_rate(const struct mend *mend, const char *name)
{
    static const char *const rates[] = {"price", "salary", "wage",   "age",
                                        "speed", "height", "weight", "rate"};
    const struct tokens *words = mend->request->words;
    for (size_t i = 0; i < words->count; i++) {
        if (IS_AMONG(words->items[i].stem, rates) &&
            str_contains_nocase(name, words->items[i].stem)) {
            return true;
        }
    }
    return false;
}

/* sum if … then temperature else 0 */
static void visit(void *context, struct ir_node *node)
{
    struct averaging *work = context;
    struct ir_node *inner = ir_node_is(node, IR_SUM) ? node->args.items[0] : NULL;
    if (!ir_node_is(inner, IR_IF) || !ir_node_is_column(inner->args.items[1])) {
        return;
    }
    const struct mend *mend = work->mend;
    const char *name = mend->schema->columns[inner->args.items[1]->token.index].name;
    if (sense_is_level(name) || is_named_rate(mend, name)) {
        node->keyword = IR_AVG;
        inner->args.count = 2; /* rows of other periods are no zeros */
        work->changed = true;
    }
}

bool mend_mean(const struct mend *mend, struct ir_query *query)
{
    struct averaging work = {mend, false};
    if (!sense_asks_for_total(mend->request->question)) {
        ir_query_walk(query, visit, &work);
    }
    return work.changed;
}
