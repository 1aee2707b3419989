/* YAML as models write it: often with a sentence before it. */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yaml.h"
#include "llm/reply.h"

enum { YAML_MOST = 256 * 1024 }; /* no reply in YAML is longer; garbage may be */

/* "key:" or "key: value" at the start of a line, with a key that is one word. */
static bool is_key_line(struct span line)
{
    size_t size = 0;
    while (size < line.size && size < 64 &&
           (line.at[size] == '_' || line.at[size] == '-' ||
            (line.at[size] >= '0' && line.at[size] <= '9') ||
            ((line.at[size] | 0x20) >= 'a' && (line.at[size] | 0x20) <= 'z'))) {
        size++;
    }
    return size > 0 && size < line.size && line.at[size] == ':' &&
           (size + 1 == line.size || line.at[size + 1] == ' ');
}

/* "sql:" with nothing behind it says nothing; in JSON a null is written on purpose. */
static json_t *without_nulls(json_t *object)
{
    const char *key;
    void *next;
    json_t *value;
    json_object_foreach_safe(object, next, key, value)
    {
        if (json_is_null(value)) {
            (void)json_object_del(object, key);
        }
    }
    return object;
}

json_t *reply_yaml(struct arena *arena, struct span text)
{
    if (text.size > YAML_MOST) {
        return NULL;
    }
    struct span rest = text;
    struct span line;
    struct span body = {0};
    while (!body.at && span_line(&rest, &line)) {
        if (is_key_line(line)) {
            body = (struct span){line.at, (size_t)(text.at + text.size - line.at)};
        }
    }
    if (!body.at) {
        return NULL;
    }
    struct err ignored;
    const struct yaml *tree = yaml_parse(arena, body.at, body.size, &ignored);
    return tree && tree->kind == YAML_MAP ? without_nulls(yaml_to_json(arena, tree))
                                          : NULL;
}
