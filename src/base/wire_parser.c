/* Reading an HTTP/1.1 response as it comes in. */
#include "base/wire_parser.h"

#include "base/err.h"
#include "base/libcurl.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/str.h"

enum { HEAD_MOST = 64 * 1024, LINE_MOST = 64 * 1024, RETRY_AFTER_MOST_S = 24 * 3600 };

enum state {
    STATE_STATUS,
    STATE_HEADERS,
    STATE_LENGTH, /* a body of known length */
    STATE_CLOSE,  /* a body that ends with the connection */
    STATE_CHUNK_SIZE,
    STATE_CHUNK,
    STATE_CHUNK_END,
    STATE_TRAILERS,
    STATE_DONE,
};

void wire_parser_init(struct wire_parser *parser)
{
    *parser = (struct wire_parser){.retry_after_ms = -1};
    buf_init(&parser->line, LINE_MOST);
}

void wire_parser_release(struct wire_parser *parser)
{
    buf_release(&parser->line);
}

int64_t wire_retry_after(const char *value)
{
    char *end = NULL;
    double seconds = strtod(value, &end);
    if (end == value) {
        struct err ignored;
        time_t date = libcurl_load(&ignored) ? libcurl.getdate(value, NULL) : -1;
        if (date == -1) {
            return -1;
        }
        seconds = (double)(date - clock_wall_s());
        seconds = seconds < 0 ? 0 : seconds;
    }
    return seconds >= 0 && seconds < RETRY_AFTER_MOST_S ? (int64_t)(seconds * 1000) : -1;
}

/* "HTTP/1.1 200 OK" */
static bool read_status(struct wire_parser *parser, const char *line, size_t size)
{
    if (size < 12 || memcmp(line, "HTTP/1.", 7) != 0 || line[8] != ' ' ||
        (line[7] != '0' && line[7] != '1') || (size > 12 && line[12] != ' ')) {
        return false;
    }
    int status = 0;
    for (int i = 9; i < 12; i++) {
        if (line[i] < '0' || line[i] > '9') {
            return false;
        }
        status = status * 10 + (line[i] - '0');
    }
    parser->status = status;
    parser->keep_alive = line[7] == '1';
    parser->left = UINT64_MAX; /* no length known */
    parser->chunked = false;
    parser->state = STATE_HEADERS;
    return status >= 100;
}

static bool read_length(struct wire_parser *parser, const char *value, size_t size)
{
    uint64_t length = 0;
    if (size == 0 || size > 18) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (value[i] < '0' || value[i] > '9') {
            return false;
        }
        length = length * 10 + (uint64_t)(value[i] - '0');
    }
    if (parser->left != UINT64_MAX && parser->left != length) {
        return false; /* two lengths: one of them is wrong */
    }
    parser->left = length;
    return true;
}

static bool value_has(const char *value, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++) {
        if (strncasecmp(value + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool name_is(const char *line, size_t size, const char *name)
{
    return strlen(name) == size && strncasecmp(line, name, size) == 0;
}

static bool read_header(struct wire_parser *parser, const char *line, size_t size)
{
    const char *colon = memchr(line, ':', size);
    if (!colon || colon == line) {
        return *line == ' ' ||
               *line == '\t'; /* an old-style continued line: not needed */
    }
    size_t name = (size_t)(colon - line);
    const char *value = colon + 1;
    const char *end = line + size;
    while (value < end && (*value == ' ' || *value == '\t')) {
        value++;
    }
    while (end > value && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    size_t length = (size_t)(end - value);
    char text[128];
    size_t copied = length < sizeof text ? length : sizeof text - 1;
    if (name_is(line, name, "content-length")) {
        return read_length(parser, value, length);
    }
    if (name_is(line, name, "transfer-encoding")) {
        parser->chunked = value_has(value, length, "chunked");
        return parser->chunked; /* nothing else was asked for */
    }
    if (name_is(line, name, "connection") && value_has(value, length, "close")) {
        parser->keep_alive = false;
    } else if (name_is(line, name, "retry-after") ||
               name_is(line, name, "retry-after-ms")) {
        memcpy(text, value, copied);
        text[copied] = '\0';
        int64_t wait = wire_retry_after(text);
        bool ms = name == strlen("retry-after-ms");
        if (ms || parser->retry_after_ms < 0) {
            parser->retry_after_ms = ms && wait >= 0 ? wait / 1000 : wait;
        }
    }
    return true;
}

/* The empty line after the headers: what follows? */
static void head_done(struct wire_parser *parser)
{
    if (parser->status < 200) { /* "100 Continue": the real one is still to come */
        parser->state = STATE_STATUS;
        return;
    }
    if (parser->status == 204 || parser->status == 304) {
        parser->left = 0;
        parser->chunked = false;
    }
    if (parser->chunked) {
        parser->keep_alive = parser->keep_alive && parser->left == UINT64_MAX;
        parser->state = STATE_CHUNK_SIZE;
    } else if (parser->left != UINT64_MAX) {
        parser->state = parser->left ? STATE_LENGTH : STATE_DONE;
    } else {
        parser->state = STATE_CLOSE;
        parser->keep_alive = false;
    }
}

static bool read_chunk_size(struct wire_parser *parser, const char *line, size_t size)
{
    uint64_t length = 0;
    size_t i = 0;
    for (; i < size && i < 15; i++) {
        int digit = str_hex_digit(line[i]);
        if (digit < 0) {
            break;
        }
        length = length * 16 + (uint64_t)digit;
    }
    if (i == 0 || (i < size && line[i] != ';' && line[i] != ' ')) {
        return false;
    }
    parser->left = length;
    parser->state = length ? STATE_CHUNK : STATE_TRAILERS;
    return true;
}

static bool take_line(struct wire_parser *parser, const char *line, size_t size)
{
    if (size > 0 && line[size - 1] == '\r') {
        size--;
    }
    switch (parser->state) {
    case STATE_STATUS:
        return read_status(parser, line, size);
    case STATE_HEADERS:
        if (size == 0) {
            head_done(parser);
            return true;
        }
        return read_header(parser, line, size);
    case STATE_CHUNK_SIZE:
        return read_chunk_size(parser, line, size);
    case STATE_CHUNK_END:
        parser->state = STATE_CHUNK_SIZE;
        return size == 0;
    default: /* STATE_TRAILERS */
        parser->state = size == 0 ? STATE_DONE : STATE_TRAILERS;
        return true;
    }
}

/* Bytes of the body that are here; the state moves on after the last one. */
static size_t body_bytes(struct wire_parser *parser, size_t size)
{
    if (parser->state == STATE_CLOSE) {
        return size;
    }
    size_t take = parser->left < size ? (size_t)parser->left : size;
    parser->left -= take;
    if (parser->left == 0) {
        parser->state = parser->state == STATE_CHUNK ? STATE_CHUNK_END : STATE_DONE;
    }
    return take;
}

enum wire_step
wire_parser_feed(struct wire_parser *parser, const char *data, size_t size, size_t *used,
                 bool (*body)(void *context, const char *data, size_t size),
                 void *context)
{
    const char *at = data;
    const char *end = data + size;
    enum wire_step step = WIRE_MORE;
    while (at < end && parser->state != STATE_DONE && step == WIRE_MORE) {
        if (parser->state == STATE_LENGTH || parser->state == STATE_CLOSE ||
            parser->state == STATE_CHUNK) {
            size_t take = body_bytes(parser, (size_t)(end - at));
            step = body(context, at, take) ? WIRE_MORE : WIRE_STOPPED;
            at += take;
            continue;
        }
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        bool framing =
            parser->state == STATE_CHUNK_SIZE || parser->state == STATE_CHUNK_END;
        parser->head_bytes += framing ? 0 : length + 1;
        bool ok = parser->head_bytes <= HEAD_MOST;
        if (!stop || parser->line.size > 0) {
            ok = ok && buf_add(&parser->line, at, length);
        }
        if (ok && stop) {
            bool kept = parser->line.size > 0;
            ok = take_line(parser, kept ? parser->line.data : at,
                           kept ? parser->line.size : length);
            buf_clear(&parser->line);
        }
        step = ok ? WIRE_MORE : WIRE_BAD;
        at = stop ? stop + 1 : end;
    }
    *used = (size_t)(at - data);
    return step == WIRE_MORE && parser->state == STATE_DONE ? WIRE_DONE : step;
}

enum wire_step wire_parser_close(const struct wire_parser *parser)
{
    return parser->state == STATE_CLOSE ? WIRE_DONE : WIRE_BAD;
}
