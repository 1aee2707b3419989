/* GET_CACHED_SCHEMA: the schema we know; marked stale when its database did not answer.
 */
#include "agent/narrowing.h"
#include "agent/stages/stages.h"
#include "knowledge/schema_cache.h"

static bool fetch(struct run *run, struct run_source *source)
{
    struct err err;
    err_clear(&err);
    struct schema *schema =
        schema_cache_get(run->agent->schemas, source->source->id, NULL, &err);
    if (!schema) {
        return false;
    }
    run_keep_schema(run, source, schema);
    run->answer.stale = true;
    run_warn(run, "'%s' did not answer (%s); the schema known from before was used.",
             source->source->id, run->error ? run->error->message : "");
    return true;
}

static enum event work(struct run *run, struct err *err)
{
    for (size_t i = 0; i < run->sources.count; i++) {
        struct run_source *source = &run->sources.items[i];
        if (!source->schema && !fetch(run, source)) {
            if (run->error && narrowing_drop(run, i, run->error)) {
                i--; /* the next one has taken its place */
                continue;
            }
            if (run->error) {
                *err = *run->error; /* why it could not be read is the reason to give */
            } else {
                (void)err_set(err, ERR_DATASOURCE_UNREACHABLE,
                              "The schema of '%s' is not known.", source->source->id);
            }
            return EVENT_NO_CACHE;
        }
    }
    return EVENT_DONE;
}

const struct stage stage_get_cached_schema = {.state = STATE_GET_CACHED_SCHEMA,
                                              .work = work};
