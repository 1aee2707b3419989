/* How tables belong together, by the keys that a schema declares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "agent/joins.h"
#include "base/arena.h"
#include "base/str.h"
#include "unit/agent/small_schema.h"

static const char *const shop[] = {
    "customers(id* INTEGER, name TEXT)",
    "products(id* INTEGER, title TEXT)",
    "orders(id* INTEGER, customer_id INTEGER -> customers.id)",
    "order_items(order_id INTEGER -> orders.id, product_id INTEGER -> products.id)",
    "weather(day DATE, rain REAL)",
    ("flights(id* INTEGER, origin_id INTEGER -> airports.id, goal_id INTEGER -> "
     "airports.id)"),
    "airports(id* INTEGER, code TEXT)",
    "staff(id* INTEGER, boss_id INTEGER -> staff.id)",
};

struct world {
    struct arena *arena;
    struct schema *schema;
};

static int set_up(void **state)
{
    struct arena *arena = arena_new();
    struct world *world = ARENA_NEW(arena, struct world);
    world->arena = arena;
    world->schema = small_schema(shop, sizeof shop / sizeof *shop);
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    schema_unref(world->schema);
    arena_free(world->arena);
    return 0;
}

static struct joins_result infer(struct world *world, const char *names)
{
    struct joins_result result;
    struct texts list = {0};
    str_split(world->arena, names, ' ', &list);
    const struct table **tables = arena_array(world->arena, list.count, sizeof *tables);
    for (size_t i = 0; i < list.count; i++) {
        tables[i] = schema_table(world->schema, list.items[i]);
        assert_non_null(tables[i]);
    }
    joins_infer(world->arena, world->schema, tables, list.count, &result);
    return result;
}

static const char *conditions(struct world *world, const struct joins_result *result)
{
    return str_join(world->arena, &result->conditions, "; ");
}

static void one_key_is_certain_in_both_directions(void **state)
{
    struct joins_result there = infer(*state, "orders customers");
    struct joins_result back = infer(*state, "customers orders");
    assert_int_equal(there.found, JOINS_CERTAIN);
    assert_int_equal(back.found, JOINS_CERTAIN);
    assert_string_equal(conditions(*state, &there), "orders.customer_id = customers.id");
    assert_string_equal(conditions(*state, &back), "orders.customer_id = customers.id");
}

static void one_table_needs_no_join(void **state)
{
    struct joins_result result = infer(*state, "weather");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 0);
}

static void a_bridge_is_crossed(void **state)
{
    struct joins_result result = infer(*state, "orders products");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 2);
    assert_non_null(
        strstr(conditions(*state, &result), "order_items.order_id = orders.id"));
    assert_non_null(
        strstr(conditions(*state, &result), "order_items.product_id = products.id"));
}

static void a_long_way_is_found(void **state)
{
    struct joins_result result = infer(*state, "customers products");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 3);
}

static void a_table_on_the_way_is_not_joined_twice(void **state)
{
    struct joins_result result = infer(*state, "customers products orders order_items");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 3);
}

static void two_keys_are_ambiguous(void **state)
{
    struct joins_result result = infer(*state, "flights airports");
    assert_int_equal(result.found, JOINS_AMBIGUOUS);
    assert_int_equal(result.options.count, 2);
    assert_string_equal(result.left->name, "flights");
    assert_string_equal(result.right->name, "airports");
}

static void no_way_is_unknown(void **state)
{
    struct joins_result result = infer(*state, "orders weather");
    assert_int_equal(result.found, JOINS_UNKNOWN);
    assert_string_equal(result.left->name, "orders");
    assert_string_equal(result.right->name, "weather");
}

/* The ambiguous pair is reported even when a later table has no way at all. */
static void no_way_outweighs_ambiguity(void **state)
{
    struct joins_result result = infer(*state, "flights airports weather");
    assert_int_equal(result.found, JOINS_UNKNOWN);
    assert_string_equal(result.right->name, "weather");
}

static void a_table_that_refers_to_itself_stands_alone(void **state)
{
    struct joins_result result = infer(*state, "staff");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 0);
    result = infer(*state, "staff customers");
    assert_int_equal(result.found, JOINS_UNKNOWN);
}

static void the_same_table_twice_is_joined_once(void **state)
{
    struct joins_result result = infer(*state, "orders customers orders customers");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 1);
}

static void conditions_must_name_columns(void **state)
{
    struct world *world = *state;
    static const char *const good[] = {
        "orders.customer_id = customers.id", "ORDERS.customer_id=customers.ID",
        "orders.id = order_items.order_id and orders.id = customers.id"};
    static const char *const bad[] = {"",
                                      "=",
                                      "orders.customer_id",
                                      "customer_id = id",
                                      "orders.nothing = customers.id",
                                      "nobody.id = customers.id",
                                      "orders.customer_id = customers.id and x",
                                      "orders.customer_id = ",
                                      ". = ."};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(joins_valid(world->arena, world->schema, good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (joins_valid(world->arena, world->schema, bad[i])) {
            fail_msg("'%s' was taken", bad[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_key_is_certain_in_both_directions, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_table_needs_no_join, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_bridge_is_crossed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_way_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_on_the_way_is_not_joined_twice, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(two_keys_are_ambiguous, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_way_is_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_way_outweighs_ambiguity, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_that_refers_to_itself_stands_alone,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_same_table_twice_is_joined_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(conditions_must_name_columns, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
