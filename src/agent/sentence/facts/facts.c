/* What a SELECT says about its rows: order, groups, limits, and what each column is. */
#include "agent/sentence/facts/facts.h"

#include <string.h>

#include "agent/run_statement.h"
#include "agent/sentence/facts/facts_column.h"
#include "base/clock.h"
#include "base/str.h"
#include "sql/counting/fanout.h"

/* ------------------------------------------------------------------ are all rows there? */

struct inner {
    const struct sql_node *root;
    bool cuts; /* a part of the statement leaves rows out by their number */
};

static bool visit(void *context, struct sql_node *node)
{
    struct inner *inner = context;
    if (node->kind == SQL_QUERY && node != inner->root) {
        inner->cuts |= node->children[QUERY_LIMIT] || node->children[QUERY_OFFSET];
    }
    if (node->kind == SQL_QUERY) {
        inner->cuts |= node->children[QUERY_LIMIT_BY] != NULL;
    }
    if (node->kind == SQL_SELECT) {
        inner->cuts |= node->children[SELECT_TOP] || node->children[SELECT_QUALIFY] ||
                       node->children[SELECT_DISTINCT_ON] ||
                       node->children[SELECT_SAMPLE];
    }
    /* ROW_NUMBER() and a condition on it */
    inner->cuts |= node->kind == SQL_CALL && node->children[CALL_OVER] != NULL;
    return !inner->cuts;
}

static bool is_whole(const struct sql_node *query, size_t rows)
{
    struct inner inner = {.root = query};
    const struct sql_node *limit = query->children[QUERY_LIMIT];
    int64_t most = 0;
    union { /* the walk does not change what it shows */
        const struct sql_node *borrowed;
        struct sql_node *tree;
    } root = {query};
    sql_walk(root.tree, visit, &inner);
    return !inner.cuts && !query->children[QUERY_OFFSET] &&
           (!limit || (sql_is(limit, SQL_NUMBER) && str_to_int(limit->text, &most) &&
                       (int64_t)rows < most));
}

/* ------------------------------------------------------------------ order and groups */

static const struct sql_output *output_of(const struct sql_resolved *resolved,
                                          const struct sql_scope *scope,
                                          const struct sql_node *value)
{
    int64_t place = 0;
    if (sql_is(value, SQL_NUMBER) && str_to_int(value->text, &place) && place >= 1 &&
        (size_t)place <= scope->outputs.count) {
        return scope->outputs.items[place - 1];
    }
    const struct sql_reference *reference =
        sql_is(value, SQL_COLUMN) ? sql_reference_of(resolved, value) : NULL;
    for (size_t i = 0; i < scope->outputs.count; i++) {
        const struct sql_output *output = scope->outputs.items[i];
        bool same = reference && (reference->output == output ||
                                  (reference->output && output->inner &&
                                   reference->output == output->inner &&
                                   reference->relation == output->relation));
        if (same || (output->value && sql_equal(output->value, value))) {
            return output;
        }
    }
    return NULL;
}

static void read_order(const struct sql_resolved *resolved, const struct sql_scope *scope,
                       const struct sql_node *query, struct facts *out)
{
    const struct sql_node *list = query->children[QUERY_ORDER];
    const struct sql_node *first = list && list->count ? list->children[0] : NULL;
    if (!sql_is(first, SQL_ORDER_ITEM) || query->children[QUERY_OFFSET]) {
        return;
    }
    const struct sql_output *output =
        output_of(resolved, scope, first->children[ORDER_VALUE]);
    for (size_t i = 0; output && i < scope->outputs.count && i < FACTS_COLUMNS; i++) {
        if (scope->outputs.items[i] == output) {
            out->order = i;
            out->descending = sql_has(first, FLAG_DESC);
        }
    }
}

/* Is everything that is grouped by shown, or a key whose row has one name? */
static bool is_keyed(const struct sql_resolved *resolved, const struct sql_scope *scope)
{
    const struct sql_node *groups = scope->node->children[SELECT_GROUP];
    for (size_t i = 0; groups && i < groups->count; i++) {
        const struct sql_node *value = groups->children[i];
        const struct sql_reference *reference =
            sql_is(value, SQL_COLUMN) ? sql_reference_of(resolved, value) : NULL;
        bool key = reference && reference->column && reference->column->primary;
        if (!key && !output_of(resolved, scope, value)) {
            return false;
        }
    }
    return true;
}

/* The table of whose rows each has a group: it is grouped by its only key column. */
static const struct table *grouped_table(const struct sql_resolved *resolved,
                                         const struct sql_scope *scope)
{
    const struct sql_node *groups = scope->node->children[SELECT_GROUP];
    const struct table *table = NULL;
    const struct sql_relation *relation = NULL;
    for (size_t i = 0; groups && i < groups->count; i++) {
        const struct sql_node *value = groups->children[i];
        const struct sql_reference *reference =
            sql_is(value, SQL_COLUMN) ? sql_reference_of(resolved, value) : NULL;
        if (!reference || !reference->column || !reference->relation ||
            (relation && relation != reference->relation)) {
            return NULL;
        }
        relation = reference->relation;
        table =
            reference->column->primary && !relation->optional ? relation->table : table;
    }
    size_t keys = 0;
    for (size_t i = 0; table && i < table->columns.count; i++) {
        keys += table->columns.items[i].primary;
    }
    return keys == 1 ? table : NULL;
}

static bool is_foreign(const struct table *table, const char *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct texts *columns = &table->foreign_keys.items[i].columns;
        for (size_t k = 0; k < columns->count; k++) {
            if (str_equal(columns->items[k], column)) {
                return true;
            }
        }
    }
    return false;
}

/* May there be groups of which no row fits? Those of a table that is joined whole have one,
 * and what stands only in the counted table itself is no group without a row of it. */
static bool is_lacking(const struct sql_resolved *resolved, const struct sql_scope *scope)
{
    const struct sql_node *select = scope->node;
    const struct sql_node *groups = select->children[SELECT_GROUP];
    size_t needed = 0;
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct sql_relation *relation = scope->relations.items[i];
        needed += !relation->optional;
        if (relation->kind != RELATION_TABLE || !relation->table) {
            return true;
        }
    }
    bool keyed = grouped_table(resolved, scope) != NULL;
    if (!groups || !groups->count || needed != 1 || select->children[SELECT_WHERE] ||
        select->children[SELECT_PREWHERE] || select->children[SELECT_HAVING] ||
        (groups->count > 1 && !keyed)) {
        return true;
    }
    const struct sql_node *value = groups->children[0];
    const struct sql_reference *reference =
        sql_is(value, SQL_COLUMN) ? sql_reference_of(resolved, value) : NULL;
    if (sql_is(value, SQL_CASE) && scope->relations.count == 1) {
        return false; /* spellings of one value */
    }
    return !reference || !reference->column || !reference->relation ||
           reference->relation->optional || !reference->relation->table ||
           is_foreign(reference->relation->table, reference->column->name);
}

/* ------------------------------------------------------------------ all of it */

static const struct sql_scope *scope_of(const struct sql_statement *statement,
                                        const struct sql_resolved *resolved)
{
    const struct sql_node *root = statement ? statement->root : NULL;
    bool plain =
        sql_is(root, SQL_QUERY) && sql_is(root->children[QUERY_BODY], SQL_SELECT);
    const struct sql_scope *scope =
        resolved && plain ? sql_scope_of(resolved, root->children[QUERY_BODY]) : NULL;
    return scope && !scope->outputs.open ? scope : NULL;
}

static bool is_grouped(const struct sql_scope *scope, const struct facts *facts)
{
    bool grouped =
        scope->node->children[SELECT_GROUP] || sql_has(scope->node, FLAG_GROUP_ALL);
    for (size_t i = 0; i < scope->outputs.count && i < FACTS_COLUMNS; i++) {
        grouped = grouped || facts->columns[i].kind != FACT_PLAIN;
    }
    return grouped;
}

static void read_select(struct run *run, const struct sql_statement *statement,
                        const struct sql_resolved *resolved,
                        const struct sql_scope *scope, struct facts *out)
{
    const struct sql_node *select = scope->node;
    struct facts_column_reader reader = {
        .run = run, .statement = statement, .resolved = resolved, .scope = scope};
    facts_column_begin(&reader);
    for (size_t i = 0; i < scope->outputs.count && i < FACTS_COLUMNS; i++) {
        facts_column_read(&reader, scope->outputs.items[i], &out->columns[i]);
    }
    bool grouped = is_grouped(scope, out);
    out->distinct = sql_has(select, FLAG_DISTINCT);
    out->filtered = select->children[SELECT_WHERE] || select->children[SELECT_PREWHERE] ||
                    select->children[SELECT_HAVING] || scope->relations.count > 1 ||
                    statement->root->children[QUERY_OFFSET];
    out->picked = select->children[SELECT_HAVING] != NULL;
    out->whole = is_whole(statement->root, rows_given(&run->answer.rows));
    out->keyed = is_keyed(resolved, scope);
    out->lacking = is_lacking(resolved, scope);
    out->untied = run->query.untied;
    read_order(resolved, scope, statement->root, out);
    const struct table *table = reader.table;
    const struct sql_relation *first = scope->outputs.items[0]->relation;
    bool named = first ? first->table == table : scope->relations.count == 1;
    if (table && named && !grouped && !out->distinct) {
        facts_things(run, table, &out->things, &out->thing);
    }
    const struct table *groups = grouped_table(resolved, scope);
    if (groups) {
        facts_things(run, groups, &out->things, &out->thing);
    }
    if (table && !select->children[SELECT_HAVING]) {
        const char *one = NULL;
        facts_things(run, table, &out->searched, &one);
    }
}

void facts_read(struct run *run, struct facts *out)
{
    const struct rows *rows = &run->answer.rows;
    *out = (struct facts){.order = FACTS_UNORDERED, .lacking = true};
    for (size_t i = 0; i < FACTS_COLUMNS; i++) {
        out->columns[i].kind = FACT_COMPUTED; /* the most careful of all */
    }
    str_put(out->today, sizeof out->today,
            clock_date(run->scratch, clock_wall_s(), run->options->agent_time_zone));
    const char *sql = run->answer.sql;
    const struct sql_statement *statement =
        sql && run_datasource(run) ? run_statement(run, sql) : NULL;
    const struct sql_resolved *resolved =
        statement && statement->root ? run_resolved(run, sql) : NULL;
    const struct sql_scope *scope = scope_of(statement, resolved);
    if (scope && scope->outputs.count && scope->outputs.count == rows->column_count) {
        read_select(run, statement, resolved, scope, out);
    }
}
