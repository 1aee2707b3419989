/*
 * What is known while the tree of a statement is read, and how the files of the reader
 * call each other. A failure is remembered once and every later value is a placeholder,
 * so nobody has to look at every step: nodes are never NULL, and the entry looks at
 * `failed`.
 */
#ifndef DGM_PARSER_SQL_TO_IR_STATE_H
#define DGM_PARSER_SQL_TO_IR_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/ir/ir_joins.h"
#include "parser/ir/ir_tree.h"
#include "parser/from_sql/sql_to_ir.h"
#include "sql/statement.h"

/* Something in FROM. */
struct sql_entry {
    const char *alias;
    int table; /* -1: a query */
    bool second;
    struct ir_query *query;
    struct texts *names; /* of what the query selects; NULL entries have none */
};

struct sql_alias {
    const char *name;
    struct ir_node *node;
};

/*
 * One SELECT while it is read: its relations, its aliases and the query that is made of
 * it. Scopes are linked from the inner ones to the outer ones.
 */
struct sql_scope {
    struct sql_scope *around;
    struct ir_query *query;
    const struct sql_node *select; /* for its named windows */
    struct {
        struct sql_entry *items;
        size_t count;
        size_t capacity;
    } entries;
    struct {
        struct sql_alias *items;
        size_t count;
        size_t capacity;
    } aliases;
    struct texts names;    /* of what it selects, as the query around sees them */
    struct ir_pairs pairs; /* join conditions as written */
    struct ir_nodes extra; /* conditions in ON that are none */
    bool has_left;
    bool in_order; /* here an alias comes before a column */
};

/* WITH name AS (…): read anew where it is used. */
struct sql_with {
    const struct sql_node *cte;
    const struct sql_with *before; /* what its query may use */
};

/* A window as written, until it is known what it is for. */
struct sql_window {
    const struct ir_node *node;
    bool is_row_number; /* or rank: for the first N of a group */
    struct ir_nodes partition;
    struct {
        struct ir_order *items;
        size_t count;
        size_t capacity;
    } order;
};

/*
 * One statement on its way from SQL to IR. The first construct that the IR cannot
 * express sets `failed` and fills `err`; reading stops there. All memory is in `arena`,
 * which the caller owns.
 */
struct sql_reading {
    struct arena *arena;
    const struct sql_to_ir_request *request;
    const struct ir_schema *schema;
    struct sql_statement statement;
    int depth;
    int with_reads;
    bool failed;
    bool right_part; /* the second half of UNION … whose limit is for both */
    bool value_missing;
    struct err *err;
    struct sql_scope *scope;
    const struct sql_with *withs; /* the one written last */
    struct {
        struct sql_window *items;
        size_t count;
        size_t capacity;
    } windows;
    struct {
        struct sql_template *items;
        size_t count;
        size_t capacity;
    } templates;
    bool templates_read;
};

/* A date as we write it: $a and $b are the columns hole_a and hole_b. */
struct sql_template {
    enum ir_keyword keyword;
    const struct sql_node *value;
};

enum { SQL_DEPTH_MAX = 200 };

/* sql_to_ir.c */
struct ir_node *sql_fail(struct sql_reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct ir_node *sql_call(struct sql_reading *reading, enum ir_keyword keyword,
                         struct ir_node *a, struct ir_node *b);
struct ir_node *sql_number(struct sql_reading *reading, const char *text);
bool sql_is_number(const struct ir_node *node, double number);
bool sql_is_text(const struct ir_node *node, const char *text);

/* sql_to_ir_query.c */
struct ir_query *sql_read_query(struct sql_reading *reading, const struct sql_node *query,
                                struct sql_scope *around, struct texts *names);

/* sql_to_ir_from.c */
void sql_read_from(struct sql_reading *reading, struct sql_scope *scope,
                   const struct sql_node *from);

/* sql_to_ir_joins.c: moves join conditions out of WHERE, writes what is not the default
 */
void sql_settle_joins(struct sql_reading *reading, struct sql_scope *scope);

/* sql_to_ir_names.c */
struct ir_node *sql_read_column(struct sql_reading *reading, const struct sql_node *node);

/* sql_to_ir_event.c: the first date of the same key, by a query inside; NULL: it is
 * none */
struct ir_node *sql_make_event(struct sql_reading *reading, const struct ir_query *query);
/* A date some units later: date(d, '+3 days'), date(d, n || ' days'); NULL: it is none */
struct ir_node *sql_make_shift(struct sql_reading *reading, struct ir_node *date,
                               const struct ir_node *modifier);
/* n || ' days', until it is known what for; NULL: it is none */
struct ir_node *sql_make_modifier(struct sql_reading *reading, struct ir_nodes *parts);

/* sql_to_ir_exists.c: EXISTS as IN where one key ties it to the query around */
struct ir_node *sql_make_exists(struct sql_reading *reading, struct ir_node *inner);

/* sql_to_ir_own.c: ir_growth(…), ir_during(d, 'last month'): the IR's words in SQL */
struct ir_node *sql_make_own(struct sql_reading *reading, const char *name,
                             struct ir_nodes *args);

/* sql_to_ir_template.c: a date as we write it; NULL: it is none */
struct ir_node *sql_read_template(struct sql_reading *reading,
                                  const struct sql_node *node);

/* sql_to_ir_expression.c: values and conditions */
struct ir_node *sql_read_value(struct sql_reading *reading, const struct sql_node *node);

/* sql_to_ir_case.c */
struct ir_node *sql_read_case(struct sql_reading *reading, const struct sql_node *node);

/* sql_to_ir_function.c */
struct ir_node *sql_read_call(struct sql_reading *reading, const struct sql_node *call);
struct ir_node *sql_read_cast(struct sql_reading *reading, const struct sql_node *node);
struct ir_node *sql_read_extract(struct sql_reading *reading,
                                 const struct sql_node *node);

/* sql_to_ir_window.c */
struct ir_node *sql_read_over(struct sql_reading *reading, const struct sql_node *call,
                              struct ir_nodes *args);
const struct sql_window *sql_window_of(const struct sql_reading *reading,
                                       const struct ir_node *node);
bool sql_is_total(const struct ir_node *node);
/* sum(x) OVER (ORDER BY x DESC): only of the total it has a word, `cumulative`. */
bool sql_is_cumulative(const struct ir_node *node);

/* sql_to_ir_arithmetic.c */
struct ir_node *sql_make_binary(struct sql_reading *reading, enum ir_keyword keyword,
                                struct ir_node *a, struct ir_node *b);
struct ir_node *sql_make_concat(struct sql_reading *reading, struct ir_nodes *parts);
struct ir_node *sql_make_real(struct sql_reading *reading, struct ir_node *node);
struct ir_node *sql_drop_real(struct ir_node *node);

/* sql_to_ir_condition.c */
struct ir_node *sql_make_chain(struct sql_reading *reading, enum ir_keyword keyword,
                               struct ir_nodes *parts);
struct ir_node *sql_make_test(struct sql_reading *reading, enum ir_keyword keyword,
                              struct ir_node *a, struct ir_node *b);
struct ir_node *sql_make_not(struct sql_reading *reading, struct ir_node *node);
/* escape: the sign that makes the next one mean itself; or '\0'. */
struct ir_node *sql_make_like(struct sql_reading *reading, struct ir_node *a,
                              const char *pattern, char escape);

/* sql_to_ir_date.c */
bool sql_is_time(const struct sql_reading *reading, const struct ir_node *node);
/* date('now', '-1 month') and the like, over what the arguments say. */
struct ir_node *sql_make_date(struct sql_reading *reading, struct ir_nodes *args);
struct ir_node *sql_make_strftime(struct sql_reading *reading, struct ir_nodes *args);
/* 1767225600 beside a date that is kept in seconds: 2026-01-01; else the number itself. */
struct ir_node *sql_day_of_seconds(struct sql_reading *reading, const struct ir_node *of,
                                   struct ir_node *number);
/* A test with a date in it, or NULL when it is nothing special. */
struct ir_node *sql_make_date_test(struct sql_reading *reading, enum ir_keyword keyword,
                                   struct ir_node *a, struct ir_node *b);
/* 2024-03, last month, last 30 days, 2 weeks ago */
struct ir_node *sql_read_period(struct sql_reading *reading, const char *text);

/* sql_to_ir_period.c */
/* Two bounds that make a period: `during`, or NULL. */
struct ir_node *sql_make_during(struct sql_reading *reading, const struct ir_node *low,
                                const struct ir_node *high);
/* A date that is no value of the question may begin or end a period that is one. */
void sql_shorten_date(struct sql_reading *reading, struct ir_node *test);

/* sql_to_ir_merge.c: a query over a query as one, where that means the same */
bool sql_merge(struct sql_reading *reading, struct sql_scope *scope, bool right_part);
void sql_settle_shares(struct ir_query *query);

#endif
