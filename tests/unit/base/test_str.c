/* Text: comparing, trimming, splitting, numbers, nearness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static void comparing(void **state)
{
    (void)state;
    assert_true(str_equal(NULL, NULL));
    assert_false(str_equal(NULL, ""));
    assert_false(str_equal("a", "A"));
    assert_true(str_equal_nocase("Orders", "oRDERS"));
    assert_false(str_equal_nocase("orders", NULL));
    assert_true(str_starts("orders", "ord"));
    assert_false(str_starts("or", "ord"));
    assert_true(str_starts_nocase("ORDERS", "ord"));
    assert_true(str_ends("shop.db", ".db"));
    assert_false(str_ends("db", ".db"));
    assert_true(str_ends_nocase("SHOP.DB", ".db"));
    assert_true(str_contains_nocase("unit_PRICE", "price"));
    assert_true(str_contains_nocase("", ""));
    assert_false(str_contains_nocase("", "a"));
    assert_true(str_empty(NULL) && str_empty("") && str_empty(" \t\n"));
    assert_false(str_empty(" x "));
}

static void trimming(void **state)
{
    struct arena *arena = *state;
    assert_string_equal(str_lower(arena, "OrdErs \xC3\x84"), "orders \xC3\x84");
    assert_string_equal(str_trim(arena, "  a b \n"), "a b");
    assert_string_equal(str_trim(arena, "   "), "");
    assert_string_equal(str_squeeze(arena, "  how\n\n many \t users "), "how many users");
    assert_string_equal(str_squeeze(arena, ""), "");
}

static void splitting_and_joining(void **state)
{
    struct arena *arena = *state;
    struct texts parts = {0};
    str_split(arena, "a,,b,", ',', &parts);
    assert_int_equal(parts.count, 4);
    assert_string_equal(parts.items[1], "");
    assert_string_equal(parts.items[2], "b");
    assert_string_equal(parts.items[3], "");
    assert_string_equal(str_join(arena, &parts, "-"), "a--b-");
    struct texts none = {0};
    assert_string_equal(str_join(arena, &none, ", "), "");
}

static void whole_numbers(void **state)
{
    (void)state;
    int64_t number = 0;
    assert_true(str_to_int("-42", &number) && number == -42);
    assert_true(str_to_int("9223372036854775807", &number) && number == INT64_MAX);
    assert_true(str_to_int("-9223372036854775808", &number) && number == INT64_MIN);
    static const char *const bad[] = {
        "", " 1", "1 ", "1x", "x", "9223372036854775808", "1.0", "0x10", "--1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        number = 77;
        assert_false(str_to_int(bad[i], &number));
        assert_int_equal(number, 77);
    }
    assert_false(str_to_int(NULL, &number));
}

static void reals(void **state)
{
    (void)state;
    double number = 0;
    assert_true(str_to_real("0.5", &number) && number == 0.5);
    assert_true(str_to_real("-1e3", &number) && number == -1000);
    static const char *const bad[] = {"", "abc", "1.5x", "nan", "inf", "1e999", " 1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(str_to_real(bad[i], &number));
    }
    assert_false(str_to_real(NULL, &number));
}

static void truth(void **state)
{
    (void)state;
    bool value = false;
    assert_true(str_to_bool("Yes", &value) && value);
    assert_true(str_to_bool("on", &value) && value);
    assert_true(str_to_bool("0", &value) && !value);
    assert_true(str_to_bool("FALSE", &value) && !value);
    assert_false(str_to_bool("maybe", &value));
    assert_false(str_to_bool("", &value));
    assert_false(str_to_bool(NULL, &value));
}

static void distance(void **state)
{
    (void)state;
    assert_int_equal(str_distance("model", "model", 3), 0);
    assert_int_equal(str_distance("MODEL", "model", 3), 0);
    assert_int_equal(str_distance("modle", "model", 3), 1);
    assert_int_equal(str_distance("kitten", "sitting", 5), 3);
    assert_int_equal(str_distance("", "abc", 5), 3);
    assert_int_equal(str_distance("abc", "xyz", 2), 3);
    assert_int_equal(str_distance("a", "abcdefgh", 2), 3);
}

static void nearest(void **state)
{
    (void)state;
    static const char *const columns[] = {"id", "unit_price", "quantity", "customer_id"};
    assert_string_equal(str_nearest("price", columns, 4), "unit_price");
    assert_string_equal(str_nearest("quantiy", columns, 4), "quantity");
    assert_string_equal(str_nearest("customerid", columns, 4), "customer_id");
    assert_null(str_nearest("weather", columns, 4));
    assert_null(str_nearest("zz", columns, 4));
    assert_null(str_nearest("price", columns, 0));
}

static void nearest_survives_long_words(void **state)
{
    struct arena *arena = *state;
    char *huge = arena_alloc(arena, 5001);
    for (size_t i = 0; i < 5000; i++) {
        huge[i] = 'a';
    }
    const char *words[] = {"aaa", huge};
    assert_int_equal(str_distance(huge, huge, 3), 4);
    assert_non_null(str_nearest(huge, words, 2));
}

static void putting_into_a_place(void **state)
{
    (void)state;
    char place[5] = "????";
    str_put(place, sizeof place, "abc");
    assert_string_equal(place, "abc");
    str_put(place, sizeof place, "abcdef");
    assert_string_equal(place, "abcd");
    str_put(place, sizeof place, NULL);
    assert_string_equal(place, "");
}

static void hexadecimal_digits(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {0x00, 0x0a, 0xf0, 0xff};
    char text[2 * sizeof bytes + 1];
    str_hex(text, bytes, sizeof bytes);
    assert_string_equal(text, "000af0ff");
    str_hex(text, bytes, 0);
    assert_string_equal(text, "");
    assert_int_equal(str_hex_digit('f'), 15);
    assert_int_equal(str_hex_digit('F'), 15);
    assert_int_equal(str_hex_digit('g'), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparing),
        cmocka_unit_test(putting_into_a_place),
        cmocka_unit_test(trimming),
        cmocka_unit_test(splitting_and_joining),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(reals),
        cmocka_unit_test(truth),
        cmocka_unit_test(distance),
        cmocka_unit_test(nearest),
        cmocka_unit_test(nearest_survives_long_words),
        cmocka_unit_test(hexadecimal_digits),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
