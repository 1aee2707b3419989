/* Types, as in CAST(x AS DECIMAL(10, 2)), x::INTEGER[] and STRUCT(a INT, b VARCHAR). */
#include "sql/tree/parse/parse_state.h"

#include <string.h>

static bool at_close(const struct parse *parse, char close)
{
    return parse_at_char(parse, close) ||
           (close == '>' && token_is_punct(parse->at, ">>"));
}

/* `>>` ends two types: the inner one marks it, the outer one takes it. */
static void take_close(struct parse *parse)
{
    if (token_is_punct(parse->at, ">>") && parse->half_closed != parse->at) {
        parse->half_closed = parse->at;
    } else {
        parse->at++;
    }
}

static struct sql_node *type_argument(struct parse *parse, char close)
{
    const struct token *token = parse->at;
    if (parse_dialect(parse, "b") && (token->kind == TOKEN_NUMBER) != (close == ')')) {
        return parse_unexpected(parse); /* DECIMAL(10, 2), ARRAY<INT64> */
    }
    if (token->kind == TOKEN_NUMBER || token->kind == TOKEN_STRING) {
        return parse_operand(parse);
    }
    bool named = (token->kind == TOKEN_WORD || token->kind == TOKEN_NAME) &&
                 token[1].kind == TOKEN_WORD && !token_is(token + 1, "precision") &&
                 !token_is(token + 1, "varying");
    if (!named) {
        return token_is(token, "max") ? parse_name(parse) : parse_type(parse);
    }
    struct sql_node *field = parse_node(parse, SQL_COLUMN_DEFINITION, token->text, token);
    field->flags = token->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
    parse->at++;
    field->children[SINGLE_VALUE] = parse_type(parse);
    return field->children[SINGLE_VALUE] ? parse_end(parse, field) : NULL;
}

/* Inside ( … ) or < … > of a type: numbers, texts, types, named types. */
static struct sql_node *type_arguments(struct parse *parse, char close)
{
    struct sql_node *list = parse_node(parse, SQL_LIST, NULL, parse->at);
    while (!at_close(parse, close)) {
        struct sql_node *one = type_argument(parse, close);
        if (!one) {
            return NULL;
        }
        sql_add(parse->arena, list, one);
        if (!parse_take_char(parse, ',') && !at_close(parse, close)) {
            return parse_unexpected(parse);
        }
    }
    take_close(parse);
    return list->count ? parse_end(parse, list) : parse_unexpected(parse);
}

/* DOUBLE PRECISION, CHARACTER VARYING, UNSIGNED INTEGER … */
static const char *type_words(struct parse *parse, const char *name)
{
    static const struct {
        const char *word;
        const char *after; /* the beginnings of words that it may follow */
    } words[] = {{"precision", "|double|"},
                 {"varying", "|char|character|bit|nchar|national|"},
                 {"unsigned", "|int|tinyint|smallint|mediumint|bigint|integer|"},
                 {"signed", "|int|tinyint|smallint|mediumint|bigint|integer|"},
                 {"integer", "|signed|unsigned|"},
                 {"int", "|signed|unsigned|"},
                 {"zerofill", "|unsigned|int|"},
                 {"large", "|character|binary|char|"},
                 {"object", "|large|"}};
    const char *last = parse_upper(parse, name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *part = arena_format(parse->arena, "|%s|", last);
        if (parse_at_text(parse, words[i].word) && strcasestr(words[i].after, part)) {
            last = words[i].word;
            name = arena_format(parse->arena, "%s %s", name, parse->at->text);
            parse->at++;
            i = (size_t)-1; /* again: several may follow one another */
        }
    }
    return name;
}

static void time_zone(struct parse *parse, struct sql_node *type)
{
    if ((parse_at(parse, KEYWORD_with) || parse_at(parse, KEYWORD_without)) &&
        parse->at[1].keyword == KEYWORD_time && token_is(parse->at + 2, "zone")) {
        type->variant = parse_at(parse, KEYWORD_with) ? 1 : 2;
        parse->at += 3;
    }
}

enum { DIMENSIONS_MOST = 32 };

/* [] and [3], and PostgreSQL's ARRAY */
static void dimensions(struct parse *parse, struct sql_node *type)
{
    struct sql_node *list = sql_node(parse->arena, SQL_LIST, NULL);
    for (;;) {
        if (parse_at_char(parse, '[') && parse_next_char(parse, ']')) {
            sql_add(parse->arena, list, sql_node(parse->arena, SQL_CONSTANT, ""));
            parse->at += 2;
        } else if (parse_at_char(parse, '[') && parse->at[1].kind == TOKEN_NUMBER &&
                   token_is_punct(parse->at + 2, "]")) {
            sql_add(parse->arena, list,
                    sql_node(parse->arena, SQL_NUMBER, parse->at[1].text));
            parse->at += 3;
        } else if (parse_dialect(parse, "p") && parse_at(parse, KEYWORD_array) &&
                   parse_next_char(parse, '[')) {
            parse->at++; /* ARRAY[3] is [3] */
        } else if (parse_dialect(parse, "p") && parse_take(parse, KEYWORD_array)) {
            sql_add(parse->arena, list, sql_node(parse->arena, SQL_CONSTANT, ""));
        } else {
            type->children[TYPE_DIMENSIONS] = list->count ? list : NULL;
            return;
        }
    }
}

static struct sql_node *type(struct parse *parse)
{
    const struct token *token = parse->at;
    bool named = token->kind == TOKEN_WORD ||
                 (token->kind == TOKEN_NAME && parse_dialect(parse, "sdp"));
    if (!named) {
        return parse_unexpected(parse);
    }
    struct sql_node *node = parse_node(parse, SQL_TYPE, token->text, token);
    node->flags = token->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
    parse->at++;
    node->text = type_words(parse, node->text);
    char close = parse_take_char(parse, '(')                                ? ')'
                 : parse_dialect(parse, "b") && parse_take_char(parse, '<') ? '>'
                                                                            : '\0';
    if (close && !(node->children[TYPE_ARGUMENTS] = type_arguments(parse, close))) {
        return NULL;
    }
    time_zone(parse, node);
    static const char *const fields[] = {"year", "month",  "day",
                                         "hour", "minute", "second"};
    for (size_t i = 0; token_is(token, "interval") && i < 6; i++) {
        if (parse_at_text(parse, fields[i])) {
            return parse_unexpected(parse); /* INTERVAL DAY: a type of its own */
        }
    }
    if (parse_dialect(parse, "m") && token_is(token, "char") &&
        parse_take_text(parse, "character")) {
        if (!parse_take(parse, KEYWORD_set) || parse->at->kind != TOKEN_WORD) {
            return parse_unexpected(parse);
        }
        struct sql_node *set = sql_node(parse->arena, SQL_ARGUMENT, "CHARACTER SET");
        set->children[SINGLE_VALUE] = parse_name(parse);
        if (!node->children[TYPE_ARGUMENTS]) {
            node->children[TYPE_ARGUMENTS] = sql_node(parse->arena, SQL_LIST, NULL);
        }
        sql_add(parse->arena, node->children[TYPE_ARGUMENTS], set);
    }
    dimensions(parse, node);
    if (node->children[TYPE_DIMENSIONS] &&
        node->children[TYPE_DIMENSIONS]->count > DIMENSIONS_MOST) {
        return parse_fail(parse, token, SQL_TOO_DEEP);
    }
    return parse_end(parse, node);
}

struct sql_node *parse_type(struct parse *parse)
{
    if (!parse_enter(parse)) {
        return NULL;
    }
    struct sql_node *node = type(parse);
    parse->depth--;
    return node;
}
