/* Compares a schema with its previous version. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/writer.h"
#include "model/schema_diff.h"
#include "service/instance.h"
#include "store/store.h"

enum { TEXT_MOST = 64 * 1024 * 1024 };

static void write_changes(struct arena *arena, struct writer *writer,
                          const struct schema *before, const struct schema *now)
{
    struct schema_changes changes = {0};
    writer_key(writer, "changes");
    writer_array(writer);
    if (before) {
        schema_diff(arena, before, now, &changes);
    }
    for (size_t i = 0; i < changes.count; i++) {
        writer_object(writer);
        schema_change_write(&changes.items[i], writer);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

/* The version before this one; NULL if none is stored. */
static struct schema *version_before(struct dgm *dgm, struct arena *arena,
                                     const struct datasource *source,
                                     const struct schema *now, int64_t *read_at)
{
    struct err ignored;
    const char *json = NULL;
    size_t size = 0;
    char origin[DATASOURCE_ORIGIN_SIZE];
    err_clear(&ignored);
    datasource_origin(source, origin);
    bool found = store_schema_before(dgm->agent.store, arena, source->id, origin,
                                     str_or_empty(now->signature), &json, &size, read_at,
                                     &ignored);
    return found ? schema_read(json, size, &ignored) : NULL;
}

static char *changes_tell(struct dgm *dgm, const char *account, const char *id, bool anew,
                          struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct datasource *source = instance_datasource_for(dgm, arena, account, id, &err);
    struct schema *now = NULL;
    if (source) {
        now = anew ? instance_schema_anew(dgm, source, &err)
                   : instance_schema(dgm, source, &err);
    }
    if (!now) {
        arena_free(arena);
        (void)instance_fail(error, &err);
        return NULL;
    }
    int64_t read_at = 0;
    struct schema *before = version_before(dgm, arena, source, now, &read_at);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    write_changes(arena, &writer, before, now);
    writer_key_text(&writer, "signature", now->signature);
    if (before) {
        writer_key_text(&writer, "since", clock_iso(arena, read_at));
    }
    writer_object_end(&writer);
    schema_unref(before);
    schema_unref(now);
    arena_free(arena);
    return buf_take(&buf);
}

char *dgm_source_changes_for(struct dgm *dgm, const char *account, const char *id,
                             struct dgm_error *error)
{
    return changes_tell(dgm, account, id, false, error);
}

char *dgm_source_changes(struct dgm *dgm, const char *id, struct dgm_error *error)
{
    return changes_tell(dgm, NULL, id, false, error);
}

char *dgm_source_refresh_for(struct dgm *dgm, const char *account, const char *id,
                             struct dgm_error *error)
{
    return changes_tell(dgm, account, id, true, error);
}

char *dgm_source_refresh(struct dgm *dgm, const char *id, struct dgm_error *error)
{
    return changes_tell(dgm, NULL, id, true, error);
}
