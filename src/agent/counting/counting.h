/*
 * Whether the figures of a query count each row once. SQL of a model or of the built-in
 * parser is corrected where only one correction is right; a person's own SQL runs as it is
 * written. What stays is told in a warning.
 */
#ifndef DGM_AGENT_COUNTING_H
#define DGM_AGENT_COUNTING_H

#include <stdbool.h>

struct arena;
struct err;
struct rows;
struct run;
struct sql_statement;
struct tie_next;

/* "stores" -> "store"; NULL: the name is no plain plural. */
const char *counting_one_of(struct run *run, const char *name);
/* The SQL with amounts and dates that are kept as text read as such, and spellings of one text as one; NULL: it has none. */
const char *counting_read_kept(struct run *run, struct arena *arena,
                               const struct sql_statement *statement);

/* Before the SQL is compiled; may change run->answer.sql. False, with err: the SQL has a
 * mistake that whoever wrote it must correct. */
bool counting_correct(struct run *run, struct err *err);
/* After it compiled: warnings about what stays. */
void counting_tell(struct run *run);
/* Before it runs: the query with the row after the last one of a ranking. False: it runs as it is. */
bool counting_watch_tie(struct run *run, struct tie_next *out);
/* When that has run: takes this row out again, and notes whether it shows that there is no tie. */
void counting_note_tie(struct run *run, const struct tie_next *next, struct rows *rows);
/* After it ran: a warning about rows that a small LIMIT cuts off though they are equal. */
void counting_tell_ties(struct run *run);

#endif
