/* Reading JSON in place. */
#include "llm/cursor.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/scan.h"
#include "base/str.h"
#include "base/utf8.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline void space(struct cursor *cursor)
{
    while (cursor->at < cursor->end && (unsigned char)*cursor->at <= ' ' &&
           is_space(*cursor->at)) {
        cursor->at++;
    }
}

static inline bool take(struct cursor *cursor, char c)
{
    space(cursor);
    if (cursor->bad || cursor->at >= cursor->end || *cursor->at != c) {
        return false;
    }
    cursor->at++;
    return true;
}

bool cursor_take(struct cursor *cursor, char c)
{
    return take(cursor, c);
}

/* The raw inside of a string; the cursor stands behind it. */
static bool raw_string(struct cursor *cursor, const char **text, size_t *size)
{
    if (!take(cursor, '"')) {
        return false;
    }
    const char *from = cursor->at;
    for (;;) {
        cursor->at +=
            scan_plain(cursor->at, (size_t)(cursor->end - cursor->at), '"', '\\');
        if (cursor->at >= cursor->end || *cursor->at == '"') {
            break;
        }
        cursor->at += *cursor->at == '\\' && cursor->end - cursor->at > 1 ? 2 : 1;
    }
    if (cursor->at >= cursor->end) {
        cursor->bad = true;
        return false;
    }
    *text = from;
    *size = (size_t)(cursor->at - from);
    cursor->at++;
    return true;
}

bool cursor_key(struct cursor *cursor, const char **key, size_t *size)
{
    (void)take(cursor, ','); /* one too many is not our business here */
    if (take(cursor, '}')) {
        return false;
    }
    if (!raw_string(cursor, key, size) || !take(cursor, ':')) {
        cursor->bad = true;
    }
    return !cursor->bad;
}

bool cursor_key_is(const char *key, size_t size, const char *name)
{
    return strlen(name) == size && memcmp(key, name, size) == 0;
}

void cursor_skip(struct cursor *cursor)
{
    const char *text;
    size_t size;
    size_t depth = 0;
    do {
        space(cursor);
        if (cursor->bad || cursor->at >= cursor->end) {
            cursor->bad = true;
            return;
        }
        char c = *cursor->at;
        if (c == '"') {
            (void)raw_string(cursor, &text, &size);
        } else if (c == '{' || c == '[') {
            depth++;
            cursor->at++;
        } else if (c == '}' || c == ']') {
            if (depth == 0) {
                cursor->bad = true;
                return;
            }
            depth--;
            cursor->at++;
        } else if ((c == ',' || c == ':') && depth > 0) {
            cursor->at++;
        } else {
            size_t word = 0;
            while (cursor->at + word < cursor->end &&
                   !strchr(",:]}[{\" \t\r\n", cursor->at[word])) {
                word++;
            }
            cursor->bad = word == 0;
            cursor->at += word;
        }
    } while (depth > 0);
}

static int hex_value(const char *at)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = str_hex_digit(at[i]);
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

static void put_code(struct buf *out, uint32_t code)
{
    char bytes[4];
    size_t size;
    if (code < 0x80) {
        bytes[0] = (char)code;
        size = 1;
    } else if (code < 0x800) {
        bytes[0] = (char)(0xC0 | code >> 6);
        bytes[1] = (char)(0x80 | (code & 0x3F));
        size = 2;
    } else if (code < 0x10000) {
        bytes[0] = (char)(0xE0 | code >> 12);
        bytes[1] = (char)(0x80 | (code >> 6 & 0x3F));
        bytes[2] = (char)(0x80 | (code & 0x3F));
        size = 3;
    } else {
        bytes[0] = (char)(0xF0 | code >> 18);
        bytes[1] = (char)(0x80 | (code >> 12 & 0x3F));
        bytes[2] = (char)(0x80 | (code >> 6 & 0x3F));
        bytes[3] = (char)(0x80 | (code & 0x3F));
        size = 4;
    }
    (void)buf_add(out, bytes, size);
}

/* \uXXXX, perhaps a pair of them; the bytes read after the backslash, or 0 when bad. */
static size_t put_unicode(struct buf *out, const char *at, size_t left)
{
    int first = left >= 5 ? hex_value(at + 1) : -1;
    if (first <= 0 || (first >= 0xDC00 && first <= 0xDFFF)) {
        return 0; /* a NUL too: the slow way drops it */
    }
    if (first < 0xD800 || first > 0xDBFF) {
        put_code(out, (uint32_t)first);
        return 5;
    }
    int second = left >= 11 && at[5] == '\\' && at[6] == 'u' ? hex_value(at + 7) : -1;
    if (second < 0xDC00 || second > 0xDFFF) {
        return 0;
    }
    put_code(out,
             0x10000 + ((uint32_t)(first - 0xD800) << 10) + (uint32_t)(second - 0xDC00));
    return 11;
}

static size_t put_escape(struct buf *out, const char *at, size_t left)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    if (left > 0 && *at == 'u') {
        return put_unicode(out, at, left);
    }
    const char *found = left > 0 && *at ? strchr(from, *at) : NULL;
    return found && buf_char(out, to[found - from]) ? 1 : 0;
}

bool cursor_text(struct cursor *cursor, struct buf *out)
{
    const char *text;
    size_t size;
    if (!raw_string(cursor, &text, &size)) {
        return false;
    }
    if (scan_plain(text, size, '\\', '\\') == size) { /* most of them */
        (void)buf_add(out, text, size);
        return true;
    }
    if (!utf8_valid(text, size, NULL)) {
        cursor->bad = true;
    }
    for (size_t at = 0; !cursor->bad && at < size;) {
        const char *escape = memchr(text + at, '\\', size - at);
        size_t plain = escape ? (size_t)(escape - (text + at)) : size - at;
        for (size_t i = 0; i < plain; i++) {
            cursor->bad = cursor->bad || (unsigned char)text[at + i] < 0x20;
        }
        (void)buf_add(out, text + at, plain);
        at += plain;
        if (escape) {
            size_t used = put_escape(out, text + at + 1, size - at - 1);
            cursor->bad = cursor->bad || used == 0;
            at += used + 1;
        }
    }
    return !cursor->bad;
}

int cursor_count(struct cursor *cursor, int otherwise)
{
    space(cursor);
    const char *from = cursor->at;
    int64_t value = 0;
    while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
        value = value < INT_MAX ? value * 10 + (*cursor->at - '0') : value;
        cursor->at++;
    }
    if (cursor->at == from) {
        cursor_skip(cursor);
        return otherwise;
    }
    return value > INT_MAX ? INT_MAX : (int)value;
}

bool cursor_done(struct cursor *cursor)
{
    space(cursor);
    return !cursor->bad && cursor->at == cursor->end;
}
