/* GET_CACHED_SCHEMA: the schema we know; marked stale when its database did not answer.
 */
#include "agent/sources/crossing.h"
#include "agent/sources/narrowing.h"
#include "agent/stages/stages.h"
#include "knowledge/schema/schema_cache.h"

/* Who is not let in is not shown what somebody else saw. */
static bool may_show(const struct run_source *source)
{
    return !source->error || source->error->code != ERR_ACCESS;
}

static bool fetch(struct run *run, struct run_source *source)
{
    struct err err;
    char origin[DATASOURCE_ORIGIN_SIZE];
    datasource_origin(source->source, origin);
    struct schema *schema =
        may_show(source)
            ? schema_cache_stale(run->agent->schemas, source->source->id, origin, &err)
            : NULL;
    if (!schema) {
        return false;
    }
    run_keep_schema(run, source, schema);
    run->answer.stale = true;
    const struct err *error = source->error ? source->error : run->error;
    run_warn_system(run, "'%s' did not answer (%s); its last known schema was used.",
                    source->source->id, error ? error->message : "");
    return true;
}

static enum event get_cached_schema_work(struct run *run, struct err *err)
{
    for (size_t i = 0; i < run->sources.count; i++) {
        struct run_source *source = &run->sources.items[i];
        if (!source->schema && !fetch(run, source)) {
            const struct err *why = source->error ? source->error : run->error;
            if (why && narrowing_drop(run, i, why)) {
                i--; /* the next one has taken its place */
                continue;
            }
            if (why) {
                *err = *why; /* why it could not be read is the reason to give */
                if (run->sources.several) {
                    crossing_blame(err, source->source->id);
                }
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
                                              .work = get_cached_schema_work};
