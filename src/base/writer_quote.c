/* Texts as JSON strings: what needs no escape is copied while it is looked at. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "base/writer.h"

/* A piece is handed on when less room is left than a step and an escape may need. */
enum { PIECE = 1024, PIECE_SPARE = SCAN_STEP + 16 };

struct quoting {
    struct buf *out;
    size_t used;
    char piece[PIECE];
};

static void hand_on(struct quoting *quoting)
{
    (void)buf_add(quoting->out, quoting->piece, quoting->used);
    quoting->used = 0;
}

static void add_code(struct quoting *quoting, uint32_t code)
{
    int size = snprintf(quoting->piece + quoting->used, PIECE - quoting->used, "\\u%04x",
                        (unsigned)code);
    quoting->used += (size_t)size;
}

static void add_escaped(struct quoting *quoting, unsigned char c)
{
    static const char short_forms[0x80] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',  ['\f'] = 'f',
        ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\',
    };
    if (short_forms[c]) {
        quoting->piece[quoting->used++] = '\\';
        quoting->piece[quoting->used++] = short_forms[c];
    } else {
        add_code(quoting, c);
    }
}

/* A character beyond ASCII; returns its length. */
static size_t add_wide(struct quoting *quoting, const char *text, size_t size)
{
    static const char unreadable[] = "\xEF\xBF\xBD";
    uint32_t code = 0;
    size_t length = utf8_next(text, size, &code);
    bool broken = code == 0xFFFD && length == 1;
    if (!broken && utf8_is_unsafe(code)) {
        /* JSON may be shown on a terminal: lose nothing, obey nothing */
        add_code(quoting, code);
        return length;
    }
    size_t bytes = broken ? sizeof unreadable - 1 : length;
    memcpy(quoting->piece + quoting->used, broken ? unreadable : text, bytes);
    quoting->used += bytes;
    return length;
}

static void quote_mixed(struct buf *out, const char *text, size_t size)
{
    struct quoting quoting; /* not zeroed: only what is used is read */
    quoting.out = out;
    quoting.piece[0] = '"';
    quoting.used = 1;
    size_t at = 0;
    while (at < size) {
        if (quoting.used > PIECE - PIECE_SPARE) {
            hand_on(&quoting);
        }
        size_t room = (PIECE - PIECE_SPARE - quoting.used) / SCAN_STEP * SCAN_STEP;
        room = room ? room : SCAN_STEP;
        size_t plain = scan_copy_run(quoting.piece + quoting.used, room, text + at,
                                     size - at, '"', '\\');
        quoting.used += plain;
        at += plain;
        if (plain == room || at == size) {
            continue;
        }
        unsigned char c = (unsigned char)text[at];
        if (c < 0x80) {
            add_escaped(&quoting, c);
            at++;
        } else {
            at += add_wide(&quoting, text + at, size - at);
        }
    }
    quoting.piece[quoting.used++] = '"';
    hand_on(&quoting);
}

void writer_quote(struct buf *out, const char *text, size_t size)
{
    if (scan_plain(text, size, '"', '\\') != size) {
        quote_mixed(out, text, size);
        return;
    }
    char *room = buf_room_quick(out, size + 2);
    if (room) { /* most texts need no escape: one piece, written in one go */
        room[0] = '"';
        if (size) {
            memcpy(room + 1, text, size);
        }
        room[size + 1] = '"';
    }
}
