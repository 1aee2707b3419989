/* Buffers: growth, the ceiling, taking and cutting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/memory.h"

static void it_grows_and_stays_ended(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 100000);
    assert_string_equal(buf_get(&buf), "");
    for (int i = 0; i < 5000; i++) {
        assert_true(buf_char(&buf, (char)('a' + i % 26)));
    }
    assert_int_equal(buf.size, 5000);
    assert_int_equal(strlen(buf_get(&buf)), 5000);
    assert_true(buf_format(&buf, "%d", 42));
    assert_string_equal(buf_get(&buf) + 5000, "42");
    buf_release(&buf);
    assert_string_equal(buf_get(&buf), "");
}

static void past_the_ceiling_appends_are_dropped(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 8);
    assert_true(buf_text(&buf, "12345678"));
    assert_false(buf.full);
    assert_false(buf_char(&buf, '9'));
    assert_true(buf.full);
    assert_false(buf_text(&buf, ""));
    assert_string_equal(buf_get(&buf), "12345678");
    buf_clear(&buf);
    assert_false(buf.full);
    assert_false(buf_format(&buf, "%s", "123456789"));
    assert_string_equal(buf_get(&buf), "");
    buf_release(&buf);
}

static void a_ceiling_of_nothing_holds_nothing(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 0);
    assert_true(buf_text(&buf, ""));
    assert_false(buf_char(&buf, 'a'));
    buf_release(&buf);
}

static void a_huge_size_does_not_wrap(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 16);
    assert_true(buf_text(&buf, "abc"));
    assert_false(buf_add(&buf, "x", SIZE_MAX - 1));
    assert_string_equal(buf_get(&buf), "abc");
    buf_release(&buf);
}

static void contents_can_be_taken_cut_and_cloned(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 100);
    (void)buf_text(&buf, "abcdef");
    buf_truncate(&buf, 4);
    buf_truncate(&buf, 50);
    assert_string_equal(buf_get(&buf), "abcd");
    struct arena *arena = arena_new();
    assert_string_equal(buf_clone(&buf, arena), "abcd");
    char *taken = buf_take(&buf);
    assert_string_equal(taken, "abcd");
    assert_int_equal(buf.size, 0);
    memory_free(taken);
    taken = buf_take(&buf);
    assert_string_equal(taken, "");
    memory_free(taken);
    arena_free(arena);
}

static void integers(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 100);
    assert_true(buf_int(&buf, 0));
    assert_true(buf_char(&buf, ' ') && buf_int(&buf, INT64_MIN));
    assert_true(buf_char(&buf, ' ') && buf_int(&buf, INT64_MAX));
    assert_string_equal(buf_get(&buf), "0 -9223372036854775808 9223372036854775807");
    buf_release(&buf);
    buf_init(&buf, 3);
    assert_false(buf_int(&buf, 1234));
    buf_release(&buf);
}

static void room_that_was_expected_is_enough(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 100);
    buf_expect(&buf, 10);
    assert_string_equal(buf_get(&buf), "");
    assert_int_equal(buf.capacity, 11);
    const char *data = buf.data;
    assert_true(buf_text(&buf, "0123456789"));
    assert_ptr_equal(buf.data, data);
    buf_expect(&buf, 0);
    buf_expect(&buf, 200); /* more than it may hold: it grows as it always does */
    assert_int_equal(buf.capacity, 11);
    buf_expect(&buf, 90);
    assert_int_equal(buf.capacity, 101);
    assert_string_equal(buf_get(&buf), "0123456789");
    assert_non_null(buf_room_quick(&buf, 90));
    assert_null(buf_room_quick(&buf, 1));
    assert_true(buf.full);
    buf_release(&buf);
}

static void bytes_become_digits_up_to_the_ceiling(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 6);
    assert_true(buf_hex(&buf, "\x01\xab", 2));
    assert_string_equal(buf_get(&buf), "01ab");
    assert_false(buf_hex(&buf, "\xcd\xef", 2));
    assert_true(buf.full);
    assert_string_equal(buf_get(&buf), "01ab");
    buf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(bytes_become_digits_up_to_the_ceiling),
        cmocka_unit_test(it_grows_and_stays_ended),
        cmocka_unit_test(past_the_ceiling_appends_are_dropped),
        cmocka_unit_test(a_ceiling_of_nothing_holds_nothing),
        cmocka_unit_test(a_huge_size_does_not_wrap),
        cmocka_unit_test(room_that_was_expected_is_enough),
        cmocka_unit_test(contents_can_be_taken_cut_and_cloned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
