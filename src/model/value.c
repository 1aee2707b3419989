/* One cell: copied, printed for people, written as JSON. */
#include "model/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/writer.h"

enum {
    BLOB_SHOWN = 32,                   /* bytes of a blob that people get to see */
    NOISE_FREE = 12,                   /* digits of a number that is no noise */
    JSON_CELL_MOST = 64 * 1024 * 1024, /* past every result's own byte cap */
};

/* What adding up many thousands of decimals leaves, as a part of the value. The more digits the sum has,
 * the less may be taken for noise: a measured value comes that near by chance in one of 250 or more. */
static const struct {
    int digits;
    double most;
} sum_noise[] = {{10, 2e-13}, {11, 2e-14}, {12, 2e-15}};

static const int64_t exact_most = INT64_C(1) << 53; /* JSON readers keep doubles */

static bool holds_text(const struct value *value)
{
    return value->kind >= VALUE_NUMBER;
}

struct value value_clone(struct arena *arena, const struct value *value)
{
    struct value copy = *value;
    if (holds_text(value)) {
        copy.text.data = arena_copy(arena, value->text.data, value->text.size);
    }
    return copy;
}

static void print_blob(struct buf *out, const struct value *value)
{
    size_t size = value->text.size;
    size_t shown = size < BLOB_SHOWN ? size : BLOB_SHOWN;
    (void)buf_text(out, "x'");
    (void)buf_hex(out, value->text.data, shown);
    (void)buf_text(out, shown < size ? "...'" : "'");
}

static void print_real(struct buf *out, double real)
{
    if (!isfinite(real)) {
        (void)buf_text(out, isnan(real) ? "NaN" : real < 0 ? "-Infinity" : "Infinity");
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, real);
        if (strtod(text, NULL) == real) {
            break;
        }
    }
    (void)buf_text(out, text);
}

void value_print(struct buf *out, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NULL:
        break;
    case VALUE_BOOL:
        (void)buf_text(out, value->boolean ? "true" : "false");
        break;
    case VALUE_INT:
        (void)buf_int(out, value->integer);
        break;
    case VALUE_REAL:
        print_real(out, value->real);
        break;
    case VALUE_BLOB:
        print_blob(out, value);
        break;
    case VALUE_NUMBER:
    case VALUE_TEXT:
    case VALUE_JSON:
        (void)buf_add(out, value->text.data, value->text.size);
        break;
    }
}

/*
 * A driver's word that a text is JSON is checked: one bad cell must not make the answer
 * invalid JSON.
 */
static void write_json(struct writer *writer, const struct value *value)
{
    json_t *tree = json_loadb(value->text.data, value->text.size, JSON_DECODE_ANY, NULL);
    if (!tree) {
        writer_text_n(writer, value->text.data, value->text.size);
        return;
    }
    json_decref(tree);
    struct buf copy;
    buf_init(&copy, JSON_CELL_MOST);
    (void)buf_add(&copy, value->text.data, value->text.size);
    writer_raw(writer, copy.full ? "null" : buf_get(&copy));
    buf_release(&copy);
}

static void write_int(struct writer *writer, int64_t integer)
{
    if (integer >= -exact_most && integer <= exact_most) {
        writer_int(writer, integer);
        return;
    }
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRId64, integer);
    writer_text(writer, text);
}

static void write_blob(struct writer *writer, const struct value *value)
{
    struct buf hex;
    buf_init(&hex, value->text.size * 2);
    (void)buf_hex(&hex, value->text.data, value->text.size);
    writer_text_n(writer, buf_get(&hex), hex.size);
    buf_release(&hex);
}

void value_write(struct writer *writer, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NULL:
        writer_null(writer);
        break;
    case VALUE_BOOL:
        writer_bool(writer, value->boolean);
        break;
    case VALUE_INT:
        write_int(writer, value->integer);
        break;
    case VALUE_REAL:
        writer_real(writer, value->real);
        break;
    case VALUE_BLOB:
        write_blob(writer, value);
        break;
    case VALUE_JSON:
        write_json(writer, value);
        break;
    case VALUE_NUMBER:
    case VALUE_TEXT:
        writer_text_n(writer, value->text.data, value->text.size);
        break;
    }
}

/*
 * Sixteen or seventeen digits of which all but twelve vanish when one is left out: that
 * is how a sum of decimals looks (90.08999999999999). A measured value does not end like
 * it.
 */
static struct value without_noise(const struct value *value)
{
    struct value shown = *value;
    if (value->kind == VALUE_REAL && isfinite(value->real)) {
        char text[40];
        (void)snprintf(text, sizeof text, "%.*g", NOISE_FREE, value->real);
        double rounded = strtod(text, NULL);
        (void)snprintf(text, sizeof text, "%.15g", value->real);
        shown.real = strtod(text, NULL) == rounded ? rounded : value->real;
        for (size_t i = sizeof sum_noise / sizeof *sum_noise; i-- > 0;) {
            (void)snprintf(text, sizeof text, "%.*g", sum_noise[i].digits, value->real);
            rounded = strtod(text, NULL);
            if (fabs(rounded - value->real) <= sum_noise[i].most * fabs(value->real)) {
                shown.real = rounded; /* a sum of many: 100839.71000000036 */
            }
        }
    }
    return shown;
}

void value_show(struct buf *out, const struct value *value)
{
    struct value shown = without_noise(value);
    value_print(out, &shown);
}

void value_show_json(struct writer *writer, const struct value *value)
{
    struct value shown = without_noise(value);
    value_write(writer, &shown);
}

size_t value_bytes(const struct value *value)
{
    if (holds_text(value)) {
        return value->text.size;
    }
    return value->kind == VALUE_INT || value->kind == VALUE_REAL ? 8 : 1;
}
