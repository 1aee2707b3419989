/* Places and their owners. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/places.h"

static void last_is_for_others(void **state)
{
    (void)state;
    struct places places = {.most = 4};
    struct places_holder holders[4];
    for (size_t i = 0; i < 3; i++) {
        assert_true(places_free(&places, "ann"));
        places_take(&places, &holders[i], "ann");
    }
    assert_false(places_free(&places, "ann"));
    assert_true(places_free(&places, "bob"));
    assert_true(places_free(&places, ""));
    places_take(&places, &holders[3], "bob");
    assert_false(places_free(&places, "carl"));
    places_give(&places, &holders[1]); /* from the middle: it is the last one again */
    assert_false(places_free(&places, "bob"));
    assert_false(places_free(&places, "ann"));
    assert_true(places_free(&places, "carl"));
    places_give(&places, &holders[3]);
    assert_true(places_free(&places, "ann"));
    assert_int_equal(places.held, 2);
}

static void of_few_none_is_kept(void **state)
{
    (void)state;
    struct places places = {.most = 3};
    struct places_holder holders[3];
    for (size_t i = 0; i < 3; i++) {
        assert_true(places_free(&places, "ann"));
        places_take(&places, &holders[i], "ann");
    }
    assert_false(places_free(&places, "bob"));
}

static void without_accounts_all_may_be_held(void **state)
{
    (void)state;
    struct places places = {.most = 4};
    struct places_holder holders[4];
    for (size_t i = 0; i < 4; i++) {
        assert_true(places_free(&places, i % 2 ? NULL : ""));
        places_take(&places, &holders[i], i % 2 ? NULL : "");
    }
    assert_false(places_free(&places, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_is_for_others),
        cmocka_unit_test(of_few_none_is_kept),
        cmocka_unit_test(without_accounts_all_may_be_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
