/* The cache of shapes, shared by all queries. */
#include "base/str.h"
#include "datasource/mongodb/mongodb_driver.h"

enum { SAMPLE_DOCUMENTS = 1000 };

void mongodb_shape_unref(struct mongodb_state *state, struct mongodb_shape *shape)
{
    (void)pthread_mutex_lock(&state->lock);
    bool last = --shape->references == 0;
    (void)pthread_mutex_unlock(&state->lock);
    if (last) {
        mongodb_shape_free(shape);
    }
}

struct mongodb_shape *mongodb_shape_of_table(struct mongodb_state *state,
                                             const char *name,
                                             struct mongodb_table **table)
{
    struct mongodb_shape *found = NULL;
    (void)pthread_mutex_lock(&state->lock);
    struct map_entry *entry;
    for (size_t at = 0; (entry = map_next(&state->shapes, &at));) {
        struct mongodb_shape *shape = entry->value;
        for (size_t i = 0; i < shape->tables.count; i++) {
            bool same = str_equal_nocase(shape->tables.items[i].name, name);
            /* a collection comes before an array whose table has its name */
            if (same && (!found || i == 0)) {
                found = shape;
                *table = &shape->tables.items[i];
            }
        }
    }
    if (found) {
        found->references++;
    }
    (void)pthread_mutex_unlock(&state->lock);
    return found;
}

struct mongodb_shape *mongodb_shape_read(struct mongodb_session *session,
                                         const struct mongodb_about *about,
                                         struct err *err)
{
    struct mongodb_state *state = session->state;
    struct mongodb_shape *shape = mongodb_shape_new(about);
    if (!mongodb_shape_sample(session, shape, about, SAMPLE_DOCUMENTS, err)) {
        mongodb_shape_free(shape);
        return NULL;
    }
    mongodb_shape_validator(shape, about->validator, about->validator_size);
    mongodb_columns_make(shape);
    (void)pthread_mutex_lock(&state->lock);
    shape->references++;
    struct mongodb_shape *old = map_set(&state->shapes, about->name, shape);
    (void)pthread_mutex_unlock(&state->lock);
    if (old) {
        mongodb_shape_unref(state, old);
    }
    return shape;
}

void mongodb_shapes_keep(struct mongodb_state *state,
                         const struct mongodb_collections *all)
{
    struct map names;
    struct map_entry *entry;
    map_init(&names, false);
    for (size_t i = 0; i < all->count; i++) {
        (void)map_set(&names, all->items[i].name, state);
    }
    (void)pthread_mutex_lock(&state->lock);
    for (size_t at = 0; (entry = map_next(&state->shapes, &at));) {
        struct mongodb_shape *shape = entry->value;
        if (!map_has(&names, shape->collection)) {
            (void)map_remove(&state->shapes, shape->collection);
            if (--shape->references == 0) {
                mongodb_shape_free(shape);
            }
            at = 0; /* the walk begins anew */
        }
    }
    (void)pthread_mutex_unlock(&state->lock);
    map_release(&names);
}
