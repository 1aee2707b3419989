/* "Quantity shipped in March 2026" is one number, where month and year are columns; and
 * "which month had the highest quantity?" where each month has many rows: by their sum, and not
 * by the one row with the highest. */
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/search/mend/mend_state.h"

enum { REPEATED_LEAST = 2 }; /* rows of each value, on average */

bool mend_is_amount(const char *name)
{
    static const char *const words[] = {
        "quantity", "qty",   "amount", "revenue", "sales", "sold",  "turnover",
        "volume",   "units", "spend",  "spent",   "gross", "total", "kwh"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(name, words[i])) {
            return true;
        }
    }
    return false;
}

/* "the largest single payment", "in one day", "average amount", "amount per order": not the
 * sum. */
static bool asks_for_sum(const struct tokens *words)
{
    static const char *const others[] = {
        "single", "individual", "one",    "average", "mean",    "median", "per",
        "each",   "ever",       "record", "avg",     "maximum", "max",    "minimum",
        "min",    "percent",    "ratio",  "row",     "line",    "entry"};
    bool said = false;
    for (size_t i = 0; i < words->count; i++) {
        said = said || mend_is_amount(words->items[i].text);
        if (str_is_among(words->items[i].text, others, sizeof others / sizeof *others)) {
            return false;
        }
    }
    return said;
}

/* Has the table several rows of most values of this column? */
static bool repeats(const struct ir_schema *schema, int index)
{
    const struct ir_column *column = &schema->columns[index];
    const struct table *table = schema->tables[column->table].source;
    int64_t distinct = column->source ? column->source->distinct : -1;
    if (distinct < 0 && column->source && column->source->samples_all) {
        distinct = (int64_t)column->source->samples.count;
    }
    return !column->unique && table && table->row_count > 0 && distinct > 0 &&
           table->row_count >= distinct * REPEATED_LEAST;
}

/* What to group by, so that each is one of what is shown; NULL: each row is one already. */
static struct ir_node *group_of(const struct mend *mend, const struct ir_node *shown,
                                const struct ir_node *amount)
{
    const struct ir_schema *schema = mend->schema;
    int table = schema->columns[shown->token.index].table;
    int other = schema->columns[amount->token.index].table;
    if (shown->second || amount->second ||
        mend_is_amount(schema->columns[shown->token.index].name)) {
        return NULL;
    }
    if (table == other) {
        return repeats(schema, shown->token.index)
                   ? ir_node_column(mend->arena, shown->token.index, false)
                   : NULL;
    }
    int own = -1;
    int far = mend_join_column(mend, other, table, &own);
    int key = mend_key(mend, table);
    return far >= 0 && repeats(schema, far)
               ? ir_node_column(mend->arena, key >= 0 ? key : own, false)
               : NULL;
}

/* select what [, amount] from … order amount limit 1 */
static bool has_form(const struct ir_query *query)
{
    if (query->from || query->group.count || query->having || query->per.count ||
        query->set != IR_PAD || query->order.count != 1 || !query->limit ||
        query->offset || query->select.count < 1 || query->select.count > 2) {
        return false;
    }
    const struct ir_node *amount = query->order.items[0].node;
    return ir_node_is_column(query->select.items[0]) && ir_node_is_column(amount) &&
           !ir_node_same(query->select.items[0], amount) &&
           (query->select.count == 1 || ir_node_same(query->select.items[1], amount));
}

bool mend_peak(const struct mend *mend, struct ir_query *query)
{
    if (!has_form(query) || !asks_for_sum(mend->request->words)) {
        return false;
    }
    struct ir_node *amount = query->order.items[0].node;
    struct ir_node *group =
        mend_is_amount(mend->schema->columns[amount->token.index].name)
            ? group_of(mend, query->select.items[0], amount)
            : NULL;
    if (!group) {
        return false;
    }
    query->distinct = false;
    VEC_PUSH(mend->arena, &query->group, group);
    query->order.items[0].node = ir_node_call(mend->arena, IR_SUM, amount, NULL);
    if (query->select.count == 2) {
        query->select.items[1] = ir_node_call(mend->arena, IR_SUM, amount, NULL);
    }
    return true;
}

/* A condition on a column of months or of years. */
static bool tests_month(const struct mend *mend, struct ir_query *query)
{
    for (size_t i = 0; i < mend_part_count(query->where); i++) {
        const struct ir_node *part = *mend_part(&query->where, i);
        bool test = (ir_node_is(part, IR_EQUAL) || ir_node_is(part, IR_IN)) &&
                    ir_node_is_column(part->args.items[0]);
        const char *name =
            test ? mend->schema->columns[part->args.items[0]->token.index].name : "";
        if (str_contains_nocase(name, "month") || str_contains_nocase(name, "year")) {
            return true;
        }
    }
    return false;
}

bool mend_total(const struct mend *mend, struct ir_query *query)
{
    const struct tokens *words = mend->request->words;
    const struct ir_node *shown =
        query->select.count == 1 ? query->select.items[0] : NULL;
    if (query->from || query->distinct || query->group.count || query->having ||
        query->order.count || query->limit || query->set != IR_PAD ||
        !ir_node_is_column(shown) || !words->count ||
        !mend_is_amount(words->items[0].text) || !asks_for_sum(words) ||
        !mend_is_amount(mend->schema->columns[shown->token.index].name) ||
        !tests_month(mend, query)) {
        return false;
    }
    query->select.items[0] =
        ir_node_call(mend->arena, IR_SUM, query->select.items[0], NULL);
    return true;
}
