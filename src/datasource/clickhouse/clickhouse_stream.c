/*
 * Lines of ClickHouse's TabSeparatedWithNamesAndTypes into rows, as they come in. A query
 * that fails after its first rows says so in the same stream: older servers write the
 * message where the next row would be, newer ones behind a mark with a bare carriage
 * return, which no row can hold.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/clickhouse/clickhouse_driver.h"

enum {
    LINE_MOST = 64 << 20,
    ESCAPE_BYTES = 2, /* most bytes that one byte is sent as */
    FAILURE_MOST = 16 * 1024,
    COLUMNS_MOST = 100000,
};

void clickhouse_stream_init(struct clickhouse_stream *stream,
                            const struct datasource_sink *sink,
                            const struct datasource_limits *limits)
{
    memset(stream, 0, sizeof *stream);
    stream->sink = sink;
    stream->arena = arena_new();
    stream->scratch = arena_new();
    buf_init(&stream->line, LINE_MOST);
    stream->cell_most = (limits_cell_bytes(limits) + 1) * ESCAPE_BYTES;
    if (stream->cell_most < FAILURE_MOST) { /* what the server says went wrong is whole */
        stream->cell_most = FAILURE_MOST;
    }
    buf_init(&stream->failure, FAILURE_MOST);
    stream->left = limits && limits->max_rows > 0 ? limits->max_rows : INT64_MAX - 1;
}

void clickhouse_stream_release(struct clickhouse_stream *stream)
{
    arena_free(stream->arena);
    arena_free(stream->scratch);
    buf_release(&stream->line);
    buf_release(&stream->failure);
}

/* "Code: 241, e.displayText() = DB::Exception: …", "Code: 241. DB::Exception: …" */
static bool sounds_like_failure(const char *line, size_t size)
{
    static const char beginning[] = "Code: ";
    static const char sign[] = "DB::Exception";
    size_t head = sizeof beginning - 1;
    return size > head && memcmp(line, beginning, head) == 0 &&
           isdigit((unsigned char)line[head]) &&
           memmem(line, size, sign, sizeof sign - 1) != NULL;
}

/* Only at the end of an answer: is it really one? A message is complete, and in a row
 * quotes and backslashes would be escaped. */
static bool is_failure(const char *line)
{
    return !strchr(line, '\\') &&
           (str_ends(line, ", e.what() = DB::Exception") || strstr(line, " (version "));
}

static size_t fields_of(const char *line, size_t size)
{
    size_t count = 1;
    for (const char *tab = line; (tab = memchr(tab, '\t', size - (size_t)(tab - line)));
         tab++) {
        count++;
    }
    return count;
}

static const char *field_next(const char **at, const char *end, size_t *size)
{
    const char *from = *at;
    const char *tab = memchr(from, '\t', (size_t)(end - from));
    *size = (size_t)((tab ? tab : end) - from);
    *at = tab ? tab + 1 : end;
    return from;
}

static bool names_take(struct clickhouse_stream *stream, const char *line, size_t size)
{
    stream->columns = fields_of(line, size);
    if (stream->columns > COLUMNS_MOST || size == 0) {
        stream->odd = true;
        return false;
    }
    stream->names = arena_array(stream->arena, stream->columns, sizeof *stream->names);
    stream->types = arena_array(stream->arena, stream->columns, sizeof *stream->types);
    stream->cells = arena_array(stream->arena, stream->columns, sizeof *stream->cells);
    const char *at = line;
    for (size_t i = 0; i < stream->columns; i++) {
        size_t length = 0;
        const char *field = field_next(&at, line + size, &length);
        const char *name = clickhouse_unescape(stream->arena, field, &length);
        stream->names[i] = text_clean(stream->arena, name, &length);
    }
    return true;
}

static bool types_take(struct clickhouse_stream *stream, const char *line, size_t size)
{
    struct rows_column *columns =
        arena_array(stream->arena, stream->columns, sizeof *columns);
    if (fields_of(line, size) != stream->columns) {
        stream->odd = true;
        return false;
    }
    const char *at = line;
    for (size_t i = 0; i < stream->columns; i++) {
        size_t length = 0;
        const char *field = field_next(&at, line + size, &length);
        const char *name = clickhouse_unescape(stream->arena, field, &length);
        stream->types[i] =
            clickhouse_type_read(stream->arena, text_clean(stream->arena, name, &length));
        columns[i].name = stream->names[i];
        columns[i].type = stream->types[i].name;
    }
    return stream->sink->columns(stream->sink->context, columns, stream->columns);
}

/* Of a long cell only the beginning was kept, which is no array and no JSON any more. */
static struct value cell_begin(struct clickhouse_stream *stream, const char *field,
                               size_t length)
{
    enum { CHARACTER_BYTES = 4 }; /* the last one may be there in part */
    size_t bad = 0;
    struct value value = {.kind = VALUE_BLOB, .cut = true};
    const char *text = clickhouse_unescape(stream->scratch, field, &length);
    size_t whole = utf8_cut(text, length, length - CHARACTER_BYTES);
    if (utf8_valid(text, whole, &bad)) {
        value.kind = VALUE_TEXT;
        length = whole;
    }
    value.text.data = text;
    value.text.size = length;
    return value;
}

static bool row_take(struct clickhouse_stream *stream, const char *line, size_t size)
{
    const char *at = line;
    for (size_t i = 0; i < stream->columns; i++) {
        size_t length = 0;
        const char *field = field_next(&at, line + size, &length);
        stream->cells[i] =
            length < stream->cell_most
                ? clickhouse_value(stream->scratch, &stream->types[i], field, length)
                : cell_begin(stream, field, length);
    }
    bool more =
        stream->sink->row(stream->sink->context, stream->cells) && --stream->left >= 0;
    arena_reset(stream->scratch);
    return more;
}

/* The empty line before the totals of WITH TOTALS; they are one more row. */
static bool is_gap(const struct clickhouse_stream *stream, size_t size)
{
    return size == 0 &&
           (stream->columns > 1 || stream->types[0].kind != CLICKHOUSE_STRING);
}

static bool line_take(struct clickhouse_stream *stream, const char *line, size_t size)
{
    if (stream->failing || (size > 0 && line[size - 1] == '\r')) {
        stream->failing = true;
        if (size > 1 && !str_starts(line, "__exception__")) {
            (void)buf_add(&stream->failure, line, size);
            (void)buf_char(&stream->failure, '\n');
        }
        return true;
    }
    if (stream->lines < 2) {
        stream->lines++;
        return stream->lines == 1 ? names_take(stream, line, size)
                                  : types_take(stream, line, size);
    }
    if (stream->held) { /* more came behind it, so it was a row like any other */
        stream->held = false;
        if (!row_take(stream, stream->failure.data, stream->failure.size)) {
            return false;
        }
        buf_clear(&stream->failure);
    }
    bool failure = sounds_like_failure(line, size);
    bool fits = fields_of(line, size) == stream->columns;
    if (failure && stream->columns == 1 && size < FAILURE_MOST) {
        stream->held = true; /* the end of the answer tells what it is */
        return buf_add(&stream->failure, line, size);
    }
    if (failure && !fits) {
        stream->failing = true;
        return buf_add(&stream->failure, line, size);
    }
    if (is_gap(stream, size)) {
        return true;
    }
    stream->odd = !fits;
    return fits && row_take(stream, line, size);
}

/* Keeps a part of a line that is not complete yet, but no more of a cell than may be
 * shown. A tab inside a cell is escaped. Names and types are kept completely. */
static bool line_add(struct clickhouse_stream *stream, const char *data, size_t size)
{
    const char *end = data + size;
    if (stream->lines < 2) {
        return buf_add(&stream->line, data, size);
    }
    while (data < end) {
        const char *tab = memchr(data, '\t', (size_t)(end - data));
        size_t length = (size_t)((tab ? tab : end) - data);
        size_t room = stream->cell_most - stream->cell_size;
        size_t kept = length < room ? length : room;
        if (!buf_add(&stream->line, data, kept) ||
            (tab && !buf_char(&stream->line, '\t'))) {
            return false;
        }
        stream->cell_size = tab ? 0 : stream->cell_size + kept;
        data += length + (tab != NULL);
    }
    return true;
}

bool clickhouse_stream_feed(void *context, const char *data, size_t size)
{
    struct clickhouse_stream *stream = context;
    const char *end = data + size;
    while (data < end) {
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        size_t length = (size_t)((newline ? newline : end) - data);
        bool more = true;
        if (!newline || stream->line.size > 0) {
            stream->long_line = !line_add(stream, data, length);
            more = !stream->long_line;
        }
        stream->cell_size = newline ? 0 : stream->cell_size;
        if (newline && more && stream->line.size > 0) {
            more = line_take(stream, stream->line.data, stream->line.size);
            buf_clear(&stream->line);
        } else if (newline && more) {
            more = line_take(stream, data, length);
        }
        if (!more) {
            return false;
        }
        data += length + (newline != NULL);
    }
    return true;
}

void clickhouse_stream_end(struct clickhouse_stream *stream)
{
    if (stream->line.size > 0) {
        if (stream->failing ||
            sounds_like_failure(stream->line.data, stream->line.size)) {
            stream->failing = true;
            (void)buf_add(&stream->failure, stream->line.data, stream->line.size);
        } else {
            stream->odd = true; /* the answer breaks off */
        }
    }
    if (stream->held) {
        stream->held = false;
        stream->failing = is_failure(buf_get(&stream->failure));
        if (!stream->failing) {
            (void)row_take(stream, stream->failure.data, stream->failure.size);
        }
    }
}
