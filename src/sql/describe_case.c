/* CASE … END in words: "'minor' if age is less than 18, otherwise 'adult'". */
#include "base/buf.h"
#include "sql/describe_words.h"

/* The token of this keyword that belongs to the CASE at `at`; `to` when there is none. */
static const struct token *find_in_case(const struct token *at, const struct token *to,
                                        enum keyword keyword)
{
    int depth = 0;
    while (at < to) {
        if (depth == 0 && at->keyword == keyword) {
            return at;
        }
        if (at->keyword == KEYWORD_case) {
            depth++;
        } else if (at->keyword == KEYWORD_end) {
            if (depth == 0) {
                return to;
            }
            depth--;
        }
        at = span_skip(at, to);
    }
    return to;
}

static const struct token *first_of(const struct token *a, const struct token *b)
{
    return a < b ? a : b;
}

/* Where the value after THEN ends: at the next WHEN, at ELSE or at the end. */
static const struct token *value_end(const struct token *at, const struct token *end)
{
    return first_of(find_in_case(at, end, KEYWORD_when),
                    find_in_case(at, end, KEYWORD_else));
}

const struct token *describe_case(struct buf *out, const struct describe_names *names,
                                  const struct token *at, const struct token *to)
{
    const struct token *end = find_in_case(at + 1, to, KEYWORD_end);
    const struct token *when = find_in_case(at + 1, end, KEYWORD_when);
    const struct span subject = {at + 1, when};
    const char *gap = "";
    while (when < end) {
        const struct token *then = find_in_case(when + 1, end, KEYWORD_then);
        const struct token *from = then < end ? then + 1 : end;
        const struct token *next = value_end(from, end);
        (void)buf_text(out, gap);
        describe_value(out, names, (struct span){from, next});
        (void)buf_text(out, " if ");
        if (subject.from < subject.to) {
            describe_value(out, names, subject);
            (void)buf_text(out, " is ");
        }
        describe_condition(out, names, (struct span){when + 1, then});
        gap = ", ";
        when = find_in_case(next, end, KEYWORD_when);
    }
    const struct token *otherwise = find_in_case(at + 1, end, KEYWORD_else);
    if (otherwise < end) {
        (void)buf_format(out, "%sotherwise ", gap);
        describe_value(out, names, (struct span){otherwise + 1, end});
    }
    return end < to ? end + 1 : to;
}

static bool is_zero(struct span span)
{
    return span.to - span.from == 1 &&
           (span.from->keyword == KEYWORD_null ||
            (span.from->kind == TOKEN_NUMBER && span.from->text[0] == '0' &&
             !span.from->text[1]));
}

bool describe_case_single(struct span span, struct span *when, struct span *then,
                          bool *zero)
{
    if (span.to - span.from < 5 || span.from->keyword != KEYWORD_case ||
        span.from[1].keyword != KEYWORD_when) {
        return false;
    }
    const struct token *end = find_in_case(span.from + 1, span.to, KEYWORD_end);
    if (end + 1 != span.to) {
        return false;
    }
    const struct token *split = find_in_case(span.from + 2, end, KEYWORD_then);
    const struct token *otherwise = find_in_case(span.from + 2, end, KEYWORD_else);
    if (split >= end || find_in_case(split, end, KEYWORD_when) < end ||
        (otherwise < end && !is_zero((struct span){otherwise + 1, end}))) {
        return false;
    }
    *when = (struct span){span.from + 2, split};
    *then = (struct span){split + 1, otherwise};
    *zero = otherwise < end && otherwise[1].keyword != KEYWORD_null;
    return true;
}
