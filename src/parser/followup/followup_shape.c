/* Follow-ups that say what is shown: figures, groups, columns, rows. */
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "parser/followup/followup_state.h"

void followup_drop_order(struct ir_query *query)
{
    query->order.count = 0;
    query->limit = NULL;
    query->offset = NULL;
    query->per.count = 0;
}

bool followup_aggregates(const struct ir_query *query)
{
    for (size_t i = 0; i < query->select.count; i++) {
        if (ir_node_aggregates(query->select.items[i])) {
            return true;
        }
    }
    return false;
}

static struct ir_node *star(struct followup *followup)
{
    return ir_node_token(followup->arena, (struct ir_token){IR_COLUMN, 0});
}

/* Rows of a left join that are looked at for their own sake: its conditions are those of the query. */
static void settle_join(struct followup *followup, struct ir_source *source)
{
    const struct ir_node *with = source->with;
    for (size_t i = 0; ir_node_is(with, IR_AND) && i < with->args.count; i++) {
        followup_filter_add(followup, &followup->query->where, with->args.items[i]);
    }
    if (with && !ir_node_is(with, IR_AND)) {
        followup_filter_add(followup, &followup->query->where, source->with);
    }
    source->with = NULL;
    source->left = false;
}

static void drop_table(void *context, struct ir_node *node)
{
    struct followup *followup = context;
    if (!ir_node_is_column(node)) {
        return;
    }
    struct ir_query *query = followup->query;
    int table = followup->schema->columns[node->token.index].table;
    for (size_t i = 0; i < query->sources.count && query->sources.count > 1; i++) {
        struct ir_source source = query->sources.items[i];
        if (source.table != table || source.second || source.joins.count) {
            continue;
        }
        memmove(query->sources.items + i, query->sources.items + i + 1,
                (query->sources.count - i - 1) * sizeof source);
        query->sources.count--;
        if (followup_uses_table(followup, table)) { /* something else needs it */
            VEC_PUSH(followup->arena, &query->sources, source);
            memmove(query->sources.items + i + 1, query->sources.items + i,
                    (query->sources.count - i - 1) * sizeof source);
            query->sources.items[i] = source;
        }
        settle_join(followup, &query->sources.items[0]);
        return;
    }
}

/* A table that was there for this alone would multiply or hide rows. */
static void followup_drop_source(struct followup *followup, const struct ir_node *removed)
{
    struct ir_node copy = *removed;
    ir_node_walk(&copy, drop_table, followup);
}

/* What to group by: a part of the date, a column, a thing; `shown` gets what stands for it. */
static struct ir_node *group_node(struct followup *followup, bool *period,
                                  struct ir_nodes *shown)
{
    const struct caught *unit = followup_caught(followup, SLOT_UNIT, 0);
    const struct caught *named = followup_caught(followup, SLOT_COLUMN, 0);
    const struct caught *table = followup_caught(followup, SLOT_TABLE, 0);
    size_t end = 0;
    int column = -1;
    unit = unit ? unit : followup_caught(followup, SLOT_EVERY, 0);
    *period = unit != NULL;
    if (unit) {
        column = followup_time_column(followup);
    } else if (named) {
        column = followup_column(followup, named->first, WANT_ANY, &end);
    } else if (table) {
        return followup_thing(followup, table->table, shown);
    }
    if (column < 0) {
        return NULL;
    }
    struct ir_node *node = ir_node_column(followup->arena, column, false);
    node = unit ? ir_node_call(followup->arena, unit->keyword, node, NULL) : node;
    VEC_PUSH(followup->arena, shown, node);
    return node;
}

static void remove_groups(struct followup *followup)
{
    struct ir_query *query = followup->query;
    struct ir_nodes old = query->group;
    query->group = (struct ir_nodes){0};
    struct ir_nodes kept = {0};
    size_t orders = 0;
    for (size_t i = 0; i < query->select.count; i++) {
        if (ir_node_aggregates(query->select.items[i])) {
            VEC_PUSH(followup->arena, &kept, query->select.items[i]);
        } else {
            VEC_PUSH(followup->arena, &old, query->select.items[i]);
        }
    }
    query->select = kept;
    for (size_t i = 0; i < query->order.count; i++) {
        if (ir_node_aggregates(query->order.items[i].node)) {
            query->order.items[orders++] = query->order.items[i];
        }
    }
    query->order.count = orders;
    for (size_t i = 0; i < old.count; i++) {
        followup_drop_source(followup, old.items[i]);
    }
}

static void put_first(struct followup *followup, struct ir_node *node)
{
    struct ir_nodes *select = &followup->query->select;
    VEC_PUSH(followup->arena, select, node);
    memmove(select->items + 1, select->items,
            (select->count - 1) * sizeof *select->items);
    select->items[0] = node;
}

static bool is_grouped(const struct followup *followup, int table,
                       const struct ir_nodes *shown)
{
    for (size_t i = 0; i < shown->count; i++) {
        const struct ir_node *node = shown->items[i];
        node = node->kind == IR_NODE_CALL ? node->args.items[0] : node;
        if (ir_node_is_column(node) &&
            followup->schema->columns[node->token.index].table == table) {
            return true;
        }
    }
    return false;
}

/* The most of something: by what they are put in order. */
static bool ranks(const struct ir_query *query)
{
    return query->limit && query->order.count && query->group.count &&
           ir_node_aggregates(query->order.items[0].node);
}

bool followup_group(struct followup *followup)
{
    struct ir_query *query = followup->query;
    bool period = false;
    if (ranks(query) && !followup->also && followup_measure(followup)) {
        return true;
    }
    struct ir_nodes shown = {0};
    struct ir_node *node = group_node(followup, &period, &shown);
    if (!node) {
        return false;
    }
    if (!followup_aggregates(query) && query->group.count == 0) {
        query->select.count = 0;
        query->distinct = false;
        followup_drop_order(query);
        VEC_PUSH(followup->arena, &query->select,
                 ir_node_call(followup->arena, IR_COUNT, star(followup), NULL));
    } else if (query->group.count && !followup->also && !followup->grouped) {
        remove_groups(followup);
    }
    for (size_t i = shown.count; i-- > 0;) {
        put_first(followup, shown.items[i]);
    }
    for (size_t i = 0; i < query->sources.count; i++) {
        if (is_grouped(followup, query->sources.items[i].table, &shown)) {
            settle_join(followup, &query->sources.items[i]);
        }
    }
    VEC_PUSH(followup->arena, &query->group, node);
    if (period && query->order.count == 0) {
        VEC_PUSH(followup->arena, &query->order, ((struct ir_order){node, false}));
    }
    followup->grouped = true;
    return true;
}

/* The table that a question names first, of those in the query. */
static int subject(struct followup *followup)
{
    const struct ir_query *query = followup->query;
    const char *question = followup->request->previous_question;
    struct features features;
    int best = query->sources.items[0].table;
    size_t best_at = SIZE_MAX;
    if (query->sources.count == 1 || !question) {
        return best;
    }
    features_build(followup->arena, followup->request->schema, NULL, question, &features);
    size_t first = features.tokens.count + features.values.count;
    for (size_t i = 0; i < features.relations.count; i++) {
        const struct feature_relation *relation = &features.relations.items[i];
        if (relation->code != RELATION_QT_EXACT || relation->row >= best_at) {
            continue;
        }
        int table = features.selection.tables[relation->column - first];
        for (size_t k = 0; k < query->sources.count; k++) {
            if (query->sources.items[k].table == table) {
                best = table;
                best_at = relation->row;
            }
        }
    }
    return best;
}

bool followup_rows(struct followup *followup)
{
    struct ir_query *query = followup->query;
    if (query->sources.count == 0) {
        return false;
    }
    bool rows = !followup_aggregates(query) && query->group.count == 0;
    struct ir_token all = {IR_TABLE, subject(followup)};
    query->select.count = 0;
    query->group.count = 0;
    query->having = NULL;
    if (!rows) {
        followup_drop_order(query);
    }
    VEC_PUSH(followup->arena, &query->select, ir_node_token(followup->arena, all));
    followup->confidence *= query->sources.count > 1 ? 0.8 : 1.0;
    return true;
}

/* "names" is the first and the last name. */
static void columns_at(struct followup *followup, size_t at, struct ir_nodes *out)
{
    size_t end = 0;
    int column = followup_column(followup, at, WANT_ANY, &end);
    const struct ir_schema *schema = followup->schema;
    int table = column < 0 ? -1 : schema->columns[column].table;
    bool names = strncmp(followup->features.tokens.items[at].text, "name", 4) == 0;
    size_t stride = (size_t)schema->table_count + (size_t)schema->column_count;
    const uint8_t *links = followup->links + at * stride + schema->table_count;
    for (int i = 1; i < schema->column_count; i++) {
        if (i == column || (names && schema->columns[i].table == table &&
                            links[i] == links[column] && end == at + 1)) {
            VEC_PUSH(followup->arena, out, ir_node_column(followup->arena, i, false));
        }
    }
}

static bool has(const struct ir_nodes *nodes, const struct ir_node *node)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (ir_node_same(nodes->items[i], node)) {
            return true;
        }
    }
    return false;
}

static void named_columns(struct followup *followup, struct ir_nodes *out)
{
    for (size_t i = 0; i < followup->caught_count; i++) {
        if (followup->caught[i].slot == SLOT_COLUMN) {
            columns_at(followup, followup->caught[i].first, out);
        }
    }
}

/* A figure of each row cannot stand beside the figures of groups: it would split them. */
static bool splits_groups(const struct followup *followup, const struct ir_node *node)
{
    const struct ir_column *columns = followup->schema->columns;
    const struct ir_query *query = followup->query;
    bool same_table = false;
    for (size_t i = 0; i < query->group.count; i++) {
        const struct ir_node *group = query->group.items[i];
        same_table = same_table ||
                     (ir_node_is_column(group) && columns[group->token.index].table ==
                                                      columns[node->token.index].table);
    }
    return query->group.count && !same_table &&
           columns[node->token.index].type == IR_TYPE_NUMBER;
}

bool followup_columns_add(struct followup *followup)
{
    struct ir_query *query = followup->query;
    struct ir_nodes nodes = {0};
    named_columns(followup, &nodes);
    if (followup->opening && followup_measure(followup)) {
        return true;
    }
    if (followup_aggregates(query) && query->group.count == 0) {
        return false;
    }
    for (size_t i = 0; i < nodes.count; i++) {
        if (splits_groups(followup, nodes.items[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < nodes.count; i++) {
        if (has(&query->select, nodes.items[i])) {
            followup->confidence *= 0.8;
            continue;
        }
        VEC_PUSH(followup->arena, &query->select, nodes.items[i]);
        if (query->group.count) {
            VEC_PUSH(followup->arena, &query->group, nodes.items[i]);
        }
    }
    return nodes.count > 0;
}

bool followup_columns_only(struct followup *followup)
{
    struct ir_query *query = followup->query;
    struct ir_nodes nodes = {0};
    named_columns(followup, &nodes);
    if (followup_aggregates(query) || nodes.count == 0) {
        return false;
    }
    query->select = nodes;
    return true;
}

bool followup_columns_drop(struct followup *followup)
{
    struct ir_query *query = followup->query;
    struct ir_nodes nodes = {0};
    struct ir_nodes kept = {0};
    named_columns(followup, &nodes);
    for (size_t i = 0; i < query->select.count; i++) {
        if (!has(&nodes, query->select.items[i])) {
            VEC_PUSH(followup->arena, &kept, query->select.items[i]);
        }
    }
    if (kept.count == 0 || kept.count == query->select.count) {
        return false;
    }
    query->select = kept;
    return true;
}
