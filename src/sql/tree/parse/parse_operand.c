/* Operands: literals, names, what a word begins, parentheses. */
#include "sql/tree/parse/parse_state.h"

#include <string.h>
#include <strings.h>

#include "sql/function.h"

/* ------------------------------------------------------------------ literals */

/* Escapes that the lexer reads as the engines do; others are printed as they were
 * written. */
static bool is_raw(const struct parse *parse, const struct token *token)
{
    const char *source = parse->sql + token->start;
    const char *end = parse->sql + token->end;
    bool prefixed = source[0] != '\'' && source[0] != '"';
    if (prefixed && strchr("UuRr", source[0])) {
        return true; /* U&'…', r'…' */
    }
    if (!prefixed && !parse_dialect(parse, "mcb")) {
        return false;
    }
    for (; source + 1 < end; source++) {
        if (*source == '\\' && !strchr("'\"\\ntr", *++source)) {
            return true;
        }
    }
    return false;
}

struct sql_node *parse_string(struct parse *parse)
{
    const struct token *token = parse->at;
    if (token->kind != TOKEN_STRING) {
        return parse_unexpected(parse);
    }
    struct sql_node *string = parse_node(parse, SQL_STRING, token->text, token);
    if (is_raw(parse, token)) {
        string->flags |= FLAG_RAW;
        string->text = arena_copy(parse->arena, parse->sql + token->start,
                                  token->end - token->start);
    }
    parse->at++;
    /* texts side by side are one text */
    while (parse->at->kind == TOKEN_STRING && parse_dialect(parse, "mp")) {
        if (sql_has(string, FLAG_RAW) || is_raw(parse, parse->at)) {
            return parse_unexpected(parse);
        }
        string->text = arena_format(parse->arena, "%s%s", string->text, parse->at->text);
        parse->at++;
    }
    return parse_end(parse, string);
}

static struct sql_node *literal(struct parse *parse, enum sql_kind kind)
{
    const struct token *token = parse->at++;
    struct sql_node *node = parse_node(parse, kind, NULL, token);
    node->text =
        arena_copy(parse->arena, parse->sql + token->start, token->end - token->start);
    return parse_end(parse, node);
}

/* NULL, TRUE, CURRENT_DATE, CURRENT_TIMESTAMP(3), CURRENT_DATE('Europe/Paris') */
static struct sql_node *constant(struct parse *parse)
{
    struct sql_node *node =
        parse_node(parse, SQL_CONSTANT, parse_upper(parse, parse->at->text), parse->at);
    parse->at++;
    if (parse_at_char(parse, '(') && parse_next_char(parse, ')')) {
        parse->at += 2;
    } else if (parse_at_char(parse, '(') && token_is_punct(parse->at + 2, ")") &&
               (parse->at[1].kind == TOKEN_NUMBER || parse->at[1].kind == TOKEN_STRING)) {
        parse->at++;
        node->children[SINGLE_VALUE] = parse_operand(parse);
        parse->at++;
    }
    if (parse_at_char(parse, '.')) {
        return parse_unexpected(parse); /* current_date.a: a column, in DuckDB */
    }
    return parse_end(parse, node);
}

/* ------------------------------------------------------------------ names */

enum { PATH_MOST = 8 };

/* a, a.b, a.b.c, t.*, f(…), name.upper() in DuckDB, SAFE.f(…) in BigQuery */
static struct sql_node *path(struct parse *parse)
{
    struct sql_node *column = parse_node(parse, SQL_COLUMN, NULL, parse->at);
    const struct token *first = parse->at;
    sql_add(parse->arena, column, parse_name(parse));
    while (parse_at_char(parse, '.')) {
        const struct token *next = parse->at + 1;
        if (token_is_punct(next, "*")) {
            parse_end(parse, column);
            parse->at++;
            return parse_star(parse, column);
        }
        bool text = next->kind == TOKEN_STRING && parse_text_names(next) &&
                    parse_dialect(parse, "s"); /* t.'a b' */
        if ((next->kind != TOKEN_WORD && next->kind != TOKEN_NAME && !text) ||
            next->keyword == KEYWORD_not || /* (t.not) LIKE a is not t.not LIKE a */
            column->count == PATH_MOST) {
            if (next->kind == TOKEN_NUMBER && parse_dialect(parse, "c")) {
                break; /* a part of a tuple */
            }
            return parse->at++, parse_unexpected(parse);
        }
        parse->at++;
        sql_add(parse->arena, column, parse_name(parse));
    }
    parse_end(parse, column);
    if (!parse_at_char(parse, '(')) {
        return column;
    }
    const struct token *name = parse->at - 1;
    if (column->count == 1) {
        return parse_call(parse, name, NULL);
    }
    if (parse_dialect(parse, "b") && column->count == 2 && token_is(first, "safe")) {
        struct sql_node *call = parse_call(parse, name, NULL);
        if (call) {
            call->flags |= FLAG_SAFE;
        }
        return call;
    }
    if (!parse_dialect(parse, "d")) {
        return parse_fail(parse, first, "Functions of another schema are not allowed.");
    }
    if (!parse_at_method(parse, name)) {
        return parse_fail(parse, name, "A function cannot be called like this.");
    }
    column->count--; /* what stands before the function is its first argument */
    column->end = column->children[column->count - 1]->end;
    return parse_call(parse, name, column);
}

/* DATE '2024-01-01', TIMESTAMP WITH TIME ZONE '…', jsonb '{}' */
static bool at_typed_text(const struct parse *parse)
{
    const struct token *token = parse->at;
    bool prefix = parse_dialect(parse, "m") && token->keyword == KEYWORD_binary;
    if (parse_dialect(parse, "s") || prefix || !function_type_known(token->text)) {
        return false; /* MySQL's BINARY 'a' is an operator and its value */
    }
    return token[1].kind == TOKEN_STRING ||
           ((token->keyword == KEYWORD_timestamp || token->keyword == KEYWORD_time) &&
            (token[1].keyword == KEYWORD_with || token[1].keyword == KEYWORD_without) &&
            token_is(token + 2, "time"));
}

static struct sql_node *typed_text(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_TYPED_STRING, NULL, parse->at);
    node->children[PAIR_LEFT] = parse_type(parse);
    node->children[PAIR_RIGHT] = node->children[PAIR_LEFT] ? parse_string(parse) : NULL;
    return node->children[PAIR_RIGHT] ? parse_end(parse, node) : NULL;
}

static const struct word_operand {
    enum keyword keyword;
    const char *dialects;
    const char *follow; /* only before one of these characters; NULL: always */
    struct sql_node *(*read)(struct parse *parse);
} word_operands[] = {
    {KEYWORD_case, "sdpmcbo", NULL, parse_case},
    {KEYWORD_cast, "sdpmcbo", NULL, parse_cast},
    {KEYWORD_try_cast, "do", "(", parse_cast},
    {KEYWORD_safe_cast, "b", "(", parse_cast},
    {KEYWORD_convert, "m", "(", parse_convert},
    {KEYWORD_exists, "sdpmcbo", NULL, parse_exists},
    {KEYWORD_extract, "dpmcbo", "(", parse_extract},
    {KEYWORD_array, "dpb", "[(<", parse_array},
    {KEYWORD_struct, "b", "(<", parse_row},
    {KEYWORD_row, "dpm", "(", parse_row},
    {KEYWORD_null, "sdpmcbo", NULL, constant},
    {KEYWORD_true, "sdpmcbo", NULL, constant},
    {KEYWORD_false, "sdpmcbo", NULL, constant},
    {KEYWORD_current_date, "sdpmcbo", NULL, constant},
    {KEYWORD_current_time, "sdpmcbo", NULL, constant},
    {KEYWORD_current_timestamp, "sdpmcbo", NULL, constant},
    {KEYWORD_localtime, "dpm", NULL, constant},
    {KEYWORD_localtimestamp, "dpm", NULL, constant},
};

static const struct word_operand *word_operand_at(const struct parse *parse)
{
    const struct token *next = parse->at + 1;
    for (size_t i = 0; i < sizeof word_operands / sizeof *word_operands; i++) {
        const struct word_operand *operand = &word_operands[i];
        if (parse->at->keyword == operand->keyword &&
            parse_dialect(parse, operand->dialects) &&
            (!operand->follow || (next->kind == TOKEN_PUNCT && next->text[1] == '\0' &&
                                  strchr(operand->follow, next->text[0])))) {
            return operand;
        }
    }
    return NULL;
}

/* Words that are no columns in MySQL: options behind SELECT, and the operator BINARY. */
static bool at_option(const struct parse *parse)
{
    static const char *const options[] = {
        "binary",          "distinctrow",       "high_priority",
        "sql_big_result",  "sql_buffer_result", "sql_cache",
        "sql_no_cache",    "straight_join",     "sql_calc_found_rows",
        "sql_small_result"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (token_is(parse->at, options[i])) {
            return parse_dialect(parse, "m");
        }
    }
    return false;
}

/* Words that stand before a parenthesis and call nothing: BETWEEN SYMMETRIC (1) AND 2. In
 * PostgreSQL, DuckDB and over ODBC they are no columns either. */
static bool calls_nothing(const struct parse *parse)
{
    static const char *const words[] = {"any", "some", "symmetric", "asymmetric"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (token_is(parse->at, words[i])) {
            bool column = !parse_next_char(parse, '(') && !parse_dialect(parse, "dpo");
            return !column && !parse_dialect(parse, "c");
        }
    }
    return false;
}

/* What stands behind these words is a clause or a test. */
bool parse_names_nothing(const struct parse *parse)
{
    static const struct {
        enum keyword keyword;
        const char *dialects;
    } words[] = {{KEYWORD_isnull, "sdp"},
                 {KEYWORD_notnull, "sdp"},
                 {KEYWORD_qualify, "db"},
                 {KEYWORD_window, "dp"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (parse_at(parse, words[i].keyword)) {
            return parse_dialect(parse, words[i].dialects);
        }
    }
    return false;
}

bool parse_at_method(const struct parse *parse, const struct token *name)
{
    struct parse look = *parse;
    look.at = name;
    bool special = name->keyword == KEYWORD_interval ||
                   (name->keyword != KEYWORD_NONE && word_operand_at(&look));
    return !special && !keyword_reserved(name->keyword) && !calls_nothing(&look) &&
           !parse_names_nothing(&look) && !token_is_punct(name + 2, "*");
}

/* A value with an end of its own: a word of a call around it does not end what is inside. */
static struct sql_node *apart(struct parse *parse,
                              struct sql_node *(*read)(struct parse *parse))
{
    int no_in = parse->no_in;
    parse->no_in = 0;
    struct sql_node *node = read(parse);
    parse->no_in = no_in;
    return node;
}

static struct sql_node *word(struct parse *parse)
{
    const struct token *token = parse->at;
    const struct token *next = token + 1;
    const struct word_operand *operand =
        token->keyword != KEYWORD_NONE ? word_operand_at(parse) : NULL;
    if (operand) {
        return apart(parse, operand->read);
    }
    if (at_option(parse) || calls_nothing(parse) || parse_names_nothing(parse)) {
        return parse_unexpected(parse);
    }
    if (token->keyword == KEYWORD_interval && parse_at_interval(parse)) {
        return parse_interval(parse);
    }
    if (token->keyword == KEYWORD_map && token_is_punct(next, "{") &&
        parse_dialect(parse, "d")) {
        parse->at++;
        return parse_braces(parse, token, true);
    }
    if ((next->kind == TOKEN_STRING || next->keyword == KEYWORD_with ||
         next->keyword == KEYWORD_without) &&
        at_typed_text(parse)) {
        return typed_text(parse);
    }
    if (parse_dialect(parse, "d") && token_is(token, "lambda")) {
        return parse_lambda(parse);
    }
    if (token->keyword == KEYWORD_array && parse_dialect(parse, "dpb")) {
        return parse_unexpected(parse); /* no column can be called so */
    }
    bool callable =
        token_is_punct(next, "(") && function_find(parse->dialect, token->text);
    bool end = token->keyword == KEYWORD_end && parse_dialect(parse, "s");
    if (keyword_reserved(token->keyword) && !callable && !end &&
        token->keyword != KEYWORD_offset) { /* SQLite: a column may be called end */
        return parse_unexpected(parse);
    }
    return path(parse);
}

struct sql_node *parse_operand(struct parse *parse)
{
    switch (parse->at->kind) {
    case TOKEN_NUMBER:
        return literal(parse, SQL_NUMBER);
    case TOKEN_BLOB:
        return literal(parse, SQL_BLOB);
    case TOKEN_STRING:
        return parse_string(parse);
    case TOKEN_NAME:
        return path(parse);
    case TOKEN_WORD:
        return word(parse);
    case TOKEN_PUNCT:
        if (parse_at_char(parse, '(')) {
            return parse_parentheses(parse);
        }
        if (parse_at_char(parse, '[') && (parse_dialect(parse, "dcb") || parse->arrays)) {
            return parse_list_literal(parse);
        }
        if (parse_at_char(parse, '{')) {
            return parse_braces(parse, parse->at, false);
        }
        return parse_unexpected(parse);
    default:
        return parse_unexpected(parse);
    }
}

/* (SELECT …), (a, b), (a): the last is a alone. */
static struct sql_node *parentheses(struct parse *parse)
{
    const struct token *from = parse->at++;
    struct sql_node *query = parse_at_query(parse) ? parse_query(parse) : NULL;
    if (!query) {
        if (parse->out->reason) {
            return NULL;
        }
        struct sql_node *list = parse_expressions(parse);
        if (!list) {
            return NULL;
        }
        if (list->count == 1 && list->children[0]->kind == SQL_SUBQUERY &&
            parse_at_query_more(parse)) { /* ((SELECT …) UNION (SELECT …)) */
            query = parse_query_more(parse, list->children[0]->children[SINGLE_VALUE]);
            if (!query) {
                return NULL;
            }
        } else if (!parse_expect_char(parse, ')')) {
            return NULL;
        } else if (list->count == 1) {
            return list->children[0];
        } else {
            list->kind = SQL_TUPLE;
            list->start = (uint32_t)from->start;
            return parse_end(parse, list);
        }
    }
    if (!parse_expect_char(parse, ')')) {
        return NULL;
    }
    struct sql_node *node = parse_node(parse, SQL_SUBQUERY, NULL, from);
    node->children[SINGLE_VALUE] = query;
    return parse_end(parse, node);
}

struct sql_node *parse_parentheses(struct parse *parse)
{
    return apart(parse, parentheses);
}
