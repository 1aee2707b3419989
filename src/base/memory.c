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

void *memory_alloc(size_t size)
{
    void *pointer = calloc(1, size ? size : 1);
    if (!pointer) {
        exhausted(size);
        abort();
    }
    return pointer;
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
    char *copy = memory_alloc(size + 1);
    if (size) {
        memcpy(copy, data, size);
    }
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
