/* What a query reads of its tables, from its tree. */
#include "datasource/reading.h"

#include "base/str.h"
#include "model/schema.h"

/* ------------------------------------------------------------------ columns */

struct reading {
    const struct sql_resolved *resolved;
    reading_mark *mark;
    void *context;
    size_t stars; /* without those of count(*) */
    bool all;
};

static bool is_count_star(const struct sql_node *node)
{
    const struct sql_node *arguments =
        node->kind == SQL_CALL ? node->children[CALL_ARGUMENTS] : NULL;
    const struct sql_node *star =
        arguments && arguments->count == 1 ? arguments->children[0] : NULL;
    return sql_is(star, SQL_STAR) && !star->children[STAR_OF] &&
           !star->children[STAR_OPTIONS] && str_equal_nocase(node->text, "count");
}

/* t.* is a reference to the row of t. */
static bool is_row_star(const struct reading *reading, const struct sql_node *star)
{
    const struct sql_node *of = star->children[STAR_OF];
    const struct sql_reference *row =
        sql_is(of, SQL_COLUMN) ? sql_reference_of(reading->resolved, of) : NULL;
    return row && row->state == REFERENCE_ROW;
}

/* What reads columns that it does not name. */
static bool node_visit(void *context, struct sql_node *node)
{
    struct reading *reading = context;
    bool all = false;
    switch (node->kind) {
    case SQL_STAR:
        reading->stars += !is_row_star(reading, node);
        break;
    case SQL_CALL:
        reading->stars -= is_count_star(node);
        all = str_equal_nocase(node->text, "columns");
        break;
    case SQL_JOIN:
        all = sql_has(node, FLAG_NATURAL);
        break;
    case SQL_ALIAS: /* t (a, b) renames columns by their place */
        all = node->children[SINGLE_VALUE];
        break;
    case SQL_PIVOT: /* groups by all that it does not name */
    case SQL_UNPIVOT:
        all = true;
        break;
    default:
        break;
    }
    reading->all = reading->all || all;
    return true;
}

static void reference_mark(const struct reading *reading,
                           const struct sql_reference *reference)
{
    const struct sql_relation *relation = reference->relation;
    const struct sql_node *node = reference->node;
    bool certain = relation && !reference->second;
    bool inner = certain && relation->query; /* what it reads has references of its own */
    if (reference->state == REFERENCE_ROW && certain && (relation->table || inner)) {
        if (!inner) {
            reading->mark(reading->context, relation->table, NULL);
        }
    } else if (reference->state == REFERENCE_COLUMN && certain &&
               ((relation->table && reference->column) || inner)) {
        if (!inner) {
            reading->mark(reading->context, relation->table, reference->column->name);
        }
    } else { /* it may be any column of that name */
        for (size_t i = 0; i < node->count; i++) {
            reading->mark(reading->context, NULL, node->children[i]->text);
        }
        if (node->text) {
            reading->mark(reading->context, NULL, node->text);
        }
    }
}

void reading_columns(const struct sql_statement *statement,
                     const struct sql_resolved *resolved, reading_mark *mark,
                     void *context)
{
    struct reading reading = {.resolved = resolved, .mark = mark, .context = context};
    sql_walk(statement->root, node_visit, &reading);
    if (reading.all || reading.stars > 0) {
        mark(context, NULL, NULL);
    }
    for (size_t i = 0; i < resolved->references.count; i++) {
        reference_mark(&reading, resolved->references.items[i]);
    }
}

/* ------------------------------------------------------------------ rows */

/* Functions and subqueries may look at all rows. */
static bool calm_visit(void *context, struct sql_node *node)
{
    bool *calm = context;
    *calm = *calm && node->kind != SQL_CALL && node->kind != SQL_QUERY;
    return *calm;
}

/* Nothing but a list and a table. */
static bool select_is_plain(const struct sql_node *select)
{
    const struct sql_node *from =
        select->kind == SQL_SELECT ? select->children[SELECT_FROM] : NULL;
    bool plain = from && select->flags == 0 && from->count == 1 &&
                 from->children[0]->kind == SQL_TABLE &&
                 !from->children[0]->children[TABLE_SAMPLE];
    for (size_t i = 0; plain && i < SELECT_SLOTS; i++) {
        plain = i == SELECT_ITEMS || i == SELECT_FROM || !select->children[i];
    }
    if (plain) {
        sql_walk(select->children[SELECT_ITEMS], calm_visit, &plain);
    }
    return plain;
}

bool reading_takes_first(const struct sql_node *query, int64_t *limit)
{
    bool plain = query->kind == SQL_QUERY && query->flags == 0 &&
                 select_is_plain(query->children[QUERY_BODY]);
    for (size_t i = 0; plain && i < QUERY_SLOTS; i++) {
        plain = i == QUERY_BODY || i == QUERY_LIMIT || !query->children[i];
    }
    const struct sql_node *count = plain ? query->children[QUERY_LIMIT] : NULL;
    *limit = -1;
    return plain && (!count || (count->kind == SQL_NUMBER &&
                                str_to_int(count->text, limit) && *limit >= 0));
}
