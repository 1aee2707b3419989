/* How often links are opened from one address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "server/throttle.h"

static void so_many_a_minute(void **state)
{
    (void)state;
    struct throttle throttle;
    throttle_init(&throttle);
    for (int i = 0; i < 60; i++) {
        assert_int_equal(throttle_wait_s(&throttle, "aaaa", 4, 60, 1000), 0);
    }
    assert_true(throttle_wait_s(&throttle, "aaaa", 4, 60, 1000) > 0);
    assert_true(throttle_wait_s(&throttle, "aaaa", 4, 60, 1500) > 0);
    assert_int_equal(throttle_wait_s(&throttle, "bbbb", 4, 60, 1500), 0);
    assert_int_equal(throttle_wait_s(&throttle, "aaaa", 4, 60, 2000), 0);
    assert_true(throttle_wait_s(&throttle, "aaaa", 4, 60, 2000) > 0);
    throttle_release(&throttle);
}

/* A long pause allows as many as a minute does, not more. */
static void a_pause_is_no_credit(void **state)
{
    (void)state;
    struct throttle throttle;
    throttle_init(&throttle);
    assert_int_equal(throttle_wait_s(&throttle, "aaaa", 4, 2, 1000), 0);
    assert_int_equal(throttle_wait_s(&throttle, "aaaa", 4, 2, 90000000), 0);
    assert_int_equal(throttle_wait_s(&throttle, "aaaa", 4, 2, 90000000), 0);
    assert_int_equal(throttle_wait_s(&throttle, "aaaa", 4, 2, 90000000), 31);
    throttle_release(&throttle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(so_many_a_minute),
        cmocka_unit_test(a_pause_is_no_credit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
