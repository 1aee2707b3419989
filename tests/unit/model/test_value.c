/* Cells and rows: copied, printed, written, counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/writer.h"
#include "model/rows.h"
#include "model/value.h"

static struct value text_value(enum value_kind kind, const char *text)
{
    return (struct value){.kind = kind, .text = {text, strlen(text)}};
}

static void assert_forms(const struct value *value, const char *printed, const char *json)
{
    struct buf out;
    buf_init(&out, 10000);
    value_print(&out, value);
    assert_string_equal(buf_get(&out), printed);
    buf_clear(&out);
    struct writer writer;
    writer_init(&writer, &out);
    value_write(&writer, value);
    assert_string_equal(buf_get(&out), json);
    buf_release(&out);
}

static void assert_int_forms(int64_t integer, const char *printed, const char *json)
{
    assert_forms(&(struct value){.kind = VALUE_INT, .integer = integer}, printed, json);
}

static void assert_real_forms(double real, const char *printed, const char *json)
{
    assert_forms(&(struct value){.kind = VALUE_REAL, .real = real}, printed, json);
}

static void assert_text_forms(enum value_kind kind, const char *text, const char *printed,
                              const char *json)
{
    struct value value = text_value(kind, text);
    assert_forms(&value, printed, json);
}

static void plain_kinds(void **state)
{
    (void)state;
    assert_forms(&(struct value){.kind = VALUE_NULL}, "", "null");
    assert_forms(&(struct value){.kind = VALUE_BOOL, .boolean = true}, "true", "true");
    assert_text_forms(VALUE_TEXT, "a\"b", "a\"b", "\"a\\\"b\"");
    assert_text_forms(VALUE_TEXT, "", "", "\"\"");
}

static void numbers_keep_their_digits(void **state)
{
    (void)state;
    assert_int_forms(-7, "-7", "-7");
    assert_int_forms(INT64_C(9007199254740992), "9007199254740992", "9007199254740992");
    assert_int_forms(INT64_C(9007199254740993), "9007199254740993",
                     "\"9007199254740993\"");
    assert_int_forms(INT64_MIN, "-9223372036854775808", "\"-9223372036854775808\"");
    assert_text_forms(VALUE_NUMBER, "12.50", "12.50", "\"12.50\"");
    assert_real_forms(0.1, "0.1", "0.1");
    assert_real_forms(3, "3", "3.0");
    assert_real_forms(1.0 / 3, "0.3333333333333333", "0.3333333333333333");
    assert_real_forms((double)NAN, "NaN", "null");
    assert_real_forms(-(double)INFINITY, "-Infinity", "null");
}

static void bytes_are_hex_and_cut_for_people(void **state)
{
    (void)state;
    assert_text_forms(VALUE_BLOB, "\xAB\x12", "x'ab12'", "\"ab12\"");
    assert_text_forms(VALUE_BLOB, "", "x''", "\"\"");
    char bytes[33];
    memset(bytes, 0x11, sizeof bytes);
    struct value value = {.kind = VALUE_BLOB, .text = {bytes, sizeof bytes}};
    struct buf out;
    buf_init(&out, 1000);
    value_print(&out, &value);
    assert_int_equal(out.size, 2 + 64 + 4);
    assert_string_equal(buf_get(&out) + 2 + 64, "...'");
    buf_release(&out);
}

static void answers_show_no_noise(void **state)
{
    static const struct {
        double real;
        const char *shown;
    } cases[] = {
        {0.1 + 0.2, "0.3"},
        {90.08999999999999, "90.09"},
        {-1234567.8900000001, "-1234567.89"},
        {2336817.6699999426, "2336817.67"},
        {456789012.34000397, "456789012.34"},
        {456789012.34091, "456789012.34091"},
        {1.0 / 3, "0.3333333333333333"},
        {3.141592653589793, "3.141592653589793"},
        {0.1234567890123, "0.1234567890123"},
        {123456789.123456, "123456789.123456"},
        {1e300, "1e+300"},
        {4.9e-324, "4.94065645841247e-324"},
        {2.0, "2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct value value = {.kind = VALUE_REAL, .real = cases[i].real};
        struct buf out;
        buf_init(&out, 100);
        value_show(&out, &value);
        assert_string_equal(buf_get(&out), cases[i].shown);
        buf_release(&out);
    }
}

static void json_cells_are_checked(void **state)
{
    (void)state;
    assert_text_forms(VALUE_JSON, "[1,{\"a\":2}]", "[1,{\"a\":2}]", "[1,{\"a\":2}]");
    assert_text_forms(VALUE_JSON, "[1,", "[1,", "\"[1,\"");
    assert_text_forms(VALUE_JSON, "", "", "\"\"");
    struct value part = {.kind = VALUE_JSON, .text = {"[1]]]]", 3}}; /* not NUL-ended */
    assert_forms(&part, "[1]", "[1]");
}

static void a_clone_stands_alone(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    char text[] = "abc";
    struct value value = text_value(VALUE_TEXT, text);
    struct value copy = value_clone(arena, &value);
    text[0] = 'x';
    assert_int_equal(copy.text.size, 3);
    assert_string_equal(copy.text.data, "abc");
    assert_int_equal(value_bytes(&copy), 3);
    assert_int_equal(value_bytes(&(struct value){.kind = VALUE_INT}), 8);
    assert_int_equal(value_bytes(&(struct value){.kind = VALUE_NULL}), 1);
    arena_free(arena);
}

static void rows_grow_and_count_their_bytes(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct rows rows;
    rows_init(&rows, arena);
    char name[] = "id";
    struct rows_column columns[] = {{name, "INTEGER"}, {"name", NULL}};
    rows_set_columns(&rows, columns, 2);
    name[0] = 'x';
    assert_string_equal(rows.columns[0].name, "id");
    assert_string_equal(rows.columns[1].type, "");
    for (int64_t i = 0; i < 1000; i++) {
        struct value cells[] = {{.kind = VALUE_INT, .integer = i},
                                text_value(VALUE_TEXT, "ann")};
        rows_add(&rows, cells);
    }
    assert_int_equal(rows.count, 1000);
    assert_int_equal(rows.bytes, 1000 * 11);
    assert_int_equal(rows_cell(&rows, 0, 0)->integer, 0);
    assert_int_equal(rows_cell(&rows, 999, 0)->integer, 999);
    assert_string_equal(rows_cell(&rows, 500, 1)->text.data, "ann");
    assert_null(rows_cell(&rows, 1000, 0));
    assert_null(rows_cell(&rows, 0, 2));
    arena_free(arena);
}

static void rows_without_columns_are_counted(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct rows rows;
    rows_init(&rows, arena);
    rows_set_columns(&rows, NULL, 0);
    for (int i = 0; i < 40; i++) {
        rows_add(&rows, NULL);
    }
    assert_int_equal(rows.count, 40);
    assert_null(rows_cell(&rows, 0, 0));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_kinds),
        cmocka_unit_test(numbers_keep_their_digits),
        cmocka_unit_test(bytes_are_hex_and_cut_for_people),
        cmocka_unit_test(answers_show_no_noise),
        cmocka_unit_test(json_cells_are_checked),
        cmocka_unit_test(a_clone_stands_alone),
        cmocka_unit_test(rows_grow_and_count_their_bytes),
        cmocka_unit_test(rows_without_columns_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
