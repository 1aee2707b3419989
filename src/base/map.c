/* Text -> pointer, open addressing with linear steps. */
#include "base/map.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

static char removed_key[] = ""; /* its address marks a slot whose key went away */

void map_init(struct map *map, bool nocase)
{
    *map = (struct map){.nocase = nocase};
}

void map_release(struct map *map)
{
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->entries[i].key != removed_key) {
            memory_free(map->entries[i].key);
        }
    }
    memory_free(map->entries);
    map_init(map, map->nocase);
}

static size_t key_hash(const struct map *map, const char *key)
{
    size_t hash = 1469598103934665603U;
    for (; *key; key++) {
        int c = map->nocase ? tolower((unsigned char)*key) : (unsigned char)*key;
        hash = (hash ^ (size_t)c) * 1099511628211U;
    }
    return hash;
}

static struct map_entry *map_find(const struct map *map, const char *key)
{
    if (!map->capacity) {
        return NULL;
    }
    size_t hash = key_hash(map, key);
    for (size_t at = hash & (map->capacity - 1);; at = (at + 1) & (map->capacity - 1)) {
        struct map_entry *entry = &map->entries[at];
        if (!entry->key) {
            return NULL;
        }
        if (entry->key != removed_key && entry->hash == hash &&
            (map->nocase ? strcasecmp : strcmp)(entry->key, key) == 0) {
            return entry;
        }
    }
}

void *map_get(const struct map *map, const char *key)
{
    struct map_entry *entry = map_find(map, key);
    return entry ? entry->value : NULL;
}

bool map_has(const struct map *map, const char *key)
{
    return map_find(map, key) != NULL;
}

static void map_place(struct map *map, struct map_entry entry)
{
    size_t at = entry.hash & (map->capacity - 1);
    while (map->entries[at].key) {
        at = (at + 1) & (map->capacity - 1);
    }
    map->entries[at] = entry;
}

static void map_make_room(struct map *map)
{
    if (map->capacity && (map->used + 1) * 4 <= map->capacity * 3) {
        return;
    }
    struct map old = *map;
    map->capacity = 16;
    while (map->capacity < (old.count + 1) * 2) {
        map->capacity *= 2;
    }
    map->entries = memory_array(map->capacity, sizeof *map->entries);
    map->used = old.count;
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.entries[i].key && old.entries[i].key != removed_key) {
            map_place(map, old.entries[i]);
        }
    }
    memory_free(old.entries);
}

void *map_set(struct map *map, const char *key, void *value)
{
    struct map_entry *entry = map_find(map, key);
    if (entry) {
        void *old = entry->value;
        entry->value = value;
        return old;
    }
    map_make_room(map);
    map_place(map, (struct map_entry){memory_text(key), key_hash(map, key), value});
    map->count++;
    map->used++;
    return NULL;
}

void *map_remove(struct map *map, const char *key)
{
    struct map_entry *entry = map_find(map, key);
    if (!entry) {
        return NULL;
    }
    void *old = entry->value;
    memory_free(entry->key);
    *entry = (struct map_entry){.key = removed_key};
    map->count--;
    return old;
}

struct map_entry *map_next(const struct map *map, size_t *at)
{
    while (*at < map->capacity) {
        struct map_entry *entry = &map->entries[(*at)++];
        if (entry->key && entry->key != removed_key) {
            return entry;
        }
    }
    return NULL;
}
