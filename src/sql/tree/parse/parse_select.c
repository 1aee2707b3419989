/* One SELECT: its list, FROM, WHERE, GROUP BY and the other clauses up to ORDER BY. */
#include "sql/tree/parse/parse_state.h"

#include <string.h>

/* ------------------------------------------------------------------ stars */

/* a AS b, … inside REPLACE ( … ) and RENAME ( … ) */
static struct sql_node *star_entry(struct parse *parse)
{
    struct sql_node *item = parse_node(parse, SQL_ITEM, NULL, parse->at);
    item->children[SINGLE_VALUE] = parse_expression(parse);
    if (!item->children[SINGLE_VALUE]) {
        return NULL;
    }
    if (parse_take(parse, KEYWORD_as)) {
        if (!parse_at_name(parse)) {
            return parse_unexpected(parse);
        }
        item->flags = parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
        item->text = parse->at->text;
        parse->at++;
    }
    return parse_end(parse, item);
}

/* Behind EXCEPT and a parenthesis: a query, and no names? */
static bool except_query(const struct token *token)
{
    return token->keyword == KEYWORD_select || token->keyword == KEYWORD_with ||
           token->keyword == KEYWORD_values || token_is_punct(token, "(");
}

/* EXCLUDE (a), EXCEPT (a), REPLACE (x AS a), RENAME (a AS b); NULL with `none` set: no
 * option */
static struct sql_node *star_option(struct parse *parse, bool *none)
{
    const struct token *from = parse->at;
    struct sql_node *node = NULL;
    bool except = parse_at(parse, KEYWORD_except) && parse_next_char(parse, '(') &&
                  parse_dialect(parse, "bc") && !except_query(parse->at + 2);
    bool replace = parse_at(parse, KEYWORD_replace);
    *none = false;
    if (except || (parse_at(parse, KEYWORD_exclude) && parse_dialect(parse, "d"))) {
        parse->at++;
        if (parse_at_char(parse, '(')) {
            node = parse_names(parse);
        } else if (parse_at_name(parse)) {
            node = parse_node(parse, SQL_LIST, NULL, from);
            sql_add(parse->arena, node, parse_name(parse));
        } else {
            return parse_unexpected(parse);
        }
        if (node) {
            node->kind = SQL_STAR_EXCLUDE;
        }
    } else if ((replace || parse_at(parse, KEYWORD_rename)) &&
               parse_next_char(parse, '(') && parse_dialect(parse, "dbc")) {
        parse->at += 2;
        node = parse_list(parse, star_entry);
        if (!node || !parse_expect_char(parse, ')')) {
            return NULL;
        }
        node->kind = replace ? SQL_STAR_REPLACE : SQL_STAR_RENAME;
    } else {
        *none = true;
    }
    return node;
}

struct sql_node *parse_star(struct parse *parse, struct sql_node *of)
{
    struct sql_node *star = parse_node(parse, SQL_STAR, NULL, parse->at);
    star->start = of ? of->start : star->start;
    star->children[STAR_OF] = of;
    parse->at++;
    for (;;) {
        bool none;
        struct sql_node *option = star_option(parse, &none);
        if (none) {
            return parse_end(parse, star);
        }
        if (!option) {
            return NULL;
        }
        if (!star->children[STAR_OPTIONS]) {
            star->children[STAR_OPTIONS] = parse_node(parse, SQL_LIST, NULL, parse->at);
        }
        sql_add(parse->arena, star->children[STAR_OPTIONS], option);
    }
}

/* ------------------------------------------------------------------ the list */

/* After AS nearly every word may be a name; these would swallow a clause. */
static bool swallows_clause(const struct token *token)
{
    return token->keyword == KEYWORD_from || token->keyword == KEYWORD_into ||
           token->keyword == KEYWORD_select || token->keyword == KEYWORD_where ||
           token->keyword == KEYWORD_union;
}

static bool item_alias(struct parse *parse, struct sql_node *item)
{
    bool as = parse_take(parse, KEYWORD_as);
    const struct token *token = parse->at;
    bool quoted = token->kind == TOKEN_NAME ||
                  (token->kind == TOKEN_STRING && (as || parse_dialect(parse, "sm")));
    bool word =
        as ? token->kind == TOKEN_WORD && !swallows_clause(token) : parse_at_alias(parse);
    if (!quoted && !word) {
        return !as || parse_unexpected(parse);
    }
    if (item->text || !parse_text_names(token)) {
        return parse_unexpected(parse);
    }
    item->text = token->text;
    item->flags |= quoted ? FLAG_QUOTED : 0;
    parse->at++;
    return true;
}

static struct sql_node *select_item(struct parse *parse)
{
    struct sql_node *item = parse_node(parse, SQL_ITEM, NULL, parse->at);
    /* DuckDB writes an alias before its expression too: SELECT total: sum(x) */
    if (parse_dialect(parse, "d") && parse_at_name(parse) &&
        parse_next_char(parse, ':')) {
        item->text = parse->at->text;
        item->flags = parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
        parse->at += 2;
    }
    item->children[SINGLE_VALUE] =
        parse_at_char(parse, '*') ? parse_star(parse, NULL) : parse_expression(parse);
    if (!item->children[SINGLE_VALUE] || !item_alias(parse, item)) {
        return NULL;
    }
    return parse_end(parse, item);
}

/* DISTINCT, DISTINCT ON (…), ALL, TOP n, AS STRUCT */
static bool select_options(struct parse *parse, struct sql_node *select)
{
    bool distinctrow = parse_dialect(parse, "m") && parse_take_text(parse, "distinctrow");
    if (distinctrow || parse_take(parse, KEYWORD_distinct)) {
        select->flags |= FLAG_DISTINCT;
        if (parse_at(parse, KEYWORD_on) && parse_dialect(parse, "dpc")) {
            parse->at++;
            if (!parse_expect_char(parse, '(') ||
                !(select->children[SELECT_DISTINCT_ON] = parse_expressions(parse)) ||
                !parse_expect_char(parse, ')')) {
                return false;
            }
        }
    } else {
        parse_take(parse, KEYWORD_all);
    }
    if (parse_dialect(parse, "o") && parse_at(parse, KEYWORD_top) &&
        parse->at[1].kind == TOKEN_NUMBER) {
        parse->at++;
        select->children[SELECT_TOP] = parse_operand(parse);
    }
    if (parse_dialect(parse, "b") && parse_take(parse, KEYWORD_as)) {
        bool structure = parse_take(parse, KEYWORD_struct);
        if (!structure && !parse_take_text(parse, "value")) {
            return parse_unexpected(parse);
        }
        select->flags |= structure ? FLAG_AS_STRUCT : FLAG_AS_VALUE;
    }
    return true;
}

static bool select_list(struct parse *parse, struct sql_node *select)
{
    if (!select_options(parse, select)) {
        return false;
    }
    struct sql_node *items = parse_node(parse, SQL_LIST, NULL, parse->at);
    select->children[SELECT_ITEMS] = items;
    if (parse_at(parse, KEYWORD_from) && parse_dialect(parse, "p")) {
        return true; /* EXISTS (SELECT FROM t) */
    }
    do {
        if (parse_at(parse, KEYWORD_from) && parse_dialect(parse, "db") && items->count) {
            return true; /* a comma at the end of the list */
        }
        struct sql_node *item = select_item(parse);
        if (!item) {
            return false;
        }
        sql_add(parse->arena, items, item);
    } while (parse_take_char(parse, ','));
    return true;
}

/* ------------------------------------------------------------------ clauses */

static struct sql_node *grouping_set(struct parse *parse)
{
    if (parse_at_char(parse, '(') && parse_next_char(parse, ')')) {
        struct sql_node *empty = parse_node(parse, SQL_TUPLE, NULL, parse->at);
        parse->at += 2;
        return parse_end(parse, empty);
    }
    return parse_expression(parse);
}

/* ((ROLLUP (a))), (a, CUBE (b)): in parentheses these are functions of that name. */
static bool hides_rollup(const struct parse *parse)
{
    int depth = 0;
    for (const struct token *token = parse->at; token->kind != TOKEN_END; token++) {
        depth += token_is_punct(token, "(") - token_is_punct(token, ")");
        if (depth <= 0) {
            return false;
        }
        if ((token->keyword == KEYWORD_rollup || token->keyword == KEYWORD_cube) &&
            token_is_punct(token + 1, "(")) {
            return true;
        }
    }
    return false;
}

static struct sql_node *group_item(struct parse *parse)
{
    if (hides_rollup(parse)) {
        return parse_unexpected(parse);
    }
    if (!parse_at(parse, KEYWORD_grouping) || !parse_next_is(parse, KEYWORD_sets)) {
        bool sets = (parse_at(parse, KEYWORD_rollup) || parse_at(parse, KEYWORD_cube)) &&
                    parse_next_char(parse, '(');
        struct sql_node *value = parse_expression(parse);
        return value && sets && value->kind != SQL_CALL ? parse_unexpected(parse) : value;
    }
    const struct token *from = parse->at;
    parse->at += 2;
    if (!parse_expect_char(parse, '(')) {
        return NULL;
    }
    struct sql_node *sets = parse_list(parse, grouping_set);
    if (!sets || !parse_expect_char(parse, ')')) {
        return NULL;
    }
    sets->kind = SQL_GROUPING_SETS;
    sets->start = (uint32_t)from->start;
    return parse_end(parse, sets);
}

/* GROUP BY a, b [WITH ROLLUP], GROUP BY ALL */
static struct sql_node *group(struct parse *parse)
{
    if (!parse_take(parse, KEYWORD_by)) {
        return parse_unexpected(parse);
    }
    const struct token *from = parse->at;
    if (parse_dialect(parse, "dcb") && parse_take(parse, KEYWORD_all)) {
        struct sql_node *all = parse_node(parse, SQL_LIST, NULL, from);
        all->flags = FLAG_GROUP_ALL;
        return parse_end(parse, all);
    }
    struct sql_node *list = parse_list(parse, group_item);
    if (list && parse_at(parse, KEYWORD_with) && parse_dialect(parse, "mc")) {
        parse->at++;
        if (!parse_at(parse, KEYWORD_rollup) && !parse_at(parse, KEYWORD_cube) &&
            !parse_at(parse, KEYWORD_totals)) {
            return parse_unexpected(parse);
        }
        list->text = parse_upper(parse, parse->at->text);
        parse->at++;
    }
    return list;
}

static struct sql_node *window_definition(struct parse *parse)
{
    if (!parse_at_name(parse)) {
        return parse_unexpected(parse);
    }
    const struct token *name = parse->at++;
    if (!parse_take(parse, KEYWORD_as)) {
        return parse_unexpected(parse);
    }
    struct sql_node *window = parse_window(parse);
    if (window) {
        window->text = name->text;
        window->flags |= name->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
    }
    return window;
}

static struct sql_node *windows(struct parse *parse)
{
    return parse_list(parse, window_definition);
}

/* USING SAMPLE 10%, USING SAMPLE 100 ROWS, USING SAMPLE reservoir(50 ROWS) */
static struct sql_node *using_sample(struct parse *parse)
{
    struct sql_node *sample = parse_node(parse, SQL_SAMPLE, NULL, parse->at);
    if (!parse_take(parse, KEYWORD_sample)) {
        return parse_unexpected(parse);
    }
    bool method = parse_at_text(parse, "reservoir") ||
                  parse_at_text(parse, "bernoulli") || parse_at_text(parse, "system");
    if (method) {
        sample->text = parse_upper(parse, parse->at->text);
        parse->at++;
        if (!parse_expect_char(parse, '(')) {
            return NULL;
        }
    }
    if (parse->at->kind != TOKEN_NUMBER) {
        return parse_unexpected(parse);
    }
    sample->children[SINGLE_VALUE] = parse_operand(parse);
    if (parse_take_char(parse, '%') || parse_take_text(parse, "percent")) {
        sample->flags |= FLAG_PERCENT;
    } else {
        parse_take(parse, KEYWORD_rows);
    }
    return !method || parse_expect_char(parse, ')') ? parse_end(parse, sample) : NULL;
}

static const struct clause {
    enum keyword keyword;
    const char *dialects;
    size_t slot;
    struct sql_node *(*read)(struct parse *parse); /* the keyword is taken already */
} clauses[] = {
    {KEYWORD_from, "sdpmcbo", SELECT_FROM, parse_from},
    {KEYWORD_prewhere, "c", SELECT_PREWHERE, parse_expression},
    {KEYWORD_where, "sdpmcbo", SELECT_WHERE, parse_expression},
    {KEYWORD_group, "sdpmcbo", SELECT_GROUP, group},
    {KEYWORD_having, "sdpmcbo", SELECT_HAVING, parse_expression},
    {KEYWORD_window, "sdpmcbo", SELECT_WINDOWS, windows},
    {KEYWORD_qualify, "dcbo", SELECT_QUALIFY, parse_expression},
    {KEYWORD_using, "d", SELECT_SAMPLE, using_sample},
};

enum { CLAUSES = sizeof clauses / sizeof *clauses };

static const struct clause *clause_at(const struct parse *parse)
{
    for (size_t i = 0; i < CLAUSES && parse->at->keyword != KEYWORD_NONE; i++) {
        if (parse_at(parse, clauses[i].keyword) &&
            parse_dialect(parse, clauses[i].dialects)) {
            return &clauses[i];
        }
    }
    return NULL;
}

/* SELECT * is what DuckDB's FROM without SELECT means. */
static void add_star(struct parse *parse, struct sql_node *select)
{
    struct sql_node *item = sql_node(parse->arena, SQL_ITEM, NULL);
    item->children[SINGLE_VALUE] = sql_node(parse->arena, SQL_STAR, NULL);
    select->children[SELECT_ITEMS] = sql_node(parse->arena, SQL_LIST, NULL);
    sql_add(parse->arena, select->children[SELECT_ITEMS], item);
}

struct sql_node *parse_select(struct parse *parse)
{
    struct sql_node *select = parse_node(parse, SQL_SELECT, NULL, parse->at);
    if (parse_take(parse, KEYWORD_select) && !select_list(parse, select)) {
        return NULL;
    }
    const struct clause *clause;
    while ((clause = clause_at(parse))) {
        if (select->children[clause->slot]) {
            return parse_unexpected(parse);
        }
        parse->at++;
        select->children[clause->slot] = clause->read(parse);
        if (!select->children[clause->slot]) {
            return NULL;
        }
        if (clause->slot == SELECT_FROM && !select->children[SELECT_ITEMS] &&
            parse_take(parse, KEYWORD_select) && !select_list(parse, select)) {
            return NULL;
        }
    }
    if (!select->children[SELECT_ITEMS]) {
        add_star(parse, select);
    }
    return parse_end(parse, select);
}
