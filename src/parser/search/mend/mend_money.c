/* "Total expenses" and "expenses per month": the sum of what they cost, where the table has one
 * amount. The network counts the rows. */
#include "parser/search/mend/mend_state.h"
#include "parser/words/money.h"

/* The table whose amounts are meant; -1: none. */
static int table_asked(const struct mend *mend)
{
    const struct tokens *words = mend->request->words;
    for (size_t i = 0; i < words->count; i++) {
        int table = money_meaning(words, i) == MONEY_NOT_MEANT
                        ? -1
                        : ir_table_called(mend->schema, words->items[i].text);
        if (table >= 0) {
            return table;
        }
    }
    return -1;
}

/* Is each row of the table there once? */
static bool reads_once(const struct mend *mend, const struct ir_query *query, int table)
{
    bool reads = false;
    for (size_t i = 0; i < query->sources.count; i++) {
        const struct ir_source *source = &query->sources.items[i];
        if (source->second || source->left ||
            !ir_leads_to(mend->schema, table, source->table)) {
            return false;
        }
        reads = reads || source->table == table;
    }
    return reads;
}

struct adding {
    const struct mend *mend;
    int amount;
    bool apply;
    bool counts; /* count * is there */
    bool other;  /* and another figure */
};

static void visit(void *context, struct ir_node *node)
{
    struct adding *work = context;
    if (node->kind != IR_NODE_CALL || !ir_is_aggregate(node->keyword)) {
        return;
    }
    if (!ir_node_is(node, IR_COUNT) || !ir_node_is_star(node->args.items[0])) {
        work->other = true;
    } else if (work->apply) {
        node->keyword = IR_SUM;
        node->args.items[0] = ir_node_column(work->mend->arena, work->amount, false);
    } else {
        work->counts = true;
    }
}

bool mend_money(const struct mend *mend, struct ir_query *query)
{
    struct adding work = {.mend = mend};
    if (query->from || query->set != IR_PAD || query->having) {
        return false;
    }
    int table = table_asked(mend);
    work.amount = table >= 0 ? ir_amount_of(mend->schema, table) : 0;
    if (!work.amount || !reads_once(mend, query, table)) {
        return false;
    }
    ir_query_walk(query, visit, &work);
    if (!work.counts || work.other) {
        return false;
    }
    work.apply = true;
    ir_query_walk(query, visit, &work);
    return true;
}
