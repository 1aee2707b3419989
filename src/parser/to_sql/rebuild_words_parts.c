/* Expressions and conditions in words: one template per keyword. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/to_sql/rebuild_words_state.h"

const char *words_value(const struct wording *wording, const struct ir_node *node)
{
    const struct ir_value *value = NULL;
    if (node->token.kind == IR_FIXED) {
        value = ir_fixed_get(node->token.index);
    } else if (node->token.kind == IR_VALUE && wording->values &&
               (size_t)node->token.index < wording->values->count) {
        value = &wording->values->items[node->token.index];
    }
    return value ? value->text : "?";
}

/* $1, $2 … are the arguments, $b the first without "the", $+ all after it as a list. */
static const char *const templates[IR_KEYWORD_COUNT] = {
    [IR_COUNT] = "the number of $1",
    [IR_COUNT_DISTINCT] = "the number of different $b",
    [IR_SUM] = "the sum of $1",
    [IR_AVG] = "the average $b",
    [IR_MIN] = "the lowest $b",
    [IR_MAX] = "the highest $b",
    [IR_PLUS] = "$1 plus $2",
    [IR_MINUS] = "$1 minus $2",
    [IR_TIMES] = "$1 times $2",
    [IR_DIVIDE] = "$1 divided by $2",
    [IR_RATIO] = "$1 per $2",
    [IR_PERCENT] = "$1 as a percentage of $2",
    [IR_SHARE] = "$1 as a percentage of the total",
    [IR_ROUND] = "$1 rounded",
    [IR_ROUND0] = "$1 rounded",
    [IR_ABS] = "the size of $1",
    [IR_LENGTH] = "the length of $1",
    [IR_CONCAT] = "$1 and $2 together",
    [IR_OR_ZERO] = "$1 or 0",
    [IR_BUCKET] = "the range of $1 cut at $+",
    [IR_YEAR] = "the year of $1",
    [IR_QUARTER] = "the quarter of $1",
    [IR_MONTH] = "the month of $1",
    [IR_WEEK] = "the week of $1",
    [IR_DAY] = "the day of $1",
    [IR_QUARTER_OF] = "the quarter of the year of $1",
    [IR_MONTH_OF] = "the calendar month of $1",
    [IR_DAY_OF] = "the day of the month of $1",
    [IR_WEEKDAY_OF] = "the weekday of $1",
    [IR_HOUR_OF] = "the hour of $1",
    [IR_NOW] = "today",
    [IR_YEARS] = "the years from $2 to $1",
    [IR_MONTHS] = "the months from $2 to $1",
    [IR_DAYS] = "the days from $2 to $1",
    [IR_HOURS] = "the hours from $2 to $1",
    [IR_PREVIOUS] = "$1 in the period before",
    [IR_CHANGE] = "the change of $1 since the period before",
    [IR_GROWTH] = "the growth of $1 in percent since the period before",
    [IR_RUNNING] = "the running sum of $1",
    [IR_RANK] = "the rank by $1",
    [IR_MEDIAN] = "the median $b",
    [IR_PERCENTILE] = "percentile $2 of $1",
    [IR_DEVIATION] = "the standard deviation of $1",
    [IR_VARIANCE] = "the variance of $1",
    [IR_MOVING] = "the mean of $1 over the last $2 periods",
    [IR_CUMULATIVE] = "the cumulative percentage of $1, the greatest first",
    [IR_YEAR_AGO] = "$1 a year before",
    [IR_YEAR_CHANGE] = "the change of $1 since the year before",
    [IR_YEAR_GROWTH] = "the growth of $1 in percent since the year before",
    [IR_EARLIEST] = "the first $b for the same $2",
    [IR_LATEST] = "the last $b for the same $2",
    [IR_PRIOR] = "the $b before for the same $2",
    [IR_LEFT_OF] = "the first $2 letters of $1",
    [IR_RIGHT_OF] = "the last $2 letters of $1",
    [IR_BEFORE_SIGN] = "$1 up to $2",
    [IR_AFTER_SIGN] = "$1 after $2",
    [IR_EQUAL] = "$1 is $2",
    [IR_UNEQUAL] = "$1 is not $2",
    [IR_LESS] = "$1 is less than $2",
    [IR_GREATER] = "$1 is more than $2",
    [IR_AT_MOST] = "$1 is at most $2",
    [IR_AT_LEAST] = "$1 is at least $2",
    [IR_IN] = "$1 is one of $+",
    [IR_NOT_IN] = "$1 is none of $+",
    [IR_BETWEEN] = "$1 is between $2 and $3",
    [IR_IS_NULL] = "$1 is missing",
    [IR_NOT_NULL] = "$1 is known",
    [IR_CONTAINS] = "$1 contains $2",
    [IR_STARTS] = "$1 starts with $2",
    [IR_ENDS] = "$1 ends with $2",
    [IR_MATCHES] = "$1 is like $2",
    [IR_NOT_CONTAINS] = "$1 does not contain $2",
    [IR_EXISTS] = "there are $1",
    [IR_NOT] = "it is not true that $1",
    [IR_DURING] = "$1 is in $2",
    [IR_SINCE] = "$1 is in $2 or later",
    [IR_BEFORE] = "$1 is before $2",
    [IR_AFTER] = "$1 is after $2",
    [IR_UNTIL] = "$1 is in $2 or earlier",
    [IR_UNIT_DAY] = "day",
    [IR_UNIT_WEEK] = "week",
    [IR_UNIT_MONTH] = "month",
    [IR_UNIT_QUARTER] = "quarter",
    [IR_UNIT_YEAR] = "year",
};

static void put_if(struct wording *wording, const struct ir_node *node)
{
    const struct ir_node *then = node->args.items[1];
    if (ir_node_is_star(then)) {
        words_source(wording);
    } else {
        words_expression(wording, then);
    }
    buf_text(wording->out, " where ");
    words_condition(wording, node->args.items[0]);
    if (node->args.count > 2) {
        buf_text(wording->out, ", else ");
        words_expression(wording, node->args.items[2]);
    }
}

/* this month, the last 30 days, 2 weeks ago */
static void put_period(struct wording *wording, const struct ir_node *node)
{
    const struct ir_node *unit = node->args.items[node->args.count - 1];
    const char *word = templates[unit->keyword];
    if (node->args.count == 1) {
        buf_format(wording->out,
                   node->keyword == IR_THIS   ? "this %s"
                   : node->keyword == IR_LAST ? "the previous %s"
                                              : "the next %s",
                   word);
        return;
    }
    const char *count = words_value(wording, node->args.items[0]);
    const char *plural = str_equal(count, "1") ? "" : "s";
    if (node->keyword == IR_AGO) {
        buf_format(wording->out, "the day %s %s%s ago", count, word, plural);
    } else {
        buf_format(wording->out, "the %s %s %s%s", ir_keyword_text((int)node->keyword),
                   count, word, plural);
    }
}

/* 2024-03 as "March 2024", --Q1 as "the first quarter". */
static void put_time(struct wording *wording, const char *text)
{
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    const char *until = strchr(text, '/');
    if (until && str_starts(until + 1, "20")) { /* 2024-03-22/2024-03-31 */
        buf_format(wording->out, "the days from %.*s to %s", (int)(until - text), text,
                   until + 1);
        return;
    }
    bool no_year = str_starts(text, "--");
    const char *tail = no_year ? text + 2 : strlen(text) > 5 ? text + 5 : "";
    int64_t month;
    if (strlen(tail) == 2 && tail[0] == 'Q') {
        buf_format(wording->out, no_year ? "quarter %s" : "quarter %s of ", tail + 1);
    } else if (strlen(tail) == 2 && str_to_int(tail, &month) && month >= 1 &&
               month <= 12) {
        buf_format(wording->out, no_year ? "%s" : "%s ", months[month - 1]);
    } else {
        buf_text(wording->out, text);
        return;
    }
    buf_add(wording->out, text, no_year ? 0 : 4);
}

static void put_rest(struct wording *wording, const struct ir_nodes *args)
{
    for (size_t i = 1; i < args->count; i++) {
        buf_text(wording->out, i == 1 ? "" : i + 1 == args->count ? " or " : ", ");
        words_expression(wording, args->items[i]);
    }
}

static void put_template(struct wording *wording, const struct ir_node *node)
{
    const char *at = templates[node->keyword];
    at = at ? at : ir_keyword_text((int)node->keyword);
    while (*at) {
        size_t before = strcspn(at, "$");
        buf_add(wording->out, at, before);
        at += before;
        if (!*at) {
            break;
        }
        size_t arg = at[1] == '2' || at[1] == '3' ? (size_t)(at[1] - '1') : 0;
        if (at[1] == '+') {
            put_rest(wording, &node->args);
        } else if (at[1] == 'b') {
            words_bare(wording, node->args.items[0]);
        } else if (arg < node->args.count) {
            words_expression(wording, node->args.items[arg]);
        }
        at += 2;
    }
}

/* x NOT IN (SELECT key FROM t): there is nothing in t for it. */
static bool put_without(struct wording *wording, const struct ir_node *node)
{
    const struct ir_query *query = node->args.items[1]->query;
    if (node->args.items[1]->kind != IR_NODE_QUERY || query->sources.count != 1 ||
        query->where || query->group.count || query->set_query || query->limit) {
        return false;
    }
    buf_text(wording->out, node->keyword == IR_IN ? "there are " : "there are no ");
    words_name(wording->out, wording->schema->tables[query->sources.items[0].table].name);
    buf_text(wording->out, " for the ");
    words_expression(wording, node->args.items[0]);
    return true;
}

/* A date against a period: the year alone would read like a number. */
static void put_dated(struct wording *wording, const struct ir_node *node)
{
    const char *template = templates[node->keyword];
    const char *period = strstr(template, "$2");
    words_expression(wording, node->args.items[0]);
    buf_add(wording->out, template + 2, (size_t)(period - template) - 2);
    put_time(wording, words_value(wording, node->args.items[1]));
    buf_text(wording->out, period + 2);
}

/* "3 months ago" as a period is that month, and everywhere else the day. */
static void put_during_ago(struct wording *wording, const struct ir_node *node)
{
    const struct ir_node *ago = node->args.items[1];
    const char *unit = templates[ago->args.items[1]->keyword];
    const char *count = words_value(wording, ago->args.items[0]);
    words_expression(wording, node->args.items[0]);
    buf_format(wording->out, " is in the %s %s %s%s ago", unit, count, unit,
               str_equal(count, "1") ? "" : "s");
}

/* "1 month after sent on" */
static void put_shift(struct wording *wording, const struct ir_node *node)
{
    const struct ir_node *number = node->args.items[1];
    bool one = ir_node_is_value(number) && str_equal(words_value(wording, number), "1");
    words_expression(wording, number);
    buf_format(wording->out, " %s%s after ", templates[node->args.items[2]->keyword],
               one ? "" : "s");
    words_expression(wording, node->args.items[0]);
}

static void put_call(struct wording *wording, const struct ir_node *node)
{
    if (node->keyword == IR_IF) {
        put_if(wording, node);
    } else if (node->keyword >= IR_THIS && node->keyword <= IR_AGO) {
        put_period(wording, node);
    } else if (node->keyword == IR_COUNT && ir_node_is_star(node->args.items[0])) {
        buf_text(wording->out, "the number of ");
        words_source(wording);
    } else if (node->keyword == IR_SHIFT) {
        put_shift(wording, node);
    } else if (ir_node_is_weeks(node)) {
        buf_text(wording->out, "the weeks from ");
        words_expression(wording, node->args.items[0]->args.items[1]);
        buf_text(wording->out, " to ");
        words_expression(wording, node->args.items[0]->args.items[0]);
    } else if (node->keyword == IR_DURING && ir_node_is(node->args.items[1], IR_AGO)) {
        put_during_ago(wording, node);
    } else if (node->keyword >= IR_DURING && node->keyword <= IR_UNTIL &&
               ir_node_is_value(node->args.items[1])) {
        put_dated(wording, node);
    } else {
        put_template(wording, node);
    }
}

void words_bare(struct wording *wording, const struct ir_node *node)
{
    size_t start = wording->out->size;
    words_expression(wording, node);
    if (wording->out->size > start + 4 &&
        memcmp(wording->out->data + start, "the ", 4) == 0) {
        memmove(wording->out->data + start, wording->out->data + start + 4,
                wording->out->size - start - 4);
        buf_truncate(wording->out, wording->out->size - 4);
    }
}

static void put_column(struct wording *wording, const struct ir_node *node)
{
    const struct ir_column *column = &wording->schema->columns[node->token.index];
    size_t tables = wording->query ? wording->query->sources.count : 0;
    if (node->second) {
        buf_text(wording->out, "the other's ");
    } else if (node->outer) {
        buf_text(wording->out, "its own ");
    }
    words_name(wording->out, column->name);
    if (tables > 1 && !node->second) {
        buf_text(wording->out, " of ");
        words_name(wording->out, wording->schema->tables[column->table].name);
    }
}

void words_expression(struct wording *wording, const struct ir_node *node)
{
    if (wording->out->full) {
        return;
    }
    if (ir_node_is_star(node)) {
        buf_text(wording->out, "everything about ");
        words_source(wording);
    } else if (ir_node_is_column(node)) {
        put_column(wording, node);
    } else if (ir_node_is_value(node)) {
        buf_text(wording->out, words_value(wording, node));
    } else if (node->kind == IR_NODE_TOKEN) {
        buf_text(wording->out, "everything about ");
        words_name(wording->out, wording->schema->tables[node->token.index].name);
    } else if (node->kind == IR_NODE_ITEM) {
        const struct ir_query *from = wording->query->from;
        struct wording below = *wording;
        below.query = wording->query->from;
        if (from && (size_t)node->item <= from->select.count) {
            words_expression(&below, from->select.items[node->item - 1]);
        }
    } else if (node->kind == IR_NODE_QUERY) {
        buf_char(wording->out, '(');
        words_query(wording, node->query);
        buf_char(wording->out, ')');
    } else {
        put_call(wording, node);
    }
}

void words_condition(struct wording *wording, const struct ir_node *node)
{
    bool in = ir_node_is(node, IR_IN) || ir_node_is(node, IR_NOT_IN);
    if (in && put_without(wording, node)) {
        return;
    }
    if (!ir_node_is(node, IR_AND) && !ir_node_is(node, IR_OR)) {
        words_expression(wording, node);
        return;
    }
    for (size_t i = 0; i < node->args.count; i++) {
        bool brackets = ir_node_is(node->args.items[i], IR_OR);
        buf_text(wording->out, i == 0 ? "" : node->keyword == IR_AND ? " and " : " or ");
        buf_text(wording->out, brackets ? "(" : "");
        words_condition(wording, node->args.items[i]);
        buf_text(wording->out, brackets ? ")" : "");
    }
}
