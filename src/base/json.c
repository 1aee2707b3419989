/* Reading JSON, strictly. */
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json_tree.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/writer.h"

enum { ITEM_MOST = 1 << 30 };

static void drop(void *object)
{
    json_decref(object);
}

json_t *json_keep(struct arena *arena, json_t *value)
{
    if (value) {
        arena_defer(arena, drop, value);
    }
    return value;
}

static json_t *value_of(const struct json_tree *node);

static json_t *list_of(const struct json_tree *node)
{
    bool object = node->kind == JSON_TREE_OBJECT;
    json_t *list = object ? json_object() : json_array();
    for (const struct json_tree *at = node->as.first; at; at = at->next) {
        (void)(object ? json_object_set_new_nocheck(list, at->key, value_of(at))
                      : json_array_append_new(list, value_of(at)));
    }
    return list;
}

static json_t *value_of(const struct json_tree *node)
{
    switch (node->kind) {
    case JSON_TREE_OBJECT:
    case JSON_TREE_ARRAY:
        return list_of(node);
    case JSON_TREE_TEXT:
        return json_string_nocheck(node->as.text);
    case JSON_TREE_INTEGER:
        return json_integer(node->as.integer);
    case JSON_TREE_REAL:
        return json_real(node->as.real);
    case JSON_TREE_NULL:
        return json_null();
    default:
        return json_boolean(node->kind == JSON_TREE_TRUE);
    }
}

/* What a person can understand of the library's messages. */
static const char *reason_of(const json_error_t *error)
{
    return strstr(error->text, "JSON_ALLOW_NUL")
               ? "a text contains the character \\u0000, which is not allowed"
               : error->text;
}

/* Jansson's own reader takes three times as long: it looks at each character by itself. */
json_t *json_quick(struct arena *arena, const char *text, size_t size)
{
    struct arena *scratch = arena_new();
    const struct json_tree *tree = json_tree_read(scratch, text, size);
    json_t *value = tree ? value_of(tree) : NULL;
    arena_free(scratch);
    return json_keep(arena, value);
}

json_t *json_parse(struct arena *arena, const char *text, size_t size, struct err *err)
{
    json_error_t error;
    json_t *quick = json_quick(arena, text, size);
    if (quick) {
        return quick;
    }
    json_t *value =
        json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (!value) {
        (void)err_set(err, ERR_INVALID_DATA, "Not valid JSON: %s (line %d, column %d).",
                      reason_of(&error), error.line, error.column);
        err->position = error.position;
        return NULL;
    }
    return json_keep(arena, value);
}

const char *json_text_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

int64_t json_int_at(const json_t *object, const char *key, int64_t missing)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : missing;
}

double json_real_at(const json_t *object, const char *key, double missing)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : missing;
}

bool json_bool_at(const json_t *object, const char *key, bool missing)
{
    const json_t *value = json_object_get(object, key);
    return json_is_boolean(value) ? json_is_true(value) : missing;
}

json_t *json_array_at(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    return json_is_array(value) ? value : NULL;
}

json_t *json_object_at(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    return json_is_object(value) ? value : NULL;
}

void json_texts_at(struct arena *arena, const json_t *object, const char *key,
                   struct texts *out)
{
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(json_array_at(object, key), index, item)
    {
        if (json_is_string(item)) {
            VEC_PUSH(arena, out, arena_text(arena, json_string_value(item)));
        }
    }
}

bool json_write(const json_t *value, struct buf *out)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *json = text ? text : "null";
    size_t size = strlen(json);
    size_t from = 0;
    for (size_t at = 0; at < size;) { /* such characters stand in texts only */
        uint32_t code = 0;
        size_t length = utf8_next(json + at, size - at, &code);
        if (utf8_is_unsafe(code)) {
            (void)buf_add(out, json + from, at - from);
            (void)buf_format(out, "\\u%04x", (unsigned)code);
            from = at + length;
        }
        at += length;
    }
    (void)buf_add(out, json + from, size - from);
    free(text); /* jansson's own allocation */
    return !out->full;
}

void json_write_item(const json_t *value, struct writer *writer)
{
    struct buf buf;
    buf_init(&buf, ITEM_MOST);
    (void)json_write(value, &buf);
    writer_raw(writer, buf_get(&buf));
    buf_release(&buf);
}
