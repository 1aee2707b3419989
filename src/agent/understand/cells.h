/* Cells of the database that words of a question name: what a model is told of them. */
#ifndef DGM_AGENT_CELLS_H
#define DGM_AGENT_CELLS_H

struct run;

/* customers.city = "Rome". */
void cells_add(struct run *run, const char *table, const char *column, const char *text);
/* Looks them up, unless somebody has done so. Cells that are far away are not read for
 * this, and none where rows may not be sent. */
void cells_find(struct run *run);

#endif
