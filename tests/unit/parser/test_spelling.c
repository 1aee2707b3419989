/* Typing errors in questions: what is put right, and what is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "unit/parser/features_shop.h"

struct spelling_case {
    const char *typed;
    const char *read; /* NULL: as it was typed */
};

static void check(void **state, const struct spelling_case *cases, size_t count)
{
    struct features_shop *shop = *state;
    for (size_t i = 0; i < count; i++) {
        struct features features;
        features_build(shop->shop.arena, shop->schema, shop->index, cases[i].typed,
                       &features);
        const char *read = cases[i].read ? cases[i].read : cases[i].typed;
        size_t size = strlen(read);
        if (strncmp(features.tokens.text, read, size) != 0) {
            fail_msg("%s", features.tokens.text);
        }
        assert_true(strlen(features.tokens.text) <= size + 1); /* a mark at the end */
    }
}

static void mends_slips(void **state)
{
    static const struct spelling_case cases[] = {
        {"custmers by city", "customers by city"},
        {"odrers per mnth", "orders per month"},
        {"ordeers wihch were shipped", "orders which were shipped"},
        {"avarage prrice", "average price"},
        {"Custoemrs without reviwes?", "customers without reviews?"},
        {"top 5 products by revnue", "top 5 products by revenue"},
        {"cancelation rate", "cancellation rate"},
        {"the longets reviews", "the longest reviews"},
        {"prodcuts (expenssive)", "products (expensive)"},
    };
    check(state, cases, sizeof cases / sizeof *cases);
}

static void leaves_alone(void **state)
{
    static const struct spelling_case cases[] = {
        {"customers in berlim", NULL},      /* a cell, nearly: values know better */
        {"orders of obrien", NULL},         /* a cell */
        {"things of tshirt", NULL},         /* likewise */
        {"customers named Ordesr", NULL},   /* a name */
        {"products like 'custmers'", NULL}, /* a quote */
        {"who hasnt ordered, whats new", NULL},
        {"birthdates and homepages", NULL}, /* in no dictionary, but two words that are */
        {"funders and inviters", NULL},
        {"mail to custmers@shop", NULL},
        {"code custmers-12", NULL},
        {"zzqxv brrrt", NULL},
        {"customers in kazan", NULL}, /* a town that the database lacks */
        {"", NULL},
    };
    check(state, cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mends_slips),
        cmocka_unit_test(leaves_alone),
    };
    return cmocka_run_group_tests(tests, features_shop_setup, features_shop_teardown);
}
