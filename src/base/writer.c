/* JSON written straight into a buffer. */
#include "base/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "base/vec.h"

void writer_init(struct writer *writer, struct buf *out)
{
    *writer = (struct writer){.out = out};
}

static void new_line(struct writer *writer)
{
    if (writer->pretty) {
        (void)buf_char(writer->out, '\n');
        for (unsigned i = 0; i < writer->depth; i++) {
            (void)buf_text(writer->out, "  ");
        }
    }
}

static void before_item(struct writer *writer)
{
    if (writer->after_key) {
        writer->after_key = false;
        return;
    }
    if (writer->comma) {
        (void)buf_char(writer->out, ',');
    }
    if (writer->depth) {
        new_line(writer);
    }
}

static void open_level(struct writer *writer, char bracket)
{
    before_item(writer);
    (void)buf_char(writer->out, bracket);
    writer->depth++;
    writer->comma = false;
}

static void close_level(struct writer *writer, char bracket)
{
    writer->depth--;
    if (writer->comma) {
        new_line(writer);
    }
    (void)buf_char(writer->out, bracket);
    writer->comma = true;
}

void writer_object(struct writer *writer)
{
    open_level(writer, '{');
}

void writer_object_end(struct writer *writer)
{
    close_level(writer, '}');
}

void writer_array(struct writer *writer)
{
    open_level(writer, '[');
}

void writer_array_end(struct writer *writer)
{
    close_level(writer, ']');
}

void writer_key(struct writer *writer, const char *key)
{
    before_item(writer);
    writer_quote(writer->out, key, strlen(key));
    (void)buf_text(writer->out, writer->pretty ? ": " : ":");
    writer->after_key = true;
}

static void item(struct writer *writer, const char *text)
{
    before_item(writer);
    (void)buf_text(writer->out, text);
    writer->comma = true;
}

/* What a byte needs in a JSON string: 0 nothing, 1 an escape, 2 a look at the UTF-8. */
static int byte_care(unsigned char c)
{
    return c >= 0x80 ? 2 : c < 0x20 || c == '"' || c == '\\' || c == 0x7F ? 1 : 0;
}

/* Bytes at the start that need nothing. Eight are looked at in one go: a subtraction that
 * borrows, or a sum that carries, into a top bit tells that one of them may need care. */
static size_t plain_run(const char *text, size_t size)
{
    const uint64_t each = 0x0101010101010101u;
    size_t at = 0;
    while (size - at >= sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, text + at, sizeof word);
        uint64_t quote = (word ^ each * '"') - each;
        uint64_t backslash = (word ^ each * '\\') - each;
        if ((word | (word + each) | (word - each * 0x20) | quote | backslash) &
            each * 0x80) {
            break;
        }
        at += sizeof word;
    }
    while (at < size && byte_care((unsigned char)text[at]) == 0) {
        at++;
    }
    return at;
}

static void escape_byte(struct buf *out, unsigned char c)
{
    static const char short_forms[] = "\bb\tt\nn\ff\rr\"\"\\\\";
    for (size_t i = 0; i + 1 < sizeof short_forms; i += 2) {
        if ((char)c == short_forms[i]) {
            char pair[2] = {'\\', short_forms[i + 1]};
            (void)buf_add(out, pair, 2);
            return;
        }
    }
    (void)buf_format(out, "\\u%04x", c);
}

void writer_quote(struct buf *out, const char *text, size_t size)
{
    (void)buf_char(out, '"');
    size_t plain = 0; /* start of the run not yet copied */
    for (size_t at = plain_run(text, size); at < size;
         at += plain_run(text + at, size - at)) {
        int care = byte_care((unsigned char)text[at]);
        uint32_t code = 0;
        size_t length = care == 2 ? utf8_next(text + at, size - at, &code) : 1;
        bool broken = code == 0xFFFD && length == 1;
        if (care == 2 && !broken && !utf8_is_unsafe(code)) {
            at += length;
            continue;
        }
        (void)buf_add(out, text + plain, at - plain);
        if (care == 1) {
            escape_byte(out, (unsigned char)text[at]);
        } else if (!broken) { /* JSON may be shown on a terminal: lose nothing, obey
                                 nothing */
            (void)buf_format(out, "\\u%04x", (unsigned)code);
        } else {
            (void)buf_text(out, "\xEF\xBF\xBD");
        }
        at += length;
        plain = at;
    }
    (void)buf_add(out, text + plain, size - plain);
    (void)buf_char(out, '"');
}

void writer_text_n(struct writer *writer, const char *text, size_t size)
{
    before_item(writer);
    writer_quote(writer->out, text, size);
    writer->comma = true;
}

void writer_text(struct writer *writer, const char *text)
{
    if (text) {
        writer_text_n(writer, text, strlen(text));
    } else {
        writer_null(writer);
    }
}

/* Digits of a number, ending at `end`; returns where they start. Quicker than printf, and
 * every answer is full of numbers. */
static char *digits(char *end, uint64_t value, int least)
{
    do {
        *--end = (char)('0' + value % 10);
        value /= 10;
        least--;
    } while (value || least > 0);
    return end;
}

void writer_int(struct writer *writer, int64_t value)
{
    char text[24];
    char *end = text + sizeof text - 1;
    *end = '\0';
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char *start = digits(end, size, 1);
    if (value < 0) {
        *--start = '-';
    }
    item(writer, start);
}

/* Up to three decimals, as times and shares have: exact if dividing gives the value back.
 */
static bool write_short(struct writer *writer, double value)
{
    double scaled = value * 1000.0;
    if (scaled > 1e15 || scaled < -1e15) {
        return false;
    }
    int64_t whole = (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    if ((double)whole / 1000.0 != value || (whole == 0 && signbit(value))) {
        return false;
    }
    char text[32];
    char *end = text + sizeof text - 1;
    *end = '\0';
    uint64_t size = whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole;
    char *start = digits(end, size % 1000, 3);
    while (end - start > 1 && end[-1] == '0') {
        *--end = '\0';
    }
    *--start = '.';
    start = digits(start, size / 1000, 1);
    if (whole < 0) {
        *--start = '-';
    }
    item(writer, start);
    return true;
}

void writer_real(struct writer *writer, double value)
{
    char text[40];
    if (!isfinite(value)) {
        writer_null(writer);
        return;
    }
    if (write_short(writer, value)) {
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        (void)snprintf(text, sizeof text, "%.*g", precision, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    if (!strpbrk(text, ".eE")) {
        size_t size = strlen(text);
        memcpy(text + size, ".0", 3);
    }
    item(writer, text);
}

void writer_bool(struct writer *writer, bool value)
{
    item(writer, value ? "true" : "false");
}

void writer_null(struct writer *writer)
{
    item(writer, "null");
}

void writer_raw(struct writer *writer, const char *json)
{
    item(writer, json);
}

void writer_key_text(struct writer *writer, const char *key, const char *text)
{
    if (text) {
        writer_key(writer, key);
        writer_text(writer, text);
    }
}

void writer_key_int(struct writer *writer, const char *key, int64_t value)
{
    writer_key(writer, key);
    writer_int(writer, value);
}

void writer_key_real(struct writer *writer, const char *key, double value)
{
    writer_key(writer, key);
    writer_real(writer, value);
}

void writer_key_bool(struct writer *writer, const char *key, bool value)
{
    writer_key(writer, key);
    writer_bool(writer, value);
}

void writer_key_texts(struct writer *writer, const char *key, const struct texts *texts)
{
    if (texts->count == 0) {
        return;
    }
    writer_key(writer, key);
    writer_array(writer);
    for (size_t i = 0; i < texts->count; i++) {
        writer_text(writer, texts->items[i]);
    }
    writer_array_end(writer);
}
