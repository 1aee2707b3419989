/* Types, as in CAST(x AS DECIMAL(10, 2)), x::INTEGER[] and STRUCT(a INT, b VARCHAR). */
#include "sql/guard/guard_state.h"

#include <string.h>

#include "base/str.h"

/* A type of the database's own (an enum, say) is fine when a column has it. */
static bool type_in_schema(const struct schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        for (size_t j = 0; j < table->columns.count; j++) {
            if (str_equal_nocase(table->columns.items[j].type, name)) {
                return true;
            }
        }
    }
    return false;
}

static bool type_allowed(struct guard *guard, const struct token *token)
{
    if (guard_dialect(guard, "s") || function_type_known(token->text)) {
        return true;
    }
    /* regclass and its like look names up in the catalog */
    if (str_starts_nocase(token->text, "reg") || str_starts_nocase(token->text, "pg_") ||
        str_equal_nocase(token->text, "xml") || str_equal_nocase(token->text, "oid") ||
        str_equal_nocase(token->text, "refcursor")) {
        return false;
    }
    if (!guard_dialect(guard, "dp") || guard->types++ >= GUARD_MAX_TYPES) {
        return false;
    }
    return !guard->schema || type_in_schema(guard->schema, token->text);
}

static bool at_close(const struct guard *guard, char close)
{
    return guard_at_char(guard, close) ||
           (close == '>' && token_is_punct(guard->at, ">>"));
}

/* `>>` ends two types: the inner one marks it, the outer one takes it. */
static bool take_close(struct guard *guard)
{
    if (token_is_punct(guard->at, ">>") && guard->half_closed != guard->at) {
        guard->half_closed = guard->at;
    } else {
        guard->at++;
    }
    return true;
}

enum { LENGTH_DIGITS = 5 };

/* Inside ( … ) or < … > of a type: numbers, texts, types, named types. */
static bool type_arguments(struct guard *guard, char close)
{
    while (!at_close(guard, close)) {
        const struct token *token = guard->at;
        if (token->kind == TOKEN_NUMBER && guard_dialect(guard, "pc") &&
            strlen(token->text) > LENGTH_DIGITS) { /* char(n) is filled up */
            return guard_refuse(guard, token, "The type is too long.");
        }
        if (token->kind == TOKEN_NUMBER || token->kind == TOKEN_STRING) {
            guard->at++;
        } else if ((token->kind == TOKEN_WORD || token->kind == TOKEN_NAME) &&
                   (token[1].kind == TOKEN_WORD && !token_is(token + 1, "precision") &&
                    !token_is(token + 1, "varying"))) {
            guard->at++; /* the name of a field */
            if (!guard_type(guard)) {
                return false;
            }
        } else if (token->kind == TOKEN_WORD && token_is(token, "max")) {
            guard->at++;
        } else if (!guard_type(guard)) {
            return false;
        }
        if (!guard_take_char(guard, ',') && !at_close(guard, close)) {
            return guard_unexpected(guard);
        }
    }
    return take_close(guard);
}

/* DOUBLE PRECISION, CHARACTER VARYING, TIMESTAMP WITH TIME ZONE, UNSIGNED INTEGER … */
static bool type_words(struct guard *guard)
{
    static const char *const words[] = {"precision", "varying", "unsigned",
                                        "signed",    "integer", "int",
                                        "zerofill",  "large",   "object"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (guard_take_text(guard, words[i])) {
            i = (size_t)-1; /* again: several may follow one another */
        }
    }
    return true;
}

static bool time_zone(struct guard *guard)
{
    if ((guard_at(guard, KEYWORD_with) || guard_at(guard, KEYWORD_without)) &&
        guard->at[1].keyword == KEYWORD_time && token_is(guard->at + 2, "zone")) {
        guard->at += 3;
    }
    return true;
}

static bool check_type(struct guard *guard)
{
    const struct token *token = guard->at;
    bool named = token->kind == TOKEN_WORD ||
                 (token->kind == TOKEN_NAME && guard_dialect(guard, "sdp"));
    if (!named) {
        return guard_unexpected(guard);
    }
    if (!type_allowed(guard, token)) {
        return guard_refuse(guard, token, "The type '%.60s' is not allowed in a cast.",
                            token->text);
    }
    guard->at++;
    type_words(guard);
    if (guard_take_char(guard, '(')) {
        if (!type_arguments(guard, ')')) {
            return false;
        }
    } else if (guard_at_char(guard, '<') && guard_dialect(guard, "b")) {
        guard->at++;
        if (!type_arguments(guard, '>')) {
            return false;
        }
    }
    type_words(guard);
    time_zone(guard);
    if (guard_dialect(guard, "m") && token_is(token, "char") &&
        guard_take_text(guard, "character")) {
        if (!guard_take(guard, KEYWORD_set) || guard->at->kind != TOKEN_WORD) {
            return guard_unexpected(guard);
        }
        guard->at++;
    }
    while (guard_at_char(guard, '[') &&
           (guard_next_char(guard, ']') ||
            (guard->at[1].kind == TOKEN_NUMBER && token_is_punct(guard->at + 2, "]")))) {
        guard->at += guard_next_char(guard, ']') ? 2 : 3;
    }
    if (guard_dialect(guard, "p")) {
        guard_take(guard, KEYWORD_array);
    }
    return true;
}

bool guard_type(struct guard *guard)
{
    if (!guard_enter(guard)) {
        return false;
    }
    bool ok = check_type(guard);
    guard->depth--;
    return ok;
}
