/* Schemas as the parser sees them: the last few are kept. */
#include "base/arena.h"
#include "base/memory.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/parser_state.h"

static void prepared_free(struct prepared *prepared)
{
    if (prepared) {
        arena_free(prepared->arena);
        schema_unref(prepared->schema);
        memory_free(prepared);
    }
}

struct parser_schemas *parser_schemas_new(void)
{
    struct parser_schemas *schemas = memory_alloc(sizeof *schemas);
    (void)pthread_mutex_init(&schemas->lock, NULL);
    return schemas;
}

void parser_schemas_free(struct parser_schemas *schemas)
{
    if (schemas) {
        for (size_t i = 0; i < PREPARED_MOST; i++) {
            prepared_free(schemas->items[i]);
        }
        (void)pthread_mutex_destroy(&schemas->lock);
        memory_free(schemas);
    }
}

static struct prepared *prepare(struct schema *schema)
{
    struct prepared *prepared = memory_alloc(sizeof *prepared);
    prepared->schema = schema_ref(schema);
    prepared->arena = arena_new();
    prepared->ir =
        ir_schema_new(prepared->arena, metrics_schema(prepared->arena, schema));
    metrics_read(prepared->arena, prepared->ir, &prepared->metrics);
    prepared->features = feature_schema_new(prepared->arena, prepared->ir);
    return prepared;
}

/* The slot to fill: an empty one, else the one unused for longest; NULL: all in use. */
static struct prepared **free_slot(struct parser_schemas *schemas)
{
    struct prepared **oldest = NULL;
    for (size_t i = 0; i < PREPARED_MOST; i++) {
        struct prepared **slot = &schemas->items[i];
        if (!*slot) {
            return slot;
        }
        if ((*slot)->users == 0 && (!oldest || (*slot)->used < (*oldest)->used)) {
            oldest = slot;
        }
    }
    return oldest;
}

/* With the lock held a schema is prepared once; that takes
 * milliseconds, and only the first question of a schema waits for it. */
struct prepared *prepared_get(struct parser_schemas *schemas, struct schema *schema)
{
    (void)pthread_mutex_lock(&schemas->lock);
    struct prepared *found = NULL;
    for (size_t i = 0; i < PREPARED_MOST && !found; i++) {
        if (schemas->items[i] && schemas->items[i]->schema == schema) {
            found = schemas->items[i];
        }
    }
    if (!found) {
        struct prepared **slot = free_slot(schemas);
        found = prepare(schema);
        if (slot) {
            prepared_free(*slot);
            *slot = found;
        } else {
            found->used = UINT64_MAX; /* belongs to this question alone */
        }
    }
    found->users++;
    if (found->used != UINT64_MAX) {
        found->used = ++schemas->turn;
    }
    (void)pthread_mutex_unlock(&schemas->lock);
    return found;
}

void prepared_put(struct parser_schemas *schemas, struct prepared *prepared)
{
    (void)pthread_mutex_lock(&schemas->lock);
    prepared->users--;
    bool own = prepared->used == UINT64_MAX;
    (void)pthread_mutex_unlock(&schemas->lock);
    if (own) {
        prepared_free(prepared);
    }
}
