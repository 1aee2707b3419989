/* Derives what a reply does not state from its SQL: tables, joins, filters and steps. */
#ifndef DGM_AGENT_SQL_FACTS_H
#define DGM_AGENT_SQL_FACTS_H

#include <jansson.h>

struct run;

/* Fills in what the reply left out; what it states is kept. */
void sql_facts_fill(struct run *run, const json_t *reply);

#endif
