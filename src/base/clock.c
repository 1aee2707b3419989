/* Time. */
#include "base/clock.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/str.h"

static int64_t read_us(clockid_t id)
{
    struct timespec now;
    (void)clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}

int64_t clock_ms(void)
{
    return clock_us() / 1000;
}

bool clock_passed(int64_t at_ms)
{
    enum { BEHIND_MS = 1000 }; /* the coarse clock is, by far less */
    return read_us(CLOCK_MONOTONIC_COARSE) / 1000 + BEHIND_MS >= at_ms &&
           clock_ms() >= at_ms;
}

int64_t clock_wall_ms(void)
{
    return read_us(CLOCK_REALTIME) / 1000;
}

int64_t clock_wall_s(void)
{
    return clock_wall_ms() / 1000;
}

static char *date_text(struct arena *arena, const struct tm *parts)
{
    char text[32];
    size_t size = strftime(text, sizeof text, "%Y-%m-%d", parts);
    return arena_copy(arena, text, size);
}

char *clock_iso(struct arena *arena, int64_t wall_s)
{
    time_t when = (time_t)wall_s;
    struct tm parts;
    (void)gmtime_r(&when, &parts);
    char text[32];
    size_t size = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return arena_copy(arena, text, size);
}

char *clock_date(struct arena *arena, int64_t wall_s, const char *zone)
{
    /*
     * libc knows zones only through TZ; the lock keeps two questions from mixing theirs.
     */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    time_t when = (time_t)wall_s;
    struct tm parts;
    if (str_empty(zone)) {
        (void)localtime_r(&when, &parts);
        return date_text(arena, &parts);
    }
    (void)pthread_mutex_lock(&lock);
    const char *now = getenv("TZ");
    char *before = arena_text(arena, now);
    (void)setenv("TZ", zone, 1);
    tzset();
    (void)localtime_r(&when, &parts);
    if (before) {
        (void)setenv("TZ", before, 1);
    } else {
        (void)unsetenv("TZ");
    }
    tzset();
    (void)pthread_mutex_unlock(&lock);
    return date_text(arena, &parts);
}

bool clock_begins_with_date(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof form - 1; i++) {
        bool fits =
            form[i] == 'd' ? isdigit((unsigned char)text[i]) != 0 : text[i] == '-';
        if (!fits) {
            return false;
        }
    }
    return true;
}
