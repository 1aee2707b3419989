/* Runs the rules, and what they share. */
#include "parser/search/mend/mend.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/search/mend/mend_state.h"

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
        mend_total,    mend_mean, mend_same_day, mend_side,   mend_documents, mend_free,
        mend_money,    mend_rate, mend_weeks,    mend_span};
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
