/* Weekdays of an answer by their names. */
#ifndef DGM_AGENT_WEEKDAYS_H
#define DGM_AGENT_WEEKDAYS_H

struct run;

/* A column of weekdays that the parser's SQL numbers from Sunday on gets names. */
void weekdays_name(struct run *run);

#endif
