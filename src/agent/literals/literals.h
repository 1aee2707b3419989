/*
 * Finds comparisons with texts that occur in no cell of the column. SQL from a model or
 * the built-in parser is corrected if only one cell can be meant; otherwise there is a
 * warning.
 */
#ifndef DGM_AGENT_LITERALS_H
#define DGM_AGENT_LITERALS_H

#include <stdbool.h>

struct answer;
struct run;

/* Call it before the SQL is compiled; may change run->answer.sql. Warns about every text
 * that occurs in no cell. */
void literals_check(struct run *run);
/* The SQL with every spelling of a text that it compares with: 'Gdańsk' and 'Gdansk'. NULL: each has one.
 * `words` are those of a reading, and become those of the other one. */
const char *literals_every_spelling(struct run *run, const char *sql, const char **words);
/* After a query found nothing: suggests the cell that may be meant by a text that could
 * not be checked before. */
void literals_hint(struct run *run);
/* No row, or one row with a count or a sum of nothing. */
bool literals_found_nothing(const struct answer *answer);

#endif
