/* From when to when the rows of a table are: so that a question about time names real
 * dates. */
#ifndef DGM_AGENT_DATE_RANGE_H
#define DGM_AGENT_DATE_RANGE_H

#include "agent/run.h"
#include "agent/suggest/suggest.h"

/* By the profile, else by asking the database for the two ends, briefly. */
void date_range_find(struct run *run, const struct table *table,
                     struct suggest_range *out);

#endif
