/*
 * Two brains check each other: where a model wrote the answer's SQL and the built-in
 * parser had a reading of its own, both are run, and their rows are compared.
 */
#ifndef DGM_AGENT_UNDERSTAND_AGREEING_H
#define DGM_AGENT_UNDERSTAND_AGREEING_H

struct run;

/* After the answer's rows are there. Sets run->query.agreement, and tells of a reading
 * that gives other rows. */
void agreeing_check(struct run *run);

#endif
