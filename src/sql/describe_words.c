/* Conditions and values in words. */
#include "sql/describe_words.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "sql/function.h"

const struct token *span_skip(const struct token *from, const struct token *to)
{
    int depth = 0;
    for (const struct token *at = from; at < to; at++) {
        if (at->kind == TOKEN_PUNCT && strchr("([{", at->text[0]) && !at->text[1]) {
            depth++;
        } else if (at->kind == TOKEN_PUNCT && strchr(")]}", at->text[0]) &&
                   !at->text[1]) {
            depth--;
        }
        if (depth <= 0) {
            return at + 1;
        }
    }
    return to;
}

const struct token *span_find(struct span span, enum keyword keyword)
{
    int cases = 0;
    for (const struct token *at = span.from; at < span.to; at = span_skip(at, span.to)) {
        if (cases == 0 && at->keyword == keyword) {
            return at;
        }
        cases += at->keyword == KEYWORD_case;
        cases -= at->keyword == KEYWORD_end && cases > 0;
    }
    return span.to;
}

bool span_next_item(struct span *rest, struct span *item)
{
    if (rest->from >= rest->to) {
        return false;
    }
    const struct token *at = rest->from;
    while (at < rest->to && !token_is_punct(at, ",")) {
        at = span_skip(at, rest->to);
    }
    *item = (struct span){rest->from, at};
    rest->from = at < rest->to ? at + 1 : at;
    return true;
}

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

/* o.total -> orders.total; total alone when there is only one table, and it is of that */
static const struct token *add_name(struct buf *out, const struct describe_names *names,
                                    const struct token *at, const struct token *to)
{
    bool name = at->kind == TOKEN_WORD || at->kind == TOKEN_NAME;
    if (name && at + 2 < to && token_is_punct(at + 1, ".")) {
        if (names->tables.count > 1 || (names->outer && !is_known(names, at->text))) {
            buf_format(out, "%s.", table_of(names, at->text));
        }
        at += 2;
    }
    bool star = token_is_punct(at, "*") && at > to - 2 && token_is_punct(at - 1, ".");
    buf_text(out, star ? "all columns" : at->text);
    return at + 1;
}

static const struct phrase {
    const char *words[3]; /* as they stand in SQL */
    const char *text;
} phrases[] = {
    {{"is", "not", "null"}, "is not empty"},
    {{"not", "like", NULL}, "is not like"},
    {{"not", "ilike", NULL}, "is not like"},
    {{"not", "in", NULL}, "is none of"},
    {{"not", "between", NULL}, "is not between"},
    {{"is", "null", NULL}, "is empty"},
    {{"is", "not", NULL}, "is not"},
    {{"like", NULL, NULL}, "is like"},
    {{"ilike", NULL, NULL}, "is like"},
    {{"in", NULL, NULL}, "is one of"},
    {{"between", NULL, NULL}, "is between"},
    {{"and", NULL, NULL}, "and"},
    {{"or", NULL, NULL}, "or"},
    {{"not", NULL, NULL}, "not"},
    {{"is", NULL, NULL}, "is"},
    {{"=", NULL, NULL}, "is"},
    {{"==", NULL, NULL}, "is"},
    {{"<>", NULL, NULL}, "is not"},
    {{"!=", NULL, NULL}, "is not"},
    {{">=", NULL, NULL}, "is at least"},
    {{"<=", NULL, NULL}, "is at most"},
    {{">", NULL, NULL}, "is more than"},
    {{"<", NULL, NULL}, "is less than"},
};

static size_t phrase_size(const struct phrase *phrase, const struct token *at,
                          const struct token *to)
{
    size_t size = 0;
    while (size < 3 && phrase->words[size]) {
        const struct token *token = at + size;
        if (token >= to || (token->kind != TOKEN_WORD && token->kind != TOKEN_PUNCT) ||
            !str_equal_nocase(token->text, phrase->words[size])) {
            return 0;
        }
        size++;
    }
    return size;
}

static const struct token *add_phrase(struct buf *out, const struct token *at,
                                      const struct token *to)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        size_t size = phrase_size(&phrases[i], at, to);
        if (size) {
            buf_text(out, phrases[i].text);
            return at + size;
        }
    }
    return NULL;
}

static bool starts_query(const struct token *token)
{
    return token->keyword == KEYWORD_select || token->keyword == KEYWORD_with;
}

/* A sign that belongs to the number after it. */
static bool is_sign(const struct token *start, const struct token *token)
{
    return (token_is_punct(token, "-") || token_is_punct(token, "+")) &&
           (token == start ||
            (token[-1].kind == TOKEN_PUNCT && !token_is_punct(token - 1, ")") &&
             !token_is_punct(token - 1, "]")));
}

/* White space as people write it: none before a comma, none inside parentheses. */
static bool needs_space(const struct token *start, const struct token *at)
{
    const struct token *before = at - 1;
    if (is_sign(start, before) || token_is_punct(before, "(") ||
        token_is_punct(before, ".") || token_is_punct(before, "::") ||
        token_is_punct(before, "[")) {
        return false;
    }
    if (token_is_punct(at, "(")) {
        bool call = before->keyword == KEYWORD_cast || before->keyword == KEYWORD_left ||
                    before->keyword == KEYWORD_right;
        bool word = keyword_reserved(before->keyword) ||
                    before->keyword == KEYWORD_over || before->keyword == KEYWORD_filter;
        return before->kind != TOKEN_WORD || (word && !call);
    }
    return !token_is_punct(at, ")") && !token_is_punct(at, ",") &&
           !token_is_punct(at, ".") && !token_is_punct(at, "::") &&
           !token_is_punct(at, "[") && !token_is_punct(at, "]");
}

/* EXISTS (SELECT … FROM orders WHERE …) -> "there are rows of orders where …" */
static const struct token *add_exists(struct buf *out, const struct describe_names *names,
                                      const struct token *at, const struct token *to)
{
    bool none = at->keyword == KEYWORD_not;
    const struct token *open = at + none + 1;
    const struct token *end = span_skip(open, to);
    struct span query = {open + 1, end > open + 1 ? end - 1 : end};
    const struct token *from = span_find(query, KEYWORD_from);
    buf_format(out, "there %s ", none ? "is no row of" : "are rows of");
    describe_noun(out, names, from < query.to ? (struct span){from, query.to} : query);
    return end;
}

static bool at_exists(const struct token *at, const struct token *to)
{
    at += at->keyword == KEYWORD_not && at + 1 < to;
    return at->keyword == KEYWORD_exists && at + 1 < to && token_is_punct(at + 1, "(");
}

/* LIKE '%x%' -> contains 'x'; false when the pattern says more than that. */
static bool like_words(const char *pattern, bool not, const char **words, size_t *from,
                       size_t *size)
{
    size_t length = strlen(pattern);
    bool left = length > 1 && pattern[0] == '%';
    bool right = length > 1 && pattern[length - 1] == '%';
    *from = left;
    *size = length - (size_t)left - (length > (size_t)left ? (size_t)right : 0);
    for (size_t i = *from; i < *from + *size; i++) {
        if (pattern[i] == '%' || pattern[i] == '_' || pattern[i] == '\\') {
            return false;
        }
    }
    *words = left && right ? (not ? "does not contain" : "contains")
             : right       ? (not ? "does not begin with" : "begins with")
             : left        ? (not ? "does not end in" : "ends in")
                           : (not ? "is not" : "is");
    return *size > 0;
}

static const struct token *add_like(struct buf *out, const struct token *at,
                                    const struct token *to)
{
    bool not = at->keyword == KEYWORD_not;
    const struct token *like = at + not ;
    if (like + 1 >= to || (!token_is(like, "like") && !token_is(like, "ilike")) ||
        like[1].kind != TOKEN_STRING ||
        (like + 2 < to &&
         (token_is(like + 2, "escape") || token_is_punct(like + 2, "||")))) {
        return NULL;
    }
    const char *words;
    size_t from;
    size_t size;
    if (!like_words(like[1].text, not, &words, &from, &size)) {
        return NULL;
    }
    buf_format(out, "%s '%.*s'", words, (int)size, like[1].text + from);
    return like + 2;
}

/* Words that stand for a moment. */
static const char *moment_words(const struct token *token)
{
    return token->keyword == KEYWORD_current_date        ? "today"
           : token->keyword == KEYWORD_current_timestamp ? "now"
                                                         : NULL;
}

static const struct token *add_token(struct buf *out, const struct describe_names *names,
                                     const struct token *at, const struct token *to,
                                     bool condition)
{
    if (token_is_punct(at, "(") && at + 1 < to && starts_query(at + 1)) {
        const struct token *end = span_skip(at, to);
        buf_char(out, '(');
        describe_noun(out, names, (struct span){at + 1, end - 1});
        buf_char(out, ')');
        return end;
    }
    if (at->kind == TOKEN_STRING) {
        buf_format(out, "'%s'", at->text);
        return at + 1;
    }
    if (at_exists(at, to)) {
        return add_exists(out, names, at, to);
    }
    if (at->keyword == KEYWORD_case) {
        return describe_case(out, names, at, to);
    }
    if (moment_words(at)) {
        buf_text(out, moment_words(at));
        return at + 1;
    }
    const struct token *next = describe_call(out, names, at, to);
    if (!next && condition) {
        next = add_like(out, at, to);
        next = next ? next : add_phrase(out, at, to);
    }
    return next ? next : add_name(out, names, at, to);
}

static void add_tokens(struct buf *out, const struct describe_names *names,
                       struct span span, bool condition)
{
    for (const struct token *at = span.from; at < span.to;) {
        if (at > span.from && needs_space(span.from, at)) {
            buf_char(out, ' ');
        }
        at = add_token(out, names, at, span.to, condition);
    }
}

void describe_condition(struct buf *out, const struct describe_names *names,
                        struct span span)
{
    add_tokens(out, names, span, true);
}

bool describe_is_aggregate(enum dialect dialect, struct span span)
{
    bool found = false;
    for (const struct token *at = span.from; at + 1 < span.to; at++) {
        if (at->keyword == KEYWORD_over || starts_query(at)) {
            return false; /* of a window, or of another query */
        }
        found = found || (at->kind == TOKEN_WORD && token_is_punct(at + 1, "(") &&
                          function_has(function_find(dialect, at->text), 'a'));
    }
    return found;
}

bool describe_is_spoken(struct span span)
{
    const char *words;
    struct span inside;
    return span.from < span.to &&
           describe_aggregate_at(span.from, span.to, &words, &inside) &&
           inside.to + 1 == span.to;
}

void describe_value(struct buf *out, const struct describe_names *names, struct span span)
{
    if (span.to - span.from == 1 && token_is_punct(span.from, "*")) {
        buf_text(out, "all columns");
        return;
    }
    if (span.to - span.from > 2 && token_is_punct(span.from, "*") &&
        (span.from[1].keyword == KEYWORD_exclude ||
         span.from[1].keyword == KEYWORD_except)) {
        buf_text(out, "all columns except ");
        span.from += 2;
    }
    add_tokens(out, names, span, false);
}
