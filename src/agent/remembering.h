/* Lessons on their way into prompts (S1 section 2): only those of the asker's account and
 * the question's datasource, only names that the schema has, the rest as quoted hints. */
#ifndef DGM_AGENT_REMEMBERING_H
#define DGM_AGENT_REMEMBERING_H

#include "agent/run.h"

struct slot;

/* Finds the lessons that the question touches, once; run->lessons holds a line for each.
 * Does nothing when the request does not want them. */
void remembering_find(struct run *run);
/* Puts them, and those that the present SQL error touches, into a prompt's values. */
void remembering_put(struct run *run, struct slot *values);
/* The question is at rest: the figures of the lessons it used follow. */
void remembering_rest(struct run *run);

#endif
