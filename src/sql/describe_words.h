/* Inside of describe: a piece of SQL in words. */
#ifndef DGM_SQL_DESCRIBE_WORDS_H
#define DGM_SQL_DESCRIBE_WORDS_H

#include "base/vec.h"
#include "sql/lexer.h"

struct buf;

/* Tokens from `from` up to, but not including, `to`. */
struct span {
    const struct token *from;
    const struct token *to;
};

/* The tables of one SELECT: what it calls them, and what they are. */
struct describe_names {
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

/* A condition: "total is at least 5 and city is 'Lyon'". */
void describe_condition(struct buf *out, const struct describe_names *names,
                        struct span span);
/* A value: "the total of amount", "city", "length(name)". */
void describe_value(struct buf *out, const struct describe_names *names,
                    struct span span);
/* Whether it is made of aggregates: count(…), round(sum(…)). */
bool describe_is_aggregate(enum dialect dialect, struct span span);
/* Whether it is one aggregate that has words of its own: "the number of rows". */
bool describe_is_spoken(struct span span);

#endif
