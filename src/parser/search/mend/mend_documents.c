/*
 * "Average revenue per order" and "average order value": each order's lines are added up first. The
 * network takes the average of the lines. "Average spend per owner" is that of the sums of all
 * owners. And "average invoice per patient" is an amount of
 * money, not a number of invoices.
 */
#include "base/str.h"
#include "base/vec.h"
#include "parser/search/mend/mend_state.h"

static bool is_average(const char *word)
{
    static const char *const words[] = {"average", "avg", "mean"};
    return IS_AMONG(word, words);
}

/* What is added up for each document; a price is not. */
static bool is_sum(const char *word)
{
    static const char *const words[] = {"revenue", "value",    "amount",   "sales",
                                        "total",   "turnover", "income",   "spending",
                                        "spend",   "size",     "volume",   "quantity",
                                        "units",   "earnings", "proceeds", "takings"};
    return IS_AMONG(word, words);
}

/* Papers and purchases: each stands for itself, and nobody wants a list of all of them. */
static bool is_document(const char *word)
{
    static const char *const words[] = {
        "order",   "invoice",  "sale",    "purchase", "transaction", "booking",
        "receipt", "checkout", "basket",  "cart",     "bill",        "reservation",
        "payment", "donation", "expense", "claim",    "delivery",    "shipment"};
    return IS_AMONG(word, words);
}

/* "average revenue per order", "average order value": the document; NULL: neither is asked. */
static const char *asked(const struct tokens *words)
{
    for (size_t i = 0; i + 2 < words->count; i++) {
        const char *next = words->items[i + 1].text;
        if (!is_average(words->items[i].text)) {
            continue;
        }
        if (is_document(next) && is_sum(words->items[i + 2].text)) {
            return next;
        }
        for (size_t k = i + 2; is_sum(words->items[k - 1].text) && k + 1 < words->count;
             k++) {
            if (str_equal(words->items[k].text, "per")) {
                const char *document = words->items[k + 1].text;
                return is_document(document) ? document : NULL;
            }
        }
    }
    return NULL;
}

static void find_table(void *context, struct ir_node *node)
{
    int *found = context; /* the index of a column; -1: none yet, -2: of several copies */
    if (ir_node_is_column(node) && *found != -2) {
        *found = node->second || node->outer ? -2 : node->token.index;
    }
}

/* What people spend in all; "average amount per customer" may be that of each payment. */
static bool is_spending(const char *word)
{
    static const char *const words[] = {"spend",       "spending", "spendings",
                                        "expenditure", "turnover", "revenue",
                                        "earnings"};
    return IS_AMONG(word, words);
}

/* The table of "average spend per owner"; -1: it is not asked for. */
static int spender_asked(const struct mend *mend)
{
    const struct tokens *words = mend->request->words;
    for (size_t i = 0; i + 3 < words->count; i++) {
        if (is_average(words->items[i].text) && is_spending(words->items[i + 1].text) &&
            str_equal(words->items[i + 2].text, "per")) {
            return ir_table_called(mend->schema, words->items[i + 3].text);
        }
    }
    return -1;
}

/* [name,] avg(bills.amount) for each owner -> ratio(sum(bills.amount), count_d(owners.id)): over
 * all of them, and not the mean of the bills of each. */
static bool by_spender(const struct mend *mend, struct ir_query *query)
{
    const struct ir_schema *schema = mend->schema;
    int spender = spender_asked(mend);
    int key = spender >= 0 ? mend_key(mend, spender) : -1;
    struct ir_node *group = query->group.count == 1 ? query->group.items[0] : NULL;
    if (key < 0 || !ir_node_is_column(group) || group->second || query->having ||
        query->limit || query->per.count ||
        schema->columns[group->token.index].table != spender) {
        return false;
    }
    struct ir_node *average = NULL;
    for (size_t i = 0; i < query->select.count; i++) {
        struct ir_node *item = query->select.items[i];
        if (ir_node_aggregates(item) && (average || !ir_node_is(item, IR_AVG))) {
            return false;
        }
        average = ir_node_is(item, IR_AVG) ? item : average;
    }
    int column = -1;
    if (average) {
        ir_node_walk(average, find_table, &column);
    }
    int lines = column > 0 ? schema->columns[column].table : -1;
    if (lines < 0 || lines == spender || !ir_leads_to(schema, lines, spender)) {
        return false;
    }
    struct ir_node *whole =
        ir_node_call(mend->arena, IR_RATIO,
                     ir_node_call(mend->arena, IR_SUM, average->args.items[0], NULL),
                     ir_node_call(mend->arena, IR_COUNT_DISTINCT,
                                  ir_node_column(mend->arena, key, false), NULL));
    query->select.count = 0;
    VEC_PUSH(mend->arena, &query->select, whole);
    query->group.count = 0;
    query->order.count = 0;
    return true;
}

/* avg(lines.amount) -> ratio(sum(lines.amount), count_d(lines.order_id)) */
static bool by_document(const struct mend *mend, struct ir_query *query,
                        const char *document)
{
    const struct ir_schema *schema = mend->schema;
    size_t averages = 0;
    size_t at = 0;
    for (size_t i = 0; i < query->select.count; i++) {
        bool average = ir_node_is(query->select.items[i], IR_AVG);
        averages += average;
        at = average ? i : at;
        if (!average && ir_node_aggregates(query->select.items[i])) {
            return false;
        }
    }
    int column = -1;
    if (averages == 1) {
        ir_node_walk(query->select.items[at], find_table, &column);
    }
    int lines = column > 0 ? schema->columns[column].table : -1;
    for (int t = 0; lines >= 0 && t < schema->table_count; t++) {
        int key = t != lines && ir_is_called(ir_table_name(mend->schema, t), document)
                      ? mend_key_between(mend, lines, t)
                      : -1;
        if (key < 0) {
            continue;
        }
        bool each = query->group.count == 1 && ir_node_is_column(query->group.items[0]) &&
                    (schema->columns[query->group.items[0]->token.index].table == t ||
                     query->group.items[0]->token.index == schema->keys[key].from);
        struct ir_node *value = query->select.items[at]->args.items[0];
        struct ir_node *whole = ir_node_call(
            mend->arena, IR_RATIO, ir_node_call(mend->arena, IR_SUM, value, NULL),
            ir_node_call(mend->arena, IR_COUNT_DISTINCT,
                         ir_node_column(mend->arena, schema->keys[key].from, false),
                         NULL));
        query->select.items[at] = whole;
        if (each) { /* one figure, not one for each document */
            query->select.count = 0;
            VEC_PUSH(mend->arena, &query->select, whole);
            query->group.count = 0;
            query->order.count = 0;
        }
        return true;
    }
    return false;
}

/* The table of "average invoice per"; -1: it is not asked for. */
static int counted_asked(const struct mend *mend)
{
    const struct tokens *words = mend->request->words;
    for (size_t i = 0; i + 2 < words->count; i++) {
        const char *word = words->items[i + 1].text;
        bool per = is_average(words->items[i].text) && is_document(word) &&
                   str_equal(words->items[i + 2].text, "per");
        for (int t = 0; per && t < mend->schema->table_count; t++) {
            if (ir_is_called(ir_table_name(mend->schema, t), word)) {
                return t;
            }
        }
    }
    return -1;
}

/* ratio(count *, …) -> ratio(sum total, …) */
static bool by_amount(const struct mend *mend, struct ir_query *query)
{
    int table = counted_asked(mend);
    int amount = table >= 0 ? ir_amount_of(mend->schema, table) : 0;
    bool reads = false;
    for (size_t i = 0; amount && i < query->sources.count; i++) {
        reads = reads || query->sources.items[i].table == table;
    }
    for (size_t i = 0; reads && i < query->select.count; i++) {
        struct ir_node *item = query->select.items[i];
        bool ratio = ir_node_is(item, IR_RATIO) || ir_node_is(item, IR_DIVIDE);
        struct ir_node *upper = ratio ? item->args.items[0] : NULL;
        if (ir_node_is(upper, IR_COUNT) && ir_node_is_star(upper->args.items[0]) &&
            query->sources.count == 1) {
            item->args.items[0] = ir_node_call(
                mend->arena, IR_SUM, ir_node_column(mend->arena, amount, false), NULL);
            return true;
        }
    }
    return false;
}

bool mend_documents(const struct mend *mend, struct ir_query *query)
{
    const char *document = asked(mend->request->words);
    if (query->from || query->set != IR_PAD) {
        return false;
    }
    return (document && by_document(mend, query, document)) || by_spender(mend, query) ||
           by_amount(mend, query);
}
