/* The history of answered questions: looks up this question, adds similar ones to
 * prompts, and stores the answer. */
#ifndef DGM_AGENT_HISTORY_H
#define DGM_AGENT_HISTORY_H

#include "agent/run.h"

struct slot;

/* RECALL: true when the SQL is in the history; run->answer has it then. Otherwise similar
 * questions and rejected SQL are noted for the model or the parser. */
bool history_recall(struct run *run, struct err *err);
/* Call it when SQL from the history no longer compiles. */
void history_forget(struct run *run);
/* Has the user rejected this SQL for this question? */
bool history_is_wrong(const struct run *run, const char *sql);
/* Adds what the history knows to a prompt. */
void history_put(struct run *run, struct slot *values);

/* FORMAT_RESULTS: computes the keys under which the answer will be stored. */
void history_note(struct run *run);
/* After the run has ended: stores the answer if it may be reused. */
void history_keep(struct run *run);

#endif
