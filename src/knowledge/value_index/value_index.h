/*
 * The cells of a database's text columns, so that words of a question are found as values
 * with their exact spelling: equal, up to case, accents and signs; as a part; nearly
 * equal, for typing errors. Bounded in values per column and in bytes. Read once per
 * datasource and schema, then immutable and shared by reference: any thread may look.
 */
#ifndef DGM_KNOWLEDGE_VALUE_INDEX_H
#define DGM_KNOWLEDGE_VALUE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct datasource;
struct datasource_limits;
struct schema;
struct value_index;
struct value_index_cache;
struct store;

struct value_index_settings {
    size_t values_per_column; /* 0: 4000 */
    size_t value_characters;  /* longer values are left out; 0: 60 */
    size_t total_bytes;       /* 0: 24 MiB */
    size_t rows_per_column;   /* rows looked at for one column; 0: 200000 */
};

/* Where a value stands: numbers of a table of the schema and of a column of it. */
struct value_place {
    uint32_t table;
    uint32_t column;
};

struct value_match {
    const char *text; /* as the cell has it; lives as long as the index */
    const struct value_place *places;
    size_t place_count;
    bool exact;    /* same letters up to case and accents, signs included */
    size_t errors; /* typing errors; 0 unless asked for near ones */
};

struct value_matches {
    struct value_match *items;
    size_t count;
    size_t capacity;
};

/* By hand: add, then freeze; nothing may be added after. */
struct value_index *value_index_new(const struct value_index_settings *settings);
/* False when the value is no text, too long, or the index is full. */
bool value_index_add(struct value_index *index, struct value_place place,
                     const char *text, size_t size);
void value_index_freeze(struct value_index *index);
/* Adds all of a frozen one; move changes a place, or says that it is left out. */
void value_index_add_all(struct value_index *index, const struct value_index *from,
                         bool (*move)(void *context, struct value_place *place),
                         void *context);

/* Reads the datasource. A column that cannot be read is left out; false only when stopped
 * or out of time before anything could be read (err says which). One reference, yours. */
struct value_index *value_index_build(struct datasource *source,
                                      const struct schema *schema,
                                      const struct value_index_settings *settings,
                                      const struct datasource_limits *limits,
                                      struct err *err);
struct value_index *value_index_ref(struct value_index *index);
void value_index_unref(struct value_index *index); /* NULL is fine */

size_t value_index_count(const struct value_index *index); /* distinct values */
size_t value_index_bytes(const struct value_index *index);
bool value_index_partial(const struct value_index *index); /* something was left out */

/* Looks are in the arena and in a fixed order; NULL index: nothing is found.
 * Equal ones, the exact spelling first. */
void value_index_find(const struct value_index *index, struct arena *arena,
                      const char *text, size_t size, struct value_matches *out);
/* Values that have these words among others, as whole words: "acme" finds "Acme Ltd",
 * "gatwick" "London Gatwick". None at all when there are more than `most`: then the words
 * name no value. */
void value_index_part(const struct value_index *index, struct arena *arena,
                      const char *text, size_t size, size_t most,
                      struct value_matches *out);
/* At most `most` values that begin like this, in the order of their letters: "san f"
 * finds "San Francisco". The value that is equal comes first. */
void value_index_prefix(const struct value_index *index, struct arena *arena,
                        const char *text, size_t size, size_t most,
                        struct value_matches *out);
/* The places of such values, each once, at most `most`; of very many values only the
 * first are looked at. Returns how many. */
size_t value_index_inside(const struct value_index *index, const char *text, size_t size,
                          struct value_place *out, size_t most);
/* At most `most` values with few typing errors (1 from 5 letters, 2 from 9), the nearest
 * first; none for shorter text. */
void value_index_near(const struct value_index *index, struct arena *arena,
                      const char *text, size_t size, size_t most,
                      struct value_matches *out);

/* As bytes and back. NULL when it is too large or could not be read in full; yours to
 * memory_free. Bytes that are damaged, of another version, read with other settings or
 * out of place in the schema are no index: NULL. */
char *value_index_pack(const struct value_index *index, size_t *size);
struct value_index *value_index_unpack(const char *data, size_t size,
                                       const struct schema *schema,
                                       const struct value_index_settings *settings);

/* How long what was read counts, and whether the next process may have it. */
struct value_index_keeping {
    struct store *store; /* or NULL: in memory only */
    bool stored;         /* false: in memory only, and what the store has is removed */
    int64_t ttl_s;       /* older ones are read again; 0: always */
};

/* Indexes by datasource and signature; a newer signature replaces the older. keeping is
 * copied; NULL: in memory, for good. */
struct value_index_cache *
value_index_cache_new(const struct value_index_keeping *keeping);
void value_index_cache_free(struct value_index_cache *cache);
/* A reference, yours; from memory, from the store, or built by the first who asks while
 * others wait for it. */
struct value_index *value_index_cache_get(struct value_index_cache *cache,
                                          struct datasource *source,
                                          const struct schema *schema,
                                          const struct value_index_settings *settings,
                                          const struct datasource_limits *limits,
                                          struct err *err);
/* The same without reading the database: NULL when neither memory nor store has it. */
struct value_index *value_index_cache_peek(struct value_index_cache *cache,
                                           const char *datasource,
                                           const struct schema *schema,
                                           const struct value_index_settings *settings);
/* Forgets it, in memory and in the store. */
void value_index_cache_drop(struct value_index_cache *cache, const char *datasource);

#endif
