/* A whole query in words: clauses, set operations, queries in queries. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe/describe_sentence.h"

static const char *comma(const struct sentence *sentence)
{
    return sentence->noun ? "" : ",";
}

/* The condition under which a table that is there twice is joined with itself. */
static void add_self_join(struct sentence *sentence)
{
    const struct texts *tables = &sentence->names.tables;
    const struct sql_node *from = sentence->select->children[SELECT_FROM];
    const struct sql_node *join = from ? from->children[from->count - 1] : NULL;
    if (tables->count == 2 && str_equal_nocase(tables->items[0], tables->items[1]) &&
        sql_is(join, SQL_JOIN) && join->children[JOIN_ON]) {
        buf_format(sentence->out, " by %s",
                   sentence_piece(sentence, join->children[JOIN_ON], true));
    }
}

static void add_conditions(struct sentence *sentence)
{
    static const struct {
        size_t slot;
        const char *words;
    } conditions[] = {
        {SELECT_PREWHERE, " where "},
        {SELECT_WHERE, " where "},
        {SELECT_HAVING, " keeping only groups where "},
        {SELECT_QUALIFY, " keeping only rows where "},
    };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        const struct sql_node *node = sentence->select->children[conditions[i].slot];
        if (node) {
            buf_format(sentence->out, "%s%s%s", comma(sentence), conditions[i].words,
                       sentence_piece(sentence, node, true));
        }
    }
}

/* One part of ORDER BY: what it is called, and whether it is a figure. */
struct order {
    const char *words;
    bool figure;
};

static struct order read_order(struct sentence *sentence, const struct sql_node *value)
{
    const struct describe_names *names = &sentence->names;
    if (value->kind == SQL_COLLATE) {
        value = value->children[PAIR_LEFT];
    }
    const struct sql_node *item =
        sentence->select ? sentence_item(sentence, value) : NULL;
    value = item ? item->children[SINGLE_VALUE] : value;
    struct order order = {.figure = describe_is_aggregate(names, value)};
    order.words =
        item && item->text ? item->text : sentence_piece(sentence, value, false);
    for (size_t i = 0; i < names->select_aliases.count; i++) {
        if (str_equal_nocase(names->select_aliases.items[i], order.words)) {
            order.figure = order.figure || names->numbers.items[i][0];
            order.words = names->select_words.items[i];
        }
    }
    return order;
}

/* How many figures the query gives: with several it must be said which is sorted by. */
static size_t figures_of(const struct sentence *sentence)
{
    const struct sql_node *items =
        sentence->select ? sentence->select->children[SELECT_ITEMS] : NULL;
    size_t count = 0;
    for (size_t i = 0; items && i < items->count; i++) {
        count += describe_is_aggregate(&sentence->names, items->children[i]);
    }
    return count;
}

static void add_order(struct sentence *sentence, const struct sql_node *list)
{
    for (size_t i = 0; list && i < list->count && i < DESCRIBE_GROUPS_MOST; i++) {
        const struct sql_node *item = list->children[i];
        bool down = sql_has(item, FLAG_DESC);
        if (!item->children[ORDER_VALUE]) { /* ORDER BY ALL */
            buf_format(sentence->out, "%s sorted by all columns%s", comma(sentence),
                       down ? " from high to low" : "");
            continue;
        }
        struct order order = read_order(sentence, item->children[ORDER_VALUE]);
        if (order.figure && i == 0 && figures_of(sentence) <= 1) {
            buf_format(sentence->out, "%s %s", comma(sentence),
                       down ? "largest first" : "smallest first");
        } else {
            buf_format(sentence->out, "%s %s %s%s", i ? "," : comma(sentence),
                       i ? "then by" : "sorted by", order.words,
                       down ? " from high to low" : "");
        }
    }
}

static const char *number_of(const struct sql_node *node)
{
    return sql_is(node, SQL_NUMBER) ? node->text : NULL;
}

static void add_limit(struct sentence *sentence, const struct sql_node *query)
{
    const struct sql_node *body = query->children[QUERY_BODY];
    const struct sql_node *top =
        body->kind == SQL_SELECT ? body->children[SELECT_TOP] : NULL;
    const char *most = number_of(top ? top : query->children[QUERY_LIMIT]);
    const char *after = number_of(query->children[QUERY_OFFSET]);
    if (most) {
        buf_format(sentence->out, "%s at most %s%s", comma(sentence), most,
                   sql_has(query, FLAG_PERCENT) ? "% of them" : "");
    }
    if (after && !str_equal(after, "0")) {
        buf_format(sentence->out, "%s after the first %s", most ? "" : comma(sentence),
                   after);
    }
}

static void add_limit_by(struct sentence *sentence, const struct sql_node *by)
{
    const char *most = by ? number_of(by->children[LIMIT_BY_COUNT]) : NULL;
    if (most) {
        buf_format(sentence->out, "%s at most %s for each %s", comma(sentence), most,
                   sentence_piece(sentence, by->children[LIMIT_BY_VALUES], false));
    }
}

/* SELECT, VALUES, a set operation or a query in parentheses. */
static void add_body(struct sentence *sentence, const struct sql_node *body);

static void add_one_select(struct sentence *sentence, const struct sql_node *select)
{
    sentence->select = select;
    sentence_tables(sentence);
    sentence_add_select(sentence);
    add_self_join(sentence);
    sentence_add_groups(sentence);
    add_conditions(sentence);
}

static void add_set_operation(struct sentence *sentence, const struct sql_node *node)
{
    add_body(sentence, node->children[PAIR_LEFT]);
    buf_text(sentence->out, str_equal(node->text, "UNION") ? ", together with ("
                            : str_equal(node->text, "INTERSECT")
                                ? ", only those also in ("
                                : ", without (");
    describe_noun(sentence->out, &sentence->names, node->children[PAIR_RIGHT]);
    buf_char(sentence->out, ')');
}

static void add_body(struct sentence *sentence, const struct sql_node *body)
{
    switch (body->kind) {
    case SQL_SELECT:
        add_one_select(sentence, body);
        break;
    case SQL_SET_OPERATION:
        add_set_operation(sentence, body);
        break;
    case SQL_QUERY:
        sentence_add_query(sentence, body);
        break;
    default:
        buf_text(sentence->out, sentence->noun ? "fixed values" : "Shows fixed values");
        break;
    }
}

/* WITH a AS (…), b AS (…): each as a noun, before the query that uses it. */
static void add_with(struct sentence *sentence, const struct sql_node *with)
{
    const char *gap = "First works out ";
    for (size_t i = 0; i < with->count; i++) {
        const struct sql_node *cte = with->children[i];
        if (cte->kind == SQL_CTE) {
            buf_format(sentence->out, "%s%s (", gap, cte->text);
            describe_noun(sentence->out, &sentence->names, cte->children[CTE_BODY]);
            buf_char(sentence->out, ')');
            gap = " and ";
        }
    }
    buf_text(sentence->out, str_equal(gap, " and ") ? ". " : "");
}

void sentence_add_query(struct sentence *sentence, const struct sql_node *query)
{
    if (query->kind != SQL_QUERY) {
        add_body(sentence, query);
        return;
    }
    if (query->children[QUERY_WITH] && !sentence->noun) {
        add_with(sentence, query->children[QUERY_WITH]);
    }
    add_body(sentence, query->children[QUERY_BODY]);
    add_order(sentence, query->children[QUERY_ORDER]);
    add_limit_by(sentence, query->children[QUERY_LIMIT_BY]);
    add_limit(sentence, query);
}

static void add_noun(struct buf *out, const struct describe_names *outer,
                     const struct sql_node *query, bool rows)
{
    if (outer->depth >= DESCRIBE_DEPTH) {
        buf_text(out, "the results of another query");
        return;
    }
    struct sentence sentence = {.out = out, .noun = true, .rows = rows};
    sentence.names = (struct describe_names){.arena = outer->arena,
                                             .statement = outer->statement,
                                             .depth = outer->depth + 1,
                                             .outer = outer};
    sentence_add_query(&sentence, query);
}

void describe_noun(struct buf *out, const struct describe_names *outer,
                   const struct sql_node *query)
{
    add_noun(out, outer, query, false);
}

/* The first SELECT of a query. */
static const struct sql_node *first_select(const struct sql_node *node)
{
    while (node->kind == SQL_QUERY || node->kind == SQL_SET_OPERATION) {
        node = node->children[node->kind == SQL_QUERY ? QUERY_BODY : PAIR_LEFT];
    }
    return node;
}

void describe_rows(struct buf *out, const struct describe_names *outer,
                   const struct sql_node *query)
{
    const struct sql_node *select = first_select(query);
    add_noun(out, outer, query,
             select->kind == SQL_SELECT && select->children[SELECT_FROM]);
}
