/*
 * Fields of values: (column).field. PostgreSQL reads (x).f as the call f(x) whenever x
 * has no field f, and x may be any value, a number or a text too. So a field is allowed
 * only where it is certain to be one: of a column whose composite type is known, or of
 * ROW(…).
 */
#include "sql/guard/guard_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

const char *guard_folded(const struct guard *guard, const struct token *name)
{
    return name->kind == TOKEN_NAME ? name->text : str_lower(guard->arena, name->text);
}

bool guard_field_refuse(struct guard *guard, const struct token *field)
{
    const char *why = function_danger(field->text);
    if (why) {
        return guard_refuse(guard, field,
                            "(value).%.60s calls the function %.60s, which is not "
                            "allowed: %s.",
                            field->text, field->text, why);
    }
    return guard_refuse(guard, field,
                        "A field can be taken only of a column of a composite type: "
                        "(value).%.60s could be a call of a function.",
                        field->text);
}

/*
 * The value as a column and the fields taken of it so far, as the schema writes them:
 * (t.address), ((list)[1]).geo. NULL when it is anything else. An item of a list of lists
 * is an item of a list, too; a slice, [1:2], is a list still.
 */
static const struct sql_node *column_of(struct guard *guard, const struct sql_node *value,
                                        const char **fields)
{
    if (sql_is(value, SQL_COLUMN)) {
        *fields = "";
        return value;
    }
    bool indexed = sql_is(value, SQL_SUBSCRIPT);
    while (sql_is(value, SQL_SUBSCRIPT)) {
        value = value->children[PAIR_LEFT];
    }
    if (indexed) {
        const struct sql_node *column = column_of(guard, value, fields);
        *fields = column ? arena_format(guard->arena, "%s[]", *fields) : "";
        return column;
    }
    if (!sql_is(value, SQL_FIELD)) {
        return NULL;
    }
    const struct sql_node *column =
        column_of(guard, value->children[SINGLE_VALUE], fields);
    *fields = column ? arena_format(guard->arena, "%s%s%s", *fields, **fields ? "." : "",
                                    guard_folded(guard, guard_last(guard, value)))
                     : "";
    return column;
}

/* (ROW(a, b)).f2: PostgreSQL names the fields of a row f1, f2 … */
static bool is_field_of_row(const struct sql_node *row, const struct token *field)
{
    char *rest = NULL;
    long number = field->text[0] == 'f' ? strtol(field->text + 1, &rest, 10) : 0;
    if (!sql_is(row, SQL_STRUCT) || !str_equal(row->text, "ROW") || number < 1 || *rest ||
        field->text[1] < '1' || field->text[1] > '9') {
        return false;
    }
    const struct sql_node *entries = row->children[STRUCT_ENTRIES];
    for (size_t i = 0; i < entries->count; i++) {
        if (sql_is(entries->children[i]->children[PAIR_RIGHT], SQL_STAR)) {
            return false; /* ROW(t.*) has as many as t */
        }
    }
    return (size_t)number <= entries->count;
}

/* PostgreSQL and ODBC */
static bool proven_field(struct guard *guard, const struct sql_node *node,
                         const struct token *field)
{
    const struct sql_node *value = node->children[SINGLE_VALUE];
    if (field->kind != TOKEN_WORD && field->kind != TOKEN_NAME) {
        return guard_unexpected(guard, field);
    }
    if (is_field_of_row(value, field)) {
        return true;
    }
    if (!guard->schema && /* nothing is known of the column */
        (function_is_no_column(field->text) || function_danger(field->text))) {
        return guard_field_refuse(guard, field);
    }
    const char *before = "";
    const struct sql_node *column = column_of(guard, value, &before);
    const char *full = arena_format(guard->arena, "%s%s%s", before, *before ? "." : "",
                                    guard_folded(guard, field));
    return (column && !strpbrk(field->text, ".[") &&
            guard_reference_field(guard, column, full)) ||
           guard_field_refuse(guard, field);
}

bool guard_field(struct guard *guard, const struct sql_node *node)
{
    const struct token *field = guard_last(guard, node);
    if (guard_dialect(guard, "po")) {
        return proven_field(guard, node, field);
    }
    /* Values of SQLite and MySQL have no fields: what is a value here, such as NULL, is a
     * name to MariaDB when a dot follows. */
    return !guard_dialect(guard, "sm") || guard_unexpected(guard, field - 1);
}
