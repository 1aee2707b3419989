/*
 * The rows of an answer object, read back from its JSON; what it says of missing parts.
 */
#include "model/rows_json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/writer.h"

enum { COLUMNS_MOST = 4096 };

/* Words of declared types whose values JSON holds as texts, so that no digit is lost. */
static const char *const exact_types[] = {"DECIMAL", "NUMERIC", "NUMBER",
                                          "HUGEINT", "BIGINT",  "INT",
                                          "MONEY",   "UINT64",  "UBIGINT"};

static bool type_is_exact(const char *type)
{
    for (size_t i = 0; i < sizeof exact_types / sizeof *exact_types; i++) {
        if (str_starts_nocase(type, exact_types[i])) {
            return true;
        }
    }
    return false;
}

/* "-12.50": digits, one point, a sign. */
static bool is_digits(const char *text, size_t size)
{
    size_t at = size && *text == '-' ? 1 : 0;
    size_t digits = 0;
    size_t points = 0;
    for (; at < size; at++) {
        digits += isdigit((unsigned char)text[at]) != 0;
        points += text[at] == '.';
    }
    return digits > 0 && points <= 1 && digits + points + (*text == '-') == size;
}

static struct value value_of(struct arena *arena, const json_t *cell, bool exact)
{
    struct value value = {.kind = VALUE_NULL};
    if (json_is_boolean(cell)) {
        value.kind = VALUE_BOOL;
        value.boolean = json_is_true(cell);
    } else if (json_is_integer(cell)) {
        value.kind = VALUE_INT;
        value.integer = json_integer_value(cell);
    } else if (json_is_real(cell)) {
        value.kind = VALUE_REAL;
        value.real = json_real_value(cell);
    } else if (json_is_string(cell)) {
        value.text.data = json_string_value(cell);
        value.text.size = json_string_length(cell);
        value.kind = exact && is_digits(value.text.data, value.text.size) ? VALUE_NUMBER
                                                                          : VALUE_TEXT;
    } else if (json_is_array(cell) || json_is_object(cell)) {
        char *text = json_dumps(cell, JSON_COMPACT);
        value.kind = VALUE_JSON;
        value.text.size = text ? strlen(text) : 0;
        value.text.data = arena_copy(arena, text ? text : "", value.text.size);
        free(text);
    }
    return value;
}

static void read_columns(struct rows *rows, const json_t *names, const json_t *types)
{
    size_t count = json_array_size(names);
    struct rows_column *columns = arena_array(rows->arena, count, sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        columns[i].name = json_string_value(json_array_get(names, i));
        columns[i].type = json_string_value(json_array_get(types, i));
    }
    rows_set_columns(rows, columns, count);
}

bool rows_read(struct rows *rows, struct arena *arena, const json_t *json)
{
    const json_t *names = json_array_at(json, "columns");
    const json_t *list = json_array_at(json, "rows");
    rows_init(rows, arena);
    if (!names || !list || json_array_size(names) > COLUMNS_MOST) {
        return false;
    }
    read_columns(rows, names, json_array_at(json, "column_types"));
    size_t count = json_array_size(list);
    rows->cells = arena_array(arena, count * rows->column_count + 1, sizeof *rows->cells);
    rows->capacity = count;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(list, i);
        for (size_t c = 0; c < rows->column_count; c++) {
            struct value value = value_of(arena, json_array_get(row, c),
                                          type_is_exact(rows->columns[c].type));
            rows->cells[i * rows->column_count + c] = value;
            rows->bytes += value_bytes(&value);
        }
    }
    rows->count = count;
    rows->cut = json_bool_at(json, "truncated", false) ? ROWS_CUT_BY_COUNT : ROWS_WHOLE;
    return true;
}

void rows_write_cut(const struct rows *rows, struct writer *writer)
{
    const struct rows_cut_cells *cut = &rows->cut_cells;
    if (rows_incomplete(rows)) {
        writer_key_bool(writer, "incomplete", true);
    }
    if (!cut->count) {
        return;
    }
    writer_key(writer, "cut_cells");
    writer_array(writer);
    for (size_t i = 0; i < cut->count && i < ROWS_PLACES; i++) {
        writer_object(writer);
        writer_key_int(writer, "row", (int64_t)cut->places[i].row);
        writer_key_text(writer, "column", rows->columns[cut->places[i].column].name);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}
