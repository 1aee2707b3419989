/* How likely a change of the SQL before is right: by its own probability, and by how sure the answer before was. */
#ifndef DGM_AGENT_CONFIDENCE_TURN_H
#define DGM_AGENT_CONFIDENCE_TURN_H

#include "agent/run.h"

/* Of a later turn that the parser read as a change with this probability. */
double confidence_of_change(struct run *run, double probability);

#endif
