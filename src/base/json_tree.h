/*
 * Parses JSON into nodes of an arena, for texts that are read once: about ten times as
 * fast as json_parse. Both accept the same texts (duplicate keys, trailing text, bad
 * UTF-8, numbers out of range and deep nesting are errors; here NUL bytes, too) and give
 * the same errors. The getters take any node, including NULL, and never fail; keys of an
 * object are searched linearly, so use it for objects with few keys.
 */
#ifndef DGM_BASE_JSON_TREE_H
#define DGM_BASE_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct texts;

enum json_tree_kind {
    JSON_TREE_NULL,
    JSON_TREE_FALSE,
    JSON_TREE_TRUE,
    JSON_TREE_INTEGER,
    JSON_TREE_REAL,
    JSON_TREE_TEXT,
    JSON_TREE_ARRAY,
    JSON_TREE_OBJECT,
};

struct json_tree {
    const char *key;              /* in an object; else NULL */
    const struct json_tree *next; /* in its array or object */
    union {
        int64_t integer;
        double real;
        const char *text;
        const struct json_tree *first; /* of an array or object; NULL when empty */
    } as;
    enum json_tree_kind kind;
    uint32_t count; /* of an array or object */
};

/* The tree lives as long as the arena and keeps nothing of the text. NULL and err (line,
 * column) when it is not JSON. */
const struct json_tree *json_tree_parse(struct arena *arena, const char *text,
                                        size_t size, struct err *err);
/* The same without saying what is wrong. */
const struct json_tree *json_tree_read(struct arena *arena, const char *text,
                                       size_t size);

const char *json_tree_text(const struct json_tree *object, const char *key); /* or NULL */
int64_t json_tree_int(const struct json_tree *object, const char *key, int64_t missing);
double json_tree_real(const struct json_tree *object, const char *key, double missing);
bool json_tree_bool(const struct json_tree *object, const char *key, bool missing);
const struct json_tree *json_tree_array(const struct json_tree *object, const char *key);
/* The first item of the array under this key; NULL when it is none, or empty. */
const struct json_tree *json_tree_items(const struct json_tree *object, const char *key);
/* Adds copies of an array's texts; what is no text is passed over. */
void json_tree_texts(struct arena *arena, const struct json_tree *object, const char *key,
                     struct texts *out);

#endif
