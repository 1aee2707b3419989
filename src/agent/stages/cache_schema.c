/* CACHE_SCHEMA: in memory and in the store; from here on the schema is frozen and shared.
 */
#include "agent/stages/stages.h"
#include "knowledge/schema/schema_cache.h"

static enum event cache_schema_work(struct run *run, struct err *err)
{
    enum event event = EVENT_DONE;
    for (size_t i = 0; i < run->sources.count; i++) {
        struct run_source *source = &run->sources.items[i];
        if (source->turn) {
            if (!schema_cache_put(run->agent->schemas, source->schema, err)) {
                run_warn_system(run, "The schema could not be kept for next time: %s",
                                err->message);
                err_clear(err);
                event = EVENT_ERROR;
            }
            schema_cache_end(run->agent->schemas, source->source->id, NULL);
            source->turn = false;
        } else if (!source->schema) {
            return EVENT_MORE;
        }
    }
    return event;
}

const struct stage stage_cache_schema = {.state = STATE_CACHE_SCHEMA,
                                         .work = cache_schema_work};
