/* What answered.c and answered_near.c share. */
#ifndef DGM_KNOWLEDGE_ANSWERED_STATE_H
#define DGM_KNOWLEDGE_ANSWERED_STATE_H

#include <pthread.h>

#include "base/map.h"
#include "knowledge/answered.h"

struct pair;

struct answered {
    struct store *store; /* or NULL */
    size_t most;
    int64_t ttl_s; /* 0: for ever */
    pthread_mutex_t lock;
    struct map by_key;
    struct pair *newest;
    struct pair *oldest;
};

#endif
