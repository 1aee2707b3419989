/* Limits how often something may be asked for under one name. */
#include "server/pace.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

void pace_init(struct pace *pace, int64_t burst, int64_t every_ms)
{
    memset(pace->places, 0, sizeof pace->places);
    pace->burst = burst;
    pace->every_ms = every_ms;
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
        if (str_equal_nocase(pace->places[i].name, name)) {
            place = i;
            break;
        }
        if (pace->places[i].at_ms < pace->places[place].at_ms) {
            place = i;
        }
    }
    bool known = str_equal_nocase(pace->places[place].name, name);
    int64_t paid_ms =
        known && pace->places[place].at_ms > now_ms ? pace->places[place].at_ms : now_ms;
    int64_t over_ms = paid_ms + pace->every_ms - now_ms - pace->burst * pace->every_ms;
    if (over_ms <= 0) {
        (void)snprintf(pace->places[place].name, PACE_NAME_SIZE, "%s", name);
        pace->places[place].at_ms = paid_ms + pace->every_ms;
    }
    (void)pthread_mutex_unlock(&pace->lock);
    return over_ms > 0 ? (int)((over_ms + 999) / 1000) : 0;
}
