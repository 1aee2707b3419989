/* Adds, reads and removes lessons, and counts their use. */
#include "knowledge/lessons/lessons.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/writer.h"
#include "store/store.h"

static const char *const kinds[LESSON_KINDS] = {
    [LESSON_TABLE] = "table_mapping",
    [LESSON_COLUMN] = "column_mapping",
    [LESSON_ERROR] = "error_pattern",
    [LESSON_QUERY] = "query_pattern",
};

/* Success closes a tenth of the gap to certainty; failure takes three tenths away. */
static const struct store_lesson_use worked = {true, 0.9, 0.1};
static const struct store_lesson_use failed = {false, 0.7, 0.0};

const char *lesson_kind_name(enum lesson_kind kind)
{
    return kinds[kind];
}

bool lesson_kind_find(const char *name, enum lesson_kind *kind)
{
    for (int i = 0; i < LESSON_KINDS; i++) {
        if (str_equal(kinds[i], name)) {
            *kind = (enum lesson_kind)i;
            return true;
        }
    }
    return false;
}

double lesson_success_rate(const struct lesson *lesson)
{
    return lesson->usage_count > 0
               ? (double)lesson->success_count / (double)lesson->usage_count
               : 0;
}

static const char *lesson_json(struct arena *arena, const struct lesson *lesson)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 64 * 1024);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "schema_name", lesson->schema_name);
    writer_key_text(&writer, "actual_name", lesson->actual_name);
    writer_key_text(&writer, "transformation_rule", lesson->transformation_rule);
    if (lesson->disabled) {
        writer_key_bool(&writer, "disabled", true);
    }
    writer_object_end(&writer);
    const char *json = buf_clone(&buf, arena);
    buf_release(&buf);
    return json;
}

bool lessons_add(const struct lessons_scope *scope, const struct lesson *lesson,
                 char id[ID_SIZE], struct err *err)
{
    struct arena *arena = arena_new();
    struct lesson checked = *lesson;
    bool ok = lesson_check(arena, scope->dialect, &checked, err);
    if (ok) {
        struct store_lesson row = {
            .account = scope->account,
            .datasource = scope->datasource,
            .kind = kinds[checked.kind],
            .subject = str_lower(arena, checked.schema_name),
            .source = checked.source,
            .confidence = checked.confidence,
            .usage_count = checked.usage_count,
            .success_count = checked.success_count,
            .json = lesson_json(arena, &checked),
        };
        ok = store_lesson_put(scope->store, &row, LESSONS_MOST, id, err);
    }
    arena_free(arena);
    return ok;
}

/* False for a row that another version wrote and this one does not understand. */
static bool lesson_read(struct arena *arena, const struct store_lesson *row,
                        struct lesson *out)
{
    struct err ignored;
    *out = (struct lesson){0};
    const json_t *json =
        row->json ? json_parse(arena, row->json, strlen(row->json), &ignored) : NULL;
    if (!json || !lesson_kind_find(row->kind, &out->kind)) {
        return false;
    }
    out->id = row->id;
    out->datasource = row->datasource;
    out->schema_name = json_text_at(json, "schema_name");
    out->actual_name = json_text_at(json, "actual_name");
    out->transformation_rule = json_text_at(json, "transformation_rule");
    out->disabled = json_bool_at(json, "disabled", false);
    out->source = row->source;
    out->confidence = row->confidence;
    out->usage_count = row->usage_count;
    out->success_count = row->success_count;
    out->created_at = row->created_at;
    out->updated_at = row->updated_at;
    return out->schema_name && out->actual_name;
}

bool lessons_get(const struct lessons_scope *scope, struct arena *arena, const char *id,
                 struct lesson *out, struct err *err)
{
    struct store_lesson row;
    if (!store_lesson_get(scope->store, arena, scope->account, id, &row, err)) {
        return false;
    }
    return lesson_read(arena, &row, out) ||
           err_set(err, ERR_STORE, "The lesson cannot be read.");
}

bool lessons_list(const struct lessons_scope *scope, struct arena *arena,
                  struct lessons *out, struct err *err)
{
    struct store_lessons rows = {0};
    *out = (struct lessons){0};
    if (!store_lesson_list(scope->store, arena, scope->account, scope->datasource, &rows,
                           err)) {
        return false;
    }
    for (size_t i = 0; i < rows.count; i++) {
        struct lesson lesson;
        if (lesson_read(arena, &rows.items[i], &lesson)) {
            VEC_PUSH(arena, out, lesson);
        }
    }
    return true;
}

void lessons_drop_disabled(struct lessons *lessons)
{
    size_t kept = 0;
    for (size_t i = 0; i < lessons->count; i++) {
        if (!lessons->items[i].disabled) {
            lessons->items[kept++] = lessons->items[i];
        }
    }
    lessons->count = kept;
}

bool lessons_change(const struct lessons_scope *scope, const char *id,
                    const struct lessons_change *change, struct err *err)
{
    struct lesson lesson;
    char same[ID_SIZE];
    struct arena *arena = arena_new();
    bool ok = lessons_get(scope, arena, id, &lesson, err);
    if (ok && change->actual_name) {
        lesson.actual_name = change->actual_name;
        lesson.transformation_rule = NULL; /* it followed from the old name */
    }
    if (ok && change->confidence >= 0) {
        lesson.confidence = change->confidence;
    }
    if (ok && change->enabled >= 0) {
        lesson.disabled = change->enabled == 0;
    }
    ok = ok && lessons_add(scope, &lesson, same, err);
    arena_free(arena);
    return ok;
}

bool lessons_remove(const struct lessons_scope *scope, const char *id, struct err *err)
{
    return store_lesson_delete(scope->store, scope->account, id, err);
}

bool lessons_used(const struct lessons_scope *scope, const char *id, bool success,
                  struct err *err)
{
    return store_lesson_used(scope->store, scope->account, id,
                             success ? &worked : &failed, err);
}
