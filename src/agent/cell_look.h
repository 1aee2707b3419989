/* Is a text a cell of a column? Asked of the database directly, for a moment. */
#ifndef DGM_AGENT_CELL_LOOK_H
#define DGM_AGENT_CELL_LOOK_H

#include <stdbool.h>

struct column;
struct run;
struct table;
struct texts;

enum cell_look { CELL_UNKNOWN, CELL_ABSENT, CELL_PRESENT };

/*
 * One small query. Unknown: it may not run (approval, dry run, an engine that asks money for what is
 * read, several datasources at once), it took too long, or the question has looked often enough.
 */
enum cell_look cell_look(struct run *run, const struct table *table,
                         const struct column *column, const char *text);
/* Is one of these a cell of any text column of the table? Capitals do not count. */
enum cell_look cell_look_words(struct run *run, const struct table *table,
                               const struct texts *words);

#endif
