/*
 * Walks a question through the corridor. Work stages run on worker threads; between an
 * ask stage's two halves no thread waits. A run that rests (final, or waiting for its
 * user) is handed to the observer (OBSERVE_REST) and never touched again by the machine.
 */
#ifndef DGM_AGENT_MACHINE_H
#define DGM_AGENT_MACHINE_H

#include "agent/run.h"

/* From any thread; returns at once. */
void machine_start(struct run *run);
/* Goes on with a run that waits for its user (state AWAIT_USER): the answer decides how.
 */
void machine_answer(struct run *run, const char *text);

#endif
