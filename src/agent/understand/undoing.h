/* "Undo that", "go back": the answer before the last one, once more. */
#ifndef DGM_AGENT_UNDOING_H
#define DGM_AGENT_UNDOING_H

#include "agent/run.h"

/* Does the text ask for nothing else? */
bool undoing_wanted(struct arena *arena, const char *text);
/* The SQL to go back to, as a reading; NULL: there is no earlier answer. What was undone before does not count, so
 * that several in a row go back further. */
const struct run_reading *undoing_reading(struct run *run);

#endif
