/*
 * Compares the answer of a model's SQL with that of the built-in parser's reading, by
 * their rows.
 */
#ifndef DGM_AGENT_UNDERSTAND_AGREEING_H
#define DGM_AGENT_UNDERSTAND_AGREEING_H

struct run;

/* Call it after the answer's rows were read. Sets run->query.agreement, and warns about a
 * reading that gives other rows. */
void agreeing_check(struct run *run);

#endif
