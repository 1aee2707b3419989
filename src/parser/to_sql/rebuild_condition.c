/* Conditions: comparisons, lists, patterns, periods, AND and OR with brackets. */
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/to_sql/rebuild_state.h"

static void write_side(struct rebuilding *rebuilding, const struct ir_node *node,
                       enum ir_type beside)
{
    if (ir_node_is_value(node)) {
        rebuild_value(rebuilding, node, beside);
    } else {
        rebuild_expression(rebuilding, node);
    }
}

static void write_comparison(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct ir_node *a = node->args.items[0];
    const struct ir_node *b = node->args.items[1];
    enum ir_type left = rebuild_type(rebuilding, a);
    enum ir_type right = rebuild_type(rebuilding, b);
    write_side(rebuilding, a, right);
    buf_format(&rebuilding->out, " %s ", ir_keyword_text((int)node->keyword));
    write_side(rebuilding, b, left);
}

static void write_between(struct rebuilding *rebuilding, const struct ir_node *node)
{
    enum ir_type type = rebuild_type(rebuilding, node->args.items[0]);
    rebuild_expression(rebuilding, node->args.items[0]);
    buf_text(&rebuilding->out, " BETWEEN ");
    write_side(rebuilding, node->args.items[1], type);
    buf_text(&rebuilding->out, " AND ");
    write_side(rebuilding, node->args.items[2], type);
}

/* One NULL among the values would make NOT IN say no to every row. */
static struct ir_query *without_nulls(struct rebuilding *rebuilding,
                                      struct ir_query *query)
{
    struct ir_node *item = query->select.count ? query->select.items[0] : NULL;
    if (!item || !ir_node_is_column(item) || item->outer || query->set_query ||
        query->limit || query->group.count) {
        return query;
    }
    const struct ir_column *column = &rebuilding->schema->columns[item->token.index];
    bool never = !column->source || !column->source->nullable || column->primary ||
                 (column->source->null_share >= 0 && column->source->null_share <= 0);
    bool tested = ir_node_is(query->where, IR_NOT_NULL) &&
                  ir_node_same(query->where->args.items[0], item);
    if (never || tested) {
        return query;
    }
    struct ir_query *copy = ARENA_NEW(rebuilding->arena, struct ir_query);
    *copy = *query;
    struct ir_node *test = ir_node_call(rebuilding->arena, IR_NOT_NULL, item, NULL);
    copy->where =
        query->where ? ir_node_call(rebuilding->arena, IR_AND, query->where, test) : test;
    return copy;
}

static void write_in(struct rebuilding *rebuilding, const struct ir_node *node)
{
    bool negated = node->keyword == IR_NOT_IN;
    enum ir_type type = rebuild_type(rebuilding, node->args.items[0]);
    rebuild_expression(rebuilding, node->args.items[0]);
    buf_text(&rebuilding->out, negated ? " NOT IN " : " IN ");
    if (node->args.items[1]->kind == IR_NODE_QUERY) {
        struct ir_query *query = node->args.items[1]->query;
        rebuild_inner(rebuilding, negated ? without_nulls(rebuilding, query) : query);
        return;
    }
    buf_char(&rebuilding->out, '(');
    for (size_t i = 1; i < node->args.count; i++) {
        buf_text(&rebuilding->out, i > 1 ? ", " : "");
        rebuild_value(rebuilding, node->args.items[i], type);
    }
    buf_char(&rebuilding->out, ')');
}

/* How a pattern says that a sign means itself. Where ESCAPE is missing, a backslash does it. */
static char escape_of(enum dialect dialect)
{
    return dialect == DIALECT_BIGQUERY || dialect == DIALECT_CLICKHOUSE ? '\\' : '!';
}

/* Would a pattern read this text as something else? A backslash escapes in PostgreSQL and
 * MySQL, unless ESCAPE names another sign. */
static bool needs_escape(enum dialect dialect, const char *text)
{
    bool plain =
        dialect == DIALECT_SQLITE || dialect == DIALECT_DUCKDB || dialect == DIALECT_ODBC;
    return strpbrk(text, plain ? "%_" : "%_\\") != NULL;
}

static const char *escaped(struct arena *arena, const char *text, char escape)
{
    struct buf out;
    buf_init(&out, 2 * strlen(text) + 1);
    for (; *text; text++) {
        if (*text == '%' || *text == '_' || *text == escape) {
            (void)buf_char(&out, escape);
        }
        (void)buf_char(&out, *text);
    }
    const char *made = buf_clone(&out, arena);
    buf_release(&out);
    return made;
}

/* What is contained is meant as it stands: % and _ in it match nothing but themselves. */
static void write_pattern(struct rebuilding *rebuilding, const char *text, bool before,
                          bool after)
{
    enum dialect dialect = rebuilding->dialect;
    char escape = escape_of(dialect);
    bool escapes = (before || after) && needs_escape(dialect, text);
    bool lower = dialect == DIALECT_BIGQUERY || dialect == DIALECT_ODBC;
    rebuild_text(rebuilding, before ? "%" : "",
                 escapes ? escaped(rebuilding->arena, text, escape) : text,
                 after ? "%" : "");
    buf_text(&rebuilding->out, lower ? ")" : "");
    buf_text(&rebuilding->out, escapes && escape == '!' ? " ESCAPE '!'" : "");
}

/* Case is ignored everywhere, as SQLite and MySQL do. */
static void write_like(struct rebuilding *rebuilding, const struct ir_node *node)
{
    enum dialect dialect = rebuilding->dialect;
    bool before = node->keyword == IR_CONTAINS || node->keyword == IR_ENDS ||
                  node->keyword == IR_NOT_CONTAINS;
    bool after = node->keyword == IR_CONTAINS || node->keyword == IR_STARTS ||
                 node->keyword == IR_NOT_CONTAINS;
    bool lower = dialect == DIALECT_BIGQUERY || dialect == DIALECT_ODBC;
    bool ilike = dialect == DIALECT_POSTGRES || dialect == DIALECT_DUCKDB ||
                 dialect == DIALECT_CLICKHOUSE;
    bool cast = dialect != DIALECT_SQLITE && dialect != DIALECT_MYSQL &&
                rebuild_type(rebuilding, node->args.items[0]) != IR_TYPE_TEXT;
    const struct ir_value *value = rebuild_value_of(rebuilding, node->args.items[1]);
    struct buf *out = &rebuilding->out;
    buf_text(out, lower ? "LOWER(" : "");
    buf_text(out, cast ? "CAST(" : "");
    rebuild_expression(rebuilding, node->args.items[0]);
    buf_text(out, !cast                                    ? ""
                  : ilike && dialect != DIALECT_CLICKHOUSE ? " AS VARCHAR)"
                                                           : " AS STRING)");
    buf_text(out, lower ? ")" : "");
    buf_text(out, node->keyword == IR_NOT_CONTAINS ? " NOT" : "");
    buf_text(out, ilike ? " ILIKE " : lower ? " LIKE LOWER(" : " LIKE ");
    /* a part of a text is what was said, not the cell that it looks like */
    write_pattern(rebuilding, value->said ? value->said : value->text, before, after);
}

static const struct {
    enum ir_keyword keyword;
    bool from_start; /* compares with the first day, or with the day after the last */
    const char *word;
    const char *year_word; /* against a column that holds years as numbers */
} bounds[] = {
    {IR_SINCE, true, " >= ", " >= "}, {IR_BEFORE, true, " < ", " < "},
    {IR_AFTER, false, " >= ", " > "}, {IR_UNTIL, false, " < ", " <= "},
    {IR_DURING, true, " >= ", " = "},
};

static void write_bound(struct rebuilding *rebuilding, const struct ir_node *left,
                        const char *word, const struct calendar_day *day)
{
    rebuild_expression(rebuilding, left);
    buf_text(&rebuilding->out, word);
    rebuild_day(rebuilding, day, rebuild_column_of(rebuilding, left));
}

/* This month of any year: month_of(x) = 3. */
static void write_every_year(struct rebuilding *rebuilding, const struct ir_node *left,
                             const struct rebuild_span *span)
{
    struct ir_node part = {.kind = IR_NODE_CALL,
                           .keyword = span->month_of ? IR_MONTH_OF : IR_QUARTER_OF};
    struct ir_node copy = *left;
    struct ir_node *args[] = {&copy};
    part.args.items = args;
    part.args.count = 1;
    rebuild_expression(rebuilding, &part);
    buf_format(&rebuilding->out, " = %d",
               span->month_of ? span->month_of : span->quarter_of);
}

static void write_period(struct rebuilding *rebuilding, const struct ir_node *node)
{
    struct rebuild_span span = {0};
    const struct ir_node *left = node->args.items[0];
    bool both = node->keyword == IR_DURING;
    if (!(both ? rebuild_span_during : rebuild_span)(rebuilding, node->args.items[1],
                                                     &span)) {
        return;
    }
    size_t row = 0;
    while (bounds[row].keyword != node->keyword) {
        row++;
    }
    if (rebuild_type(rebuilding, left) == IR_TYPE_NUMBER) {
        if (span.year == 0) {
            rebuild_fail(rebuilding, "A number is compared with a date.");
        }
        rebuild_expression(rebuilding, left);
        buf_format(&rebuilding->out, "%s%d", bounds[row].year_word, span.year);
        return;
    }
    if (node->keyword == IR_DURING && (span.month_of || span.quarter_of)) {
        write_every_year(rebuilding, left, &span);
        return;
    }
    write_bound(rebuilding, left, bounds[row].word,
                bounds[row].from_start ? &span.from : &span.to);
    if (both) {
        buf_text(&rebuilding->out, " AND ");
        write_bound(rebuilding, left, " < ", &span.to);
    }
}

static void write_test(struct rebuilding *rebuilding, const struct ir_node *node)
{
    switch (node->keyword) {
    case IR_IN:
    case IR_NOT_IN:
        write_in(rebuilding, node);
        break;
    case IR_BETWEEN:
        write_between(rebuilding, node);
        break;
    case IR_IS_NULL:
    case IR_NOT_NULL:
        rebuild_expression(rebuilding, node->args.items[0]);
        buf_text(&rebuilding->out,
                 node->keyword == IR_IS_NULL ? " IS NULL" : " IS NOT NULL");
        break;
    case IR_CONTAINS:
    case IR_STARTS:
    case IR_ENDS:
    case IR_MATCHES:
    case IR_NOT_CONTAINS:
        write_like(rebuilding, node);
        break;
    case IR_EXISTS:
        buf_text(&rebuilding->out, "EXISTS ");
        rebuild_expression(rebuilding, node->args.items[0]);
        break;
    case IR_DURING:
    case IR_SINCE:
    case IR_BEFORE:
    case IR_AFTER:
    case IR_UNTIL:
        write_period(rebuilding, node);
        break;
    default:
        write_comparison(rebuilding, node);
    }
}

void rebuild_condition(struct rebuilding *rebuilding, const struct ir_node *node)
{
    if (rebuilding->failed) {
        return;
    }
    if (ir_node_is(node, IR_NOT)) {
        buf_text(&rebuilding->out, "NOT (");
        rebuild_condition(rebuilding, node->args.items[0]);
        buf_char(&rebuilding->out, ')');
        return;
    }
    if (!ir_node_is(node, IR_AND) && !ir_node_is(node, IR_OR)) {
        write_test(rebuilding, node);
        return;
    }
    bool and = node->keyword == IR_AND;
    for (size_t i = 0; i < node->args.count; i++) {
        const struct ir_node *part = node->args.items[i];
        bool brackets = and&&ir_node_is(part, IR_OR);
        buf_text(&rebuilding->out, i == 0 ? "" : and? " AND " : " OR ");
        buf_text(&rebuilding->out, brackets ? "(" : "");
        rebuild_condition(rebuilding, part);
        buf_text(&rebuilding->out, brackets ? ")" : "");
    }
}
