/* Calls that make much out of little: their counts, bounds and formats must be small. */
#include "sql/guard/guard_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum {
    GROWTH_MOST = 10000,  /* how much longer a text may become in nested calls */
    GROWTH_UNKNOWN = 100, /* assumed for a replacement that is not a literal */
};

/* The text of a literal: what its escapes stand for. */
const char *guard_text(const struct guard *guard, const struct sql_node *string)
{
    return sql_has(string, FLAG_RAW) ? guard_first(guard, string)->text : string->text;
}

/* A number, plain or inside a text, that would make a small call produce much. */
static bool too_large(const struct guard *guard, const struct sql_node *node, double most)
{
    double value = 0;
    if (node->kind == SQL_STRING) {
        return str_to_real(guard_text(guard, node), &value) && value > most;
    }
    return node->kind == SQL_NUMBER && (!str_to_real(node->text, &value) || value > most);
}

/* printf('%.*c', 900000000, 'x') fills the memory in one step: a format is a literal, and
 * its widths are short. */
bool guard_size_format(struct guard *guard, const struct token *name,
                       const struct sql_node *arguments)
{
    const struct sql_node *format = sql_child(arguments, 0);
    if (!sql_is(format, SQL_STRING)) {
        return guard_refuse(guard, name, "The format of %.60s must be a plain text.",
                            name->text);
    }
    int digits = 0;
    bool brace = false;
    for (const char *c = guard_text(guard, format); *c; c++) {
        digits = *c >= '0' && *c <= '9' ? digits + 1 : 0;
        if (*c == '*' || *c == '\\' || digits > 2 || (*c == '{' && brace)) {
            return guard_refuse(guard, guard_first(guard, format),
                                "The format of %.60s is not allowed.", name->text);
        }
        brace = (brace || *c == '{') && *c != '}';
    }
    return true;
}

/* repeat(x, n), lpad(x, n), space(n): n must be a small literal. */
static bool check_count(struct guard *guard, const struct token *name,
                        const struct sql_node *arguments)
{
    if (guard->counted > 1) {
        return guard_refuse(guard, name,
                            "%.60s inside another such function can fill the "
                            "memory.",
                            name->text);
    }
    size_t wanted = str_equal_nocase(name->text, "space") ? 0 : 1;
    const struct sql_node *count = sql_child(arguments, wanted);
    bool given = count || wanted == 0;
    if (given &&
        (!sql_is(count, SQL_NUMBER) || too_large(guard, count, GUARD_MAX_COUNT))) {
        bool plain = count && guard_first(guard, count)->end == count->end;
        return guard_refuse(guard, plain ? guard_first(guard, count) : name,
                            "The count of %.60s must be a number of at most %d.",
                            name->text, GUARD_MAX_COUNT);
    }
    return true;
}

static bool in_words(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equal_nocase(text, words[i])) {
            return true;
        }
    }
    return false;
}

#define IN_WORDS(text, words) in_words(text, words, sizeof(words) / sizeof *(words))

/* Functions that keep a bound small: sizes of things, dates, the greater of two. */
static const char *const small_functions[] = {"abs",
                                              "adddays",
                                              "addmonths",
                                              "array_length",
                                              "array_size",
                                              "array_upper",
                                              "arraymax",
                                              "arraymin",
                                              "cardinality",
                                              "ceil",
                                              "ceiling",
                                              "char_length",
                                              "coalesce",
                                              "count",
                                              "current_date",
                                              "current_time",
                                              "current_timestamp",
                                              "date",
                                              "date_add",
                                              "date_bin",
                                              "date_diff",
                                              "date_part",
                                              "date_sub",
                                              "date_trunc",
                                              "datediff",
                                              "datetime",
                                              "datetime_add",
                                              "datetime_sub",
                                              "datetime_trunc",
                                              "day",
                                              "dayofmonth",
                                              "dayofyear",
                                              "extract",
                                              "floor",
                                              "generate_subscripts",
                                              "greatest",
                                              "ifnull",
                                              "json_array_length",
                                              "jsonb_array_length",
                                              "last_day",
                                              "least",
                                              "len",
                                              "length",
                                              "list_count",
                                              "make_date",
                                              "make_timestamp",
                                              "max",
                                              "min",
                                              "mod",
                                              "month",
                                              "now",
                                              "nullif",
                                              "round",
                                              "sign",
                                              "timestamp",
                                              "timestamp_add",
                                              "timestamp_diff",
                                              "timestamp_sub",
                                              "timestamp_trunc",
                                              "to_date",
                                              "to_days",
                                              "to_hours",
                                              "to_months",
                                              "to_timestamp",
                                              "to_weeks",
                                              "to_years",
                                              "todate",
                                              "todatetime",
                                              "today",
                                              "tomonth",
                                              "tostartofday",
                                              "tostartofhour",
                                              "tostartofmonth",
                                              "tostartofweek",
                                              "tostartofyear",
                                              "toyear",
                                              "trunc",
                                              "year",
                                              "yesterday"};

static bool is_fine(const char *unit)
{
    static const char *const words[] = {"epoch",        "second",      "seconds",
                                        "minute",       "minutes",     "millisecond",
                                        "milliseconds", "microsecond", "microseconds",
                                        "nanosecond",   "nanoseconds"};
    return unit && IN_WORDS(unit, words);
}

/* A unit that turns a span of time into a large number: EXTRACT(EPOCH FROM x), 'epoch'.
 * INTERVAL 5 MINUTE is a span itself. */
static bool fine_unit(const struct guard *guard, const struct sql_node *node)
{
    if (node->kind == SQL_INTERVAL) {
        const struct sql_node *count = node->children[SINGLE_VALUE];
        count = sql_is(count, SQL_UNARY) ? count->children[SINGLE_VALUE] : count;
        bool written = sql_is(count, SQL_NUMBER) || sql_is(count, SQL_STRING);
        const char *to = node->text ? strstr(node->text, " TO ") : NULL;
        return to ? is_fine(to + 4) : !written && is_fine(node->text);
    }
    if (node->kind == SQL_STRING) {
        return is_fine(guard_text(guard, node));
    }
    return !sql_has(node, FLAG_QUOTED) && is_fine(node->text);
}

/* An operator that makes numbers larger than those written down. */
static bool enlarges(const struct guard *guard, const struct sql_node *node)
{
    static const char *const operators[] = {"*", "**", "^", "<<", "||", "#", "|"};
    if (node->kind == SQL_STAR) {
        const struct token *star = guard_first(guard, node);
        bool counted = star > guard->statement->tokens.items &&
                       token_is_punct(star - 1, "("); /* count(*) */
        return !counted || node->children[STAR_OF];
    }
    if (node->kind != SQL_BINARY && node->kind != SQL_UNARY) {
        return false;
    }
    if (str_equal(node->text, "/")) { /* by a whole number it only gets smaller */
        const struct sql_node *by = node->children[PAIR_RIGHT];
        return by->kind != SQL_NUMBER || strpbrk(by->text, ".eExX") || by->text[0] == '0';
    }
    return IN_WORDS(node->text, operators);
}

/* A call of anything but the functions that keep a bound small. */
static bool calls_other(const struct sql_node *node)
{
    if (node->kind == SQL_MATCH_AGAINST || node->kind == SQL_TABLE_FUNCTION) {
        return true;
    }
    return node->kind == SQL_CALL && !IN_WORDS(node->text, small_functions);
}

struct bounds {
    struct guard *guard;
    const struct sql_node *bad;
};

static bool look_at_bound(void *context, struct sql_node *node)
{
    struct bounds *bounds = context;
    if (!bounds->bad && (too_large(bounds->guard, node, GUARD_MAX_SERIES) ||
                         enlarges(bounds->guard, node) ||
                         fine_unit(bounds->guard, node) || calls_other(node))) {
        bounds->bad = node;
    }
    return !bounds->bad;
}

/* An operator stands behind what is on its left. */
static const struct token *bound_place(const struct guard *guard,
                                       const struct sql_node *bad)
{
    if (bad->kind != SQL_BINARY) {
        return guard_first(guard, bad);
    }
    const struct token *token = guard_token(guard, bad->children[PAIR_LEFT]->end);
    while (token_is_punct(token, ")")) {
        token++;
    }
    return token;
}

/* range(n), generate_series(a, b): no large numbers, nothing that makes them large. */
bool guard_size_bounds(struct guard *guard, const char *name, struct sql_node *node)
{
    struct bounds bounds = {.guard = guard};
    sql_walk(node, look_at_bound, &bounds);
    return !bounds.bad || guard_refuse(guard, bound_place(guard, bounds.bad),
                                       "The bounds of %.60s are too large.", name);
}

/* How many times longer than its text a call can make it; texts of rows are not counted.
 */
static double growth_of(const struct guard *guard, const struct function *function,
                        const struct sql_node *arguments)
{
    if (function_has(function, 'x')) {
        return 2;
    }
    const struct sql_node *second = sql_child(arguments, 1);
    const struct sql_node *third = sql_child(arguments, 2);
    if (function_has(function, 'n')) {
        double value = 1;
        if (sql_is(second, SQL_NUMBER)) {
            (void)str_to_real(second->text, &value);
        }
        return value > 1 ? value : 1;
    }
    if (!function_has(function, 'r') || !third) {
        return 1;
    }
    if (third->kind != SQL_STRING) {
        return GROWTH_UNKNOWN;
    }
    double added = (double)strlen(guard_text(guard, third));
    bool pattern = str_contains_nocase(function->name, "regexp");
    double removed = !pattern && sql_is(second, SQL_STRING)
                         ? (double)strlen(guard_text(guard, second))
                         : 1;
    return added > removed && removed > 0 ? added / removed : 1;
}

/* hex(hex(hex(…))) doubles with every call: the calls together may not grow too much. */
static bool check_growth(struct guard *guard, const struct token *name,
                         const struct function *function,
                         const struct sql_node *arguments, double outer)
{
    double own = guard->growth * growth_of(guard, function, arguments);
    guard->growth = own > outer ? own : outer;
    return own <= GROWTH_MOST ||
           guard_refuse(guard, name,
                        "%.60s inside other such functions can fill the memory.",
                        name->text);
}

bool guard_size_arguments(struct guard *guard, const struct token *name,
                          const struct function *function,
                          const struct sql_node *arguments, double outer)
{
    if (function_has(function, 'n') && !check_count(guard, name, arguments)) {
        return false;
    }
    for (size_t i = 0; function_has(function, 'g') && i < arguments->count; i++) {
        if (!guard_size_bounds(guard, name->text, arguments->children[i])) {
            return false;
        }
    }
    return check_growth(guard, name, function, arguments, outer);
}
