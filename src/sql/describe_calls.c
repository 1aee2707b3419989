/* Functions in words: aggregates, dates, roundings. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe_words.h"

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
    struct span items[ARGUMENTS_MOST];
    size_t count;
};

static void arguments_read(struct span inside, struct arguments *out)
{
    struct span item;
    out->count = 0;
    while (span_next_item(&inside, &item)) {
        if (out->count == ARGUMENTS_MOST) {
            out->count = 0; /* more than any of ours takes */
            return;
        }
        out->items[out->count++] = item;
    }
}

static const char *text_of(const struct span *span)
{
    return span->to - span->from == 1 && span->from->kind == TOKEN_STRING
               ? span->from->text
               : NULL;
}

static const char *words_of(const struct describe_names *names, struct span span)
{
    struct buf buf;
    buf_init(&buf, PIECE_MOST);
    describe_value(&buf, names, span);
    const char *words = arena_text(names->arena, buf_get(&buf));
    buf_release(&buf);
    return words;
}

static void fill(struct buf *out, const struct describe_names *names, const char *words,
                 const struct arguments *arguments)
{
    const char *said = "";
    for (const char *c = words; *c; c++) {
        if (*c == '~') {
            (void)buf_text(out, str_equal(said, "1") ? "" : "s");
            continue;
        }
        if (*c != '$') {
            (void)buf_char(out, *c);
            continue;
        }
        bool bare = c[1] == '\'';
        c += bare ? 2 : 1;
        const struct span *span = &arguments->items[*c - '1'];
        const char *text = bare ? text_of(span) : NULL;
        said = text ? text : words_of(names, *span);
        (void)buf_text(out, said);
    }
}

/* "-30 days" of today: "30 days before today"; "start of month": of that day. */
static const char *shifted(const struct describe_names *names, const char *base,
                           const struct arguments *arguments, size_t from)
{
    struct arena *arena = names->arena;
    for (size_t i = from; i < arguments->count; i++) {
        const char *shift = text_of(&arguments->items[i]);
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

static const char *moment(const struct describe_names *names, const struct span *span,
                          const char *now)
{
    const char *text = text_of(span);
    return text && str_equal_nocase(text, "now") ? now : words_of(names, *span);
}

/* date(x, …), datetime(x, …), strftime(format, x, …) */
static bool add_date(struct buf *out, const struct describe_names *names,
                     const struct token *name, const struct arguments *arguments)
{
    bool date = token_is(name, "date");
    if ((date || token_is(name, "datetime")) && arguments->count >= 1) {
        const char *base = moment(names, &arguments->items[0], date ? "today" : "now");
        bool plain = date && arguments->count == 1 && !str_equal(base, "today");
        (void)buf_format(out, "%s%s", plain ? "the day of " : "",
                         shifted(names, base, arguments, 1));
        return true;
    }
    if (!token_is(name, "strftime") || arguments->count < 2) {
        return false;
    }
    /* DuckDB has the moment first. */
    size_t at = text_of(&arguments->items[0]) ? 0 : 1;
    const char *format = text_of(&arguments->items[at]);
    for (size_t i = 0; format && i < sizeof formats / sizeof *formats; i++) {
        if (str_equal(format, formats[i][0])) {
            const char *base = moment(names, &arguments->items[1 - at], "today");
            (void)buf_format(out, "the %s of %s", formats[i][1],
                             shifted(names, base, arguments, 2));
            return true;
        }
    }
    return false;
}

/* EXTRACT(YEAR FROM x) and CAST(x AS type) have a grammar of their own. */
static bool add_special(struct buf *out, const struct describe_names *names,
                        const struct token *name, struct span inside)
{
    if (token_is(name, "extract") && inside.to - inside.from >= 3 &&
        inside.from[1].keyword == KEYWORD_from) {
        (void)buf_format(out, "the %s of ", str_lower(names->arena, inside.from->text));
        describe_value(out, names, (struct span){inside.from + 2, inside.to});
        return true;
    }
    if (token_is(name, "cast") || token_is(name, "try_cast")) {
        const struct token *as = span_find(inside, KEYWORD_as);
        describe_value(out, names, (struct span){inside.from, as});
        return inside.from < as;
    }
    return false;
}

bool describe_aggregate_at(const struct token *at, const struct token *to,
                           const char **words, struct span *inside)
{
    if (at->kind != TOKEN_WORD || at + 2 >= to || !token_is_punct(at + 1, "(")) {
        return false;
    }
    *words = NULL;
    for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++) {
        if (token_is(at, aggregates[i].name)) {
            *words = aggregates[i].words;
        }
    }
    *inside = (struct span){at + 2, span_skip(at + 1, to) - 1};
    struct span rest = *inside;
    struct span item;
    return *words && (!span_next_item(&rest, &item) || rest.from == rest.to);
}

static bool is_one(struct span span)
{
    return span.to - span.from == 1 && span.from->kind == TOKEN_NUMBER &&
           str_equal(span.from->text, "1");
}

/* SUM(CASE WHEN paid THEN 1 ELSE 0 END): the number of rows where paid */
static bool add_counted(struct buf *out, const struct describe_names *names,
                        const struct token *name, const char *words, struct span inside)
{
    struct span when;
    struct span then;
    bool zero;
    bool sum = token_is(name, "sum") || token_is(name, "total");
    bool count = token_is(name, "count");
    if (!describe_case_single(inside, &when, &then, &zero) || (zero && !sum)) {
        return false;
    }
    if (count || (sum && is_one(then))) {
        (void)buf_text(out, "the number of rows");
    } else {
        (void)buf_format(out, "%s ", words);
        describe_value(out, names, then);
    }
    (void)buf_text(out, " where ");
    describe_condition(out, names, when);
    return true;
}

static void add_aggregate(struct buf *out, const struct describe_names *names,
                          const struct token *name, const char *words, struct span inside)
{
    if (add_counted(out, names, name, words, inside)) {
        return;
    }
    (void)buf_format(out, "%s ", words);
    if (inside.from == inside.to || token_is_punct(inside.from, "*")) {
        (void)buf_text(out, "rows");
        return;
    }
    if (inside.from->keyword == KEYWORD_distinct) {
        (void)buf_text(out, "different ");
        inside.from++;
    }
    describe_value(out, names, inside);
}

static bool add_function(struct buf *out, const struct describe_names *names,
                         const struct token *name, struct span inside)
{
    struct arguments arguments;
    arguments_read(inside, &arguments);
    if (add_special(out, names, name, inside) || add_date(out, names, name, &arguments)) {
        return true;
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (token_is(name, calls[i].name) && calls[i].arguments == arguments.count) {
            fill(out, names, calls[i].words, &arguments);
            return true;
        }
    }
    return false;
}

/* FILTER (WHERE …) after an aggregate. */
static const struct token *add_filter(struct buf *out, const struct describe_names *names,
                                      const struct token *at, const struct token *to)
{
    if (at + 2 >= to || at->keyword != KEYWORD_filter || !token_is_punct(at + 1, "(")) {
        return at;
    }
    const struct token *end = span_skip(at + 1, to);
    (void)buf_text(out, " where ");
    describe_condition(out, names,
                       (struct span){at + 2 + (at[2].keyword == KEYWORD_where), end - 1});
    return end;
}

/* A statement never begins with a call: there is a token before it. */
static bool is_arithmetic(const struct token *token)
{
    return token->kind == TOKEN_PUNCT && strchr("+-*/%", token->text[0]) &&
           !token->text[1];
}

const struct token *describe_call(struct buf *out, const struct describe_names *names,
                                  const struct token *at, const struct token *to)
{
    if (at->kind != TOKEN_WORD || at + 1 >= to || !token_is_punct(at + 1, "(")) {
        return NULL;
    }
    const struct token *end = span_skip(at + 1, to);
    struct span inside = {at + 2, end > at + 2 ? end - 1 : end};
    const struct token *after = end;
    if (after + 1 < to && after->keyword == KEYWORD_filter) {
        after = span_skip(after + 1, to);
    }
    if (after < to && after->keyword == KEYWORD_over) {
        return describe_window(out, names, (struct span){at, end}, after, to);
    }
    const char *words;
    if (describe_aggregate_at(at, to, &words, &inside)) {
        bool part = is_arithmetic(at - 1) || (after < to && is_arithmetic(after));
        (void)buf_text(out, part ? "(" : "");
        add_aggregate(out, names, at, words, inside);
        end = add_filter(out, names, end, to);
        (void)buf_text(out, part ? ")" : "");
        return end;
    }
    return add_function(out, names, at, inside) ? end : NULL;
}
