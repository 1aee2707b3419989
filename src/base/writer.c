/* JSON written straight into a buffer. */
#include "base/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scan.h"
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

static void item_n(struct writer *writer, const char *text, size_t size)
{
    before_item(writer);
    (void)buf_add(writer->out, text, size);
    writer->comma = true;
}

static void item(struct writer *writer, const char *text)
{
    item_n(writer, text, strlen(text));
}

/*
 * Without line breaks an item is written in one go, a comma before it where one is due.
 */
static char *item_room(struct writer *writer, size_t size)
{
    size_t comma = writer->comma && !writer->after_key ? 1 : 0;
    char *room = buf_room_quick(writer->out, size + comma);
    if (room && comma) {
        *room++ = ',';
    }
    return room;
}

/* Takes back what is not plain, for a closer look; or what did not fit. */
static bool take_back(struct writer *writer, size_t from, bool full)
{
    if (!full) {
        buf_truncate(writer->out, from);
    }
    return full;
}

/* Keys are short and many. True: it is written, or there is no room for it. */
static bool key_short(struct writer *writer, const char *key, size_t size)
{
    if (writer->pretty || writer->after_key || size > SCAN_STEP) {
        return false;
    }
    size_t from = writer->out->size;
    char *room = item_room(writer, size + 3);
    if (!room || !scan_copy_short(room + 1, key, size, '"', '\\')) {
        return take_back(writer, from, !room);
    }
    room[0] = '"';
    memcpy(room + 1 + size, "\":", 2);
    return true;
}

void writer_key(struct writer *writer, const char *key)
{
    size_t size = strlen(key);
    if (!key_short(writer, key, size)) {
        before_item(writer);
        writer_quote(writer->out, key, size);
        (void)buf_text(writer->out, writer->pretty ? ": " : ":");
    }
    writer->after_key = true;
}

/* The same for a text. */
static bool text_short(struct writer *writer, const char *text, size_t size)
{
    if (writer->pretty || size > SCAN_STEP) {
        return false;
    }
    size_t from = writer->out->size;
    char *room = item_room(writer, size + 2);
    if (!room || !scan_copy_short(room + 1, text, size, '"', '\\')) {
        return take_back(writer, from, !room);
    }
    room[0] = '"';
    room[size + 1] = '"';
    return true;
}

void writer_text_n(struct writer *writer, const char *text, size_t size)
{
    if (text_short(writer, text, size)) {
        writer->after_key = false;
    } else {
        before_item(writer);
        writer_quote(writer->out, text, size);
    }
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
static char *writer_digits(char *end, uint64_t value, int least)
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
    before_item(writer);
    (void)buf_int(writer->out, value);
    writer->comma = true;
}

/* Up to three or six decimals, as times, shares and costs have: exact if dividing gives
 * the value back. */
static bool write_short(struct writer *writer, double value, int decimals, double scale)
{
    double scaled = value * scale;
    if (scaled > 1e15 || scaled < -1e15) {
        return false;
    }
    int64_t whole = (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    if ((double)whole / scale != value || (whole == 0 && signbit(value))) {
        return false;
    }
    char text[32];
    char *end = text + sizeof text;
    uint64_t size = whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole;
    uint64_t parts = (uint64_t)scale;
    char *start = writer_digits(end, size % parts, decimals);
    while (end - start > 1 && end[-1] == '0') {
        end--;
    }
    *--start = '.';
    start = writer_digits(start, size / parts, 1);
    if (whole < 0) {
        *--start = '-';
    }
    item_n(writer, start, (size_t)(end - start));
    return true;
}

void writer_real(struct writer *writer, double value)
{
    char text[40];
    if (!isfinite(value)) {
        writer_null(writer);
        return;
    }
    if (write_short(writer, value, 3, 1e3) || write_short(writer, value, 6, 1e6)) {
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
