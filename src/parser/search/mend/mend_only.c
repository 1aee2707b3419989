/* "Riders who only rode electric bikes" have ridden some, and none of another kind. Where one
 * thing has one value ("orders only from Rome"), "only" adds nothing. */
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "parser/search/mend/mend_state.h"

/* Where the words after "only" begin in the question; NULL: it says nothing of this kind. "Show
 * only", "the only", "only 2" and "in 2026 only" do not. */
static const char *after_only(const struct tokens *words)
{
    static const char *const only[] = {"only", "solely", "exclusively"};
    static const char *const before[] = {"show", "list", "display", "give",   "the",
                                         "not",  "want", "but",     "me",     "count",
                                         "see",  "an",   "and",     "include"};
    static const char *const after[] = {"those", "these", "the",  "one",   "once",
                                        "a",     "an",    "show", "twice", "show",
                                        "ones",  "some",  "few",  "?",     "."};
    for (size_t i = 1; i + 1 < words->count; i++) {
        if (IS_AMONG(words->items[i].text, only) && !words->items[i].quoted &&
            !IS_AMONG(words->items[i - 1].text, before) &&
            !IS_AMONG(words->items[i + 1].text, after) &&
            words->items[i + 1].kind != TOKEN_NUMBER) {
            return words->text + words->items[i + 1].start;
        }
    }
    return NULL;
}

/* A condition on a column that says which ones; its column, or -1. */
static int column_tested(const struct ir_node *part)
{
    static const enum ir_keyword words[] = {IR_EQUAL,  IR_IN,   IR_CONTAINS,
                                            IR_STARTS, IR_ENDS, IR_DURING};
    for (size_t i = 0; part && i < sizeof words / sizeof *words; i++) {
        if (ir_node_is(part, words[i]) && part->args.count >= 2 &&
            ir_node_is_column(part->args.items[0]) &&
            part->args.items[1]->kind != IR_NODE_QUERY) {
            return part->args.items[0]->token.index;
        }
    }
    return -1;
}

static bool is_said(const struct mend *mend, const struct ir_node *part,
                    const char *after)
{
    const struct ir_values *values = mend->request->values;
    for (size_t i = 1; i < part->args.count; i++) {
        const char *text = mend_text(mend, part->args.items[i]);
        const char *said =
            text ? values->items[part->args.items[i]->token.index].said : NULL;
        if (text &&
            (str_find_nocase(after, text) || (said && str_find_nocase(after, said)))) {
            return true;
        }
    }
    return false;
}

/* The condition that "only" is about: the only one whose value is said after it, else the only
 * one at all. Its place, or the number of parts. */
static size_t part_meant(const struct mend *mend, struct ir_node **where,
                         const char *after)
{
    size_t count = mend_part_count(*where);
    size_t said = count;
    size_t any = count;
    size_t said_count = 0;
    size_t any_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ir_node *part = *mend_part(where, i);
        if (column_tested(part) < 0) {
            continue;
        }
        any = i;
        any_count++;
        if (is_said(mend, part, after)) {
            said = i;
            said_count++;
        }
    }
    return said_count == 1 ? said : said_count == 0 && any_count == 1 ? any : count;
}

static void deny(const struct mend *mend, struct ir_node **part)
{
    static const enum ir_keyword pairs[][2] = {
        {IR_EQUAL, IR_UNEQUAL}, {IR_IN, IR_NOT_IN}, {IR_CONTAINS, IR_NOT_CONTAINS}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (ir_node_is(*part, pairs[i][0])) {
            (*part)->keyword = pairs[i][1];
            return;
        }
    }
    *part = ir_node_call(mend->arena, IR_NOT, *part, NULL);
}

/* What tells the things apart that the query shows: the key of their table, or what it
 * counts. -1: it shows something else. */
static int thing_of(const struct mend *mend, const struct ir_query *query)
{
    int table = -1;
    for (size_t i = 0; i < query->select.count; i++) {
        const struct ir_node *item = query->select.items[i];
        bool counts = ir_node_is(item, IR_COUNT_DISTINCT) && query->select.count == 1 &&
                      ir_node_is_column(item->args.items[0]);
        if (counts) {
            return item->args.items[0]->second ? -1 : item->args.items[0]->token.index;
        }
        if (!ir_node_is_column(item) || item->second) {
            return -1;
        }
        int own = mend->schema->columns[item->token.index].table;
        if (table >= 0 && own != table) {
            return -1;
        }
        table = own;
    }
    return table >= 0 ? mend_key(mend, table) : -1;
}

static struct ir_node *none_of(const struct mend *mend, int column,
                               struct ir_query *others)
{
    struct ir_node *shown = others->select.items[0];
    if (!mend->schema->columns[shown->token.index].primary) {
        others->where = mend_and(
            mend, others->where,
            ir_node_call(mend->arena, IR_NOT_NULL,
                         ir_node_column(mend->arena, shown->token.index, false), NULL));
    }
    others->distinct = false;
    others->group.count = 0;
    others->having = NULL;
    others->order.count = 0;
    others->limit = NULL;
    others->offset = NULL;
    return ir_node_call(mend->arena, IR_NOT_IN,
                        ir_node_column(mend->arena, column, false),
                        ir_node_query(mend->arena, others));
}

/* The condition is about the tables that the query joins. */
static bool exclude_joined(const struct mend *mend, struct ir_query *query,
                           const char *after)
{
    int thing = thing_of(mend, query);
    size_t at = part_meant(mend, &query->where, after);
    struct ir_query *others = thing >= 0 ? mend_again(mend) : NULL;
    if (!others || at == mend_part_count(query->where) || query->having) {
        return false;
    }
    int tested = column_tested(*mend_part(&query->where, at));
    int table = mend->schema->columns[thing].table;
    bool own = mend->schema->columns[thing].unique;
    int holder = table;
    for (int i = 0; !own && i < mend->schema->key_count; i++) { /* what a count counts */
        holder = mend->schema->keys[i].from == thing
                     ? mend->schema->columns[mend->schema->keys[i].to].table
                     : holder;
    }
    if (ir_leads_to(mend->schema, holder, mend->schema->columns[tested].table) ||
        (!own && holder == table)) {
        return false;
    }
    deny(mend, mend_part(&others->where, at));
    others->select.count = 0;
    VEC_PUSH(mend->arena, &others->select, ir_node_column(mend->arena, thing, false));
    query->where = mend_and(mend, query->where, none_of(mend, thing, others));
    if (own && !query->group.count && ir_node_is_column(query->select.items[0])) {
        query->distinct = false; /* each thing once, also those that look the same */
        VEC_PUSH(mend->arena, &query->group, ir_node_column(mend->arena, thing, false));
    }
    return true;
}

/* It is inside a query that lists the things: id in (select rider_id …) */
static bool exclude_listed(const struct mend *mend, struct ir_query *query,
                           const char *after)
{
    for (size_t i = 0; i < mend_part_count(query->where); i++) {
        const struct ir_node *part = *mend_part(&query->where, i);
        bool lists = ir_node_is(part, IR_IN) && ir_node_is_column(part->args.items[0]) &&
                     part->args.items[1]->kind == IR_NODE_QUERY &&
                     mend->schema->columns[part->args.items[0]->token.index].unique;
        struct ir_query *again = lists ? mend_again(mend) : NULL;
        struct ir_query *others =
            again ? (*mend_part(&again->where, i))->args.items[1]->query : NULL;
        if (!others || others->set != IR_PAD || others->select.count != 1 ||
            !ir_node_is_column(others->select.items[0]) || others->having) {
            continue;
        }
        size_t at = part_meant(mend, &others->where, after);
        if (at < mend_part_count(others->where)) {
            int column = part->args.items[0]->token.index;
            deny(mend, mend_part(&others->where, at));
            query->where = mend_and(mend, query->where, none_of(mend, column, others));
            return true;
        }
    }
    return false;
}

static bool denies_already(const struct ir_tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        if (ir_is(tokens->items[i], IR_NOT_IN) || ir_is(tokens->items[i], IR_EXCEPT) ||
            ir_is(tokens->items[i], IR_NOT)) {
            return true;
        }
    }
    return false;
}

bool mend_only(const struct mend *mend, struct ir_query *query)
{
    const char *after = after_only(mend->request->words);
    return after && !denies_already(mend->tokens) && !query->from && query->where &&
           query->set == IR_PAD &&
           (exclude_listed(mend, query, after) || exclude_joined(mend, query, after));
}
