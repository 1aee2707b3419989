/* What the policies of a question's datasources ask of the agent; the datasources hold
 * back by themselves what may not be seen. */
#ifndef DGM_AGENT_POLICING_H
#define DGM_AGENT_POLICING_H

#include <stdbool.h>
#include <stdint.h>

#include "knowledge/schema/schema_text.h"

struct run;

/* May cell values stand in prompts? llm.send_rows, and send_rows of each policy. */
bool policing_sends_rows(const struct run *run);
struct schema_text_settings policing_text_settings(const struct run *run);
/* Must a person say yes before anything runs? agent.approval, and approval of each. */
bool policing_wants_approval(const struct run *run);
/* Rows that a query may be expected to read; 0: no bound. *strict: a policy says so, so
 * not knowing is no excuse. */
int64_t policing_max_cost(const struct run *run, bool *strict);
/* The most bytes of a result that are given. */
int64_t policing_max_bytes(const struct run *run);
/* Tells in the answer that it is not about everything there is. */
void policing_note(struct run *run);

#endif
