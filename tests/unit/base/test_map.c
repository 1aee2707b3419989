/* Maps: set, get, remove, grow, fold case, walk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/map.h"

static void set_get_remove(void **state)
{
    (void)state;
    struct map map;
    int one = 1;
    int two = 2;
    map_init(&map, false);
    assert_null(map_get(&map, "a"));
    assert_null(map_remove(&map, "a"));
    assert_null(map_set(&map, "a", &one));
    assert_ptr_equal(map_set(&map, "a", &two), &one);
    assert_ptr_equal(map_get(&map, "a"), &two);
    assert_null(map_get(&map, "A"));
    assert_int_equal(map.count, 1);
    assert_ptr_equal(map_remove(&map, "a"), &two);
    assert_false(map_has(&map, "a"));
    assert_int_equal(map.count, 0);
    map_release(&map);
}

static void keys_are_copied_and_may_be_empty(void **state)
{
    (void)state;
    struct map map;
    int value = 1;
    char key[] = "orders";
    map_init(&map, true);
    (void)map_set(&map, key, &value);
    key[0] = 'x';
    assert_ptr_equal(map_get(&map, "ORDERS"), &value);
    (void)map_set(&map, "", &value);
    assert_true(map_has(&map, ""));
    assert_ptr_equal(map_remove(&map, ""), &value);
    assert_false(map_has(&map, ""));
    map_release(&map);
}

static void many_keys_come_and_go(void **state)
{
    (void)state;
    static int values[5000];
    struct map map;
    char key[32];
    map_init(&map, false);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 5000; i++) {
            (void)snprintf(key, sizeof key, "key%d", i);
            assert_null(map_set(&map, key, &values[i]));
        }
        for (int i = 0; i < 5000; i += 2) {
            (void)snprintf(key, sizeof key, "key%d", i);
            assert_ptr_equal(map_remove(&map, key), &values[i]);
        }
        assert_int_equal(map.count, 2500);
        for (int i = 0; i < 5000; i++) {
            (void)snprintf(key, sizeof key, "key%d", i);
            assert_ptr_equal(map_remove(&map, key), i % 2 ? &values[i] : NULL);
        }
    }
    assert_int_equal(map.count, 0);
    assert_true(map.capacity < 65536); /* removed slots are used again */
    map_release(&map);
}

static void walking_sees_each_key_once(void **state)
{
    (void)state;
    int values[50] = {0};
    struct map map;
    char key[32];
    map_init(&map, false);
    for (int i = 0; i < 50; i++) {
        (void)snprintf(key, sizeof key, "k%d", i);
        (void)map_set(&map, key, &values[i]);
    }
    (void)map_remove(&map, "k7");
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&map, &at));) {
        (*(int *)entry->value)++;
    }
    for (int i = 0; i < 50; i++) {
        assert_int_equal(values[i], i == 7 ? 0 : 1);
    }
    map_release(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_get_remove),
        cmocka_unit_test(keys_are_copied_and_may_be_empty),
        cmocka_unit_test(many_keys_come_and_go),
        cmocka_unit_test(walking_sees_each_key_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
