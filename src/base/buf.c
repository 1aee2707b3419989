/* A growing text buffer with a ceiling. */
#include "base/buf.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"

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

static void buf_grow(struct buf *buf, size_t need)
{
    size_t capacity = buf->capacity ? buf->capacity : 64;
    while (capacity < need) { /* what outgrows a line soon outgrows two */
        capacity *= capacity < 1024 ? 4 : 2;
    }
    buf->data = memory_resize(buf->data, capacity);
    buf->capacity = capacity;
}

void buf_expect(struct buf *buf, size_t size)
{
    if (size <= buf->ceiling - buf->size && size >= buf->capacity - buf->size) {
        buf->capacity = buf->size + size + 1;
        buf->data = memory_resize(buf->data, buf->capacity);
        buf->data[buf->size] = '\0';
    }
}

/* Makes room for size more bytes and the NUL; false (and full) past the ceiling. */
static inline bool buf_reserve(struct buf *buf, size_t size)
{
    if (buf->full || size > buf->ceiling - buf->size) {
        buf->full = true;
        return false;
    }
    if (size >= buf->capacity - buf->size) { /* the NUL, too */
        buf_grow(buf, buf->size + size + 1);
    }
    return true;
}

char *buf_room(struct buf *buf, size_t size)
{
    if (!buf_reserve(buf, size)) {
        return NULL;
    }
    char *room = buf->data + buf->size;
    buf->size += size;
    room[size] = '\0';
    return room;
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

bool buf_char_grow(struct buf *buf, char c)
{
    char *room = buf_room(buf, 1);
    if (room) {
        *room = c;
    }
    return room != NULL;
}

bool buf_int(struct buf *buf, int64_t value)
{
    enum { MOST = 24 };
    char text[MOST];
    size_t at = MOST;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        text[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (value < 0) {
        text[--at] = '-';
    }
    return buf_add(buf, text + at, MOST - at);
}

bool buf_vformat(struct buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    /* Most of what is written fits into the room that is there. */
    size_t room = buf->capacity - buf->size;
    char none[1];
    char *at = room ? buf->data + buf->size : none;
    int size = vsnprintf(at, room, format, args);
    bool ok = size >= 0 && buf_reserve(buf, (size_t)size);
    if (ok) {
        if ((size_t)size >= room) {
            (void)vsnprintf(buf->data + buf->size, (size_t)size + 1, format, again);
        }
        buf->size += (size_t)size;
    } else if (room) {
        *at = '\0';
    }
    va_end(again);
    return ok;
}

bool buf_hex(struct buf *buf, const void *data, size_t size)
{
    char *room = size > SIZE_MAX / 2 ? NULL : buf_room(buf, 2 * size);
    if (room) {
        str_hex(room, data, size);
    }
    return room != NULL;
}

bool buf_quote(struct buf *buf, const char *text, char quote)
{
    (void)buf_char(buf, quote);
    for (; *text; text++) {
        if (*text == quote) {
            (void)buf_char(buf, quote);
        }
        (void)buf_char(buf, *text);
    }
    return buf_char(buf, quote);
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
