/* ClickHouse's lists, tuples and maps as it writes them, ['a',NULL] (1,'x') {'k':1}, as
 * JSON. */
#include <string.h>

#include "base/arena.h"
#include "base/writer.h"
#include "datasource/clickhouse/clickhouse_driver.h"

enum { DEPTH_MOST = 32 };

struct reading {
    struct arena *scratch;
    const char *at;
    const char *end;
    struct writer writer;
};

static const struct clickhouse_type anything = {.kind = CLICKHOUSE_TEXT, .name = ""};

static bool item_read(struct reading *work, const struct clickhouse_type *type,
                      int depth);

/* The text between quotes, still escaped; passes over it. */
static bool quoted_span(struct reading *work, const char **text, size_t *size)
{
    const char *from = ++work->at;
    while (work->at < work->end && *work->at != '\'') {
        work->at += *work->at == '\\' ? 2 : 1;
    }
    if (work->at >= work->end) {
        return false;
    }
    *text = from;
    *size = (size_t)(work->at++ - from);
    return true;
}

static void plain_span(struct reading *work, const char **text, size_t *size)
{
    const char *from = work->at;
    while (work->at < work->end && !strchr(",:]})'", *work->at)) {
        work->at++;
    }
    *text = from;
    *size = (size_t)(work->at - from);
}

static bool scalar_read(struct reading *work, const struct clickhouse_type *type)
{
    const char *text = "";
    size_t size = 0;
    struct value value = {.kind = VALUE_NULL};
    if (*work->at == '\'') {
        if (!quoted_span(work, &text, &size)) {
            return false;
        }
        value = clickhouse_value(work->scratch, type, text, size);
    } else {
        plain_span(work, &text, &size);
        if (size == 0) {
            return false;
        }
        if (size != 4 || memcmp(text, "NULL", 4) != 0) {
            value = clickhouse_value(work->scratch, type, text, size);
        }
    }
    value_write(&work->writer, &value);
    return true;
}

static bool skip(struct reading *work, char c)
{
    bool there = work->at < work->end && *work->at == c;
    work->at += there;
    return there;
}

static const struct clickhouse_type *part_of(const struct clickhouse_type *type, size_t i)
{
    size_t index = type->kind == CLICKHOUSE_TUPLE ? i : 0;
    return index < type->count ? &type->parts[index] : &anything;
}

static bool list_read(struct reading *work, const struct clickhouse_type *type,
                      char close, int depth)
{
    const char **fields = type->kind == CLICKHOUSE_TUPLE ? type->fields : NULL;
    work->at++;
    if (fields) {
        writer_object(&work->writer);
    } else {
        writer_array(&work->writer);
    }
    for (size_t i = 0; !skip(work, close); i++) {
        if ((i > 0 && !skip(work, ',')) || (fields && i >= type->count)) {
            return false;
        }
        if (i > 0 && skip(work, close)) { /* (1,) is a tuple of one */
            break;
        }
        if (fields) {
            writer_key(&work->writer, fields[i]);
        }
        if (!item_read(work, part_of(type, i), depth + 1)) {
            return false;
        }
    }
    if (fields) {
        writer_object_end(&work->writer);
    } else {
        writer_array_end(&work->writer);
    }
    return true;
}

/* A key of JSON is text, whatever it was. */
static bool key_read(struct reading *work)
{
    const char *text = "";
    size_t size = 0;
    if (work->at < work->end && *work->at == '\'') {
        if (!quoted_span(work, &text, &size)) {
            return false;
        }
    } else {
        plain_span(work, &text, &size);
    }
    const char *key = clickhouse_unescape(work->scratch, text, &size);
    writer_key(&work->writer, text_clean(work->scratch, key, &size));
    return true;
}

static bool map_read(struct reading *work, const struct clickhouse_type *type, int depth)
{
    work->at++;
    writer_object(&work->writer);
    for (size_t i = 0; !skip(work, '}'); i++) {
        const struct clickhouse_type *value =
            type->count == 2 ? &type->parts[1] : &anything;
        if ((i > 0 && !skip(work, ',')) || !key_read(work) || !skip(work, ':') ||
            !item_read(work, value, depth + 1)) {
            return false;
        }
    }
    writer_object_end(&work->writer);
    return true;
}

static bool item_read(struct reading *work, const struct clickhouse_type *type, int depth)
{
    if (depth > DEPTH_MOST || work->at >= work->end) {
        return false;
    }
    switch (*work->at) {
    case '[':
        return list_read(work, type, ']', depth);
    case '(':
        return list_read(work, type, ')', depth);
    case '{':
        return map_read(work, type, depth);
    default:
        return scalar_read(work, type);
    }
}

struct value clickhouse_literal(struct arena *scratch, const struct clickhouse_type *type,
                                const char *text, size_t size)
{
    struct reading work = {.scratch = scratch, .at = text, .end = text + size};
    struct value value = {.kind = VALUE_JSON};
    struct buf out;
    buf_init(&out, size * 128 + 4096); /* escapes, and names of fields */
    writer_init(&work.writer, &out);
    bool ok = item_read(&work, type, 1) && work.at == work.end && !out.full;
    if (ok) {
        value.text.size = out.size;
        value.text.data = buf_clone(&out, scratch);
    } else { /* a type that is not known: its text as it came */
        value.kind = VALUE_TEXT;
        const char *plain = clickhouse_unescape(scratch, text, &size);
        value.text.data = text_clean(scratch, plain, &size);
        value.text.size = size;
    }
    buf_release(&out);
    return value;
}
