/* Headings: what a person would call the columns of a result that have no name of their own. */
#include "sql/describe/describe_heading.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/describe/describe.h"
#include "sql/resolve/resolve.h"
#include "sql/statement.h"

enum { DEPTH_MOST = 12 /* parts inside of parts; deeper ones are "value" */ };

static const char *first_of(struct heading *heading, const struct sql_node *list)
{
    for (size_t i = 0; list && i < list->count; i++) {
        const struct sql_node *item = list->children[i];
        if (!heading_is_literal(item)) {
            return heading_of(heading, item);
        }
    }
    return NULL;
}

static bool holds_hundred(const struct sql_node *node)
{
    if (sql_is(node, SQL_BINARY)) {
        return holds_hundred(node->children[PAIR_LEFT]) ||
               holds_hundred(node->children[PAIR_RIGHT]);
    }
    return sql_is(node, SQL_NUMBER) &&
           (str_equal(node->text, "100") || str_equal(node->text, "100.0"));
}

/* By something that is no plain number: 1000 only changes the unit. */
static bool divides(const struct sql_node *node)
{
    bool by = sql_is(node, SQL_BINARY) && str_equal(node->text, "/");
    bool times = sql_is(node, SQL_BINARY) && str_equal(node->text, "*");
    return (by && !heading_is_literal(node->children[PAIR_RIGHT])) ||
           ((by || times) && divides(node->children[PAIR_LEFT])) ||
           (times && divides(node->children[PAIR_RIGHT]));
}

static bool is_day_number(const struct sql_node *node)
{
    return sql_is(node, SQL_CALL) && (str_equal_nocase(node->text, "julianday") ||
                                      str_equal_nocase(node->text, "to_days"));
}

/* The whole name of a person, in two columns. */
static bool names_person(const struct sql_node *node)
{
    if (sql_is(node, SQL_COLUMN)) {
        return str_contains_nocase(node->children[node->count - 1]->text, "name");
    }
    return sql_is(node, SQL_BINARY) && (names_person(node->children[PAIR_LEFT]) ||
                                        names_person(node->children[PAIR_RIGHT]));
}

static const char *of_operator(struct heading *heading, const struct sql_node *node)
{
    const struct sql_node *left = node->children[PAIR_LEFT];
    const struct sql_node *right = node->children[PAIR_RIGHT];
    if (divides(node)) {
        return holds_hundred(node) ? "percentage" : "ratio";
    }
    if (str_equal(node->text, "||")) {
        return names_person(node) ? "name" : "text";
    }
    if (str_equal(node->text, "-")) {
        return is_day_number(left) || is_day_number(right) ? "days" : "difference";
    }
    if (strlen(node->text) == 1 && strchr("*/+", *node->text)) {
        return heading_is_literal(left)    ? heading_of(heading, right)
               : heading_is_literal(right) ? heading_of(heading, left)
                                           : "value";
    }
    const char *label = heading_condition(heading, node);
    return label ? label : "value";
}

static const char *of_case(struct heading *heading, const struct sql_node *node)
{
    const struct sql_node *whens = node->children[CASE_WHENS];
    for (size_t i = 0; i < whens->count; i++) {
        const struct sql_node *then = whens->children[i]->children[PAIR_RIGHT];
        if (sql_is(then, SQL_STRING)) {
            return "label";
        }
        if (!heading_is_literal(then)) {
            return heading_of(heading, then);
        }
    }
    return "value";
}

static const struct sql_node *first_select(const struct sql_node *node)
{
    while (node && node->kind != SQL_SELECT) {
        node = node->kind == SQL_QUERY           ? node->children[QUERY_BODY]
               : node->kind == SQL_SET_OPERATION ? node->children[PAIR_LEFT]
                                                 : NULL;
    }
    return node;
}

static const char *of_subquery(struct heading *heading, const struct sql_node *node)
{
    const struct sql_node *select = first_select(node->children[SINGLE_VALUE]);
    const struct sql_node *items = select ? select->children[SELECT_ITEMS] : NULL;
    if (!items || !items->count || !sql_is(items->children[0], SQL_ITEM)) {
        return "value";
    }
    const struct sql_node *item = items->children[0];
    return item->text ? item->text : heading_of(heading, item->children[SINGLE_VALUE]);
}

static const char *word_of(struct heading *heading, const struct sql_node *node)
{
    switch ((int)node->kind) {
    case SQL_COLUMN:
        return node->children[node->count - 1]->text;
    case SQL_CALL:
        return heading_call(heading, node);
    case SQL_EXTRACT:
        return str_lower(heading->arena, str_or_empty(node->text));
    case SQL_BINARY:
        return of_operator(heading, node);
    case SQL_CASE:
        return of_case(heading, node);
    case SQL_SUBQUERY:
        return of_subquery(heading, node);
    case SQL_FIELD:
        return node->text;
    case SQL_TUPLE:
        return first_of(heading, node);
    case SQL_UNARY:
    case SQL_CAST:
    case SQL_COLLATE:
    case SQL_AT_TIME_ZONE:
    case SQL_SUBSCRIPT:
        return heading_of(heading, node->children[0]);
    case SQL_IS:
    case SQL_IN:
    case SQL_LIKE:
    case SQL_BETWEEN:
        return heading_condition(heading, node);
    default:
        return "value";
    }
}

const char *heading_of(struct heading *heading, const struct sql_node *node)
{
    if (!node || heading->depth >= DEPTH_MOST) {
        return "value";
    }
    heading->depth++;
    const char *word = word_of(heading, node);
    heading->depth--;
    return str_empty(word) ? "value" : word;
}

/* What is computed, and has no name, behind a column of subqueries; NULL: it has one. */
static const struct sql_node *nameless(const struct sql_output *output)
{
    for (; output && !output->name; output = output->inner) {
        if (output->value && !sql_is(output->value, SQL_COLUMN)) {
            return output->value;
        }
    }
    return NULL;
}

static bool is_taken(const struct sql_outputs *outputs, const struct texts *texts,
                     const char *name)
{
    for (size_t i = 0; i < outputs->count; i++) {
        const char *own = outputs->items[i]->name;
        if ((own && str_equal_nocase(own, name)) ||
            (i < texts->count && texts->items[i] &&
             str_equal_nocase(texts->items[i], name))) {
            return true;
        }
    }
    return false;
}

void describe_headings(struct arena *arena, const struct sql_statement *statement,
                       const struct sql_resolved *resolved, struct texts *out)
{
    const struct sql_node *select = first_select(statement->root);
    const struct sql_scope *scope = select ? sql_scope_of(resolved, select) : NULL;
    *out = (struct texts){0};
    if (!scope || scope->outputs.open) {
        return; /* which column is which is not known */
    }
    for (size_t i = 0; i < scope->outputs.count; i++) {
        struct heading heading = {.arena = arena};
        const struct sql_node *value = nameless(scope->outputs.items[i]);
        const char *plain = value ? heading_of(&heading, value) : NULL;
        const char *name = plain;
        for (size_t n = 2; name && is_taken(&scope->outputs, out, name); n++) {
            name = arena_format(arena, "%s_%zu", plain, n);
        }
        VEC_PUSH(arena, out, name);
    }
}
