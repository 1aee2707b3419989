/* A hash map from text to pointer. Keys are copied; the caller owns the values. */
#ifndef DGM_BASE_MAP_H
#define DGM_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct map_entry {
    char *key;
    size_t hash;
    void *value;
};

struct map {
    struct map_entry *entries;
    size_t count; /* existing keys */
    size_t used;  /* existing and removed keys */
    size_t capacity;
    bool nocase; /* fold ASCII case in keys */
};

void map_init(struct map *map, bool nocase);
void map_release(struct map *map);
void *map_get(const struct map *map, const char *key); /* NULL when absent */
bool map_has(const struct map *map, const char *key);
void *map_set(struct map *map, const char *key, void *value); /* returns the old value */
void *map_remove(struct map *map, const char *key);           /* returns the old value */
/* Iterates in no particular order: `for (size_t at = 0; (entry = map_next(&map,
 * &at));)`. */
struct map_entry *map_next(const struct map *map, size_t *at);

#endif
