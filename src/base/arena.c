/* Blocks in a list, a pointer that moves forward, and a list of things to release. */
#include "base/arena.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

/* Sanitizers look at what is freed and taken again: there nothing is kept. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KEEPS_BLOCKS false
#else
#define KEEPS_BLOCKS true
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size)   ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

/* The first block, its head and all, is 1 KB: so much the heap keeps for a thread without
 * a lock. Thousands of questions wait at once: a room starts small. */
enum {
    FIRST_BLOCK = 992,
    LARGEST_BLOCK = 256 * 1024,
    FORMAT_FIRST = 256,
    KEPT_SIZES = 6, /* of 1 to 32 KB: sizes that a question's arenas grow through */
    KEPT_EACH = 4,
    GROWTH = 4, /* the next block is at most this part of what there is: what a question
                   does not use is neither zeroed nor held while it waits */
    SPREAD_LEAST = 4 << 20,
    ALIGNMENT = alignof(max_align_t),
};

struct block {
    struct block *next;
    size_t size;
    size_t used;
    alignas(max_align_t) unsigned char data[];
};

struct cleanup {
    struct cleanup *next;
    void (*release)(void *object);
    void *object;
};

struct arena {
    struct block *blocks; /* newest first */
    struct cleanup *cleanups;
    size_t total;
    size_t next_size; /* of the next ordinary block */
};

_Static_assert(FIRST_BLOCK + sizeof(struct block) <= 1024, "larger than is kept");

/*
 * Every question creates and frees dozens of arenas. A thread keeps a few ordinary
 * blocks, zeroed as far as they were used, so that it need not ask a heap that all share.
 */
struct kept {
    struct block *blocks;
    size_t count;
};

static _Thread_local struct kept kept[KEPT_SIZES];
static pthread_key_t kept_key;
static pthread_once_t kept_once = PTHREAD_ONCE_INIT;
static bool kept_ready; /* set once, before anything is kept */

static void kept_release(void *all)
{
    struct kept *mine = all;
    for (size_t i = 0; i < KEPT_SIZES; i++) {
        while (mine[i].blocks) {
            struct block *block = mine[i].blocks;
            mine[i].blocks = block->next;
            memory_free(block);
        }
        mine[i].count = KEPT_EACH; /* what ends later than this keeps nothing more */
    }
}

static void kept_prepare(void)
{
    kept_ready = pthread_key_create(&kept_key, kept_release) == 0;
}

/* The list in which free blocks of a size are kept; NULL: they are not kept. */
static struct kept *kept_of(size_t size)
{
    size_t at = 0;
    size_t fits = FIRST_BLOCK;
    while (at < KEPT_SIZES && fits != size) {
        fits *= 2;
        at++;
    }
    return KEEPS_BLOCKS && at < KEPT_SIZES ? &kept[at] : NULL;
}

static bool kept_give(struct block *block)
{
    struct kept *place = kept_of(block->size);
    if (!place || place->count >= KEPT_EACH) {
        return false;
    }
    (void)pthread_once(&kept_once, kept_prepare);
    if (!kept_ready || pthread_setspecific(kept_key, kept) != 0) {
        return false;
    }
    memset(block->data, 0, block->used);
    block->used = 0;
    block->next = place->blocks;
    place->blocks = block;
    place->count++;
    return true;
}

static struct block *kept_take(size_t size)
{
    struct kept *place = kept_of(size);
    struct block *block = place ? place->blocks : NULL;
    if (block) {
        place->blocks = block->next;
        place->count--;
    }
    return block;
}

struct arena *arena_new(void)
{
    return memory_alloc(sizeof(struct arena));
}

static void arena_run_cleanups(struct arena *arena)
{
    /* A clean-up may not allocate from the arena it is part of. */
    while (arena->cleanups) {
        struct cleanup *cleanup = arena->cleanups;
        arena->cleanups = cleanup->next;
        cleanup->release(cleanup->object);
    }
}

static void block_free(struct block *block)
{
    ASAN_UNPOISON_MEMORY_REGION(block->data, block->size);
    if (!kept_give(block)) {
        memory_free(block);
    }
}

void arena_free(struct arena *arena)
{
    if (!arena) {
        return;
    }
    arena_run_cleanups(arena);
    while (arena->blocks) {
        struct block *block = arena->blocks;
        arena->blocks = block->next;
        block_free(block);
    }
    memory_free(arena);
}

void arena_reset(struct arena *arena)
{
    arena_run_cleanups(arena);
    while (arena->blocks && arena->blocks->next) {
        struct block *block = arena->blocks;
        arena->blocks = block->next;
        arena->total -= block->size;
        block_free(block);
    }
    arena->next_size = 0;
    struct block *first = arena->blocks;
    if (first) {
        ASAN_UNPOISON_MEMORY_REGION(first->data, first->size);
        memset(first->data, 0, first->used);
        first->used = 0;
        ASAN_POISON_MEMORY_REGION(first->data, first->size);
    }
}

/* A block that is large from the start is filled at once: with large pages the system is asked for
 * a few of them, not for thousands. Without them nothing is lost. */
static void block_spread(struct block *block, size_t size)
{
    long page = size >= SPREAD_LEAST ? sysconf(_SC_PAGESIZE) : 0;
    if (page > 0) {
        size_t over = (uintptr_t)block->data % (size_t)page;
        size_t skip = over ? (size_t)page - over : 0;
        (void)madvise(block->data + skip, (size - skip) / (size_t)page * (size_t)page,
                      MADV_HUGEPAGE);
    }
}

static struct block *arena_push_block(struct arena *arena, size_t size)
{
    struct block *block = kept_take(size);
    if (!block) {
        block = memory_alloc(sizeof *block + size);
        block_spread(block, size);
    }
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->total += size;
    ASAN_POISON_MEMORY_REGION(block->data, block->size);
    return block;
}

static struct block *arena_add_block(struct arena *arena, size_t need)
{
    size_t size = arena->next_size ? arena->next_size : (size_t)FIRST_BLOCK;
    if (size < need) {
        size =
            need; /* a large piece gets its own block and does not make the next larger */
    } else if (size < LARGEST_BLOCK) {
        bool enough = arena->total + size >= size * 2 * GROWTH;
        arena->next_size = enough ? size * 2 : size;
    }
    return arena_push_block(arena, size);
}

struct arena *arena_new_for(size_t size)
{
    struct arena *arena = arena_new();
    (void)arena_push_block(arena, size); /* the next one is an ordinary first one */
    return arena;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) {
        memory_array(SIZE_MAX, 2); /* does not return */
    }
    size_t need = (size + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1);
    struct block *block = arena->blocks;
    if (!block || block->size - block->used < need) {
        block = arena_add_block(arena, need);
    }
    void *pointer = block->data + block->used;
    block->used += need;
    ASAN_UNPOISON_MEMORY_REGION(pointer, size ? size : 1);
    return pointer;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size) {
        memory_array(SIZE_MAX, 2); /* does not return */
    }
    return arena_alloc(arena, count * size);
}

void *arena_grow(struct arena *arena, const void *old, size_t old_size, size_t new_size)
{
    void *pointer = arena_alloc(arena, new_size);
    if (old && old_size) {
        memcpy(pointer, old, old_size < new_size ? old_size : new_size);
    }
    return pointer;
}

char *arena_copy(struct arena *arena, const void *data, size_t size)
{
    char *copy = arena_alloc(arena, size + 1);
    if (size) {
        memcpy(copy, data, size);
    }
    return copy;
}

char *arena_text(struct arena *arena, const char *text)
{
    return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

char *arena_vformat(struct arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    char first[FORMAT_FIRST]; /* most are short: one look is enough */
    int size = vsnprintf(first, sizeof first, format, args);
    char *text = arena_alloc(arena, size < 0 ? 1 : (size_t)size + 1);
    if (size > 0 && (size_t)size < sizeof first) {
        memcpy(text, first, (size_t)size);
    } else if (size > 0) {
        (void)vsnprintf(text, (size_t)size + 1, format, again);
    }
    va_end(again);
    return text;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vformat(arena, format, args);
    va_end(args);
    return text;
}

void arena_defer(struct arena *arena, void (*release)(void *object), void *object)
{
    struct cleanup *cleanup = arena_alloc(arena, sizeof *cleanup);
    cleanup->release = release;
    cleanup->object = object;
    cleanup->next = arena->cleanups;
    arena->cleanups = cleanup;
}

size_t arena_size(const struct arena *arena)
{
    return arena->total;
}
