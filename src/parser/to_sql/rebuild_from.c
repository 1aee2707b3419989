/* FROM with its joins, and the names columns are called by there. */
#include "base/arena.h"
#include "base/str.h"
#include "model/schema.h"
#include "parser/to_sql/rebuild_state.h"

/* Looks for columns of the query around, in the queries inside. */
static void find_outer(void *context, struct ir_node *node)
{
    bool *found = context;
    *found = *found || (node->kind == IR_NODE_TOKEN && node->outer);
}

static bool uses_outer(struct ir_query *query)
{
    bool found = false;
    for (; query && !found; query = query->set_query) {
        ir_query_walk(query, find_outer, &found);
    }
    return found;
}

static void find_tied(void *context, struct ir_node *node)
{
    bool *found = context;
    *found = *found || (node->kind == IR_NODE_QUERY && uses_outer(node->query));
}

static void find_event(void *context, struct ir_node *node)
{
    bool *found = context;
    *found = *found || (node->kind == IR_NODE_CALL && rebuild_is_event(node->keyword));
}

/* What the query in FROM selects gets names, so that it can be spoken of. */
static void name_items(struct rebuilding *rebuilding, struct rebuild_query *query)
{
    const struct ir_query *inner = query->query->from;
    size_t count = inner->select.count;
    const char **names = arena_array(rebuilding->arena, count, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        names[i] = rebuild_item_name(rebuilding, inner->select.items[i], names, i);
    }
    query->item_names = names;
}

bool rebuild_plan(struct rebuilding *rebuilding, struct rebuild_query *query)
{
    bool tied = false;
    if (query->query->from) {
        name_items(rebuilding, query);
        return true;
    }
    if (!ir_plan_make(rebuilding->arena, rebuilding->schema, query->query,
                      rebuilding->request->question, &query->plan, rebuilding->err)) {
        rebuilding->failed = true;
        return false;
    }
    rebuilding->result->cross_join = rebuilding->result->cross_join || query->plan.cross;
    rebuilding->result->inferred_join =
        rebuilding->result->inferred_join || query->plan.inferred;
    rebuilding->result->join_cost += query->plan.cost;
    ir_query_walk(query->query, find_tied, &tied);
    query->aliased = tied || uses_outer(query->query);
    for (size_t i = 0; i < query->plan.count; i++) {
        const struct ir_table *table =
            &rebuilding->schema->tables[query->plan.items[i].table];
        bool named = !str_empty(table->source->namespace);
        query->aliased = query->aliased || query->plan.items[i].second ||
                         (named && query->plan.count > 1);
    }
    bool events = false;
    ir_query_walk(query->query, find_event, &events);
    query->qualified = query->aliased || query->plan.count > 1 || events;
    return true;
}

/* t1, t2, … ; u1, u2, … in a query inside. */
static void write_alias(struct rebuilding *rebuilding, const struct rebuild_query *query,
                        size_t step)
{
    buf_format(&rebuilding->out, "%c%zu", "tuvwxyzabcd"[query->depth % 11], step + 1);
}

void rebuild_name_of_table(struct rebuilding *rebuilding, int table)
{
    const struct ir_table *info = &rebuilding->schema->tables[table];
    dialect_quote(&rebuilding->out, rebuilding->dialect, info->name,
                  !str_empty(info->source->namespace));
}

static void write_qualifier(struct rebuilding *rebuilding,
                            const struct rebuild_query *query, int table, bool second)
{
    for (size_t i = 0; i < query->plan.count; i++) {
        if (query->plan.items[i].table != table ||
            query->plan.items[i].second != second) {
            continue;
        }
        if (query->aliased) {
            write_alias(rebuilding, query, i);
        } else {
            rebuild_name_of_table(rebuilding, table);
        }
        buf_char(&rebuilding->out, '.');
        return;
    }
}

static void write_column(struct rebuilding *rebuilding, const struct rebuild_query *query,
                         int column, bool second)
{
    const struct ir_column *info = &rebuilding->schema->columns[column];
    if (query->qualified) {
        write_qualifier(rebuilding, query, info->table, second);
    }
    dialect_quote(&rebuilding->out, rebuilding->dialect, info->name, false);
}

void rebuild_column(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct rebuild_query *query = rebuilding->current;
    if (node->outer) {
        query = query->around;
    }
    if (!query) {
        rebuild_fail(rebuilding, "There is no query around this one.");
        return;
    }
    write_column(rebuilding, query, node->token.index, node->second);
}

void rebuild_table_star(struct rebuilding *rebuilding, int table)
{
    if (rebuilding->current->qualified) {
        write_qualifier(rebuilding, rebuilding->current, table, false);
    }
    buf_char(&rebuilding->out, '*');
}

static bool is_end(const struct ir_step *step, const struct ir_schema *schema, int column,
                   bool second)
{
    return schema->columns[column].table == step->table && step->second == second;
}

/* Whether some other table's rows lead to this one's, each to a single row at most. */
static bool is_led_to(const struct ir_plan *plan, const struct ir_schema *schema,
                      const struct ir_step *step)
{
    for (size_t i = 0; i < plan->count; i++) {
        for (size_t k = 0; k < plan->items[i].pairs.count; k++) {
            const struct ir_pair *pair = &plan->items[i].pairs.items[k];
            bool a = schema->columns[pair->a].unique;
            bool b = schema->columns[pair->b].unique;
            if ((a && !b && is_end(step, schema, pair->a, pair->a_second)) ||
                (b && !a && is_end(step, schema, pair->b, pair->b_second))) {
                return true;
            }
        }
    }
    return false;
}

bool rebuild_rows_star(struct rebuilding *rebuilding)
{
    const struct rebuild_query *query = rebuilding->current;
    const struct ir_plan *plan = &query->plan;
    const struct ir_step *found = NULL;
    if (query->query->from || plan->count < 2 || plan->cross) {
        return false;
    }
    for (size_t i = 0; i < plan->count; i++) {
        const struct ir_step *step = &plan->items[i];
        if (!is_led_to(plan, rebuilding->schema, step)) {
            if (found) {
                return false;
            }
            found = step;
        }
    }
    if (found) {
        write_qualifier(rebuilding, query, found->table, found->second);
        buf_char(&rebuilding->out, '*');
    }
    return found != NULL;
}

/* Rows that do not fulfil it are no partners, but those of the left side stay. */
static void write_with(struct rebuilding *rebuilding, const struct rebuild_query *query,
                       const struct ir_step *step)
{
    for (size_t i = 0; i < query->query->sources.count; i++) {
        const struct ir_source *source = &query->query->sources.items[i];
        if (source->with && source->table == step->table &&
            source->second == step->second) {
            bool or = ir_node_is(source->with, IR_OR);
            buf_text(&rebuilding->out, or ? " AND (" : " AND ");
            rebuild_condition(rebuilding, source->with);
            buf_text(&rebuilding->out, or ? ")" : "");
        }
    }
}

static void write_step(struct rebuilding *rebuilding, const struct rebuild_query *query,
                       size_t index)
{
    const struct ir_step *step = &query->plan.items[index];
    if (index) {
        buf_text(&rebuilding->out, step->pairs.count == 0 ? " CROSS JOIN "
                                   : step->left           ? " LEFT JOIN "
                                                          : " JOIN ");
    }
    rebuild_name_of_table(rebuilding, step->table);
    if (query->aliased) {
        buf_text(&rebuilding->out, " AS ");
        write_alias(rebuilding, query, index);
    }
    for (size_t i = 0; i < step->pairs.count; i++) {
        const struct ir_pair *pair = &step->pairs.items[i];
        buf_text(&rebuilding->out, i ? " AND " : " ON ");
        write_column(rebuilding, query, pair->a, pair->a_second);
        buf_text(&rebuilding->out, " = ");
        write_column(rebuilding, query, pair->b, pair->b_second);
    }
    if (step->pairs.count) {
        write_with(rebuilding, query, step);
    }
}

void rebuild_from(struct rebuilding *rebuilding)
{
    struct rebuild_query *query = rebuilding->current;
    if (query->query->from) {
        rebuild_inner(rebuilding, query->query->from);
        buf_text(&rebuilding->out, " AS part");
        return;
    }
    for (size_t i = 0; i < query->plan.count; i++) {
        write_step(rebuilding, query, i);
    }
}
