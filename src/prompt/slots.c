/* The tree of values that a template is rendered with. */
#include "prompt/slots.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "prompt/template.h"

/* Maps hold a dozen keys, so a walk that compares lengths first beats any table. */
const struct slot *slot_find(const struct slot *map, const char *key, size_t size)
{
    if (map->kind != SLOT_MAP) {
        return NULL;
    }
    for (const struct slot *slot = map->first; slot; slot = slot->next) {
        if (slot->key_size == size && memcmp(slot->key, key, size) == 0) {
            return slot;
        }
    }
    return NULL;
}

static struct slot *slot_append(struct arena *arena, struct slot *parent, const char *key)
{
    struct slot *slot = ARENA_NEW(arena, struct slot);
    slot->key = key;
    slot->key_size = key ? strlen(key) : 0;
    if (parent->last) {
        parent->last->next = slot;
    } else {
        parent->first = slot;
    }
    parent->last = slot;
    return slot;
}

/* The slot under the key as a value of this kind; a value of another kind is emptied. */
static struct slot *slot_set(struct arena *arena, struct slot *map, const char *key,
                             enum slot_kind kind)
{
    size_t size = strlen(key);
    struct slot *slot = map->first;
    while (slot && !(slot->key_size == size && memcmp(slot->key, key, size) == 0)) {
        slot = slot->next;
    }
    if (!slot) {
        slot = slot_append(arena, map, key);
    } else if (slot->kind != kind) {
        slot->first = NULL;
        slot->last = NULL;
    }
    slot->kind = kind;
    return slot;
}

struct slot *slot_map(struct arena *arena)
{
    struct slot *slot = ARENA_NEW(arena, struct slot);
    slot->kind = SLOT_MAP;
    slot->truth = true;
    return slot;
}

static void slot_fill(struct arena *arena, struct slot *slot, const char *text)
{
    slot->kind = SLOT_TEXT;
    slot->size = text ? strlen(text) : 0;
    slot->text = slot->size ? arena_copy(arena, text, slot->size) : "";
    slot->truth = slot->size > 0;
    slot->clean = false;
}

void slot_text(struct arena *arena, struct slot *map, const char *key, const char *text)
{
    slot_fill(arena, slot_set(arena, map, key, SLOT_TEXT), text);
}

void slot_clean_text(struct arena *arena, struct slot *map, const char *key,
                     const char *text, size_t size)
{
    struct slot *slot = slot_set(arena, map, key, SLOT_TEXT);
    slot->text = text;
    slot->size = size;
    slot->truth = size > 0;
    slot->clean = true;
}

void slot_int(struct arena *arena, struct slot *map, const char *key, long long value)
{
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%lld", value);
    struct slot *slot = slot_set(arena, map, key, SLOT_TEXT);
    slot_fill(arena, slot, digits);
    slot->truth = value != 0;
}

void slot_flag(struct arena *arena, struct slot *map, const char *key, bool value)
{
    struct slot *slot = slot_set(arena, map, key, SLOT_TEXT);
    slot->text = value ? "true" : "false";
    slot->size = value ? 4 : 5;
    slot->clean = false;
    slot->truth = value;
}

struct slot *slot_child(struct arena *arena, struct slot *map, const char *key)
{
    struct slot *slot = slot_set(arena, map, key, SLOT_MAP);
    slot->truth = true;
    return slot;
}

static struct slot *slot_list_add(struct arena *arena, struct slot *map, const char *key)
{
    struct slot *list = slot_set(arena, map, key, SLOT_LIST);
    list->truth = true;
    return slot_append(arena, list, NULL);
}

struct slot *slot_item(struct arena *arena, struct slot *map, const char *key)
{
    struct slot *slot = slot_list_add(arena, map, key);
    slot->kind = SLOT_MAP;
    slot->truth = true;
    return slot;
}

void slot_item_text(struct arena *arena, struct slot *map, const char *key,
                    const char *text)
{
    slot_fill(arena, slot_list_add(arena, map, key), text);
}
