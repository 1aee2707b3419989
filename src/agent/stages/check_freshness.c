/* CHECK_FRESHNESS: asks the database whether the cached schema is still valid. */
#include "agent/stages/stages.h"
#include "base/log.h"
#include "base/str.h"
#include "base/workers.h"
#include "knowledge/schema/schema_cache.h"

/* The questions to the databases, which are asked side by side. */
struct looking {
    struct run *run;
    struct err *errors; /* one per source */
};

static void ask_signature(void *context, size_t index)
{
    struct looking *looking = context;
    struct run_source *source = &looking->run->sources.items[index];
    struct datasource_limits limits = run_limits(looking->run);
    err_clear(&looking->errors[index]);
    source->stale = false;
    source->unreachable = !datasource_signature(
        source->source, &limits, source->signature, &looking->errors[index]);
}

/* Of one source: current, changed or unknown. */
static enum event compare(struct run *run, struct run_source *source, struct texts *found)
{
    struct err trouble;
    enum schema_level level = SCHEMA_LEVEL_READ;
    struct schema *schema = schema_cache_look(run->agent->schemas, source->source->id,
                                              source->signature, &level, &trouble);
    VEC_PUSH(run->arena, found, schema_level_name(level));
    if (schema) {
        run_keep_schema(run, source, schema);
        return EVENT_VERSION_MATCH;
    }
    source->stale = true;
    char origin[DATASOURCE_ORIGIN_SIZE];
    datasource_origin(source->source, origin);
    schema = schema_cache_get(run->agent->schemas, source->source->id, origin, &trouble);
    schema_unref(schema);
    return schema ? EVENT_VERSION_MISMATCH : EVENT_NO_CACHE;
}

/* "L1", or "L1, L2, none" of several. */
static void note_cache(struct run *run, const struct texts *found)
{
    struct trace *trace = &run->answer.trace;
    if (trace->count) {
        trace->items[trace->count - 1].cache = str_join(run->arena, found, ", ");
    }
}

static enum event check_freshness_work(struct run *run, struct err *err)
{
    enum event worst = EVENT_VERSION_MATCH;
    struct texts found = {0};
    struct looking looking = {.run = run};
    looking.errors =
        arena_array(run->scratch, run->sources.count, sizeof *looking.errors);
    workers_each(run->sources.count, RUN_SOURCES_AT_ONCE, ask_signature, &looking);
    for (size_t i = 0; i < run->sources.count; i++) {
        struct run_source *source = &run->sources.items[i];
        if (source->unreachable) {
            LOG(LOG_AGENT, LOG_INFO, "%s does not answer: %s", source->source->id,
                looking.errors[i].message);
            /* the reason, should there be no cached schema either */
            run_blame(run, &looking.errors[i]);
            source->error = run->error;
            VEC_PUSH(run->arena, &found, schema_level_name(SCHEMA_LEVEL_STALE));
            worst = worst == EVENT_VERSION_MATCH ? EVENT_UNREACHABLE : worst;
            continue;
        }
        enum event event = compare(run, source, &found);
        worst = event == EVENT_VERSION_MATCH ? worst : event;
    }
    note_cache(run, &found);
    err_clear(err);
    return worst;
}

const struct stage stage_check_freshness = {.state = STATE_CHECK_FRESHNESS,
                                            .work = check_freshness_work};
