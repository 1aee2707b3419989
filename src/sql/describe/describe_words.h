/* Inside of describe: a piece of a statement in words. */
#ifndef DGM_SQL_DESCRIBE_WORDS_H
#define DGM_SQL_DESCRIBE_WORDS_H

#include "base/vec.h"
#include "sql/statement.h"

struct arena;
struct buf;

enum { DESCRIBE_DEPTH = 4 }; /* queries inside of queries; deeper ones are "another" */

/* The tables of one SELECT: what it calls them, and what they are. */
struct describe_names {
    struct arena *arena;
    const struct sql_statement *statement;
    int depth;
    const struct describe_names *outer; /* of the query around it, or NULL */
    struct texts aliases;
    struct texts tables;
    struct texts select_aliases; /* AS total … */
    struct texts select_words;   /* … "the total of amount" */
    struct texts numbers; /* … and the alias again when it is an aggregate, or "" */
};

/* What is being written: where to, with which names, and whether it is a condition, in
 * which operators have words ("is at least"). */
struct describe_text {
    struct buf *out;
    const struct describe_names *names;
    bool condition;
};

/* A node of any kind, as part of what is being written. */
void describe_node(struct describe_text *text, const struct sql_node *node);
/* A condition: "total is at least 5 and city is 'Lyon'". */
void describe_condition(struct buf *out, const struct describe_names *names,
                        const struct sql_node *node);
/* A value: "the total of amount", "city", "the length of name". */
void describe_value(struct buf *out, const struct describe_names *names,
                    const struct sql_node *node);
/* As SQL, with words for the parts below it that have some. */
void describe_plain(struct describe_text *text, const struct sql_node *node);
/* As its author wrote it. */
void describe_as_written(struct describe_text *text, const struct sql_node *node);
/* Whether it is made of aggregates: count(…), round(sum(…)). */
bool describe_is_aggregate(const struct describe_names *names,
                           const struct sql_node *node);

/* describe_operators.c: a part of something larger, in its parentheses if it has some. */
void describe_operand(struct describe_text *text, const struct sql_node *node);
/* Each writes a node of one kind. */
void describe_binary(struct describe_text *text, const struct sql_node *node);
void describe_unary(struct describe_text *text, const struct sql_node *node);
void describe_exists(struct describe_text *text, const struct sql_node *node);
void describe_is(struct describe_text *text, const struct sql_node *node);
void describe_in(struct describe_text *text, const struct sql_node *node);
void describe_between(struct describe_text *text, const struct sql_node *node);
void describe_like(struct describe_text *text, const struct sql_node *node);
/* describe_calls.c: each writes a node of one kind. */
void describe_call(struct describe_text *text, const struct sql_node *call);
void describe_cast(struct describe_text *text, const struct sql_node *cast);
void describe_extract(struct describe_text *text, const struct sql_node *extract);
/* Whether it is one aggregate that has words of its own: "the number of rows". */
bool describe_is_spoken(const struct sql_node *node);
/* The same, where a condition on its rows (FILTER) or a window may follow. */
bool describe_is_figure(const struct sql_node *node);
/* The call without its OVER. */
void describe_function(struct describe_text *text, const struct sql_node *call);
/* describe_case.c: CASE … END. */
void describe_case(struct describe_text *text, const struct sql_node *node);
/* CASE WHEN a THEN b [ELSE 0 or NULL] END: its only WHEN, or NULL. */
const struct sql_node *describe_case_single(const struct sql_node *node, bool *zero);
/* describe_window.c: a call with OVER. */
void describe_window(struct describe_text *text, const struct sql_node *call);
/* describe_query.c: a query inside of another, as a noun: "the average of age in people".
 */
void describe_noun(struct buf *out, const struct describe_names *outer,
                   const struct sql_node *query);
/* The same of its rows alone, whatever it selects: "orders where total is 5". */
void describe_rows(struct buf *out, const struct describe_names *outer,
                   const struct sql_node *query);

#endif
