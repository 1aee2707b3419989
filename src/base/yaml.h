/* Parses YAML into a tree with line numbers. */
#ifndef DGM_BASE_YAML_H
#define DGM_BASE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

struct arena;
struct err;

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml {
    enum yaml_kind kind;
    const char *key;  /* in a map: its key, else NULL */
    const char *text; /* scalars */
    bool quoted; /* the scalar was quoted, so it is text even if it looks like a number */
    int line;    /* from 1 */
    int column;  /* from 1 */
    struct yaml *first; /* children, in order */
    struct yaml *next;
};

/* One document. Bounded: depth 64, 100,000 nodes, anchors and aliases refused. */
struct yaml *yaml_parse(struct arena *arena, const char *text, size_t size,
                        struct err *err);
const struct yaml *yaml_at(const struct yaml *map, const char *key); /* or NULL */
/* Converts it to JSON: unquoted true, false, null and numbers get their types. */
json_t *yaml_to_json(struct arena *arena, const struct yaml *yaml);

#endif
