/* Finds out why SQL failed, without a model: class, cause and suggestion. */
#ifndef DGM_AGENT_DIAGNOSIS_H
#define DGM_AGENT_DIAGNOSIS_H

#include "agent/run.h"

/*
 * Fills run->query.why for the current SQL and its error. Returns the SQL with corrected
 * names if wrong names are the only error and each can be corrected in only one way; else
 * NULL.
 */
const char *diagnosis_make(struct run *run);
/* Is the cause certain? Then no model is asked for it. */
bool diagnosis_certain(const struct run *run);
/* The diagnosis as a sentence or two for a prompt; NULL when there is none. */
const char *diagnosis_text(struct run *run);

#endif
