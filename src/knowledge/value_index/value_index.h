/*
 * An index of the cells of a database's text columns, which finds words of a question as
 * values with their exact spelling: equal (ignoring case, accents and punctuation), as a
 * part, or similar (typing errors). Bounded in values per column and in bytes. Read once
 * per datasource and schema, then immutable and shared by reference; thread-safe.
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

/* To build it by hand: add values, then freeze; nothing may be added after that. */
struct value_index *value_index_new(const struct value_index_settings *settings);
/* False when the value is no text, too long, or the index is full. */
bool value_index_add(struct value_index *index, struct value_place place,
                     const char *text, size_t size);
void value_index_freeze(struct value_index *index);
/* Adds all values of a frozen index; move changes a place, or returns false to skip
 * it. */
void value_index_add_all(struct value_index *index, const struct value_index *from,
                         bool (*move)(void *context, struct value_place *place),
                         void *context);

/* Reads the datasource. Columns that cannot be read are skipped; false only after a stop
 * or timeout before anything was read. The caller gets a reference. */
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

/* Results are in the arena in a fixed order; index NULL: nothing is found. Equal values,
 * exact spelling first. */
void value_index_find(const struct value_index *index, struct arena *arena,
                      const char *text, size_t size, struct value_matches *out);
/*
 * Values that contain these words as whole words: "acme" finds "Acme Ltd", "gatwick"
 * "London Gatwick". None if there are more than `most`, because the words are then too
 * general.
 */
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
/* At most `most` values with few typing errors (1 from 5 letters, 2 from 9), most similar
 * first; none for shorter texts. */
void value_index_near(const struct value_index *index, struct arena *arena,
                      const char *text, size_t size, size_t most,
                      struct value_matches *out);

/*
 * Serializes the index. NULL if it is too large or incomplete; the caller frees it.
 * Reading returns NULL for damaged data, another version, other settings, or places that
 * the schema does not have.
 */
char *value_index_pack(const struct value_index *index, size_t *size);
struct value_index *value_index_unpack(const char *data, size_t size,
                                       const struct schema *schema,
                                       const struct value_index_settings *settings);

/* How long an index is valid, and whether it is stored for later processes. */
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
/* The caller gets a reference: from memory, from the store, or built by the first caller
 * while others wait. */
struct value_index *value_index_cache_get(struct value_index_cache *cache,
                                          struct datasource *source,
                                          const struct schema *schema,
                                          const struct value_index_settings *settings,
                                          const struct datasource_limits *limits,
                                          struct err *err);
/* The same without reading the database; NULL if it is in neither memory nor store. */
struct value_index *value_index_cache_peek(struct value_index_cache *cache,
                                           const char *datasource,
                                           const struct schema *schema,
                                           const struct value_index_settings *settings);
/* Forgets it, in memory and in the store. */
void value_index_cache_drop(struct value_index_cache *cache, const char *datasource);

#endif
