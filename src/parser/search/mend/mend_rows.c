/* Questions for things that are answered with one row: "venues without a seat count" are no
 * number, and "newest patrons" are several. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/search/mend/mend_state.h"

enum { NAME_NEAR = 3 }; /* words between "without" and "count" */

/* Does the token say the name of a table that the query reads, in the plural? */
static bool is_things(const struct mend *mend, const struct token *token)
{
    if (token->kind != TOKEN_WORD || !str_ends(token->text, "s")) {
        return false;
    }
    for (size_t i = 0; i < mend->tokens->count; i++) {
        struct ir_token part = mend->tokens->items[i];
        int table = part.kind == IR_TABLE ? part.index
                    : part.kind == IR_COLUMN && part.index > 0
                        ? mend->schema->columns[part.index].table
                        : -1;
        const char *name = table >= 0 ? mend->schema->tables[table].name : "";
        size_t size = strlen(name);
        if (str_equal_nocase(name, token->text) ||
            (size && size + 1 == strlen(token->text) &&
             str_starts_nocase(token->text, name))) {
            return true;
        }
    }
    return false;
}

/* Where what is asked for begins: behind "show me the". */
static size_t after_lead(const struct tokens *words)
{
    static const char *const leads[] = {"show", "list", "give", "me",  "us",
                                        "the",  "all",  "our",  "find"};
    size_t at = 0;
    while (at < words->count && IS_AMONG(words->items[at].text, leads)) {
        at++;
    }
    return at;
}

/* "without a seat count": the only count is one that the things have or lack. */
static bool has_count_of_their_own(const struct tokens *words)
{
    static const char *const leads[] = {"without", "missing", "lacking", "with"};
    static const char *const others[] = {"many", "number", "total", "much", "amount"};
    size_t own = 0;
    for (size_t i = 1; i < words->count; i++) {
        if (IS_AMONG(words->items[i].text, others)) {
            return false;
        }
        if (!str_equal(words->items[i].text, "count")) {
            continue;
        }
        bool led = false;
        for (size_t k = 1; k <= NAME_NEAR && k <= i; k++) {
            led = led || (k > 1 && IS_AMONG(words->items[i - k].text, leads));
        }
        if (!led) {
            return false;
        }
        own++;
    }
    return own == 1;
}

/* Before the first word of the question stands no "count", so the things are wanted. */
bool mend_things(const struct mend *mend, struct ir_query *query)
{
    const struct tokens *words = mend->request->words;
    size_t at = after_lead(words);
    if (query->from || query->group.count || query->having || query->set != IR_PAD ||
        query->per.count || query->order.count || query->select.count != 1 ||
        !ir_node_is(query->select.items[0], IR_COUNT) || at >= words->count ||
        !is_things(mend, &words->items[at]) || !has_count_of_their_own(words)) {
        return false;
    }
    query->select.items[0] = ir_node_token(mend->arena, (struct ir_token){IR_COLUMN, 0});
    return true;
}

/* "Newest patrons", and nobody says how many. */
bool mend_several(const struct mend *mend, struct ir_query *query)
{
    static const char *const first[] = {"newest",   "latest",   "oldest",  "youngest",
                                        "cheapest", "longest",  "largest", "biggest",
                                        "smallest", "shortest", "earliest"};
    const struct tokens *words = mend->request->words;
    size_t at = after_lead(words);
    bool one = query->limit && query->limit->kind == IR_NODE_TOKEN &&
               query->limit->token.kind == IR_FIXED &&
               query->limit->token.index == IR_FIXED_ONE;
    bool plain = !query->from && !query->group.count && query->set == IR_PAD &&
                 !query->per.count && !query->offset && query->order.count == 1 &&
                 !ir_node_aggregates(query->order.items[0].node);
    if (!one || !plain || at + 1 >= words->count ||
        !IS_AMONG(words->items[at].text, first) ||
        !is_things(mend, &words->items[at + 1])) {
        return false;
    }
    query->limit = NULL;
    return true;
}

/* "Highest monthly kWh": the month with the most, and not the largest row of each month. */
bool mend_every(const struct mend *mend, struct ir_query *query)
{
    static const char *const highest[] = {"highest", "largest", "biggest", "peak",
                                          "maximum", "max",     "top",     "best"};
    static const char *const every[] = {"daily",     "weekly", "monthly",
                                        "quarterly", "yearly", "annual"};
    const struct tokens *words = mend->request->words;
    size_t at = after_lead(words);
    bool said = at + 1 < words->count && IS_AMONG(words->items[at].text, highest) &&
                IS_AMONG(words->items[at + 1].text, every);
    if (!said || query->from || query->group.count != 1 || query->having ||
        query->set != IR_PAD || query->per.count || query->limit ||
        query->select.count != 2 || !ir_node_is(query->select.items[1], IR_MAX) ||
        !ir_node_same(query->select.items[0], query->group.items[0])) {
        return false;
    }
    struct ir_node *amount = query->select.items[1]->args.items[0];
    if (!ir_node_is_column(amount) ||
        !mend_is_amount(mend->schema->columns[amount->token.index].name)) {
        return false;
    }
    struct ir_node *sum = ir_node_call(mend->arena, IR_SUM, amount, NULL);
    query->select.items[1] = sum;
    query->order.count = 0;
    VEC_PUSH(mend->arena, &query->order, ((struct ir_order){sum, true}));
    query->limit = ir_node_token(mend->arena, (struct ir_token){IR_FIXED, IR_FIXED_ONE});
    return true;
}
