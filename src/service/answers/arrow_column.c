/* One column of a result as an Arrow array: its type, and its buffers. */
#include "service/answers/arrow_column.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/memory.h"
#include "service/answers/arrow_parse.h"

enum { BUFFERS_MOST = 3, BITS = 8 };

/* ------------------------------------------------------------------ types */

/* What is seen of a column's values. */
struct seen {
    bool kinds[VALUE_JSON + 1];
    int before; /* digits of the longest number */
    int behind;
    bool digits; /* all exact numbers are digits with a point */
    bool dates;  /* all texts are dates */
    bool times;  /* all texts are timestamps without a zone */
};

static void see(struct seen *seen, const struct value *value)
{
    int before = 0;
    int behind = 0;
    int32_t days;
    int64_t microseconds;
    seen->kinds[value->kind] = true;
    if (value->kind == VALUE_NUMBER) {
        seen->digits = seen->digits &&
                       arrow_digits(value->text.data, value->text.size, &before, &behind);
        seen->before = before > seen->before ? before : seen->before;
        seen->behind = behind > seen->behind ? behind : seen->behind;
    } else if (value->kind == VALUE_TEXT) {
        const char *text = value->text.data;
        seen->dates = seen->dates && arrow_date(text, value->text.size, &days);
        seen->times =
            seen->times && arrow_timestamp(text, value->text.size, &microseconds);
    }
}

/* Are there values of these kinds and of no other? */
static bool only(const struct seen *seen, enum value_kind one, enum value_kind other)
{
    bool any = false;
    for (int kind = VALUE_NULL + 1; kind <= VALUE_JSON; kind++) {
        bool wanted = kind == (int)one || kind == (int)other;
        if (seen->kinds[kind] && !wanted) {
            return false;
        }
        any = any || seen->kinds[kind];
    }
    return any;
}

/* By the name of the type alone, for a column without a value. */
static enum arrow_kind named(const char *type)
{
    static const struct {
        const char *begin;
        enum arrow_kind kind;
    } rows[] = {
        {"bool", ARROW_BOOL},          {"int", ARROW_INT},
        {"bigint", ARROW_INT},         {"smallint", ARROW_INT},
        {"tinyint", ARROW_INT},        {"real", ARROW_REAL},
        {"double", ARROW_REAL},        {"float", ARROW_REAL},
        {"datetime", ARROW_TIMESTAMP}, {"timestamp", ARROW_TIMESTAMP},
        {"date", ARROW_DATE},          {"text", ARROW_TEXT},
        {"varchar", ARROW_TEXT},       {"char", ARROW_TEXT},
        {"blob", ARROW_BINARY},        {"bytea", ARROW_BINARY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strncasecmp(type, rows[i].begin, strlen(rows[i].begin)) == 0) {
            return rows[i].kind;
        }
    }
    return ARROW_NONE;
}

struct arrow_type arrow_column_type(const struct rows *rows, size_t column)
{
    struct seen seen = {.digits = true, .dates = true, .times = true};
    enum arrow_kind by_name = named(rows->columns[column].type);
    for (size_t row = 0; row < rows->count; row++) {
        see(&seen, rows_cell(rows, row, column));
    }
    struct arrow_type type = {.kind = ARROW_TEXT};
    if (only(&seen, VALUE_INT, VALUE_INT)) {
        type.kind = ARROW_INT;
    } else if (only(&seen, VALUE_REAL, VALUE_INT)) {
        type.kind = ARROW_REAL;
    } else if (only(&seen, VALUE_BOOL, VALUE_BOOL)) {
        type.kind = ARROW_BOOL;
    } else if (only(&seen, VALUE_BLOB, VALUE_BLOB)) {
        type.kind = ARROW_BINARY;
    } else if (only(&seen, VALUE_NUMBER, VALUE_INT)) {
        enum { INT_DIGITS = 19 };
        int before =
            seen.kinds[VALUE_INT] && seen.before < INT_DIGITS ? INT_DIGITS : seen.before;
        bool fits = seen.digits && before + seen.behind <= ARROW_DIGITS;
        type.kind = fits ? ARROW_DECIMAL : ARROW_TEXT;
        type.scale = fits ? seen.behind : 0;
    } else if (only(&seen, VALUE_TEXT, VALUE_TEXT)) {
        bool date = by_name == ARROW_DATE && seen.dates;
        bool time = (by_name == ARROW_TIMESTAMP || by_name == ARROW_DATE) && seen.times;
        type.kind = date ? ARROW_DATE : time ? ARROW_TIMESTAMP : ARROW_TEXT;
    } else {
        bool empty = true;
        for (int kind = VALUE_NULL + 1; kind <= VALUE_JSON; kind++) {
            empty = empty && !seen.kinds[kind];
        }
        type.kind = empty ? by_name : ARROW_TEXT;
    }
    return type;
}

void arrow_format(const struct arrow_type *type, char out[ARROW_FORMAT])
{
    static const char *const formats[] = {
        [ARROW_NONE] = "n", [ARROW_BOOL] = "b",   [ARROW_INT] = "l",
        [ARROW_REAL] = "g", [ARROW_DATE] = "tdD", [ARROW_TIMESTAMP] = "tsu:",
        [ARROW_TEXT] = "U", [ARROW_BINARY] = "Z",
    };
    if (type->kind == ARROW_DECIMAL) {
        (void)snprintf(out, ARROW_FORMAT, "d:%d,%d", ARROW_DIGITS, type->scale);
    } else {
        (void)snprintf(out, ARROW_FORMAT, "%s", formats[type->kind]);
    }
}

/* ------------------------------------------------------------------ buffers */

/* What an array of one column owns. */
struct column_memory {
    const void *buffers[BUFFERS_MOST];
    void *owned[BUFFERS_MOST];
};

static void column_release(struct ArrowArray *array)
{
    struct column_memory *memory = array->private_data;
    for (size_t i = 0; i < BUFFERS_MOST; i++) {
        memory_free(memory->owned[i]);
    }
    memory_free(memory);
    array->release = NULL;
}

static void bit_set(unsigned char *bits, size_t at)
{
    bits[at / BITS] |= (unsigned char)(1U << (at % BITS));
}

static size_t width(enum arrow_kind kind)
{
    switch (kind) {
    case ARROW_DECIMAL:
        return sizeof(arrow_decimal);
    case ARROW_DATE:
        return sizeof(int32_t);
    default:
        return sizeof(int64_t);
    }
}

static void put_fixed(const struct arrow_type *type, const struct value *value, void *out)
{
    const char *text = value->kind >= VALUE_NUMBER ? value->text.data : NULL;
    size_t size = text ? value->text.size : 0;
    if (type->kind == ARROW_INT) {
        memcpy(out, &value->integer, sizeof value->integer);
    } else if (type->kind == ARROW_REAL) {
        double real = value->kind == VALUE_INT ? (double)value->integer : value->real;
        memcpy(out, &real, sizeof real);
    } else if (type->kind == ARROW_DATE) {
        int32_t days = 0;
        (void)arrow_date(text, size, &days);
        memcpy(out, &days, sizeof days);
    } else if (type->kind == ARROW_TIMESTAMP) {
        int64_t microseconds = 0;
        (void)arrow_timestamp(text, size, &microseconds);
        memcpy(out, &microseconds, sizeof microseconds);
    } else {
        arrow_decimal number = text ? arrow_decimal_parse(text, size, type->scale)
                                    : (arrow_decimal)value->integer;
        for (int i = 0; !text && i < type->scale; i++) {
            number *= 10;
        }
        memcpy(out, &number, sizeof number);
    }
}

/* Offsets of 64 bits, and the bytes of all cells. */
static void fill_bytes(const struct rows *rows, size_t column, enum arrow_kind kind,
                       struct column_memory *memory)
{
    struct buf bytes;
    buf_init(&bytes, SIZE_MAX / 2);
    int64_t *offsets = memory_alloc((rows->count + 1) * sizeof *offsets);
    offsets[0] = 0;
    for (size_t row = 0; row < rows->count; row++) {
        const struct value *value = rows_cell(rows, row, column);
        bool raw = value->kind >= VALUE_TEXT;
        if (raw && (kind == ARROW_BINARY || value->kind != VALUE_BLOB)) {
            buf_add(&bytes, value->text.data, value->text.size);
        } else if (value->kind != VALUE_NULL) {
            value_print(&bytes, value);
        }
        offsets[row + 1] = (int64_t)bytes.size;
    }
    char *data = memory_alloc(bytes.size + 1);
    if (bytes.size) {
        memcpy(data, bytes.data, bytes.size);
    }
    buf_release(&bytes);
    memory->owned[1] = offsets;
    memory->owned[2] = data;
}

static void fill_fixed(const struct rows *rows, size_t column,
                       const struct arrow_type *type, struct column_memory *memory)
{
    size_t size = width(type->kind);
    bool bits = type->kind == ARROW_BOOL;
    unsigned char *data =
        memory_alloc(bits ? rows->count / BITS + 1 : rows->count * size + 1);
    for (size_t row = 0; row < rows->count; row++) {
        const struct value *value = rows_cell(rows, row, column);
        if (value->kind == VALUE_NULL) {
            continue;
        }
        if (!bits) {
            put_fixed(type, value, data + row * size);
        } else if (value->boolean) {
            bit_set(data, row);
        }
    }
    memory->owned[1] = data;
}

static int64_t fill_validity(const struct rows *rows, size_t column,
                             struct column_memory *memory)
{
    size_t size = rows->count / BITS + 1;
    unsigned char *bits = memory_alloc(size);
    int64_t nulls = 0;
    for (size_t row = 0; row < rows->count; row++) {
        bool null = rows_cell(rows, row, column)->kind == VALUE_NULL;
        nulls += null;
        if (!null) {
            bit_set(bits, row);
        }
    }
    memory->owned[0] = bits;
    return nulls;
}

void arrow_column_fill(const struct rows *rows, size_t column,
                       const struct arrow_type *type, struct ArrowArray *out)
{
    struct column_memory *memory = memory_alloc(sizeof *memory);
    bool bytes = type->kind == ARROW_TEXT || type->kind == ARROW_BINARY;
    *out = (struct ArrowArray){.length = (int64_t)rows->count,
                               .null_count = (int64_t)rows->count,
                               .buffers = memory->buffers,
                               .release = column_release,
                               .private_data = memory};
    if (type->kind == ARROW_NONE) {
        return;
    }
    out->null_count = fill_validity(rows, column, memory);
    out->n_buffers = bytes ? BUFFERS_MOST : BUFFERS_MOST - 1;
    if (bytes) {
        fill_bytes(rows, column, type->kind, memory);
    } else {
        fill_fixed(rows, column, type, memory);
    }
    for (size_t i = 0; i < BUFFERS_MOST; i++) {
        memory->buffers[i] = memory->owned[i];
    }
}
