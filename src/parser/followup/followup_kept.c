/* Which conditions of the query before a later one still has. */
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/followup/followup_state.h"

/* The columns that conditions are about, or that rows are grouped by: a filter on them was replaced. */
struct minded {
    bool *columns;
};

static void mind_columns(void *context, struct ir_node *node)
{
    struct minded *minded = context;
    if (ir_node_is_column(node)) {
        minded->columns[node->token.index] = true;
    }
    if (node->kind == IR_NODE_QUERY) {
        struct ir_query *query = node->query;
        ir_query_walk(query, mind_columns, minded);
    }
}

static void mind(struct ir_node *node, struct minded *minded)
{
    if (node) {
        ir_node_walk(node, mind_columns, minded);
    }
}

static void mind_query(const struct ir_query *query, struct minded *minded)
{
    for (; query; query = query->set_query) {
        mind(query->where, minded);
        mind(query->having, minded);
        for (size_t i = 0; i < query->sources.count; i++) {
            mind(query->sources.items[i].with, minded);
        }
        for (size_t i = 0; i < query->group.count; i++) {
            mind(query->group.items[i], minded);
        }
        for (size_t i = 0; i < query->select.count; i++) { /* sum(if status = ...) */
            if (ir_node_aggregates(query->select.items[i])) {
                mind(query->select.items[i], minded);
            }
        }
        if (query->from) {
            mind_query(query->from, minded);
        }
    }
}

/* Adds the names of the columns of conditions that are about none of these. */
static void add_lost(struct arena *arena, const struct ir_schema *schema,
                     struct ir_node **where, const bool *columns, struct texts *out)
{
    size_t column_count = (size_t)schema->column_count;
    size_t count = 0;
    struct ir_node **items = followup_conditions(where, &count);
    for (size_t i = 0; i < count; i++) {
        struct minded own = {arena_array(arena, column_count, sizeof(bool))};
        bool kept = false;
        size_t first = 0;
        mind(items[i], &own);
        for (size_t k = column_count; k-- > 1;) {
            first = own.columns[k] ? k : first;
            kept = kept || (own.columns[k] && columns[k]);
        }
        if (first && !kept) {
            VEC_PUSH(arena, out, schema->columns[first].name);
        }
    }
}

void followup_lost(struct arena *arena, const struct ir_schema *schema,
                   struct ir_query *before, const struct ir_tokens *tokens, size_t values,
                   struct texts *out)
{
    struct ir_query *query = NULL;
    struct err err;
    size_t columns = (size_t)schema->column_count;
    struct minded minded = {arena_array(arena, columns, sizeof(bool))};
    *out = (struct texts){0};
    if (!before || !ir_tree_read(arena, tokens, schema, values, &query, &err)) {
        return;
    }
    mind_query(query, &minded);
    add_lost(arena, schema, &before->where, minded.columns, out);
    for (size_t i = 0; i < before->sources.count; i++) {
        add_lost(arena, schema, &before->sources.items[i].with, minded.columns, out);
    }
}

struct ir_query *followup_before(struct arena *arena,
                                 const struct followup_request *request)
{
    struct followup followup = {.arena = arena,
                                .request = request,
                                .schema = feature_schema_get(request->schema)};
    return str_empty(request->previous_sql) || !followup_read_previous(&followup)
               ? NULL
               : followup.query;
}
