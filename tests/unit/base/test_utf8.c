/* UTF-8: what is valid, where to cut, how wide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/utf8.h"

static bool valid(const char *text)
{
    return utf8_valid(text, strlen(text), NULL);
}

static void good_text_is_valid(void **state)
{
    (void)state;
    assert_true(valid(""));
    assert_true(valid("caf\xC3\xA9"));
    assert_true(valid("\xE2\x82\xAC"));
    assert_true(valid("\xF0\x9F\x98\x80"));
    assert_true(valid("\xEF\xBF\xBD")); /* a real U+FFFD */
    assert_true(valid("\xF4\x8F\xBF\xBF"));
}

static void bad_text_names_its_first_bad_byte(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "ab\x80",             /* a stray continuation */
        "ab\xC3",             /* cut short */
        "ab\xC0\xAF",         /* overlong */
        "ab\xE0\x80\xAF",     /* overlong */
        "ab\xF0\x80\x80\xAF", /* overlong */
        "ab\xED\xA0\x80",     /* a surrogate */
        "ab\xF4\x90\x80\x80", /* past U+10FFFF */
        "ab\xFF",
        "ab\xC3(",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t at = 99;
        assert_false(utf8_valid(bad[i], strlen(bad[i]), &at));
        assert_int_equal(at, 2);
    }
    size_t at = 99;
    assert_false(utf8_valid("a\0b", 3, &at));
    assert_int_equal(at, 1);
}

static void next_reads_one_character(void **state)
{
    (void)state;
    uint32_t code = 0;
    assert_int_equal(utf8_next("\xE2\x82\xAC!", 4, &code), 3);
    assert_int_equal(code, 0x20AC);
    assert_int_equal(utf8_next("\xE2\x82", 2, &code), 1);
    assert_int_equal(code, 0xFFFD);
}

static void cuts_fall_between_characters(void **state)
{
    (void)state;
    const char *text = "a\xE2\x82\xAC"
                       "b";
    assert_int_equal(utf8_cut(text, 5, 10), 5);
    assert_int_equal(utf8_cut(text, 5, 4), 4);
    assert_int_equal(utf8_cut(text, 5, 3), 1);
    assert_int_equal(utf8_cut(text, 5, 2), 1);
    assert_int_equal(utf8_cut(text, 5, 0), 0);
    assert_int_equal(utf8_cut("\x80\x80\x80", 3, 2), 0);
}

static void widths(void **state)
{
    (void)state;
    assert_int_equal(utf8_width('a'), 1);
    assert_int_equal(utf8_width(0x0301), 0);
    assert_int_equal(utf8_width(0x4E2D), 2);
    assert_int_equal(utf8_width(0x1F600), 2);
    assert_int_equal(utf8_columns("e\xCC\x81\xE4\xB8\xAD", 6), 3);
}

/* Plain text is looked at in strides: a bad byte must be found wherever it stands. */
static void bad_at_every_place(void **state)
{
    (void)state;
    static const char *const bads[] = {"\x80", "\xff", "\xc3", "\xed\xa0\x80"};
    for (size_t at = 0; at < 40; at++) {
        for (size_t i = 0; i <= 4; i++) {
            char text[64];
            memset(text, 'a', sizeof text);
            if (i < 4) {
                memcpy(text + at, bads[i], strlen(bads[i]));
            } else {
                text[at] = '\0';
            }
            size_t bad = 0;
            assert_false(utf8_valid(text, 48, &bad));
            assert_int_equal(bad, at);
            memcpy(text + at, "\xe2\x82\xac", 3);
            text[at + 3] = 0x7F;
            assert_true(utf8_valid(text, 48, &bad));
        }
    }
}

static void acting_characters(void **state)
{
    static const char *const acting[] = {
        "\x1b",         "\x07",     "\r",           "\xe2\x80\xae",
        "\xe2\x81\xa6", "\xc2\x85", "\xef\xbb\xbf", "\xf3\xa0\x80\xa0"};
    static const char *const others[] = {"a",        "\t",       "\xe2\x80\x8d",
                                         "\xc2\xad", "\xc3\xa4", "\xf0\x9f\x98\x80"};
    (void)state;
    for (size_t i = 0; i < sizeof acting / sizeof *acting; i++) {
        assert_int_equal(utf8_acting(acting[i], strlen(acting[i])), strlen(acting[i]));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(utf8_acting(others[i], strlen(others[i])), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_at_every_place),
        cmocka_unit_test(good_text_is_valid),
        cmocka_unit_test(bad_text_names_its_first_bad_byte),
        cmocka_unit_test(next_reads_one_character),
        cmocka_unit_test(cuts_fall_between_characters),
        cmocka_unit_test(widths),
        cmocka_unit_test(acting_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
