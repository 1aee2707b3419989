/* Lessons of one account. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "datasource/datasource.h"
#include "knowledge/lessons/lessons.h"
#include "model/actor.h"
#include "service/instance.h"

enum { TEXT_MOST = 256 * 1024 * 1024, OFFERS_MOST = 50 };

static bool scope_of(struct dgm *dgm, struct arena *arena, const char *account,
                     struct lessons_scope *out, struct err *err)
{
    err_clear(err);
    *out = (struct lessons_scope){
        .account = str_empty(account) ? NULL : actor_account(arena, account)};
    if (!instance_store(dgm, err)) {
        return false;
    }
    out->store = dgm->agent.store;
    return true;
}

/* Opens the datasource, whose dialect is needed to check SQL of query patterns. */
static bool scope_open(struct dgm *dgm, struct arena *arena, const char *account,
                       const char *datasource, struct lessons_scope *out, struct err *err)
{
    if (!scope_of(dgm, arena, account, out, err)) {
        return false;
    }
    struct datasource *source =
        instance_datasource_for(dgm, arena, account, datasource, err);
    if (!source) {
        return false;
    }
    out->datasource = source->id;
    out->dialect = datasource_dialect(source);
    return true;
}

static void write_fields(struct arena *arena, struct writer *writer,
                         const struct lesson *lesson)
{
    writer_key_text(writer, "id", lesson->id);
    writer_key_text(writer, "datasource", lesson->datasource);
    writer_key_text(writer, "kind", lesson_kind_name(lesson->kind));
    writer_key_text(writer, "schema_name", lesson->schema_name);
    writer_key_text(writer, "actual_name", lesson->actual_name);
    writer_key(writer, "transformation_rule");
    writer_text(writer, lesson->transformation_rule);
    writer_key_text(writer, "source", lesson->source);
    /* rounded: 0.4 * 0.7 is 0.28 */
    writer_key_real(writer, "confidence", round(lesson->confidence * 1e4) / 1e4);
    writer_key_bool(writer, "enabled", !lesson->disabled);
    writer_key_int(writer, "usage_count", lesson->usage_count);
    writer_key_real(writer, "success_rate", lesson_success_rate(lesson));
    writer_key_text(writer, "updated_at", clock_iso(arena, lesson->updated_at));
}

/* Other tables that the lesson's rule matches, if the schema is available. */
static void write_offers(struct dgm *dgm, const char *account, struct arena *arena,
                         struct writer *writer, const struct lesson *lesson)
{
    struct err err;
    err_clear(&err);
    struct datasource *source =
        lesson->transformation_rule
            ? instance_datasource_for(dgm, arena, account, lesson->datasource, &err)
            : NULL;
    struct schema *schema = source ? instance_schema(dgm, source, &err) : NULL;
    if (!schema) {
        return;
    }
    int count = 0;
    writer_key(writer, "offers");
    writer_array(writer);
    for (size_t i = 0; i < schema->tables.count && count < OFFERS_MOST; i++) {
        const struct table *table = &schema->tables.items[i];
        const char *said =
            lesson_untransform(arena, lesson->transformation_rule, table->bare_name);
        if (said && !schema_table(schema, said) &&
            !str_equal_nocase(said, lesson->schema_name)) {
            writer_object(writer);
            writer_key_text(writer, "schema_name", said);
            writer_key_text(writer, "actual_name", table->name);
            writer_object_end(writer);
            count++;
        }
    }
    writer_array_end(writer);
    schema_unref(schema);
}

char *dgm_lesson_add(struct dgm *dgm, const char *account, const char *datasource,
                     const struct dgm_lesson *lesson, struct dgm_error *error)
{
    struct err err;
    struct lessons_scope scope;
    char id[ID_SIZE];
    instance_no_error(error);
    struct arena *arena = arena_new();
    char *text = NULL;
    struct lesson given = {.schema_name = lesson->schema_name,
                           .actual_name = lesson->actual_name,
                           .transformation_rule = lesson->transformation_rule,
                           .confidence =
                               lesson->confidence == 0 ? 1 : lesson->confidence};
    if (!lesson_kind_find(lesson->kind, &given.kind)) {
        (void)err_set(&err, ERR_USAGE, "There are no lessons of the kind '%.60s'.",
                      lesson->kind ? lesson->kind : "");
        (void)err_hint(&err, "Kinds are table_mapping, column_mapping, error_pattern and "
                             "query_pattern.");
    } else if (scope_open(dgm, arena, account, datasource, &scope, &err) &&
               lessons_add(&scope, &given, id, &err)) {
        text = memory_text(id);
    }
    if (!text) {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return text;
}

static char *write_lessons(struct arena *arena, const struct lessons *lessons)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_array(&writer);
    for (size_t i = 0; i < lessons->count; i++) {
        writer_object(&writer);
        write_fields(arena, &writer, &lessons->items[i]);
        writer_object_end(&writer);
    }
    writer_array_end(&writer);
    return buf_take(&buf);
}

/* The JSON of the lessons; NULL and the error on failure. */
static char *lessons_text(struct dgm *dgm, const char *account, const char *datasource,
                          bool (*read)(const struct lessons_scope *scope,
                                       struct arena *arena, struct lessons *out,
                                       struct err *err),
                          struct dgm_error *error)
{
    struct err err;
    struct lessons_scope scope;
    struct lessons lessons = {0};
    instance_no_error(error);
    struct arena *arena = arena_new();
    bool ok = scope_of(dgm, arena, account, &scope, &err);
    scope.datasource = str_empty(datasource) ? NULL : datasource;
    ok = ok && read(&scope, arena, &lessons, &err);
    char *text = ok ? write_lessons(arena, &lessons) : NULL;
    if (!ok) {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return text;
}

char *dgm_lesson_list(struct dgm *dgm, const char *account, const char *datasource,
                      struct dgm_error *error)
{
    return lessons_text(dgm, account, datasource, lessons_list, error);
}

char *dgm_lesson_undo(struct dgm *dgm, const char *account, const char *datasource,
                      struct dgm_error *error)
{
    return lessons_text(dgm, account, datasource, lessons_undo, error);
}

char *dgm_lesson_get(struct dgm *dgm, const char *account, const char *id,
                     struct dgm_error *error)
{
    struct err err;
    struct lessons_scope scope;
    struct lesson lesson;
    instance_no_error(error);
    struct arena *arena = arena_new();
    char *text = NULL;
    if (scope_of(dgm, arena, account, &scope, &err) &&
        lessons_get(&scope, arena, id, &lesson, &err)) {
        struct buf buf;
        struct writer writer;
        buf_init(&buf, TEXT_MOST);
        writer_init(&writer, &buf);
        writer_object(&writer);
        write_fields(arena, &writer, &lesson);
        write_offers(dgm, account, arena, &writer, &lesson);
        writer_object_end(&writer);
        text = buf_take(&buf);
    } else {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return text;
}

bool dgm_lesson_change(struct dgm *dgm, const char *account, const char *id,
                       const struct dgm_lesson_change *change, struct dgm_error *error)
{
    struct err err;
    struct lessons_scope scope;
    struct lesson lesson;
    instance_no_error(error);
    struct arena *arena = arena_new();
    const struct lessons_change made = {.actual_name = change->actual_name,
                                        .confidence = change->confidence,
                                        .enabled = change->enabled};
    bool ok = scope_of(dgm, arena, account, &scope, &err) &&
              lessons_get(&scope, arena, id, &lesson, &err);
    /* new SQL is checked by its database; other changes do not need it */
    if (ok && change->actual_name) {
        ok = scope_open(dgm, arena, account, lesson.datasource, &scope, &err);
    } else if (ok) {
        struct err ignored;
        err_clear(&ignored);
        struct datasource *source =
            instance_datasource_for(dgm, arena, account, lesson.datasource, &ignored);
        scope.dialect = source ? datasource_dialect(source) : scope.dialect;
        scope.datasource = lesson.datasource;
    }
    ok = ok && lessons_change(&scope, id, &made, &err);
    arena_free(arena);
    return ok || instance_fail(error, &err);
}

bool dgm_lesson_remove(struct dgm *dgm, const char *account, const char *id,
                       struct dgm_error *error)
{
    struct err err;
    struct lessons_scope scope;
    instance_no_error(error);
    struct arena *arena = arena_new();
    bool ok =
        scope_of(dgm, arena, account, &scope, &err) && lessons_remove(&scope, id, &err);
    arena_free(arena);
    return ok || instance_fail(error, &err);
}

char *dgm_lesson_export(struct dgm *dgm, const char *account, const char *datasource,
                        const char *format, struct dgm_error *error)
{
    struct err err;
    struct lessons_scope scope;
    struct lessons lessons = {0};
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct buf buf;
    buf_init(&buf, TEXT_MOST);
    bool json = str_equal(format, "json");
    bool ok = json || str_equal(format, "yaml") ||
              err_set(&err, ERR_USAGE, "Lessons are exported as yaml or json.");
    ok = ok && scope_open(dgm, arena, account, datasource, &scope, &err) &&
         lessons_list(&scope, arena, &lessons, &err);
    if (ok) {
        (json ? lessons_write_json : lessons_write_yaml)(&lessons, &buf);
    } else {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return ok ? buf_take(&buf) : NULL;
}

int64_t dgm_lesson_import(struct dgm *dgm, const char *account, const char *datasource,
                          const char *text, size_t size, struct dgm_error *error)
{
    struct err err;
    struct lessons_scope scope;
    size_t count = 0;
    instance_no_error(error);
    struct arena *arena = arena_new();
    bool ok = scope_open(dgm, arena, account, datasource, &scope, &err) &&
              lessons_import(&scope, text ? text : "", text ? size : 0, &count, &err);
    arena_free(arena);
    if (!ok) {
        (void)instance_fail(error, &err);
        return -1;
    }
    return (int64_t)count;
}
