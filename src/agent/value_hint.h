/* Why there may be no rows: a literal that no cell is, though one is nearly. */
#ifndef DGM_AGENT_VALUE_HINT_H
#define DGM_AGENT_VALUE_HINT_H

#include "agent/run.h"

/* Adds "No city is 'Romee'; did you mean 'Rome'?" to the warnings of an answer that found
 * nothing, for texts that its SQL compares a column with. The cells never go further than
 * the answer. */
void value_hint(struct run *run);

#endif
