/* What the files of counting share. */
#ifndef DGM_AGENT_COUNTING_STATE_H
#define DGM_AGENT_COUNTING_STATE_H

#include "agent/run.h"
#include "sql/counting/fanout.h"
#include "sql/counting/mistake.h"

/* The relation of the SELECT that a folded word names; NULL: none, or several. */
const struct sql_relation *counting_relation_called(const struct sql_scope *scope,
                                                    const char *folded);
bool counting_names_table(const char *folded, const struct table *table);

/* A statement and what its names mean. */
struct counting_sql {
    struct sql_statement statement;
    const struct sql_resolved *resolved;
};

/* The present SQL; false when it cannot be read, or there is no schema. The tree is the run's own:
 * whoever uses it up takes one with counting_sql_anew. */
bool counting_sql(struct run *run, struct counting_sql *out);
bool counting_sql_anew(struct run *run, struct counting_sql *out);

/* Does the question count this table ("how many customers …"), and not another of the
 * SELECT? */
bool counting_is_asked(struct run *run, const struct sql_relation *relation);

/* Whose value a figure is by the words of the question. */
enum counting_holder {
    HOLDER_UNSAID,
    HOLDER_SUBJECT, /* "the weight of pets with visits": each pet has one */
    HOLDER_REPEATER /* "the price of sales": each sale has one */
};
enum counting_holder counting_holder(struct run *run, const struct sql_resolved *resolved,
                                     const struct fanout *fanout);

/* Does the question ask for every pair of two things? */
bool counting_wants_pairs(struct run *run);

/* May a small query of ours run? Not where each one costs money or wants approval, and not
 * over tables that are large. */
bool counting_may_measure(struct run *run);
/* Runs a small query; false when it cannot tell in time. */
bool counting_read(struct run *run, const char *sql, size_t most, struct rows *rows);
/* Runs a query that gives one row; false when it cannot tell in time. */
bool counting_measure(struct run *run, const char *sql, size_t columns,
                      struct rows *rows);
/* "83,400,000" */
const char *counting_number(struct run *run, const struct value *value);

/* The changed text, when it passes what the first one has passed; else NULL. */
const char *counting_accepted(struct run *run, const char *sql);

/* Groups for things that have nothing to count, where each of them is asked about. */
void counting_keep_childless(struct run *run);
/* Tells how many of them are not shown. */
void counting_tell_childless(struct run *run);
/* An average of averages where one over all rows is asked for. */
void counting_weigh_averages(struct run *run);
/* Tells of averages that do not weigh each row alike. */
void counting_tell_averages(struct run *run);
/* Groups for rows that an inner join would drop. */
void counting_keep_rows(struct run *run);
/* Tells how many rows are dropped. */
void counting_tell_left_out(struct run *run);
/* Amounts and dates that are kept as text are read as such. */
void counting_keep_kept(struct run *run);
/* Tells which are not, in SQL that runs as it is written. */
void counting_tell_kept(struct run *run);
/* Values that differ by blanks and capitals alone: one where a condition names one of them. */
void counting_join_variants(struct run *run);
/* Tells of groups that differ by no more. */
void counting_tell_variants(struct run *run);
/* "The oldest" has an age. */
void counting_skip_nulls(struct run *run);

const char *counting_table(const struct sql_relation *relation);

#endif
