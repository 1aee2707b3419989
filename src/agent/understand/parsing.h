/* What a question was understood to say (`parsed_query` of the answer): from a model's reply, or from
 * what the machine found out itself. */
#ifndef DGM_AGENT_PARSING_H
#define DGM_AGENT_PARSING_H

#include "agent/run.h"
#include "agent/understand/sql_parts.h"

/* Takes confidence, entities, filters and time range from a reply. */
void parsing_read(struct run *run, const json_t *json);
/* FORMAT_RESULTS: fills in what nobody said, also from what the SQL says. */
void parsing_fill(struct run *run, const struct sql_parts *parts);
/* "in march 2024", "the last 3 months": the words that name a time; NULL when none do. */
const char *parsing_time(struct arena *arena, const char *question);

#endif
