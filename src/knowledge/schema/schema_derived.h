/*
 * What is made from a schema at most once: the prefilter's index and the prompt text. It
 * lives and ends with the schema, so whoever holds a reference to that may use it also
 * after the cache let go. Thread-safe.
 */
#ifndef DGM_KNOWLEDGE_SCHEMA_DERIVED_H
#define DGM_KNOWLEDGE_SCHEMA_DERIVED_H

#include "knowledge/prefilter/prefilter.h"
#include "knowledge/schema/schema_text.h"

struct schema_derived;

/* Freed with the schema's arena. */
struct schema_derived *schema_derived_new(struct schema *schema);
const struct prefilter_index *schema_derived_index(struct schema_derived *derived);
/* The whole schema; NULL when too many settings are in use for one more to be kept. */
const struct schema_text *
schema_derived_text(struct schema_derived *derived,
                    const struct schema_text_settings *settings);
/* What `make` makes of the schema, in an arena that ends with it. There is room for one
 * such thing: whoever calls names the same function. */
const void *schema_derived_made(struct schema_derived *derived,
                                const void *(*make)(struct arena *arena,
                                                    const struct schema *schema));
/* Some tables within a budget; false as above. */
bool schema_derived_render(struct schema_derived *derived, struct arena *arena,
                           const struct table *const *tables, size_t count,
                           const struct schema_text_settings *settings, int token_budget,
                           struct schema_text *out);

#endif
