/* Small requests: bursts are allowed, a flood is not, and accounts do not share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "server/pace.h"

static void allows_a_burst(void **state)
{
    (void)state;
    struct pace pace;
    pace_init(&pace);
    for (int i = 0; i < PACE_BURST; i++) {
        assert_int_equal(pace_wait_s(&pace, "ann", 1000), 0);
    }
    assert_int_equal(pace_wait_s(&pace, "ann", 1000), 1);
    assert_int_equal(pace_wait_s(&pace, "bob", 1000), 0);
    assert_int_equal(pace_wait_s(&pace, NULL, 1000), 0);
    assert_int_equal(pace_wait_s(&pace, "ann", 1000 + PACE_EVERY_MS), 0);
    assert_int_equal(pace_wait_s(&pace, "ann", 1000 + PACE_EVERY_MS), 1);
    pace_release(&pace);
}

static void forgets_the_oldest(void **state)
{
    (void)state;
    struct pace pace;
    char name[32];
    pace_init(&pace);
    for (int i = 0; i < PACE_PLACES * 3; i++) {
        (void)snprintf(name, sizeof name, "account %d", i);
        assert_int_equal(pace_wait_s(&pace, name, 5000 + i), 0);
    }
    pace_release(&pace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allows_a_burst),
        cmocka_unit_test(forgets_the_oldest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
