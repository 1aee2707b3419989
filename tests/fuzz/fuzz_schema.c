/*
 * Looks for stored schemas, and JSON at large, that make a reader fall, that the quick
 * reader and the thorough one take differently, or that change when they are written and
 * read again. layers: model
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/json_tree.h"
#include "base/writer.h"
#include "model/schema.h"

static void expect(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_same(const struct json_tree *tree, const json_t *json);

static void check_items(const struct json_tree *tree, const json_t *json)
{
    size_t count = 0;
    for (const struct json_tree *at = tree->as.first; at; at = at->next) {
        check_same(at, at->key ? json_object_get(json, at->key)
                               : json_array_get(json, count));
        count++;
    }
    expect(count == tree->count);
    expect(count ==
           (json_is_array(json) ? json_array_size(json) : json_object_size(json)));
}

static void check_same(const struct json_tree *tree, const json_t *json)
{
    static const json_type types[] = {
        [JSON_TREE_NULL] = JSON_NULL,   [JSON_TREE_FALSE] = JSON_FALSE,
        [JSON_TREE_TRUE] = JSON_TRUE,   [JSON_TREE_INTEGER] = JSON_INTEGER,
        [JSON_TREE_REAL] = JSON_REAL,   [JSON_TREE_TEXT] = JSON_STRING,
        [JSON_TREE_ARRAY] = JSON_ARRAY, [JSON_TREE_OBJECT] = JSON_OBJECT,
    };
    expect(json && json_typeof(json) == types[tree->kind]);
    if (tree->kind == JSON_TREE_ARRAY || tree->kind == JSON_TREE_OBJECT) {
        check_items(tree, json);
    } else if (tree->kind == JSON_TREE_TEXT) {
        expect(strcmp(tree->as.text, json_string_value(json)) == 0);
    } else if (tree->kind == JSON_TREE_INTEGER) {
        expect(tree->as.integer == json_integer_value(json));
    } else if (tree->kind == JSON_TREE_REAL) {
        double real = json_real_value(json);
        expect(memcmp(&tree->as.real, &real, sizeof real) == 0);
    }
}

static void check_readers(const char *text, size_t size)
{
    struct arena *arena = arena_new();
    struct err quick;
    struct err thorough;
    err_clear(&quick);
    err_clear(&thorough);
    const struct json_tree *tree = json_tree_parse(arena, text, size, &quick);
    const json_t *json = json_parse(arena, text, size, &thorough);
    if (tree) {
        check_same(tree, json);
    } else if (!json) {
        expect(strcmp(quick.message, thorough.message) == 0);
    } else { /* the thorough one passes over some NULs */
        expect(quick.code == ERR_INVALID_DATA && memchr(text, '\0', size));
    }
    arena_free(arena);
}

static void write_schema(const struct schema *schema, struct buf *buf)
{
    struct writer writer;
    buf_init(buf, SIZE_MAX / 2);
    writer_init(&writer, buf);
    schema_write(schema, &writer);
}

static void check_schema(const struct schema *schema)
{
    struct err err;
    struct buf first;
    struct buf second;
    write_schema(schema, &first);
    struct schema *again = schema_read(buf_get(&first), first.size, &err);
    expect(again != NULL);
    write_schema(again, &second);
    expect(first.size == second.size &&
           memcmp(buf_get(&first), buf_get(&second), first.size) == 0);
    schema_unref(again);
    buf_release(&first);
    buf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err;
    err_clear(&err);
    check_readers((const char *)data, size);
    struct schema *schema = schema_read((const char *)data, size, &err);
    if (schema) {
        check_schema(schema);
        schema_unref(schema);
    } else {
        expect(err.code == ERR_INVALID_DATA && *err.message);
    }
    return 0;
}
