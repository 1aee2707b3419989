/* How tables may belong together where no key says it, for a prompt. */
#ifndef DGM_AGENT_GUESSES_H
#define DGM_AGENT_GUESSES_H

#include "agent/run.h"

struct schema_text;
struct slot;

/* For the tables that the text shows; false: there is nothing to say. */
bool guesses_put(struct run *run, struct slot *values, const struct schema_text *text);

#endif
