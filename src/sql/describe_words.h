/* Inside of describe: a piece of SQL in words. */
#ifndef DGM_SQL_DESCRIBE_WORDS_H
#define DGM_SQL_DESCRIBE_WORDS_H

#include "base/vec.h"
#include "sql/lexer.h"

struct arena;
struct buf;

/* Tokens from `from` up to, but not including, `to`. */
struct span {
    const struct token *from;
    const struct token *to;
};

enum { DESCRIBE_DEPTH = 4 }; /* queries inside of queries; deeper ones are "another" */

/* The tables of one SELECT: what it calls them, and what they are. */
struct describe_names {
    struct arena *arena;
    enum dialect dialect;
    int depth;
    const struct describe_names *outer; /* of the query around it, or NULL */
    struct texts aliases;
    struct texts tables;
    struct texts select_aliases; /* AS total … */
    struct texts select_words;   /* … "the total of amount" */
    struct texts numbers; /* … and the alias again when it is an aggregate, or "" */
};

/* The token after the one that closes what opens at `from`; `from + 1` when nothing does.
 */
const struct token *span_skip(const struct token *from, const struct token *to);
/* The next part of a list, ended by a comma outside parentheses; false at the end. */
bool span_next_item(struct span *rest, struct span *item);
/* The first token with this keyword outside parentheses and CASE, or span.to. */
const struct token *span_find(struct span span, enum keyword keyword);

/* A condition: "total is at least 5 and city is 'Lyon'". */
void describe_condition(struct buf *out, const struct describe_names *names,
                        struct span span);
/* A value: "the total of amount", "city", "the length of name". */
void describe_value(struct buf *out, const struct describe_names *names,
                    struct span span);
/* Whether it is made of aggregates: count(…), round(sum(…)). */
bool describe_is_aggregate(enum dialect dialect, struct span span);
/* Whether it is one aggregate that has words of its own: "the number of rows". */
bool describe_is_spoken(struct span span);

/* describe_calls.c: what begins here in words, and the token after it; NULL: it has no
 * words of its own. */
const struct token *describe_call(struct buf *out, const struct describe_names *names,
                                  const struct token *at, const struct token *to);
/* The one argument of count(…), sum(…) and their like; false when it is something else.
 */
bool describe_aggregate_at(const struct token *at, const struct token *to,
                           const char **words, struct span *inside);
/* describe_case.c: CASE … END, and the token after it. */
const struct token *describe_case(struct buf *out, const struct describe_names *names,
                                  const struct token *at, const struct token *to);
/* CASE WHEN a THEN b [ELSE 0 or NULL] END and nothing else: its two parts. */
bool describe_case_single(struct span span, struct span *when, struct span *then,
                          bool *zero);
/* describe_window.c: what follows OVER, and the token after it. */
const struct token *describe_window(struct buf *out, const struct describe_names *names,
                                    struct span call, const struct token *over,
                                    const struct token *to);
/* "price from high to low, then name": an ORDER BY list. */
void describe_order(struct buf *out, const struct describe_names *names,
                    struct span span);
/* describe_query.c: a query inside of another, as a noun: "the average of age in people".
 */
void describe_noun(struct buf *out, const struct describe_names *outer, struct span span);

#endif
