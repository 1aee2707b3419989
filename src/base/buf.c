/* A growing text buffer with a ceiling. */
#include "base/buf.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

void buf_init(struct buf *buf, size_t ceiling)
{
    *buf = (struct buf){.ceiling = ceiling};
}

void buf_release(struct buf *buf)
{
    memory_free(buf->data);
    buf_init(buf, buf->ceiling);
}

void buf_clear(struct buf *buf)
{
    buf->size = 0;
    buf->full = false;
    if (buf->data) {
        buf->data[0] = '\0';
    }
}

/* Makes room for size more bytes and the NUL; false (and full) past the ceiling. */
static bool buf_reserve(struct buf *buf, size_t size)
{
    if (buf->full || size > buf->ceiling - buf->size) {
        buf->full = true;
        return false;
    }
    size_t need = buf->size + size + 1;
    if (need > buf->capacity) {
        size_t capacity = buf->capacity ? buf->capacity : 64;
        while (capacity < need) {
            capacity *= 2;
        }
        buf->data = memory_resize(buf->data, capacity);
        buf->capacity = capacity;
    }
    return true;
}

bool buf_add(struct buf *buf, const void *data, size_t size)
{
    if (!buf_reserve(buf, size)) {
        return false;
    }
    if (size) {
        memcpy(buf->data + buf->size, data, size);
    }
    buf->size += size;
    buf->data[buf->size] = '\0';
    return true;
}

bool buf_text(struct buf *buf, const char *text)
{
    return buf_add(buf, text, strlen(text));
}

bool buf_char(struct buf *buf, char c)
{
    return buf_add(buf, &c, 1);
}

bool buf_vformat(struct buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    bool ok = size >= 0 && buf_reserve(buf, (size_t)size);
    if (ok) {
        (void)vsnprintf(buf->data + buf->size, (size_t)size + 1, format, again);
        buf->size += (size_t)size;
    }
    va_end(again);
    return ok;
}

bool buf_format(struct buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool ok = buf_vformat(buf, format, args);
    va_end(args);
    return ok;
}

void buf_truncate(struct buf *buf, size_t size)
{
    if (size < buf->size) {
        buf->size = size;
        buf->data[size] = '\0';
    }
}

const char *buf_get(const struct buf *buf)
{
    return buf->data ? buf->data : "";
}

char *buf_take(struct buf *buf)
{
    char *data = buf->data ? buf->data : memory_copy("", 0);
    buf_init(buf, buf->ceiling);
    return data;
}

char *buf_clone(struct buf *buf, struct arena *arena)
{
    return arena_copy(arena, buf_get(buf), buf->size);
}
