/* Finds conditions that exclude values and drop rows without a value with them. */
#include "sql/counting/unequal.h"

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/build.h"
#include "sql/counting/grain.h"
#include "sql/function.h"

static bool is_equal(const struct sql_node *node)
{
    return node->kind == SQL_BINARY &&
           (str_equal(node->text, "=") || str_equal(node->text, "=="));
}

/* The value of which others are excluded: x in x <> 1, NOT x = 1, x NOT IN (1, 2),
 * x NOT LIKE 'a%'. NULL: it excludes nothing. */
static const struct sql_node *excluding(const struct sql_node *node, bool negated)
{
    if (node->kind == SQL_UNARY && str_equal_nocase(node->text, "not")) {
        return excluding(node->children[SINGLE_VALUE], !negated);
    }
    if (node->kind == SQL_BINARY) {
        bool differs = str_equal(node->text, "<>") || str_equal(node->text, "!=");
        const struct sql_node *other = node->children[PAIR_RIGHT];
        bool fixed =
            (other->kind == SQL_STRING && *other->text) || /* <> '': has one */
            other->kind == SQL_NUMBER ||
            (other->kind == SQL_CONSTANT && !str_equal_nocase(other->text, "null"));
        return fixed && (negated ? is_equal(node) : differs) ? node->children[PAIR_LEFT]
                                                             : NULL;
    }
    bool list = (node->kind == SQL_IN || node->kind == SQL_LIKE) &&
                sql_has(node, FLAG_NOT) != negated;
    return list ? node->children[PAIR_LEFT] : NULL;
}

/* The column itself, also in LOWER(TRIM(x)). */
static const struct sql_reference *column_of(const struct sql_resolved *resolved,
                                             const struct sql_node *node)
{
    while (
        sql_is(node, SQL_CALL) && node->children[CALL_ARGUMENTS] &&
        node->children[CALL_ARGUMENTS]->count == 1 &&
        (str_equal_nocase(node->text, "lower") || str_equal_nocase(node->text, "trim"))) {
        node = node->children[CALL_ARGUMENTS]->children[0];
    }
    const struct sql_reference *reference =
        sql_is(node, SQL_COLUMN) ? sql_reference_of(resolved, node) : NULL;
    const struct column *column = reference ? reference->column : NULL;
    bool empty = column && column->nullable && !column->primary &&
                 column->null_share != 0 && reference->state == REFERENCE_COLUMN &&
                 !reference->fields && reference->relation &&
                 !reference->relation->optional;
    return empty ? reference : NULL;
}

static bool mentions(const struct sql_resolved *resolved, const struct sql_node *node,
                     const struct sql_reference *wanted)
{
    const struct sql_reference *reference =
        node && node->kind == SQL_COLUMN ? sql_reference_of(resolved, node) : NULL;
    bool found = reference && reference->relation == wanted->relation &&
                 reference->output == wanted->output;
    for (size_t i = 0; node && i < node->count && !found; i++) {
        found = mentions(resolved, node->children[i], wanted);
    }
    return found;
}

/* COUNT(*) of the same rows without a value; a row that joins repeat counts once. */
static const char *count_query(const struct grain *grain,
                               const struct sql_statement *statement,
                               const struct grain_conjuncts *conjuncts, size_t place,
                               const struct sql_reference *reference)
{
    struct arena *arena = grain->arena;
    const struct sql_node *from = grain->scope->node;
    const struct grain_key *key = grain_key_of(grain, reference->relation->place);
    bool once = grain->scope->relations.count > 1 && key && key->count == 1;
    struct sql_node *call = sql_node(arena, SQL_CALL, "COUNT");
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS],
            once ? build_reference(arena, reference->relation, key->items[0])
                 : sql_node(arena, SQL_STAR, NULL));
    call->flags |= once ? FLAG_DISTINCT : 0;
    struct sql_node *where = build_not_null(
        arena, build_reference(arena, reference->relation, reference->output));
    where->flags &= ~(unsigned)FLAG_NOT;
    for (size_t i = 0; i < conjuncts->count; i++) {
        where = i == place
                    ? where
                    : build_and(arena, where, sql_clone(arena, conjuncts->items[i]));
    }
    struct sql_node *select = sql_node(arena, SQL_SELECT, NULL);
    select->children[SELECT_ITEMS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_ITEMS], build_item(arena, call, "n"));
    select->children[SELECT_FROM] = sql_clone(arena, from->children[SELECT_FROM]);
    select->children[SELECT_WHERE] = where;
    struct sql_node *query = sql_node(arena, SQL_QUERY, NULL);
    if (statement->root->children[QUERY_WITH]) {
        query->flags = statement->root->flags & FLAG_RECURSIVE;
        query->children[QUERY_WITH] =
            sql_clone(arena, statement->root->children[QUERY_WITH]);
    }
    query->children[QUERY_BODY] = select;
    return sql_statement_print(arena, statement->dialect, query);
}

/* The statement where the column may also be empty. */
static const char *with_empty(const struct grain *grain,
                              const struct sql_statement *statement,
                              const struct grain_conjuncts *conjuncts, size_t place,
                              const struct sql_reference *reference)
{
    struct arena *arena = grain->arena;
    struct sql_node *empty = build_not_null(
        arena, build_reference(arena, reference->relation, reference->output));
    empty->flags &= ~(unsigned)FLAG_NOT;
    struct sql_node *where = NULL;
    for (size_t i = 0; i < conjuncts->count; i++) {
        struct sql_node *part = sql_clone(arena, conjuncts->items[i]);
        where = build_and(arena, where, i == place ? build_or(arena, part, empty) : part);
    }
    struct sql_node *query = sql_clone(arena, statement->root);
    query->children[QUERY_BODY]->children[SELECT_WHERE] = where;
    return sql_statement_print(arena, statement->dialect, query);
}

/* COUNT(*), SUM(x): one figure over all rows. */
static bool gives_figure(const struct sql_statement *statement,
                         const struct sql_node *select)
{
    const struct sql_node *items = select->children[SELECT_ITEMS];
    const struct sql_node *value =
        items->count == 1 ? items->children[0]->children[SINGLE_VALUE] : NULL;
    return sql_is(value, SQL_CALL) && !value->children[CALL_OVER] &&
           !select->children[SELECT_GROUP] &&
           function_has(function_find(statement->dialect, value->text), 'a');
}

/* "Did not end at the Airport", and a ride without an end station: the column of the other
 * relation by which this one is looked up, if it may be empty. NULL: it never is, or there are
 * more relations. */
static const struct grain_equality *
looked_up(const struct grain *grain, const struct sql_relation *relation, bool *left)
{
    for (size_t i = 0; grain->scope->relations.count == 2 && i < grain->equalities.count;
         i++) {
        const struct grain_equality *equal = &grain->equalities.items[i];
        if (equal->right == GRAIN_FIXED ||
            (equal->left != relation->place && equal->right != relation->place)) {
            continue;
        }
        *left = equal->left == relation->place;
        const struct sql_output *output =
            *left ? equal->right_column : equal->left_column;
        const struct column *column = output ? output->column : NULL;
        if (column && column->nullable && !column->primary && column->null_share != 0) {
            return equal;
        }
    }
    return NULL;
}

/* Adds the rows of the other relation that have no partner, if all other conditions are about
 * that relation. */
static void add_unpaired(const struct grain *grain, const struct sql_statement *statement,
                         const struct grain_conjuncts *conjuncts, size_t place,
                         const struct sql_relation *relation, struct unequals *out)
{
    struct arena *arena = grain->arena;
    bool left = false;
    const struct grain_equality *equal = looked_up(grain, relation, &left);
    if (!equal || relation->optional || statement->root->children[QUERY_WITH]) {
        return;
    }
    const struct sql_relation *other =
        grain->scope->relations.items[left ? equal->right : equal->left];
    const struct sql_output *output = left ? equal->right_column : equal->left_column;
    struct sql_node *where = build_not_null(arena, build_reference(arena, other, output));
    where->flags &= ~(unsigned)FLAG_NOT;
    for (size_t i = 0; i < conjuncts->count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        if (!grain_relations_in(grain, conjuncts->items[i], marked) ||
            (i != place && marked[relation->place])) {
            return;
        }
        where = i == place
                    ? where
                    : build_and(arena, where, sql_clone(arena, conjuncts->items[i]));
    }
    struct sql_node *call = sql_node(arena, SQL_CALL, "COUNT");
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS], sql_node(arena, SQL_STAR, NULL));
    struct sql_node *select = sql_node(arena, SQL_SELECT, NULL);
    select->children[SELECT_ITEMS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_ITEMS], build_item(arena, call, "n"));
    select->children[SELECT_FROM] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_FROM], sql_clone(arena, other->node));
    select->children[SELECT_WHERE] = where;
    struct sql_node *query = sql_node(arena, SQL_QUERY, NULL);
    query->children[QUERY_BODY] = select;
    struct unequal unequal = {other, output->column,
                              sql_statement_print(arena, statement->dialect, query), NULL,
                              false};
    VEC_PUSH(arena, out, unequal);
}

void unequal_find(struct arena *arena, const struct sql_statement *statement,
                  const struct sql_resolved *resolved, struct unequals *out)
{
    const struct sql_node *query = statement->root;
    const struct sql_node *select =
        sql_is(query, SQL_QUERY) ? query->children[QUERY_BODY] : NULL;
    const struct sql_scope *scope =
        sql_is(select, SQL_SELECT) ? sql_scope_of(resolved, select) : NULL;
    struct grain grain;
    struct grain_conjuncts conjuncts = {0};
    if (!scope || !select->children[SELECT_WHERE] || select->children[SELECT_PREWHERE] ||
        !grain_read(arena, resolved, scope, &grain)) {
        return;
    }
    grain_conjuncts(arena, select->children[SELECT_WHERE], &conjuncts);
    for (size_t i = 0; i < conjuncts.count; i++) {
        const struct sql_node *value = excluding(conjuncts.items[i], false);
        const struct sql_reference *tested =
            sql_is(value, SQL_COLUMN) ? sql_reference_of(resolved, value) : NULL;
        if (tested && tested->relation && tested->relation->scope == scope) {
            add_unpaired(&grain, statement, &conjuncts, i, tested->relation, out);
        }
        const struct sql_reference *reference = value ? column_of(resolved, value) : NULL;
        bool other = !reference || reference->relation->scope != scope ||
                     !reference->relation->table;
        for (size_t k = 0; k < conjuncts.count && !other; k++) {
            other = k != i && mentions(resolved, conjuncts.items[k], reference);
        }
        if (!other) {
            struct unequal unequal = {
                reference->relation, reference->column,
                count_query(&grain, statement, &conjuncts, i, reference),
                with_empty(&grain, statement, &conjuncts, i, reference),
                gives_figure(statement, select)};
            VEC_PUSH(arena, out, unequal);
        }
    }
}
