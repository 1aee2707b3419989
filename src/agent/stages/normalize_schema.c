/* NORMALIZE_SCHEMA: brings the schema into one order and form, whatever the driver. */
#include "agent/stages/stages.h"

static enum event normalize_schema_work(struct run *run, struct err *err)
{
    (void)err;
    for (size_t i = 0; i < run->sources.count; i++) {
        if (run->sources.items[i].turn) {
            schema_normalize(run->sources.items[i].schema);
        }
    }
    return EVENT_DONE;
}

const struct stage stage_normalize_schema = {.state = STATE_NORMALIZE_SCHEMA,
                                             .work = normalize_schema_work};
