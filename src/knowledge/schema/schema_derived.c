/* What is computed from a schema, at most once. */
#include "knowledge/schema/schema_derived.h"

#include <pthread.h>

#include "base/arena.h"
#include "base/memory.h"
#include "knowledge/schema/schema_lines.h"
#include "prompt/foreign.h"

enum { MOST_TEXTS = 4 }; /* settings that a process uses at once: one, in practice */

struct schema_derived {
    pthread_mutex_t lock;
    struct arena *arena;
    const struct schema *schema;
    struct prefilter_index *index;
    struct written {
        struct schema_text_settings settings;
        struct schema_lines lines;
        struct schema_text *whole; /* NULL until it is asked for */
    } * written[MOST_TEXTS];
    size_t written_count;
    const void *made; /* by schema_derived_made; NULL until it is asked for */
};

static void derived_free(void *object)
{
    struct schema_derived *derived = object;
    prefilter_index_free(derived->index);
    for (size_t i = 0; i < derived->written_count; i++) {
        schema_lines_release(&derived->written[i]->lines);
    }
    arena_free(derived->arena);
    (void)pthread_mutex_destroy(&derived->lock);
    memory_free(derived);
}

struct schema_derived *schema_derived_new(struct schema *schema)
{
    struct schema_derived *derived = memory_alloc(sizeof *derived);
    (void)pthread_mutex_init(&derived->lock, NULL);
    derived->arena = arena_new();
    derived->schema = schema;
    arena_defer(schema->arena, derived_free, derived);
    return derived;
}

static bool settings_equal(const struct schema_text_settings *a,
                           const struct schema_text_settings *b)
{
    return a->samples == b->samples && a->ranges == b->ranges &&
           a->name_length == b->name_length && a->comment_length == b->comment_length &&
           a->types == b->types && a->row_counts == b->row_counts &&
           a->views == b->views && a->literals == b->literals;
}

/* The lines for these settings; NULL when there are too many kinds. Derived lock held. */
static struct written *derived_written(struct schema_derived *derived,
                                       const struct schema_text_settings *settings)
{
    for (size_t i = 0; i < derived->written_count; i++) {
        if (settings_equal(&derived->written[i]->settings, settings)) {
            return derived->written[i];
        }
    }
    if (derived->written_count == MOST_TEXTS) {
        return NULL;
    }
    struct written *written = ARENA_NEW(derived->arena, struct written);
    written->settings = *settings;
    schema_lines_init(&written->lines, derived->arena, derived->schema, settings, true);
    derived->written[derived->written_count++] = written;
    return written;
}

const struct schema_text *schema_derived_text(struct schema_derived *derived,
                                              const struct schema_text_settings *settings)
{
    const struct schema_text *text = NULL;
    (void)pthread_mutex_lock(&derived->lock);
    struct written *written = derived_written(derived, settings);
    if (written && !written->whole) {
        written->whole = ARENA_NEW(derived->arena, struct schema_text);
        schema_text_from_lines(&written->lines, derived->arena, NULL, 0, INT32_MAX,
                               written->whole);
        written->whole->clean =
            foreign_is_clean(written->whole->text, written->whole->size);
    }
    text = written ? written->whole : NULL;
    (void)pthread_mutex_unlock(&derived->lock);
    return text;
}

const void *schema_derived_made(struct schema_derived *derived,
                                const void *(*make)(struct arena *arena,
                                                    const struct schema *schema))
{
    (void)pthread_mutex_lock(&derived->lock);
    if (!derived->made) {
        derived->made = make(derived->arena, derived->schema);
    }
    const void *made = derived->made;
    (void)pthread_mutex_unlock(&derived->lock);
    return made;
}

bool schema_derived_render(struct schema_derived *derived, struct arena *arena,
                           const struct table *const *tables, size_t count,
                           const struct schema_text_settings *settings, int token_budget,
                           struct schema_text *out)
{
    (void)pthread_mutex_lock(&derived->lock);
    struct written *written = derived_written(derived, settings);
    if (written) {
        schema_text_from_lines(&written->lines, arena, tables, count, token_budget, out);
    }
    (void)pthread_mutex_unlock(&derived->lock);
    return written != NULL;
}

const struct prefilter_index *schema_derived_index(struct schema_derived *derived)
{
    (void)pthread_mutex_lock(&derived->lock);
    if (!derived->index) {
        derived->index = prefilter_index_new(derived->schema);
    }
    const struct prefilter_index *index = derived->index;
    (void)pthread_mutex_unlock(&derived->lock);
    return index;
}
