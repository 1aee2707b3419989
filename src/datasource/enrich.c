/* Sample values and statistics for a whole schema, several tables at once. */
#include "datasource/datasource.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/workers.h"
#include "datasource/driver.h"
#include "datasource/opening.h"
#include "datasource/policy/restrict.h"
#include "datasource/takings.h"

enum {
    ENRICH_THREADS = 4,   /* in this process: they share its cores */
    TABLE_LEAST_MS = 500, /* what a table gets even when time is short */
};

size_t driver_connections(const struct datasource *source)
{
    return (size_t)source->options->datasource_connections;
}

static size_t driver_samplers(const struct datasource *source)
{
    size_t most = driver_connections(source);
    size_t samplers = most > 3 ? most - 2 : most > 1 ? most - 1 : 1;
    return source->driver->local && samplers > ENRICH_THREADS ? ENRICH_THREADS : samplers;
}

struct enrichment {
    struct datasource *source;
    struct schema *schema;
    struct datasource_limits limits;
    size_t threads;
    size_t count;         /* tables to look at */
    atomic_size_t next;   /* the next one nobody has taken */
    atomic_size_t done;   /* tables that could be read */
    pthread_mutex_t lock; /* guards the two below and the schema's own arena */
    struct err error;
    bool failed;
};

/* One slow view must not use up the time of all other tables; the last ones may use what
 * is left. */
static int64_t table_deadline(const struct enrichment *work, size_t index)
{
    int64_t now = clock_ms();
    int64_t left = work->limits.deadline_ms - now;
    int64_t threads = (int64_t)work->threads;
    int64_t rounds = ((int64_t)(work->count - index) + threads - 1) / threads;
    int64_t share = left / (rounds < threads ? rounds : threads);
    share = share > TABLE_LEAST_MS ? share : TABLE_LEAST_MS;
    return now + (share < left ? share : left);
}

static void enrich_failed(struct enrichment *work, const struct table *table,
                          const struct err *error)
{
    (void)pthread_mutex_lock(&work->lock);
    work->failed = true;
    work->error = *error;
    struct arena *arena = work->schema->arena;
    VEC_PUSH(arena, &work->schema->warnings,
             arena_format(arena, "No samples for %s: %s", table->name, error->message));
    (void)pthread_mutex_unlock(&work->lock);
}

static struct arena *enrich_arena(struct enrichment *work)
{
    struct arena *arena = arena_new();
    (void)pthread_mutex_lock(&work->lock);
    arena_defer(work->schema->arena, (void (*)(void *))arena_free, arena);
    (void)pthread_mutex_unlock(&work->lock);
    return arena;
}

/* A table that is not seen as a whole is not the driver's to look at. */
static bool profile(struct enrichment *work, struct table *table, struct arena *arena,
                    const struct datasource_limits *limits, struct err *err)
{
    struct datasource *base = restrict_base(work->source);
    int samples = (int)base->options->prompt_samples;
    bool ok = false;
    return restrict_profile(work->source, work->schema, table, arena, samples, limits,
                            &ok, err)
               ? ok
               : base->driver->profile(base, work->schema, table, arena, samples, limits,
                                       err);
}

static void enrich_run(void *context)
{
    struct enrichment *work = context;
    struct arena *arena = NULL;
    size_t index;
    while ((index = atomic_fetch_add(&work->next, 1)) < work->count &&
           !limits_spent(&work->limits)) {
        arena = arena ? arena : enrich_arena(work);
        struct table *table = &work->schema->tables.items[index];
        struct datasource_limits limits = work->limits;
        limits.deadline_ms = table_deadline(work, index);
        struct err error;
        err_clear(&error);
        if (profile(work, table, arena, &limits, &error)) {
            atomic_fetch_add(&work->done, 1);
        } else if (error.code != ERR_STOPPED) {
            enrich_failed(work, table, &error);
        }
    }
}

bool datasource_enrich(struct datasource *source, struct schema *schema,
                       const struct datasource_limits *limits, struct err *err)
{
    const struct options *options = source->options;
    if (!options->schema_enrich || !restrict_base(source)->driver->profile ||
        schema->tables.count == 0) {
        return true;
    }
    struct enrichment work = {.source = source, .schema = schema};
    if (limits) {
        work.limits = *limits;
    }
    if (!opening_ready(restrict_base(source), limits, err)) {
        return false;
    }
    int64_t deadline_ms = clock_ms() + options->schema_enrich_timeout_s * 1000;
    if (!work.limits.deadline_ms || work.limits.deadline_ms > deadline_ms) {
        work.limits.deadline_ms = deadline_ms;
    }
    size_t most = (size_t)options->schema_enrich_tables;
    work.count = schema->tables.count < most ? schema->tables.count : most;
    (void)pthread_mutex_init(&work.lock, NULL);
    size_t threads = driver_samplers(source);
    threads = work.count < threads ? work.count : threads;
    work.threads = threads;
    if (threads <= 1) {
        enrich_run(&work);
    } else {
        struct workers *workers = workers_new(threads);
        for (size_t i = 0; i < threads; i++) {
            workers_submit(workers, enrich_run, &work);
        }
        workers_free(workers);
    }
    (void)pthread_mutex_destroy(&work.lock);
    if (cancel_fired(work.limits.cancel)) {
        return limits_hold(&work.limits, err);
    }
    takings_add(schema);
    if (work.failed && atomic_load(&work.done) == 0) {
        *err = work.error;
        return false;
    }
    return true;
}
