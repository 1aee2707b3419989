/* Comparisons with a period that is not over: "2025 against 2026" in the autumn of 2026. */
#ifndef DGM_AGENT_UNFINISHED_H
#define DGM_AGENT_UNFINISHED_H

struct run;

/* Warns where figures of such a period stand beside those of one that is over. */
void unfinished_tell(struct run *run);

#endif
