/* Operands: values, names, CASE, CAST, lists, intervals, subqueries; and types. */
#include "sql/guard/guard_state.h"

#include <string.h>

#include "base/str.h"

static bool case_expression(struct guard *guard)
{
    guard->at++;
    if (!guard_at(guard, KEYWORD_when) && !guard_expression(guard)) {
        return false;
    }
    if (!guard_at(guard, KEYWORD_when)) {
        return guard_unexpected(guard);
    }
    while (guard_take(guard, KEYWORD_when)) {
        if (!guard_expression(guard)) {
            return false;
        }
        if (!guard_take(guard, KEYWORD_then)) {
            return guard_unexpected(guard);
        }
        if (!guard_expression(guard)) {
            return false;
        }
    }
    if (guard_take(guard, KEYWORD_else) && !guard_expression(guard)) {
        return false;
    }
    return guard_take(guard, KEYWORD_end) || guard_unexpected(guard);
}

/* CAST(x AS type), TRY_CAST, SAFE_CAST */
static bool cast(struct guard *guard)
{
    guard->at++;
    if (!guard_expect_char(guard, '(') || !guard_expression(guard)) {
        return false;
    }
    if (guard_dialect(guard, "c") && guard_take_char(guard, ',')) {
        if (guard->at->kind != TOKEN_STRING) { /* CAST(x, 'UInt8') */
            return guard_unexpected(guard);
        }
        const char *digits = guard->at->text + strcspn(guard->at->text, "0123456789");
        while (*digits && strspn(digits, "0123456789") < 6) {
            digits += strspn(digits, "0123456789");
            digits += strcspn(digits, "0123456789");
        }
        if (*digits) { /* FixedString(n) is filled up */
            return guard_refuse(guard, guard->at, "The type is too long.");
        }
        guard->at++;
        return guard_expect_char(guard, ')');
    }
    if (!guard_take(guard, KEYWORD_as)) {
        return guard_unexpected(guard);
    }
    if (!guard_type(guard)) {
        return false;
    }
    if (guard_dialect(guard, "b") && guard_take(guard, KEYWORD_format)) {
        if (guard->at->kind != TOKEN_STRING) {
            return guard_unexpected(guard);
        }
        guard->at++;
    }
    return guard_expect_char(guard, ')');
}

/* MySQL: CONVERT(x, type), CONVERT(x USING utf8mb4) */
static bool convert(struct guard *guard)
{
    guard->at++;
    if (!guard_expect_char(guard, '(') || !guard_expression(guard)) {
        return false;
    }
    if (guard_take(guard, KEYWORD_using)) {
        if (guard->at->kind != TOKEN_WORD) {
            return guard_unexpected(guard);
        }
        guard->at++;
    } else if (!guard_expect_char(guard, ',') || !guard_type(guard)) {
        return false;
    }
    return guard_expect_char(guard, ')');
}

static bool exists(struct guard *guard)
{
    guard->at++;
    if (!guard_at_char(guard, '(')) {
        return guard_unexpected(guard);
    }
    return guard_parentheses(guard);
}

/* EXTRACT(YEAR FROM x) */
static bool extract(struct guard *guard)
{
    const struct token *name = guard->at;
    if (guard->at[2].kind != TOKEN_WORD && guard->at[2].kind != TOKEN_STRING) {
        return guard_call(guard, (guard->at++, name), false);
    }
    if (guard->at[3].keyword != KEYWORD_from) {
        return guard_call(guard, (guard->at++, name), false);
    }
    guard_note(guard, &guard->out->functions, "extract");
    guard->at += 4;
    return guard_expression(guard) && guard_expect_char(guard, ')');
}

static bool is_unit(const struct token *token)
{
    static const char *const units[] = {
        "year",         "years",       "quarter",      "quarters",    "month",
        "months",       "week",        "weeks",        "day",         "days",
        "hour",         "hours",       "minute",       "minutes",     "second",
        "seconds",      "millisecond", "milliseconds", "microsecond", "microseconds",
        "decade",       "decades",     "century",      "centuries",   "year_month",
        "day_hour",     "day_minute",  "day_second",   "hour_minute", "hour_second",
        "minute_second"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (token_is(token, units[i])) {
            return true;
        }
    }
    return false;
}

/* INTERVAL '1 day', INTERVAL 3 MONTH, INTERVAL (n) DAY, INTERVAL '1' YEAR TO MONTH */
static bool interval(struct guard *guard)
{
    guard->at++;
    if (guard->at->kind == TOKEN_STRING) {
        guard->at++;
    } else if (!guard_expression(guard)) {
        return false;
    }
    if (is_unit(guard->at)) {
        guard->at++;
        if (guard_at(guard, KEYWORD_to) && is_unit(guard->at + 1)) {
            guard->at += 2;
        }
    }
    return true;
}

static bool at_interval(const struct guard *guard)
{
    const struct token *next = guard->at + 1;
    return !guard_dialect(guard, "s") &&
           (next->kind == TOKEN_STRING || next->kind == TOKEN_NUMBER ||
            next->kind == TOKEN_NAME || token_is_punct(next, "(") ||
            (next->kind == TOKEN_WORD && is_unit(next + 1)) ||
            (token_is_punct(next, "-") && next[1].kind == TOKEN_NUMBER) ||
            (next->kind == TOKEN_WORD && !keyword_reserved(next->keyword) &&
             guard_dialect(guard, "mdb")));
}

static bool list_literal(struct guard *guard)
{
    guard->at++;
    if (guard_take_char(guard, ']')) {
        return true;
    }
    guard->unsure++; /* [x * 2 FOR x IN list] names x before it is made */
    bool ok = guard_expression_list(guard);
    if (ok && guard_at(guard, KEYWORD_for) && guard_dialect(guard, "d")) {
        guard->at++;
        if (!guard_at_name(guard) || guard->at[1].keyword != KEYWORD_in) {
            return guard_unexpected(guard);
        }
        guard->at += 2;
        ok = guard_expression(guard);
        if (ok && guard_take_text(guard, "if")) {
            ok = guard_expression(guard);
        }
    }
    guard->unsure--;
    return ok && guard_expect_char(guard, ']');
}

/* {'a': 1, b: 2} */
static bool struct_literal(struct guard *guard)
{
    guard->at++;
    if (guard_take_char(guard, '}')) {
        return true;
    }
    do {
        if (guard_dialect(guard, "d")) {
            if (guard_next_char(guard, ':') &&
                (guard_at_name(guard) || guard->at->kind == TOKEN_STRING)) {
                guard->at++;
            } else if (!guard_expression(guard)) { /* MAP {1: 'a'} */
                return false;
            }
            if (!guard_expect_char(guard, ':')) {
                return false;
            }
        } else if (guard->at->kind != TOKEN_STRING && guard->at->kind != TOKEN_NUMBER) {
            return guard_unexpected(
                guard); /* {name:Type} is a placeholder in ClickHouse */
        }
        if (!guard_expression(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return guard_expect_char(guard, '}');
}

/* ARRAY[…], ARRAY(SELECT …), ARRAY<INT64>[…] */
static bool array(struct guard *guard)
{
    if (token_is_punct(guard->at + 1, "<") && guard_dialect(guard, "b")) {
        if (!guard_type(guard)) {
            return false;
        }
    } else {
        guard->at++;
    }
    if (guard_at_char(guard, '[')) {
        guard->arrays++;
        bool ok = list_literal(guard);
        guard->arrays--;
        return ok;
    }
    return guard_at_char(guard, '(') ? guard_parentheses(guard) : guard_unexpected(guard);
}

/* STRUCT(1 AS a, 2 AS b), STRUCT<a INT64>(1), ROW(1, 2) */
static bool row(struct guard *guard)
{
    if (token_is_punct(guard->at + 1, "<")) {
        if (!guard_type(guard)) {
            return false;
        }
    } else {
        guard->at++;
    }
    if (!guard_expect_char(guard, '(')) {
        return false;
    }
    if (guard_take_char(guard, ')')) {
        return true;
    }
    do {
        if (!guard_expression(guard)) {
            return false;
        }
        if (guard_take(guard, KEYWORD_as)) {
            guard->at += guard_at_name(guard);
        }
    } while (guard_take_char(guard, ','));
    return guard_expect_char(guard, ')');
}

/* NULL, TRUE, CURRENT_DATE, CURRENT_TIMESTAMP(3) */
static bool constant(struct guard *guard)
{
    guard->at++;
    if (guard_at_char(guard, '(') && guard_next_char(guard, ')')) {
        guard->at += 2;
    } else if (guard_at_char(guard, '(') && guard->at[1].kind == TOKEN_NUMBER &&
               token_is_punct(guard->at + 2, ")")) {
        guard->at += 3;
    } else if (guard_at_char(guard, '(') && guard->at[1].kind == TOKEN_STRING &&
               token_is_punct(guard->at + 2, ")")) {
        guard->at += 3; /* BigQuery: CURRENT_DATE('Europe/Paris') */
    }
    return true;
}

/* DuckDB: lambda x, y: x + y */
static bool lambda(struct guard *guard)
{
    guard->at++;
    do {
        if (!guard_at_name(guard)) {
            return guard_unexpected(guard);
        }
        guard->at++;
    } while (guard_take_char(guard, ','));
    return guard_expect_char(guard, ':') && guard_expression(guard);
}

/* Words that are calls without parentheses and tell about the session. */
static bool is_session_word(const struct guard *guard, const struct token *token)
{
    static const struct {
        const char *word;
        const char *dialects;
    } words[] = {
        {"current_user", "dpmco"},  {"currentuser", "c"},     {"currentdatabase", "c"},
        {"session_user", "dpco"},   {"current_role", "dpmo"}, {"current_catalog", "dp"},
        {"current_schema", "dp"},   {"system_user", "po"},    {"user", "p"},
        {"current_database", "dc"},
    };
    /* ClickHouse calls them in quotes, too */
    bool word = token->kind == TOKEN_WORD || guard_dialect(guard, "c");
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++) {
        if (str_equal_nocase(token->text, words[i].word) &&
            guard_dialect(guard, words[i].dialects)) {
            return true;
        }
    }
    return false;
}

enum { PATH_MOST = 8 };

/* a, a.b, a.b.c, t.*, f(…) */
static bool path(struct guard *guard)
{
    const struct token *parts[PATH_MOST];
    size_t count = 0;
    parts[count++] = guard->at++;
    while (guard_at_char(guard, '.')) {
        const struct token *next = guard->at + 1;
        if (token_is_punct(next, "*")) {
            guard->at += 2;
            return true;
        }
        if ((next->kind != TOKEN_WORD && next->kind != TOKEN_NAME) ||
            count == PATH_MOST) {
            if (next->kind == TOKEN_NUMBER && guard_dialect(guard, "c")) {
                break; /* a part of a tuple */
            }
            return guard->at++, guard_unexpected(guard);
        }
        parts[count++] = next;
        guard->at += 2;
    }
    if (count > 1 && guard_dialect(guard, "mo") &&
        token_is(parts[count - 1], "nextval")) {
        return guard_refuse(guard, parts[0],
                            "NEXTVAL is not allowed: it changes a sequence.");
    }
    if (!guard_at_char(guard, '(')) {
        if (count == 1 && is_session_word(guard, parts[0])) {
            return guard_refuse(guard, parts[0],
                                "%.60s is not allowed: it describes the session.",
                                parts[0]->text);
        }
        guard->long_name = count > 2 && !guard->long_name ? parts[0] : guard->long_name;
        guard_reference(guard, parts, count);
        return true;
    }
    const struct token *name = parts[count - 1];
    bool safe = guard_dialect(guard, "b") && count == 2 && token_is(parts[0], "safe");
    if (count > 1 && !safe && !guard_dialect(guard, "d")) {
        return guard_refuse(guard, parts[0],
                            "Functions of another schema are not allowed.");
    }
    if (count > 1 && !safe) { /* DuckDB: name.upper(), where name must be a column */
        guard_reference(guard, parts, count - 1);
        guard_reference_called(guard);
        return guard_method(guard, name);
    }
    return guard_call(guard, name, false);
}

static const struct word_operand {
    enum keyword keyword;
    const char *dialects;
    const char *follow; /* only before one of these characters; NULL: always */
    bool (*check)(struct guard *guard);
} word_operands[] = {
    {KEYWORD_case, "sdpmcbo", NULL, case_expression},
    {KEYWORD_cast, "sdpmcbo", NULL, cast},
    {KEYWORD_try_cast, "do", "(", cast},
    {KEYWORD_safe_cast, "b", "(", cast},
    {KEYWORD_convert, "m", "(", convert},
    {KEYWORD_exists, "sdpmcbo", NULL, exists},
    {KEYWORD_extract, "dpmcbo", "(", extract},
    {KEYWORD_array, "dpb", "[(<", array},
    {KEYWORD_struct, "b", "(<", row},
    {KEYWORD_row, "dpm", "(", row},
    {KEYWORD_null, "sdpmcbo", NULL, constant},
    {KEYWORD_true, "sdpmcbo", NULL, constant},
    {KEYWORD_false, "sdpmcbo", NULL, constant},
    {KEYWORD_current_date, "sdpmcbo", NULL, constant},
    {KEYWORD_current_time, "sdpmcbo", NULL, constant},
    {KEYWORD_current_timestamp, "sdpmcbo", NULL, constant},
    {KEYWORD_localtime, "dpm", NULL, constant},
    {KEYWORD_localtimestamp, "dpm", NULL, constant},
};

/* DATE '2024-01-01', TIMESTAMP WITH TIME ZONE '…', jsonb '{}' */
static bool at_typed_text(const struct guard *guard)
{
    const struct token *token = guard->at;
    if (guard_dialect(guard, "s") || !function_type_known(token->text)) {
        return false;
    }
    return token[1].kind == TOKEN_STRING ||
           ((token->keyword == KEYWORD_timestamp || token->keyword == KEYWORD_time) &&
            (token[1].keyword == KEYWORD_with || token[1].keyword == KEYWORD_without) &&
            token_is(token + 2, "time"));
}

static bool typed_text(struct guard *guard)
{
    if (guard->at[1].kind == TOKEN_STRING) {
        guard->at += 2;
        return true;
    }
    if (!guard_type(guard)) {
        return false;
    }
    if (guard->at->kind != TOKEN_STRING) {
        return guard_unexpected(guard);
    }
    guard->at++;
    return true;
}

static bool word(struct guard *guard)
{
    const struct token *token = guard->at;
    const struct token *next = token + 1;
    for (size_t i = 0; i < sizeof word_operands / sizeof *word_operands; i++) {
        const struct word_operand *operand = &word_operands[i];
        if (token->keyword == operand->keyword && token->keyword != KEYWORD_NONE &&
            guard_dialect(guard, operand->dialects) &&
            (!operand->follow || (next->kind == TOKEN_PUNCT && next->text[1] == '\0' &&
                                  strchr(operand->follow, next->text[0])))) {
            return operand->check(guard);
        }
    }
    if (token->keyword == KEYWORD_interval && at_interval(guard)) {
        return interval(guard);
    }
    if (token->keyword == KEYWORD_map && token_is_punct(next, "{") &&
        guard_dialect(guard, "d")) {
        guard->at++;
        return struct_literal(guard);
    }
    if (next->kind == TOKEN_STRING || next->keyword == KEYWORD_with ||
        next->keyword == KEYWORD_without) {
        if (at_typed_text(guard)) {
            return typed_text(guard);
        }
    }
    if (guard_dialect(guard, "d") && token_is(token, "lambda") &&
        next->kind == TOKEN_WORD) {
        return lambda(guard);
    }
    bool callable =
        token_is_punct(next, "(") && function_find(guard->dialect, token->text);
    if (keyword_reserved(token->keyword) && !callable &&
        token->keyword != KEYWORD_offset) {
        return guard_unexpected(guard);
    }
    return path(guard);
}

bool guard_operand(struct guard *guard)
{
    const struct token *token = guard->at;
    switch (token->kind) {
    case TOKEN_NUMBER:
    case TOKEN_BLOB:
        guard->at++;
        return true;
    case TOKEN_STRING:
        guard->at++;
        while (guard->at->kind == TOKEN_STRING && guard_dialect(guard, "mp")) {
            guard->at++; /* texts side by side are one text */
        }
        return true;
    case TOKEN_NAME:
        return path(guard);
    case TOKEN_WORD:
        return word(guard);
    case TOKEN_PUNCT:
        if (guard_at_char(guard, '(')) {
            return guard_parentheses(guard);
        }
        if (guard_at_char(guard, '[')) {
            return guard_dialect(guard, "dcb") || guard->arrays ? list_literal(guard)
                                                                : guard_unexpected(guard);
        }
        if (guard_at_char(guard, '{')) {
            return struct_literal(guard);
        }
        return guard_take_char(guard, '*') || guard_unexpected(guard);
    default:
        return guard_unexpected(guard);
    }
}
