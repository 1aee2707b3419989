/* HASH_SCHEMA: computes the hash of the schema's structure. */
#include "agent/stages/stages.h"

static enum event hash_schema_work(struct run *run, struct err *err)
{
    (void)err;
    for (size_t i = 0; i < run->sources.count; i++) {
        struct run_source *source = &run->sources.items[i];
        if (source->turn) {
            char hash[33];
            schema_hash(source->schema, hash);
            source->schema->hash = arena_text(source->schema->arena, hash);
        }
    }
    return EVENT_DONE;
}

const struct stage stage_hash_schema = {.state = STATE_HASH_SCHEMA,
                                        .work = hash_schema_work};
