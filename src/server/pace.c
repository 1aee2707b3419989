/* Limits how often an account may ask for something small. */
#include "server/pace.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

void pace_init(struct pace *pace)
{
    memset(pace->places, 0, sizeof pace->places);
    (void)pthread_mutex_init(&pace->lock, NULL);
}

void pace_release(struct pace *pace)
{
    (void)pthread_mutex_destroy(&pace->lock);
}

int pace_wait_s(struct pace *pace, const char *name, int64_t now_ms)
{
    size_t place = 0;
    name = str_or_empty(name);
    (void)pthread_mutex_lock(&pace->lock);
    for (size_t i = 0; i < PACE_PLACES; i++) {
        if (str_equal(pace->places[i].name, name)) {
            place = i;
            break;
        }
        if (pace->places[i].at_ms < pace->places[place].at_ms) {
            place = i;
        }
    }
    bool known = str_equal(pace->places[place].name, name);
    int64_t paid_ms =
        known && pace->places[place].at_ms > now_ms ? pace->places[place].at_ms : now_ms;
    int64_t over_ms = paid_ms + PACE_EVERY_MS - now_ms - PACE_BURST * PACE_EVERY_MS;
    if (over_ms <= 0) {
        (void)snprintf(pace->places[place].name, PACE_NAME_SIZE, "%s", name);
        pace->places[place].at_ms = paid_ms + PACE_EVERY_MS;
    }
    (void)pthread_mutex_unlock(&pace->lock);
    return over_ms > 0 ? (int)((over_ms + 999) / 1000) : 0;
}
