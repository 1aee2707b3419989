/* Days that a question writes like the columns of the schema. */
#ifndef DGM_AGENT_DAYS_H
#define DGM_AGENT_DAYS_H

#include "agent/run.h"

/* Days like "05/03/2026" as 2026-03-05, where the columns tell which is the month. */
const char *days_as_columns(struct run *run, const char *question);

#endif
