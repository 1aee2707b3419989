/* What is different about the readings of a question. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "agent/understand/readings.h"
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

static const struct {
    const char *words;
    const char *other;
    const char *differs;
} pairs[] = {
    {"Country of stores and the sum of total of orders, for each country of stores.",
     "Country of addresses and the sum of total of orders, for each country of "
     "addresses.",
     "for each country of stores"},
    {"Name of products, where price is more than 100.",
     "Sku of products, where price is more than 100.", "Name of products"},
    {"Name of orders, where total is more than 5.",
     "Name of orders, where total is more than 5, sorted by name from A to Z.",
     "not sorted by name from A to Z"},
    {"Name of orders, where total is more than 5, sorted by name from A to Z.",
     "Name of orders, where total is more than 5.", "sorted by name from A to Z"},
    {"The number of orders.", "The number of orders.", "The number of orders."},
    {"The sum of salary of employees.", "Name and salary of employees.",
     "The sum of salary of employees"},
};

static void differences_are_short(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_string_equal(readings_difference(arena, pairs[i].words, pairs[i].other),
                            pairs[i].differs);
    }
    const char *endless = "one two three four five six seven eight nine ten eleven "
                          "twelve thirteen fourteen fifteen sixteen seventeen.";
    assert_string_equal(readings_difference(arena, endless, "The number of orders."),
                        "one two three four five six seven eight nine ten eleven twelve "
                        "thirteen fourteen fifteen…");
    assert_string_equal(readings_label(arena, "The number of orders.", "x"),
                        "The number of orders.");
    arena_free(arena);
}

/* "Department" twice: once of each claim, and once for each department. */
static void options_are_different(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct clarification back = {0};
    const char *first =
        "The sum of amount eur where status is paid minus the sum of amount eur "
        "where status is open of expenses, where claim date is in 2026.";
    const char *const others[] = {
        "Department of expenses, where department is one of Sales or HR or IT and claim "
        "date "
        "is in 2026.",
        "Department of expenses, where department is one of Sales or HR or IT and claim "
        "date "
        "is in 2026, for each department of expenses.",
    };
    assert_string_equal(readings_label(arena, others[0], first),
                        readings_label(arena, others[1], first));
    for (size_t i = 0; i < 2; i++) {
        const char *label = readings_option(arena, &back, others[i], first);
        VEC_PUSH(arena, &back.options, ((struct clarification_option){others[i], label}));
    }
    assert_string_not_equal(back.options.items[0].label, back.options.items[1].label);
    assert_string_equal(back.options.items[1].label, "for each department of expenses");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(differences_are_short),
                                       cmocka_unit_test(options_are_different)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
