/* Limits how often requests without a key come from one address: a bucket of requests that fills
 * with time, and holds those of a minute at most. */
#include "server/throttle.h"

#include <string.h>

#include "base/hash.h"

void throttle_init(struct throttle *throttle)
{
    memset(throttle->places, 0, sizeof throttle->places);
    (void)pthread_mutex_init(&throttle->lock, NULL);
}

void throttle_release(struct throttle *throttle)
{
    (void)pthread_mutex_destroy(&throttle->lock);
}

int throttle_wait_s(struct throttle *throttle, const void *address, size_t size,
                    int64_t per_minute, int64_t now_ms)
{
    size_t place = (size_t)(hash_of(address, size) % THROTTLE_PLACES);
    double most = (double)per_minute;
    double per_ms = most / 60000;
    (void)pthread_mutex_lock(&throttle->lock);
    double *left = &throttle->places[place].left;
    int64_t *at_ms = &throttle->places[place].at_ms;
    *left = *at_ms ? *left + (double)(now_ms - *at_ms) * per_ms : most;
    *left = *left > most ? most : *left;
    *at_ms = now_ms ? now_ms : 1;
    int wait_s = 0;
    if (*left >= 1) {
        *left -= 1;
    } else {
        wait_s = (int)((1 - *left) / per_ms / 1000) + 1;
    }
    (void)pthread_mutex_unlock(&throttle->lock);
    return wait_s;
}
