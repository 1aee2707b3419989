/* Which columns and how many rows of which tables a query needs. */
#include "datasource/mongodb/mongodb_plan.h"

#include "base/arena.h"
#include "base/str.h"
#include "datasource/reading.h"
#include "model/schema.h"

static void column_mark(void *context, const struct table *table, const char *column)
{
    struct mongodb_plan *plan = context;
    for (size_t i = 0; i < plan->parts.count; i++) {
        const struct mongodb_columns *columns = &plan->parts.items[i].table->columns;
        bool meant = !table || table == &plan->schema->tables.items[i];
        for (size_t c = 0; meant && c < columns->count; c++) {
            if (!column || str_equal_nocase(columns->items[c].name, column)) {
                plan->needed[i][c] = true;
            }
        }
    }
}

static void columns_choose(struct mongodb_plan *plan)
{
    plan->needed = arena_array(plan->arena, plan->parts.count + 1, sizeof(bool *));
    for (size_t i = 0; i < plan->parts.count; i++) {
        plan->needed[i] = arena_array(
            plan->arena, plan->parts.items[i].table->columns.count + 1, sizeof(bool));
    }
    reading_columns(&plan->statement, plan->resolved, column_mark, plan);
    for (size_t i = 0; i < plan->parts.count; i++) {
        struct mongodb_part *part = &plan->parts.items[i];
        size_t count = part->table->columns.count;
        part->columns = arena_array(plan->arena, count + 1, sizeof *part->columns);
        part->count = 0;
        for (size_t c = 0; c < count; c++) {
            if (plan->needed[i][c]) {
                part->columns[part->count++] = c;
            }
        }
        if (part->count == 0) { /* rows are only counted: the first column is the key */
            part->columns[part->count++] = 0;
        }
    }
}

/* There is one row per document, so no more documents than rows need to be read. */
static int64_t limit_of(const struct mongodb_plan *plan, int64_t max_rows)
{
    int64_t limit = max_rows < INT64_MAX - 1 ? max_rows + 1 : 0;
    int64_t asked = -1;
    if (plan->parts.count != 1 || plan->parts.items[0].table->array.count > 0 ||
        !reading_takes_first(plan->statement.root, &asked)) {
        return 0;
    }
    if (asked >= 0) {
        limit = limit == 0 || asked < limit ? asked : limit;
        limit = asked == 0 ? 1 : limit; /* 0 would mean all */
    }
    return limit;
}

/* Joins after which a row is there or not for reasons other than its own condition are
 * none of these: ASOF, POSITIONAL, SEMI, ANTI, NATURAL, USING, LATERAL, samples. */
static bool from_is_plain(const struct sql_node *node)
{
    bool plain = node->flags == 0 && !node->text;
    switch (node->kind) {
    case SQL_TABLE:
        return plain && !node->children[TABLE_SAMPLE];
    case SQL_DERIVED:
    case SQL_TABLE_FUNCTION:
        return plain && !node->children[DERIVED_SAMPLE];
    case SQL_JOIN_GROUP:
        return plain && !node->children[DERIVED_SAMPLE] &&
               from_is_plain(node->children[DERIVED_SOURCE]);
    case SQL_JOIN:
        return plain && !node->children[JOIN_USING] &&
               from_is_plain(node->children[JOIN_LEFT]) &&
               from_is_plain(node->children[JOIN_RIGHT]);
    case SQL_LIST:
        for (size_t i = 0; plain && i < node->count; i++) {
            plain = from_is_plain(node->children[i]);
        }
        return plain;
    default:
        return false;
    }
}

/* The one SELECT of a query over tables and plain joins; else NULL. */
static const struct sql_node *plain_select(const struct sql_node *query)
{
    const struct sql_node *select = query->children[QUERY_BODY];
    bool plain = !query->children[QUERY_WITH] && select->kind == SQL_SELECT &&
                 select->children[SELECT_FROM] && !select->children[SELECT_SAMPLE] &&
                 from_is_plain(select->children[SELECT_FROM]);
    return plain ? select : NULL;
}

static struct schema *schema_of(const struct mongodb_plan *plan)
{
    struct schema *schema = schema_new();
    for (size_t i = 0; i < plan->parts.count; i++) {
        const struct mongodb_table *part = plan->parts.items[i].table;
        struct table *table = schema_add_table(schema, part->name);
        for (size_t c = 0; c < part->columns.count; c++) {
            (void)table_add_column(schema, table, part->columns.items[c].name, "");
        }
    }
    return schema;
}

void mongodb_plan_make(struct mongodb_plan *plan, int64_t max_rows)
{
    const struct sql_node *select = plain_select(plan->statement.root);
    plan->schema = schema_of(plan);
    plan->resolved = sql_resolve(plan->arena, &plan->statement, plan->schema);
    columns_choose(plan);
    if (select) {
        mongodb_filter_make(plan, select->children[SELECT_WHERE]);
        int64_t limit = limit_of(plan, max_rows);
        for (size_t i = 0; i < plan->parts.count; i++) {
            plan->parts.items[i].limit = limit;
        }
    }
    schema_unref(plan->schema);
    plan->schema = NULL;
    plan->resolved = NULL;
}

void mongodb_plan_release(struct mongodb_plan *plan)
{
    for (size_t i = 0; i < plan->parts.count; i++) {
        if (plan->parts.items[i].filter) {
            mongo.bson_destroy(plan->parts.items[i].filter);
            plan->parts.items[i].filter = NULL;
        }
    }
}
