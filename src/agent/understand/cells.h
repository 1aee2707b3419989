/* Cells of the database that the question names; they are added to a model's prompt. */
#ifndef DGM_AGENT_CELLS_H
#define DGM_AGENT_CELLS_H

struct run;

/* customers.city = "Rome". */
void cells_add(struct run *run, const char *table, const char *column, const char *text);
/* Finds them once per run. Cells of remote databases are not read for this, and none
 * where rows may not be sent to a model. */
void cells_find(struct run *run);

#endif
