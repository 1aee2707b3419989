/*
 * Data derived from a schema at most once: the prefilter's index and the prompt text. It
 * lives as long as the schema, so holders of a reference can use it even after the cache
 * has dropped the schema. Thread-safe.
 */
#ifndef DGM_KNOWLEDGE_SCHEMA_DERIVED_H
#define DGM_KNOWLEDGE_SCHEMA_DERIVED_H

#include "knowledge/prefilter/prefilter.h"
#include "knowledge/schema/schema_text.h"

struct schema_derived;

/* Freed with the schema's arena. */
struct schema_derived *schema_derived_new(struct schema *schema);
const struct prefilter_index *schema_derived_index(struct schema_derived *derived);
/* The whole schema; NULL if the slots for different settings are used up. */
const struct schema_text *
schema_derived_text(struct schema_derived *derived,
                    const struct schema_text_settings *settings);
/* The result of `make`, in an arena that is freed with the schema. There is one slot, so
 * all callers must pass the same function. */
const void *schema_derived_made(struct schema_derived *derived,
                                const void *(*make)(struct arena *arena,
                                                    const struct schema *schema));
/* Some tables within a budget; false as above. */
bool schema_derived_render(struct schema_derived *derived, struct arena *arena,
                           const struct table *const *tables, size_t count,
                           const struct schema_text_settings *settings, int token_budget,
                           struct schema_text *out);

#endif
