/*
 * Memory by lifetime. An arena hands out memory that is given back all at once, so nobody
 * has to ask who frees what: choose how long a thing lives, not who ends
 * it.
 *
 * An arena is not thread-safe: one thread at a time, as a question is in one place at a
 * time. Running out of memory does not return: see memory.h.
 */
#ifndef DGM_BASE_ARENA_H
#define DGM_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* A new, empty arena. It holds no block until something is asked of it. */
struct arena *arena_new(void);
/* The same, for one whose size is about known: its first block holds so much. */
struct arena *arena_new_for(size_t size);

/* Runs the clean-ups, newest first, then gives everything back. NULL is fine. */
void arena_free(struct arena *arena);

/* As arena_free, but the arena stays usable and keeps its first block. */
void arena_reset(struct arena *arena);

/* Zeroed memory, aligned for any type. size 0 gives a valid unique pointer. */
void *arena_alloc(struct arena *arena, size_t size);

/* Zeroed array; aborts when count * size overflows. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* Grows an array that came from this arena; the new part is zeroed. */
void *arena_grow(struct arena *arena, const void *old, size_t old_size, size_t new_size);

char *arena_copy(struct arena *arena, const void *data, size_t size); /* adds a NUL */
char *arena_text(struct arena *arena, const char *text); /* NULL stays NULL */
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vformat(struct arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/*
 * Calls release(object) when the arena is freed or reset: for files, connections, refs.
 */
void arena_defer(struct arena *arena, void (*release)(void *object), void *object);

/* Bytes held from the system; for budgets and metrics. */
size_t arena_size(const struct arena *arena);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))

#endif
