/* One value index per datasource, built once however many questions ask for it, and kept
 * in the store for the next process. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/datasource.h"
#include "knowledge/value_index/value_index.h"
#include "store/store.h"

enum { WAIT_MS = 20, MOST_INDEXES = 64 };

struct cached_index {
    char *signature;
    struct value_index *index; /* NULL while the first one builds it */
    int64_t read_at;           /* clock_wall_s when the database was read */
    uint64_t used;
    bool building;
};

struct value_index_cache {
    pthread_mutex_t lock;
    pthread_cond_t built;
    struct map entries; /* datasource -> struct cached_index */
    uint64_t uses;
    struct value_index_keeping keeping;
    bool ages;
};

struct value_index_cache *value_index_cache_new(const struct value_index_keeping *keeping)
{
    struct value_index_cache *cache = memory_alloc(sizeof *cache);
    (void)pthread_mutex_init(&cache->lock, NULL);
    (void)pthread_cond_init(&cache->built, NULL);
    map_init(&cache->entries, false);
    cache->ages = keeping != NULL;
    if (keeping) {
        cache->keeping = *keeping;
    }
    return cache;
}

static void cached_index_free(struct cached_index *cached)
{
    if (cached) {
        value_index_unref(cached->index);
        memory_free(cached->signature);
        memory_free(cached);
    }
}

void value_index_cache_free(struct value_index_cache *cache)
{
    if (!cache) {
        return;
    }
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&cache->entries, &at));) {
        cached_index_free(entry->value);
    }
    map_release(&cache->entries);
    (void)pthread_cond_destroy(&cache->built);
    (void)pthread_mutex_destroy(&cache->lock);
    memory_free(cache);
}

/* The one used longest ago makes room. Lock held. */
static void make_room(struct value_index_cache *cache)
{
    struct map_entry *entry = NULL;
    struct map_entry *oldest = NULL;
    for (size_t at = 0; (entry = map_next(&cache->entries, &at));) {
        const struct cached_index *cached = entry->value;
        if (!cached->building &&
            (!oldest ||
             cached->used < ((const struct cached_index *)oldest->value)->used)) {
            oldest = entry;
        }
    }
    if (oldest && cache->entries.count > MOST_INDEXES) {
        cached_index_free(map_remove(&cache->entries, oldest->key));
    }
}

/*
 * Sleeps a little, or until a value index is complete; false after the caller's timeout.
 */
static bool wait_turn(struct value_index_cache *cache,
                      const struct datasource_limits *limits, struct err *err)
{
    struct timespec until;
    if (limits && cancel_fired(limits->cancel)) {
        return err_set(err, ERR_STOPPED, "The question was stopped.");
    }
    if (limits && limits->deadline_ms && clock_ms() >= limits->deadline_ms) {
        return err_set(err, ERR_TIMEOUT,
                       "Reading the values of the database took too "
                       "long.");
    }
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(&cache->built, &cache->lock, &until);
    return true;
}

/* A clock that was set back makes nothing young again. */
static bool is_young(const struct value_index_cache *cache, int64_t read_at)
{
    int64_t age = clock_wall_s() - read_at;
    return !cache->ages || (age >= 0 && age < cache->keeping.ttl_s);
}

static struct value_index *stored_get(struct value_index_cache *cache,
                                      const char *datasource, const struct schema *schema,
                                      const char *signature,
                                      const struct value_index_settings *settings,
                                      int64_t *read_at)
{
    struct err trouble;
    struct store_values stored;
    struct value_index *index = NULL;
    err_clear(&trouble);
    if (!cache->keeping.store || !cache->keeping.stored || cache->keeping.ttl_s <= 0) {
        return NULL;
    }
    struct arena *arena = arena_new();
    if (store_values_get(cache->keeping.store, arena, datasource, signature, &stored,
                         &trouble) &&
        is_young(cache, stored.stored_at)) {
        index = value_index_unpack(stored.data, stored.size, schema, settings);
        *read_at = stored.stored_at;
    }
    arena_free(arena);
    return index;
}

/* Failing is no matter: the next process reads the database, as this one did. */
static void stored_put(struct value_index_cache *cache, const char *datasource,
                       const char *signature, const struct value_index *index)
{
    struct err trouble;
    size_t size = 0;
    err_clear(&trouble);
    if (!cache->keeping.store) {
        return;
    }
    if (!cache->keeping.stored) {
        (void)store_values_drop(cache->keeping.store, datasource, &trouble);
        return;
    }
    char *data = value_index_pack(index, &size);
    if (data && !store_values_put(cache->keeping.store, datasource, signature, data, size,
                                  &trouble)) {
        LOG(LOG_STORE, LOG_INFO, "the values of %s are not kept: %s", datasource,
            trouble.message);
    }
    memory_free(data);
}

/* What is known, or the caller's turn to build it. Lock held. */
static bool find_or_claim(struct value_index_cache *cache, const char *datasource,
                          const char *signature, const struct datasource_limits *limits,
                          struct cached_index **out, struct err *err)
{
    struct cached_index *cached = NULL;
    while ((cached = map_get(&cache->entries, datasource)) && cached->building) {
        if (!wait_turn(cache, limits, err)) {
            return false;
        }
    }
    if (!cached || !str_equal(cached->signature, signature) ||
        !is_young(cache, cached->read_at)) {
        cached_index_free(cached);
        cached = memory_alloc(sizeof *cached);
        cached->signature = memory_text(signature);
        cached->building = true;
        (void)map_set(&cache->entries, datasource, cached);
    }
    cached->used = ++cache->uses;
    *out = cached;
    return true;
}

struct value_index *value_index_cache_get(struct value_index_cache *cache,
                                          struct datasource *source,
                                          const struct schema *schema,
                                          const struct value_index_settings *settings,
                                          const struct datasource_limits *limits,
                                          struct err *err)
{
    const char *signature = schema->signature ? schema->signature : "";
    struct value_index *index = NULL;
    struct cached_index *cached = NULL;
    (void)pthread_mutex_lock(&cache->lock);
    if (!find_or_claim(cache, source->id, signature, limits, &cached, err)) {
        (void)pthread_mutex_unlock(&cache->lock);
        return NULL;
    }
    if (cached->building) {
        (void)pthread_mutex_unlock(&cache->lock);
        int64_t read_at = clock_wall_s();
        index = stored_get(cache, source->id, schema, signature, settings, &read_at);
        if (!index) {
            index = value_index_build(source, schema, settings, limits, err);
            if (index) {
                stored_put(cache, source->id, signature, index);
            }
        }
        (void)pthread_mutex_lock(&cache->lock);
        cached->read_at = read_at;
        cached->building = false;
        cached->index = index;
        if (!index) {
            cached_index_free(map_remove(&cache->entries, source->id));
        }
        make_room(cache);
        (void)pthread_cond_broadcast(&cache->built);
    } else {
        index = cached->index;
    }
    if (index) {
        (void)value_index_ref(index);
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return index;
}

struct value_index *value_index_cache_peek(struct value_index_cache *cache,
                                           const char *datasource,
                                           const struct schema *schema,
                                           const struct value_index_settings *settings)
{
    const char *signature = schema->signature ? schema->signature : "";
    struct value_index *index = NULL;
    int64_t read_at = 0;
    (void)pthread_mutex_lock(&cache->lock);
    const struct cached_index *cached = map_get(&cache->entries, datasource);
    if (cached && !cached->building && str_equal(cached->signature, signature)) {
        index = value_index_ref(cached->index);
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return index ? index
                 : stored_get(cache, datasource, schema, signature, settings, &read_at);
}

void value_index_cache_drop(struct value_index_cache *cache, const char *datasource)
{
    (void)pthread_mutex_lock(&cache->lock);
    struct cached_index *cached = map_get(&cache->entries, datasource);
    if (cached && !cached->building) {
        cached_index_free(map_remove(&cache->entries, datasource));
    }
    (void)pthread_mutex_unlock(&cache->lock);
    struct err trouble;
    err_clear(&trouble);
    if (cache->keeping.store) {
        (void)store_values_drop(cache->keeping.store, datasource, &trouble);
    }
}
