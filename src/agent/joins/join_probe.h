/* Looks into a datasource whether two columns share their values. */
#ifndef DGM_AGENT_JOIN_PROBE_H
#define DGM_AGENT_JOIN_PROBE_H

#include "knowledge/keys/join_guess.h"
#include "agent/run.h"

/* Only where queries may be tried freely (a local source, no approval wanted); else the
 * sample values of the schema tell what they can. context is the run. */
struct join_probe join_probe_of(struct run *run);

#endif
