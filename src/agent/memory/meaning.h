/*
 * "By revenue I mean net" after an answer: a word of the question before it means that
 * column. The question is answered again with it, and what was said becomes a lesson once
 * that has worked.
 */
#ifndef DGM_AGENT_MEANING_H
#define DGM_AGENT_MEANING_H

#include "agent/run.h"
#include "knowledge/lessons/lessons.h"

/* Is that what the user says? Then the question before it is asked again. */
bool meaning_follow(struct run *run);
/* What was said, as a lesson, before the lessons of the user's account. */
void meaning_put(struct run *run, struct lessons *lessons);
/* Does the answer use the column? */
bool meaning_is_used(struct run *run);

#endif
