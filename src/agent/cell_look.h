/* Looks up in the database whether a text occurs in a column. */
#ifndef DGM_AGENT_CELL_LOOK_H
#define DGM_AGENT_CELL_LOOK_H

#include <stdbool.h>

struct column;
struct run;
struct table;
struct texts;

enum cell_look { CELL_UNKNOWN, CELL_ABSENT, CELL_PRESENT };

/*
 * Runs one small query. Returns UNKNOWN if it may not run (approval, dry run, an engine
 * that charges for data read, several datasources), if it took too long, or if the
 * question has used up its look-ups.
 */
enum cell_look cell_look(struct run *run, const struct table *table,
                         const struct column *column, const char *text);
/* Does one of the texts occur in any text column of the table? Ignores case. */
enum cell_look cell_look_words(struct run *run, const struct table *table,
                               const struct texts *words);

#endif
