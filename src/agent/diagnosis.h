/* Why SQL failed, as far as it can be told without a model (class, cause,
 * suggestion).
 */
#ifndef DGM_AGENT_DIAGNOSIS_H
#define DGM_AGENT_DIAGNOSIS_H

#include "agent/run.h"

/* Fills run->query.why for the present SQL and its error. The SQL with all names
 * put right, when names alone were wrong and each can mean only one thing; else NULL. */
const char *diagnosis_make(struct run *run);
/* Is the cause certain? Then no model needs to look for it. */
bool diagnosis_certain(const struct run *run);
/* The diagnosis as a sentence or two for a prompt; NULL when there is none. */
const char *diagnosis_text(struct run *run);

#endif
