/* A user's answer to a clarifying question: turns the text into an event. */
#ifndef DGM_AGENT_ANSWERING_H
#define DGM_AGENT_ANSWERING_H

#include "agent/run.h"

/* Stores the answer in the run and returns the event. Call it on a worker thread: it
 * opens the datasource and looks up its schema. */
enum event answering_event(struct run *run, const char *text, struct err *err);

/* Does the text approve a statement that waits for approval? */
bool answering_says_yes(const char *text);
/* Does the text give the question up ("forget it")? */
bool answering_declines(struct arena *arena, const char *text);
/* Does it refuse what was offered, and say nothing instead? */
bool answering_says_no(struct arena *arena, const char *text);
/* Does a word of the text name anything of the data, an operation or a time? */
bool answering_names(struct run *run, const char *text);
/* Is the text clearly a new question, not the answer to the clarifying one? Uses only the
 * checkpoint and the schema cache. */
bool answering_is_new(struct run *run, const char *text);

#endif
