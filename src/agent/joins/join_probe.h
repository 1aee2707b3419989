/* Checks in the datasource whether two columns have values in common. */
#ifndef DGM_AGENT_JOIN_PROBE_H
#define DGM_AGENT_JOIN_PROBE_H

#include "knowledge/keys/join_guess.h"
#include "agent/run.h"

/* Queries run only where they are free (a local source without approval); otherwise the
 * sample values of the schema are compared. The probe's context is the run. */
struct join_probe join_probe_of(struct run *run);

#endif
