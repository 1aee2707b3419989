/* Rows of several sources into one staging, each source by a thread of its own. When one
 * fails the others are stopped; a stop or the deadline reaches all of them. */
#include <pthread.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/across/across_state.h"

enum { WATCH_MS = 20 };

struct filling {
    struct across *across;
    struct staging *staging;
    struct across_needs *needs;
    bool *now; /* those of this round */
    bool empty;
    struct datasource_limits limits; /* with a stop of our own */
    struct cancel cancel;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t running;
    struct err err; /* the first */
};

struct filler {
    struct filling *filling;
    size_t part;
    pthread_t thread;
    bool started;
};

static struct staging_table *table_make(const struct filling *filling,
                                        struct arena *arena,
                                        const struct across_need *need, struct err *err)
{
    const struct table *table = need->table->table;
    const struct across_part *part = &filling->across->parts[need->table->part];
    struct rows_column *columns =
        arena_array(arena, table->columns.count, sizeof *columns);
    size_t count = 0;
    for (size_t i = 0; i < table->columns.count; i++) {
        if (need->columns[i]) {
            columns[count++] = (struct rows_column){table->columns.items[i].name,
                                                    table->columns.items[i].type};
        }
    }
    const struct staging_shape shape = {.namespace = part->alias,
                                        .name = need->table->bare,
                                        .columns = columns,
                                        .count = count,
                                        .dialect = datasource_dialect(part->source)};
    return staging_table_new(filling->staging, &shape, &filling->limits, err);
}

/* Adds the source's name to its errors. */
static bool source_fail(const struct across_part *part, struct err *err)
{
    if (err->code == ERR_STOPPED || err->code == ERR_TIMEOUT ||
        err->code == ERR_RESULT_TOO_LARGE) {
        return false;
    }
    struct err original = *err;
    (void)err_set(err, original.code, "'%s' could not be read: %s", part->source->id,
                  original.message);
    if (!str_empty(original.detail)) {
        (void)err_detail(err, "%s", original.detail);
    }
    if (!str_empty(original.hint)) {
        (void)err_hint(err, "%s", original.hint);
    }
    return false;
}

static bool need_fill(const struct filling *filling, const struct across_need *need,
                      struct err *err)
{
    const struct across_part *part = &filling->across->parts[need->table->part];
    struct arena *arena = arena_new();
    struct staging_table *table = table_make(filling, arena, need, err);
    bool ok = table != NULL;
    bool none = need->keys.known && need->keys.count == 0; /* nothing finds a partner */
    if (ok && !filling->empty && !none) {
        ok = staging_table_read(table, part->source,
                                across_push(filling->across, arena, need), part->schema,
                                err) ||
             source_fail(part, err);
    }
    if (table) {
        struct err ignored;
        err_clear(&ignored);
        ok = staging_table_end(table, ok ? err : &ignored) && ok;
    }
    arena_free(arena);
    return ok;
}

static void part_fill(struct filling *filling, size_t part)
{
    struct err err;
    err_clear(&err);
    bool ok = true;
    for (size_t i = 0; ok && i < filling->needs->count; i++) {
        if (filling->now[i] && filling->needs->items[i].table->part == part) {
            ok = need_fill(filling, &filling->needs->items[i], &err);
        }
    }
    (void)pthread_mutex_lock(&filling->lock);
    if (!ok && filling->err.code == ERR_OK) {
        filling->err = err;
        cancel_fire(&filling->cancel);
    }
    filling->running--;
    (void)pthread_cond_broadcast(&filling->changed);
    (void)pthread_mutex_unlock(&filling->lock);
}

static void *filler_main(void *context)
{
    struct filler *filler = context;
    part_fill(filler->filling, filler->part);
    return NULL;
}

/* Waits until all have ended; a stop of the query also stops them. */
static void fillers_watch(struct filling *filling, const struct datasource_limits *limits)
{
    (void)pthread_mutex_lock(&filling->lock);
    while (filling->running > 0) {
        struct timespec until;
        (void)clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WATCH_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_cond_timedwait(&filling->changed, &filling->lock, &until);
        if (limits_spent(limits)) {
            cancel_fire(&filling->cancel);
        }
    }
    (void)pthread_mutex_unlock(&filling->lock);
}

static size_t parts_needed(const struct filling *filling, bool needed[ACROSS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < filling->needs->count; i++) {
        size_t part = filling->needs->items[i].table->part;
        count += filling->now[i] && !needed[part];
        needed[part] = needed[part] || filling->now[i];
    }
    return count;
}

static void parts_fill(struct filling *filling, const struct datasource_limits *limits)
{
    bool needed[ACROSS_MOST] = {false};
    struct filler fillers[ACROSS_MOST] = {{0}};
    filling->running = parts_needed(filling, needed);
    bool alone = filling->running == 1 || filling->empty;
    for (size_t i = 0; i < filling->across->count; i++) {
        fillers[i] = (struct filler){.filling = filling, .part = i};
        if (!needed[i]) {
            continue;
        }
        fillers[i].started = !alone && pthread_create(&fillers[i].thread, NULL,
                                                      filler_main, &fillers[i]) == 0;
        if (!fillers[i].started) {
            part_fill(filling, i);
        }
    }
    fillers_watch(filling, limits);
    for (size_t i = 0; i < filling->across->count; i++) {
        if (fillers[i].started) {
            (void)pthread_join(fillers[i].thread, NULL);
        }
    }
}

/* Tables that need not wait, then those that waited for their keys, and so on. */
static bool rounds_fill(struct filling *filling, struct arena *arena,
                        const struct datasource_limits *limits, struct err *err)
{
    struct across_needs *needs = filling->needs;
    filling->now = arena_array(arena, needs->count + 1, sizeof *filling->now);
    for (size_t left = needs->count; left > 0 && filling->err.code == ERR_OK;) {
        for (size_t i = 0; i < needs->count; i++) {
            struct across_need *need = &needs->items[i];
            filling->now[i] =
                !need->staged && (filling->empty || across_link_ready(needs, need));
            if (filling->now[i] && need->link && !filling->empty &&
                !across_keys_read(filling->across, arena, filling->staging, need, limits,
                                  err)) {
                return false;
            }
        }
        parts_fill(filling, limits);
        for (size_t i = 0; i < needs->count; i++) {
            left -= filling->now[i];
            needs->items[i].staged = needs->items[i].staged || filling->now[i];
        }
    }
    return true;
}

bool across_stage(struct across *across, struct staging *staging,
                  struct across_needs *needs, bool empty,
                  const struct datasource_limits *limits, struct err *err)
{
    struct filling filling = {
        .across = across, .staging = staging, .needs = needs, .empty = empty};
    bool threads = needs->count > 1 && !empty;
    filling.limits = limits ? *limits : (struct datasource_limits){0};
    filling.limits.steps = NULL; /* counted by one thread alone */
    cancel_init(&filling.cancel);
    if (threads) {
        filling.limits.cancel = &filling.cancel;
    }
    (void)pthread_mutex_init(&filling.lock, NULL);
    (void)pthread_cond_init(&filling.changed, NULL);
    struct arena *arena = arena_new();
    bool read = rounds_fill(&filling, arena, limits, err);
    arena_free(arena);
    (void)pthread_cond_destroy(&filling.changed);
    (void)pthread_mutex_destroy(&filling.lock);
    cancel_release(&filling.cancel);
    if (filling.err.code != ERR_OK) {
        *err = filling.err;
        (void)(filling.err.code != ERR_STOPPED || limits_hold(limits, err));
        return false;
    }
    return read && limits_hold(limits, err);
}
