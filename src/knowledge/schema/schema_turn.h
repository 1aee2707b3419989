/* Lets one question at a time read a schema that is not cached; the others wait. */
#ifndef DGM_KNOWLEDGE_SCHEMA_TURN_H
#define DGM_KNOWLEDGE_SCHEMA_TURN_H

#include <pthread.h>

#include "knowledge/schema/schema_cache.h"

struct schema_turns {
    pthread_cond_t ended;
    struct schema_turn_entry
        *first; /* running entries, and ended ones while they have readers */
};

void schema_turns_init(struct schema_turns *turns);
void schema_turns_release(struct schema_turns *turns);
/*
 * Lock held; it is given up while waiting. Never SCHEMA_TURN_DONE without having waited.
 */
enum schema_turn schema_turns_begin(struct schema_turns *turns, pthread_mutex_t *lock,
                                    const char *datasource, int64_t deadline_ms,
                                    struct cancel *cancel, struct err *err);
void schema_turns_end(struct schema_turns *turns, const char *datasource,
                      const struct err *failure);

#endif
