/* Opening a datasource when it is first needed: a server that is down at the start is
 * known by what is remembered of it, and tried again after a pause that grows. */
#include "datasource/opening.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/sandbox/sandbox.h"
#include "base/str.h"
#include "datasource/allow.h"
#include "datasource/driver.h"

enum {
    WAIT_MS = 20, /* how often a waiter looks at its stop signal */
    BACKOFF_FIRST_MS = 50,
    BACKOFF_MOST_MS = 5000,
    NOT_FOUND = -1,
};

struct opening {
    pthread_mutex_t lock; /* one opens, the others wait for it; guards the rest */
    atomic_bool open;
    atomic_int dialect; /* found out while opening; NOT_FOUND: the driver's own */
    const char *_Atomic notice;
    int failures; /* one after the other */
    int64_t retry_at_ms;
    struct err last;
};

void opening_init(struct datasource *source)
{
    source->opening = ARENA_NEW(source->arena, struct opening);
    (void)pthread_mutex_init(&source->opening->lock, NULL);
    atomic_init(&source->opening->open, false);
    atomic_init(&source->opening->dialect, NOT_FOUND);
    atomic_init(&source->opening->notice, NULL);
    err_clear(&source->opening->last);
}

void opening_release(struct datasource *source)
{
    if (atomic_load(&source->opening->open)) {
        source->driver->close(source);
    }
    (void)pthread_mutex_destroy(&source->opening->lock);
}

void opening_speaks(struct datasource *source, enum dialect dialect)
{
    atomic_store(&source->opening->dialect, (int)dialect);
}

void opening_notice(struct opening *opening, const char *notice)
{
    if (opening) {
        atomic_store(&opening->notice, notice);
    }
}

const char *datasource_notice(const struct datasource *source)
{
    return source->opening ? atomic_load(&source->opening->notice) : NULL;
}

/* Kept beside the driver's table, which decorators exchange and every thread reads. */
enum dialect datasource_dialect(const struct datasource *source)
{
    int found = source->opening ? atomic_load(&source->opening->dialect) : NOT_FOUND;
    return found == NOT_FOUND ? source->driver->dialect : (enum dialect)found;
}

/* Waits in small steps, so that a stop is noticed. */
static bool opening_lock(struct opening *opening, const struct datasource_limits *limits,
                         struct err *err)
{
    for (;;) {
        struct timespec until;
        (void)clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAIT_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        if (pthread_mutex_timedlock(&opening->lock, &until) == 0) {
            return true;
        }
        if (!limits_hold(limits, err)) {
            return false;
        }
    }
}

/* A stop says nothing about the server, a wrong password does not mend itself by waiting:
 * only what cannot be reached is left alone for a while. */
static void opening_failed(struct opening *opening, const struct err *error)
{
    if (error->code != ERR_DATASOURCE_UNREACHABLE) {
        return;
    }
    int64_t pause = BACKOFF_FIRST_MS;
    for (int i = 0; i < opening->failures && pause < BACKOFF_MOST_MS; i++) {
        pause *= 2;
    }
    opening->failures++;
    opening->retry_at_ms =
        clock_ms() + (pause < BACKOFF_MOST_MS ? pause : BACKOFF_MOST_MS);
    opening->last = *error;
}

/* A server takes rights from itself when it starts; what is configured later may lie
 * outside. Asked here, since the operating system would only say "permission denied". */
static bool inside_sandbox(const struct datasource *source, struct err *err)
{
    if (str_empty(source->path) || sandbox_covers(source->path)) {
        return true;
    }
    (void)err_set(err, ERR_ACCESS,
                  "The file of this datasource is outside of the server's sandbox.");
    return err_hint(err, "Start the server again, or name the folder in "
                         "server.sandbox_paths beforehand.");
}

static bool opening_try(struct datasource *source, const struct datasource_limits *limits,
                        struct err *err)
{
    struct opening *opening = source->opening;
    if (opening->failures > 0 && clock_ms() < opening->retry_at_ms) {
        *err = opening->last;
        return false;
    }
    /* What a failed try left behind goes with its own arena. */
    struct arena *home = source->arena;
    struct arena *own = arena_new();
    source->arena = own;
    source->opening_limits = limits;
    /* What was allowed when it was added may lead elsewhere today. */
    const char *address = NULL;
    bool ok =
        !source->added || allow_url(source->options, home, source->url, &address, err);
    source->address = address ? address : source->address;
    ok = ok && inside_sandbox(source, err) && source->driver->open(source, err);
    source->opening_limits = NULL;
    source->arena = home;
    if (!ok) {
        opening_failed(opening, err);
        arena_free(own);
        return false;
    }
    arena_defer(home, (void (*)(void *))arena_free, own);
    opening->failures = 0;
    atomic_store(&opening->open, true);
    return true;
}

bool opening_ready(struct datasource *source, const struct datasource_limits *limits,
                   struct err *err)
{
    struct opening *opening = source->opening;
    if (atomic_load(&opening->open)) {
        return true;
    }
    if (!opening_lock(opening, limits, err)) {
        return false;
    }
    bool ok = atomic_load(&opening->open) || opening_try(source, limits, err);
    (void)pthread_mutex_unlock(&opening->lock);
    return ok;
}
