/* Function calls: arguments, what may follow them, and windows. */
#include "sql/tree/parse/parse_state.h"

#include <string.h>
#include <strings.h>

#include "sql/function.h"

/* ------------------------------------------------------------------ windows */

/* UNBOUNDED PRECEDING, CURRENT ROW, 3 FOLLOWING */
static struct sql_node *frame_bound(struct parse *parse)
{
    struct sql_node *bound = parse_node(parse, SQL_FRAME_BOUND, NULL, parse->at);
    if (parse_at(parse, KEYWORD_current) && parse_next_is(parse, KEYWORD_row)) {
        parse->at += 2;
        bound->text = "CURRENT ROW";
        return parse_end(parse, bound);
    }
    bool unbounded = parse_take_text(parse, "unbounded");
    if (!unbounded && !(bound->children[SINGLE_VALUE] = parse_expression(parse))) {
        return NULL;
    }
    const struct sql_node *value = bound->children[SINGLE_VALUE];
    if (sql_is(value, SQL_COLUMN) && value->count == 1 &&
        strcasecmp(value->children[0]->text, "unbounded") == 0) {
        return parse_unexpected(parse); /* a column, in parentheses */
    }
    bool preceding = parse_take_text(parse, "preceding");
    if (!preceding && !parse_take_text(parse, "following")) {
        return parse_unexpected(parse);
    }
    bound->text = unbounded ? (preceding ? "UNBOUNDED PRECEDING" : "UNBOUNDED FOLLOWING")
                            : (preceding ? "PRECEDING" : "FOLLOWING");
    return parse_end(parse, bound);
}

/* EXCLUDE CURRENT ROW, GROUP, TIES or NO OTHERS: 1 to 4; 0 after an error */
static int frame_exclude(struct parse *parse)
{
    static const char *const words[][2] = {
        {"current", "row"}, {"group", NULL}, {"ties", NULL}, {"no", "others"}};
    for (int i = 0; i < 4; i++) {
        if (parse_take_text(parse, words[i][0])) {
            if (words[i][1] && !parse_take_text(parse, words[i][1])) {
                break;
            }
            return i + 1;
        }
    }
    parse_unexpected(parse);
    return 0;
}

/* ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES */
static struct sql_node *frame(struct parse *parse)
{
    struct sql_node *node =
        parse_node(parse, SQL_FRAME, parse_upper(parse, parse->at->text), parse->at);
    parse->at++;
    bool both = parse_take(parse, KEYWORD_between);
    node->children[FRAME_START] = frame_bound(parse);
    if (!node->children[FRAME_START]) {
        return NULL;
    }
    if (both) {
        if (!parse_take(parse, KEYWORD_and)) {
            return parse_unexpected(parse);
        }
        if (!(node->children[FRAME_END] = frame_bound(parse))) {
            return NULL;
        }
    }
    if (parse_take(parse, KEYWORD_exclude) && !(node->variant = frame_exclude(parse))) {
        return NULL;
    }
    return parse_end(parse, node);
}

static bool at_frame(const struct parse *parse)
{
    return parse_at(parse, KEYWORD_rows) || parse_at(parse, KEYWORD_range) ||
           parse_at(parse, KEYWORD_groups);
}

struct sql_node *parse_window(struct parse *parse)
{
    struct sql_node *window = parse_node(parse, SQL_WINDOW, NULL, parse->at);
    if (!parse_expect_char(parse, '(')) {
        return NULL;
    }
    if (parse_at_name(parse) && !parse_at(parse, KEYWORD_partition) && !at_frame(parse)) {
        window->children[WINDOW_BASE] = parse_name(parse);
    }
    if (parse_take(parse, KEYWORD_partition)) {
        if (!parse_take(parse, KEYWORD_by)) {
            return parse_unexpected(parse);
        }
        if (!(window->children[WINDOW_PARTITION] = parse_expressions(parse))) {
            return NULL;
        }
    }
    if (parse_take(parse, KEYWORD_order) &&
        !(window->children[WINDOW_ORDER] = parse_order_by(parse))) {
        return NULL;
    }
    if (at_frame(parse) && !(window->children[WINDOW_FRAME] = frame(parse))) {
        return NULL;
    }
    return parse_expect_char(parse, ')') ? parse_end(parse, window) : NULL;
}

/* ------------------------------------------------------------------ arguments */

/* An expression, name := expression, x AS name, a star, or a query. */
static struct sql_node *argument(struct parse *parse)
{
    const struct token *from = parse->at;
    if (parse_at_query(parse)) {
        struct sql_node *node = parse_node(parse, SQL_SUBQUERY, NULL, from);
        node->children[SINGLE_VALUE] = parse_query(parse);
        return node->children[SINGLE_VALUE] ? parse_end(parse, node) : NULL;
    }
    if (parse_at_char(parse, '*')) {
        return parse_star(parse, NULL);
    }
    struct sql_node *named = NULL;
    if (parse_at_name(parse) && parse_dialect(parse, "dpb") &&
        (token_is_punct(parse->at + 1, ":=") || token_is_punct(parse->at + 1, "=>"))) {
        named = parse_node(parse, SQL_ARGUMENT, parse->at->text, from);
        named->flags = parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
        parse->at += 2;
    }
    struct sql_node *value = parse_expression(parse);
    if (!value) {
        return NULL;
    }
    if (named) {
        named->children[SINGLE_VALUE] = value;
        return parse_end(parse, named);
    }
    if (parse_at(parse, KEYWORD_as) && parse_dialect(parse, "bc")) {
        parse->at++;
        if (!parse_at_name(parse)) {
            return parse_unexpected(parse);
        }
        struct sql_node *item = parse_node(parse, SQL_ITEM, parse->at->text, from);
        item->flags = parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
        item->children[SINGLE_VALUE] = value;
        parse->at++;
        return parse_end(parse, item);
    }
    return value;
}

/* A value behind a word of the call: FROM 1, FOR 2, PLACING x, IN y */
static bool keyword_argument(struct parse *parse, struct sql_node *list)
{
    struct sql_node *node =
        parse_node(parse, SQL_ARGUMENT, parse_upper(parse, parse->at->text), parse->at);
    node->flags = FLAG_KEYWORD;
    parse->at++;
    node->children[SINGLE_VALUE] = parse_expression(parse);
    sql_add(parse->arena, list, node);
    return node->children[SINGLE_VALUE] != NULL;
}

static bool at_keyword_argument(const struct parse *parse)
{
    return parse_at(parse, KEYWORD_from) || parse_at(parse, KEYWORD_for) ||
           parse_at(parse, KEYWORD_placing) ||
           (parse_at(parse, KEYWORD_in) && parse->no_in);
}

static bool is_side(const char *word)
{
    return strcasecmp(word, "leading") == 0 || strcasecmp(word, "trailing") == 0 ||
           strcasecmp(word, "both") == 0;
}

/* The name that the value begins with when it is printed; "": none. */
static const char *first_word(const struct sql_node *value)
{
    static const bool begins_with_child[SQL_KIND_COUNT] = {
        [SQL_BINARY] = true,    [SQL_TERNARY] = true, [SQL_IS] = true,
        [SQL_IN] = true,        [SQL_LIKE] = true,    [SQL_BETWEEN] = true,
        [SQL_COLLATE] = true,   [SQL_FIELD] = true,   [SQL_AT_TIME_ZONE] = true,
        [SQL_SUBSCRIPT] = true, [SQL_SLICE] = true,   [SQL_COLUMN] = true,
    };
    while (value && value->count && begins_with_child[value->kind]) {
        value = value->children[0];
    }
    return sql_is(value, SQL_NAME) || sql_is(value, SQL_CALL) ? value->text : "";
}

/* SUBSTRING(x FROM 1 FOR 2), TRIM(BOTH 'x' FROM y), POSITION(x IN y), OVERLAY(…) */
static bool keyword_arguments(struct parse *parse, struct sql_node *list)
{
    if (parse_at_text(parse, "leading") || parse_at_text(parse, "trailing") ||
        parse_at_text(parse, "both")) {
        struct sql_node *side = parse_node(
            parse, SQL_ARGUMENT, parse_upper(parse, parse->at->text), parse->at);
        side->flags = FLAG_KEYWORD;
        parse->at++;
        if (!at_keyword_argument(parse) &&
            !(side->children[SINGLE_VALUE] = parse_expression(parse))) {
            return false;
        }
        sql_add(parse->arena, list, parse_end(parse, side));
    } else if (!at_keyword_argument(parse)) {
        struct sql_node *first = argument(parse);
        if (!first) {
            return false;
        }
        bool in = first->kind == SQL_IN && parse->no_in;
        if (is_side(first_word(first)) || in) {
            return parse_unexpected(parse); /* in parentheses it is no word of the call */
        }
        sql_add(parse->arena, list, first);
    }
    while (at_keyword_argument(parse)) {
        if (!keyword_argument(parse, list)) {
            return false;
        }
    }
    return true;
}

/* ORDER BY, SEPARATOR, LIMIT, IGNORE NULLS, HAVING MAX x: what may end the arguments */
static bool argument_suffix(struct parse *parse, struct sql_node *call)
{
    if (parse_at(parse, KEYWORD_ignore) || parse_at(parse, KEYWORD_respect)) {
        call->flags |=
            parse_at(parse, KEYWORD_ignore) ? FLAG_IGNORE_NULLS : FLAG_RESPECT_NULLS;
        parse->at++;
        if (!parse_take(parse, KEYWORD_nulls)) {
            return parse_unexpected(parse);
        }
    }
    if (parse_dialect(parse, "b") && parse_take(parse, KEYWORD_having)) {
        struct sql_node *having = parse_node(
            parse, SQL_ARGUMENT, parse_upper(parse, parse->at->text), parse->at);
        if (!parse_take_text(parse, "max") && !parse_take_text(parse, "min")) {
            return parse_unexpected(parse);
        }
        having->children[SINGLE_VALUE] = parse_expression(parse);
        call->children[CALL_HAVING] = having;
        if (!having->children[SINGLE_VALUE]) {
            return false;
        }
    }
    if (parse_take(parse, KEYWORD_order) &&
        !(call->children[CALL_ORDER] = parse_order_by(parse))) {
        return false;
    }
    if (parse_dialect(parse, "m") && parse_take(parse, KEYWORD_separator) &&
        !(call->children[CALL_SEPARATOR] = parse_string(parse))) {
        return false;
    }
    if (parse_take(parse, KEYWORD_limit) &&
        !(call->children[CALL_LIMIT] = parse_expression(parse))) {
        return false;
    }
    if (parse_dialect(parse, "m") && parse_take(parse, KEYWORD_returning) &&
        !(call->children[CALL_RETURNING] = parse_type(parse))) {
        return false;
    }
    return true;
}

/* The current token is behind the opening parenthesis. */
static struct sql_node *arguments(struct parse *parse, struct sql_node *call,
                                  const struct function *function, struct sql_node *first)
{
    struct sql_node *list = parse_node(parse, SQL_LIST, NULL, parse->at);
    sql_add(parse->arena, list, first);
    if (parse_take_char(parse, ')')) {
        return parse_end(parse, list);
    }
    bool words = function_has(function, 'k') && !first;
    if (words) {
        /* SQLite and ClickHouse read a table behind IN here, too */
        int no_in = parse_dialect(parse, "dpmbo");
        parse->no_in += no_in;
        bool ok = keyword_arguments(parse, list);
        parse->no_in -= no_in;
        if (!ok) {
            return NULL;
        }
    } else {
        if (!first && parse_take(parse, KEYWORD_distinct)) {
            call->flags |= FLAG_DISTINCT;
        } else if (!first && parse_at(parse, KEYWORD_all) &&
                   !parse_next_char(parse, '(')) {
            parse->at++;
        }
        struct sql_node *one = argument(parse);
        if (!one) {
            return NULL;
        }
        sql_add(parse->arena, list, one);
    }
    while (parse_take_char(parse, ',')) {
        struct sql_node *one = argument(parse);
        if (!one) {
            return NULL;
        }
        sql_add(parse->arena, list, one);
    }
    parse_end(parse, list);
    return argument_suffix(parse, call) && parse_expect_char(parse, ')') ? list : NULL;
}

/* ------------------------------------------------------------------ behind the arguments
 */

static bool within_group(struct parse *parse, struct sql_node *call)
{
    parse->at += 2;
    if (!parse_expect_char(parse, '(')) {
        return false;
    }
    if (!parse_take(parse, KEYWORD_order)) {
        return parse_unexpected(parse);
    }
    call->children[CALL_WITHIN] = parse_order_by(parse);
    return call->children[CALL_WITHIN] && parse_expect_char(parse, ')');
}

static bool filter(struct parse *parse, struct sql_node *call)
{
    parse->at += 2;
    if (!parse_take(parse, KEYWORD_where) && !parse_dialect(parse, "d")) {
        return parse_unexpected(parse);
    }
    call->children[CALL_FILTER] = parse_expression(parse);
    return call->children[CALL_FILTER] && parse_expect_char(parse, ')');
}

/* WITHIN GROUP (ORDER BY x), FILTER (WHERE x), IGNORE NULLS, OVER w, OVER (…) */
static bool call_suffix(struct parse *parse, struct sql_node *call)
{
    if (parse_at(parse, KEYWORD_within) && parse_next_is(parse, KEYWORD_group) &&
        !within_group(parse, call)) {
        return false;
    }
    if (parse_at(parse, KEYWORD_filter) && parse_next_char(parse, '(') &&
        !filter(parse, call)) {
        return false;
    }
    /* where the words belong inside of the parentheses these are the outer call's */
    bool here = !parse_dialect(parse, "bd") ||
                (call->children[CALL_ARGUMENTS]->count && parse->at->kind != TOKEN_END &&
                 parse->at[1].kind != TOKEN_END && parse->at[2].keyword == KEYWORD_over);
    if ((parse_at(parse, KEYWORD_ignore) || parse_at(parse, KEYWORD_respect)) &&
        parse_next_is(parse, KEYWORD_nulls) && here) {
        call->flags |=
            parse_at(parse, KEYWORD_ignore) ? FLAG_IGNORE_NULLS : FLAG_RESPECT_NULLS;
        parse->at += 2;
    }
    if (parse_at(parse, KEYWORD_over) &&
        (parse_next_char(parse, '(') || parse->at[1].kind == TOKEN_WORD ||
         parse->at[1].kind == TOKEN_NAME)) {
        parse->at++;
        call->children[CALL_OVER] = parse_at_char(parse, '(') ? parse_window(parse)
                                    : parse_at_name(parse)    ? parse_name(parse)
                                                              : parse_unexpected(parse);
        return call->children[CALL_OVER] != NULL;
    }
    return true;
}

/* MySQL: MATCH (a, b) AGAINST ('words' IN BOOLEAN MODE) */
static struct sql_node *against(struct parse *parse, struct sql_node *call)
{
    static const char *const modes[][5] = {
        {"in", "natural", "language", "mode", "with"},
        {"in", "boolean", "mode"},
        {"with", "query", "expansion"},
    };
    struct sql_node *node = parse_node(parse, SQL_MATCH_AGAINST, NULL, parse->at);
    node->start = call->start;
    bool plain = (call->flags & ~(unsigned)FLAG_QUOTED) == 0;
    for (size_t i = 0; i < CALL_SLOTS; i++) {
        plain = plain && (i == CALL_ARGUMENTS || !call->children[i]);
    }
    if (!plain || !parse_take_text(parse, "against")) {
        return parse_unexpected(parse);
    }
    if (!parse_expect_char(parse, '(') ||
        !(node->children[PAIR_RIGHT] = parse_string(parse))) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (!parse_at_text(parse, modes[i][0]) || !token_is(parse->at + 1, modes[i][1])) {
            continue;
        }
        for (size_t j = 0; j < 5 && modes[i][j] && (j < 4); j++) {
            if (!parse_take_text(parse, modes[i][j])) {
                return parse_unexpected(parse);
            }
        }
        node->variant |= 1 << i;
    }
    node->children[PAIR_LEFT] = call->children[CALL_ARGUMENTS];
    return parse_expect_char(parse, ')') ? parse_end(parse, node) : NULL;
}

/* x -> x + 1 in an argument of a function that takes lambdas */
static void name_lambdas(struct parse *parse, struct sql_node *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct sql_node *node = list->children[i];
        if (node->kind != SQL_BINARY || strcmp(node->text, "->") != 0) {
            continue;
        }
        struct sql_node *left = node->children[PAIR_LEFT];
        struct sql_node *names = sql_node(parse->arena, SQL_LIST, NULL);
        bool plain = left->kind == SQL_COLUMN || left->kind == SQL_TUPLE;
        size_t count = left->kind == SQL_TUPLE ? left->count : 1;
        for (size_t j = 0; j < count && plain; j++) {
            const struct sql_node *name =
                left->kind == SQL_TUPLE ? left->children[j] : left;
            plain = name->kind == SQL_COLUMN && name->count == 1;
            sql_add(parse->arena, names, plain ? name->children[0] : NULL);
        }
        if (plain) {
            node->kind = SQL_LAMBDA;
            node->text = NULL;
            node->children[PAIR_LEFT] = names;
        }
    }
}

struct sql_node *parse_call(struct parse *parse, const struct token *name,
                            struct sql_node *first)
{
    const struct function *function = function_find(parse->dialect, name->text);
    struct sql_node *call = parse_node(parse, SQL_CALL, name->text, name);
    call->flags = name->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
    call->start = first ? first->start : call->start;
    parse->at++;
    int no_in = parse->no_in;
    parse->no_in = 0;
    call->children[CALL_ARGUMENTS] = arguments(parse, call, function, first);
    if (call->children[CALL_ARGUMENTS] && parse_dialect(parse, "c") &&
        parse_at_char(parse, '(')) { /* quantile(0.9)(x) */
        if (sql_has(call, ~(unsigned)FLAG_QUOTED) || call->children[CALL_ORDER] ||
            call->children[CALL_LIMIT]) {
            return parse_unexpected(parse);
        }
        parse->at++;
        call->children[CALL_PARAMETERS] = call->children[CALL_ARGUMENTS];
        call->children[CALL_ARGUMENTS] = arguments(parse, call, function, NULL);
    }
    parse->no_in = no_in;
    if (!call->children[CALL_ARGUMENTS]) {
        return NULL;
    }
    if (parse_dialect(parse, "dc")) {
        name_lambdas(parse, call->children[CALL_ARGUMENTS]);
    }
    if (parse_dialect(parse, "m") && token_is(name, "match")) {
        return against(parse, call);
    }
    return call_suffix(parse, call) ? parse_end(parse, call) : NULL;
}
