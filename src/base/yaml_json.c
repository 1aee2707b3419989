/* A YAML tree as JSON: plain scalars become what they look like. */
#include <ctype.h>

#include "base/str.h"
#include "base/yaml.h"

static const char *skip_digits(const char *at)
{
    while (isdigit((unsigned char)*at)) {
        at++;
    }
    return at;
}

/* JSON's own grammar of numbers, so that 007, 0x1F and 1_000 stay the texts they are. */
static bool looks_like_number(const char *text, bool *whole)
{
    const char *at = text + (*text == '-');
    const char *end = skip_digits(at);
    if (end == at || (*at == '0' && end > at + 1)) {
        return false;
    }
    *whole = *end == '\0';
    if (*end == '.') {
        at = end + 1;
        end = skip_digits(at);
        if (end == at) {
            return false;
        }
    }
    if (*end == 'e' || *end == 'E') {
        at = end + 1;
        at += *at == '+' || *at == '-';
        end = skip_digits(at);
        if (end == at) {
            return false;
        }
    }
    return *end == '\0';
}

static json_t *number_json(const char *text)
{
    bool whole = false;
    int64_t integer = 0;
    double real = 0;
    if (!looks_like_number(text, &whole)) {
        return NULL;
    }
    if (whole && str_to_int(text, &integer)) {
        return json_integer(integer);
    }
    return !whole && str_to_real(text, &real) ? json_real(real) : NULL;
}

static json_t *scalar_json(const struct yaml *yaml)
{
    const char *text = yaml->text;
    if (yaml->quoted) {
        return json_string(text);
    }
    if (*text == '\0' || str_equal(text, "~") || str_equal_nocase(text, "null")) {
        return json_null();
    }
    if (str_equal_nocase(text, "true") || str_equal_nocase(text, "false")) {
        return json_boolean(str_equal_nocase(text, "true"));
    }
    json_t *number = number_json(text);
    return number ? number : json_string(text);
}

/* A new reference; the depth is bounded by yaml_parse. */
static json_t *tree_json(const struct yaml *yaml)
{
    if (yaml->kind == YAML_SCALAR) {
        return scalar_json(yaml);
    }
    json_t *json = yaml->kind == YAML_MAP ? json_object() : json_array();
    for (const struct yaml *child = yaml->first; child; child = child->next) {
        json_t *value = tree_json(child);
        if (yaml->kind == YAML_MAP) {
            (void)json_object_set_new(json, child->key, value);
        } else {
            (void)json_array_append_new(json, value);
        }
    }
    return json;
}

json_t *yaml_to_json(struct arena *arena, const struct yaml *yaml)
{
    return json_keep(arena, tree_json(yaml));
}
