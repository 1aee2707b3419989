/* Learns lessons from a finished question. */
#ifndef DGM_AGENT_LEARNING_H
#define DGM_AGENT_LEARNING_H

#include "agent/run.h"

/*
 * After an answer with rows: stores lessons from the user's corrections (confidence 0.95)
 * and from SQL that failed before it was corrected (0.8; 0.9 if a rule or the guard's
 * list shows why). A failure to store is only logged.
 */
void learning_rest(struct run *run);
/* What a user says that a word means (meaning.h). */
void learning_keep_meaning(struct run *run);

#endif
