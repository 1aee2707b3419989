/*
 * Functions whose result can be huge for small arguments (repeat, range, …): DuckDB
 * builds one value in one step, beyond its memory limit and without reacting to an
 * interrupt. Besides the guard's rules, only small counts are allowed.
 */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "datasource/duckdb/duckdb.h"
#include "sql/lexer.h"

enum { DIGITS_MOST = 6 };

static bool named(const struct token *token, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if ((token->kind == TOKEN_WORD || token->kind == TOKEN_NAME) &&
            str_equal_nocase(token->text, names[i])) {
            return true;
        }
    }
    return false;
}

static bool small(const char *digits)
{
    size_t run = 0;
    for (; *digits; digits++) {
        run = isdigit((unsigned char)*digits) ? run + 1 : 0;
        if (run > DIGITS_MOST) {
            return false;
        }
    }
    return true;
}

/* "{:>8}" is plain; "{:>{}}" and "%*d" take their width from a value. */
static bool format_plain(const struct token *format)
{
    if (format->kind != TOKEN_STRING || !small(format->text) ||
        strchr(format->text, '*')) {
        return false;
    }
    int depth = 0;
    for (const char *at = format->text; *at; at++) {
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        if (depth > 1 && at[-1] != '{') {
            return false;
        }
    }
    return true;
}

/* The token behind the first comma of the call whose bracket is at `open`. */
static const struct token *second_argument(const struct token *open)
{
    int depth = 0;
    for (const struct token *at = open; at->kind != TOKEN_END; at++) {
        bool opens = token_is_punct(at, "(") || token_is_punct(at, "[");
        bool closes = token_is_punct(at, ")") || token_is_punct(at, "]");
        depth += opens ? 1 : closes ? -1 : 0;
        if (depth == 0) {
            return NULL;
        }
        if (depth == 1 && token_is_punct(at, ",")) {
            return at + 1;
        }
    }
    return NULL;
}

bool duckdb_count_holds(const struct token *name, bool method)
{
    static const char *const counted[] = {"repeat", "lpad", "rpad", "list_resize",
                                          "array_resize"};
    static const char *const formats[] = {"format", "printf"};
    if (!token_is_punct(name + 1, "(")) {
        return true;
    }
    if (named(name, formats, sizeof formats / sizeof *formats)) {
        return !method && format_plain(name + 2); /* 'text'.format(x) hides the text */
    }
    if (!named(name, counted, sizeof counted / sizeof *counted)) {
        return true;
    }
    const struct token *count = second_argument(name + 1);
    return !method && count && count->kind == TOKEN_NUMBER && small(count->text) &&
           !strpbrk(count->text, "eExX") &&
           (token_is_punct(count + 1, ")") || token_is_punct(count + 1, ","));
}
