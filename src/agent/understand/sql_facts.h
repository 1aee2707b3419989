/* What a reply need not say, because its SQL does: tables, joins, filters, steps. */
#ifndef DGM_AGENT_SQL_FACTS_H
#define DGM_AGENT_SQL_FACTS_H

#include <jansson.h>

struct run;

/* Fills what the reply, which holds SQL, left out; what it states stays. */
void sql_facts_fill(struct run *run, const json_t *reply);

#endif
