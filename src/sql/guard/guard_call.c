/* Calls: is the function on the list, what stands in its parentheses and behind them. */
#include "sql/guard/guard_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

bool guard_call_refuse(struct guard *guard, const struct token *name, bool in_from)
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

/* ------------------------------------------------------------------ arguments */

/* name := expression; FROM 1, FOR 2 between arguments; LEADING alone */
static bool named_argument(struct guard *guard, const struct sql_node *node)
{
    const struct sql_node *value = sql_child(node, SINGLE_VALUE);
    return guard_expect(guard, node, SQL_ARGUMENT) &&
           (!value || guard_value(guard, value));
}

/* An expression, name := expression, x AS name, a star, or a query. */
static bool argument(struct guard *guard, const struct sql_node *node)
{
    if (sql_is(node, SQL_ARGUMENT)) {
        return named_argument(guard, node);
    }
    if (sql_is(node, SQL_ITEM)) {
        return guard_expect(guard, node, SQL_ITEM) &&
               guard_value(guard, node->children[SINGLE_VALUE]);
    }
    return guard_value(guard, node);
}

/* count(*) reads no column. */
static bool counts_rows(const struct sql_node *call, const struct sql_node *arguments)
{
    const struct sql_node *star = arguments->count == 1 ? arguments->children[0] : NULL;
    return str_equal_nocase(call->text, "count") &&
           !sql_has(call, FLAG_QUOTED | FLAG_DISTINCT) && sql_is(star, SQL_STAR) &&
           !star->children[STAR_OF] && !star->children[STAR_OPTIONS];
}

/* What may end the arguments: HAVING MAX x, ORDER BY, SEPARATOR, LIMIT, RETURNING. */
static bool argument_suffix(struct guard *guard, const struct sql_node *call)
{
    const struct sql_node *having = call->children[CALL_HAVING];
    const struct sql_node *separator = call->children[CALL_SEPARATOR];
    const struct sql_node *limit = call->children[CALL_LIMIT];
    const struct sql_node *type = call->children[CALL_RETURNING];
    return (!having || named_argument(guard, having)) &&
           guard_order(guard, call->children[CALL_ORDER]) &&
           (!separator || guard_expect(guard, separator, SQL_STRING)) &&
           (!limit || guard_value(guard, limit)) && (!type || guard_type(guard, type));
}

/* The arguments from the index on. */
static bool check_arguments(struct guard *guard, const struct sql_node *call,
                            const struct sql_node *list, size_t from)
{
    if (counts_rows(call, list)) {
        return guard_expect(guard, list->children[0], SQL_STAR);
    }
    for (size_t i = from; i < list->count; i++) {
        if (!argument(guard, list->children[i])) {
            return false;
        }
    }
    return true;
}

static bool is_lambda(const struct sql_node *node)
{
    return sql_is(node, SQL_LAMBDA) ||
           (sql_is(node, SQL_BINARY) && str_equal(node->text, "->"));
}

/* list_transform(l, f): a bare name there is no value, and could be that of a function. */
static bool check_lambda(struct guard *guard, const struct token *name,
                         const struct function *function,
                         const struct sql_node *arguments)
{
    size_t place = guard_dialect(guard, "d") ? 1 : 0;
    if (!function_has(function, 'l') || arguments->count < 2 ||
        is_lambda(arguments->children[place])) {
        return true;
    }
    return guard_refuse(guard, name, "%.60s needs a lambda, such as x -> x + 1.",
                        name->text);
}

/* Of a method the first argument, which stands before the dot, is judged already. */
static bool checked_arguments(struct guard *guard, const struct sql_node *call,
                              const struct token *name, const struct function *function,
                              bool method)
{
    /* ClickHouse: quantile(0.9)(x) */
    const struct sql_node *parameters = call->children[CALL_PARAMETERS];
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    const struct sql_node *first = parameters ? parameters : arguments;
    bool counted = function_has(function, 'n');
    bool lambda = function_has(function, 'l') || token_is(name, "columns");
    double outer = guard->growth;
    if (!guard_expect(guard, arguments, SQL_LIST) ||
        !guard_expect(guard, first, SQL_LIST)) {
        return false;
    }
    if (function_has(function, 'f') && !guard_dialect(guard, "m") &&
        !guard_size_format(guard, name, first)) {
        return false;
    }
    if (function_has(function, 'y') && arguments->count > 0 &&
        !guard_type_text(guard, arguments->children[arguments->count - 1])) {
        return false;
    }
    if (parameters && !function_has(function, 'a')) {
        return guard_unexpected(guard, guard_token(guard, parameters->end) + 1);
    }
    if (!check_lambda(guard, name, function, arguments)) {
        return false;
    }
    guard->calls++;
    guard->counted += counted;
    guard->unsure += lambda;
    guard->growth = 1;
    bool ok = check_arguments(guard, call, first, method) &&
              argument_suffix(guard, call) &&
              guard_size_arguments(guard, name, function, first, outer);
    guard->unsure -= lambda;
    guard->counted -= counted;
    guard->calls--;
    return ok && (!parameters || check_arguments(guard, call, arguments, 0));
}

/* ------------------------------------------------------------------ calls */

/* WITHIN GROUP (ORDER BY x), FILTER (WHERE x), OVER w, OVER (…) */
static bool call_suffix(struct guard *guard, const struct sql_node *call,
                        const struct function *function)
{
    const struct sql_node *filter = call->children[CALL_FILTER];
    const struct sql_node *over = call->children[CALL_OVER];
    /* ClickHouse reads f(x) FILTER (…) as another function, fIf, whatever f is */
    if (filter && (!function || !strchr(function->traits, 'a'))) {
        return guard_refuse(guard, guard_first(guard, call),
                            "FILTER belongs to an aggregate such as count or sum.");
    }
    if (!guard_order(guard, call->children[CALL_WITHIN]) ||
        (filter && !guard_value(guard, filter))) {
        return false;
    }
    return !over || (over->kind == SQL_NAME ? guard_expect(guard, over, SQL_NAME)
                                            : guard_window(guard, over));
}

/* DuckDB: name.upper(), where the value is the first argument. Returns the name of the
 * function as it was written. */
static const struct token *call_name(const struct guard *guard,
                                     const struct sql_node *call, bool *method)
{
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    const struct token *name = guard_first(guard, call);
    *method = !token_is_punct(name + 1, "(") || !str_equal(name->text, call->text);
    if (*method && arguments && arguments->count) {
        name = guard_token(guard, arguments->children[0]->end);
        while (token_is_punct(name, ")") || token_is_punct(name, ".")) {
            name++;
        }
    }
    return name;
}

static bool allowed(const struct guard *guard, const struct token *name,
                    const struct function *function, bool in_from)
{
    bool columns = token_is(name, "columns") && guard_dialect(guard, "dc") && !in_from;
    return (columns || (function && (!in_from || function_has(function, 't')))) &&
           !function_kind(name->text);
}

/* What must be held to a size is judged by the place of its arguments, which differs
 * here: those are written the usual way. What stands before the dot must be a column. */
static bool check_method(struct guard *guard, const struct token *name,
                         const struct function *function)
{
    if (!guard_dialect(guard, "d")) {
        return guard_unexpected(guard, name);
    }
    if (function && strpbrk(function->traits, "nxrgf")) {
        return guard_refuse(guard, name, "Write %.60s(…) with the value inside.",
                            name->text);
    }
    return true;
}

/* The value of a method is judged before its name is. A name before the dot must be a
 * column: it could be a schema. */
static bool method_value(struct guard *guard, const struct sql_node *call)
{
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    if (!guard_expect(guard, arguments, SQL_LIST)) {
        return false;
    }
    const struct sql_node *value = sql_child(arguments, 0);
    size_t before = guard->scope ? guard->scope->references.count : 0;
    if (!guard_value(guard, value)) {
        return false;
    }
    bool named =
        value->kind == SQL_COLUMN && token_is_punct(guard_token(guard, value->end), ".");
    if (named && guard->scope && guard->scope->references.count > before) {
        guard_reference_called(guard);
    }
    return true;
}

bool guard_call(struct guard *guard, const struct sql_node *call, bool in_from)
{
    bool method;
    if (!guard_expect(guard, call, SQL_CALL)) {
        return false;
    }
    const struct token *name = call_name(guard, call, &method);
    const struct function *function = function_find(guard->dialect, call->text);
    if (method && (!method_value(guard, call) || !check_method(guard, name, function))) {
        return false;
    }
    if (!allowed(guard, name, function, in_from)) {
        return guard_call_refuse(guard, name, in_from);
    }
    guard_note(guard, &guard->out->functions, str_lower(guard->arena, call->text));
    return checked_arguments(guard, call, name, function, method) &&
           call_suffix(guard, call, function);
}

/* MySQL: MATCH (a, b) AGAINST ('words' IN BOOLEAN MODE) */
bool guard_match(struct guard *guard, const struct sql_node *match)
{
    const struct token *name = guard_first(guard, match);
    if (!guard_dialect(guard, "m") || !function_find(guard->dialect, name->text)) {
        return guard_call_refuse(guard, name, false);
    }
    guard_note(guard, &guard->out->functions, "match");
    guard->calls++;
    bool ok = guard_expect(guard, match->children[PAIR_LEFT], SQL_LIST) &&
              guard_list(guard, match->children[PAIR_LEFT], argument) &&
              guard_expect(guard, match->children[PAIR_RIGHT], SQL_STRING);
    guard->calls--;
    return ok;
}
