/* EXTRACT_SCHEMA: read what has changed, once, however many questions want it. */
#include "agent/narrowing.h"
#include "agent/stages/stages.h"
#include "knowledge/schema_cache.h"

static bool read_schema(struct run *run, struct run_source *source, struct err *err)
{
    struct datasource_limits limits = run_limits(run);
    struct schema *schema = datasource_describe(source->source, &limits, err);
    if (!schema) {
        return false;
    }
    schema->signature = arena_text(schema->arena, source->signature);
    run_keep_schema(run, source, schema);
    return true;
}

/* Waits for our turn; whoever comes second finds the schema read. */
static bool extract(struct run *run, struct run_source *source, struct err *err)
{
    struct datasource_limits limits = run_limits(run);
    enum schema_turn turn =
        schema_cache_begin(run->agent->schemas, source->source->id, source->signature,
                           limits.deadline_ms, &run->cancel, err);
    if (turn == SCHEMA_TURN_DONE) {
        struct schema *schema = schema_cache_get(run->agent->schemas, source->source->id,
                                                 source->signature, err);
        if (schema) {
            run_keep_schema(run, source, schema);
            source->stale = false;
            return true;
        }
        turn = SCHEMA_TURN_FAILED;
        if (err->code == ERR_OK) {
            (void)err_set(err, ERR_INTERNAL, "The schema vanished from the cache.");
        }
    }
    if (turn != SCHEMA_TURN_MINE) {
        return false;
    }
    source->turn = true;
    if (!read_schema(run, source, err)) {
        schema_cache_end(run->agent->schemas, source->source->id, err);
        source->turn = false;
        return false;
    }
    return true;
}

static enum event work(struct run *run, struct err *err)
{
    for (size_t i = 0; i < run->sources.count; i++) {
        struct run_source *source = &run->sources.items[i];
        if (source->stale && !extract(run, source, err)) {
            if (!run_stopped(run) && narrowing_drop(run, i, err)) {
                err_clear(err);
                i--; /* the next one has taken its place */
                continue;
            }
            if (err->code == ERR_EMPTY_SCHEMA) {
                return EVENT_EMPTY;
            }
            source->unreachable = true; /* an older schema may still do */
            source->stale = false;
            source->schema = NULL;
            run_blame(run, err);
            return EVENT_ERROR;
        }
    }
    return EVENT_DONE;
}

const struct stage stage_extract_schema = {.state = STATE_EXTRACT_SCHEMA, .work = work};
