/* Tables made of others in FROM: PIVOT, UNPIVOT and JSON_TABLE. */
#include "sql/tree/parse/parse_state.h"

/* expression [AS alias]; the alias may be a text in UNPIVOT … IN (price AS 'p') */
static struct sql_node *named_expression(struct parse *parse)
{
    struct sql_node *item = parse_node(parse, SQL_ITEM, NULL, parse->at);
    item->children[SINGLE_VALUE] = parse_expression(parse);
    if (!item->children[SINGLE_VALUE]) {
        return NULL;
    }
    bool as = parse_take(parse, KEYWORD_as);
    bool text = as && parse->at->kind == TOKEN_STRING;
    if (text || (parse_at_name(parse) && !parse_at(parse, KEYWORD_for))) {
        item->text = parse->at->text;
        item->flags = text ? FLAG_RAW : parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
        parse->at++;
    } else if (as) {
        return parse_unexpected(parse);
    }
    return parse_end(parse, item);
}

/* FOR column IN (value [AS alias], …): written out, so that it is one statement. */
static struct sql_node *pivot_for(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_PIVOT_FOR, NULL, parse->at);
    if (!parse_take(parse, KEYWORD_for) || !parse_at_name(parse)) {
        return parse_unexpected(parse);
    }
    node->children[PAIR_LEFT] = parse_name(parse);
    if (!parse_take(parse, KEYWORD_in)) {
        return parse_unexpected(parse);
    }
    if (!parse_expect_char(parse, '(')) {
        return NULL;
    }
    if (parse_at_query(parse)) {
        return parse_unexpected(parse);
    }
    node->children[PAIR_RIGHT] = parse_list(parse, named_expression);
    return node->children[PAIR_RIGHT] && parse_expect_char(parse, ')')
               ? parse_end(parse, node)
               : NULL;
}

/* PIVOT (sum(x) [AS alias], … FOR column IN (…)) */
static bool pivot(struct parse *parse, struct sql_node *node)
{
    if (!parse_expect_char(parse, '(')) {
        return false;
    }
    node->children[PIVOT_VALUES] = parse_list(parse, named_expression);
    if (!node->children[PIVOT_VALUES]) {
        return false;
    }
    struct sql_node *fors = parse_node(parse, SQL_LIST, NULL, parse->at);
    do {
        struct sql_node *one = pivot_for(parse);
        if (!one) {
            return false;
        }
        sql_add(parse->arena, fors, one);
    } while (parse_at(parse, KEYWORD_for));
    node->children[PIVOT_FORS] = fors;
    return parse_expect_char(parse, ')');
}

/* UNPIVOT [INCLUDE NULLS] (value FOR name IN (column [AS alias], …)) */
static bool unpivot(struct parse *parse, struct sql_node *node)
{
    bool include = parse_at_text(parse, "include");
    if (include || parse_at(parse, KEYWORD_exclude)) {
        parse->at++;
        if (!parse_take(parse, KEYWORD_nulls)) {
            return parse_unexpected(parse);
        }
        node->variant = include ? 1 : 2;
    }
    if (!parse_expect_char(parse, '(')) {
        return false;
    }
    if (!parse_at_name(parse)) {
        return parse_unexpected(parse);
    }
    node->children[PIVOT_VALUES] = parse_name(parse);
    struct sql_node *fors = parse_node(parse, SQL_LIST, NULL, parse->at);
    struct sql_node *one = pivot_for(parse);
    if (!one) {
        return false;
    }
    sql_add(parse->arena, fors, one);
    node->children[PIVOT_FORS] = fors;
    return parse_expect_char(parse, ')');
}

struct sql_node *parse_pivots(struct parse *parse, struct sql_node *source)
{
    size_t length = 0;
    while (parse_dialect(parse, "db") && parse_chain(parse, &length) &&
           (parse_at(parse, KEYWORD_pivot) || parse_at(parse, KEYWORD_unpivot))) {
        bool up = parse_at(parse, KEYWORD_pivot);
        struct sql_node *node =
            parse_node(parse, up ? SQL_PIVOT : SQL_UNPIVOT, NULL, parse->at++);
        node->start = source->start;
        node->children[PIVOT_SOURCE] = source;
        if (up ? !pivot(parse, node) : !unpivot(parse, node)) {
            return NULL;
        }
        if (parse_take(parse, KEYWORD_as) || parse_at_alias(parse)) {
            if (!parse_at_name(parse)) {
                return parse_unexpected(parse);
            }
            struct sql_node *alias =
                parse_node(parse, SQL_ALIAS, parse->at->text, parse->at);
            alias->flags = parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
            parse->at++;
            node->children[PIVOT_ALIAS] = parse_end(parse, alias);
        }
        source = parse_end(parse, node);
    }
    return length <= PARSE_MAX_CHAIN ? source : NULL;
}

/* ------------------------------------------------------------------ JSON_TABLE */

/* [NULL | ERROR | DEFAULT 'x'] ON EMPTY, the same ON ERROR, as words of their own */
static bool json_fallbacks(struct parse *parse, struct sql_node *list)
{
    while (parse_at(parse, KEYWORD_null) || parse_at_text(parse, "error") ||
           parse_at_text(parse, "default")) {
        struct sql_node *node = parse_node(
            parse, SQL_ARGUMENT, parse_upper(parse, parse->at->text), parse->at);
        bool value = parse_at_text(parse, "default");
        parse->at++;
        if (value && parse->at->kind != TOKEN_NUMBER && parse->at->kind != TOKEN_STRING) {
            return parse_unexpected(parse);
        }
        node->children[SINGLE_VALUE] = value ? parse_operand(parse) : NULL;
        if (!parse_take(parse, KEYWORD_on)) {
            return parse_unexpected(parse);
        }
        bool empty = parse_take_text(parse, "empty");
        if (!empty && !parse_take_text(parse, "error")) {
            return parse_unexpected(parse);
        }
        node->variant = empty ? 1 : 2;
        sql_add(parse->arena, list, node);
    }
    return true;
}

static struct sql_node *json_columns(struct parse *parse);

/* n FOR ORDINALITY · a INT [EXISTS] PATH '$.a' … · NESTED PATH '$.b[*]' COLUMNS (…) */
static struct sql_node *json_column(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_JSON_COLUMN, NULL, parse->at);
    if (parse_take_text(parse, "nested")) {
        parse_take_text(parse, "path");
        node->children[PAIR_LEFT] = parse_string(parse);
        node->children[PAIR_RIGHT] =
            node->children[PAIR_LEFT] ? json_columns(parse) : NULL;
        return node->children[PAIR_RIGHT] ? parse_end(parse, node) : NULL;
    }
    if (!parse_at_name(parse)) {
        return parse_unexpected(parse);
    }
    node->text = parse->at->text;
    node->flags = parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
    parse->at++;
    if (parse_take(parse, KEYWORD_for)) {
        node->flags |= FLAG_ORDINALITY;
        return parse_take(parse, KEYWORD_ordinality) ? parse_end(parse, node)
                                                     : parse_unexpected(parse);
    }
    node->children[PAIR_LEFT] = parse_type(parse);
    if (!node->children[PAIR_LEFT]) {
        return NULL;
    }
    node->variant = parse_take(parse, KEYWORD_exists) ? 1 : 0;
    if (!parse_take_text(parse, "path")) {
        return parse_unexpected(parse);
    }
    struct sql_node *details = parse_node(parse, SQL_LIST, NULL, parse->at);
    struct sql_node *place = parse_string(parse);
    sql_add(parse->arena, details, place);
    node->children[PAIR_RIGHT] = details;
    return place && json_fallbacks(parse, details) ? parse_end(parse, node) : NULL;
}

static struct sql_node *json_columns(struct parse *parse)
{
    if (!parse_take(parse, KEYWORD_columns)) {
        return parse_unexpected(parse);
    }
    if (!parse_expect_char(parse, '(') || !parse_enter(parse)) {
        return NULL;
    }
    struct sql_node *list = parse_list(parse, json_column);
    parse->depth--;
    return list && parse_expect_char(parse, ')') ? list : NULL;
}

/* JSON_TABLE(document, '$.path' COLUMNS (…)); the current token is the parenthesis */
struct sql_node *parse_json_table(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_JSON_TABLE, NULL, parse->at - 1);
    parse->at++;
    node->children[PAIR_LEFT] = parse_expression(parse);
    if (!node->children[PAIR_LEFT] || !parse_expect_char(parse, ',')) {
        return NULL;
    }
    node->text = parse->at->text;
    if (!parse_string(parse)) {
        return NULL;
    }
    node->children[PAIR_RIGHT] = json_columns(parse);
    return node->children[PAIR_RIGHT] && parse_expect_char(parse, ')')
               ? parse_end(parse, node)
               : NULL;
}
