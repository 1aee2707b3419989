/* "Number of repairs and number of rides per bike": the network writes two figures over
 * everything, `select (select count …) (select count …) from repairs limit1`. Each of them for
 * each bike, where both tables refer to it. */
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/search/mend/mend_state.h"

/* "bikes" and "ride_bikes" for "bike" */
static bool is_called(const char *table, const struct token *word)
{
    size_t size = strlen(table);
    size_t own = strlen(word->text);
    size_t ending = size > own && strchr("sS", table[size - 1]) ? 1 : 0;
    if (own < size - ending) {
        return false;
    }
    return own == size - ending && str_starts_nocase(table, word->text);
}

/* The table after the last "per", "by" or "each"; -1: none. */
static int table_asked(const struct mend *mend)
{
    static const char *const leads[] = {"per", "each", "every"};
    static const char *const between[] = {"of", "the", "our", "single"};
    const struct tokens *words = mend->request->words;
    int found = -1;
    for (size_t i = 0; i + 1 < words->count; i++) {
        size_t at = i + 1;
        while (at + 1 < words->count && IS_AMONG(words->items[at].text, between)) {
            at++;
        }
        for (int t = 0;
             IS_AMONG(words->items[i].text, leads) && t < mend->schema->table_count;
             t++) {
            const struct table *table = mend->schema->tables[t].source;
            found = is_called(table ? table->bare_name : mend->schema->tables[t].name,
                              &words->items[at])
                        ? t
                        : found;
        }
    }
    return found;
}

/* How a thing of the table is shown: its name, else another text, else its key. */
static int shown_of(const struct mend *mend, int table)
{
    static const char *const words[] = {"name", "title", "label", "model", ""};
    const struct ir_table *info = &mend->schema->tables[table];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        for (int i = info->first_column; i < info->first_column + info->column_count;
             i++) {
            const struct ir_column *column = &mend->schema->columns[i];
            if (column->type == IR_TYPE_TEXT &&
                str_contains_nocase(column->name, words[k])) {
                return i;
            }
        }
    }
    return mend_key(mend, table);
}

static void find_outer(void *context, struct ir_node *node)
{
    bool *found = context;
    *found = *found || node->outer;
}

/* A figure over a table that refers to the other one: only its rows of that one. */
static bool tie(const struct mend *mend, struct ir_query *figure, int table)
{
    int edge = -1;
    for (size_t i = 0; i < figure->sources.count && edge < 0; i++) {
        edge = mend_key_between(mend, figure->sources.items[i].table, table);
    }
    if (edge < 0 || figure->from || figure->group.count || figure->set != IR_PAD ||
        figure->limit || figure->select.count != 1 ||
        !ir_node_aggregates(figure->select.items[0])) {
        return false;
    }
    struct ir_node *outer =
        ir_node_column(mend->arena, mend->schema->keys[edge].to, false);
    struct ir_node *where = NULL;
    outer->outer = true;
    for (size_t i = 0; i < mend_part_count(figure->where); i++) {
        struct ir_node *part = *mend_part(&figure->where, i);
        bool tied = false;
        ir_node_walk(part, find_outer, &tied);
        where = tied ? where : mend_and(mend, where, part);
    }
    figure->where = mend_and(
        mend, where,
        ir_node_call(mend->arena, IR_EQUAL,
                     ir_node_column(mend->arena, mend->schema->keys[edge].from, false),
                     outer));
    return true;
}

/* Every query of an item; their number, or -1. */
static int tie_all(const struct mend *mend, struct ir_node *item, int table)
{
    int count = 0;
    if (item->kind == IR_NODE_QUERY) {
        return tie(mend, item->query, table) ? 1 : -1;
    }
    for (size_t i = 0; item->kind == IR_NODE_CALL && i < item->args.count; i++) {
        int more = tie_all(mend, item->args.items[i], table);
        count = more < 0 || count < 0 ? -1 : count + more;
    }
    return ir_node_is_column(item) ? -1 : count;
}

bool mend_each(const struct mend *mend, struct ir_query *query)
{
    int figures = 0;
    if (query->from || query->where || query->group.count || query->set != IR_PAD ||
        query->order.count || query->sources.count != 1 || query->sources.items[0].left) {
        return false;
    }
    int table = table_asked(mend);
    int shown = table >= 0 ? shown_of(mend, table) : -1;
    for (size_t i = 0; shown >= 0 && i < query->select.count; i++) {
        int more = tie_all(mend, query->select.items[i], table);
        figures = more <= 0 || figures < 0 ? -1 : figures + more;
    }
    if (figures < 2) {
        return false;
    }
    struct ir_nodes items = {0};
    VEC_PUSH(mend->arena, &items, ir_node_column(mend->arena, shown, false));
    for (size_t i = 0; i < query->select.count; i++) {
        VEC_PUSH(mend->arena, &items, query->select.items[i]);
    }
    query->select = items;
    query->limit = NULL;
    query->sources.items[0].table = table;
    query->sources.items[0].second = false;
    query->sources.items[0].joins.count = 0;
    return true;
}
