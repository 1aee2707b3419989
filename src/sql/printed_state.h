/* What the files of the print share. */
#ifndef DGM_SQL_PRINTED_STATE_H
#define DGM_SQL_PRINTED_STATE_H

#include "sql/printed.h"
#include "sql/tree/tree.h"

/* printed.c: NULL when it is too long. */
const char *printed_one(struct arena *arena, enum dialect dialect,
                        const struct sql_node *node);

/* printed_heading.c: columns that the engine would name by the text of the query get
 * the name they had. */
void printed_headings(struct printed *printed);

#endif
