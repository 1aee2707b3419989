/* Finds the first and last date in a table, so that questions about time mention dates
 * that exist. */
#ifndef DGM_AGENT_DATE_RANGE_H
#define DGM_AGENT_DATE_RANGE_H

#include "agent/run.h"
#include "agent/suggest/suggest.h"

/* From the profile if it has them, else by a quick query. */
void date_range_find(struct run *run, const struct table *table,
                     struct suggest_range *out);
/* Asks the database for the last date in a column; false if that is not cheap. */
bool date_range_last(struct run *run, const struct table *table,
                     const struct column *column, char out[11]);

#endif
