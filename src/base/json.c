/* Reading JSON, strictly. */
#include "base/json.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

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

json_t *json_parse(struct arena *arena, const char *text, size_t size, struct err *err)
{
    json_error_t error;
    json_t *value =
        json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (!value) {
        (void)err_set(err, ERR_INVALID_DATA, "Not valid JSON: %s (line %d, column %d).",
                      error.text, error.line, error.column);
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
