/* Foreign text made fit for a terminal. */
#include "cli/clean.h"

#include "base/buf.h"
#include "base/utf8.h"

enum { GROWTH = 10 }; /* the longest sign is <U+10FFFF> for at least one byte */

static bool stays(uint32_t code, size_t length, enum clean_mode mode)
{
    if (code == 0xFFFD && length == 1) {
        return false; /* a byte that is no UTF-8: some terminals take it for a C1 control
                       */
    }
    if (code == '\n') {
        return mode != CLEAN_ONE_LINE;
    }
    if (code == '\t' || code == '\r') {
        return mode == CLEAN_EXACT;
    }
    return !utf8_is_unsafe(code);
}

static void add_sign(struct buf *buf, const char *byte, uint32_t code, size_t length,
                     enum clean_mode mode, bool utf8)
{
    if (code == 0xFFFD && length == 1) {
        (void)buf_format(buf, "<%02X>", (unsigned)(unsigned char)*byte);
    } else if (code == '\t' && mode == CLEAN_KEEP_LINES) {
        (void)buf_text(buf, "    ");
    } else if (code == '\n' || code == '\t') {
        (void)buf_text(buf, !utf8 ? (code == '\n' ? "\\n" : "\\t")
                                  : (code == '\n' ? "\xE2\x86\xB5" : "\xE2\x87\xA5"));
    } else if (code < 0x20 && utf8) {
        const char picture[] = {(char)0xE2, (char)0x90, (char)(0x80 + code)};
        (void)buf_add(buf, picture, sizeof picture);
    } else if (code < 0x20) {
        (void)buf_format(buf, "^%c", (int)code + '@');
    } else {
        (void)buf_format(buf, "<U+%04X>", (unsigned)code);
    }
}

const char *clean_text(struct arena *arena, const char *data, size_t size,
                       enum clean_mode mode, bool utf8, size_t *clean_size)
{
    size_t at = 0;
    uint32_t code = 0;
    size_t length = 0;
    while (at < size) {
        length = utf8_next(data + at, size - at, &code);
        if (!stays(code, length, mode)) {
            break;
        }
        at += length;
    }
    *clean_size = size;
    if (at == size) {
        return data;
    }
    struct buf buf;
    buf_init(&buf, size * GROWTH + 1);
    (void)buf_add(&buf, data, at);
    for (; at < size; at += length) {
        length = utf8_next(data + at, size - at, &code);
        if (stays(code, length, mode)) {
            (void)buf_add(&buf, data + at, length);
        } else {
            add_sign(&buf, data + at, code, length, mode, utf8);
        }
    }
    *clean_size = buf.size;
    char *clean = buf_clone(&buf, arena);
    buf_release(&buf);
    return clean;
}
