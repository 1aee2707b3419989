/* Two tables can be joined by several keys: is the one in the parser's SQL right, and
 * what if the user chooses another? */
#ifndef DGM_AGENT_JOIN_CHOICE_H
#define DGM_AGENT_JOIN_CHOICE_H

#include "agent/joins/joins.h"
#include "agent/run.h"

/* Does the SQL use one of these joins although the question says nothing about which? */
bool join_choice_open(struct run *run, const struct joins_result *result,
                      const char *sql);
/* The same for a reading that was not chosen yet. */
bool join_choice_unclear(struct run *run, const struct run_reading *reading);
/* The SQL with the joins that the user decided on, in place of other joins between the
 * same tables. */
const char *join_choice_apply(struct run *run, const char *sql);

#endif
