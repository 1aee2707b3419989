/* Limits how often requests without a key come from one address. */
#ifndef DGM_SERVER_THROTTLE_H
#define DGM_SERVER_THROTTLE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { THROTTLE_PLACES = 256 };

/* Addresses share a place when their hashes do; then they share what is left. */
struct throttle {
    pthread_mutex_t lock;
    struct {
        double left; /* requests that may come at once */
        int64_t at_ms;
    } places[THROTTLE_PLACES];
};

void throttle_init(struct throttle *throttle);
void throttle_release(struct throttle *throttle);
/* Seconds until the address may send a request; 0: now, and counted. */
int throttle_wait_s(struct throttle *throttle, const void *address, size_t size,
                    int64_t per_minute, int64_t now_ms);

#endif
