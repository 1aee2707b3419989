/* Writing JSON: commas, escapes, numbers, bad UTF-8, pretty form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/writer.h"

struct fixture {
    struct buf buf;
    struct writer writer;
};

static struct fixture fixture;

static int setup(void **state)
{
    (void)state;
    buf_init(&fixture.buf, 100000);
    writer_init(&fixture.writer, &fixture.buf);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    buf_release(&fixture.buf);
    return 0;
}

static const char *out(void)
{
    return buf_get(&fixture.buf);
}

static void commas_place_themselves(void **state)
{
    (void)state;
    struct writer *writer = &fixture.writer;
    writer_object(writer);
    writer_key_text(writer, "a", "x");
    writer_key_text(writer, "gone", NULL);
    writer_key(writer, "list");
    writer_array(writer);
    writer_int(writer, 1);
    writer_array(writer);
    writer_array_end(writer);
    writer_object(writer);
    writer_object_end(writer);
    writer_null(writer);
    writer_raw(writer, "[0]");
    writer_array_end(writer);
    writer_key_bool(writer, "b", false);
    writer_key(writer, "n");
    writer_text(writer, NULL);
    writer_object_end(writer);
    assert_string_equal(
        out(), "{\"a\":\"x\",\"list\":[1,[],{},null,[0]],\"b\":false,\"n\":null}");
}

static void awkward_characters_are_escaped(void **state)
{
    (void)state;
    writer_text_n(&fixture.writer, "a\"\\\b\t\n\f\r\x01\x7F\0z/", 13);
    assert_string_equal(out(), "\"a\\\"\\\\\\b\\t\\n\\f\\r\\u0001\\u007f\\u0000z/\"");
}

/* Each of them is valid UTF-8, but a reader of YAML refuses a text that holds it bare. */
static void what_yaml_refuses_is_escaped(void **state)
{
    (void)state;
    writer_text(&fixture.writer, "\xC2\x85 \xEF\xBB\xBF \xEF\xBF\xBE \xEF\xBF\xBF");
    assert_string_equal(out(), "\"\\u0085 \\ufeff \\ufffe \\uffff\"");
}

static void bad_utf8_becomes_a_replacement(void **state)
{
    (void)state;
    writer_text(&fixture.writer, "a\xFF"
                                 "b\xC3");
    assert_string_equal(out(), "\"a\xEF\xBF\xBD"
                               "b\xEF\xBF\xBD\"");
}

static void what_a_terminal_would_obey_is_escaped(void **state)
{
    (void)state;
    const char text[] = "a\x1b[2J\xC2\x9B\xE2\x80\xAE\xE2\x80\xA8\xEF\xBB\xBF\xC3\xA9";
    writer_text(&fixture.writer, text);
    assert_string_equal(out(), "\"a\\u001b[2J\\u009b\\u202e\\u2028\\ufeff\xC3\xA9\"");
}

static void every_byte_string_is_readable_json(void **state)
{
    (void)state;
    char bytes[512];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(i * 7 + i / 256);
    }
    writer_array(&fixture.writer);
    writer_text_n(&fixture.writer, bytes, sizeof bytes);
    writer_array_end(&fixture.writer);
    json_error_t error;
    json_t *tree = json_loadb(out(), fixture.buf.size, JSON_ALLOW_NUL, &error);
    assert_non_null(tree);
    json_decref(tree);
}

/* Bytes are looked at eight at a time: wherever one stands, it is treated the same. */
static void every_byte_is_escaped_wherever_it_stands(void **state)
{
    (void)state;
    for (unsigned byte = 1; byte < 0x80; byte++) {
        char alone[16];
        buf_clear(&fixture.buf);
        writer_quote(&fixture.buf, (const char[]){(char)byte}, 1);
        (void)snprintf(alone, sizeof alone, "%.*s", (int)fixture.buf.size - 2,
                       fixture.buf.data + 1);
        for (size_t at = 0; at < 20; at++) {
            char text[21];
            char wanted[64];
            memset(text, 'x', 20);
            text[at] = (char)byte;
            text[at + 1 < 20 ? at + 1 : 0] = '~';
            text[at] = (char)byte;
            (void)snprintf(wanted, sizeof wanted, "\"%.*s%s%.*s\"", (int)at, text, alone,
                           (int)(19 - at), text + at + 1);
            buf_clear(&fixture.buf);
            writer_quote(&fixture.buf, text, 20);
            assert_string_equal(out(), wanted);
        }
    }
}

/* Long texts are written piece by piece: escapes and letters may stand at every seam. */
static void long_texts_are_the_same_in_pieces(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "a", "\n", "\"", "\x01", "\xC3\xA4", "\xFF", "\xE2\x80\xAE", "\xF0\x9F\x98\x80"};
    static const char *const wanted[] = {
        "a",        "\\n",          "\\\"",    "\\u0001",
        "\xC3\xA4", "\xEF\xBF\xBD", "\\u202e", "\xF0\x9F\x98\x80"};
    for (size_t shift = 0; shift < 40; shift++) {
        struct buf text;
        struct buf escaped;
        buf_init(&text, 100000);
        buf_init(&escaped, 100000);
        (void)buf_char(&escaped, '"');
        for (size_t i = 0; i < shift; i++) {
            (void)buf_char(&text, 'x');
            (void)buf_char(&escaped, 'x');
        }
        for (size_t i = 0; i < 3000; i++) {
            size_t one = (i * 7 + i / 13 + shift) % (sizeof parts / sizeof *parts);
            (void)buf_text(&text, parts[one]);
            (void)buf_text(&escaped, wanted[one]);
        }
        (void)buf_char(&escaped, '"');
        buf_clear(&fixture.buf);
        writer_quote(&fixture.buf, text.data, text.size);
        assert_string_equal(out(), escaped.data);
        buf_release(&text);
        buf_release(&escaped);
    }
}

static void keys_are_escaped_and_may_not_fit(void **state)
{
    (void)state;
    struct writer *writer = &fixture.writer;
    writer_object(writer);
    writer_key_int(writer, "a \"name\"", 1);
    writer_key_int(writer, "", 2);
    writer_key_int(writer, "a rather long name of a key", 3);
    writer_object_end(writer);
    assert_string_equal(
        out(), "{\"a \\\"name\\\"\":1,\"\":2,\"a rather long name of a key\":3}");
    struct buf small;
    buf_init(&small, 6);
    writer_init(writer, &small);
    writer_object(writer);
    writer_key_text(writer, "too", "much");
    assert_true(small.full);
    assert_true(small.size <= 6);
    buf_release(&small);
}

static void reals_read_back_and_look_like_reals(void **state)
{
    (void)state;
    struct writer *writer = &fixture.writer;
    writer_array(writer);
    writer_real(writer, 0.1);
    writer_real(writer, 3);
    writer_real(writer, 1e300);
    writer_real(writer, 0.000123);
    writer_real(writer, -12.000001);
    writer_real(writer, 0.1234567);
    writer_real(writer, 1.0 / 3);
    writer_real(writer, (double)NAN);
    writer_real(writer, (double)INFINITY);
    writer_int(writer, INT64_MIN);
    writer_array_end(writer);
    assert_string_equal(out(), "[0.1,3.0,1e+300,0.000123,-12.000001,0.1234567,0."
                               "3333333333333333,null,null,-9223372036854775808]");
}

static void pretty_form(void **state)
{
    (void)state;
    struct writer *writer = &fixture.writer;
    writer->pretty = true;
    writer_object(writer);
    writer_key(writer, "a");
    writer_array(writer);
    writer_int(writer, 1);
    writer_int(writer, 2);
    writer_array_end(writer);
    writer_key(writer, "b");
    writer_object(writer);
    writer_object_end(writer);
    writer_object_end(writer);
    assert_string_equal(out(), "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(commas_place_themselves),
        TEST(awkward_characters_are_escaped),
        TEST(what_yaml_refuses_is_escaped),
        TEST(bad_utf8_becomes_a_replacement),
        TEST(what_a_terminal_would_obey_is_escaped),
        TEST(every_byte_string_is_readable_json),
        TEST(every_byte_is_escaped_wherever_it_stands),
        TEST(long_texts_are_the_same_in_pieces),
        TEST(keys_are_escaped_and_may_not_fit),
        TEST(reals_read_back_and_look_like_reals),
        TEST(pretty_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
