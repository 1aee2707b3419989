/* Functions shared by the files of this folder. */
#ifndef DGM_AGENT_COUNTING_STATE_H
#define DGM_AGENT_COUNTING_STATE_H

#include "agent/run.h"
#include "sql/counting/fanout.h"
#include "sql/counting/mistake.h"

/* The relation of the SELECT with this case-folded name; NULL if there is none or more
 * than one. */
const struct sql_relation *counting_relation_called(const struct sql_scope *scope,
                                                    const char *folded);
bool counting_names_table(const char *folded, const struct table *table);

/* A statement with its names resolved. */
struct counting_sql {
    struct sql_statement statement;
    const struct sql_resolved *resolved;
};

/* The current SQL; false when it cannot be parsed, or there is no schema. The tree
 * belongs to the run and must not be changed: use counting_sql_anew for a copy. */
bool counting_sql(struct run *run, struct counting_sql *out);
bool counting_sql_anew(struct run *run, struct counting_sql *out);

/* Does the question ask how many rows of this table there are ("how many customers …"),
 * and of no other table of the SELECT? */
bool counting_is_asked(struct run *run, const struct sql_relation *relation);

/* The table that the question counts ("how many tickets …"), also if the SQL does not have
 * it; or NULL. */
const struct table *counting_table_asked(struct run *run);

/* Whose value a figure is, according to the question. */
enum counting_holder {
    HOLDER_UNSAID,
    HOLDER_SUBJECT, /* "the weight of pets with visits": each pet has one */
    HOLDER_REPEATER /* "the price of sales": each sale has one */
};
enum counting_holder counting_holder(struct run *run, const struct sql_resolved *resolved,
                                     const struct fanout *fanout);

/* Does the question ask for every pair of two things? */
bool counting_wants_pairs(struct run *run);

/* May a small extra query run? Not if queries cost money, need approval, or the tables
 * are large. */
bool counting_may_measure(struct run *run);
/* Runs a small query; false when there is no result in time. */
bool counting_read(struct run *run, const char *sql, size_t most, struct rows *rows);
/* The same for a query that gives one row. */
bool counting_measure(struct run *run, const char *sql, size_t columns,
                      struct rows *rows);
/* "83,400,000" */
const char *counting_number(struct run *run, const struct value *value);

/* The changed text if it passes the same checks as the original; else NULL. */
const char *counting_accepted(struct run *run, const char *sql);

/* Keeps groups that have nothing to count, if the question asks about each of them. */
void counting_keep_childless(struct run *run);
/* Warns how many of them are not shown. */
void counting_tell_childless(struct run *run);
/* Replaces an average of averages by the average over all rows, if that is asked for. */
void counting_weigh_averages(struct run *run);
/* Warns about averages that do not weight each row equally. */
void counting_tell_averages(struct run *run);
/* Keeps groups of rows that an inner join would drop. */
void counting_keep_rows(struct run *run);
/* Warns how many rows are dropped. */
void counting_tell_left_out(struct run *run);
/* Warns how many rows have no value, where a condition excludes values. */
void counting_tell_unequal(struct run *run);
/* Counts each thing once, where rows that link it to others are counted. */
void counting_count_things(struct run *run);
/* Warns where they are counted in groups. */
void counting_tell_things(struct run *run);
/* Lets INTERSECT and EXCEPT compare rows by their key, where several look the same. */
void counting_part_namesakes(struct run *run);
/* Warns where INTERSECT and EXCEPT take several rows of a table as one. */
void counting_tell_namesakes(struct run *run);
/* Converts amounts and dates that are stored as text. */
void counting_keep_kept(struct run *run);
/* Warns about those that are not converted, in the user's own SQL. */
void counting_tell_kept(struct run *run);
/* Treats values that differ only in blanks and case as one, where a condition names one
 * of them. */
void counting_join_variants(struct run *run);
/* Warns about groups that differ only in that. */
void counting_tell_variants(struct run *run);
/* Excludes NULL from "the oldest": it must have an age. */
void counting_skip_nulls(struct run *run);

const char *counting_table(const struct sql_relation *relation);
/* "order_lines" are order lines. */
const char *counting_in_words(struct run *run, const char *name);

#endif
