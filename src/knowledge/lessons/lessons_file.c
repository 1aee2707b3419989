/* Reads and writes files of lessons (YAML, JSON). */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/writer.h"
#include "base/yaml.h"
#include "knowledge/lessons/lessons.h"

static const char *const lists[LESSON_KINDS] = {
    [LESSON_TABLE] = "table_mappings",
    [LESSON_COLUMN] = "column_mappings",
    [LESSON_ERROR] = "error_patterns",
    [LESSON_QUERY] = "query_patterns",
};

static const char *const fields[] = {"schema_name", "actual_name", "transformation_rule",
                                     "source",      "confidence",  "usage_count",
                                     "success_rate"};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

static bool fail_at(const struct yaml *at, const char *what, const char *name,
                    struct err *err)
{
    return err_set(err, ERR_INVALID_DATA, "Line %d: %s%.60s.", at->line, what,
                   name ? name : "");
}

static bool number_at(const struct yaml *item, const char *key, double missing,
                      double *out, struct err *err)
{
    const struct yaml *field = yaml_at(item, key);
    *out = missing;
    return !field || (str_to_real(field->text, out) && isfinite(*out)) ||
           fail_at(field, "not a number: ", key, err);
}

static bool fields_check(const struct yaml *item, struct err *err)
{
    if (item->kind != YAML_MAP) {
        return fail_at(item, "a lesson has fields, such as schema_name", NULL, err);
    }
    for (const struct yaml *field = item->first; field; field = field->next) {
        bool known = false;
        for (size_t i = 0; i < FIELD_COUNT; i++) {
            known = known || str_equal(field->key, fields[i]);
        }
        if (!known) {
            const char *near = str_nearest(field->key, fields, FIELD_COUNT);
            (void)fail_at(field, "a lesson has no field ", field->key, err);
            return near ? err_hint(err, "Did you mean %s?", near) : false;
        }
        if (field->kind != YAML_SCALAR || !field->text) {
            return fail_at(field, "one value is needed for ", field->key, err);
        }
    }
    return true;
}

static const char *text_at(const struct yaml *item, const char *key)
{
    const struct yaml *field = yaml_at(item, key);
    return field ? field->text : NULL;
}

static bool item_read(struct arena *arena, enum dialect dialect, const struct yaml *item,
                      struct lesson *out, struct err *err)
{
    double used = 0;
    double rate = 0;
    if (!fields_check(item, err) ||
        !number_at(item, "confidence", 1, &out->confidence, err) ||
        !number_at(item, "usage_count", 0, &used, err) ||
        !number_at(item, "success_rate", 0, &rate, err)) {
        return false;
    }
    if (used < 0 || used > INT32_MAX || rate < 0 || rate > 1) {
        return fail_at(item, "usage_count or success_rate is out of range", NULL, err);
    }
    out->schema_name = text_at(item, "schema_name");
    out->actual_name = text_at(item, "actual_name");
    out->transformation_rule = text_at(item, "transformation_rule");
    out->source = text_at(item, "source");
    out->usage_count = (int64_t)used;
    out->success_count = (int64_t)(rate * (double)out->usage_count + 0.5);
    if (!lesson_check(arena, dialect, out, err)) {
        struct err why = *err;
        (void)err_set(err, why.code, "Line %d: %.360s", item->line, why.message);
        return why.hint[0] ? err_hint(err, "%s", why.hint) : false;
    }
    return true;
}

static bool list_read(struct arena *arena, enum dialect dialect, const struct yaml *list,
                      struct lessons *out, struct err *err)
{
    int kind = 0;
    while (kind < LESSON_KINDS && !str_equal(list->key, lists[kind])) {
        kind++;
    }
    if (kind == LESSON_KINDS) {
        (void)fail_at(list, "there are no lessons of the kind ", list->key, err);
        return err_hint(err, "Lists are table_mappings, column_mappings, error_patterns "
                             "and query_patterns.");
    }
    if (list->kind == YAML_MAP || (list->kind == YAML_SCALAR && !str_empty(list->text))) {
        return fail_at(list, "a list is needed for ", list->key, err);
    }
    for (const struct yaml *item = list->first; item; item = item->next) {
        struct lesson lesson = {.kind = (enum lesson_kind)kind};
        if (out->count >= LESSONS_MOST) {
            return err_set(err, ERR_INVALID_DATA, "A file has at most %d lessons.",
                           LESSONS_MOST);
        }
        if (!item_read(arena, dialect, item, &lesson, err)) {
            return false;
        }
        VEC_PUSH(arena, out, lesson);
    }
    return true;
}

bool lessons_read(struct arena *arena, enum dialect dialect, const char *text,
                  size_t size, struct lessons *out, struct err *err)
{
    *out = (struct lessons){0};
    if (size > LESSONS_FILE_MOST) {
        return err_set(err, ERR_INVALID_DATA,
                       "The file of lessons is too large (at most %d bytes).",
                       LESSONS_FILE_MOST);
    }
    const struct yaml *root = yaml_parse(arena, text, size, err);
    if (!root) {
        return false;
    }
    if (root->kind != YAML_MAP) {
        return fail_at(root, "a file of lessons has lists, such as table_mappings", NULL,
                       err);
    }
    for (const struct yaml *list = root->first; list; list = list->next) {
        if (str_equal(list->key, "datasource")) {
            out->datasource = list->kind == YAML_SCALAR ? list->text : NULL;
        } else if (!list_read(arena, dialect, list, out, err)) {
            return false;
        }
    }
    return true;
}

bool lessons_import(const struct lessons_scope *scope, const char *text, size_t size,
                    size_t *count, struct err *err)
{
    struct arena *arena = arena_new();
    struct lessons lessons = {0};
    *count = 0;
    bool ok = lessons_read(arena, scope->dialect, text, size, &lessons, err);
    for (size_t i = 0; ok && i < lessons.count; i++) {
        char id[ID_SIZE];
        ok = lessons_add(scope, &lessons.items[i], id, err);
        *count += ok ? 1 : 0;
    }
    arena_free(arena);
    return ok;
}

static void yaml_text(struct buf *out, const char *key, const char *text)
{
    if (text) {
        (void)buf_format(out, "    %s: ", key);
        writer_quote(out, text, strlen(text)); /* a JSON string is a YAML one too */
        (void)buf_char(out, '\n');
    }
}

static void yaml_lesson(const struct lesson *lesson, struct buf *out)
{
    (void)buf_text(out, "  -\n");
    yaml_text(out, "schema_name", lesson->schema_name);
    yaml_text(out, "actual_name", lesson->actual_name);
    yaml_text(out, "transformation_rule", lesson->transformation_rule);
    (void)buf_format(out, "    source: %s\n    confidence: %.4g\n", lesson->source,
                     lesson->confidence);
    if (lesson->usage_count) {
        (void)buf_format(out, "    usage_count: %lld\n    success_rate: %.6g\n",
                         (long long)lesson->usage_count, lesson_success_rate(lesson));
    }
}

static bool has_kind(const struct lessons *lessons, int kind)
{
    for (size_t i = 0; i < lessons->count; i++) {
        if ((int)lessons->items[i].kind == kind) {
            return true;
        }
    }
    return false;
}

void lessons_write_yaml(const struct lessons *lessons, struct buf *out)
{
    (void)buf_text(out, "# Lessons, written by dragoman lessons export.\n");
    for (int kind = 0; kind < LESSON_KINDS; kind++) {
        (void)buf_format(out, "%s:%s\n", lists[kind],
                         has_kind(lessons, kind) ? "" : " []");
        for (size_t i = 0; i < lessons->count; i++) {
            if ((int)lessons->items[i].kind == kind) {
                yaml_lesson(&lessons->items[i], out);
            }
        }
    }
}

void lessons_write_json(const struct lessons *lessons, struct buf *out)
{
    struct writer writer;
    writer_init(&writer, out);
    writer_object(&writer);
    for (int kind = 0; kind < LESSON_KINDS; kind++) {
        writer_key(&writer, lists[kind]);
        writer_array(&writer);
        for (size_t i = 0; i < lessons->count; i++) {
            const struct lesson *lesson = &lessons->items[i];
            if ((int)lesson->kind != kind) {
                continue;
            }
            writer_object(&writer);
            writer_key_text(&writer, "schema_name", lesson->schema_name);
            writer_key_text(&writer, "actual_name", lesson->actual_name);
            writer_key_text(&writer, "transformation_rule", lesson->transformation_rule);
            writer_key_text(&writer, "source", lesson->source);
            writer_key_real(&writer, "confidence", round(lesson->confidence * 1e4) / 1e4);
            writer_key_int(&writer, "usage_count", lesson->usage_count);
            writer_key_real(&writer, "success_rate", lesson_success_rate(lesson));
            writer_object_end(&writer);
        }
        writer_array_end(&writer);
    }
    writer_object_end(&writer);
}
