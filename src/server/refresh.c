/* Limits how often a schema is read again on request: this costs the database much more
 * than a question, which only checks for changes. */
#include "server/refresh.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

void refreshes_init(struct refreshes *refreshes)
{
    memset(refreshes->places, 0, sizeof refreshes->places);
    (void)pthread_mutex_init(&refreshes->lock, NULL);
}

void refreshes_release(struct refreshes *refreshes)
{
    (void)pthread_mutex_destroy(&refreshes->lock);
}

int refreshes_wait_s(struct refreshes *refreshes, const char *id, int64_t now_ms)
{
    size_t place = 0;
    (void)pthread_mutex_lock(&refreshes->lock);
    for (size_t i = 0; i < REFRESH_PLACES; i++) {
        if (str_equal_nocase(refreshes->places[i].id, id)) {
            place = i;
            break;
        }
        if (refreshes->places[i].at_ms < refreshes->places[place].at_ms) {
            place = i;
        }
    }
    bool known = str_equal_nocase(refreshes->places[place].id, id);
    int64_t left_ms =
        known ? refreshes->places[place].at_ms + REFRESH_PAUSE_S * 1000 - now_ms : 0;
    if (left_ms <= 0) {
        (void)snprintf(refreshes->places[place].id, REFRESH_ID_SIZE, "%s", id);
        refreshes->places[place].at_ms = now_ms;
    }
    (void)pthread_mutex_unlock(&refreshes->lock);
    return left_ms > 0 ? (int)((left_ms + 999) / 1000) : 0;
}
