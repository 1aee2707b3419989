/* CHECK_FRESHNESS: ask the database itself whether its schema is the one we know (S0). */
#include "agent/stages/stages.h"
#include "base/log.h"
#include "knowledge/schema_cache.h"

/* Of one source: current, changed, unknown or out of reach. */
static enum event check(struct run *run, struct run_source *source, struct err *err)
{
    struct datasource_limits limits = run_limits(run);
    source->stale = source->unreachable = false;
    if (!datasource_signature(source->source, &limits, source->signature, err)) {
        source->unreachable = true;
        return EVENT_UNREACHABLE;
    }
    struct err trouble;
    err_clear(&trouble);
    struct schema *schema = schema_cache_get(run->agent->schemas, source->source->id,
                                             source->signature, &trouble);
    if (schema) {
        run_keep_schema(run, source, schema);
        return EVENT_VERSION_MATCH;
    }
    source->stale = true;
    schema = schema_cache_get(run->agent->schemas, source->source->id, NULL, &trouble);
    if (schema) {
        schema_unref(schema);
        return EVENT_VERSION_MISMATCH;
    }
    return EVENT_NO_CACHE;
}

static enum event work(struct run *run, struct err *err)
{
    enum event worst = EVENT_VERSION_MATCH;
    for (size_t i = 0; i < run->sources.count; i++) {
        struct run_source *source = &run->sources.items[i];
        err_clear(err);
        enum event event = check(run, source, err);
        if (event == EVENT_UNREACHABLE) {
            LOG(LOG_AGENT, LOG_INFO, "%s does not answer: %s", source->source->id,
                err->message);
            run_blame(run, err); /* the reason, should there be no cached schema either */
            worst = worst == EVENT_VERSION_MATCH ? event : worst;
        } else if (event != EVENT_VERSION_MATCH) {
            worst = event;
        }
    }
    err_clear(err);
    return worst;
}

const struct stage stage_check_freshness = {.state = STATE_CHECK_FRESHNESS, .work = work};
