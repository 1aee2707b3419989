/* As much of the house as a run needs: options, a store in memory, a SQLite file with
 * users. */
#ifndef DGM_TESTS_UNIT_AGENT_SMALL_HOUSE_H
#define DGM_TESTS_UNIT_AGENT_SMALL_HOUSE_H

#include "agent/run.h"

struct small_house {
    struct agent agent;
    struct options *options;
    char folder[64];
    char database[96]; /* the datasource "people" */
};

bool small_house_open(struct small_house *house);
void small_house_close(struct small_house *house);
bool small_house_change(struct small_house *house, const char *sql);
/* A run with the schema of "people" read and cached, at AWAIT_USER. */
struct run *small_house_waiting(struct small_house *house, const char *question,
                                const struct clarification *back);

#endif
