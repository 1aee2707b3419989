/* One cell out of a DuckDB vector; nested values become JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/writer.h"
#include "datasource/duckdb/duckdb.h"

enum { JSON_MOST = 16 << 20 };

struct reading {
    const struct duckdb_library *library;
    struct arena *arena;
};

static struct value int_value(int64_t number)
{
    struct value value = {.kind = VALUE_INT};
    value.integer = number;
    return value;
}

static struct value real_value(double number)
{
    struct value value = {.kind = VALUE_REAL};
    value.real = number;
    return value;
}

static struct value text_value(enum value_kind kind, const char *text)
{
    struct value value = {.kind = kind};
    value.text.data = text;
    value.text.size = strlen(text);
    return value;
}

/* The shortest decimal that is this float, as a double: 0.1, not 0.10000000149. */
static double widen(float number)
{
    char text[40];
    for (int places = 6; places < 9; places++) {
        (void)snprintf(text, sizeof text, "%.*g", places, (double)number);
        if (strtof(text, NULL) == number) {
            return strtod(text, NULL);
        }
    }
    return (double)number;
}

static struct value string_value(struct arena *arena, enum value_kind kind,
                                 duckdb_string_t *string)
{
    struct value value = {.kind = kind};
    uint32_t size = string->value.inlined.length;
    value.text.data = size <= sizeof string->value.inlined.inlined
                          ? string->value.inlined.inlined
                          : string->value.pointer.ptr;
    value.text.size = size;
    if (kind != VALUE_BLOB) {
        value.text.data = text_clean(arena, value.text.data, &value.text.size);
    }
    return value;
}

/* The first byte says how many bits of the second are padding. */
static struct value bit_value(struct arena *arena, duckdb_string_t *string)
{
    struct value raw = string_value(arena, VALUE_BLOB, string);
    const unsigned char *bytes = (const unsigned char *)raw.text.data;
    size_t padding = raw.text.size ? bytes[0] : 0;
    size_t count = raw.text.size > 1 ? (raw.text.size - 1) * 8 : 0;
    char *text = arena_alloc(arena, count + 1);
    size_t out = 0;
    for (size_t i = padding; i < count; i++) {
        text[out++] = (char)('0' + (bytes[1 + i / 8] >> (7 - i % 8) & 1));
    }
    return text_value(VALUE_TEXT, text);
}

static duckdb_hugeint widen_decimal(const struct duckdb_shape *shape, void *data,
                                    uint64_t row)
{
    duckdb_hugeint number = {0};
    int64_t small = 0;
    switch (shape->internal) {
    case DUCKDB_TYPE_SMALLINT:
        small = ((int16_t *)data)[row];
        break;
    case DUCKDB_TYPE_INTEGER:
        small = ((int32_t *)data)[row];
        break;
    case DUCKDB_TYPE_BIGINT:
        small = ((int64_t *)data)[row];
        break;
    default:
        return ((duckdb_hugeint *)data)[row];
    }
    number.lower = (uint64_t)small;
    number.upper = small < 0 ? -1 : 0;
    return number;
}

static struct value enum_value(const struct duckdb_shape *shape, void *data, uint64_t row)
{
    uint64_t at = shape->internal == DUCKDB_TYPE_UTINYINT    ? ((uint8_t *)data)[row]
                  : shape->internal == DUCKDB_TYPE_USMALLINT ? ((uint16_t *)data)[row]
                                                             : ((uint32_t *)data)[row];
    return text_value(VALUE_TEXT, at < shape->child_count ? shape->words[at] : "");
}

static struct value time_zone_value(struct arena *arena, uint64_t bits)
{
    enum { OFFSET_MOST = 16 * 3600 - 1 };
    int offset = OFFSET_MOST - (int)(bits & 0xffffff);
    int size = abs(offset);
    const char *time = duckdb_time_text(arena, (int64_t)(bits >> 24), 1000000);
    return text_value(VALUE_TEXT,
                      arena_format(arena, "%s%c%02d:%02d", time, offset < 0 ? '-' : '+',
                                   size / 3600, size / 60 % 60));
}

static void json_add(const struct reading *reading, struct writer *writer,
                     const struct duckdb_shape *shape, duckdb_vector vector,
                     uint64_t row);

static bool is_null(const struct reading *reading, duckdb_vector vector, uint64_t row)
{
    const uint64_t *valid = reading->library->vector_get_validity(vector);
    return valid && !(valid[row / 64] >> (row % 64) & 1);
}

static void json_list(const struct reading *reading, struct writer *writer,
                      const struct duckdb_shape *shape, duckdb_vector vector,
                      uint64_t row)
{
    const struct duckdb_library *library = reading->library;
    bool is_array = shape->type == DUCKDB_TYPE_ARRAY;
    duckdb_vector child = is_array ? library->array_vector_get_child(vector)
                                   : library->list_vector_get_child(vector);
    duckdb_list_entry entry = {row * shape->array_size, shape->array_size};
    if (!is_array) {
        entry = ((duckdb_list_entry *)library->vector_get_data(vector))[row];
    }
    writer_array(writer);
    for (uint64_t i = 0; i < entry.length && !writer->out->full; i++) {
        json_add(reading, writer, &shape->children[0], child, entry.offset + i);
    }
    writer_array_end(writer);
}

/* A map is a list of pairs; its keys become JSON keys in the form people see. */
static void json_map(const struct reading *reading, struct writer *writer,
                     const struct duckdb_shape *shape, duckdb_vector vector, uint64_t row)
{
    const struct duckdb_library *library = reading->library;
    duckdb_vector pairs = library->list_vector_get_child(vector);
    duckdb_vector keys = library->struct_vector_get_child(pairs, 0);
    duckdb_vector values = library->struct_vector_get_child(pairs, 1);
    duckdb_list_entry entry =
        ((duckdb_list_entry *)library->vector_get_data(vector))[row];
    writer_object(writer);
    for (uint64_t i = 0; i < entry.length && !writer->out->full; i++) {
        uint64_t at = entry.offset + i;
        struct value key =
            duckdb_cell(library, reading->arena, &shape->children[0], keys, at);
        struct buf text;
        buf_init(&text, 1 << 16);
        value_print(&text, &key);
        writer_key(writer, buf_get(&text));
        buf_release(&text);
        json_add(reading, writer, &shape->children[1], values, at);
    }
    writer_object_end(writer);
}

static void json_struct(const struct reading *reading, struct writer *writer,
                        const struct duckdb_shape *shape, duckdb_vector vector,
                        uint64_t row)
{
    writer_object(writer);
    for (uint64_t i = 0; i < shape->child_count; i++) {
        writer_key(writer, shape->words[i]);
        json_add(reading, writer, &shape->children[i],
                 reading->library->struct_vector_get_child(vector, i), row);
    }
    writer_object_end(writer);
}

static void json_add(const struct reading *reading, struct writer *writer,
                     const struct duckdb_shape *shape, duckdb_vector vector, uint64_t row)
{
    if (is_null(reading, vector, row)) {
        writer_null(writer);
        return;
    }
    switch (shape->type) {
    case DUCKDB_TYPE_LIST:
    case DUCKDB_TYPE_ARRAY:
        json_list(reading, writer, shape, vector, row);
        break;
    case DUCKDB_TYPE_MAP:
        json_map(reading, writer, shape, vector, row);
        break;
    case DUCKDB_TYPE_STRUCT:
        json_struct(reading, writer, shape, vector, row);
        break;
    default: {
        struct value value =
            duckdb_cell(reading->library, reading->arena, shape, vector, row);
        value_write(writer, &value);
        break;
    }
    }
}

static struct value nested_value(const struct reading *reading,
                                 const struct duckdb_shape *shape, duckdb_vector vector,
                                 uint64_t row)
{
    struct buf json;
    struct writer writer;
    buf_init(&json, JSON_MOST);
    writer_init(&writer, &json);
    json_add(reading, &writer, shape, vector, row);
    struct value value = text_value(VALUE_JSON, buf_clone(&json, reading->arena));
    if (json.full) { /* half a JSON text would be no JSON */
        value = text_value(VALUE_TEXT, "");
        value.cut = true;
    }
    buf_release(&json);
    return value;
}

/* The member that the tag names. */
static struct value union_value(const struct reading *reading,
                                const struct duckdb_shape *shape, duckdb_vector vector,
                                uint64_t row)
{
    const struct duckdb_library *library = reading->library;
    const uint8_t *tags =
        library->vector_get_data(library->struct_vector_get_child(vector, 0));
    uint64_t member = tags[row];
    struct value none = {.kind = VALUE_NULL};
    return member < shape->child_count
               ? duckdb_cell(library, reading->arena, &shape->children[member],
                             library->struct_vector_get_child(vector, member + 1), row)
               : none;
}

static struct value number_value(struct arena *arena, const struct duckdb_shape *shape,
                                 void *data, uint64_t row)
{
    switch (shape->type) {
    case DUCKDB_TYPE_TINYINT:
        return int_value(((int8_t *)data)[row]);
    case DUCKDB_TYPE_SMALLINT:
        return int_value(((int16_t *)data)[row]);
    case DUCKDB_TYPE_INTEGER:
        return int_value(((int32_t *)data)[row]);
    case DUCKDB_TYPE_BIGINT:
        return int_value(((int64_t *)data)[row]);
    case DUCKDB_TYPE_UTINYINT:
        return int_value(((uint8_t *)data)[row]);
    case DUCKDB_TYPE_USMALLINT:
        return int_value(((uint16_t *)data)[row]);
    case DUCKDB_TYPE_UINTEGER:
        return int_value(((uint32_t *)data)[row]);
    case DUCKDB_TYPE_UBIGINT:
        return duckdb_unsigned_value(arena, 0, ((uint64_t *)data)[row]);
    case DUCKDB_TYPE_HUGEINT:
        return duckdb_decimal_value(arena, ((duckdb_hugeint *)data)[row], 0);
    case DUCKDB_TYPE_UHUGEINT:
        return duckdb_unsigned_value(arena, ((duckdb_uhugeint *)data)[row].upper,
                                     ((duckdb_uhugeint *)data)[row].lower);
    case DUCKDB_TYPE_DECIMAL:
        return duckdb_decimal_value(arena, widen_decimal(shape, data, row), shape->scale);
    case DUCKDB_TYPE_FLOAT:
        return real_value(widen(((float *)data)[row]));
    default:
        return real_value(((double *)data)[row]);
    }
}

static const char *time_text(struct arena *arena, const struct duckdb_shape *shape,
                             void *data, uint64_t row)
{
    int64_t units = shape->type == DUCKDB_TYPE_DATE ? 0 : ((int64_t *)data)[row];
    switch (shape->type) {
    case DUCKDB_TYPE_DATE:
        return duckdb_date_text(arena, ((duckdb_date *)data)[row].days);
    case DUCKDB_TYPE_TIME:
        return duckdb_time_text(arena, units, 1000000);
    case DUCKDB_TYPE_TIME_NS:
        return duckdb_time_text(arena, units, 1000000000);
    case DUCKDB_TYPE_TIMESTAMP_S:
        return duckdb_timestamp_text(arena, units, 1, "");
    case DUCKDB_TYPE_TIMESTAMP_MS:
        return duckdb_timestamp_text(arena, units, 1000, "");
    case DUCKDB_TYPE_TIMESTAMP_NS:
        return duckdb_timestamp_text(arena, units, 1000000000, "");
    case DUCKDB_TYPE_TIMESTAMP_TZ:
        return duckdb_timestamp_text(arena, units, 1000000, "+00");
    default:
        return duckdb_timestamp_text(arena, units, 1000000, "");
    }
}

struct value duckdb_cell(const struct duckdb_library *library, struct arena *arena,
                         const struct duckdb_shape *shape, duckdb_vector vector,
                         uint64_t row)
{
    const struct reading reading = {library, arena};
    struct value value = {.kind = VALUE_NULL};
    if (is_null(&reading, vector, row)) {
        return value;
    }
    void *data = library->vector_get_data(vector);
    switch (shape->type) {
    case DUCKDB_TYPE_BOOLEAN:
        value.kind = VALUE_BOOL;
        value.boolean = ((uint8_t *)data)[row] != 0;
        return value;
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_HUGEINT:
    case DUCKDB_TYPE_UHUGEINT:
    case DUCKDB_TYPE_DECIMAL:
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DOUBLE:
        return number_value(arena, shape, data, row);
    case DUCKDB_TYPE_DATE:
    case DUCKDB_TYPE_TIME:
    case DUCKDB_TYPE_TIME_NS:
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_S:
    case DUCKDB_TYPE_TIMESTAMP_MS:
    case DUCKDB_TYPE_TIMESTAMP_NS:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
        return text_value(VALUE_TEXT, time_text(arena, shape, data, row));
    case DUCKDB_TYPE_TIME_TZ:
        return time_zone_value(arena, ((duckdb_time_tz *)data)[row].bits);
    case DUCKDB_TYPE_INTERVAL:
        return text_value(VALUE_TEXT,
                          duckdb_interval_text(arena, ((duckdb_interval *)data)[row]));
    case DUCKDB_TYPE_UUID:
        return text_value(VALUE_TEXT,
                          duckdb_uuid_text(arena, ((duckdb_hugeint *)data)[row]));
    case DUCKDB_TYPE_VARCHAR:
        return string_value(arena, shape->is_json ? VALUE_JSON : VALUE_TEXT,
                            &((duckdb_string_t *)data)[row]);
    case DUCKDB_TYPE_BLOB:
    case DUCKDB_TYPE_BIGNUM: /* sign and bytes: no text without the engine's help */
        return string_value(arena, VALUE_BLOB, &((duckdb_string_t *)data)[row]);
    case DUCKDB_TYPE_BIT:
        return bit_value(arena, &((duckdb_string_t *)data)[row]);
    case DUCKDB_TYPE_ENUM:
        return enum_value(shape, data, row);
    case DUCKDB_TYPE_UNION:
        return union_value(&reading, shape, vector, row);
    case DUCKDB_TYPE_LIST:
    case DUCKDB_TYPE_ARRAY:
    case DUCKDB_TYPE_MAP:
    case DUCKDB_TYPE_STRUCT:
        return nested_value(&reading, shape, vector, row);
    default:
        return text_value(VALUE_TEXT, "(a type that cannot be shown)");
    }
}
