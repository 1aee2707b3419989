/* Reports changes of a schema while they happen. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "model/schema_diff.h"
#include "service/instance.h"

enum { TEXT_MOST = 64 * 1024 * 1024 };

struct dgm_watch {
    struct dgm *dgm;
    struct arena *keeper; /* of the source */
    struct datasource *source;
    struct schema *schema; /* as of the last look */
};

/* Names, types and keys alone. A database without tables is worth watching, too. */
static struct schema *read_now(struct dgm_watch *watch, struct err *err)
{
    struct datasource_limits limits = {
        .deadline_ms = clock_ms() + watch->dgm->options->agent_timeout_s * 1000};
    struct schema *schema = datasource_describe(watch->source, &limits, err);
    char signature[33];
    if (!schema && err->code == ERR_EMPTY_SCHEMA &&
        datasource_signature(watch->source, &limits, signature, err)) {
        err_clear(err);
        schema = schema_new();
        schema->signature = arena_text(schema->arena, signature);
    }
    if (schema) {
        schema_normalize(schema);
    }
    return schema;
}

struct dgm_watch *dgm_watch_open(struct dgm *dgm, const char *datasource,
                                 struct dgm_error *error)
{
    return dgm_watch_open_for(dgm, NULL, datasource, error);
}

struct dgm_watch *dgm_watch_open_for(struct dgm *dgm, const char *account,
                                     const char *datasource, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct dgm_watch *watch = memory_alloc(sizeof *watch);
    watch->dgm = dgm;
    watch->keeper = arena_new();
    watch->source =
        instance_datasource_for(dgm, watch->keeper, account, datasource, &err);
    watch->schema = watch->source ? read_now(watch, &err) : NULL;
    if (!watch->schema) {
        arena_free(watch->keeper);
        memory_free(watch);
        (void)instance_fail(error, &err);
        return NULL;
    }
    return watch;
}

/* held: what has changed may be something that a policy holds back. */
static void write_changes(struct writer *writer, const struct schema *before,
                          const struct schema *after, bool held)
{
    struct arena *arena = arena_new();
    struct schema_changes changes = {0};
    schema_diff(arena, before, after, &changes);
    if (!changes.count && !held) { /* rights, or what stands in a view */
        VEC_PUSH(arena, &changes,
                 ((struct schema_change){.kind = "changed", .what = "schema"}));
    }
    for (size_t i = 0; i < changes.count; i++) {
        writer_object(writer);
        schema_change_write(&changes.items[i], writer);
        writer_object_end(writer);
    }
    arena_free(arena);
}

char *dgm_watch_look(struct dgm_watch *watch, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    char signature[33];
    struct schema *now = NULL;
    bool ok = datasource_signature(watch->source, NULL, signature, &err);
    if (ok && !str_equal(signature, watch->schema->signature)) {
        now = read_now(watch, &err);
        ok = now != NULL;
    }
    if (!ok) {
        (void)instance_fail(error, &err);
        return NULL;
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_array(&writer);
    if (now) {
        write_changes(&writer, watch->schema, now, datasource_policy(watch->source));
        schema_unref(watch->schema);
        watch->schema = now;
    }
    writer_array_end(&writer);
    return buf_take(&buf);
}

const char *dgm_watch_datasource(const struct dgm_watch *watch)
{
    return watch->source->id;
}

void dgm_watch_close(struct dgm_watch *watch)
{
    if (watch) {
        schema_unref(watch->schema);
        arena_free(watch->keeper);
        memory_free(watch);
    }
}
