/* FROM: subqueries and joins, and the words that end an alias. */
#include "sql/tree/parse/parse_state.h"

#include <string.h>

/* Words that begin something when they stand where an alias could. */
static const struct soft_word {
    enum keyword keyword;
    const char *dialects;
    enum keyword next;  /* only before this word, or */
    const char *follow; /* only before this punctuation; both absent: always */
} soft_words[] = {
    {KEYWORD_window, "sdpmcbo", KEYWORD_NONE, NULL},
    {KEYWORD_qualify, "dcbo", KEYWORD_NONE, NULL},
    {KEYWORD_prewhere, "c", KEYWORD_NONE, NULL},
    {KEYWORD_final, "c", KEYWORD_NONE, NULL},
    {KEYWORD_sample, "c", KEYWORD_NONE, NULL},
    {KEYWORD_settings, "c", KEYWORD_NONE, NULL},
    {KEYWORD_format, "c", KEYWORD_NONE, NULL},
    {KEYWORD_lock, "m", KEYWORD_NONE, NULL},
    {KEYWORD_procedure, "m", KEYWORD_NONE, NULL},
    {KEYWORD_returning, "sdpm", KEYWORD_NONE, NULL},
    {KEYWORD_minus, "o", KEYWORD_NONE, NULL},
    {KEYWORD_tablesample, "dpbo", KEYWORD_NONE, NULL},
    {KEYWORD_pivot, "dbo", KEYWORD_NONE, NULL},
    {KEYWORD_unpivot, "dbo", KEYWORD_NONE, NULL},
    {KEYWORD_straight_join, "m", KEYWORD_NONE, NULL},
    {KEYWORD_indexed, "s", KEYWORD_by, NULL},
    {KEYWORD_use, "m", KEYWORD_NONE, NULL},
    {KEYWORD_force, "m", KEYWORD_NONE, NULL},
    {KEYWORD_ignore, "m", KEYWORD_NONE, NULL},
    {KEYWORD_partition, "m", KEYWORD_NONE, "("},
    {KEYWORD_array, "c", KEYWORD_join, NULL},
    {KEYWORD_exclude, "d", KEYWORD_NONE, NULL},
    {KEYWORD_isnull, "sdp", KEYWORD_NONE, NULL}, /* DuckDB reads * ISNULL as a test */
    {KEYWORD_notnull, "sdp", KEYWORD_NONE, NULL},
};

/* Words that may stand before JOIN; those without a kind of their own are kept as words.
 */
static const struct join_word {
    enum keyword keyword;
    const char *dialects;
} join_words[] = {
    {KEYWORD_natural, "sdpmcbo"}, {KEYWORD_inner, "sdpmcbo"}, {KEYWORD_left, "sdpmcbo"},
    {KEYWORD_right, "sdpmcbo"},   {KEYWORD_full, "sdpmcbo"},  {KEYWORD_outer, "sdpmcbo"},
    {KEYWORD_cross, "sdpmcbo"},   {KEYWORD_asof, "dc"},       {KEYWORD_semi, "dc"},
    {KEYWORD_anti, "dc"},         {KEYWORD_positional, "d"},  {KEYWORD_any, "c"},
    {KEYWORD_all, "c"},           {KEYWORD_global, "c"},      {KEYWORD_array, "c"},
    {KEYWORD_paste, "c"},
};

/* How many tokens make up the join at the current place; 0: no join. */
static size_t join_size(const struct parse *parse)
{
    if (parse_at(parse, KEYWORD_straight_join) && parse_dialect(parse, "m")) {
        return 1;
    }
    bool apply = parse_dialect(parse, "o") && token_is(parse->at + 1, "apply");
    if (apply && (parse_at(parse, KEYWORD_cross) || parse_at(parse, KEYWORD_outer))) {
        return 2; /* SQL Server's LATERAL */
    }
    for (size_t i = 0; i < 5; i++) {
        enum keyword keyword = parse->at[i].keyword;
        if (keyword == KEYWORD_join) {
            return i + 1;
        }
        bool found = false;
        for (size_t j = 0; j < sizeof join_words / sizeof *join_words && !found; j++) {
            found = keyword == join_words[j].keyword &&
                    parse_dialect(parse, join_words[j].dialects);
        }
        if (!found) {
            return 0; /* the end token is no join word, so this stays inside */
        }
    }
    return 0;
}

bool parse_at_alias(const struct parse *parse)
{
    if (!parse_at_name(parse) || parse->at->kind == TOKEN_NAME) {
        return parse->at->kind == TOKEN_NAME;
    }
    if (parse->at->keyword == KEYWORD_NONE) {
        return true;
    }
    for (size_t i = 0; i < sizeof soft_words / sizeof *soft_words; i++) {
        const struct soft_word *soft = &soft_words[i];
        if (parse_at(parse, soft->keyword) && parse_dialect(parse, soft->dialects) &&
            (soft->next == KEYWORD_NONE || parse_next_is(parse, soft->next)) &&
            (!soft->follow || parse_next_char(parse, soft->follow[0]))) {
            return false;
        }
    }
    return join_size(parse) == 0;
}

/* ------------------------------------------------------------------ relations */

/* (SELECT …) x, ((SELECT …) UNION (SELECT …)) x, (a JOIN b ON …) */
static struct sql_node *from_parentheses(struct parse *parse)
{
    const struct token *from = parse->at++;
    struct sql_node *inner = NULL;
    bool query = parse_at_query(parse);
    if (query) {
        inner = parse_query(parse);
    } else {
        inner = parse_from(parse);
        bool lone = inner && inner->count == 1 &&
                    inner->children[0]->kind == SQL_DERIVED &&
                    inner->children[0]->flags == 0 &&
                    !inner->children[0]->children[DERIVED_ALIAS] &&
                    !inner->children[0]->children[DERIVED_SAMPLE];
        if (lone && (parse_at_query_more(parse) || parse_at_char(parse, ')'))) {
            query = true; /* ((SELECT …) UNION …), ((SELECT …)) */
            inner = parse_query_more(parse, inner->children[0]->children[DERIVED_SOURCE]);
        }
    }
    if (!inner || !parse_expect_char(parse, ')')) {
        return NULL;
    }
    struct sql_node *node =
        parse_node(parse, query ? SQL_DERIVED : SQL_JOIN_GROUP, NULL, from);
    node->children[DERIVED_SOURCE] = inner;
    if (!parse_relation_alias(parse, &node->children[DERIVED_ALIAS], false) ||
        !parse_sample(parse, &node->children[DERIVED_SAMPLE], &node->flags)) {
        return NULL;
    }
    bool plain = !query && !node->children[DERIVED_ALIAS] && inner->count == 1 &&
                 inner->children[0]->kind != SQL_JOIN &&
                 inner->children[0]->kind != SQL_ARRAY_JOIN &&
                 !node->children[DERIVED_SAMPLE] && node->flags == 0;
    return plain ? inner->children[0] : parse_end(parse, node); /* (t) is t */
}

static struct sql_node *from_item(struct parse *parse)
{
    const struct token *from = parse->at;
    unsigned flags = 0;
    struct sql_node *node;
    if (parse_dialect(parse, "dpmo") && parse_take(parse, KEYWORD_lateral)) {
        flags |= FLAG_LATERAL;
    }
    if (parse_dialect(parse, "dp") && parse_take(parse, KEYWORD_only)) {
        flags |= FLAG_ONLY;
    }
    if (parse_at_char(parse, '(')) {
        if (!parse_enter(parse)) {
            return NULL;
        }
        node = from_parentheses(parse);
        parse->depth--;
    } else if (parse->at->kind == TOKEN_STRING) {
        return parse_fail(parse, parse->at,
                          "A text cannot be a table: reading files is not allowed.");
    } else if (parse_at(parse, KEYWORD_values) && parse_dialect(parse, "d")) {
        node = parse_node(parse, SQL_DERIVED, NULL, from);
        node->children[DERIVED_SOURCE] = parse_query(parse);
        if (!node->children[DERIVED_SOURCE] ||
            !parse_relation_alias(parse, &node->children[DERIVED_ALIAS], false)) {
            return NULL;
        }
    } else {
        node = parse_table(parse, false);
    }
    if (node && (flags & FLAG_ONLY) && node->kind != SQL_TABLE) {
        return parse_fail(parse, from, "ONLY needs a table.");
    }
    if (node) {
        node->flags |= flags;
    }
    return node ? parse_pivots(parse, node) : NULL;
}

/* ------------------------------------------------------------------ joins */

/* The words before JOIN as kind, flags and what is left. */
static void read_join_words(struct parse *parse, struct sql_node *join, size_t size)
{
    const char *words = NULL;
    for (size_t i = 0; i < size; i++, parse->at++) {
        enum keyword keyword = parse->at->keyword;
        if (keyword == KEYWORD_left || keyword == KEYWORD_right ||
            keyword == KEYWORD_full) {
            join->variant = keyword == KEYWORD_left    ? JOIN_LEFT_OUTER
                            : keyword == KEYWORD_right ? JOIN_RIGHT_OUTER
                                                       : JOIN_FULL_OUTER;
        } else if (keyword == KEYWORD_cross) {
            join->variant = JOIN_CROSS;
        } else if (keyword == KEYWORD_natural) {
            join->flags |= FLAG_NATURAL;
        } else if (keyword == KEYWORD_global) {
            join->flags |= FLAG_GLOBAL;
        } else if (keyword != KEYWORD_inner && keyword != KEYWORD_join &&
                   !(keyword == KEYWORD_outer && !parse_next_is(parse, KEYWORD_NONE))) {
            const char *word = parse_upper(parse, parse->at->text);
            words = words ? arena_format(parse->arena, "%s %s", words, word) : word;
        }
    }
    join->text = words;
}

/* ON x or USING (a, b), when there is one. False after an error. */
static bool join_condition(struct parse *parse, struct sql_node *join)
{
    if (parse_take(parse, KEYWORD_on)) {
        join->children[JOIN_ON] = parse_expression(parse);
        return join->children[JOIN_ON] != NULL;
    }
    if (parse_at(parse, KEYWORD_using) && parse_next_char(parse, '(')) {
        parse->at++;
        join->children[JOIN_USING] = parse_names(parse);
        return join->children[JOIN_USING] != NULL;
    }
    return true;
}

static bool at_condition(const struct parse *parse)
{
    return parse_at(parse, KEYWORD_on) ||
           (parse_at(parse, KEYWORD_using) && parse_next_char(parse, '('));
}

static struct sql_node *array_join(struct parse *parse, struct sql_node *join,
                                   struct sql_node *left)
{
    join->kind = SQL_ARRAY_JOIN;
    join->count = PAIR_SLOTS;
    join->children[PAIR_LEFT] = left;
    struct sql_node *list = parse_node(parse, SQL_LIST, NULL, parse->at);
    do {
        struct sql_node *item = parse_node(parse, SQL_ITEM, NULL, parse->at);
        item->children[SINGLE_VALUE] = parse_expression(parse);
        if (!item->children[SINGLE_VALUE]) {
            return NULL;
        }
        if (parse_take(parse, KEYWORD_as)) {
            if (!parse_at_name(parse)) {
                return parse_unexpected(parse);
            }
            item->text = parse->at->text;
            item->flags = parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
            parse->at++;
        }
        sql_add(parse->arena, list, parse_end(parse, item));
    } while (parse_take_char(parse, ','));
    join->children[PAIR_RIGHT] = list;
    return parse_end(parse, join);
}

enum { JOINS_OPEN = 64 }; /* joins that wait for their condition */

/*
 * Joins from left to right. `a JOIN b JOIN c ON x ON y` nests: the first condition
 * belongs to the last join. A join that never gets a condition is one without.
 */
struct joining {
    struct sql_node *open[JOINS_OPEN]; /* with their left side filled */
    size_t count;
    struct sql_node *last; /* the relation on the right of the last open join */
};

static void join_close(struct parse *parse, struct joining *joining)
{
    struct sql_node *join = joining->open[--joining->count];
    join->children[JOIN_RIGHT] = joining->last;
    joining->last = parse_end(parse, join);
    if (joining->count) { /* on the right of another join it stands in parentheses */
        struct sql_node *group = sql_node(parse->arena, SQL_JOIN_GROUP, NULL);
        group->start = join->start;
        group->children[DERIVED_SOURCE] = sql_node(parse->arena, SQL_LIST, NULL);
        sql_add(parse->arena, group->children[DERIVED_SOURCE], join);
        joining->last = parse_end(parse, group);
    }
}

/* All open joins that stay without a condition, leftmost first. */
static void join_close_all(struct parse *parse, struct joining *joining)
{
    if (joining->count == 0) {
        return;
    }
    struct sql_node *tree = joining->open[0]->children[JOIN_LEFT];
    for (size_t i = 0; i < joining->count; i++) {
        struct sql_node *join = joining->open[i];
        struct sql_node *right = i + 1 < joining->count
                                     ? joining->open[i + 1]->children[JOIN_LEFT]
                                     : joining->last;
        join->children[JOIN_LEFT] = tree;
        join->children[JOIN_RIGHT] = right;
        tree = parse_end(parse, join);
    }
    joining->count = 0;
    joining->last = tree;
}

static bool join_conditions(struct parse *parse, struct joining *joining)
{
    while (at_condition(parse) && joining->count) {
        struct sql_node *join = joining->open[joining->count - 1];
        if (!join_condition(parse, join)) {
            return false;
        }
        if (at_condition(parse) && joining->count > 1) {
            join_close(parse, joining);
        } else {
            join_close_all(parse, joining);
        }
    }
    return true;
}

/* ARRAY JOIN, LEFT ARRAY JOIN, INNER ARRAY JOIN, and no other words with ARRAY */
static bool array_fits(const struct token *words, size_t size)
{
    bool array = false;
    for (size_t i = 0; i < size; i++) {
        array = array || words[i].keyword == KEYWORD_array;
    }
    bool side = size == 3 &&
                (words[0].keyword == KEYWORD_left || words[0].keyword == KEYWORD_inner);
    return !array || ((size == 2 || side) && words[size - 2].keyword == KEYWORD_array);
}

static struct sql_node *from_chain(struct parse *parse)
{
    struct joining joining = {.last = from_item(parse)};
    size_t length = 0;
    for (size_t size; joining.last && (size = join_size(parse)) > 0;) {
        struct sql_node *join = parse_node(parse, SQL_JOIN, NULL, parse->at);
        if (!parse_chain(parse, &length)) {
            return NULL;
        }
        bool array = size > 1 && parse->at[size - 2].keyword == KEYWORD_array;
        if (!array_fits(parse->at, size)) {
            return parse_unexpected(parse);
        }
        read_join_words(parse, join, size);
        if (array) {
            join_close_all(parse, &joining);
            joining.last = array_join(parse, join, joining.last);
            continue;
        }
        if (joining.count == JOINS_OPEN) {
            return parse_fail(parse, parse->at, "The query has too many joins.");
        }
        join->start = joining.last->start;
        join->children[JOIN_LEFT] = joining.last;
        joining.open[joining.count++] = join;
        joining.last = from_item(parse);
        if (!joining.last || !join_conditions(parse, &joining)) {
            return NULL;
        }
        if (parse_dialect(parse, "s")) {
            join_close_all(parse, &joining); /* joins never nest without parentheses */
        } else if (joining.count &&
                   (join->variant == JOIN_CROSS || sql_has(join, FLAG_NATURAL))) {
            join_close(parse, &joining); /* takes no condition */
        }
    }
    if (joining.last) {
        join_close_all(parse, &joining);
    }
    return joining.last;
}

struct sql_node *parse_from(struct parse *parse)
{
    return parse_list(parse, from_chain);
}
