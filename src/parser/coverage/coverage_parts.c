/*
 * The parts of a query that no query has by itself: conditions, what is measured, grouped
 * or ordered by, and tables that are only joined. Each was written because a word asked
 * for it.
 */
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/words/fold.h"
#include "model/schema.h"
#include "parser/coverage/coverage_state.h"
#include "parser/ir/ir_schema.h"
#include "sql/statement.h"

enum { PARTS_MOST = 32, LITERAL_BYTES = 200 };

enum place { PLACE_SHOWN, PLACE_TESTED, PLACE_MEASURED };

struct dividing {
    const struct coverage_names *names;
    const char *sql;
    struct coverage_use *use;
    size_t relations; /* tables met so far: the first is what the query is about */
};

static void visit(struct dividing *dividing, const struct sql_node *node,
                  enum place place);

static void visit_all(struct dividing *dividing, const struct sql_node *node,
                      enum place place)
{
    for (size_t i = 0; i < node->count; i++) {
        visit(dividing, node->children[i], place);
    }
}

static const char *text_of(const struct dividing *dividing, const struct sql_node *node)
{
    return arena_copy(dividing->names->arena, dividing->sql + node->start,
                      node->end - node->start);
}

static void add(struct dividing *dividing, const struct coverage_part *part)
{
    if (dividing->use->parts.count < PARTS_MOST) {
        VEC_PUSH(dividing->names->arena, &dividing->use->parts, *part);
    }
}

static void gather(const struct dividing *dividing, const struct sql_node *node,
                   struct coverage_part *part)
{
    if (!node || node->kind == SQL_QUERY || node->kind == SQL_SUBQUERY) {
        return;
    }
    size_t most = sizeof part->columns / sizeof *part->columns;
    if (node->kind == SQL_COLUMN) {
        part->column_count +=
            coverage_columns(dividing->names, node, part->columns + part->column_count,
                             most - part->column_count);
        return;
    }
    if (node->kind == SQL_STRING && node->text) {
        char folded[LITERAL_BYTES];
        size_t size = fold_text(folded, sizeof folded, node->text,
                                strnlen(node->text, LITERAL_BYTES));
        part->literal = arena_copy(dividing->names->arena, folded, size);
    }
    for (size_t i = 0; i < node->count; i++) {
        gather(dividing, node->children[i], part);
    }
}

/* A comparison of columns with something; one of columns with each other only joins. */
static bool read_test(struct dividing *dividing, const struct sql_node *node,
                      struct coverage_part *out)
{
    struct coverage_part part = {
        .text = text_of(dividing, node), .table = -1, .tests = true};
    gather(dividing, node, &part);
    const struct sql_node *right = sql_child(node, PAIR_RIGHT);
    bool joins = node->kind == SQL_BINARY && str_equal(node->text, "=") &&
                 sql_is(sql_child(node, PAIR_LEFT), SQL_COLUMN) &&
                 sql_is(right, SQL_COLUMN);
    const struct ir_column *columns = dividing->names->schema->columns;
    bool flag = part.column_count == 1 && columns[part.columns[0]].flag;
    part.limit = node->kind == SQL_BINARY && !str_equal(node->text, "=") &&
                 !str_equal(node->text, "<>") && sql_is(right, SQL_NUMBER);
    bool zero = sql_is(right, SQL_NUMBER) && str_equal(right->text, "0");
    part.missing = node->kind == SQL_IS && !sql_has(node, FLAG_NOT) &&
                   sql_is(right, SQL_CONSTANT) && str_equal_nocase(right->text, "null");
    part.zero = zero;
    part.flags = flag || zero || node->kind == SQL_IS ||
                 (node->kind == SQL_IN && sql_has(node, FLAG_NOT));
    *out = part;
    return part.column_count && !joins;
}

static void add_test(struct dividing *dividing, const struct sql_node *node)
{
    struct coverage_part part;
    if (read_test(dividing, node, &part)) {
        add(dividing, &part);
    }
}

/* CASE WHEN price = 0 */
static void add_branch(struct dividing *dividing, const struct sql_node *node)
{
    struct coverage_part part;
    if (str_equal(node->text, "=") && read_test(dividing, node, &part) && part.zero &&
        dividing->use->branches.count < PARTS_MOST) {
        VEC_PUSH(dividing->names->arena, &dividing->use->branches, part);
    }
}

static bool is_key(const struct ir_schema *schema, int column)
{
    bool key = schema->columns[column].primary;
    for (int i = 0; i < schema->key_count && !key; i++) {
        key = schema->keys[i].from == column || schema->keys[i].to == column;
    }
    return key;
}

static void add_measure(struct dividing *dividing, const struct sql_node *node)
{
    struct coverage_part part = {.text = text_of(dividing, node), .table = -1};
    part.column_count = coverage_columns(dividing->names, node, part.columns,
                                         sizeof part.columns / sizeof *part.columns);
    /* Grouping by a key means counting things; no word asks for the key itself. */
    if (part.column_count && !is_key(dividing->names->schema, part.columns[0])) {
        add(dividing, &part);
    }
}

static void add_table(struct dividing *dividing, const struct sql_node *node)
{
    const struct sql_node *path = sql_child(node, TABLE_PATH);
    const char *name = path && path->count ? path->children[path->count - 1]->text : NULL;
    if (dividing->relations++ == 0) {
        return;
    }
    for (size_t i = 0; name && i < dividing->names->count; i++) {
        const struct coverage_alias *alias = &dividing->names->items[i];
        if (strcasecmp(alias->name, name) == 0) {
            add(dividing, &(struct coverage_part){.text = name, .table = alias->table});
            return;
        }
    }
}

static bool is_logic(const struct sql_node *node)
{
    return node->text &&
           (strcasecmp(node->text, "and") == 0 || strcasecmp(node->text, "or") == 0);
}

static bool is_aggregate(const struct sql_node *node)
{
    static const char *const names[] = {"sum", "avg", "min", "max", "total"};
    for (size_t i = 0; node->text && i < sizeof names / sizeof *names; i++) {
        if (strcasecmp(node->text, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void visit_select(struct dividing *dividing, const struct sql_node *node)
{
    static const enum place places[SELECT_SLOTS] = {
        [SELECT_WHERE] = PLACE_TESTED,    [SELECT_HAVING] = PLACE_TESTED,
        [SELECT_PREWHERE] = PLACE_TESTED, [SELECT_QUALIFY] = PLACE_TESTED,
        [SELECT_GROUP] = PLACE_MEASURED,
    };
    visit(dividing, sql_child(node, SELECT_FROM),
          PLACE_SHOWN); /* says what it is about */
    for (size_t i = 0; i < node->count; i++) {
        if (i != SELECT_FROM) {
            visit(dividing, node->children[i], places[i]);
        }
    }
}

static void visit(struct dividing *dividing, const struct sql_node *node,
                  enum place place)
{
    if (!node) {
        return;
    }
    switch (node->kind) {
    case SQL_QUERY:
        visit(dividing, sql_child(node, QUERY_WITH), PLACE_SHOWN);
        visit(dividing, sql_child(node, QUERY_BODY), PLACE_SHOWN);
        visit(dividing, sql_child(node, QUERY_ORDER), PLACE_MEASURED);
        return;
    case SQL_SELECT:
        visit_select(dividing, node);
        return;
    case SQL_TABLE:
        add_table(dividing, node);
        return;
    case SQL_CALL:
        visit_all(dividing, node, is_aggregate(node) ? PLACE_MEASURED : place);
        return;
    case SQL_COLUMN:
        if (place == PLACE_MEASURED) {
            add_measure(dividing, node);
        }
        return;
    case SQL_BINARY:
        if (is_logic(node) || place != PLACE_TESTED) {
            add_branch(dividing, node);
            visit_all(dividing, node, place);
            return;
        }
        add_test(dividing, node);
        visit_all(dividing, node, PLACE_SHOWN);
        return;
    case SQL_IS:
    case SQL_IN:
    case SQL_LIKE:
    case SQL_BETWEEN:
        add_test(dividing, node);
        visit_all(dividing, node, PLACE_SHOWN);
        return;
    default:
        visit_all(dividing, node, place);
        return;
    }
}

void coverage_read_parts(const struct coverage_names *names,
                         const struct sql_statement *statement, struct coverage_use *use)
{
    struct dividing dividing = {.names = names, .sql = statement->text, .use = use};
    visit(&dividing, statement->root, PLACE_SHOWN);
}
