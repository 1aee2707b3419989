/* How often a schema is read anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "server/refresh.h"

static void once_in_a_while(void **state)
{
    (void)state;
    struct refreshes refreshes;
    refreshes_init(&refreshes);
    assert_int_equal(refreshes_wait_s(&refreshes, "shop", 1000), 0);
    assert_int_equal(refreshes_wait_s(&refreshes, "Shop", 1000), REFRESH_PAUSE_S);
    assert_int_equal(refreshes_wait_s(&refreshes, "other", 1000), 0);
    assert_int_equal(refreshes_wait_s(&refreshes, "shop", 60999), 1);
    assert_int_equal(refreshes_wait_s(&refreshes, "shop", 61000), 0);
    assert_int_equal(refreshes_wait_s(&refreshes, "shop", 61001), REFRESH_PAUSE_S);
    refreshes_release(&refreshes);
}

static void the_oldest_is_forgotten(void **state)
{
    (void)state;
    struct refreshes refreshes;
    char id[32];
    refreshes_init(&refreshes);
    for (int i = 0; i <= REFRESH_PLACES; i++) {
        (void)snprintf(id, sizeof id, "source%d", i);
        assert_int_equal(refreshes_wait_s(&refreshes, id, 1000 + i), 0);
    }
    assert_true(refreshes_wait_s(&refreshes, "source1", 2000) > 0);
    assert_int_equal(refreshes_wait_s(&refreshes, "source0", 2000), 0);
    refreshes_release(&refreshes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(once_in_a_while),
        cmocka_unit_test(the_oldest_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
