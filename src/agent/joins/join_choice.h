/* SQL that the parser wrote joins two tables by one of several keys: is it the right one,
 * and what if the user says which? */
#ifndef DGM_AGENT_JOIN_CHOICE_H
#define DGM_AGENT_JOIN_CHOICE_H

#include "agent/joins/joins.h"
#include "agent/run.h"

/* Is the SQL joined by one of these options, without a word of the question for any? */
bool join_choice_open(struct run *run, const struct joins_result *result,
                      const char *sql);
/* The same for a reading that is not taken yet. */
bool join_choice_unclear(struct run *run, const struct run_reading *reading);
/* The SQL with the joins that the user has decided on, in the place of others between the
 * same two tables. */
const char *join_choice_apply(struct run *run, const char *sql);

#endif
