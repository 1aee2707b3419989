/* Queries: WITH, set operations, ORDER BY, LIMIT and its relatives. */
#include "sql/tree/parse/parse_state.h"

bool parse_at_query(const struct parse *parse)
{
    return parse_at(parse, KEYWORD_select) || parse_at(parse, KEYWORD_with) ||
           parse_at(parse, KEYWORD_values) ||
           (parse_at(parse, KEYWORD_from) && parse_dialect(parse, "d"));
}

static bool at_set_operation(const struct parse *parse)
{
    return parse_at(parse, KEYWORD_union) || parse_at(parse, KEYWORD_intersect) ||
           parse_at(parse, KEYWORD_except) ||
           (parse_at(parse, KEYWORD_minus) && parse_dialect(parse, "o"));
}

static bool at_tail(const struct parse *parse)
{
    return parse_at(parse, KEYWORD_order) || parse_at(parse, KEYWORD_limit) ||
           parse_at(parse, KEYWORD_offset) ||
           (parse_at(parse, KEYWORD_fetch) && parse_dialect(parse, "pdco"));
}

bool parse_at_query_more(const struct parse *parse)
{
    return at_set_operation(parse) || at_tail(parse);
}

/* ------------------------------------------------------------------ ORDER BY */

/* ClickHouse: WITH FILL [FROM a] [TO b] [STEP c] */
static struct sql_node *fill(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_FILL, NULL, parse->at);
    parse->at += 2;
    for (;;) {
        size_t slot = parse_take(parse, KEYWORD_from)  ? FILL_FROM
                      : parse_take(parse, KEYWORD_to)  ? FILL_TO
                      : parse_take_text(parse, "step") ? FILL_STEP
                                                       : FILL_SLOTS;
        if (slot == FILL_SLOTS) {
            return parse_end(parse, node);
        }
        node->children[slot] = parse_expression(parse);
        if (!node->children[slot]) {
            return NULL;
        }
    }
}

static struct sql_node *order_item(struct parse *parse)
{
    struct sql_node *item = parse_node(parse, SQL_ORDER_ITEM, NULL, parse->at);
    if (parse_at(parse, KEYWORD_all) && parse_dialect(parse, "dc")) {
        parse->at++;
        item->flags |= FLAG_ALL;
    } else if (!(item->children[ORDER_VALUE] = parse_expression(parse))) {
        return NULL;
    }
    if (!parse_take(parse, KEYWORD_asc) && parse_take(parse, KEYWORD_desc)) {
        item->flags |= FLAG_DESC;
    }
    if (parse_take(parse, KEYWORD_nulls)) {
        bool first = parse_take(parse, KEYWORD_first);
        if (!first && !parse_take(parse, KEYWORD_last)) {
            return parse_unexpected(parse);
        }
        item->flags |= first ? FLAG_NULLS_FIRST : FLAG_NULLS_LAST;
    }
    if (parse_dialect(parse, "c") && parse_at(parse, KEYWORD_with) &&
        token_is(parse->at + 1, "fill") && !(item->children[ORDER_FILL] = fill(parse))) {
        return NULL;
    }
    return parse_end(parse, item);
}

struct sql_node *parse_order_by(struct parse *parse)
{
    return parse_take(parse, KEYWORD_by) ? parse_list(parse, order_item)
                                         : parse_unexpected(parse);
}

/* ------------------------------------------------------------------ LIMIT, OFFSET, FETCH
 */

static bool with_ties(struct parse *parse, struct sql_node *query)
{
    if (parse_at(parse, KEYWORD_with) && parse_next_is(parse, KEYWORD_ties)) {
        parse->at += 2;
        query->flags |= FLAG_WITH_TIES;
        return true;
    }
    return false;
}

/* LIMIT n [OFFSET m], LIMIT m, n, LIMIT n BY a, b, LIMIT 10%, LIMIT ALL */
static bool limit(struct parse *parse, struct sql_node *query)
{
    const struct token *from = parse->at++;
    if (parse_take(parse, KEYWORD_all)) {
        return true;
    }
    if (parse_dialect(parse, "d") && parse->at->kind == TOKEN_NUMBER &&
        parse_next_char(parse, '%') && parse->at[2].kind != TOKEN_NUMBER) {
        query->children[QUERY_LIMIT] = parse_operand(parse);
        query->flags |= FLAG_PERCENT;
        parse->at++;
        return true;
    }
    struct sql_node *count = parse_expression(parse);
    struct sql_node *offset = NULL;
    if (count && parse_take_char(parse, ',')) {
        offset = count;
        count = parse_expression(parse);
    }
    if (!count) {
        return false;
    }
    if (count->kind == SQL_QUANTIFIED) {
        return parse_unexpected(parse); /* LIMIT ALL, or a comparison? */
    }
    if (parse_dialect(parse, "c") && parse_at(parse, KEYWORD_by)) {
        struct sql_node *by = parse_node(parse, SQL_LIMIT_BY, NULL, from);
        parse->at++;
        by->children[LIMIT_BY_COUNT] = count;
        by->children[LIMIT_BY_OFFSET] = offset;
        by->children[LIMIT_BY_VALUES] = parse_expressions(parse);
        query->children[QUERY_LIMIT_BY] = parse_end(parse, by);
        return by->children[LIMIT_BY_VALUES] != NULL;
    }
    query->children[QUERY_LIMIT] = count;
    query->children[QUERY_OFFSET] = offset ? offset : query->children[QUERY_OFFSET];
    with_ties(parse, query);
    return true;
}

/* OFFSET n [ROWS]; SQLite and BigQuery know no such word there */
static bool offset(struct parse *parse, struct sql_node *query)
{
    parse->at++;
    query->children[QUERY_OFFSET] = parse_expression(parse);
    if (!parse_dialect(parse, "sb") &&
        (parse_take(parse, KEYWORD_rows) || parse_take(parse, KEYWORD_row))) {
        query->flags |= FLAG_FETCH;
    }
    if (parse_dialect(parse, "c") && query->children[QUERY_LIMIT]) {
        with_ties(parse, query); /* LIMIT 3 OFFSET 1 WITH TIES */
    }
    return query->children[QUERY_OFFSET] != NULL;
}

/* FETCH FIRST 5 ROWS ONLY */
static bool fetch(struct parse *parse, struct sql_node *query)
{
    const struct token *from = parse->at++;
    if (!parse_take(parse, KEYWORD_first) && !parse_take_text(parse, "next")) {
        return parse_unexpected(parse);
    }
    query->flags |= FLAG_FETCH;
    bool count = parse->at->kind == TOKEN_NUMBER || parse_at_char(parse, '(');
    query->children[QUERY_LIMIT] =
        count ? parse_operand(parse) : parse_node(parse, SQL_NUMBER, "1", from);
    if (!query->children[QUERY_LIMIT]) {
        return false;
    }
    if (!parse_take(parse, KEYWORD_rows) && !parse_take(parse, KEYWORD_row)) {
        return parse_unexpected(parse);
    }
    return with_ties(parse, query) || parse_take(parse, KEYWORD_only) ||
           parse_unexpected(parse);
}

/* Clauses that do more than read: no statement with one of them is read. */
static bool refused_clause(struct parse *parse)
{
    static const struct {
        enum keyword keyword;
        const char *dialects;
        const char *why;
    } clauses[] = {
        {KEYWORD_into, "sdpmcbo", "INTO is not allowed: it writes what it selects."},
        {KEYWORD_for, "sdpmcbo",
         "FOR UPDATE and its like are not allowed: they lock rows."},
        {KEYWORD_lock, "m", "LOCK IN SHARE MODE is not allowed: it locks rows."},
        {KEYWORD_procedure, "m", "PROCEDURE is not allowed."},
        {KEYWORD_settings, "c",
         "SETTINGS is not allowed: it changes how the query runs."},
        {KEYWORD_format, "c", "FORMAT is not allowed."},
        {KEYWORD_returning, "sdpm", "RETURNING is not allowed."},
    };
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++) {
        if (parse_at(parse, clauses[i].keyword) &&
            parse_dialect(parse, clauses[i].dialects)) {
            parse_fail(parse, parse->at, clauses[i].why);
            return true;
        }
    }
    return false;
}

/* The clauses of a whole query. Each may stand once; ClickHouse has LIMIT BY, then LIMIT.
 */
static bool tail(struct parse *parse, struct sql_node *query)
{
    while (at_tail(parse)) {
        enum keyword keyword = parse->at->keyword;
        bool limited = query->children[QUERY_LIMIT] != NULL;
        bool again = (keyword == KEYWORD_order && query->children[QUERY_ORDER]) ||
                     (keyword == KEYWORD_limit && limited) ||
                     (keyword == KEYWORD_fetch && limited) ||
                     (keyword == KEYWORD_offset && query->children[QUERY_OFFSET]);
        bool ok = !again;
        if (again) {
            parse_unexpected(parse);
        } else if (keyword == KEYWORD_order) {
            parse->at++;
            ok = (query->children[QUERY_ORDER] = parse_order_by(parse)) != NULL;
        } else {
            ok = keyword == KEYWORD_limit    ? limit(parse, query)
                 : keyword == KEYWORD_offset ? offset(parse, query)
                                             : fetch(parse, query);
        }
        if (!ok) {
            return false;
        }
    }
    return !refused_clause(parse);
}

/* ------------------------------------------------------------------ terms */

/* A query that adds nothing to the one inside it is that one. */
static struct sql_node *whole(const struct parse *parse, struct sql_node *query)
{
    struct sql_node *body = query->children[QUERY_BODY];
    bool bare = query->flags == 0 && body->kind == SQL_QUERY;
    for (size_t i = 0; i < QUERY_SLOTS && bare; i++) {
        bare = i == QUERY_BODY || !query->children[i];
    }
    return parse_end(parse, bare ? body : query);
}

static struct sql_node *values_row(struct parse *parse)
{
    if (parse_dialect(parse, "m")) {
        parse_take(parse, KEYWORD_row);
    }
    const struct token *from = parse->at;
    if (!parse_expect_char(parse, '(')) {
        return NULL;
    }
    struct sql_node *row = parse_expressions(parse);
    if (!row || !parse_expect_char(parse, ')')) {
        return NULL;
    }
    row->kind = SQL_TUPLE;
    row->start = (uint32_t)from->start;
    return parse_end(parse, row);
}

static struct sql_node *no_term(struct parse *parse)
{
    bool write = parse_at(parse, KEYWORD_insert) || parse_at(parse, KEYWORD_update) ||
                 parse_at(parse, KEYWORD_delete) || parse_at_text(parse, "merge");
    return write ? parse_fail(parse, parse->at,
                              "A write inside a query or behind WITH is not allowed.")
                 : parse_unexpected(parse);
}

static struct sql_node *term(struct parse *parse)
{
    const struct token *from = parse->at;
    struct sql_node *node;
    if (parse_take_char(parse, '(')) {
        node = parse_query(parse);
        return node && parse_expect_char(parse, ')') ? node : NULL;
    }
    if (parse_at(parse, KEYWORD_with)) {
        return parse_query(parse);
    }
    if (parse_take(parse, KEYWORD_values)) {
        node = parse_list(parse, values_row);
        if (node) {
            node->kind = SQL_VALUES;
            node->start = (uint32_t)from->start;
        }
    } else {
        node = parse_at_query(parse) ? parse_select(parse) : no_term(parse);
    }
    if (node && parse_dialect(parse, "c") && at_tail(parse)) {
        /* ClickHouse: ORDER BY and LIMIT belong to the one SELECT before them */
        struct sql_node *query = parse_node(parse, SQL_QUERY, NULL, from);
        query->children[QUERY_BODY] = node;
        node = tail(parse, query) ? parse_end(parse, query) : NULL;
    }
    return node;
}

enum { SET_UNION = 1, SET_INTERSECT = 2 };

static int set_strength(const struct parse *parse)
{
    if (!at_set_operation(parse)) {
        return 0;
    }
    bool tighter = parse_at(parse, KEYWORD_intersect) && !parse_dialect(parse, "s");
    return tighter ? SET_INTERSECT : SET_UNION;
}

static struct sql_node *terms(struct parse *parse, struct sql_node *left, int least)
{
    int strength;
    size_t length = 0;
    while (left && (strength = set_strength(parse)) >= least && strength > 0) {
        if (!parse_chain(parse, &length)) {
            return NULL;
        }
        struct sql_node *node = parse_node(
            parse, SQL_SET_OPERATION, parse_upper(parse, parse->at->text), parse->at);
        parse->at++;
        if (parse_take(parse, KEYWORD_all)) {
            node->flags |= FLAG_ALL;
        } else if (parse_take(parse, KEYWORD_distinct)) {
            node->flags |= FLAG_DISTINCT;
        }
        if (parse_at(parse, KEYWORD_by) && parse_dialect(parse, "d")) {
            parse->at++;
            if (!parse_take_text(parse, "name")) {
                return parse_unexpected(parse);
            }
            node->flags |= FLAG_BY_NAME;
        }
        struct sql_node *right = term(parse);
        if (right && set_strength(parse) > strength) {
            right = terms(parse, right, strength + 1);
        }
        if (!right) {
            return NULL;
        }
        node->start = left->start;
        node->children[PAIR_LEFT] = left;
        node->children[PAIR_RIGHT] = right;
        left = parse_end(parse, node);
    }
    return left;
}

/* ------------------------------------------------------------------ WITH */

static struct sql_node *cte(struct parse *parse)
{
    const struct token *from = parse->at;
    if (parse_dialect(parse, "c") &&
        !(parse_at_name(parse) && parse_next_is(parse, KEYWORD_as) &&
          token_is_punct(parse->at + 2, "("))) {
        struct sql_node *value = parse_expression(parse); /* WITH 5 AS n */
        if (!value || !parse_take(parse, KEYWORD_as) || !parse_at_name(parse)) {
            return value ? parse_unexpected(parse) : NULL;
        }
        struct sql_node *named = parse_node(parse, SQL_CTE_VALUE, parse->at->text, from);
        named->flags = parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
        named->children[SINGLE_VALUE] = value;
        parse->at++;
        return parse_end(parse, named);
    }
    if (!parse_at_name(parse)) {
        return parse_unexpected(parse);
    }
    struct sql_node *node = parse_node(parse, SQL_CTE, parse->at->text, from);
    node->flags = parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
    parse->at++;
    if (parse_at_char(parse, '(') &&
        !(node->children[CTE_COLUMNS] = parse_names(parse))) {
        return NULL;
    }
    if (!parse_take(parse, KEYWORD_as)) {
        return parse_unexpected(parse);
    }
    if (parse_dialect(parse, "sdp")) {
        bool not = parse_take(parse, KEYWORD_not);
        if (parse_take(parse, KEYWORD_materialized)) {
            node->flags |= FLAG_MATERIALIZED | (not ? FLAG_NOT : 0);
        } else if (not ) {
            return parse_unexpected(parse);
        }
    }
    if (!parse_expect_char(parse, '(') ||
        !(node->children[CTE_BODY] = parse_query(parse)) ||
        !parse_expect_char(parse, ')')) {
        return NULL;
    }
    return parse_end(parse, node);
}

static struct sql_node *query(struct parse *parse)
{
    struct sql_node *node = parse_node(parse, SQL_QUERY, NULL, parse->at);
    if (parse_take(parse, KEYWORD_with)) {
        node->flags |= parse_take(parse, KEYWORD_recursive) ? FLAG_RECURSIVE : 0;
        node->children[QUERY_WITH] = parse_list(parse, cte);
        if (!node->children[QUERY_WITH]) {
            return NULL;
        }
    }
    node->children[QUERY_BODY] = terms(parse, term(parse), SET_UNION);
    if (!node->children[QUERY_BODY] || !tail(parse, node)) {
        return NULL;
    }
    return whole(parse, node);
}

struct sql_node *parse_query(struct parse *parse)
{
    if (!parse_enter(parse)) {
        return NULL;
    }
    struct sql_node *node = query(parse);
    parse->depth--;
    return node;
}

struct sql_node *parse_query_more(struct parse *parse, struct sql_node *first)
{
    struct sql_node *node = sql_node(parse->arena, SQL_QUERY, NULL);
    node->start = first->start;
    node->children[QUERY_BODY] = terms(parse, first, SET_UNION);
    if (!node->children[QUERY_BODY] || !tail(parse, node)) {
        return NULL;
    }
    return whole(parse, node);
}
