/* Does a JSON schema meet the rules of OpenAI's strict mode? */
#include <stdatomic.h>

#include "base/hash.h"
#include "base/str.h"
#include "llm/provider.h"

enum { KNOWN = 64, DEPTH_MOST = 16 };

/* Strict mode wants every property required and nothing besides them, at every level. */
static bool object_is_strict(const json_t *schema, int depth)
{
    const char *key;
    json_t *value;
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *required = json_object_get(schema, "required");
    if (depth > DEPTH_MOST) {
        return false;
    }
    if (properties) {
        if (!json_is_false(json_object_get(schema, "additionalProperties")) ||
            json_array_size(required) != json_object_size(properties)) {
            return false;
        }
        json_object_foreach((json_t *)(uintptr_t)properties, key, value)
        {
            if (!object_is_strict(value, depth + 1)) {
                return false;
            }
        }
    } else if (str_equal(json_text_at(schema, "type"), "object")) {
        return false;
    }
    const json_t *items = json_object_get(schema, "items");
    return !items || object_is_strict(items, depth + 1);
}

/* A program has a few dozen schemas and asks with them over and over: the verdicts are
 * kept by hash, the lowest bit being the verdict. */
static _Atomic uint64_t known[KNOWN];

bool schema_is_strict(const char *schema, size_t size)
{
    uint64_t hash = hash_of(schema, size) & ~(uint64_t)1;
    _Atomic uint64_t *slot = &known[(hash >> 1) % KNOWN];
    uint64_t seen = atomic_load_explicit(slot, memory_order_relaxed);
    if (hash != 0 && (seen & ~(uint64_t)1) == hash) {
        return (seen & 1) != 0;
    }
    json_t *root = said_parse(schema, size);
    bool strict = json_object_get(root, "properties") && object_is_strict(root, 0);
    json_decref(root);
    atomic_store_explicit(slot, hash | (strict ? 1 : 0), memory_order_relaxed);
    return strict;
}
