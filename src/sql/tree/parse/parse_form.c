/* Values with a grammar of their own: CASE, CAST, EXISTS, EXTRACT, INTERVAL. */
#include "sql/tree/parse/parse_state.h"

#include <string.h>
#include <strings.h>

static struct sql_node *when(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_WHEN, NULL, parse->at++);
    node->children[PAIR_LEFT] = parse_expression(parse);
    if (!node->children[PAIR_LEFT]) {
        return NULL;
    }
    if (!parse_take(parse, KEYWORD_then)) {
        return parse_unexpected(parse);
    }
    node->children[PAIR_RIGHT] = parse_expression(parse);
    return node->children[PAIR_RIGHT] ? parse_end(parse, node) : NULL;
}

struct sql_node *parse_case(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_CASE, NULL, parse->at++);
    if (!parse_at(parse, KEYWORD_when) &&
        !(node->children[CASE_VALUE] = parse_expression(parse))) {
        return NULL;
    }
    struct sql_node *whens = parse_node(parse, SQL_LIST, NULL, parse->at);
    while (parse_at(parse, KEYWORD_when)) {
        struct sql_node *one = when(parse);
        if (!one) {
            return NULL;
        }
        sql_add(parse->arena, whens, one);
    }
    node->children[CASE_WHENS] = whens;
    if (parse_take(parse, KEYWORD_else) &&
        !(node->children[CASE_ELSE] = parse_expression(parse))) {
        return NULL;
    }
    return whens->count && parse_take(parse, KEYWORD_end) ? parse_end(parse, node)
                                                          : parse_unexpected(parse);
}

/* CAST(x AS type), TRY_CAST, SAFE_CAST; ClickHouse: CAST(x, 'UInt8') */
struct sql_node *parse_cast(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_CAST, NULL, parse->at);
    node->flags = parse_at(parse, KEYWORD_cast) ? 0 : FLAG_SAFE;
    parse->at++;
    if (!parse_expect_char(parse, '(') ||
        !(node->children[PAIR_LEFT] = parse_expression(parse))) {
        return NULL;
    }
    if (parse_dialect(parse, "c") && parse_take_char(parse, ',')) {
        node->children[PAIR_RIGHT] = parse_string(parse);
    } else {
        node->children[PAIR_RIGHT] =
            parse_take(parse, KEYWORD_as) ? parse_type(parse) : parse_unexpected(parse);
    }
    if (!node->children[PAIR_RIGHT]) {
        return NULL;
    }
    if (parse_dialect(parse, "b") && parse_take(parse, KEYWORD_format)) {
        node->text = parse->at->text;
        if (!parse_string(parse)) {
            return NULL;
        }
    }
    return parse_expect_char(parse, ')') ? parse_end(parse, node) : NULL;
}

/* MySQL: CONVERT(x, type), CONVERT(x USING utf8mb4) */
struct sql_node *parse_convert(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_CAST, NULL, parse->at++);
    if (!parse_expect_char(parse, '(') ||
        !(node->children[PAIR_LEFT] = parse_expression(parse))) {
        return NULL;
    }
    if (parse_take(parse, KEYWORD_using)) {
        node->children[PAIR_RIGHT] =
            parse->at->kind == TOKEN_WORD ? parse_name(parse) : parse_unexpected(parse);
    } else if (parse_expect_char(parse, ',')) {
        node->children[PAIR_RIGHT] = parse_type(parse);
    }
    return node->children[PAIR_RIGHT] && parse_expect_char(parse, ')')
               ? parse_end(parse, node)
               : NULL;
}

struct sql_node *parse_exists(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_EXISTS, NULL, parse->at++);
    if (!parse_at_char(parse, '(')) {
        return parse_unexpected(parse);
    }
    struct sql_node *query = parse_parentheses(parse);
    if (query && query->kind != SQL_SUBQUERY) {
        return parse_malformed(parse, parse->at - 1, "EXISTS needs a query.");
    }
    node->children[SINGLE_VALUE] = query ? query->children[SINGLE_VALUE] : NULL;
    return query ? parse_end(parse, node) : NULL;
}

/* EXTRACT('year' FROM x) is printed as EXTRACT(YEAR FROM x). */
static bool is_part(const char *text)
{
    static const char *const parts[] = {
        "year",       "quarter", "month",        "week",         "day",
        "hour",       "minute",  "second",       "dow",          "isodow",
        "doy",        "epoch",   "isoyear",      "century",      "decade",
        "millennium", "julian",  "microseconds", "milliseconds", "timezone"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcasecmp(parts[i], text) == 0) {
            return true;
        }
    }
    return false;
}

/* EXTRACT(YEAR FROM x) */
struct sql_node *parse_extract(struct parse *parse)
{
    const struct token *name = parse->at;
    if ((name[2].kind != TOKEN_WORD && name[2].kind != TOKEN_STRING) ||
        name[3].keyword != KEYWORD_from) {
        parse->at++;
        return parse_call(parse, name, NULL);
    }
    if (name[2].kind == TOKEN_STRING && !is_part(name[2].text)) {
        return parse_fail(parse, name + 2, "EXTRACT needs a part of a date.");
    }
    struct sql_node *node =
        parse_node(parse, SQL_EXTRACT, parse_upper(parse, name[2].text), name);
    parse->at += 4;
    node->children[SINGLE_VALUE] = parse_expression(parse);
    return node->children[SINGLE_VALUE] && parse_expect_char(parse, ')')
               ? parse_end(parse, node)
               : NULL;
}

/* ------------------------------------------------------------------ INTERVAL */

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

bool parse_at_interval(const struct parse *parse)
{
    const struct token *next = parse->at + 1;
    return !parse_dialect(parse, "s") &&
           (next->kind == TOKEN_STRING || next->kind == TOKEN_NUMBER ||
            next->kind == TOKEN_NAME || token_is_punct(next, "(") ||
            (next->kind == TOKEN_WORD && !keyword_reserved(next->keyword) &&
             is_unit(next + 1)) ||
            (token_is_punct(next, "-") && next[1].kind == TOKEN_NUMBER) ||
            (next->kind == TOKEN_WORD && !keyword_reserved(next->keyword) &&
             parse_dialect(parse, "mb")));
}

/* MySQL's function: INTERVAL(23, 1, 15). It ends with its parenthesis. */
static bool at_interval_function(const struct parse *parse)
{
    int depth = 0;
    if (!parse_dialect(parse, "m") || !token_is_punct(parse->at, "(")) {
        return false;
    }
    for (const struct token *at = parse->at; at->kind != TOKEN_END; at++) {
        depth += token_is_punct(at, "(") - token_is_punct(at, ")");
        if (depth == 0 || (depth == 1 && token_is_punct(at, ","))) {
            return depth == 1;
        }
    }
    return false;
}

/* INTERVAL '1 day', INTERVAL 3 MONTH, INTERVAL (n) DAY, INTERVAL '1' YEAR TO MONTH */
struct sql_node *parse_interval(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_INTERVAL, NULL, parse->at++);
    if (parse->at->kind == TOKEN_WORD && is_unit(parse->at + 1) &&
        parse_link_strength(parse)) {
        return parse_unexpected(parse); /* INTERVAL GLOB YEAR: two columns in DuckDB */
    }
    bool function = at_interval_function(parse);
    node->children[SINGLE_VALUE] = function ? parse_parentheses(parse)
                                   : parse->at->kind == TOKEN_STRING
                                       ? parse_string(parse)
                                       : parse_expression(parse);
    if (!node->children[SINGLE_VALUE]) {
        return NULL;
    }
    if (function && node->children[SINGLE_VALUE]->kind != SQL_TUPLE) {
        return parse_unexpected(parse); /* INTERVAL(VALUES (1), (2)) */
    }
    if (!function && is_unit(parse->at)) {
        node->text = parse_upper(parse, parse->at->text);
        parse->at++;
        if (parse_at(parse, KEYWORD_to) && is_unit(parse->at + 1)) {
            node->text = arena_format(parse->arena, "%s TO %s", node->text,
                                      parse_upper(parse, parse->at[1].text));
            parse->at += 2;
        }
    } else if (!function && node->children[SINGLE_VALUE]->kind != SQL_STRING) {
        return parse_unexpected(parse); /* a column of this name, and another one? */
    }
    return parse_end(parse, node);
}
