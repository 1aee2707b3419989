/* Calls that make much out of little: their counts, bounds and formats must be small. */
#include "sql/guard/guard_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum {
    GROWTH_MOST = 10000,  /* how much longer a text may become in nested calls */
    GROWTH_UNKNOWN = 100, /* taken for a replacement that is no literal */
    ARGUMENTS_MOST = 4,
};

/* A number, plain or inside a text, that would make a small call produce much. */
static bool too_large(const struct token *token, double most)
{
    double value = 0;
    if (token->kind == TOKEN_STRING) {
        return str_to_real(token->text, &value) && value > most;
    }
    return token->kind == TOKEN_NUMBER &&
           (!str_to_real(token->text, &value) || value > most);
}

/* printf('%.*c', 900000000, 'x') fills the memory in one step: a format is a literal, and
 * its widths are short. */
bool guard_size_format(struct guard *guard, const struct token *name)
{
    const struct token *format = guard->at;
    bool literal = format->kind == TOKEN_STRING &&
                   (token_is_punct(format + 1, ",") || token_is_punct(format + 1, ")"));
    if (!literal) {
        return guard_refuse(guard, name, "The format of %.60s must be a plain text.",
                            name->text);
    }
    int digits = 0;
    bool brace = false;
    for (const char *c = format->text; *c; c++) {
        digits = *c >= '0' && *c <= '9' ? digits + 1 : 0;
        if (*c == '*' || *c == '\\' || digits > 2 || (*c == '{' && brace)) {
            return guard_refuse(guard, format, "The format of %.60s is not allowed.",
                                name->text);
        }
        brace = (brace || *c == '{') && *c != '}';
    }
    return true;
}

/* The first tokens of each argument between `from` and the closing parenthesis; an
 * argument of several tokens is NULL. Returns how many there are. */
static size_t arguments(const struct guard *guard, const struct token *from,
                        const struct token *single[ARGUMENTS_MOST])
{
    const struct token *end = guard->at - 1;
    size_t count = 0;
    int depth = 0;
    const struct token *start = from;
    for (const struct token *token = from; token <= end; token++) {
        bool last = token == end;
        if (last || (depth == 0 && token_is_punct(token, ","))) {
            if (count < ARGUMENTS_MOST) {
                single[count++] = token == start + 1 ? start : NULL;
            }
            start = token + 1;
        }
        depth += token_is_punct(token, "(") + token_is_punct(token, "[") -
                 token_is_punct(token, ")") - token_is_punct(token, "]");
    }
    return count;
}

/* repeat(x, n), lpad(x, n), space(n): n must be a small literal. */
static bool check_count(struct guard *guard, const struct token *name,
                        const struct token *from)
{
    if (guard->counted > 1) {
        return guard_refuse(guard, name,
                            "%.60s inside another such function can fill the "
                            "memory.",
                            name->text);
    }
    const struct token *single[ARGUMENTS_MOST] = {NULL};
    size_t wanted = str_equal_nocase(name->text, "space") ? 0 : 1;
    size_t count = arguments(guard, from, single);
    const struct token *number = wanted < count ? single[wanted] : NULL;
    if (count > wanted &&
        (!number || number->kind != TOKEN_NUMBER || too_large(number, GUARD_MAX_COUNT))) {
        return guard_refuse(guard, number ? number : name,
                            "The count of %.60s must be a number of at most %d.",
                            name->text, GUARD_MAX_COUNT);
    }
    return true;
}

static bool in_words(const struct token *token, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equal_nocase(token->text, words[i])) {
            return true;
        }
    }
    return false;
}

#define IN_WORDS(token, words) in_words(token, words, sizeof(words) / sizeof *(words))

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

/* A unit that turns a span of time into a large number. */
static bool fine_unit(const struct token *token)
{
    static const char *const words[] = {"epoch",        "second",      "seconds",
                                        "minute",       "minutes",     "millisecond",
                                        "milliseconds", "microsecond", "microseconds",
                                        "nanosecond",   "nanoseconds"};
    bool text = token->kind == TOKEN_STRING || token->kind == TOKEN_WORD;
    return text && token[-1].kind != TOKEN_NUMBER && token[-1].kind != TOKEN_STRING &&
           IN_WORDS(token, words);
}

/* An operator that makes numbers larger than those written down. */
static bool enlarges(const struct token *token)
{
    static const char *const operators[] = {"*", "**", "^", "<<", "||", "#", "|"};
    if (token->kind != TOKEN_PUNCT) {
        return false;
    }
    if (token_is_punct(token, "*") && token_is_punct(token - 1, "(")) {
        return false; /* count(*) */
    }
    if (token_is_punct(token, "/")) { /* by a whole number it only gets smaller */
        return token[1].kind != TOKEN_NUMBER || strpbrk(token[1].text, ".eExX") ||
               token[1].text[0] == '0';
    }
    return IN_WORDS(token, operators);
}

/* range(n), generate_series(a, b): no large numbers, nothing that makes them large. */
bool guard_size_bounds(struct guard *guard, const struct token *name,
                       const struct token *from, const struct token *end)
{
    for (const struct token *token = from; token < end; token++) {
        bool word = token->kind == TOKEN_WORD || token->kind == TOKEN_NAME;
        bool called = word && token_is_punct(token + 1, "(") &&
                      !keyword_reserved(token->keyword) &&
                      token->keyword != KEYWORD_interval;
        bool bad_cast = called && token_is_punct(token - 1, "::");
        if (too_large(token, GUARD_MAX_SERIES) || enlarges(token) || fine_unit(token) ||
            (called && !bad_cast && !IN_WORDS(token, small_functions))) {
            return guard_refuse(guard, token, "The bounds of %.60s are too large.",
                                name->text);
        }
    }
    return true;
}

/* How many times longer than its text a call can make it; texts of rows are not counted.
 */
static double growth_of(const struct guard *guard, const struct function *function,
                        const struct token *from)
{
    if (function_has(function, 'x')) {
        return 2;
    }
    const struct token *single[ARGUMENTS_MOST] = {NULL};
    size_t count = arguments(guard, from, single);
    if (function_has(function, 'n')) {
        double value = 1;
        if (count > 1 && single[1]) {
            (void)str_to_real(single[1]->text, &value);
        }
        return value > 1 ? value : 1;
    }
    if (!function_has(function, 'r') || count < 3) {
        return 1;
    }
    if (!single[2] || single[2]->kind != TOKEN_STRING) {
        return GROWTH_UNKNOWN;
    }
    double added = (double)strlen(single[2]->text);
    bool pattern = str_contains_nocase(function->name, "regexp");
    double removed = !pattern && single[1] && single[1]->kind == TOKEN_STRING
                         ? (double)strlen(single[1]->text)
                         : 1;
    return added > removed && removed > 0 ? added / removed : 1;
}

/* hex(hex(hex(…))) doubles with every call: the calls together may not grow too much. */
static bool check_growth(struct guard *guard, const struct token *name,
                         const struct function *function, const struct token *from,
                         double outer)
{
    double own = guard->growth * growth_of(guard, function, from);
    guard->growth = own > outer ? own : outer;
    return own <= GROWTH_MOST ||
           guard_refuse(guard, name,
                        "%.60s inside other such functions can fill the memory.",
                        name->text);
}

bool guard_size_arguments(struct guard *guard, const struct token *name,
                          const struct function *function, const struct token *from,
                          double outer)
{
    if (function_has(function, 'n') && !check_count(guard, name, from)) {
        return false;
    }
    if (function_has(function, 'g') &&
        !guard_size_bounds(guard, name, from, guard->at - 1)) {
        return false;
    }
    return check_growth(guard, name, function, from, outer);
}
