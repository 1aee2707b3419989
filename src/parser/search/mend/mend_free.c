/* "Free tickets" are those that cost 0, where the table has one price and some are 0. */
#include "base/str.h"
#include "model/schema.h"
#include "parser/search/mend/mend_state.h"

/* "free tickets", "were free", "free of charge", "for free". Rooms and seats are free when nobody
 * has them. */
static bool says_free(const struct tokens *words)
{
    static const char *const places[] = {
        "room",    "rooms",    "seat",   "seats",   "table", "tables", "slot",
        "slots",   "spot",     "spots",  "bed",     "beds",  "place",  "places",
        "space",   "spaces",   "dock",   "docks",   "day",   "days",   "hour",
        "hours",   "desk",     "desks",  "time",    "times", "car",    "cars",
        "vehicle", "vehicles", "driver", "drivers", "stock", "memory", "from"};
    for (size_t i = 0; i < words->count; i++) {
        if (!str_equal(words->items[i].text, "free")) {
            continue;
        }
        for (size_t k = 0; k < words->count; k++) {
            if (IS_AMONG(words->items[k].text, places)) {
                return false;
            }
        }
        const char *next = i + 1 < words->count ? words->items[i + 1].text : "";
        bool mark = i && words->items[i - 1].kind == TOKEN_MARK; /* "gluten-free" */
        return !mark &&
               (!str_equal(next, "of") ||
                (i + 2 < words->count && str_equal(words->items[i + 2].text, "charge")));
    }
    return false;
}

/* Does the question itself ask for something that is missing: "without a rider"? */
static bool asks_for_missing(const struct tokens *words)
{
    static const char *const missing[] = {"without", "no",   "missing", "not",  "never",
                                          "unknown", "with", "has",     "have", "t"};
    for (size_t i = 0; i < words->count; i++) {
        if (IS_AMONG(words->items[i].text, missing)) {
            return true;
        }
    }
    return false;
}

/* The only price of a table, if some of its values are 0; 0: there is none. */
static int price_of(const struct ir_schema *schema, int table)
{
    static const char *const words[] = {"price", "fare", "fee", "cost", "charge"};
    const struct ir_table *info = &schema->tables[table];
    int found = 0;
    for (int i = info->first_column; i < info->first_column + info->column_count; i++) {
        const struct ir_column *column = &schema->columns[i];
        bool fits = false;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            fits = fits || str_contains_nocase(column->name, words[k]);
        }
        if (str_contains_nocase(column->name, "free")) {
            return 0;
        }
        if (fits && column->type == IR_TYPE_NUMBER) {
            if (found) {
                return 0;
            }
            found = i;
        }
    }
    double least = 0;
    const struct column *source = found ? schema->columns[found].source : NULL;
    bool zero = source && str_to_real(str_or_empty(source->least), &least) && least == 0;
    return zero ? found : 0;
}

/* Is the condition about this column: `price isnull`? */
static bool is_about(const struct ir_node *part, int column)
{
    const struct ir_node *left =
        part->kind == IR_NODE_CALL && part->args.count ? part->args.items[0] : NULL;
    return ir_node_is_column(left) && left->token.index == column;
}

/* Is something said of the free ones: "free rides were rated"? */
static bool goes_on(const struct tokens *words, size_t at)
{
    static const char *const verbs[] = {"is",   "are", "was",  "were", "get",
                                        "gets", "got", "come", "came", "did"};
    for (size_t i = at + 1; i < words->count; i++) {
        if (IS_AMONG(words->items[i].text, verbs)) {
            return true;
        }
    }
    return false;
}

/* "What fraction of the rides were free", but not "of the rides that were free" */
static bool is_predicate(const struct tokens *words, size_t at)
{
    static const char *const verbs[] = {"is", "are", "was", "were", "been", "be", "for"};
    static const char *const links[] = {"that", "which", "who"};
    return at > 1 && IS_AMONG(words->items[at - 1].text, verbs) &&
           !IS_AMONG(words->items[at - 2].text, links);
}

/* The place of the condition in percent(count(if …), …); NULL: no such item. */
static struct ir_node **part_asked(struct ir_query *query)
{
    for (size_t i = 0; i < query->select.count; i++) {
        struct ir_node *item = query->select.items[i];
        bool share = ir_node_is(item, IR_PERCENT) || ir_node_is(item, IR_RATIO);
        struct ir_node *upper = share ? item->args.items[0] : NULL;
        bool counts = ir_node_is(upper, IR_COUNT) || ir_node_is(upper, IR_SUM);
        if (counts && ir_node_is(upper->args.items[0], IR_IF) &&
            ir_node_is(item->args.items[1], IR_COUNT)) {
            return &upper->args.items[0]->args.items[0];
        }
    }
    return NULL;
}

/* Is the share of the free ones asked for, so that this condition of it means them? */
static bool asks_for_share(const struct tokens *words, const struct ir_node *part,
                           int price)
{
    bool missing = ir_node_is(part, IR_IS_NULL) || ir_node_is(part, IR_NOT_NULL) ||
                   ir_node_is(part, IR_NOT_IN);
    for (size_t i = 0; i < words->count; i++) {
        if (str_equal(words->items[i].text, "free")) {
            return is_about(part, price) || is_predicate(words, i) ||
                   (missing && !asks_for_missing(words) && !goes_on(words, i));
        }
    }
    return false;
}

bool mend_free(const struct mend *mend, struct ir_query *query)
{
    if (query->from || query->set != IR_PAD || !query->sources.count ||
        !says_free(mend->request->words)) {
        return false;
    }
    int found = 0;
    for (size_t i = 0; i < query->sources.count; i++) {
        int price = query->sources.items[i].second
                        ? 0
                        : price_of(mend->schema, query->sources.items[i].table);
        if (price && found) {
            return false;
        }
        found = price ? price : found;
    }
    if (!found) {
        return false;
    }
    struct ir_node *where = NULL;
    for (size_t i = 0; i < mend_part_count(query->where); i++) {
        struct ir_node *part = *mend_part(&query->where, i);
        bool missing = (ir_node_is(part, IR_IS_NULL) || ir_node_is(part, IR_NOT_NULL)) &&
                       !asks_for_missing(mend->request->words);
        where = is_about(part, found) || missing ? where : mend_and(mend, where, part);
    }
    struct ir_node *zero =
        ir_node_token(mend->arena, (struct ir_token){IR_FIXED, IR_FIXED_ZERO});
    struct ir_node *free_ones = ir_node_call(
        mend->arena, IR_EQUAL, ir_node_column(mend->arena, found, false), zero);
    struct ir_node **part = part_asked(query);
    if (part && asks_for_share(mend->request->words, *part, found)) {
        *part = free_ones;
        query->where = where;
        return true;
    }
    query->where = mend_and(mend, where, free_ones);
    return true;
}
