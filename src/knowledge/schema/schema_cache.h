/*
 * A cache of schemas. Level 1 is in memory: one schema per datasource, shared by
 * reference, with derived data (prefilter index, prompt text) computed at most once.
 * Level 2 is the store, for later processes. Thread-safe.
 */
#ifndef DGM_KNOWLEDGE_SCHEMA_CACHE_H
#define DGM_KNOWLEDGE_SCHEMA_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/err.h"
#include "knowledge/prefilter/prefilter.h"
#include "knowledge/schema/schema_text.h"
#include "model/schema.h"

struct schema_cache;
struct store;

struct schema_cache *schema_cache_new(struct store *store); /* NULL store: level 1 only */
void schema_cache_free(struct schema_cache *cache);

/*
 * The caller gets a reference: from level 1, else level 2. signature NULL: the newest;
 * one that ends in "*": the newest with this prefix. NULL with err->code OK if there is
 * none; an unreadable stored schema counts as none.
 */
struct schema *schema_cache_get(struct schema_cache *cache, const char *datasource,
                                const char *signature, struct err *err);

/* The result of a lookup, for the hit rate. */
enum schema_level {
    SCHEMA_LEVEL_READ,   /* in neither: the database had to be read */
    SCHEMA_LEVEL_MEMORY, /* level 1 */
    SCHEMA_LEVEL_STORE,  /* level 2 */
    SCHEMA_LEVEL_STALE,  /* the database did not reply, so an older one is used */
    SCHEMA_LEVELS
};
/* "none", "L1", "L2" and "stale": as traces say it. */
const char *schema_level_name(enum schema_level level);
/* Like schema_cache_get for one signature; also says where it was found, and counts
 * it. */
struct schema *schema_cache_look(struct schema_cache *cache, const char *datasource,
                                 const char *signature, enum schema_level *level,
                                 struct err *err);
/* Like schema_cache_get if the database does not reply; counted if there is one. */
struct schema *schema_cache_stale(struct schema_cache *cache, const char *datasource,
                                  const char *signature, struct err *err);
/* How often each happened since the cache was made. */
void schema_cache_counts(struct schema_cache *cache, int64_t counts[SCHEMA_LEVELS]);
/*
 * Adds a finished schema (datasource, signature and hash set); takes its own reference.
 * False: the store failed (report a warning), but level 1 has it. After this the schema
 * must not change, and nothing may be allocated from its arena.
 */
bool schema_cache_put(struct schema_cache *cache, struct schema *schema, struct err *err);
/* Drops the datasource from level 1; the next get reads level 2. */
void schema_cache_drop(struct schema_cache *cache, const char *datasource);

/* Turns to read a schema, so that parallel questions read it only once. */
enum schema_turn {
    SCHEMA_TURN_MINE,     /* read it, call schema_cache_put, then schema_cache_end */
    SCHEMA_TURN_DONE,     /* another question has read it: call schema_cache_get */
    SCHEMA_TURN_FAILED,   /* reading failed; err says how */
    SCHEMA_TURN_GIVEN_UP, /* err is TIMEOUT or STOPPED */
};

/*
 * Waits while another thread has the turn for this datasource, until deadline_ms
 * (clock_ms; 0: none) or a cancel. The holder must not wait for other jobs before
 * schema_cache_end, because the waiters occupy threads.
 */
enum schema_turn schema_cache_begin(struct schema_cache *cache, const char *datasource,
                                    const char *signature, int64_t deadline_ms,
                                    struct cancel *cancel, struct err *err);
/* failure NULL or OK: done. After STOPPED and TIMEOUT the turn goes to the next thread;
 * other failures are returned to all waiters. Harmless without a turn. */
void schema_cache_end(struct schema_cache *cache, const char *datasource,
                      const struct err *failure);

/* The whole schema as prompt text, rendered once per settings if the schema is in level
 * 1. The result lives as long as the schema, or as the arena otherwise. */
const struct schema_text *schema_cache_text(struct schema_cache *cache,
                                            struct arena *arena, struct schema *schema,
                                            const struct schema_text_settings *settings);
/* Like schema_text_render, with table lines cached for a schema in level 1. The result
 * lives in the arena; names in it as long as the schema. */
void schema_cache_render(struct schema_cache *cache, struct arena *arena,
                         struct schema *schema, const struct table *const *tables,
                         size_t count, const struct schema_text_settings *settings,
                         int token_budget, struct schema_text *out);
/* The result of `make` for the whole schema, cached for a schema in level 1, else in the
 * arena. There is one slot, so all callers must pass the same function. */
const void *schema_cache_made(struct schema_cache *cache, struct arena *arena,
                              const struct schema *schema,
                              const void *(*make)(struct arena *arena,
                                                  const struct schema *schema));
/* Like prefilter_index_rank_cells, with the index cached for a schema in level 1. */
void schema_cache_rank(struct schema_cache *cache, struct arena *arena,
                       struct schema *schema, const struct value_index *values,
                       const char *question, const char *history, size_t most,
                       struct ranked_tables *out);

#endif
