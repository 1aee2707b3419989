/* Schemas in memory, shared by reference, and in the store. */
#include "knowledge/schema/schema_cache.h"

#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "knowledge/schema/schema_derived.h"
#include "knowledge/schema/schema_turn.h"
#include "store/store.h"

enum { MOST_SCHEMAS = 256 };
static const size_t MOST_JSON = (size_t)512 << 20;

struct cached {
    struct schema *schema;
    struct schema_derived *derived;
    uint64_t used;
};

struct schema_cache {
    struct store *store;
    pthread_mutex_t lock;      /* entries, uses and turns */
    pthread_mutex_t load_lock; /* one thread at a time parses what the store has */
    struct map entries;        /* datasource -> struct cached */
    uint64_t uses;
    struct schema_turns turns;
    atomic_int_fast64_t counts[SCHEMA_LEVELS];
};

struct schema_cache *schema_cache_new(struct store *store)
{
    struct schema_cache *cache = memory_alloc(sizeof *cache);
    cache->store = store;
    (void)pthread_mutex_init(&cache->lock, NULL);
    (void)pthread_mutex_init(&cache->load_lock, NULL);
    map_init(&cache->entries, false);
    schema_turns_init(&cache->turns);
    return cache;
}

static void cached_free(struct cached *cached)
{
    if (cached) {
        schema_unref(cached->schema);
        memory_free(cached);
    }
}

void schema_cache_free(struct schema_cache *cache)
{
    if (!cache) {
        return;
    }
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&cache->entries, &at));) {
        cached_free(entry->value);
    }
    map_release(&cache->entries);
    schema_turns_release(&cache->turns);
    (void)pthread_mutex_destroy(&cache->load_lock);
    (void)pthread_mutex_destroy(&cache->lock);
    memory_free(cache);
}

/* The one used longest ago makes room. Lock held; returns it for freeing outside. */
static struct cached *take_oldest(struct schema_cache *cache)
{
    if (cache->entries.count <= MOST_SCHEMAS) {
        return NULL;
    }
    struct map_entry *oldest = NULL;
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&cache->entries, &at));) {
        const struct cached *cached = entry->value;
        if (!oldest || cached->used < ((const struct cached *)oldest->value)->used) {
            oldest = entry;
        }
    }
    return oldest ? map_remove(&cache->entries, oldest->key) : NULL;
}

/* Takes its own reference. */
static void level1_put(struct schema_cache *cache, struct schema *schema)
{
    (void)pthread_mutex_lock(&cache->lock);
    struct cached *old = map_get(&cache->entries, schema->datasource);
    struct cached *evicted = NULL;
    if (old && old->schema == schema) {
        old = NULL; /* here already, with what was derived from it */
    } else {
        struct cached *cached = memory_alloc(sizeof *cached);
        cached->schema = schema_ref(schema);
        cached->derived = schema_derived_new(schema);
        cached->used = ++cache->uses;
        old = map_set(&cache->entries, schema->datasource, cached);
        evicted = take_oldest(cache);
    }
    (void)pthread_mutex_unlock(&cache->lock);
    cached_free(old);
    cached_free(evicted);
}

/* Is this the signature that is wanted? See schema_cache_get. */
static bool signature_fits(const char *have, const char *wanted)
{
    size_t size = wanted ? strlen(wanted) : 0;
    if (size == 0 || wanted[size - 1] != '*') {
        return !wanted || str_equal(have, wanted);
    }
    return have && strncmp(have, wanted, size - 1) == 0;
}

static struct schema *level1_get(struct schema_cache *cache, const char *datasource,
                                 const char *signature)
{
    struct schema *schema = NULL;
    (void)pthread_mutex_lock(&cache->lock);
    struct cached *cached = map_get(&cache->entries, datasource);
    if (cached && signature_fits(cached->schema->signature, signature)) {
        cached->used = ++cache->uses;
        schema = schema_ref(cached->schema);
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return schema;
}

static struct schema *level2_get(struct schema_cache *cache, const char *datasource,
                                 const char *signature, struct err *err)
{
    struct arena *arena = arena_new();
    const char *json = NULL;
    size_t size = 0;
    struct schema *schema = NULL;
    if (store_schema_get(cache->store, arena, datasource, signature, &json, &size, err)) {
        struct err broken = {0};
        schema = schema_read(json, size, &broken);
        if (!schema) {
            LOG(LOG_STORE, LOG_WARN, "the stored schema of %s cannot be read: %s",
                datasource, broken.message);
        }
    }
    arena_free(arena);
    if (schema && (!str_equal(schema->datasource, datasource) ||
                   !signature_fits(schema->signature, signature))) {
        schema_unref(schema);
        schema = NULL;
    }
    return schema;
}

static struct schema *schema_cache_find(struct schema_cache *cache,
                                        const char *datasource, const char *signature,
                                        enum schema_level *level, struct err *err)
{
    err_clear(err);
    *level = SCHEMA_LEVEL_MEMORY;
    struct schema *schema = level1_get(cache, datasource, signature);
    if (schema || !cache->store) {
        return schema;
    }
    (void)pthread_mutex_lock(&cache->load_lock);
    schema = level1_get(cache, datasource, signature); /* while we waited */
    if (!schema) {
        schema = level2_get(cache, datasource, signature, err);
        *level = SCHEMA_LEVEL_STORE;
        if (schema) {
            level1_put(cache, schema);
        }
    }
    (void)pthread_mutex_unlock(&cache->load_lock);
    return schema;
}

struct schema *schema_cache_get(struct schema_cache *cache, const char *datasource,
                                const char *signature, struct err *err)
{
    enum schema_level level = SCHEMA_LEVEL_READ;
    return schema_cache_find(cache, datasource, signature, &level, err);
}

struct schema *schema_cache_look(struct schema_cache *cache, const char *datasource,
                                 const char *signature, enum schema_level *level,
                                 struct err *err)
{
    struct schema *schema = schema_cache_find(cache, datasource, signature, level, err);
    *level = schema ? *level : SCHEMA_LEVEL_READ;
    atomic_fetch_add(&cache->counts[*level], 1);
    return schema;
}

struct schema *schema_cache_stale(struct schema_cache *cache, const char *datasource,
                                  const char *signature, struct err *err)
{
    struct schema *schema = schema_cache_get(cache, datasource, signature, err);
    if (schema) {
        atomic_fetch_add(&cache->counts[SCHEMA_LEVEL_STALE], 1);
    }
    return schema;
}

void schema_cache_counts(struct schema_cache *cache, int64_t counts[SCHEMA_LEVELS])
{
    for (size_t i = 0; i < SCHEMA_LEVELS; i++) {
        counts[i] = atomic_load(&cache->counts[i]);
    }
}

const char *schema_level_name(enum schema_level level)
{
    static const char *const names[SCHEMA_LEVELS] = {
        [SCHEMA_LEVEL_READ] = "none",
        [SCHEMA_LEVEL_MEMORY] = "L1",
        [SCHEMA_LEVEL_STORE] = "L2",
        [SCHEMA_LEVEL_STALE] = "stale",
    };
    return names[level];
}

bool schema_cache_put(struct schema_cache *cache, struct schema *schema, struct err *err)
{
    level1_put(cache, schema);
    if (!cache->store) {
        return true;
    }
    struct buf json;
    buf_init(&json, MOST_JSON);
    struct writer writer;
    writer_init(&writer, &json);
    schema_write(schema, &writer);
    bool ok = json.full
                  ? err_set(err, ERR_STORE, "The schema is too large for the cache.")
                  : store_schema_put(cache->store, schema->datasource, schema->signature,
                                     buf_get(&json), json.size, err);
    buf_release(&json);
    return ok;
}

void schema_cache_drop(struct schema_cache *cache, const char *datasource)
{
    (void)pthread_mutex_lock(&cache->lock);
    struct cached *cached = map_remove(&cache->entries, datasource);
    (void)pthread_mutex_unlock(&cache->lock);
    cached_free(cached);
}

enum schema_turn schema_cache_begin(struct schema_cache *cache, const char *datasource,
                                    const char *signature, int64_t deadline_ms,
                                    struct cancel *cancel, struct err *err)
{
    err_clear(err);
    (void)pthread_mutex_lock(&cache->lock);
    const struct cached *cached = map_get(&cache->entries, datasource);
    enum schema_turn turn =
        cached && signature && str_equal(cached->schema->signature, signature)
            ? SCHEMA_TURN_DONE
            : schema_turns_begin(&cache->turns, &cache->lock, datasource, deadline_ms,
                                 cancel, err);
    (void)pthread_mutex_unlock(&cache->lock);
    return turn;
}

void schema_cache_end(struct schema_cache *cache, const char *datasource,
                      const struct err *failure)
{
    (void)pthread_mutex_lock(&cache->lock);
    schema_turns_end(&cache->turns, datasource, failure);
    (void)pthread_mutex_unlock(&cache->lock);
}

/* NULL when level 1 does not hold this very schema. Valid while the schema is. */
static struct schema_derived *derived_find(struct schema_cache *cache,
                                           const struct schema *schema)
{
    (void)pthread_mutex_lock(&cache->lock);
    const struct cached *cached =
        schema->datasource ? map_get(&cache->entries, schema->datasource) : NULL;
    struct schema_derived *derived =
        cached && cached->schema == schema ? cached->derived : NULL;
    (void)pthread_mutex_unlock(&cache->lock);
    return derived;
}

const struct schema_text *schema_cache_text(struct schema_cache *cache,
                                            struct arena *arena, struct schema *schema,
                                            const struct schema_text_settings *settings)
{
    struct schema_derived *derived = derived_find(cache, schema);
    const struct schema_text *kept =
        derived ? schema_derived_text(derived, settings) : NULL;
    if (kept) {
        return kept;
    }
    struct schema_text *text = ARENA_NEW(arena, struct schema_text);
    schema_text_render(arena, schema, NULL, 0, settings, INT32_MAX, text);
    return text;
}

void schema_cache_render(struct schema_cache *cache, struct arena *arena,
                         struct schema *schema, const struct table *const *tables,
                         size_t count, const struct schema_text_settings *settings,
                         int token_budget, struct schema_text *out)
{
    struct schema_derived *derived = derived_find(cache, schema);
    if (!derived || !schema_derived_render(derived, arena, tables, count, settings,
                                           token_budget, out)) {
        schema_text_render(arena, schema, tables, count, settings, token_budget, out);
    }
}

const void *schema_cache_made(struct schema_cache *cache, struct arena *arena,
                              const struct schema *schema,
                              const void *(*make)(struct arena *arena,
                                                  const struct schema *schema))
{
    struct schema_derived *derived = derived_find(cache, schema);
    return derived ? schema_derived_made(derived, make) : make(arena, schema);
}

void schema_cache_rank(struct schema_cache *cache, struct arena *arena,
                       struct schema *schema, const struct value_index *values,
                       const char *question, const char *history, size_t most,
                       struct ranked_tables *out)
{
    struct schema_derived *derived = derived_find(cache, schema);
    struct prefilter_index *own = derived ? NULL : prefilter_index_new(schema);
    prefilter_index_rank_cells(own ? own : schema_derived_index(derived), values, arena,
                               question, history, most, out);
    prefilter_index_free(own);
}
