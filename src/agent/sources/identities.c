/* The identities of those who signed in with a token. */
#include "agent/sources/identities.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/vec.h"

enum { IDENTITIES_MOST = 20000 };

struct identities {
    pthread_mutex_t lock; /* guards the map */
    struct map map;       /* actor -> its identity as text */
};

struct identities *identities_new(void)
{
    struct identities *identities = memory_alloc(sizeof *identities);
    (void)pthread_mutex_init(&identities->lock, NULL);
    map_init(&identities->map, false);
    return identities;
}

static void empty(struct identities *identities)
{
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&identities->map, &at));) {
        memory_free(entry->value);
    }
    map_release(&identities->map);
    map_init(&identities->map, false);
}

void identities_free(struct identities *identities)
{
    empty(identities);
    map_release(&identities->map);
    (void)pthread_mutex_destroy(&identities->lock);
    memory_free(identities);
}

/* With the lock held. Every request brings its identity again. */
static void add(struct identities *identities, const char *actor, const char *text)
{
    if (identities->map.count >= IDENTITIES_MOST) {
        LOG(LOG_AGENT, LOG_INFO, "the identities of %d sign-ins are forgotten",
            IDENTITIES_MOST);
        empty(identities);
    }
    (void)map_set(&identities->map, actor, memory_text(text));
}

void identities_put(struct identities *identities, const char *actor, const char *text)
{
    (void)pthread_mutex_lock(&identities->lock);
    if (!map_get(&identities->map, actor)) {
        add(identities, actor, text);
    }
    (void)pthread_mutex_unlock(&identities->lock);
}

const json_t *identities_get(struct identities *identities, const char *actor,
                             struct arena *arena)
{
    const char *text = NULL;
    if (str_empty(actor)) {
        return NULL;
    }
    (void)pthread_mutex_lock(&identities->lock);
    text = arena_text(arena, map_get(&identities->map, actor));
    (void)pthread_mutex_unlock(&identities->lock);
    return text ? json_quick(arena, text, strlen(text)) : NULL;
}

const char *identities_claims(const json_t *identity, const struct texts *names,
                              struct arena *arena)
{
    const json_t *claims = json_object_at(identity, "claims");
    if (!names->count) {
        return NULL;
    }
    json_t *asked = json_keep(arena, json_object());
    for (size_t i = 0; i < names->count; i++) {
        json_t *value = json_object_get(claims, names->items[i]);
        if (value) {
            (void)json_object_set(asked, names->items[i], value);
        }
    }
    char *text = json_dumps(asked, JSON_COMPACT | JSON_SORT_KEYS);
    const char *kept = arena_text(arena, text ? text : "{}");
    free(text);
    return kept;
}
