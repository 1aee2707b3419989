/* Base64 with the alphabet for URLs, read strictly. */
#include "base/base64url.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void base64url_write(struct buf *out, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i += 3) {
        unsigned left = (unsigned)(size - i < 3 ? size - i : 3);
        unsigned bits = (unsigned)bytes[i] << 16;
        bits |= left > 1 ? (unsigned)bytes[i + 1] << 8 : 0;
        bits |= left > 2 ? (unsigned)bytes[i + 2] : 0;
        for (unsigned digit = 0; digit <= left; digit++) {
            (void)buf_char(out, digits[bits >> (18 - 6 * digit) & 63]);
        }
    }
}

static int digit_value(char c)
{
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

unsigned char *base64url_read(struct arena *arena, const char *text, size_t size,
                              size_t *out_size)
{
    size_t count = size / 4 * 3 + (size % 4 ? size % 4 - 1 : 0);
    unsigned char *bytes = arena_alloc(arena, count + 1);
    unsigned bits = 0;
    unsigned held = 0; /* number of bits in `bits` that are not written yet */
    size_t written = 0;
    if (size % 4 == 1) {
        return NULL;
    }
    for (size_t i = 0; i < size; i++) {
        int value = digit_value(text[i]);
        if (value < 0) {
            return NULL;
        }
        bits = bits << 6 | (unsigned)value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[written++] = (unsigned char)(bits >> held & 0xff);
            bits &= (1U << held) - 1;
        }
    }
    *out_size = written;
    return bits == 0 ? bytes : NULL;
}
