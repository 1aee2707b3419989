/* One cell into a DuckDB vector: exactly, or it is said that it does not fit. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/utf8.h"
#include "datasource/staging/staging_cells.h"

__extension__ typedef __int128 huge; /* the engine's largest integers */

enum { DIGITS_MOST = 38, TEXT_MOST = 64, REAL_DIGITS = 15 };

static const int64_t real_most = INT64_C(1) << 53; /* doubles are exact up to here */

/* A number as digits and the place of its point. */
struct number {
    huge digits; /* with its sign */
    unsigned scale;
    unsigned whole; /* digits before the point */
};

/* "-12.50" into -1250 and 2; false when it is no plain decimal of at most 38 digits. */
static bool number_parse(const char *text, size_t size, struct number *out)
{
    bool negative = size > 0 && text[0] == '-';
    size_t at = negative || (size > 0 && text[0] == '+') ? 1 : 0;
    unsigned count = 0;
    unsigned any = 0;
    bool point = false;
    *out = (struct number){0};
    for (; at < size; at++) {
        if (text[at] == '.' && !point) {
            point = true;
            continue;
        }
        if (!isdigit((unsigned char)text[at])) {
            return false;
        }
        any++;
        count += count > 0 || text[at] != '0';
        if (count > DIGITS_MOST) {
            return false;
        }
        out->digits = out->digits * 10 + (text[at] - '0');
        out->scale += point;
        out->whole += !point && count > 0;
    }
    while (out->scale > 0 && out->digits % 10 == 0) { /* 1.50 is 1.5 */
        out->digits /= 10;
        out->scale--;
    }
    out->digits = negative ? -out->digits : out->digits;
    return any > 0;
}

static void number_of(int64_t integer, struct number *out)
{
    *out = (struct number){.digits = integer};
    for (int64_t rest = integer; rest != 0; rest /= 10) {
        out->whole++;
    }
}

static bool number_read(const struct value *value, struct number *out)
{
    struct buf text;
    bool ok = false;
    switch (value->kind) {
    case VALUE_BOOL:
        number_of(value->boolean, out);
        return true;
    case VALUE_INT:
        number_of(value->integer, out);
        return true;
    case VALUE_NUMBER:
        return number_parse(value->text.data, value->text.size, out);
    case VALUE_REAL: /* the shortest decimal that is this double */
        buf_init(&text, TEXT_MOST);
        value_print(&text, value);
        ok = number_parse(buf_get(&text), text.size, out);
        buf_release(&text);
        return ok;
    default:
        return false;
    }
}

static void put_huge(duckdb_hugeint *at, huge number)
{
    at->lower = (uint64_t)number;
    at->upper = (int64_t)(number >> 64);
}

static bool put_decimal(const struct staged_column *column, struct number number,
                        void *data, uint64_t row)
{
    const struct staged_type *type = &column->type;
    if (number.scale > type->scale || number.whole > type->width - type->scale) {
        return false;
    }
    for (unsigned i = number.scale; i < type->scale; i++) {
        number.digits *= 10;
    }
    if (!data) {
        return true;
    }
    if (type->width <= 4) {
        ((int16_t *)data)[row] = (int16_t)number.digits;
    } else if (type->width <= 9) {
        ((int32_t *)data)[row] = (int32_t)number.digits;
    } else if (type->width <= 18) {
        ((int64_t *)data)[row] = (int64_t)number.digits;
    } else {
        put_huge(&((duckdb_hugeint *)data)[row], number.digits);
    }
    return true;
}

static bool put_real(const struct value *value, double *data, uint64_t row)
{
    double real = 0;
    struct number number;
    if (value->kind == VALUE_REAL) {
        real = value->real;
    } else if (number_read(value, &number)) {
        unsigned fraction = number.scale;
        if (number.whole + fraction > REAL_DIGITS &&
            (fraction > 0 || number.digits > real_most || number.digits < -real_most)) {
            return false; /* a double would change it */
        }
        real = (double)number.digits / pow(10, fraction);
    } else {
        return false;
    }
    if (data) {
        data[row] = real;
    }
    return true;
}

static bool put_number(struct staged_column *column, const struct value *value,
                       void *data, uint64_t row)
{
    struct number number;
    if (column->type.kind == STAGED_REAL && value->kind == VALUE_REAL) {
        return put_real(value, data, row);
    }
    if (!number_read(value, &number)) {
        return column->type.kind == STAGED_REAL && put_real(value, data, row);
    }
    bool fits = true;
    switch (column->type.kind) {
    case STAGED_INT:
        fits =
            number.scale == 0 && number.digits >= INT64_MIN && number.digits <= INT64_MAX;
        if (fits && data) {
            ((int64_t *)data)[row] = (int64_t)number.digits;
        }
        break;
    case STAGED_UNSIGNED:
        fits = number.scale == 0 && number.digits >= 0 && number.digits <= UINT64_MAX;
        if (fits && data) {
            ((uint64_t *)data)[row] = (uint64_t)number.digits;
        }
        break;
    case STAGED_HUGE:
        fits = number.scale == 0;
        if (fits && data) {
            put_huge(&((duckdb_hugeint *)data)[row], number.digits);
        }
        break;
    case STAGED_DECIMAL:
        fits = put_decimal(column, number, data, row);
        break;
    default:
        fits = put_real(value, data, row);
        break;
    }
    if (fits && data) {
        column->digits = number.whole > column->digits ? number.whole : column->digits;
        column->exact = column->exact ||
                        (value->kind != VALUE_REAL && !put_real(value, NULL, 0)) ||
                        (value->kind == VALUE_NUMBER && number.scale > 0);
    }
    return fits;
}

static bool put_time(const struct staged_column *column, const struct value *value,
                     void *data, uint64_t row)
{
    const char *text = value->text.data;
    size_t size = value->text.size;
    int32_t days;
    int64_t micros;
    if (value->kind != VALUE_TEXT) {
        return false;
    }
    if (column->type.kind == STAGED_DATE) {
        bool ok = staged_date_read(text, size, &days);
        if (ok && data) {
            ((duckdb_date *)data)[row].days = days;
        }
        return ok;
    }
    bool ok = column->type.kind == STAGED_TIME
                  ? staged_time_read(text, size, &micros)
                  : staged_timestamp_read(text, size, column->type.kind == STAGED_ZONED,
                                          &micros);
    if (ok && data) {
        ((int64_t *)data)[row] = micros;
    }
    return ok;
}

static bool put_bool(const struct value *value, void *data, uint64_t row)
{
    bool is_bool = value->kind == VALUE_BOOL;
    if (!is_bool &&
        (value->kind != VALUE_INT || (value->integer != 0 && value->integer != 1))) {
        return false;
    }
    if (data) {
        ((bool *)data)[row] = is_bool ? value->boolean : value->integer != 0;
    }
    return true;
}

static bool holds_text(const struct value *value)
{
    return value->kind >= VALUE_NUMBER;
}

static bool is_json(const struct value *value)
{
    if (value->kind != VALUE_JSON && value->kind != VALUE_TEXT) {
        return false;
    }
    json_t *tree = json_loadb(value->text.data, value->text.size, JSON_DECODE_ANY, NULL);
    json_decref(tree);
    return tree != NULL;
}

static bool put_text(const struct duckdb_library *library,
                     const struct staged_column *column, const struct value *value,
                     duckdb_vector vector, uint64_t row)
{
    bool bytes = column->type.kind == STAGED_BLOB;
    if (column->type.kind == STAGED_JSON && !is_json(value)) {
        return false;
    }
    if (holds_text(value)) {
        size_t bad = 0;
        if (!bytes && !utf8_valid(value->text.data, value->text.size, &bad)) {
            return false;
        }
        if (vector) {
            library->vector_assign_string_element_len(
                vector, row, value->text.data ? value->text.data : "", value->text.size);
        }
        return true;
    }
    if (vector) {
        struct buf text;
        buf_init(&text, TEXT_MOST);
        value_print(&text, value);
        library->vector_assign_string_element_len(vector, row, buf_get(&text), text.size);
        buf_release(&text);
    }
    return true;
}

bool staged_cell_put(const struct duckdb_library *library, struct staged_column *column,
                     const struct value *value, duckdb_vector vector, uint64_t row)
{
    void *data = vector ? library->vector_get_data(vector) : NULL;
    switch (column->type.kind) {
    case STAGED_BOOL:
        return put_bool(value, data, row);
    case STAGED_DATE:
    case STAGED_TIME:
    case STAGED_TIMESTAMP:
    case STAGED_ZONED:
        return put_time(column, value, data, row);
    case STAGED_TEXT:
    case STAGED_BLOB:
    case STAGED_JSON:
        return put_text(library, column, value, vector, row);
    default:
        return put_number(column, value, data, row);
    }
}

/* What may take the place of each kind, best first; text and bytes end every ladder. */
static const enum staged_kind ladders[STAGED_COUNT][5] = {
    [STAGED_BOOL] = {STAGED_INT, STAGED_TEXT, STAGED_BLOB, STAGED_BLOB},
    [STAGED_INT] = {STAGED_HUGE, STAGED_REAL, STAGED_DECIMAL, STAGED_TEXT, STAGED_BLOB},
    [STAGED_UNSIGNED] = {STAGED_HUGE, STAGED_REAL, STAGED_DECIMAL, STAGED_TEXT,
                         STAGED_BLOB},
    [STAGED_HUGE] = {STAGED_DECIMAL, STAGED_TEXT, STAGED_BLOB, STAGED_BLOB},
    [STAGED_DECIMAL] = {STAGED_REAL, STAGED_DECIMAL, STAGED_TEXT, STAGED_BLOB},
    [STAGED_REAL] = {STAGED_TEXT, STAGED_BLOB, STAGED_BLOB},
    [STAGED_DATE] = {STAGED_TIMESTAMP, STAGED_TEXT, STAGED_BLOB},
    [STAGED_TIME] = {STAGED_TEXT, STAGED_BLOB},
    [STAGED_TIMESTAMP] = {STAGED_TEXT, STAGED_BLOB},
    [STAGED_ZONED] = {STAGED_TEXT, STAGED_BLOB},
    [STAGED_TEXT] = {STAGED_BLOB},
    [STAGED_JSON] = {STAGED_TEXT, STAGED_BLOB},
    [STAGED_BLOB] = {STAGED_BLOB},
};

/* A scale that holds this number beside those that are there. */
static struct staged_type decimal_wider(const struct staged_column *column,
                                        const struct value *value)
{
    struct staged_type type = {.kind = STAGED_DECIMAL, .width = DIGITS_MOST};
    struct number number;
    unsigned scale = column->type.kind == STAGED_DECIMAL ? column->type.scale : 0;
    type.scale =
        number_read(value, &number) && number.scale > scale ? number.scale : scale;
    type.scale = type.scale < DIGITS_MOST ? type.scale : DIGITS_MOST;
    return type;
}

struct staged_type staged_type_wider(const struct staged_column *column,
                                     const struct value *value)
{
    struct staged_column trial = *column;
    const enum staged_kind *ladder = ladders[column->type.kind];
    for (size_t i = 0; i < 5; i++) {
        trial.type = ladder[i] == STAGED_DECIMAL
                         ? decimal_wider(column, value)
                         : (struct staged_type){.kind = ladder[i]};
        bool keeps = ladder[i] == STAGED_REAL ? !column->exact
                     : ladder[i] == STAGED_DECIMAL
                         ? column->digits + trial.type.scale <= DIGITS_MOST
                         : true;
        /* a decimal would take a double only for the form it is shown in */
        keeps = keeps && !(ladder[i] == STAGED_REAL && value->kind == VALUE_NUMBER);
        if (keeps &&
            (ladder[i] == STAGED_BLOB || staged_cell_put(NULL, &trial, value, NULL, 0))) {
            return trial.type;
        }
    }
    return (struct staged_type){.kind = STAGED_BLOB};
}
