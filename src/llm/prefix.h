/*
 * Shared beginnings of request bodies. Thousands of waiting calls may have the same
 * model, options, reply schema, system prompt and database schema, and differ only in the
 * question at the end: the common part is stored once, and each call has a reference to
 * it and its own rest. Thread-safe.
 */
#ifndef DGM_LLM_PREFIX_H
#define DGM_LLM_PREFIX_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum {
    PREFIX_WORTH = 1024,      /* bytes; shorter prefixes are not shared */
    PREFIX_SHELF = 8,         /* stored bodies */
    PREFIX_MOST = 512 * 1024, /* bytes of each of them: 4 MB in all */
};

/* A request body; immutable. */
struct prefix {
    atomic_int references;
    size_t size;
    char data[];
};

/* Recent bodies that new ones are compared with, most useful first. */
struct prefix_shelf {
    pthread_mutex_t lock;
    struct prefix *items[PREFIX_SHELF]; /* under lock */
    size_t count;
};

void prefix_shelf_init(struct prefix_shelf *shelf);
/* What is still referenced lives on. */
void prefix_shelf_release(struct prefix_shelf *shelf);

/* A reference to a body that starts with the same *common bytes; possibly this body
 * itself, which is stored for later ones. NULL and 0 if sharing is not worth it. */
struct prefix *prefix_take(struct prefix_shelf *shelf, const char *data, size_t size,
                           size_t *common);
void prefix_unref(struct prefix *prefix); /* NULL is fine */

#endif
