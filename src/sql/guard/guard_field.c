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

static bool refuse_value(struct guard *guard, const struct token *field)
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

/* Behind `[`, at its `]`. A slice, [1:2], is a list still. */
static const struct token *subscript_end(const struct token *at, const struct token *end,
                                         bool *slice)
{
    int depth = 1;
    for (; at < end; at++) {
        depth += token_is_punct(at, "[") - token_is_punct(at, "]");
        *slice = *slice || token_is_punct(at, ":");
        if (depth == 0) {
            break;
        }
    }
    return at;
}

static bool is_name(const struct token *token)
{
    return token->kind == TOKEN_WORD || token->kind == TOKEN_NAME;
}

/*
 * The value between `base` and `dot` as a column and the fields taken of it so far, as
 * the schema writes them: (t.address), ((list)[1]).geo. Returns the column's first token;
 * NULL when it is anything else.
 */
static const struct token *column_of(struct guard *guard, const struct token *base,
                                     const struct token *dot, const char **fields)
{
    bool indexed = false; /* behind an index: a[1][2] is an item of a list, too */
    bool slice = false;
    *fields = "";
    while (base < dot && token_is_punct(base, "(")) {
        base++;
    }
    const struct token *at = base;
    if (at >= dot || !is_name(at)) {
        return NULL;
    }
    at++;
    while (at + 1 < dot && token_is_punct(at, ".") && is_name(at + 1)) {
        at += 2;
    }
    for (; at < dot; at++) {
        if (token_is_punct(at, "[")) {
            at = subscript_end(at + 1, dot, &slice);
            *fields = arena_format(guard->arena, "%s%s", *fields, indexed ? "" : "[]");
            indexed = true;
        } else if (token_is_punct(at, ".") && is_name(at + 1)) {
            at++;
            *fields = arena_format(guard->arena, "%s%s%s", *fields, **fields ? "." : "",
                                   guard_folded(guard, at));
            indexed = false;
        } else if (!token_is_punct(at, ")")) {
            return NULL;
        }
    }
    return slice ? NULL : base;
}

/* (ROW(a, b)).f2: PostgreSQL names the fields of a row f1, f2 … */
static bool is_field_of_row(const struct token *base, const struct token *dot,
                            const struct token *field)
{
    while (base < dot && token_is_punct(base, "(")) {
        base++;
    }
    char *rest = NULL;
    long number = field->text[0] == 'f' ? strtol(field->text + 1, &rest, 10) : 0;
    if (base->keyword != KEYWORD_row || !token_is_punct(base + 1, "(") || number < 1 ||
        *rest || field->text[1] < '1' || field->text[1] > '9') {
        return false;
    }
    long count = 1;
    int depth = 1;
    const struct token *at = base + 2;
    for (; at < dot && depth > 0; at++) {
        if (token_is_punct(at, "*")) {
            return false; /* ROW(t.*) has as many as t */
        }
        depth += token_is_punct(at, "(") + token_is_punct(at, "[") -
                 token_is_punct(at, ")") - token_is_punct(at, "]");
        count += depth == 1 && token_is_punct(at, ",");
    }
    while (at < dot && token_is_punct(at, ")")) {
        at++;
    }
    return at == dot && number <= count;
}

bool guard_field(struct guard *guard, const struct token *base)
{
    const struct token *dot = guard->at;
    const struct token *field = dot + 1;
    if (!is_name(field) && !token_is_punct(field, "*")) {
        guard->at = field;
        return guard_unexpected(guard);
    }
    if (!base || token_is_punct(field, "*")) {
        return refuse_value(guard, field);
    }
    guard->at += 2;
    if (guard_at_char(guard, '(')) {
        return guard_unexpected(guard);
    }
    if (is_field_of_row(base, dot, field)) {
        return true;
    }
    const char *before;
    const struct token *column = column_of(guard, base, dot, &before);
    const char *full = arena_format(guard->arena, "%s%s%s", before, *before ? "." : "",
                                    guard_folded(guard, field));
    return (column && !strpbrk(field->text, ".[") &&
            guard_reference_field(guard, column, full)) ||
           refuse_value(guard, field);
}
