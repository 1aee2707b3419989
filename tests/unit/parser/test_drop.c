/* Candidates that cannot be meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/search/drop.h"
#include "parser/words/tokens.h"
#include "unit/parser/ir_shop.h"

struct found {
    struct ir_shop *shop;
    struct ir_values values;
    struct beam_candidates candidates;
};

static void add(struct found *found, const char *text)
{
    struct beam_candidate *candidate = VEC_ADD(found->shop->arena, &found->candidates);
    *candidate = (struct beam_candidate){0};
    ir_shop_read(found->shop, text, &candidate->tokens, &found->values);
}

static const char *at(struct found *found, size_t index)
{
    return ir_shop_print(found->shop, &found->candidates.items[index].tokens,
                         &found->values);
}

static void leaves_figures_as_sets_out(void **state)
{
    static const char set[] =
        "select count .* from orders where orders.status = \"open\" "
        "except select count .* from orders";
    static const char names[] = "select customers.city from customers except select "
                                "addresses.city from addresses";
    static const char twice[] = "select count .* count .* from orders";
    struct found found = {.shop = *state};
    add(&found, set);
    add(&found, names);
    add(&found, twice);
    drop_senseless(found.shop->ir, &found.candidates);
    assert_int_equal(found.candidates.count, 1);
    assert_string_equal(at(&found, 0), names);
    found.candidates.count = 0; /* nothing else is there */
    add(&found, set);
    drop_senseless(found.shop->ir, &found.candidates);
    assert_int_equal(found.candidates.count, 1);
}

static void shows_rows_that_are_asked_for(void **state)
{
    static const char count[] =
        "select count .* from orders where orders.status = \"open\"";
    static const char joined[] = "select count .* from customers orders where "
                                 "orders.status = \"open\"";
    static const char rows[] = "select orders from orders where orders.status = \"open\"";
    static const struct {
        const char *question;
        bool rows;
    } cases[] = {{"list only open orders", true},          {"only open orders", true},
                 {"orders that are only open", true},      {"show open orders", true},
                 {"how many orders are only open", false}, {"open orders", false},
                 {"show the number of open orders", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct found found = {.shop = *state};
        struct tokens words;
        tokens_split(found.shop->arena, cases[i].question, &words);
        add(&found, count);
        add(&found, joined);
        drop_counts(&words, &found.candidates);
        print_message("%s\n", cases[i].question);
        assert_int_equal(found.candidates.count, cases[i].rows ? 1 : 2);
        assert_string_equal(at(&found, 0), cases[i].rows ? rows : count);
    }
}

static int set_up(void **state)
{
    static struct ir_shop shop;
    ir_shop_init(&shop, DIALECT_SQLITE);
    *state = &shop;
    return 0;
}

static int tear_down(void **state)
{
    ir_shop_release(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_figures_as_sets_out),
        cmocka_unit_test(shows_rows_that_are_asked_for),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
