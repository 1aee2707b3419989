/* Calls: is the function on the list, what stands in its parentheses and behind them. */
#include "sql/guard/guard_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static bool refuse_function(struct guard *guard, const struct token *name, bool in_from)
{
    const char *why = function_danger(name->text);
    if (why) {
        return guard_refuse(guard, name, "The function %.60s is not allowed: %s.",
                            name->text, why);
    }
    guard->out->unlisted = true;
    return guard_refuse(guard, name,
                        in_from
                            ? "The function %.60s is not allowed in FROM."
                            : "The function %.60s is not on dragoman's list of harmless "
                              "functions.",
                        name->text);
}

/* One argument: an expression, name := expression, x AS name, or a query. */
static bool check_argument(struct guard *guard)
{
    if (guard_at_query(guard)) { /* ARRAY_TO_STRING(ARRAY(SELECT …)): query as argument */
        return guard_query(guard);
    }
    if (guard_at_name(guard) &&
        (token_is_punct(guard->at + 1, ":=") || token_is_punct(guard->at + 1, "=>"))) {
        guard->at += 2;
    }
    if (!guard_expression(guard)) {
        return false;
    }
    if (token_is_punct(guard->at - 1, "*")) {
        if (!token_is_punct(guard->at - 2, "(") || !token_is(guard->at - 3, "count")) {
            guard_scope_star(guard);
        }
        if (!guard_star_options(guard)) {
            return false;
        }
    }
    if (guard_at(guard, KEYWORD_as) && guard_dialect(guard, "bc")) {
        guard->at++;
        if (!guard_at_name(guard)) {
            return guard_unexpected(guard);
        }
        guard->at++;
    }
    return true;
}

/* SUBSTRING(x FROM 1 FOR 2), TRIM(BOTH 'x' FROM y), OVERLAY(x PLACING y FROM 1) */
static bool keyword_arguments(struct guard *guard)
{
    while (guard_take(guard, KEYWORD_from) || guard_take(guard, KEYWORD_for) ||
           guard_take(guard, KEYWORD_placing)) {
        if (!guard_expression(guard)) {
            return false;
        }
    }
    return true;
}

/* What may end the arguments: ORDER BY, SEPARATOR, LIMIT, IGNORE NULLS, HAVING MAX x. */
static bool argument_suffix(struct guard *guard)
{
    if (guard_at(guard, KEYWORD_ignore) || guard_at(guard, KEYWORD_respect)) {
        guard->at++;
        if (!guard_take(guard, KEYWORD_nulls)) {
            return guard_unexpected(guard);
        }
    }
    if (guard_dialect(guard, "b") && guard_take(guard, KEYWORD_having)) {
        if (!guard_take_text(guard, "max") && !guard_take_text(guard, "min")) {
            return guard_unexpected(guard);
        }
        if (!guard_expression(guard)) {
            return false;
        }
    }
    if (guard_take(guard, KEYWORD_order) && !guard_order_by(guard)) {
        return false;
    }
    if (guard_dialect(guard, "m") && guard_take(guard, KEYWORD_separator)) {
        if (guard->at->kind != TOKEN_STRING) {
            return guard_unexpected(guard);
        }
        guard->at++;
    }
    if (guard_take(guard, KEYWORD_limit) && !guard_expression(guard)) {
        return false;
    }
    if (guard_dialect(guard, "m") && guard_take(guard, KEYWORD_returning)) {
        return guard_type(guard); /* JSON_VALUE(x, '$.a' RETURNING INT) */
    }
    return true;
}

static bool check_arguments(struct guard *guard, const struct function *function)
{
    if (guard_take_char(guard, ')')) {
        return true;
    }
    if (function_has(function, 'k')) {
        if (!guard_take_text(guard, "leading") && !guard_take_text(guard, "trailing")) {
            guard_take_text(guard, "both");
        }
        if (!guard_at(guard, KEYWORD_from) && !check_argument(guard)) {
            return false;
        }
        if (!keyword_arguments(guard)) {
            return false;
        }
    } else {
        if (!guard_take(guard, KEYWORD_distinct)) {
            if (guard_at(guard, KEYWORD_all) && !guard_next_char(guard, '(')) {
                guard->at++;
            }
        }
        if (!check_argument(guard)) {
            return false;
        }
    }
    while (guard_take_char(guard, ',')) {
        if (!check_argument(guard)) {
            return false;
        }
    }
    return argument_suffix(guard) && guard_expect_char(guard, ')');
}

/* ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES */
static bool window_frame(struct guard *guard)
{
    static const char *const words[] = {"between", "unbounded", "preceding", "following",
                                        "current", "row",       "and",       "exclude",
                                        "ties",    "no",        "others",    "group"};
    guard->at++;
    while (!guard_at_char(guard, ')')) {
        bool known = false;
        for (size_t i = 0; i < sizeof words / sizeof *words && !known; i++) {
            known = guard_take_text(guard, words[i]);
        }
        if (known) {
            continue;
        }
        /* a distance; it ends before PRECEDING as no operator stands there */
        if (!guard_expression(guard)) {
            return false;
        }
    }
    return true;
}

bool guard_window(struct guard *guard)
{
    if (!guard_expect_char(guard, '(')) {
        return false;
    }
    if (guard_at_name(guard) && !guard_at(guard, KEYWORD_partition) &&
        !guard_at(guard, KEYWORD_rows) && !guard_at(guard, KEYWORD_range) &&
        !guard_at(guard, KEYWORD_groups)) {
        guard->at++; /* the window it is based on */
    }
    if (guard_take(guard, KEYWORD_partition)) {
        if (!guard_take(guard, KEYWORD_by)) {
            return guard_unexpected(guard);
        }
        if (!guard_expression_list(guard)) {
            return false;
        }
    }
    if (guard_take(guard, KEYWORD_order) && !guard_order_by(guard)) {
        return false;
    }
    if (guard_at(guard, KEYWORD_rows) || guard_at(guard, KEYWORD_range) ||
        guard_at(guard, KEYWORD_groups)) {
        if (!window_frame(guard)) {
            return false;
        }
    }
    return guard_expect_char(guard, ')');
}

/* WITHIN GROUP (ORDER BY x), FILTER (WHERE x), IGNORE NULLS, OVER w, OVER (…) */
static bool call_suffix(struct guard *guard)
{
    if (guard_at(guard, KEYWORD_within) && guard_next_is(guard, KEYWORD_group)) {
        guard->at += 2;
        if (!guard_expect_char(guard, '(')) {
            return false;
        }
        if (!guard_take(guard, KEYWORD_order)) {
            return guard_unexpected(guard);
        }
        if (!guard_order_by(guard) || !guard_expect_char(guard, ')')) {
            return false;
        }
    }
    if (guard_at(guard, KEYWORD_filter) && guard_next_char(guard, '(')) {
        guard->at += 2;
        if (!guard_take(guard, KEYWORD_where) && !guard_dialect(guard, "d")) {
            return guard_unexpected(guard);
        }
        if (!guard_expression(guard) || !guard_expect_char(guard, ')')) {
            return false;
        }
    }
    if ((guard_at(guard, KEYWORD_ignore) || guard_at(guard, KEYWORD_respect)) &&
        guard_next_is(guard, KEYWORD_nulls)) {
        guard->at += 2;
    }
    if (guard_at(guard, KEYWORD_over) &&
        (guard_next_char(guard, '(') || guard->at[1].kind == TOKEN_WORD ||
         guard->at[1].kind == TOKEN_NAME)) {
        guard->at++;
        if (guard_at_char(guard, '(')) {
            return guard_window(guard);
        }
        if (!guard_at_name(guard)) {
            return guard_unexpected(guard);
        }
        guard->at++;
    }
    return true;
}

/* MySQL: MATCH (a, b) AGAINST ('words' IN BOOLEAN MODE) */
static bool against(struct guard *guard)
{
    static const char *const words[] = {"in",      "natural", "language", "mode",
                                        "boolean", "with",    "query",    "expansion"};
    if (!guard_take_text(guard, "against")) {
        return guard_unexpected(guard);
    }
    if (!guard_expect_char(guard, '(')) {
        return false;
    }
    if (guard->at->kind != TOKEN_STRING) {
        return guard_unexpected(guard);
    }
    guard->at++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        guard_take_text(guard, words[i]);
    }
    guard_take_text(guard, "mode");
    return guard_expect_char(guard, ')');
}

static bool checked_arguments(struct guard *guard, const struct token *name,
                              const struct function *function)
{
    const struct token *from = guard->at;
    bool counted = function_has(function, 'n');
    bool lambda = function_has(function, 'l') || token_is(name, "columns");
    bool loose = function_has(function, 'k') && guard_dialect(guard, "dpmbo");
    double outer = guard->growth;
    if (function_has(function, 'f') && !guard_dialect(guard, "m") &&
        !guard_size_format(guard, name)) {
        return false;
    }
    guard->calls++;
    guard->counted += counted;
    guard->unsure += lambda;
    guard->loose_in += loose;
    guard->growth = 1;
    bool ok = check_arguments(guard, function) &&
              guard_size_arguments(guard, name, function, from, outer);
    guard->loose_in -= loose;
    guard->unsure -= lambda;
    guard->counted -= counted;
    guard->calls--;
    return ok;
}

/* DuckDB: name.upper(). What must be held to a size is judged by the place of its
 * arguments, which differs here: those are written the usual way. */
bool guard_method(struct guard *guard, const struct token *name)
{
    const struct function *function = function_find(guard->dialect, name->text);
    if (function && strpbrk(function->traits, "nxrgf")) {
        return guard_refuse(guard, name, "Write %.60s(…) with the value inside.",
                            name->text);
    }
    return guard_call(guard, name, false);
}

/* The current token is the opening parenthesis. */
bool guard_call(struct guard *guard, const struct token *name, bool in_from)
{
    const struct function *function = function_find(guard->dialect, name->text);
    bool columns = token_is(name, "columns") && guard_dialect(guard, "dc") && !in_from;
    bool allowed = columns || (function && (!in_from || function_has(function, 't')));
    allowed = allowed && !function_kind(name->text);
    if (!allowed) {
        return refuse_function(guard, name, in_from);
    }
    guard_note(guard, &guard->out->functions, str_lower(guard->arena, name->text));
    guard->at++;
    if (!checked_arguments(guard, name, function)) {
        return false;
    }
    if (guard_dialect(guard, "c") && function_has(function, 'a') &&
        guard_take_char(guard, '(')) { /* quantile(0.9)(x) */
        if (!check_arguments(guard, function)) {
            return false;
        }
    }
    if (guard_dialect(guard, "m") && token_is(name, "match")) {
        return against(guard);
    }
    return call_suffix(guard);
}
