/* What the writer of SQL knows, and how its files call each other. */
#ifndef DGM_PARSER_REBUILD_STATE_H
#define DGM_PARSER_REBUILD_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "parser/ir/ir_joins.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"
#include "parser/to_sql/rebuild.h"
#include "parser/words/calendar.h"

/* One SELECT that is being written. */
struct rebuild_query {
    struct ir_query *query;
    struct ir_plan plan;
    struct rebuild_query *around;
    int depth;               /* of queries within queries, for the letters of aliases */
    bool qualified;          /* columns are written with their table */
    bool aliased;            /* and tables have short names t1, t2, … */
    const char **item_names; /* of what the query in FROM selects */
    const char **aliases;    /* of what this one selects; NULL where it has none */
};

/*
 * One query on its way from IR to SQL. The first construct that the dialect cannot
 * express sets `failed` and fills `err`; what is in `out` must not be used then.
 */
struct rebuilding {
    struct arena *arena;
    const struct rebuild_request *request;
    const struct ir_schema *schema;
    enum dialect dialect;
    struct rebuild_result *result;
    struct err *err;
    bool failed;
    struct buf out;
    struct rebuild_query *current;
};

/* From the first day up to, not with, the last. Either may be open. */
struct rebuild_span {
    struct calendar_day from;
    struct calendar_day to;
    int month_of; /* 1 to 12: this month of any year; 0: not that */
    int quarter_of;
    int year; /* the span is this year; 0: not that */
};

/* rebuild.c */
bool rebuild_fail(struct rebuilding *rebuilding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));                                 /* false */
void rebuild_inner(struct rebuilding *rebuilding, struct ir_query *query); /* in ( ) */
void rebuild_order(struct rebuilding *rebuilding, const struct ir_query *query);
void rebuild_body(struct rebuilding *rebuilding); /* FROM … HAVING */

/* rebuild_from.c */
bool rebuild_plan(struct rebuilding *rebuilding, struct rebuild_query *query);
void rebuild_from(struct rebuilding *rebuilding);
void rebuild_column(struct rebuilding *rebuilding, const struct ir_node *node);
void rebuild_name_of_table(struct rebuilding *rebuilding, int table);
void rebuild_table_star(struct rebuilding *rebuilding, int table);
/* The columns of the one table of which every row of the answer is a row; false, with
 * nothing written, where there is none. */
bool rebuild_rows_star(struct rebuilding *rebuilding);

/* rebuild_expression.c */
void rebuild_expression(struct rebuilding *rebuilding, const struct ir_node *node);
void rebuild_list(struct rebuilding *rebuilding, const struct ir_nodes *nodes);
enum { REBUILD_BINDS_ALL = 3 };
void rebuild_operand(struct rebuilding *rebuilding, const struct ir_node *node,
                     int precedence); /* in ( ) when it binds less */

/* rebuild_bucket.c */
void rebuild_bucket(struct rebuilding *rebuilding, const struct ir_node *node);

/* rebuild_value.c */
enum ir_type rebuild_type(const struct rebuilding *rebuilding,
                          const struct ir_node *node);
const struct ir_column *rebuild_column_of(const struct rebuilding *rebuilding,
                                          const struct ir_node *node); /* or NULL */
const struct ir_value *rebuild_value_of(struct rebuilding *rebuilding,
                                        const struct ir_node *node);
/* A literal as it must be written beside something of that type. */
void rebuild_value(struct rebuilding *rebuilding, const struct ir_node *node,
                   enum ir_type beside);
void rebuild_text(struct rebuilding *rebuilding, const char *before, const char *text,
                  const char *after); /* quoted */
bool rebuild_count(struct rebuilding *rebuilding, const struct ir_node *node,
                   long long *count); /* a whole number, not negative */

/* rebuild_condition.c */
void rebuild_condition(struct rebuilding *rebuilding, const struct ir_node *node);

/* rebuild_date.c */
bool rebuild_is_date_call(enum ir_keyword keyword);
void rebuild_date_call(struct rebuilding *rebuilding, const struct ir_node *node);
void rebuild_day(struct rebuilding *rebuilding, const struct calendar_day *day,
                 const struct ir_column *column); /* a literal */

/* A date, made one where it is kept as something else. */
void rebuild_date(struct rebuilding *rebuilding, const struct ir_node *node);
/* A template with everything after a $ filled in by the caller's function. */
void rebuild_template(struct rebuilding *rebuilding, const char *template,
                      const struct ir_node *node,
                      void (*fill)(struct rebuilding *rebuilding,
                                   const struct ir_node *node, char hole));

/* rebuild_statistics.c */
bool rebuild_is_statistic(enum ir_keyword keyword);
void rebuild_statistic(struct rebuilding *rebuilding, const struct ir_node *node);
/* Medians where the database has none: the same query over numbered rows. */
struct ir_query *rebuild_number_rows(struct rebuilding *rebuilding,
                                     struct ir_query *query);

/* rebuild_event.c */
bool rebuild_is_event(enum ir_keyword keyword);
void rebuild_event(struct rebuilding *rebuilding, const struct ir_node *node);
void rebuild_shift(struct rebuilding *rebuilding, const struct ir_node *node);

/* rebuild_text.c */
bool rebuild_is_piece(enum ir_keyword keyword);
void rebuild_piece(struct rebuilding *rebuilding, const struct ir_node *node);

/* rebuild_period.c */
bool rebuild_today(const struct rebuilding *rebuilding, struct calendar_day *day);
bool rebuild_span(struct rebuilding *rebuilding, const struct ir_node *period,
                  struct rebuild_span *span);
/* The same for `during`: "3 months ago" is that month, not a day. */
bool rebuild_span_during(struct rebuilding *rebuilding, const struct ir_node *period,
                         struct rebuild_span *span);

/* rebuild_window.c */
void rebuild_window(struct rebuilding *rebuilding, const struct ir_node *node);
void rebuild_first_of_each(struct rebuilding *rebuilding, const struct ir_query *query);
/* A name for people to read of anything that is computed. */
const char *rebuild_heading(struct rebuilding *rebuilding, const struct ir_node *node);
const char *rebuild_item_name(struct rebuilding *rebuilding, const struct ir_node *node,
                              const char **names, size_t count);

#endif
