/*
 * No text is made up: a comparison of a column with a text that no cell of it has. SQL of a model or of the
 * built-in parser is corrected where only one cell can be meant. Everything else is told.
 */
#ifndef DGM_AGENT_LITERALS_H
#define DGM_AGENT_LITERALS_H

#include <stdbool.h>

struct answer;
struct run;

/* Before the SQL is compiled; may change run->answer.sql, and warns about every text that no cell has. */
void literals_check(struct run *run);
/* After it ran and found nothing: the cell that may be meant by a text which could not be checked before. */
void literals_hint(struct run *run);
/* No row, or a single row that counts or sums up none. */
bool literals_found_nothing(const struct answer *answer);

#endif
