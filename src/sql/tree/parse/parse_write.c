/* INSERT, UPDATE and DELETE of the plain form: one table, no tricks. */
#include "sql/tree/parse/parse_state.h"

static struct sql_node *refuse_form(struct parse *parse)
{
    return parse->at->kind == TOKEN_END
               ? parse_unexpected(parse)
               : parse_fail(parse, parse->at,
                            arena_format(parse->arena,
                                         "Only plain INSERT, UPDATE and DELETE can be "
                                         "approved: '%.60s' is not part of them.",
                                         parse->at->text));
}

static struct sql_node *value(struct parse *parse)
{
    const struct token *from = parse->at;
    return parse_take_text(parse, "default")
               ? parse_end(parse, parse_node(parse, SQL_DEFAULT, NULL, from))
               : parse_expression(parse);
}

static struct sql_node *insert_row(struct parse *parse)
{
    const struct token *from = parse->at;
    if (!parse_expect_char(parse, '(')) {
        return NULL;
    }
    struct sql_node *row = parse_list(parse, value);
    if (!row || !parse_expect_char(parse, ')')) {
        return NULL;
    }
    row->kind = SQL_TUPLE;
    row->start = (uint32_t)from->start;
    return parse_end(parse, row);
}

static struct sql_node *insert(struct parse *parse, const struct token *from)
{
    struct sql_node *node = parse_node(parse, SQL_INSERT, NULL, from);
    if (!parse_take(parse, KEYWORD_into)) {
        return refuse_form(parse);
    }
    if (!(node->children[INSERT_TABLE] = parse_table(parse, true))) {
        return NULL;
    }
    if (parse_at_char(parse, '(') && !token_is_punct(parse->at + 1, "(") &&
        parse->at[1].keyword != KEYWORD_select && parse->at[1].keyword != KEYWORD_with &&
        !(node->children[INSERT_COLUMNS] = parse_names(parse))) {
        return NULL;
    }
    if (parse_take(parse, KEYWORD_values)) {
        node->children[INSERT_SOURCE] = parse_list(parse, insert_row);
        if (node->children[INSERT_SOURCE]) {
            node->children[INSERT_SOURCE]->kind = SQL_VALUES;
        }
    } else {
        node->children[INSERT_SOURCE] =
            parse_at(parse, KEYWORD_select) ? parse_query(parse) : refuse_form(parse);
    }
    return node->children[INSERT_SOURCE] ? parse_end(parse, node) : NULL;
}

/* False after an error. */
static bool where(struct parse *parse, struct sql_node **out)
{
    if (!parse_take(parse, KEYWORD_where)) {
        return true;
    }
    *out = parse_expression(parse);
    return *out != NULL;
}

static struct sql_node *assignment(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_ASSIGNMENT, NULL, parse->at);
    if (!parse_at_name(parse)) {
        return refuse_form(parse);
    }
    node->children[PAIR_LEFT] = parse_name(parse);
    if (!parse_take_char(parse, '=')) {
        return refuse_form(parse);
    }
    node->children[PAIR_RIGHT] = value(parse);
    return node->children[PAIR_RIGHT] ? parse_end(parse, node) : NULL;
}

static struct sql_node *update(struct parse *parse, const struct token *from)
{
    struct sql_node *node = parse_node(parse, SQL_UPDATE, NULL, from);
    if (!(node->children[UPDATE_TABLE] = parse_table(parse, true))) {
        return NULL;
    }
    if (!parse_take(parse, KEYWORD_set)) {
        return refuse_form(parse);
    }
    node->children[UPDATE_ASSIGNMENTS] = parse_list(parse, assignment);
    if (!node->children[UPDATE_ASSIGNMENTS] ||
        !where(parse, &node->children[UPDATE_WHERE])) {
        return NULL;
    }
    return parse_end(parse, node);
}

static struct sql_node *delete_rows(struct parse *parse, const struct token *from)
{
    struct sql_node *node = parse_node(parse, SQL_DELETE, NULL, from);
    if (!parse_take(parse, KEYWORD_from)) {
        return refuse_form(parse);
    }
    node->children[DELETE_TABLE] = parse_table(parse, true);
    if (!node->children[DELETE_TABLE] || !where(parse, &node->children[DELETE_WHERE])) {
        return NULL;
    }
    return parse_end(parse, node);
}

struct sql_node *parse_write(struct parse *parse)
{
    const struct token *from = parse->at++;
    struct sql_node *node = from->keyword == KEYWORD_insert   ? insert(parse, from)
                            : from->keyword == KEYWORD_update ? update(parse, from)
                                                              : delete_rows(parse, from);
    return node && parse->at->kind != TOKEN_END ? refuse_form(parse) : node;
}
