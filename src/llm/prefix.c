/* Beginnings that request bodies have in common, kept once. */
#include "llm/prefix.h"

#include <string.h>

#include "base/memory.h"

enum { STEP = 256, NEWCOMER = PREFIX_SHELF / 2 };

void prefix_shelf_init(struct prefix_shelf *shelf)
{
    *shelf = (struct prefix_shelf){0};
    (void)pthread_mutex_init(&shelf->lock, NULL);
}

void prefix_shelf_release(struct prefix_shelf *shelf)
{
    for (size_t i = 0; i < shelf->count; i++) {
        prefix_unref(shelf->items[i]);
    }
    shelf->count = 0;
    (void)pthread_mutex_destroy(&shelf->lock);
}

static struct prefix *prefix_new(const char *data, size_t size)
{
    struct prefix *prefix = memory_resize(NULL, sizeof *prefix + size);
    atomic_init(&prefix->references, 1);
    prefix->size = size;
    memcpy(prefix->data, data, size);
    return prefix;
}

static struct prefix *prefix_ref(struct prefix *prefix)
{
    (void)atomic_fetch_add_explicit(&prefix->references, 1, memory_order_relaxed);
    return prefix;
}

void prefix_unref(struct prefix *prefix)
{
    if (prefix &&
        atomic_fetch_sub_explicit(&prefix->references, 1, memory_order_acq_rel) == 1) {
        memory_free(prefix);
    }
}

static size_t count_common(const struct prefix *prefix, const char *data, size_t size)
{
    size_t most = prefix->size < size ? prefix->size : size;
    size_t at = 0;
    while (most - at >= STEP && memcmp(prefix->data + at, data + at, STEP) == 0) {
        at += STEP;
    }
    while (at < most && prefix->data[at] == data[at]) {
        at++;
    }
    return at;
}

/* Moves the item at `from` forward to `to`. */
static void shelf_advance(struct prefix_shelf *shelf, size_t from, size_t to)
{
    struct prefix *moved = shelf->items[from];
    memmove(&shelf->items[to + 1], &shelf->items[to], (from - to) * sizeof(void *));
    shelf->items[to] = moved;
}

/* The best match goes to the front; NULL when there is none. A small part of a large
 * body does not count, because a waiting call would keep the whole body in memory. */
static struct prefix *shelf_find(struct prefix_shelf *shelf, const char *data,
                                 size_t size, size_t *common)
{
    size_t best = 0;
    *common = 0;
    for (size_t i = 0; i < shelf->count; i++) {
        size_t bytes = count_common(shelf->items[i], data, size);
        if (bytes >= PREFIX_WORTH && bytes >= shelf->items[i]->size / 2 &&
            bytes > *common) {
            *common = bytes;
            best = i;
        }
    }
    if (!*common) {
        return NULL;
    }
    shelf_advance(shelf, best, 0);
    return prefix_ref(shelf->items[0]);
}

/* Newcomers start in the middle: many that are never seen again push each other out, not
 * what is useful. */
static struct prefix *shelf_keep(struct prefix_shelf *shelf, const char *data,
                                 size_t size)
{
    if (shelf->count == PREFIX_SHELF) {
        prefix_unref(shelf->items[--shelf->count]);
    }
    struct prefix *prefix = prefix_new(data, size);
    shelf->items[shelf->count++] = prefix;
    if (shelf->count > NEWCOMER) {
        shelf_advance(shelf, shelf->count - 1, NEWCOMER);
    }
    return prefix;
}

struct prefix *prefix_take(struct prefix_shelf *shelf, const char *data, size_t size,
                           size_t *common)
{
    (void)pthread_mutex_lock(&shelf->lock);
    struct prefix *prefix = shelf_find(shelf, data, size, common);
    /* A long rest may be another database's schema: the next call may have the same. */
    if (size - *common >= PREFIX_WORTH && size <= PREFIX_MOST) {
        struct prefix *kept = shelf_keep(shelf, data, size);
        if (!prefix) {
            prefix = prefix_ref(kept);
            *common = size;
        }
    }
    (void)pthread_mutex_unlock(&shelf->lock);
    return prefix;
}
