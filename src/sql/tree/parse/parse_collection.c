/* Lists, arrays, structs, maps and lambdas as values. */
#include "sql/tree/parse/parse_state.h"

/* [1, 2, 3]; DuckDB: [x * 2 FOR x IN list IF x > 1] */
struct sql_node *parse_list_literal(struct parse *parse)
{
    const struct token *from = parse->at++;
    struct sql_node *array = parse_node(parse, SQL_ARRAY, NULL, from);
    if (parse_take_char(parse, ']')) {
        array->children[ARRAY_VALUES] = parse_node(parse, SQL_LIST, NULL, from);
        return parse_end(parse, array);
    }
    struct sql_node *values = parse_expressions(parse);
    if (!values) {
        return NULL;
    }
    array->children[ARRAY_VALUES] = values;
    if (parse_at(parse, KEYWORD_for) && parse_dialect(parse, "d") && values->count == 1) {
        parse->at++;
        if (!parse_at_name(parse) || parse->at[1].keyword != KEYWORD_in) {
            return parse_unexpected(parse);
        }
        array = parse_node(parse, SQL_COMPREHENSION, NULL, from);
        array->children[COMPREHENSION_VALUE] = values->children[0];
        array->children[COMPREHENSION_NAME] = parse_name(parse);
        parse->at++;
        array->children[COMPREHENSION_LIST] = parse_expression(parse);
        if (!array->children[COMPREHENSION_LIST]) {
            return NULL;
        }
        if (parse_take_text(parse, "if") &&
            !(array->children[COMPREHENSION_IF] = parse_expression(parse))) {
            return NULL;
        }
    }
    return parse_expect_char(parse, ']') ? parse_end(parse, array) : NULL;
}

static struct sql_node *entry_value(struct parse *parse, struct sql_node *entry)
{
    bool key = entry->children[PAIR_LEFT] && parse_expect_char(parse, ':');
    entry->children[PAIR_RIGHT] = key ? parse_expression(parse) : NULL;
    return entry->children[PAIR_RIGHT] ? parse_end(parse, entry) : NULL;
}

/* 'a': 1 and b: 2 inside braces. The key is not an expression: {(b): 1} is not SQL */
static struct sql_node *brace_entry(struct parse *parse)
{
    struct sql_node *entry = parse_node(parse, SQL_ENTRY, NULL, parse->at);
    bool literal = parse->at->kind == TOKEN_STRING || parse->at->kind == TOKEN_NUMBER;
    /* {name:Type} is a placeholder in ClickHouse */
    bool name = parse_at_name(parse) && !parse_dialect(parse, "c");
    if ((!literal && !name) || !parse_next_char(parse, ':')) {
        return parse_unexpected(parse);
    }
    entry->children[PAIR_LEFT] = literal ? parse_operand(parse) : parse_name(parse);
    return entry_value(parse, entry);
}

/* MAP {b: 1}: here the key is a value, and b is a column. */
static struct sql_node *map_entry(struct parse *parse)
{
    struct sql_node *entry = parse_node(parse, SQL_ENTRY, NULL, parse->at);
    entry->children[PAIR_LEFT] = parse_expression(parse);
    return entry_value(parse, entry);
}

/* {'a': 1, b: 2}, MAP {1: 'a'} */
struct sql_node *parse_braces(struct parse *parse, const struct token *from, bool map)
{
    parse->at++;
    struct sql_node *entries = parse_at_char(parse, '}')
                                   ? parse_node(parse, SQL_LIST, NULL, from)
                                   : parse_list(parse, map ? map_entry : brace_entry);
    if (!entries || !parse_expect_char(parse, '}')) {
        return NULL;
    }
    entries->start = (uint32_t)from->start;
    if (map) {
        entries->kind = SQL_MAP;
        return parse_end(parse, entries);
    }
    struct sql_node *node = parse_node(parse, SQL_STRUCT, NULL, from);
    node->children[STRUCT_ENTRIES] = entries;
    return parse_end(parse, node);
}

/* ARRAY[…], ARRAY(SELECT …), ARRAY<INT64>[…] */
struct sql_node *parse_array(struct parse *parse)
{
    const struct token *from = parse->at;
    struct sql_node *type = NULL;
    if (token_is_punct(parse->at + 1, "<") && parse_dialect(parse, "b")) {
        if (!(type = parse_type(parse))) {
            return NULL;
        }
    } else {
        parse->at++;
    }
    if (parse_at_char(parse, '[')) {
        parse->arrays++;
        struct sql_node *node = parse_list_literal(parse);
        parse->arrays--;
        if (node && node->kind == SQL_ARRAY) {
            node->children[ARRAY_TYPE] = type;
        }
        if (node) {
            node->start = (uint32_t)from->start;
            node->text = "ARRAY";
        }
        return node;
    }
    if (!parse_at_char(parse, '(')) {
        return parse_unexpected(parse);
    }
    struct sql_node *query = parse_parentheses(parse);
    if (!query || query->kind != SQL_SUBQUERY) {
        return query ? parse_malformed(parse, from, "ARRAY( … ) needs a query.") : NULL;
    }
    struct sql_node *node = parse_node(parse, SQL_ARRAY_QUERY, NULL, from);
    node->children[SINGLE_VALUE] = query->children[SINGLE_VALUE];
    return parse_end(parse, node);
}

/* 1 AS a inside STRUCT( … ); t.* inside ROW( … ) */
static struct sql_node *row_entry(struct parse *parse)
{
    struct sql_node *entry = parse_node(parse, SQL_ENTRY, NULL, parse->at);
    entry->children[PAIR_RIGHT] = parse_expression(parse);
    if (!entry->children[PAIR_RIGHT]) {
        return NULL;
    }
    if (parse_take(parse, KEYWORD_as)) {
        entry->children[PAIR_LEFT] =
            parse_at_name(parse) ? parse_name(parse) : parse_unexpected(parse);
        if (!entry->children[PAIR_LEFT]) {
            return NULL;
        }
    }
    return parse_end(parse, entry);
}

/* STRUCT(1 AS a, 2 AS b), STRUCT<a INT64>(1), ROW(1, 2) */
struct sql_node *parse_row(struct parse *parse)
{
    const struct token *from = parse->at;
    struct sql_node *node =
        parse_node(parse, SQL_STRUCT, parse_upper(parse, from->text), from);
    if (token_is_punct(parse->at + 1, "<")) {
        if (!(node->children[STRUCT_TYPE] = parse_type(parse))) {
            return NULL;
        }
    } else {
        parse->at++;
    }
    if (!parse_expect_char(parse, '(')) {
        return NULL;
    }
    node->children[STRUCT_ENTRIES] = parse_at_char(parse, ')')
                                         ? parse_node(parse, SQL_LIST, NULL, from)
                                         : parse_list(parse, row_entry);
    return node->children[STRUCT_ENTRIES] && parse_expect_char(parse, ')')
               ? parse_end(parse, node)
               : NULL;
}

/* DuckDB: lambda x, y: x + y */
struct sql_node *parse_lambda(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_LAMBDA, NULL, parse->at++);
    node->flags = FLAG_KEYWORD;
    struct sql_node *names = parse_node(parse, SQL_LIST, NULL, parse->at);
    do {
        if (!parse_at_name(parse)) {
            return parse_unexpected(parse);
        }
        sql_add(parse->arena, names, parse_name(parse));
    } while (parse_take_char(parse, ','));
    node->children[PAIR_LEFT] = names;
    node->children[PAIR_RIGHT] =
        parse_expect_char(parse, ':') ? parse_expression(parse) : NULL;
    return node->children[PAIR_RIGHT] ? parse_end(parse, node) : NULL;
}
