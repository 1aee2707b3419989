/* ENRICH_SCHEMA: reads sample values and statistics, several tables at once, and finds undeclared keys in the
 * data. Optional. */
#include "agent/stages/stages.h"
#include "agent/sources/policing.h"
#include "base/workers.h"
#include "knowledge/keys/key_find.h"

/* Several sources are sampled side by side, each with connections of its own. */
struct sampling {
    struct run *run;
    struct err *errors; /* one per source */
};

static void enrich(void *context, size_t index)
{
    struct sampling *sampling = context;
    struct run *run = sampling->run;
    struct run_source *source = &run->sources.items[index];
    err_clear(&sampling->errors[index]);
    if (source->turn && run->options->schema_enrich) {
        struct datasource_limits limits = run_limits(run);
        if (datasource_enrich(source->source, source->schema, &limits,
                              &sampling->errors[index]) &&
            !policing_wants_approval(run)) {
            key_find(source->source, source->schema, &limits);
        }
    }
}

static enum event enrich_schema_work(struct run *run, struct err *err)
{
    (void)err;
    enum event event = EVENT_DONE;
    struct sampling sampling = {.run = run};
    sampling.errors =
        arena_array(run->scratch, run->sources.count, sizeof *sampling.errors);
    workers_each(run->sources.count, RUN_SOURCES_AT_ONCE, enrich, &sampling);
    for (size_t i = 0; i < run->sources.count; i++) {
        if (sampling.errors[i].code != ERR_OK) {
            run_warn_system(run, "No sample values could be read: %s",
                            sampling.errors[i].message);
            event = EVENT_ERROR;
        }
    }
    return event;
}

const struct stage stage_enrich_schema = {.state = STATE_ENRICH_SCHEMA,
                                          .work = enrich_schema_work};
