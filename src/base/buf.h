/*
 * A growing text buffer with a maximum size that is set at the start, so hostile input
 * cannot make it grow without bound. Beyond the maximum, appends are dropped and `full`
 * is set; a writer may append freely and check `full` once at the end.
 */
#ifndef DGM_BASE_BUF_H
#define DGM_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct buf {
    char *data;  /* always NUL-ended once something was appended; NULL before */
    size_t size; /* without the NUL */
    size_t capacity;
    size_t ceiling;
    bool full;
};

void buf_init(struct buf *buf, size_t ceiling);
void buf_release(struct buf *buf); /* drops the contents */
void buf_clear(struct buf *buf);   /* empty again, keeps its memory */

bool buf_add(struct buf *buf, const void *data, size_t size); /* false when full */
/* Adds size bytes at the end, which the caller must fill at once; NULL if full. */
char *buf_room(struct buf *buf, size_t size);
bool buf_text(struct buf *buf, const char *text);
/* Reserves memory for this many bytes, and no more than that. */
void buf_expect(struct buf *buf, size_t size);
bool buf_char_grow(struct buf *buf, char c);  /* for buf_char alone */
bool buf_int(struct buf *buf, int64_t value); /* quicker than a format */
/* Bytes as lower-case hexadecimal digits. */
bool buf_hex(struct buf *buf, const void *data, size_t size);
/* The text between quotes, with every quote in it doubled: how SQL writes names. */
bool buf_quote(struct buf *buf, const char *text, char quote);
bool buf_format(struct buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool buf_vformat(struct buf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Inline, because texts are written character by character. */
static inline bool buf_char(struct buf *buf, char c)
{
    if (buf->full || buf->size + 1 >= buf->capacity || buf->size >= buf->ceiling) {
        return buf_char_grow(buf, c);
    }
    buf->data[buf->size++] = c;
    buf->data[buf->size] = '\0';
    return true;
}

/* buf_room, inline for the common case. */
static inline char *buf_room_quick(struct buf *buf, size_t size)
{
    if (buf->full || size >= buf->capacity - buf->size ||
        size > buf->ceiling - buf->size) {
        return buf_room(buf, size);
    }
    char *room = buf->data + buf->size;
    buf->size += size;
    room[size] = '\0';
    return room;
}

void buf_truncate(struct buf *buf, size_t size); /* to at most size */
const char *buf_get(const struct buf *buf);      /* borrowed, never NULL */
char *buf_take(struct buf *buf);                 /* yours to memory_free; buf is empty */
char *buf_clone(struct buf *buf, struct arena *arena); /* copy into an arena */

#endif
