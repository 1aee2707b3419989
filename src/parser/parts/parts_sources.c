/* The tables of a changed query: those that were there for a part that is gone go, because
 * they would multiply or hide rows. And how rows are counted over the joins that result. */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "parser/ir/ir_joins.h"
#include "parser/parts/parts_state.h"

struct used {
    const struct ir_schema *schema;
    bool *tables;
    bool queries; /* a query inside may point at any of the tables */
    int first;    /* a table; -1: none */
};

static void find_used(void *context, struct ir_node *node)
{
    struct used *used = context;
    if (ir_node_is_column(node)) {
        int table = used->schema->columns[node->token.index].table;
        used->tables[table] = true;
        used->first = used->first < 0 ? table : used->first;
    } else if (node->kind == IR_NODE_TOKEN && node->token.kind == IR_TABLE) {
        used->tables[node->token.index] = true;
    }
    used->queries = used->queries || node->kind == IR_NODE_QUERY;
}

static struct used used_by(const struct parts_making *making, struct ir_query *query)
{
    const struct ir_schema *schema = making->parts->schema;
    struct used used = {.schema = schema, .first = -1};
    used.tables = arena_array(making->parts->arena, (size_t)schema->table_count + 1, 1);
    ir_query_walk(query, find_used, &used);
    return used;
}

static bool is_counted(const struct parts_making *making, int table)
{
    for (size_t i = 0; i < making->counts.count; i++) {
        if (making->counts.items[i].table == table) {
            return true;
        }
    }
    return false;
}

static bool has_star(const struct parts_making *making)
{
    for (size_t i = 0; i < making->columns.count; i++) {
        if (ir_node_is_star(making->columns.items[i])) {
            return true;
        }
    }
    return false;
}

static void add_source(struct parts_making *making, int table)
{
    struct ir_query *query = making->query;
    size_t at = 0;
    for (size_t i = 0; i < query->sources.count; i++) {
        if (query->sources.items[i].table == table) {
            return;
        }
        bool before = query->sources.items[i].table < table;
        at += before && !query->sources.items[i].second;
    }
    VEC_PUSH(making->parts->arena, &query->sources, ((struct ir_source){.table = table}));
    memmove(query->sources.items + at + 1, query->sources.items + at,
            (query->sources.count - at - 1) * sizeof *query->sources.items);
    query->sources.items[at] = (struct ir_source){.table = table};
}

/* Was the table there only because COUNT(*) counts its rows? */
static bool was_counted(const struct parts *parts, int table)
{
    const struct ir_nodes *lists[] = {&parts->measures, &parts->conditions};
    for (size_t n = 0; n < 2 && table == parts->counted; n++) {
        for (size_t i = 0; i < lists[n]->count; i++) {
            const struct ir_node *node = lists[n]->items[i];
            node = n && node->args.count ? node->args.items[0] : node;
            if (ir_node_is(node, IR_COUNT) && ir_node_is_star(node->args.items[0])) {
                return true;
            }
        }
    }
    return false;
}

static bool stays(const struct parts_making *making, const struct ir_source *source,
                  const struct used *before, const struct used *now)
{
    bool own =
        !before->tables[source->table] && !was_counted(making->parts, source->table);
    return source->second || source->with || now->queries || has_star(making) ||
           now->tables[source->table] || is_counted(making, source->table) || own;
}

/* Is every row of the joined tables a row of this one? */
static bool counts_rows(const struct parts_making *making, const struct ir_plan *plan,
                        int table)
{
    const struct ir_schema *schema = making->parts->schema;
    bool *marked = arena_array(making->parts->arena, (size_t)schema->table_count + 1, 1);
    marked[table] = true;
    parts_mark_referred(schema, marked);
    for (size_t i = 0; i < plan->count; i++) {
        const struct ir_step *step = &plan->items[i];
        if (!marked[step->table] || step->second || step->left) {
            return false;
        }
    }
    return true;
}

static int key_of(const struct ir_schema *schema, int table)
{
    const struct ir_table *info = &schema->tables[table];
    for (int i = info->first_column; i < info->first_column + info->column_count; i++) {
        if (schema->columns[i].unique) {
            return i;
        }
    }
    return -1;
}

/* COUNT(*) where each joined row is one of the table's, else its different keys. */
static bool settle_counts(struct parts_making *making)
{
    struct parts *parts = making->parts;
    struct ir_plan plan = {0};
    struct err trouble;
    err_clear(&trouble);
    if (making->counts.count == 0) {
        return true;
    }
    if (!ir_plan_make(parts->arena, parts->schema, making->query,
                      parts->request->question, &plan, &trouble)) {
        return err_set(making->err, ERR_CANNOT_ANSWER, "%s", trouble.message);
    }
    for (size_t i = 0; i < making->counts.count; i++) {
        struct parts_count *count = &making->counts.items[i];
        int key = key_of(parts->schema, count->table);
        if (counts_rows(making, &plan, count->table)) {
            continue;
        }
        if (key < 0) {
            return err_set(making->err, ERR_CANNOT_ANSWER,
                           "The rows of %s cannot be counted here: the table has no key.",
                           parts->schema->tables[count->table].name);
        }
        count->node->keyword = IR_COUNT_DISTINCT;
        count->node->args.items[0] = ir_node_column(parts->arena, key, false);
    }
    return true;
}

bool parts_sources(struct parts_making *making)
{
    struct parts *parts = making->parts;
    struct ir_query *query = making->query;
    struct used before = used_by(making, parts->query);
    struct used now = used_by(making, query);
    size_t kept = 0;
    for (size_t i = 0; i < query->sources.count; i++) {
        if (stays(making, &query->sources.items[i], &before, &now)) {
            query->sources.items[kept++] = query->sources.items[i];
        }
    }
    query->sources.count = kept;
    for (size_t i = 0; i < making->counts.count; i++) {
        add_source(making, making->counts.items[i].table);
    }
    if (query->sources.count == 0) {
        add_source(making, now.first >= 0 ? now.first
                           : parts->query->sources.count
                               ? parts->query->sources.items[0].table
                               : 0);
    }
    return parts_keep_whole(making) && settle_counts(making);
}
