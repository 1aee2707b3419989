/*
 * "By revenue I mean net": a word means that column, or the amount of that table. A question
 * before it with the word is answered again with it. It becomes a lesson at once: the user
 * has said it, whatever becomes of the answer, and can take it back.
 */
#ifndef DGM_AGENT_MEANING_H
#define DGM_AGENT_MEANING_H

#include "agent/run.h"
#include "knowledge/lessons/lessons.h"

bool meaning_is_said(struct arena *arena, const char *text);
/* Is that what the user says? Then the question before it is asked again, or a reply says what was learned,
 * or why nothing was. */
bool meaning_follow(struct run *run);
/* Is there a reply instead of an answer? */
bool meaning_replies(struct run *run);
/* What was said, as a lesson, before the lessons of the user's account. */
void meaning_put(struct run *run, struct lessons *lessons);

#endif
