/* A user's answer to a clarifying question: from words to what has happened. */
#ifndef DGM_AGENT_ANSWERING_H
#define DGM_AGENT_ANSWERING_H

#include "agent/run.h"

/* Takes the answer into the notebook and says the event. On a worker thread: the
 * datasource is opened and its schema looked up again. */
enum event answering_event(struct run *run, const char *text, struct err *err);

/* Does it approve what waits for an approval? */
bool answering_says_yes(const char *text);
/* Is what the user said plainly a question of its own and not the answer? Looks at
 * nothing but the checkpoint and the schema cache. */
bool answering_is_new(struct run *run, const char *text);

#endif
