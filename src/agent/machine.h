/*
 * Runs a question through the states of moves.h. Work stages run on worker threads; no
 * thread waits while a model is called. A run that is final or waits for its user is
 * passed to the observer (OBSERVE_REST) and not touched by the machine after that.
 */
#ifndef DGM_AGENT_MACHINE_H
#define DGM_AGENT_MACHINE_H

#include "agent/run.h"

/* From any thread; returns at once. */
void machine_start(struct run *run);
/* Resumes a run that waits for its user (state AWAIT_USER) with the user's answer. */
void machine_answer(struct run *run, const char *text);

#endif
