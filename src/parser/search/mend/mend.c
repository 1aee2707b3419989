/* Runs the rules, and what they share. */
#include "parser/search/mend/mend.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/search/mend/mend_state.h"

enum { KEYS_ON_WAY = 4 }; /* from a line to a country */

struct ir_query *mend_again(const struct mend *mend)
{
    struct ir_query *query = NULL;
    struct err err;
    return ir_tree_read(mend->arena, mend->tokens, mend->schema,
                        mend->request->values->count, &query, &err)
               ? query
               : NULL;
}

size_t mend_part_count(const struct ir_node *where)
{
    return !where ? 0 : ir_node_is(where, IR_AND) ? where->args.count : 1;
}

struct ir_node **mend_part(struct ir_node **where, size_t at)
{
    return ir_node_is(*where, IR_AND) ? &(*where)->args.items[at] : where;
}

struct ir_node *mend_and(const struct mend *mend, struct ir_node *where,
                         struct ir_node *more)
{
    if (!where) {
        return more;
    }
    if (!ir_node_is(where, IR_AND)) {
        return ir_node_call(mend->arena, IR_AND, where, more);
    }
    VEC_PUSH(mend->arena, &where->args, more);
    return where;
}

int mend_key(const struct mend *mend, int table)
{
    const struct ir_table *info = &mend->schema->tables[table];
    for (int i = info->first_column; i < info->first_column + info->column_count; i++) {
        if (mend->schema->columns[i].unique) {
            return i;
        }
    }
    return -1;
}

int mend_key_between(const struct mend *mend, int from, int to)
{
    int found = -1;
    for (int i = 0; i < mend->schema->key_count; i++) {
        const struct ir_key *key = &mend->schema->keys[i];
        if (mend->schema->columns[key->from].table == from &&
            mend->schema->columns[key->to].table == to) {
            if (found >= 0 || key->goes_on) {
                return -1;
            }
            found = i;
        }
    }
    return found;
}

int mend_join_column(const struct mend *mend, int from, int to, int *own)
{
    int found = -1;
    for (int i = 0; i < mend->schema->edge_count; i++) {
        const struct ir_edge *edge = &mend->schema->edges[i];
        bool there = edge->from_table == from && edge->to_table == to;
        bool back = edge->from_table == to && edge->to_table == from;
        if (!there && !back) {
            continue;
        }
        if (found >= 0 || edge->more >= 0 || edge->is_part) {
            return -1;
        }
        found = there ? edge->from : edge->to;
        *own = there ? edge->to : edge->from;
    }
    return found;
}

static bool leads(const struct mend *mend, int from, int to, int steps)
{
    if (from == to) {
        return true;
    }
    for (int i = 0; i < mend->schema->key_count && steps; i++) {
        const struct ir_key *key = &mend->schema->keys[i];
        int next = mend->schema->columns[key->to].table;
        if (mend->schema->columns[key->from].table == from && next != from &&
            leads(mend, next, to, steps - 1)) {
            return true;
        }
    }
    return false;
}

bool mend_leads_to(const struct mend *mend, int from, int to)
{
    return leads(mend, from, to, KEYS_ON_WAY);
}

const char *mend_table_name(const struct mend *mend, int table)
{
    const struct table *source = mend->schema->tables[table].source;
    return source ? source->bare_name : mend->schema->tables[table].name;
}

/* "bikes" and "bike" for "bikes", "bike" for "bike"; "companies" for "company" */
bool mend_is_called(const char *table, const char *word)
{
    size_t size = strlen(table);
    size_t own = strlen(word);
    size_t same = 0;
    while (same < size && same < own &&
           tolower((unsigned char)table[same]) == (unsigned char)word[same]) {
        same++;
    }
    const char *left = table + same;
    const char *right = word + same;
    return own > 1 &&
           ((!*left && (!*right || str_equal(right, "s"))) ||
            (!*right && (str_equal_nocase(left, "s") || str_equal_nocase(left, "es"))) ||
            (str_equal_nocase(left, "ies") && str_equal(right, "y")) ||
            (str_equal_nocase(left, "y") && str_equal(right, "ies")));
}

const char *mend_text(const struct mend *mend, const struct ir_node *value)
{
    const struct ir_values *values = mend->request->values;
    if (!value || value->kind != IR_NODE_TOKEN || value->token.kind != IR_VALUE ||
        value->token.index < 0 || (size_t)value->token.index >= values->count) {
        return NULL;
    }
    return values->items[value->token.index].text;
}

typedef bool (*mend_rule)(const struct mend *mend, struct ir_query *query);

static void apply(struct arena *arena, const struct mend_request *request, mend_rule rule,
                  struct ir_tokens *tokens)
{
    struct ir_tokens written = {0};
    struct err err;
    const struct mend mend = {arena, request, request->schema, tokens};
    struct ir_query *query = mend_again(&mend);
    if (query && rule(&mend, query) && ir_tree_write(arena, query, &written, &err)) {
        *tokens = written;
    }
}

void mend_query(struct arena *arena, const struct mend_request *request,
                const struct ir_tokens *from, struct ir_tokens *out)
{
    static const mend_rule rules[] = {
        mend_tomorrow, mend_peak, mend_only,     mend_each,   mend_months,    mend_so_far,
        mend_left,     mend_hour, mend_upper,    mend_things, mend_several,   mend_every,
        mend_total,    mend_mean, mend_same_day, mend_side,   mend_documents, mend_free};
    *out = *from;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        apply(arena, request, rules[i], out);
    }
}

void mend_known(struct arena *arena, const struct mend_request *request,
                struct ir_tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        if (tokens->items[i].kind == IR_VALUE) {
            apply(arena, request, mend_months, tokens);
            apply(arena, request, mend_denied, tokens);
            return;
        }
    }
}
