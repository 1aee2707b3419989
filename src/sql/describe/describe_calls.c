/* Functions in words: aggregates, dates, roundings. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe/describe_words.h"

enum { ARGUMENTS_MOST = 6, PIECE_MOST = 1024 };

static const struct aggregate {
    const char *name;
    const char *words;
} aggregates[] = {
    {"count", "the number of"}, {"sum", "the total of"},     {"total", "the total of"},
    {"avg", "the average of"},  {"mean", "the average of"},  {"min", "the smallest"},
    {"max", "the largest"},     {"median", "the median of"},
};

/* $1, $2 … are the arguments in words; $'1 is one without its quotes; ~ is an s unless
 * the argument before it is 1. */
static const struct call_words {
    const char *name;
    size_t arguments;
    const char *words;
} calls[] = {
    {"round", 1, "$1 rounded"},
    {"round", 2, "$1 rounded to $2 place~"},
    {"coalesce", 2, "$1 (or $2 where it is empty)"},
    {"ifnull", 2, "$1 (or $2 where it is empty)"},
    {"nullif", 2, "$1 (unless it is $2)"},
    {"upper", 1, "$1 in capitals"},
    {"lower", 1, "$1 in small letters"},
    {"trim", 1, "$1"},
    {"length", 1, "the length of $1"},
    {"char_length", 1, "the length of $1"},
    {"abs", 1, "the size of $1"},
    {"year", 1, "the year of $1"},
    {"quarter", 1, "the quarter of $1"},
    {"month", 1, "the month of $1"},
    {"week", 1, "the week of $1"},
    {"day", 1, "the day of $1"},
    {"hour", 1, "the hour of $1"},
    {"dayofweek", 1, "the weekday of $1"},
    {"weekday", 1, "the weekday of $1"},
    {"dayname", 1, "the weekday of $1"},
    {"monthname", 1, "the month of $1"},
    {"julianday", 1, "the day number of $1"},
    {"date_trunc", 2, "the $'1 of $2"},
    {"date_part", 2, "the $'1 of $2"},
    {"datetrunc", 2, "the $'1 of $2"},
    {"date_diff", 3, "the $'1s from $2 to $3"},
    {"datediff", 3, "the $'1s from $2 to $3"},
    {"datediff", 2, "the days from $2 to $1"},
    {"now", 0, "now"},
    {"today", 0, "today"},
    {"curdate", 0, "today"},
    {"group_concat", 1, "all $1 in one text"},
    {"group_concat", 2, "all $1 in one text"},
    {"string_agg", 2, "all $1 in one text"},
    {"substr", 3, "the part of $1 from letter $2 on, $3 long"},
    {"substr", 2, "$1 from letter $2 on"},
};

/* What strftime is asked for. */
static const char *const formats[][2] = {
    {"%Y", "year"},
    {"%m", "month number"},
    {"%Y-%m", "month"},
    {"%d", "day of the month"},
    {"%Y-%m-%d", "day"},
    {"%H", "hour"},
    {"%w", "weekday"},
    {"%W", "week"},
    {"%j", "day of the year"},
    {"%Y-%W", "week"},
    {"%M", "minute"},
};

struct arguments {
    const struct sql_node *items[ARGUMENTS_MOST];
    size_t count;
};

static bool has_name(const struct sql_node *call, const char *name)
{
    return !sql_has(call, FLAG_QUOTED) && str_equal_nocase(call->text, name);
}

/* False: more than any of ours takes, or words between them. */
static bool arguments_read(const struct sql_node *call, struct arguments *out)
{
    const struct sql_node *list = call->children[CALL_ARGUMENTS];
    out->count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (i == ARGUMENTS_MOST || list->children[i]->kind == SQL_ARGUMENT) {
            return false;
        }
        out->items[out->count++] = list->children[i];
    }
    return true;
}

static const char *text_of(const struct sql_node *node)
{
    return node->kind == SQL_STRING ? node->text : NULL;
}

static const char *words_of(const struct describe_names *names,
                            const struct sql_node *node)
{
    struct buf buf;
    buf_init(&buf, PIECE_MOST);
    describe_value(&buf, names, node);
    const char *words = arena_text(names->arena, buf_get(&buf));
    buf_release(&buf);
    return words;
}

static void fill(struct describe_text *text, const char *words,
                 const struct arguments *arguments, bool distinct)
{
    const char *said = "";
    for (const char *c = words; *c; c++) {
        if (*c == '~') {
            (void)buf_text(text->out, str_equal(said, "1") ? "" : "s");
            continue;
        }
        if (*c != '$') {
            (void)buf_char(text->out, *c);
            continue;
        }
        bool bare = c[1] == '\'';
        c += bare ? 2 : 1;
        const struct sql_node *argument = arguments->items[*c - '1'];
        const char *literal = bare ? text_of(argument) : NULL;
        said = literal ? literal : words_of(text->names, argument);
        (void)buf_format(text->out, "%s%s", distinct && *c == '1' ? "different " : "",
                         said);
    }
}

/* "-30 days" of today: "30 days before today"; "start of month": of that day. */
static const char *shifted(const struct describe_names *names, const char *base,
                           const struct arguments *arguments, size_t from)
{
    struct arena *arena = names->arena;
    for (size_t i = from; i < arguments->count; i++) {
        const char *shift = text_of(arguments->items[i]);
        if (!shift) {
            base = arena_format(arena, "%s shifted by %s", base,
                                words_of(names, arguments->items[i]));
        } else if (*shift == '-' || *shift == '+') {
            base = arena_format(arena, "%s %s %s", shift + 1,
                                *shift == '-' ? "before" : "after", base);
        } else if (str_starts_nocase(shift, "start of ")) {
            base = arena_format(arena, "the start of the %s of %s", shift + 9, base);
        } else if (*shift >= '0' && *shift <= '9') {
            base = arena_format(arena, "%s after %s", shift, base);
        } else {
            base = arena_format(arena, "%s (%s)", base, shift);
        }
    }
    return base;
}

static const char *moment(const struct describe_names *names, const struct sql_node *node,
                          const char *now)
{
    const char *text = text_of(node);
    return text && str_equal_nocase(text, "now") ? now : words_of(names, node);
}

/* date(x, …), datetime(x, …), strftime(format, x, …) */
static bool add_date(struct describe_text *text, const struct sql_node *call,
                     const struct arguments *arguments)
{
    const struct describe_names *names = text->names;
    bool date = has_name(call, "date");
    if ((date || has_name(call, "datetime")) && arguments->count >= 1) {
        const char *base = moment(names, arguments->items[0], date ? "today" : "now");
        bool plain = date && arguments->count == 1 && !str_equal(base, "today");
        (void)buf_format(text->out, "%s%s", plain ? "the day of " : "",
                         shifted(names, base, arguments, 1));
        return true;
    }
    if (!has_name(call, "strftime") || arguments->count < 2) {
        return false;
    }
    /* DuckDB has the moment first. */
    size_t at = text_of(arguments->items[0]) ? 0 : 1;
    const char *format = text_of(arguments->items[at]);
    for (size_t i = 0; format && i < sizeof formats / sizeof *formats; i++) {
        if (str_equal(format, formats[i][0])) {
            const char *base = moment(names, arguments->items[1 - at], "today");
            (void)buf_format(text->out, "the %s of %s", formats[i][1],
                             shifted(names, base, arguments, 2));
            return true;
        }
    }
    return false;
}

void describe_extract(struct describe_text *text, const struct sql_node *extract)
{
    (void)buf_format(text->out, "the %s of ",
                     str_lower(text->names->arena, extract->text));
    struct describe_text value = {.out = text->out, .names = text->names};
    describe_operand(&value, extract->children[SINGLE_VALUE]);
}

void describe_cast(struct describe_text *text, const struct sql_node *cast)
{
    struct describe_text value = {.out = text->out, .names = text->names};
    describe_operand(&value, cast->children[PAIR_LEFT]);
}

/* The words of count(…), sum(…) and their like; NULL: it is something else. */
static const char *aggregate_words(const struct sql_node *call)
{
    if (call->kind != SQL_CALL || call->children[CALL_ARGUMENTS]->count > 1) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++) {
        if (has_name(call, aggregates[i].name)) {
            return aggregates[i].words;
        }
    }
    return NULL;
}

bool describe_is_figure(const struct sql_node *node)
{
    return aggregate_words(node);
}

bool describe_is_spoken(const struct sql_node *node)
{
    return aggregate_words(node) && !node->children[CALL_OVER] &&
           !node->children[CALL_FILTER];
}

static bool is_one(const struct sql_node *node)
{
    return node->kind == SQL_NUMBER && str_equal(node->text, "1");
}

/* SUM(CASE WHEN paid THEN 1 ELSE 0 END): the number of rows where paid */
static bool add_counted(struct describe_text *text, const struct sql_node *call,
                        const char *words, const struct sql_node *argument)
{
    bool zero;
    bool sum = has_name(call, "sum") || has_name(call, "total");
    bool count = has_name(call, "count");
    const struct sql_node *when = describe_case_single(argument, &zero);
    if (!when || (zero && !sum) || sql_has(call, FLAG_DISTINCT)) {
        return false;
    }
    if (count || (sum && is_one(when->children[PAIR_RIGHT]))) {
        (void)buf_text(text->out, "the number of rows");
    } else {
        (void)buf_format(text->out, "%s ", words);
        describe_value(text->out, text->names, when->children[PAIR_RIGHT]);
    }
    (void)buf_text(text->out, " where ");
    describe_condition(text->out, text->names, when->children[PAIR_LEFT]);
    return true;
}

static void add_aggregate(struct describe_text *text, const struct sql_node *call,
                          const char *words)
{
    const struct sql_node *argument = sql_child(call->children[CALL_ARGUMENTS], 0);
    if (argument && add_counted(text, call, words, argument)) {
        return;
    }
    (void)buf_format(text->out, "%s ", words);
    if (!argument || (argument->kind == SQL_STAR && !argument->children[STAR_OF])) {
        (void)buf_text(text->out, "rows");
        return;
    }
    (void)buf_text(text->out, sql_has(call, FLAG_DISTINCT) ? "different " : "");
    describe_value(text->out, text->names, argument);
}

static bool add_words(struct describe_text *text, const struct sql_node *call)
{
    struct arguments arguments;
    if (call->children[CALL_PARAMETERS] || !arguments_read(call, &arguments)) {
        return false;
    }
    if (add_date(text, call, &arguments)) {
        return true;
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (has_name(call, calls[i].name) && calls[i].arguments == arguments.count) {
            fill(text, calls[i].words, &arguments, sql_has(call, FLAG_DISTINCT));
            return true;
        }
    }
    return false;
}

/* A function without words of its own, as a call. */
static void add_call(struct describe_text *text, const struct sql_node *call)
{
    struct sql_node bare = *call;
    struct sql_node *children[CALL_SLOTS];
    memcpy(children, call->children, sizeof children);
    children[CALL_FILTER] = NULL;
    children[CALL_OVER] = NULL;
    bare.children = children;
    describe_plain(text, &bare);
}

void describe_function(struct describe_text *text, const struct sql_node *call)
{
    const char *words = aggregate_words(call);
    if (words) {
        add_aggregate(text, call, words);
    } else if (!add_words(text, call)) {
        add_call(text, call);
    }
    if (call->children[CALL_FILTER]) {
        (void)buf_text(text->out, " where ");
        describe_condition(text->out, text->names, call->children[CALL_FILTER]);
    }
}

void describe_call(struct describe_text *text, const struct sql_node *call)
{
    if (call->children[CALL_OVER]) {
        describe_window(text, call);
    } else {
        describe_function(text, call);
    }
}
