/* Numbered alternative readings of a question, and how they differ. */
#ifndef DGM_AGENT_READINGS_H
#define DGM_AGENT_READINGS_H

#include "agent/run.h"

/* What this reading says that the other does not, in at most fifteen words: "for each
 * country of stores". Never empty. */
const char *readings_difference(struct arena *arena, const char *words,
                                const char *other);

/* The label in a list of readings: its words if they are at most fifteen, else the
 * difference. */
const char *readings_label(struct arena *arena, const char *words, const char *other);

/* The label of a reading that is offered: no option before has the same one. */
const char *readings_option(struct arena *arena, const struct clarification *back,
                            const char *words, const char *other);

/* False: it adds up keys, shows the same thing twice, or compares a column with itself. readings_sense.c */
bool readings_make_sense(struct run *run, const char *sql);
/* Where the parser cannot say why, or finds several words nowhere, the nearest readings are about something else: offers
 * questions about the table that is named instead. False: nothing was added. */
bool readings_offer_questions(struct run *run, const char *beyond);

/* Adds the readings to the answer and marks the one in use. The numbers do not change
 * when the user chooses another one. */
void readings_note(struct run *run, const struct run_reading *used);

#endif
