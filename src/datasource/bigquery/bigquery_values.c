/* Cells as BigQuery's JSON writes them (texts, whatever the type), as our values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "datasource/bigquery/bigquery_driver.h"

enum { DEPTH_MOST = 16, TYPE_MOST = 16 * 1024, CELL_MOST = 128 << 20 };

/* ------------------------------------------------------------------ types */

/* The interface uses the old words for some types. */
static const char *type_word(const char *type)
{
    static const char *const words[][2] = {{"INTEGER", "INT64"},
                                           {"FLOAT", "FLOAT64"},
                                           {"BOOLEAN", "BOOL"},
                                           {"RECORD", "STRUCT"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_equal(type, words[i][0])) {
            return words[i][1];
        }
    }
    return type;
}

static const char *word_of(const json_t *field)
{
    return type_word(str_or_empty(json_text_at(field, "type")));
}

static bool repeated(const json_t *field)
{
    return str_equal(json_text_at(field, "mode"), "REPEATED");
}

static void type_write(struct buf *out, const json_t *field, int depth)
{
    const char *word = word_of(field);
    const char *precision = json_text_at(field, "precision");
    const char *scale = json_text_at(field, "scale");
    const char *length = json_text_at(field, "maxLength");
    (void)buf_format(out, "%s%s", repeated(field) ? "ARRAY<" : "", word);
    if (str_equal(word, "STRUCT") && depth < DEPTH_MOST) {
        const json_t *fields = json_array_at(field, "fields");
        for (size_t i = 0; i < json_array_size(fields); i++) {
            const json_t *inner = json_array_get(fields, i);
            (void)buf_format(out, "%s%s ", i ? ", " : "<",
                             str_or_empty(json_text_at(inner, "name")));
            type_write(out, inner, depth + 1);
        }
        (void)buf_text(out, json_array_size(fields) ? ">" : "");
    } else if (precision && strspn(precision, "0123456789") == strlen(precision)) {
        (void)buf_format(out, "(%s%s%s)", precision, scale ? "," : "",
                         scale ? scale : "");
    } else if (length && strspn(length, "0123456789") == strlen(length)) {
        (void)buf_format(out, "(%s)", length);
    }
    (void)buf_text(out, repeated(field) ? ">" : "");
}

const char *bigquery_type_name(struct arena *arena, const json_t *field)
{
    struct buf out;
    buf_init(&out, TYPE_MOST);
    type_write(&out, field, 0);
    const char *name = out.full ? word_of(field) : buf_clone(&out, arena);
    buf_release(&out);
    return name;
}

/* ------------------------------------------------------------------ single values */

static struct value value_of(struct arena *arena, enum value_kind kind, const char *text)
{
    struct value value = {.kind = kind};
    size_t size = strlen(text);
    value.text.data = text_clean(arena, arena_copy(arena, text, size), &size);
    value.text.size = size;
    return value;
}

static struct value value_of_number(struct arena *arena, const char *text)
{
    struct value value = {.kind = VALUE_INT};
    return str_to_int(text, &value.integer) ? value : value_of(arena, VALUE_NUMBER, text);
}

static struct value value_of_real(const char *text)
{
    struct value value = {.kind = VALUE_REAL};
    value.real = strtod(text, NULL); /* NaN, Infinity and -Infinity, too */
    return value;
}

static struct value value_of_bool(const char *text)
{
    struct value value = {.kind = VALUE_BOOL};
    value.boolean = str_equal_nocase(text, "true");
    return value;
}

static int base64_digit(char c)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

static struct value value_of_bytes(struct arena *arena, const char *text)
{
    struct value value = {.kind = VALUE_BLOB};
    size_t length = strlen(text);
    char *bytes = arena_alloc(arena, length + 1);
    size_t size = 0;
    unsigned bits = 0;
    int held = 0;
    for (size_t i = 0; i < length && text[i] != '='; i++) {
        int digit = base64_digit(text[i]);
        if (digit < 0) {
            return value_of(arena, VALUE_TEXT, text);
        }
        bits = bits << 6 | (unsigned)digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[size++] = (char)(bits >> held & 0xff);
        }
    }
    value.text.data = bytes;
    value.text.size = size;
    return value;
}

/* Days since 1970 as year, month, day: eras of 400 years, counted from March. */
static void date_of(int64_t days, int64_t *year, int *month, int *day)
{
    enum { ERA_DAYS = 146097, TO_MARCH_0000 = 719468 };
    int64_t shifted = days + TO_MARCH_0000;
    int64_t era = (shifted >= 0 ? shifted : shifted - ERA_DAYS + 1) / ERA_DAYS;
    int64_t of_era = shifted - era * ERA_DAYS;
    int64_t year_of_era =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t from_march = (5 * of_year + 2) / 153;
    *day = (int)(of_year - (153 * from_march + 2) / 5 + 1);
    *month = (int)(from_march < 10 ? from_march + 3 : from_march - 9);
    *year = year_of_era + era * 400 + (*month <= 2);
}

/* Microseconds since 1970; from some emulators, seconds with a fraction. */
static bool micros_of(const char *text, int64_t *micros)
{
    double seconds = 0;
    if (str_to_int(text, micros)) {
        return true;
    }
    if (!str_to_real(text, &seconds) || seconds > 9e11 || seconds < -9e11) {
        return false;
    }
    *micros = (int64_t)(seconds * 1e6 + (seconds < 0 ? -0.5 : 0.5));
    return true;
}

static struct value value_of_timestamp(struct arena *arena, const char *text)
{
    enum { MICROS = 1000000 };
    const int64_t day_micros = INT64_C(86400) * MICROS;
    int64_t micros = 0;
    if (!micros_of(text, &micros)) {
        return value_of(arena, VALUE_TEXT, text);
    }
    int64_t days = micros / day_micros - (micros % day_micros < 0);
    int64_t rest = micros - days * day_micros;
    int64_t year = 0;
    int month = 0;
    int day = 0;
    date_of(days, &year, &month, &day);
    int64_t seconds = rest / MICROS;
    char shown[64];
    char fraction[16] = "";
    if (rest % MICROS) {
        (void)snprintf(fraction, sizeof fraction, ".%06d", (int)(rest % MICROS));
        size_t size = strlen(fraction);
        while (fraction[size - 1] == '0') {
            fraction[--size] = '\0';
        }
    }
    (void)snprintf(shown, sizeof shown, "%04lld-%02d-%02d %02d:%02d:%02d%s+00",
                   (long long)year, month, day, (int)(seconds / 3600),
                   (int)(seconds / 60 % 60), (int)(seconds % 60), fraction);
    return value_of(arena, VALUE_TEXT, shown);
}

/* 2024-01-31T10:00:00 is shown as in other databases. */
static struct value value_of_datetime(struct arena *arena, const char *text)
{
    char *copy = arena_text(arena, text);
    char *letter = strchr(copy, 'T');
    if (letter) {
        *letter = ' ';
    }
    return value_of(arena, VALUE_TEXT, copy);
}

static struct value scalar_of(struct arena *arena, const char *word, const char *text)
{
    if (str_equal(word, "INT64") || str_equal(word, "NUMERIC") ||
        str_equal(word, "BIGNUMERIC")) {
        return value_of_number(arena, text);
    }
    if (str_equal(word, "FLOAT64")) {
        return value_of_real(text);
    }
    if (str_equal(word, "BOOL")) {
        return value_of_bool(text);
    }
    if (str_equal(word, "BYTES")) {
        return value_of_bytes(arena, text);
    }
    if (str_equal(word, "TIMESTAMP")) {
        return value_of_timestamp(arena, text);
    }
    if (str_equal(word, "DATETIME")) {
        return value_of_datetime(arena, text);
    }
    return value_of(arena, str_equal(word, "JSON") ? VALUE_JSON : VALUE_TEXT, text);
}

/* ------------------------------------------------------------------ values of values */

static void nested_write(struct arena *arena, struct writer *writer, const json_t *field,
                         const json_t *value, bool inside, int depth);

static void record_write(struct arena *arena, struct writer *writer, const json_t *field,
                         const json_t *value, int depth)
{
    const json_t *fields = json_array_at(field, "fields");
    const json_t *cells = json_array_at(value, "f");
    writer_object(writer);
    for (size_t i = 0; i < json_array_size(fields); i++) {
        const json_t *inner = json_array_get(fields, i);
        writer_key(writer, str_or_empty(json_text_at(inner, "name")));
        nested_write(arena, writer, inner, json_object_get(json_array_get(cells, i), "v"),
                     false, depth + 1);
    }
    writer_object_end(writer);
}

/* inside: the value is one of a repeated field's. */
static void nested_write(struct arena *arena, struct writer *writer, const json_t *field,
                         const json_t *value, bool inside, int depth)
{
    if (depth > DEPTH_MOST || !value || json_is_null(value)) {
        writer_null(writer);
    } else if (repeated(field) && !inside) {
        writer_array(writer);
        for (size_t i = 0; i < json_array_size(value); i++) {
            nested_write(arena, writer, field,
                         json_object_get(json_array_get(value, i), "v"), true, depth + 1);
        }
        writer_array_end(writer);
    } else if (json_is_object(value)) {
        record_write(arena, writer, field, value, depth);
    } else {
        struct value cell =
            scalar_of(arena, word_of(field), str_or_empty(json_string_value(value)));
        value_write(writer, &cell);
    }
}

struct value bigquery_value(struct arena *arena, const json_t *field, const json_t *cell)
{
    struct value value = {.kind = VALUE_NULL};
    const json_t *inside = json_object_get(cell, "v");
    if (!inside || json_is_null(inside)) {
        return value;
    }
    if (json_is_string(inside)) {
        return scalar_of(arena, word_of(field), json_string_value(inside));
    }
    struct buf out;
    struct writer writer;
    buf_init(&out, CELL_MOST);
    writer_init(&writer, &out);
    nested_write(arena, &writer, field, inside, false, 0);
    value.kind = VALUE_JSON;
    value.text.size = out.size;
    value.text.data = buf_clone(&out, arena);
    buf_release(&out);
    return value;
}
