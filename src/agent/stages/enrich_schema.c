/* ENRICH_SCHEMA: samples and statistics, several tables at once. Optional. */
#include "agent/stages/stages.h"

static enum event work(struct run *run, struct err *err)
{
    enum event event = EVENT_DONE;
    for (size_t i = 0; i < run->sources.count; i++) {
        struct run_source *source = &run->sources.items[i];
        if (!source->turn || !run->options->schema_enrich) {
            continue;
        }
        struct datasource_limits limits = run_limits(run);
        if (!datasource_enrich(source->source, source->schema, &limits, err)) {
            run_warn(run, "No sample values could be read: %s", err->message);
            err_clear(err);
            event = EVENT_ERROR;
        }
    }
    return event;
}

const struct stage stage_enrich_schema = {.state = STATE_ENRICH_SCHEMA, .work = work};
