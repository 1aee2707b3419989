/* Limits how often an account may ask for something small, with short bursts. */
#ifndef DGM_SERVER_PACE_H
#define DGM_SERVER_PACE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { PACE_PLACES = 64, PACE_NAME_SIZE = 128, PACE_BURST = 20, PACE_EVERY_MS = 200 };

/* The accounts that asked last; the oldest entry is replaced. */
struct pace {
    pthread_mutex_t lock;
    struct {
        char name[PACE_NAME_SIZE];
        int64_t
            at_ms; /* when all that was asked for is paid: later than now while it is not */
    } places[PACE_PLACES];
};

void pace_init(struct pace *pace);
void pace_release(struct pace *pace);
/* Seconds until the account may ask again; 0: now, and this is counted. */
int pace_wait_s(struct pace *pace, const char *name, int64_t now_ms);

#endif
