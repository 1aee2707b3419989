/* "As a pie": the rows of the last answer again, without a new query. */
#ifndef DGM_AGENT_AGAIN_H
#define DGM_AGENT_AGAIN_H

#include "agent/run.h"

/* Takes over the last answer of the conversation if the message asks for nothing but another
 * chart of it. False: it is a question like others, or the rows are gone or incomplete. */
bool again_take(struct run *run);
/* Drops the messages from the conversation that only asked for another chart: what follows them
 * goes on from the question before. */
void again_forget(struct run *run);

#endif
