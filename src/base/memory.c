/* malloc that does not fail. */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void memory_abort(size_t size)
{
    (void)fprintf(stderr, "dragoman: out of memory (%zu bytes asked)\n", size);
    abort();
}

static void (*exhausted)(size_t size) = memory_abort;

void memory_on_exhausted(void (*handler)(size_t size))
{
    exhausted = handler ? handler : memory_abort;
}

void *memory_resize(void *old, size_t size)
{
    void *pointer = realloc(old, size ? size : 1);
    if (!pointer) {
        exhausted(size);
        abort();
    }
    return pointer;
}

/* glibc's calloc passes by what its threads keep for themselves and locks a heap each
 * time (until 2.41). For small pieces another way costs a third; malloc and memset would
 * be it, but the compiler makes them a calloc again. */
enum { SMALL = 1024 };

void *memory_alloc(size_t size)
{
    if (size <= SMALL) {
        return memset(memory_resize(NULL, size), 0, size);
    }
    void *pointer = calloc(1, size);
    if (!pointer) {
        exhausted(size);
        abort();
    }
    return pointer;
}

void *memory_array(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        exhausted(SIZE_MAX);
        abort();
    }
    return memory_alloc(count * size);
}

char *memory_copy(const void *data, size_t size)
{
    char *copy = memory_resize(NULL, size + 1);
    if (size) {
        memcpy(copy, data, size);
    }
    copy[size] = '\0';
    return copy;
}

char *memory_text(const char *text)
{
    return text ? memory_copy(text, strlen(text)) : NULL;
}

void memory_free(void *pointer)
{
    free(pointer);
}
