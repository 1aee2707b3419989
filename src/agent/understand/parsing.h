/* `parsed_query` of the answer: what the question means, from a model's reply or from the
 * run. */
#ifndef DGM_AGENT_PARSING_H
#define DGM_AGENT_PARSING_H

#include "agent/run.h"
#include "agent/understand/sql_parts.h"

/* Takes confidence, entities, filters and time range from a reply. */
void parsing_read(struct run *run, const json_t *json);
/* FORMAT_RESULTS: fills in what is missing, also from the SQL. */
void parsing_fill(struct run *run, const struct sql_parts *parts);
/* The words that name a time: "in march 2024", "the last 3 months"; NULL: none. */
const char *parsing_time(struct arena *arena, const char *question);

#endif
