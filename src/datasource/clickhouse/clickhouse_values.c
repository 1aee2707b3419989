/* Cells as ClickHouse writes them between tabs, as our values: nothing is lost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/clickhouse/clickhouse_driver.h"

char *clickhouse_unescape(struct arena *arena, const char *text, size_t *size)
{
    static const char letters[] = "bfnrt0av";
    static const char bytes[] = "\b\f\n\r\t\0\a\v";
    char *out = arena_alloc(arena, *size + 1);
    size_t end = 0;
    for (size_t i = 0; i < *size; i++) {
        char c = text[i];
        if (c == '\\' && i + 1 < *size) {
            c = text[++i];
            const char *letter = memchr(letters, c, sizeof letters - 1);
            c = letter ? bytes[letter - letters] : c;
        }
        out[end++] = c;
    }
    out[end] = '\0';
    *size = end;
    return out;
}

static struct value value_of(enum value_kind kind, const char *data, size_t size)
{
    struct value value = {.kind = kind};
    value.text.data = data;
    value.text.size = size;
    return value;
}

/* A String holds any bytes: what is no text is shown as bytes. */
static struct value value_of_string(struct arena *scratch, const char *text, size_t size,
                                    bool fixed)
{
    size_t bad = 0;
    const char *data = memchr(text, '\\', size)
                           ? clickhouse_unescape(scratch, text, &size)
                           : arena_copy(scratch, text, size);
    size_t whole = size;
    while (fixed && whole > 0 && data[whole - 1] == '\0') {
        whole--;
    }
    bool good = utf8_valid(data, whole, &bad) && !memchr(data, '\0', whole);
    return good ? value_of(VALUE_TEXT, data, whole) : value_of(VALUE_BLOB, data, size);
}

static struct value value_of_number(struct arena *scratch, const char *text, size_t size)
{
    struct value value = {.kind = VALUE_INT};
    const char *copy = arena_copy(scratch, text, size);
    if (str_to_int(copy, &value.integer)) {
        return value;
    }
    return value_of(VALUE_NUMBER, copy, size);
}

static struct value value_of_real(struct arena *scratch, const char *text, size_t size)
{
    struct value value = {.kind = VALUE_REAL};
    value.real = strtod(arena_copy(scratch, text, size), NULL); /* nan and inf, too */
    return value;
}

static struct value value_of_bool(const char *text, size_t size)
{
    struct value value = {.kind = VALUE_BOOL};
    value.boolean = size > 0 && (text[0] == 't' || text[0] == '1');
    return value;
}

struct value clickhouse_value(struct arena *scratch, const struct clickhouse_type *type,
                              const char *text, size_t size)
{
    struct value none = {.kind = VALUE_NULL};
    if (size == 2 && text[0] == '\\' && text[1] == 'N') {
        return none;
    }
    switch (type->kind) {
    case CLICKHOUSE_BOOL:
        return value_of_bool(text, size);
    case CLICKHOUSE_INT:
    case CLICKHOUSE_DECIMAL:
        return value_of_number(scratch, text, size);
    case CLICKHOUSE_REAL:
        return value_of_real(scratch, text, size);
    case CLICKHOUSE_ARRAY:
    case CLICKHOUSE_TUPLE:
    case CLICKHOUSE_MAP:
        return clickhouse_literal(scratch, type, text, size);
    case CLICKHOUSE_JSON: {
        const char *json = clickhouse_unescape(scratch, text, &size);
        return value_of(VALUE_JSON, text_clean(scratch, json, &size), size);
    }
    case CLICKHOUSE_FIXED:
        return value_of_string(scratch, text, size, true);
    case CLICKHOUSE_STRING:
    case CLICKHOUSE_TEXT:
        break;
    }
    return value_of_string(scratch, text, size, false);
}
