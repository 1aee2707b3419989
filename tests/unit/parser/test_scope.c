/* Questions beyond the parser, told by their words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/words/lexicon.h"
#include "parser/search/scope.h"
#include "unit/parser/features_shop.h"

static const char *beyond_of(struct features_shop *shop, const char *question,
                             size_t keywords)
{
    struct lexicon lexicon;
    struct features features;
    lexicon_init(&lexicon);
    features_build(shop->shop.arena, shop->schema, NULL, question, &features);
    return scope_beyond(shop->shop.arena, &features, &lexicon, keywords);
}

/* Of the first weights, which know the first words alone. */
static const char *beyond(struct features_shop *shop, const char *question)
{
    return beyond_of(shop, question, IR_KEYWORDS_FIRST);
}

static void tells_what_it_cannot_do(void **state)
{
    static const struct {
        const char *question, *reason;
    } cases[] = {
        {"forecast the sales of next year", "forecast"},
        {"Why did orders drop in March?", "say why"},
        {"what if prices were 10 % higher", "answer what would be"},
        {"median price by category", "compute a median"},
        {"standard deviation of the price", "compute a standard deviation"},
        {"wie viele Kunden haben wir in Berlin",
         "understand languages other than English"},
        {"¿Cuántos clientes hay en las ciudades?",
         "understand languages other than English"},
        {"combien de clients sont dans les villes",
         "understand languages other than English"},
        {"who won the football cup", "find 'won' and 'football' and the like in this "
                                     "database"},
        {"tell me a joke about elephants",
         "find 'joke' and 'elephants' in this database"},
        {"qwfpb zxcvk lkjhg mnbvr", "understand languages other than English"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = beyond(*state, cases[i].question);
        if (!str_equal(got, cases[i].reason)) {
            print_error("%s: %s\n", cases[i].question, got ? got : "(nothing)");
        }
        assert_true(str_equal(got, cases[i].reason));
    }
}

/* What a network has words for is not beyond it. */
static void knows_what_the_weights_know(void **state)
{
    static const char *const questions[] = {
        "median price by category", "90th percentile of the price",
        "standard deviation of the price", "moving average of orders per month"};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        assert_non_null(beyond(*state, questions[i]));
        const char *got = beyond_of(*state, questions[i], IR_KEYWORD_COUNT);
        if (got) {
            print_error("%s: %s\n", questions[i], got);
        }
        assert_null(got);
    }
    assert_non_null(beyond_of(*state, "forecast the orders", IR_KEYWORD_COUNT));
}

static void lets_the_rest_through(void **state)
{
    static const char *const questions[] = {
        "how many customers are there",
        "top 5 customers by revenue",
        "orders per month 2024",
        "custmers wihout oders",
        "products called \"what if\"",
        "names with 'median' in them",
        "running total of orders by month",
        "share of each category",
        "",
        "?",
    };
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        const char *got = beyond(*state, questions[i]);
        if (got) {
            print_error("%s: %s\n", questions[i], got);
        }
        assert_null(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_what_it_cannot_do),
        cmocka_unit_test(knows_what_the_weights_know),
        cmocka_unit_test(lets_the_rest_through),
    };
    return cmocka_run_group_tests(tests, features_shop_setup, features_shop_teardown);
}
