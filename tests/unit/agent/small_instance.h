/* As much of the instance as a run needs: options, a store in memory, a SQLite file with
 * users. */
#ifndef DGM_TESTS_UNIT_AGENT_SMALL_INSTANCE_H
#define DGM_TESTS_UNIT_AGENT_SMALL_INSTANCE_H

#include "agent/run.h"

struct small_instance {
    struct agent agent;
    struct options *options;
    char folder[64];
    char database[96]; /* the datasource "people" */
};

bool small_instance_open(struct small_instance *instance);
void small_instance_close(struct small_instance *instance);
bool small_instance_change(struct small_instance *instance, const char *sql);
/* A run with the schema of "people" read and cached, at AWAIT_USER. */
struct run *small_instance_waiting(struct small_instance *instance, const char *question,
                                   const struct clarification *back);

#endif
