/* Columns of a result as Arrow arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/rows.h"
#include "service/answers/arrow_column.h"
#include "service/answers/arrow_parse.h"

static struct value text_of(const char *text, enum value_kind kind)
{
    return (struct value){.kind = kind, .text = {text, strlen(text)}};
}

static struct value int_of(int64_t integer)
{
    return (struct value){.kind = VALUE_INT, .integer = integer};
}

static const struct value null = {.kind = VALUE_NULL};

struct column {
    struct arena *arena;
    struct rows rows;
    struct ArrowArray array;
    char format[ARROW_FORMAT];
};

static struct column *column_new(const char *type, const struct value *cells,
                                 size_t count)
{
    struct column *column = calloc(1, sizeof *column);
    column->arena = arena_new();
    rows_init(&column->rows, column->arena);
    rows_set_columns(&column->rows, &(struct rows_column){"a", type}, 1);
    for (size_t i = 0; i < count; i++) {
        rows_add(&column->rows, &cells[i]);
    }
    struct arrow_type found = arrow_column_type(&column->rows, 0);
    arrow_format(&found, column->format);
    arrow_column_fill(&column->rows, 0, &found, &column->array);
    return column;
}

static void column_free(struct column *column)
{
    column->array.release(&column->array);
    assert_null(column->array.release);
    arena_free(column->arena);
    free(column);
}

static void values_say_the_type(void **state)
{
    (void)state;
    const struct value integer = int_of(7);
    const struct value real = {.kind = VALUE_REAL, .real = 0.5};
    const struct value yes = {.kind = VALUE_BOOL, .boolean = true};
    const struct value exact = text_of("-12.345", VALUE_NUMBER);
    const struct value digits =
        text_of("12345678901234567890123456789012345678", VALUE_NUMBER);
    const struct value text = text_of("x", VALUE_TEXT);
    const struct value day = text_of("2024-02-29", VALUE_TEXT);
    const struct value moment = text_of("2024-02-29 10:20:30", VALUE_TEXT);
    const struct value zone = text_of("2024-02-29 10:20:30+02", VALUE_TEXT);
    const struct value blob = text_of("\x01", VALUE_BLOB);
    const struct value json = text_of("[1]", VALUE_JSON);
    const struct {
        const char *type;
        struct value cells[2];
        size_t count;
        const char *format;
    } rows[] = {
        {"", {integer, null}, 2, "l"},
        {"", {integer, real}, 2, "g"},
        {"", {yes, null}, 2, "b"},
        {"", {exact, integer}, 2, "d:38,3"},
        {"", {digits}, 1, "d:38,0"},
        {"", {digits, exact}, 2, "U"}, /* more than 38 digits together */
        {"", {text, integer}, 2, "U"},
        {"", {json}, 1, "U"},
        {"", {blob, null}, 2, "Z"},
        {"", {blob, text}, 2, "U"},
        {"DATE", {day, null}, 2, "tdD"},
        {"DATE", {day, text}, 2, "U"},
        {"", {day}, 1, "U"}, /* nobody says that it is one */
        {"TIMESTAMP", {moment, day}, 2, "tsu:"},
        {"timestamp with time zone", {zone}, 1, "U"},
        {"", {null}, 1, "n"},
        {"INTEGER", {null}, 1, "l"},
        {"varchar(20)", {null}, 0, "U"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct column *column = column_new(rows[i].type, rows[i].cells, rows[i].count);
        assert_string_equal(column->format, rows[i].format);
        assert_int_equal(column->array.length, rows[i].count);
        column_free(column);
    }
}

static void numbers_nulls_and_texts_are_where_arrow_looks(void **state)
{
    (void)state;
    struct value cells[20];
    for (size_t i = 0; i < 20; i++) {
        cells[i] = i % 3 == 0 ? null : int_of((int64_t)i - 10);
    }
    struct column *column = column_new("", cells, 20);
    const unsigned char *valid = column->array.buffers[0];
    const int64_t *numbers = column->array.buffers[1];
    assert_int_equal(column->array.null_count, 7);
    for (size_t i = 0; i < 20; i++) {
        assert_int_equal(valid[i / 8] >> (i % 8) & 1, i % 3 != 0);
        assert_int_equal(numbers[i], i % 3 == 0 ? 0 : (int64_t)i - 10);
    }
    column_free(column);

    const struct value texts[] = {text_of("é", VALUE_TEXT), null, text_of("", VALUE_TEXT),
                                  int_of(-5)};
    column = column_new("", texts, 4);
    const int64_t *offsets = column->array.buffers[1];
    assert_memory_equal(column->array.buffers[2], "é-5", 4);
    assert_int_equal(offsets[1], 2);
    assert_int_equal(offsets[2], 2);
    assert_int_equal(offsets[3], 2);
    assert_int_equal(offsets[4], 4);
    column_free(column);

    const struct value decimals[] = {text_of("-12.5", VALUE_NUMBER),
                                     text_of("0.125", VALUE_NUMBER), int_of(3)};
    column = column_new("", decimals, 3);
    const arrow_decimal *units = column->array.buffers[1];
    assert_true(units[0] == -12500 && units[1] == 125 && units[2] == 3000);
    column_free(column);
}

static void dates_are_days_and_moments_microseconds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool date;
        bool moment;
        int64_t days;
        int64_t microseconds;
    } rows[] = {
        {"1970-01-01", true, true, 0, 0},
        {"2024-02-29", true, true, 19782, 19782LL * 86400000000},
        {"1969-12-31", true, true, -1, -86400000000},
        {"0001-01-01", true, true, -719162, -719162LL * 86400000000},
        {"2023-02-29", false, false, 0, 0},
        {"2023-13-01", false, false, 0, 0},
        {"2023-00-01", false, false, 0, 0},
        {"2023-1-01", false, false, 0, 0},
        {"", false, false, 0, 0},
        {"1970-01-02T00:00:01.5", false, true, 0, 86401500000},
        {"1970-01-01 00:01", false, true, 0, 60000000},
        {"1970-01-01 00:00:00.123456789", false, true, 0, 123456},
        {"1970-01-01 24:00:00", false, false, 0, 0},
        {"1970-01-01 00:00:00Z", false, false, 0, 0},
        {"1970-01-01 00:00:00.", false, false, 0, 0},
        {"1970-01-01 ", false, false, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int32_t days = 0;
        int64_t microseconds = 0;
        size_t size = strlen(rows[i].text);
        assert_int_equal(arrow_date(rows[i].text, size, &days), rows[i].date);
        assert_int_equal(arrow_timestamp(rows[i].text, size, &microseconds),
                         rows[i].moment);
        if (rows[i].date) {
            assert_int_equal(days, rows[i].days);
        }
        if (rows[i].moment) {
            assert_true(microseconds == rows[i].microseconds);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_say_the_type),
        cmocka_unit_test(numbers_nulls_and_texts_are_where_arrow_looks),
        cmocka_unit_test(dates_are_days_and_moments_microseconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
