/* What a question teaches once it is at rest. */
#ifndef DGM_AGENT_LEARNING_H
#define DGM_AGENT_LEARNING_H

#include "agent/run.h"

/* After an answer with rows: lessons from the user's corrections (confidence 0.95) and
 * from SQL that failed before it succeeded (0.8; 0.9 where a rule or the guard's own list
 * shows why). A failure to keep one is only logged. */
void learning_rest(struct run *run);

#endif
