/*
 * EXTRACT_SCHEMA: reads the schema; only one of several questions that need it does so.
 */
#include "agent/sources/crossing.h"
#include "agent/sources/narrowing.h"
#include "agent/stages/stages.h"
#include "base/workers.h"
#include "knowledge/schema/schema_cache.h"

/* What is read from the databases side by side. */
struct reading {
    struct run *run;
    struct run_source *source;
    size_t index;          /* of the source */
    struct schema *schema; /* read anew; or NULL */
    struct err error;
};

struct readings {
    struct reading *items;
    size_t count;
    size_t capacity;
};

static void describe(void *context, size_t index)
{
    struct readings *readings = context;
    struct reading *reading = &readings->items[index];
    if (reading->source->turn) {
        struct datasource_limits limits = run_limits(reading->run);
        reading->schema =
            datasource_describe(reading->source->source, &limits, &reading->error);
    }
}

/* Waits for the turn to read the schema; after the wait, another question may have read
 * it. All questions take turns in the order of the sources, so there is no deadlock. */
static void begin(struct run *run, struct reading *reading)
{
    struct run_source *source = reading->source;
    struct datasource_limits limits = run_limits(run);
    enum schema_turn turn =
        schema_cache_begin(run->agent->schemas, source->source->id, source->signature,
                           limits.deadline_ms, &run->cancel, &reading->error);
    source->turn = turn == SCHEMA_TURN_MINE;
    if (turn != SCHEMA_TURN_DONE) {
        return;
    }
    struct schema *schema = schema_cache_get(run->agent->schemas, source->source->id,
                                             source->signature, &reading->error);
    if (schema) {
        run_keep_schema(run, source, schema);
        source->stale = false;
    } else if (reading->error.code == ERR_OK) {
        (void)err_set(&reading->error, ERR_INTERNAL,
                      "The schema vanished from the cache.");
    }
}

/* Stores the result in the run. False: reading->error says why there is none. */
static bool finish(struct run *run, struct reading *reading)
{
    struct run_source *source = reading->source;
    if (reading->schema) {
        reading->schema->signature =
            arena_text(reading->schema->arena, source->signature);
        run_keep_schema(run, source, reading->schema);
    } else if (source->turn) {
        schema_cache_end(run->agent->schemas, source->source->id, &reading->error);
        source->turn = false;
    }
    return source->schema != NULL;
}

/* Of several sources one that cannot be read is left out; of one alone an older schema
 * may still do. */
static enum event extract_schema_give_up(struct run *run, size_t index, struct err *error,
                                         struct err *err)
{
    if (!run_stopped(run) && narrowing_drop(run, index, error)) {
        return EVENT_DONE;
    }
    if (run->sources.several) {
        crossing_blame(error, run->sources.items[index].source->id);
    }
    *err = *error;
    if (error->code == ERR_EMPTY_SCHEMA) {
        return EVENT_EMPTY;
    }
    struct run_source *source = &run->sources.items[index];
    source->unreachable = true;
    source->stale = false;
    run_blame(run, error);
    source->error = run->error;
    return EVENT_ERROR;
}

static enum event extract_schema_work(struct run *run, struct err *err)
{
    struct readings readings = {0};
    for (size_t i = 0; i < run->sources.count; i++) {
        if (run->sources.items[i].stale) {
            struct reading *reading = VEC_ADD(run->scratch, &readings);
            reading->run = run;
            reading->source = &run->sources.items[i];
            reading->index = i;
            err_clear(&reading->error);
            begin(run, reading);
        }
    }
    workers_each(readings.count, RUN_SOURCES_AT_ONCE, describe, &readings);
    enum event event = EVENT_DONE;
    for (size_t i = readings.count;
         i-- > 0;) { /* from the end: dropping moves the rest */
        struct reading *reading = &readings.items[i];
        if (!finish(run, reading)) {
            enum event said =
                extract_schema_give_up(run, reading->index, &reading->error, err);
            event = said == EVENT_DONE ? event : said;
        }
    }
    return event;
}

const struct stage stage_extract_schema = {.state = STATE_EXTRACT_SCHEMA,
                                           .work = extract_schema_work};
