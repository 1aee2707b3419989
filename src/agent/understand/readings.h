/* The ways to read a question, numbered, and what is different about each. */
#ifndef DGM_AGENT_READINGS_H
#define DGM_AGENT_READINGS_H

#include "agent/run.h"

/* What a reading in words says that another does not, in at most fifteen words: "for each
 * country of stores". Never empty. */
const char *readings_difference(struct arena *arena, const char *words,
                                const char *other);

/* For a list of readings to choose from: the words if they are at most fifteen, else the difference. */
const char *readings_label(struct arena *arena, const char *words, const char *other);

/* Puts the readings into the answer, the one in use marked. Their numbers stay when
 * another one is chosen later. */
void readings_note(struct run *run, const struct run_reading *used);

#endif
