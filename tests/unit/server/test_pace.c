/* Bursts are allowed, a flood is not, and names do not share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "server/pace.h"

enum { BURST = 20, EVERY_MS = 200, PAUSE_S = 60 };

static void allows_a_burst(void **state)
{
    (void)state;
    struct pace pace;
    pace_init(&pace, BURST, EVERY_MS);
    for (int i = 0; i < BURST; i++) {
        assert_int_equal(pace_wait_s(&pace, "ann", 1000), 0);
    }
    assert_int_equal(pace_wait_s(&pace, "ann", 1000), 1);
    assert_int_equal(pace_wait_s(&pace, "bob", 1000), 0);
    assert_int_equal(pace_wait_s(&pace, NULL, 1000), 0);
    assert_int_equal(pace_wait_s(&pace, "ann", 1000 + EVERY_MS), 0);
    assert_int_equal(pace_wait_s(&pace, "ann", 1000 + EVERY_MS), 1);
    pace_release(&pace);
}

static void forgets_the_oldest(void **state)
{
    (void)state;
    struct pace pace;
    char name[32];
    pace_init(&pace, BURST, EVERY_MS);
    for (int i = 0; i < PACE_PLACES * 3; i++) {
        (void)snprintf(name, sizeof name, "account %d", i);
        assert_int_equal(pace_wait_s(&pace, name, 5000 + i), 0);
    }
    pace_release(&pace);
}

static void once_in_a_while(void **state)
{
    (void)state;
    struct pace pace;
    pace_init(&pace, 1, PAUSE_S * 1000);
    assert_int_equal(pace_wait_s(&pace, "shop", 1000), 0);
    assert_int_equal(pace_wait_s(&pace, "Shop", 1000), PAUSE_S);
    assert_int_equal(pace_wait_s(&pace, "other", 1000), 0);
    assert_int_equal(pace_wait_s(&pace, "shop", 60999), 1);
    assert_int_equal(pace_wait_s(&pace, "shop", 61000), 0);
    assert_int_equal(pace_wait_s(&pace, "shop", 61001), PAUSE_S);
    pace_release(&pace);
}

static void the_oldest_is_forgotten(void **state)
{
    (void)state;
    struct pace pace;
    char id[32];
    pace_init(&pace, 1, PAUSE_S * 1000);
    for (int i = 0; i <= PACE_PLACES; i++) {
        (void)snprintf(id, sizeof id, "source%d", i);
        assert_int_equal(pace_wait_s(&pace, id, 1000 + i), 0);
    }
    assert_true(pace_wait_s(&pace, "source1", 2000) > 0);
    assert_int_equal(pace_wait_s(&pace, "source0", 2000), 0);
    pace_release(&pace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allows_a_burst),
        cmocka_unit_test(forgets_the_oldest),
        cmocka_unit_test(once_in_a_while),
        cmocka_unit_test(the_oldest_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
