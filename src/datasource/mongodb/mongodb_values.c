/* Values of documents as cells, and as JSON where a column holds all sorts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "datasource/mongodb/mongodb_driver.h"

enum {
    JSON_MOST = 16 << 20, /* the largest document that MongoDB keeps */
    JSON_DEPTH = 100,
    DIGITS_MOST = 60, /* of a decimal written out */
};

static struct value value_text(const char *data, size_t size)
{
    return (struct value){.kind = VALUE_TEXT, .text = {data, size}};
}

static struct value value_clean(struct arena *arena, const char *data, size_t size)
{
    data = text_clean(arena, data, &size);
    return value_text(data, size);
}

/* Days since 1970 as year, month and day (proleptic Gregorian, as everybody reckons). */
static void days_split(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t of_era = days - era * 146097;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t shifted = (5 * of_year + 2) / 153;
    *day = (unsigned)(of_year - (153 * shifted + 2) / 5 + 1);
    *month = (unsigned)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = years + era * 400 + (*month <= 2);
}

/* "2024-02-29 10:00:00.5", UTC */
static const char *mongodb_time_text(struct arena *arena, int64_t ms)
{
    enum { DAY_MS = 86400000 };
    int64_t days = ms / DAY_MS - (ms % DAY_MS < 0);
    int64_t rest = ms - days * DAY_MS;
    int64_t year = 0;
    unsigned month = 0;
    unsigned day = 0;
    days_split(days, &year, &month, &day);
    const char *text = arena_format(arena, "%04" PRId64 "-%02u-%02u %02d:%02d:%02d", year,
                                    month, day, (int)(rest / 3600000),
                                    (int)(rest / 60000 % 60), (int)(rest / 1000 % 60));
    return rest % 1000 ? arena_format(arena, "%s.%03d", text, (int)(rest % 1000)) : text;
}

static struct value uuid_value(struct arena *arena, const uint8_t *bytes)
{
    char text[37];
    size_t at = 0;
    for (size_t i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            text[at++] = '-';
        }
        str_hex(text + at, &bytes[i], 1);
        at += 2;
    }
    return value_text(arena_copy(arena, text, at), at);
}

/* "12E+3" and "1E-7" written out; NaN and infinity are reals. */
static struct value decimal_value(struct arena *arena, const bson_iter_t *iter)
{
    bson_decimal128_t number;
    char text[BSON_DECIMAL128_STRING];
    if (!mongo.bson_iter_decimal128(iter, &number)) {
        return (struct value){.kind = VALUE_NULL};
    }
    mongo.bson_decimal128_to_string(&number, text);
    if (strchr(text, 'N') || strchr(text, 'I')) {
        double real = strchr(text, 'N') ? __builtin_nan("")
                      : text[0] == '-'  ? -__builtin_inf()
                                        : __builtin_inf();
        return (struct value){.kind = VALUE_REAL, .real = real};
    }
    char *mark = strchr(text, 'E');
    int exponent = 0;
    if (mark) {
        *mark = '\0';
        exponent = (int)strtol(mark + 1, NULL, 10);
    }
    const char *digits = text[0] == '-' ? text + 1 : text;
    size_t whole = strcspn(digits, ".");
    char plain[BSON_DECIMAL128_STRING];
    (void)snprintf(plain, sizeof plain, "%.*s%s", (int)whole, digits,
                   digits[whole] ? digits + whole + 1 : "");
    int point = (int)whole + exponent; /* digits before the point */
    int size = (int)strlen(plain);
    const char *sign = text[0] == '-' ? "-" : "";
    const char *out = NULL;
    if (point > DIGITS_MOST || size - point > DIGITS_MOST) {
        out = arena_format(arena, "%s%sE%d", sign, plain, point - size);
        return value_text(out, strlen(out)); /* no column of numbers holds it */
    }
    if (point >= size) {
        out = arena_format(arena, "%s%s%0*d", sign, plain, point - size, 0);
        out = point == size ? arena_format(arena, "%s%s", sign, plain) : out;
    } else if (point > 0) {
        out = arena_format(arena, "%s%.*s.%s", sign, point, plain, plain + point);
    } else {
        out = point == 0 ? arena_format(arena, "%s0.%s", sign, plain)
                         : arena_format(arena, "%s0.%0*d%s", sign, -point, 0, plain);
    }
    return (struct value){.kind = VALUE_NUMBER, .text = {out, strlen(out)}};
}

static struct value other_value(struct arena *arena, const bson_iter_t *iter)
{
    uint32_t size = 0;
    uint32_t scope_size = 0;
    const uint8_t *scope = NULL;
    const char *text = "";
    const char *options = NULL;
    switch ((int)mongo.bson_iter_type(iter)) {
    case BSON_TYPE_REGEX:
        text = mongo.bson_iter_regex(iter, &options);
        text = arena_format(arena, "/%s/%s", text, options ? options : "");
        break;
    case BSON_TYPE_CODE:
        text = mongo.bson_iter_code(iter, &size);
        break;
    case BSON_TYPE_CODEWSCOPE:
        text = mongo.bson_iter_codewscope(iter, &size, &scope_size, &scope);
        break;
    case BSON_TYPE_MINKEY:
        text = "MinKey";
        break;
    case BSON_TYPE_MAXKEY:
        text = "MaxKey";
        break;
    default:
        break;
    }
    text = text ? text : "";
    return value_clean(arena, text, strlen(text));
}

static struct value time_value(struct arena *arena, const bson_iter_t *iter)
{
    int64_t ms = 0;
    if (mongo.bson_iter_type(iter) == BSON_TYPE_TIMESTAMP) {
        uint32_t seconds = 0;
        uint32_t ordinal = 0;
        mongo.bson_iter_timestamp(iter, &seconds, &ordinal);
        ms = (int64_t)seconds * 1000;
    } else {
        ms = mongo.bson_iter_date_time(iter);
    }
    const char *text = mongodb_time_text(arena, ms);
    return value_text(text, strlen(text));
}

static struct value binary_value(struct arena *arena, const bson_iter_t *iter, bool uuid)
{
    bson_subtype_t subtype = BSON_SUBTYPE_BINARY;
    uint32_t size = 0;
    const uint8_t *data = NULL;
    mongo.bson_iter_binary(iter, &subtype, &size, &data);
    if (uuid) {
        return uuid_value(arena, data);
    }
    return (struct value){.kind = VALUE_BLOB,
                          .text = {data ? (const char *)data : "", size}};
}

struct value mongodb_value(struct arena *arena, const bson_iter_t *iter)
{
    enum mongodb_kind kind = mongodb_kind_of(iter);
    uint32_t size = 0;
    const char *text = NULL;
    char hex[25];
    switch (kind) {
    case MONGODB_BOOL:
        return (struct value){.kind = VALUE_BOOL, .boolean = mongo.bson_iter_bool(iter)};
    case MONGODB_INT:
        return (struct value){.kind = VALUE_INT,
                              .integer = mongo.bson_iter_as_int64(iter)};
    case MONGODB_REAL:
        return (struct value){.kind = VALUE_REAL, .real = mongo.bson_iter_double(iter)};
    case MONGODB_DECIMAL:
        return decimal_value(arena, iter);
    case MONGODB_TEXT:
        text = mongo.bson_iter_type(iter) == BSON_TYPE_UTF8
                   ? mongo.bson_iter_utf8(iter, &size)
                   : mongo.bson_iter_symbol(iter, &size);
        return value_clean(arena, text, size);
    case MONGODB_ID:
        mongo.bson_oid_to_string(mongo.bson_iter_oid(iter), hex);
        return value_text(arena_text(arena, hex), 24);
    case MONGODB_TIME:
        return time_value(arena, iter);
    case MONGODB_BYTES:
    case MONGODB_UUID:
        return binary_value(arena, iter, kind == MONGODB_UUID);
    case MONGODB_DOCUMENT:
    case MONGODB_ARRAY:
        return mongodb_value_json(arena, iter);
    case MONGODB_OTHER:
        return other_value(arena, iter);
    case MONGODB_NULL:
    case MONGODB_KINDS:
        break;
    }
    return (struct value){.kind = VALUE_NULL};
}

static void json_write(struct arena *arena, struct writer *writer,
                       const bson_iter_t *iter, int depth)
{
    enum mongodb_kind kind = mongodb_kind_of(iter);
    bson_iter_t inside;
    if (kind != MONGODB_DOCUMENT && kind != MONGODB_ARRAY) {
        struct value value = mongodb_value(arena, iter);
        value_write(writer, &value);
        return;
    }
    bool open = depth < JSON_DEPTH && mongo.bson_iter_recurse(iter, &inside);
    (kind == MONGODB_ARRAY ? writer_array : writer_object)(writer);
    while (open && mongo.bson_iter_next(&inside)) {
        if (kind == MONGODB_DOCUMENT) {
            writer_key(writer, mongo.bson_iter_key(&inside));
        }
        json_write(arena, writer, &inside, depth + 1);
    }
    (kind == MONGODB_ARRAY ? writer_array_end : writer_object_end)(writer);
}

struct value mongodb_value_json(struct arena *arena, const bson_iter_t *iter)
{
    struct buf out;
    struct writer writer;
    buf_init(&out, JSON_MOST);
    writer_init(&writer, &out);
    json_write(arena, &writer, iter, 0);
    struct value value = {.kind = VALUE_JSON};
    value.text.size = out.size;
    value.text.data = buf_clone(&out, arena);
    buf_release(&out);
    return value;
}
