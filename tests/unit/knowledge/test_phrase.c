/* Phrases found in texts whatever their form, and texts compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/arena.h"
#include "knowledge/words/phrase.h"

static bool said(const char *text, const char *phrase, size_t *first)
{
    struct arena *arena = arena_new();
    struct phrase_words in;
    struct phrase_words what;
    phrase_split(arena, text, &in);
    phrase_split(arena, phrase, &what);
    bool found = phrase_find(&in, &what, first);
    arena_free(arena);
    return found;
}

static double likeness(const char *a, const char *b)
{
    struct arena *arena = arena_new();
    struct phrase_words left;
    struct phrase_words right;
    phrase_split(arena, a, &left);
    phrase_split(arena, b, &right);
    double result = phrase_likeness(&left, &right);
    arena_free(arena);
    return result;
}

static void finds_other_forms(void **state)
{
    (void)state;
    size_t first = 9;
    assert_true(said("How many customers are there?", "Customer", &first));
    assert_int_equal(first, 2);
    assert_true(said("all customer orders of May", "CustomerOrder", &first));
    assert_int_equal(first, 1);
    assert_true(said("per sales region", "sales_region", &first));
}

static void does_not_find_parts(void **state)
{
    (void)state;
    size_t first = 0;
    assert_false(said("the regional office", "region", &first));
    assert_false(said("orders of customers", "customer orders", &first));
    assert_false(said("anything", "", &first));
    assert_false(said("", "anything", &first));
    assert_false(said("one", "one two", &first));
}

static void compares(void **state)
{
    (void)state;
    assert_true(likeness("How many orders in May?", "how many order in may") > 0.99);
    assert_true(likeness("How many orders were paid?", "How many orders are open?") <
                0.99);
    assert_true(likeness("paid orders per city", "cities with paid orders") > 0.9);
    assert_true(likeness("How many users?", "How many orders?") < 0.01);
    assert_true(likeness("", "") < 0.01);
    assert_true(likeness("orders orders orders", "orders") > 0.99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_other_forms),
        cmocka_unit_test(does_not_find_parts),
        cmocka_unit_test(compares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
