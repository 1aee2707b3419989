/* Conditions and values in words. */
#include "sql/describe/describe_words.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/function.h"
#include "sql/tree/print/print.h"

static bool is_known(const struct describe_names *names, const char *alias)
{
    for (size_t i = 0; i < names->aliases.count; i++) {
        if (str_equal_nocase(names->aliases.items[i], alias)) {
            return true;
        }
    }
    return false;
}

/* The table behind an alias; the alias itself when the table is there twice. */
static const char *table_of(const struct describe_names *names, const char *alias)
{
    const char *table = alias;
    while (names->outer && !is_known(names, alias)) {
        names = names->outer;
    }
    for (size_t i = 0; i < names->aliases.count; i++) {
        if (str_equal_nocase(names->aliases.items[i], alias)) {
            table = names->tables.items[i];
        }
    }
    size_t seen = 0;
    for (size_t i = 0; i < names->tables.count; i++) {
        seen += str_equal_nocase(names->tables.items[i], table);
    }
    return seen > 1 ? alias : table;
}

static void add_table(struct describe_text *text, const char *alias)
{
    const struct describe_names *names = text->names;
    if (names->tables.count > 1 || (names->outer && !is_known(names, alias))) {
        (void)buf_format(text->out, "%s.", table_of(names, alias));
    }
}

/* o.total -> orders.total; total alone when there is only one table, and it is of that */
static void column(struct describe_text *text, const struct sql_node *node)
{
    if (node->count > 1) {
        add_table(text, node->children[0]->text);
    }
    for (size_t i = node->count > 1; i < node->count; i++) {
        (void)buf_format(text->out, "%s%s", i > 1 ? "." : "", node->children[i]->text);
    }
}

static void star_names(struct describe_text *text, const struct sql_node *option)
{
    for (size_t i = 0; i < option->count; i++) {
        const struct sql_node *one = option->children[i];
        const struct sql_node *old =
            option->kind == SQL_STAR_RENAME ? one->children[SINGLE_VALUE] : NULL;
        (void)buf_text(text->out, i ? ", " : "");
        if (old) {
            describe_node(text, old);
        } else {
            (void)buf_text(text->out, str_or_empty(one->text));
        }
    }
}

/* all columns except (a, b) */
static void star(struct describe_text *text, const struct sql_node *node)
{
    const struct sql_node *of = node->children[STAR_OF];
    const struct sql_node *options = node->children[STAR_OPTIONS];
    if (sql_is(of, SQL_COLUMN)) {
        add_table(text, of->children[0]->text);
    }
    (void)buf_text(text->out, "all columns");
    for (size_t i = 0; options && i < options->count; i++) {
        const struct sql_node *option = options->children[i];
        bool several = option->count > 1;
        (void)buf_format(text->out, " %s %s",
                         option->kind == SQL_STAR_EXCLUDE  ? "except"
                         : option->kind == SQL_STAR_RENAME ? "with other names for"
                                                           : "with other values for",
                         several ? "(" : "");
        star_names(text, option);
        (void)buf_text(text->out, several ? ")" : "");
    }
}

void describe_as_written(struct describe_text *text, const struct sql_node *node)
{
    if (node->end > node->start) {
        const char *from = text->names->statement->text + node->start;
        (void)buf_format(text->out, "%.*s", (int)(node->end - node->start), from);
    } else {
        (void)buf_text(text->out, str_or_empty(node->text));
    }
}

static void string(struct describe_text *text, const struct sql_node *node)
{
    (void)buf_format(text->out, sql_has(node, FLAG_RAW) ? "%s" : "'%s'", node->text);
}

/* Words that stand for a moment. */
static void constant(struct describe_text *text, const struct sql_node *node)
{
    if (str_equal(node->text, "CURRENT_DATE")) {
        (void)buf_text(text->out, "today");
    } else if (str_equal(node->text, "CURRENT_TIMESTAMP")) {
        (void)buf_text(text->out, "now");
    } else {
        describe_as_written(text, node);
    }
}

static void interval(struct describe_text *text, const struct sql_node *node)
{
    const struct sql_node *value = node->children[SINGLE_VALUE];
    if (value->kind == SQL_STRING || value->kind == SQL_NUMBER) {
        describe_as_written(text, node);
        return;
    }
    (void)buf_text(text->out, "INTERVAL ");
    describe_node(text, value);
    (void)buf_format(text->out, " %s", str_or_empty(node->text));
}

static void subquery(struct describe_text *text, const struct sql_node *node)
{
    (void)buf_char(text->out, '(');
    describe_noun(text->out, text->names, node->children[SINGLE_VALUE]);
    (void)buf_char(text->out, ')');
}

static void query(struct describe_text *text, const struct sql_node *node)
{
    describe_noun(text->out, text->names, node);
}

static void name(struct describe_text *text, const struct sql_node *node)
{
    (void)buf_text(text->out, node->text);
}

typedef void describe_function_of_kind(struct describe_text *text,
                                       const struct sql_node *node);

/* What is not here is written as SQL, with the words of the parts that have some. */
static describe_function_of_kind *const kinds[SQL_KIND_COUNT] = {
    [SQL_COLUMN] = column,
    [SQL_NAME] = name,
    [SQL_STRING] = string,
    [SQL_NUMBER] = describe_as_written,
    [SQL_BLOB] = describe_as_written,
    [SQL_TYPED_STRING] = describe_as_written,
    [SQL_CONSTANT] = constant,
    [SQL_INTERVAL] = interval,
    [SQL_BINARY] = describe_binary,
    [SQL_UNARY] = describe_unary,
    [SQL_IS] = describe_is,
    [SQL_IN] = describe_in,
    [SQL_BETWEEN] = describe_between,
    [SQL_LIKE] = describe_like,
    [SQL_EXISTS] = describe_exists,
    [SQL_SUBQUERY] = subquery,
    [SQL_QUERY] = query,
    [SQL_CASE] = describe_case,
    [SQL_CAST] = describe_cast,
    [SQL_EXTRACT] = describe_extract,
    [SQL_CALL] = describe_call,
};

static bool in_words(void *context, const struct sql_node *node)
{
    if (kinds[node->kind]) {
        kinds[node->kind](context, node);
    }
    return kinds[node->kind];
}

void describe_plain(struct describe_text *text, const struct sql_node *node)
{
    sql_print_with(text->out, text->names->statement->dialect, node, in_words, text);
}

void describe_node(struct describe_text *text, const struct sql_node *node)
{
    if (!in_words(text, node)) {
        describe_plain(text, node);
    }
}

void describe_condition(struct buf *out, const struct describe_names *names,
                        const struct sql_node *node)
{
    struct describe_text text = {.out = out, .names = names, .condition = true};
    describe_node(&text, node);
}

void describe_value(struct buf *out, const struct describe_names *names,
                    const struct sql_node *node)
{
    struct describe_text text = {.out = out, .names = names};
    if (node->kind == SQL_STAR) {
        star(&text, node);
    } else {
        describe_node(&text, node);
    }
}

struct aggregates {
    enum dialect dialect;
    bool found;
    bool other; /* a window, or another query */
};

static void find_aggregates(struct aggregates *out, const struct sql_node *node)
{
    bool call = node->kind == SQL_CALL;
    out->other =
        out->other || node->kind == SQL_QUERY || (call && node->children[CALL_OVER]);
    out->found = out->found ||
                 (call && function_has(function_find(out->dialect, node->text), 'a'));
    for (size_t i = 0; i < node->count && !out->other; i++) {
        if (node->children[i]) {
            find_aggregates(out, node->children[i]);
        }
    }
}

bool describe_is_aggregate(const struct describe_names *names,
                           const struct sql_node *node)
{
    struct aggregates aggregates = {.dialect = names->statement->dialect};
    find_aggregates(&aggregates, node);
    return aggregates.found && !aggregates.other;
}
