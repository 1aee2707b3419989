/* JSON as models write it: found in prose, and mended where they slip. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "llm/reply.h"

enum {
    CANDIDATES_MOST = 24, /* beginnings of an object that are looked at closely */
    WORK_FACTOR = 4,      /* bytes that may be looked at, per byte of text */
};

static json_t *load(struct arena *arena, const char *text, size_t size)
{
    json_error_t error;
    json_t *value = json_quick(arena, text, size);
    /* a key given twice is no error here */
    return value ? value : json_keep(arena, json_loadb(text, size, 0, &error));
}

static void mend_escape(struct buf *out, char next)
{
    if (next == '\'' || next == '`') {
        (void)buf_char(out, next); /* no such escape, and none needed */
    } else {
        (void)buf_text(out, "\\\\");
        if (next && (unsigned char)next >= 0x20 && next != '"') {
            (void)buf_char(out, next);
        }
    }
}

static bool is_hex4(const char *at, const char *end)
{
    for (int i = 0; i < 4; i++) {
        if (at + i >= end || !strchr("0123456789abcdefABCDEF", at[i]) || !at[i]) {
            return false;
        }
    }
    return true;
}

/* The string that starts at its quote; returns the place after it. */
static const char *mend_string(struct buf *out, const char *at, const char *end)
{
    (void)buf_char(out, *at++);
    while (at < end && *at != '"') {
        unsigned char c = (unsigned char)*at;
        if (c == '\\' && at + 1 < end) {
            char next = at[1];
            bool real = next && strchr("\"\\/bfnrt", next);
            if (real || (next == 'u' && is_hex4(at + 2, end))) {
                (void)buf_add(out, at, 2);
                at += 2;
            } else {
                mend_escape(out, next);
                at += (unsigned char)next < 0x20 || (unsigned char)next >= 0x80 ? 1 : 2;
            }
        } else if (c < 0x20) {
            (void)buf_format(out, "\\u%04x", c ? c : ' ');
            at++;
        } else {
            uint32_t code;
            size_t size = utf8_next(at, (size_t)(end - at), &code);
            if (code == 0xFFFD && size == 1) {
                (void)buf_text(out, "\xEF\xBF\xBD");
            } else {
                (void)buf_add(out, at, size);
            }
            at += size;
        }
    }
    if (at < end) {
        (void)buf_char(out, *at++);
    }
    return at;
}

static const char *skip_comment(const char *at, const char *end)
{
    const char *stop;
    if (at[1] == '/') {
        stop = memchr(at, '\n', (size_t)(end - at));
        return stop ? stop : end;
    }
    stop = memmem(at + 2, (size_t)(end - at) - 2, "*/", 2);
    return stop ? stop + 2 : end;
}

static void mend(struct buf *out, struct span text)
{
    const char *at = text.at;
    const char *end = text.at + text.size;
    size_t comma = SIZE_MAX; /* where in `out` a comma waits for what follows */
    while (at < end) {
        if (*at == '"') {
            at = mend_string(out, at, end);
            comma = SIZE_MAX;
            continue;
        }
        if (*at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '*')) {
            at = skip_comment(at, end);
            continue;
        }
        if ((*at == '}' || *at == ']') && comma != SIZE_MAX) {
            out->data[comma] = ' ';
        }
        if (*at == ',') {
            comma = out->size;
        } else if (!strchr(" \t\r\n", *at) || !*at) {
            comma = SIZE_MAX;
        }
        (void)buf_char(out, *at++);
    }
}

json_t *reply_json(struct arena *arena, struct span text)
{
    json_t *value = load(arena, text.at, text.size);
    if (value || text.size == 0 || !strchr("{[", *text.at)) {
        return json_is_object(value) || json_is_array(value) ? value : NULL;
    }
    struct buf mended;
    buf_init(&mended, text.size * 6 + 16);
    mend(&mended, text);
    value = load(arena, buf_get(&mended), mended.size);
    buf_release(&mended);
    return value;
}

/* The bytes from an opening bracket to its partner; 0 when there is none. *looked counts
 * the work. */
static size_t balanced(const char *at, const char *end, size_t *looked)
{
    size_t depth = 0;
    bool quoted = false;
    const char *from = at;
    for (; at < end; at++) {
        char c = *at;
        if (quoted) {
            if (c == '\\') {
                at++;
            } else if (c == '"') {
                quoted = false;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            *looked += (size_t)(at - from) + 1;
            return (size_t)(at - from) + 1;
        }
    }
    *looked += (size_t)(end - from);
    return 0;
}

json_t *reply_json_inside(struct arena *arena, struct span text,
                          json_t *(*accept)(json_t *value, const char *const *wanted),
                          const char *const *wanted)
{
    const char *end = text.at + text.size;
    size_t looked = 0;
    int candidates = 0;
    for (const char *at = text.at; at < end;) {
        const char *open = memchr(at, '{', (size_t)(end - at));
        if (!open || ++candidates > CANDIDATES_MOST || looked > text.size * WORK_FACTOR) {
            return NULL;
        }
        size_t size = balanced(open, end, &looked);
        json_t *value = size ? reply_json(arena, (struct span){open, size}) : NULL;
        value = value ? accept(value, wanted) : NULL;
        if (value) {
            return value;
        }
        /* it may have been a stray brace, or the object may stand deeper inside */
        at = open + 1;
    }
    return NULL;
}
