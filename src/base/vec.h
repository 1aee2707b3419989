/*
 * Growing arrays in an arena: any struct with `items`, `count` and `capacity`.
 *
 *     struct names { const char **items; size_t count, capacity; };
 *     VEC_PUSH(arena, &names, "orders");
 */
#ifndef DGM_BASE_VEC_H
#define DGM_BASE_VEC_H

#include "base/arena.h"

/* Adds a zeroed item and returns a pointer to it. */
#define VEC_ADD(arena, vec) (VEC_RESERVE_ONE(arena, vec), &(vec)->items[(vec)->count++])

#define VEC_PUSH(arena, vec, item) ((void)(*VEC_ADD(arena, vec) = (item)))

#define VEC_RESERVE_ONE(arena, vec)                                                      \
    ((void)((vec)->count < (vec)->capacity ||                                            \
            ((vec)->items = arena_grow(                                                  \
                 (arena), (vec)->items, (vec)->count * sizeof *(vec)->items,             \
                 ((vec)->capacity ? (vec)->capacity * 2 : 8) * sizeof *(vec)->items),    \
             (vec)->capacity = (vec)->capacity ? (vec)->capacity * 2 : 8, 1)))

struct texts { /* the most common one */
    const char **items;
    size_t count;
    size_t capacity;
};

#endif
