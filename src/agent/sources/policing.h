/* What the policies of a question's datasources require of the agent. The datasources
 * themselves enforce what may be read. */
#ifndef DGM_AGENT_POLICING_H
#define DGM_AGENT_POLICING_H

#include <stdbool.h>
#include <stdint.h>

#include "knowledge/schema/schema_text.h"

struct run;

/* May prompts contain cell values? Both llm.send_rows and send_rows of each policy must
 * allow it. */
bool policing_sends_rows(const struct run *run);
struct schema_text_settings policing_text_settings(const struct run *run);
/* Must the user approve each statement? If agent.approval or a policy says so. */
bool policing_wants_approval(const struct run *run);
/* Maximum number of rows that a query may be expected to read; 0: no limit. *strict: a
 * policy sets it, so an unknown estimate is refused. */
int64_t policing_max_cost(const struct run *run, bool *strict);
/* Maximum size of a result in bytes. */
int64_t policing_max_bytes(const struct run *run);
/* Tells in the answer that a policy hides a part of the data. */
void policing_note(struct run *run);

#endif
