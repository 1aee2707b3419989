/* Questions and choices that a schema suggests by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "agent/suggest.h"
#include "base/arena.h"
#include "unit/agent/small_schema.h"

static const char *const shop[] = {
    ("orders(id* INTEGER, customer_id INTEGER -> customers.id, status TEXT, amount REAL, "
     "ordered_on DATE)"),
    "customers(id* INTEGER, name TEXT)",
    "notes(text TEXT)",
};

static struct schema *shop_schema(void)
{
    struct schema *schema = small_schema(shop, sizeof shop / sizeof *shop);
    struct table *orders = schema_table(schema, "orders");
    orders->row_count = 40;
    struct column *status = table_column(orders, "status");
    status->distinct = 2;
    VEC_PUSH(schema->arena, &status->samples, "open");
    VEC_PUSH(schema->arena, &status->samples, "paid");
    struct column *day = table_column(orders, "ordered_on");
    day->least = "2024-01-01";
    day->greatest = "2025-06-30 12:00:00";
    struct table *customers = schema_table(schema, "customers");
    customers->row_count = 3;
    struct column *name = table_column(customers, "name");
    name->distinct = 3; /* every value once: a name, not a category */
    VEC_PUSH(schema->arena, &name->samples, "Ana");
    return schema;
}

static bool has_option(const struct clarification *back, const char *value)
{
    for (size_t i = 0; i < back->options.count; i++) {
        if (strcmp(back->options.items[i].value, value) == 0) {
            return true;
        }
    }
    return false;
}

static void details_begin_with_all(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct clarification back = {0};
    suggest_details(arena, schema_table(schema, "orders"), &back);
    assert_string_equal(back.message, "Which orders?");
    assert_string_equal(back.options.items[0].value, "all orders");
    assert_string_equal(back.options.items[0].label, "All orders (40 rows)");
    assert_true(has_option(&back, "orders whose status is open"));
    assert_true(has_option(&back, "orders with ordered on in this month"));
    assert_true(has_option(&back, "how many orders there are"));
    assert_int_equal(back.tables.count, 1);
    arena_free(arena);
    schema_unref(schema);
}

static void unique_names_are_no_choice(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct clarification back = {0};
    suggest_details(arena, schema_table(schema, "customers"), &back);
    assert_false(has_option(&back, "customers whose name is Ana"));
    assert_int_equal(back.options.count, 2);
    arena_free(arena);
    schema_unref(schema);
}

static void a_table_about_which_nothing_is_known(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct clarification back = {0};
    suggest_details(arena, schema_table(schema, "notes"), &back);
    assert_string_equal(back.options.items[0].value, "all notes");
    assert_string_equal(back.options.items[0].label, "All notes");
    arena_free(arena);
    schema_unref(schema);
}

static void periods_tell_what_the_data_have(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct clarification back = {0};
    suggest_periods(arena, schema_table(schema, "orders"), &back);
    assert_non_null(strstr(back.message, "2024-01-01"));
    assert_non_null(strstr(back.message, "2025-06-30."));
    assert_true(has_option(&back, "the 30 days before 2025-06-30"));
    struct clarification plain = {0};
    suggest_periods(arena, NULL, &plain);
    assert_string_equal(plain.message, "Which time period do you mean?");
    assert_int_equal(plain.options.count, 3);
    arena_free(arena);
    schema_unref(schema);
}

static void questions_worth_asking(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct texts questions = {0};
    suggest_questions(arena, schema, 3, &questions);
    assert_int_equal(questions.count, 3);
    struct clarification back = {0};
    suggest_start(arena, schema, &back);
    assert_int_equal(back.options.count, 4);
    assert_string_equal(back.message, "What would you like to know?");
    assert_true(has_option(&back, "What is the average amount of orders by status?"));
    struct clarification nothing = {0};
    suggest_start(arena, NULL, &nothing);
    assert_int_equal(nothing.options.count, 0);
    assert_non_null(nothing.message);
    arena_free(arena);
    schema_unref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(details_begin_with_all),
        cmocka_unit_test(unique_names_are_no_choice),
        cmocka_unit_test(a_table_about_which_nothing_is_known),
        cmocka_unit_test(periods_tell_what_the_data_have),
        cmocka_unit_test(questions_worth_asking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
