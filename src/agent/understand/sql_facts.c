/* What a reply need not say, because its SQL does. */
#include "agent/understand/sql_facts.h"

#include "agent/prompting.h"
#include "agent/run_statement.h"
#include "agent/understand/sql_parts.h"
#include "base/json.h"
#include "base/str.h"
#include "sql/resolve/resolve.h"

enum { JOINS_MOST = 32 };

/* As sure as a model that does not say how sure it is. */
static const double STATED = 0.9;

/* "orders.customer_id", whatever alias it has in the statement; NULL: no column of a
 * table. */
static const char *column_name(struct run *run, const struct sql_reference *reference)
{
    const struct table *table =
        reference && reference->column ? sql_reference_table(reference, NULL) : NULL;
    return table ? arena_format(run->arena, "%s.%s", table->name, reference->column->name)
                 : NULL;
}

static void add_join(struct run *run, const char *left, const char *right)
{
    struct stated_joins *stated = &run->understanding.stated;
    double sure = run->understanding.sql_confidence;
    if (left && right && stated->count < JOINS_MOST) {
        VEC_PUSH(run->arena, stated,
                 ((struct stated_join){arena_format(run->arena, "%s = %s", left, right),
                                       sure >= 0 ? sure : STATED}));
    }
}

/* Equal columns of two relations, in ON, WHERE or a correlated subquery. */
static void add_joins(struct run *run, const struct sql_resolved *resolved,
                      const struct sql_node *node)
{
    if (node->kind == SQL_BINARY && str_equal(node->text, "=")) {
        const struct sql_reference *left =
            sql_reference_of(resolved, node->children[PAIR_LEFT]);
        const struct sql_reference *right =
            sql_reference_of(resolved, node->children[PAIR_RIGHT]);
        if (left && right && left->relation != right->relation) {
            add_join(run, column_name(run, left), column_name(run, right));
        }
    }
    for (size_t i = 0; i < node->count; i++) {
        if (node->children[i]) {
            add_joins(run, resolved, node->children[i]);
        }
    }
}

/* JOIN … USING (x): the same name on both sides. */
static void add_shared(struct run *run, const struct sql_resolved *resolved)
{
    for (size_t i = 0; i < resolved->references.count; i++) {
        const struct sql_reference *reference = resolved->references.items[i];
        const struct table *other = reference->second ? reference->second->table : NULL;
        const struct column *column = other && reference->column
                                          ? table_column(other, reference->column->name)
                                          : NULL;
        if (column) {
            add_join(run, column_name(run, reference),
                     arena_format(run->arena, "%s.%s", other->name, column->name));
        }
    }
}

static void fill_joins(struct run *run, const struct sql_statement *statement)
{
    const struct sql_resolved *resolved = run_resolved(run, run->understanding.sql);
    add_joins(run, resolved, statement->root);
    add_shared(run, resolved);
    run->understanding.joins_needed = run->understanding.stated.count > 0;
}

static void fill_needs(struct run *run, const struct sql_parts *parts)
{
    struct understanding *understanding = &run->understanding;
    if (understanding->filters.count == 0) {
        understanding->filters = parts->filters;
    }
    if (understanding->aggregations.count == 0) {
        understanding->aggregations = parts->aggregations;
    }
    if (!understanding->ordering && parts->order.count) {
        understanding->ordering = str_join(run->arena, &parts->order, ", ");
    }
}

static void fill_plan(struct run *run, const struct sql_parts *parts)
{
    struct texts tables = {0};
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        VEC_PUSH(run->scratch, &tables, run->understanding.tables.items[i].table->name);
    }
    sql_parts_steps(run->arena, parts, &tables, &run->understanding.plan);
}

void sql_facts_fill(struct run *run, const json_t *reply)
{
    struct understanding *understanding = &run->understanding;
    const struct sql_statement *statement =
        str_empty(understanding->sql) ? NULL : run_statement(run, understanding->sql);
    if (!statement || !statement->root) {
        return; /* VALIDATE_QUERY says what is wrong with it */
    }
    struct sql_parts parts;
    sql_parts_read(run->arena, statement, &parts);
    if (!json_array_at(reply, "joins")) {
        fill_joins(run, statement);
    }
    fill_needs(run, &parts);
    if (understanding->plan.count == 0) {
        fill_plan(run, &parts);
    }
}
