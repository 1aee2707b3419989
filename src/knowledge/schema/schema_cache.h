/*
 * Schemas that were read before. Level 1 is in memory: one schema per datasource, shared
 * by reference, with what is derived from it (prefilter index, prompt text) made at most
 * once. Level 2 is the store, so the next process need not read the database again.
 * Thread-safe.
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

/* A reference, yours to schema_unref: level 1, then level 2. signature NULL: whatever is
 * newest; one that ends in "*": the newest that begins so. NULL with err->code OK when
 * there is none; a stored schema that cannot be read counts as none. */
struct schema *schema_cache_get(struct schema_cache *cache, const char *datasource,
                                const char *signature, struct err *err);

/* What became of a look at the cache, for its hit rate. */
enum schema_level {
    SCHEMA_LEVEL_READ,   /* in neither: the database had to be read */
    SCHEMA_LEVEL_MEMORY, /* level 1 */
    SCHEMA_LEVEL_STORE,  /* level 2 */
    SCHEMA_LEVEL_STALE,  /* the database did not answer: an older one did */
    SCHEMA_LEVELS
};
/* "none", "L1", "L2" and "stale": as traces say it. */
const char *schema_level_name(enum schema_level level);
/* As schema_cache_get for one signature; says where it was found, and counts it. */
struct schema *schema_cache_look(struct schema_cache *cache, const char *datasource,
                                 const char *signature, enum schema_level *level,
                                 struct err *err);
/* As schema_cache_get for a database that does not answer; counted when there is one. */
struct schema *schema_cache_stale(struct schema_cache *cache, const char *datasource,
                                  const char *signature, struct err *err);
/* How often each happened since the cache was made. */
void schema_cache_counts(struct schema_cache *cache, int64_t counts[SCHEMA_LEVELS]);
/*
 * Keeps a finished schema (datasource, signature and hash filled); takes its own
 * reference. False: the store could not keep it (say so as a warning); level 1 holds it
 * all the same. From here on, the schema must not change, and nothing may be allocated
 * from its arena.
 */
bool schema_cache_put(struct schema_cache *cache, struct schema *schema, struct err *err);
/* Forgets the datasource in level 1 (the next get reads level 2 again). */
void schema_cache_drop(struct schema_cache *cache, const char *datasource);

/* Reading a cold schema once, however many questions want it. */
enum schema_turn {
    SCHEMA_TURN_MINE,     /* read it, schema_cache_put it, and call schema_cache_end */
    SCHEMA_TURN_DONE,     /* it was read meanwhile: schema_cache_get */
    SCHEMA_TURN_FAILED,   /* reading failed; err says how */
    SCHEMA_TURN_GIVEN_UP, /* err is TIMEOUT or STOPPED */
};

/* Waits while another thread has the turn for this datasource, until deadline_ms
 * (clock_ms; 0: none) or the cancel fires. The holder keeps its thread from here to
 * schema_cache_end and waits for no other job: waiters hold threads too. */
enum schema_turn schema_cache_begin(struct schema_cache *cache, const char *datasource,
                                    const char *signature, int64_t deadline_ms,
                                    struct cancel *cancel, struct err *err);
/* failure NULL or OK: done. STOPPED and TIMEOUT are the holder's own affair: the turn
 * goes to the next one; any other failure is told to all who wait. Harmless without a
 * turn. */
void schema_cache_end(struct schema_cache *cache, const char *datasource,
                      const struct err *failure);

/* The whole schema as prompt text, rendered once per settings for a schema in level 1.
 * The result lives as long as the schema, or the arena when level 1 does not hold it. */
const struct schema_text *schema_cache_text(struct schema_cache *cache,
                                            struct arena *arena, struct schema *schema,
                                            const struct schema_text_settings *settings);
/* As schema_text_render, with lines that are written once for a schema in level 1. What
 * comes out lives in the arena, but the names in it live as long as the schema. */
void schema_cache_render(struct schema_cache *cache, struct arena *arena,
                         struct schema *schema, const struct table *const *tables,
                         size_t count, const struct schema_text_settings *settings,
                         int token_budget, struct schema_text *out);
/* What `make` makes of the whole schema, once for a schema in level 1, else into the
 * arena. There is room for one kind of thing: whoever calls names the same function. */
const void *schema_cache_made(struct schema_cache *cache, struct arena *arena,
                              const struct schema *schema,
                              const void *(*make)(struct arena *arena,
                                                  const struct schema *schema));
/* As prefilter_index_rank_cells, with an index that is built once for a schema in level
 * 1. */
void schema_cache_rank(struct schema_cache *cache, struct arena *arena,
                       struct schema *schema, const struct value_index *values,
                       const char *question, const char *history, size_t most,
                       struct ranked_tables *out);

#endif
