/*
 * Checks whether the figures of a query count each row exactly once. SQL from a model or
 * the built-in parser is corrected if only one correction is possible; a user's own SQL
 * is never changed. Remaining problems become warnings.
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

/* "stores" -> "store"; NULL if the name is not a regular plural. */
const char *counting_one_of(struct run *run, const char *name);
/* The SQL with amounts and dates that are kept as text read as such, and spellings of one text as one; NULL: it has none. */
const char *counting_read_kept(struct run *run, struct arena *arena,
                               const struct sql_statement *statement);

/* Call it before the SQL is compiled; may change run->answer.sql. False and err: the SQL
 * has an error that its author must correct. */
bool counting_correct(struct run *run, struct err *err);
/* After the SQL has compiled: adds warnings about what was not corrected. */
void counting_tell(struct run *run);
/* Before a ranking runs: asks for one row more than its LIMIT, to detect a tie. False: it
 * runs unchanged. */
bool counting_watch_tie(struct run *run, struct tie_next *out);
/* After it ran: removes that row, and notes whether it proves that there is no tie. */
void counting_note_tie(struct run *run, const struct tie_next *next, struct rows *rows);
/* After it ran: warns about rows that a small LIMIT cut off although they are tied. */
void counting_tell_ties(struct run *run);
/* After it ran: warns if the data end within the last month, quarter or year that is shown. */
void counting_tell_cut_period(struct run *run);

#endif
