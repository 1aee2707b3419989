/*
 * Arenas: memory with a common lifetime. An arena hands out memory that is freed all at
 * once, so code decides how long an object lives, not who frees it. An arena is not
 * thread-safe; only one thread at a time may use it. Running out of memory does not
 * return: see memory.h.
 */
#ifndef DGM_BASE_ARENA_H
#define DGM_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* A new, empty arena. Its first block is allocated by the first request. */
struct arena *arena_new(void);
/* The same with a first block of this size, if the need is known. */
struct arena *arena_new_for(size_t size);

/* Calls the registered functions, newest first, then frees everything. NULL is
 * allowed. */
void arena_free(struct arena *arena);

/* Like arena_free, but the arena remains usable and keeps its first block. */
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
 * Calls release(object) when the arena is freed or reset: for files, connections,
 * references.
 */
void arena_defer(struct arena *arena, void (*release)(void *object), void *object);

/* Bytes allocated from the system; for budgets and metrics. */
size_t arena_size(const struct arena *arena);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))

#endif
