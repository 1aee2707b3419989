/* What hangs on the end of a value: subscripts, fields, COLLATE, casts. */
#include "sql/tree/parse/parse_state.h"

#include <string.h>

/* [1], [1:3], ['key'] */
static struct sql_node *subscript(struct parse *parse, struct sql_node *value)
{
    struct sql_node *parts[SLICE_SLOTS] = {value};
    size_t slot = SLICE_FROM;
    bool slice = false;
    const struct token *from = parse->at++;
    while (!parse_at_char(parse, ']')) {
        if (parse_take_char(parse, ':')) {
            slice = true;
            if (++slot >= SLICE_SLOTS) {
                return parse_unexpected(parse);
            }
        } else if (parse_at_char(parse, '-') && parse_next_char(parse, ':')) {
            parts[slot] = parse_node(parse, SQL_CONSTANT, "-", parse->at++);
        } else if (parts[slot] || !(parts[slot] = parse_expression(parse))) {
            return parse_unexpected(parse);
        }
    }
    parse->at++;
    if (!slice && !parts[SLICE_FROM]) {
        parse->at--;
        return parse_unexpected(parse);
    }
    struct sql_node *node =
        parse_node(parse, slice ? SQL_SLICE : SQL_SUBSCRIPT, NULL, from);
    memcpy(node->children, parts, node->count * sizeof *parts);
    node->start = value->start;
    return parse_end(parse, node);
}

/* .field, .1, .* and DuckDB's .function(…) after a value */
static struct sql_node *member(struct parse *parse, struct sql_node *value)
{
    parse->at++;
    const struct token *name = parse->at;
    if (parse_at_char(parse, '*')) {
        struct sql_node *star = parse_star(parse, value);
        if (star) {
            star->variant =
                1; /* (c).*: the fields of c, and not the columns of a table c */
        }
        return star;
    }
    bool number = name->kind == TOKEN_NUMBER && parse_dialect(parse, "c");
    bool fields = !parse_dialect(parse, "sm"); /* SQLite reads 't'.a as a column of t */
    bool word = name->kind == TOKEN_WORD && name->keyword != KEYWORD_not;
    if ((!word && name->kind != TOKEN_NAME && !number) || !fields) {
        return parse_unexpected(parse);
    }
    parse->at++;
    if (parse_at_char(parse, '(') && name->kind != TOKEN_NUMBER) {
        return parse_dialect(parse, "d") && parse_at_method(parse, name)
                   ? parse_call(parse, name, value)
                   : parse_unexpected(parse);
    }
    struct sql_node *field = parse_node(parse, SQL_FIELD, name->text, name);
    field->flags = name->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
    field->start = value->start;
    field->children[SINGLE_VALUE] = value;
    return parse_end(parse, field);
}

struct sql_node *parse_collate(struct parse *parse, struct sql_node *value)
{
    struct sql_node *node = parse_node(parse, SQL_COLLATE, NULL, parse->at);
    struct sql_node *path = parse_node(parse, SQL_LIST, NULL, parse->at);
    parse->at++;
    do {
        bool text = parse->at->kind == TOKEN_STRING && !parse_dialect(parse, "dp") &&
                    parse_text_names(parse->at);
        if (!parse_at_name(parse) && !text) {
            return parse_unexpected(parse);
        }
        sql_add(parse->arena, path, parse_name(parse));
    } while (parse_take_char(parse, '.'));
    node->start = value->start;
    node->children[PAIR_LEFT] = value;
    node->children[PAIR_RIGHT] = parse_end(parse, path);
    return parse_end(parse, node);
}

static struct sql_node *cast_postfix(struct parse *parse, struct sql_node *value)
{
    struct sql_node *node = parse_node(parse, SQL_CAST, NULL, parse->at++);
    node->start = value->start;
    node->children[PAIR_LEFT] = value;
    node->children[PAIR_RIGHT] = parse_type(parse);
    if (node->children[PAIR_RIGHT] && parse_at_char(parse, '.')) {
        return parse_fail(parse, parse->at, "Types of another schema are not allowed.");
    }
    return node->children[PAIR_RIGHT] ? parse_end(parse, node) : NULL;
}

/* What hangs on the end of a value and binds tighter than any operator. */
struct sql_node *parse_postfixes(struct parse *parse, struct sql_node *value)
{
    while (value) {
        bool hangs = token_is_punct(parse->at, "::") || parse_at_char(parse, '[') ||
                     parse_at_char(parse, '.');
        if (hangs && value->kind == SQL_STAR) {
            return parse_unexpected(parse); /* DuckDB: t.* EXCLUDE t.a */
        }
        if (token_is_punct(parse->at, "::")) {
            value = cast_postfix(parse, value);
        } else if (parse_at_char(parse, '[')) {
            value = subscript(parse, value);
        } else if (parse_at_char(parse, '.')) {
            value = member(parse, value);
        } else {
            return value;
        }
        if (value && !parse_hang(parse)) {
            return NULL;
        }
    }
    return NULL;
}
