/* Limits how often something may be asked for under one name: an account, a datasource. */
#ifndef DGM_SERVER_PACE_H
#define DGM_SERVER_PACE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { PACE_PLACES = 64, PACE_NAME_SIZE = 128 };

/* One request in each `every_ms`, and up to `burst` of them at once after a pause. */
struct pace {
    pthread_mutex_t lock;
    int64_t every_ms;
    int64_t burst;
    /* The names that came last; the oldest entry is replaced. */
    struct {
        char name[PACE_NAME_SIZE];
        int64_t
            at_ms; /* when all that was asked for is paid: later than now while it is not */
    } places[PACE_PLACES];
};

void pace_init(struct pace *pace, int64_t burst, int64_t every_ms);
void pace_release(struct pace *pace);
/* Seconds until it may be asked for again under this name, whatever its case; 0: now, and this is
 * counted. */
int pace_wait_s(struct pace *pace, const char *name, int64_t now_ms);

#endif
