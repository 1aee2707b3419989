/* Variants of candidates: another key, a table less. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/ir/ir_grammar.h"
#include "parser/ir/ir_schema.h"
#include "parser/search/vary.h"
#include "parser/words/tokens.h"
#include "unit/parser/ir_shop.h"

static int setup(void **state)
{
    static struct ir_shop shop;
    ir_shop_init(&shop, DIALECT_SQLITE);
    *state = &shop;
    return 0;
}

static int teardown(void **state)
{
    ir_shop_release(*state);
    return 0;
}

static void varies(void **state)
{
    static const struct {
        const char *text;
        const char *variants[3];
    } cases[] = {
        {"select addresses.city from addresses orders via orders.bill_address_id",
         {"select addresses.city from addresses orders via orders.ship_address_id"}},
        {"select addresses.city from addresses orders",
         {"select addresses.city from addresses",
          "select addresses.city from addresses orders via orders.bill_address_id",
          "select addresses.city from addresses orders via orders.ship_address_id"}},
        {"select customers.city from customers orders",
         {"select customers.city from customers"}},
        {"select customers.city orders.total from customers orders", {0}},
        {"select count .* from orders", {0}},
    };
    struct ir_shop *shop = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ir_values values = {0};
        struct beam_candidates candidates = {0};
        struct beam_candidate *first = VEC_ADD(shop->arena, &candidates);
        ir_shop_read(shop, cases[i].text, &first->tokens, &values);
        first->log_probability = -1;
        vary_candidates(shop->arena, shop->ir, &candidates);
        size_t wanted = 0;
        for (; wanted < 3 && cases[i].variants[wanted]; wanted++) {
            assert_true(wanted + 1 < candidates.count);
            const struct beam_candidate *got = &candidates.items[wanted + 1];
            struct err err;
            assert_string_equal(ir_shop_print(shop, &got->tokens, &values),
                                cases[i].variants[wanted]);
            assert_true(ir_check(&got->tokens, shop->ir, values.count, &err));
            assert_true(got->log_probability < -1);
        }
        assert_int_equal(candidates.count, wanted + 1);
    }
}

static void adds_nothing_twice(void **state)
{
    struct ir_shop *shop = *state;
    struct ir_values values = {0};
    struct beam_candidates candidates = {0};
    static const char *const texts[] = {
        "select addresses.city from addresses orders via orders.bill_address_id",
        "select addresses.city from addresses orders via orders.ship_address_id"};
    for (size_t i = 0; i < 2; i++) {
        struct beam_candidate *item = VEC_ADD(shop->arena, &candidates);
        ir_shop_read(shop, texts[i], &item->tokens, &values);
    }
    vary_candidates(shop->arena, shop->ir, &candidates);
    assert_int_equal(candidates.count, 2);
    candidates.count = 0;
    vary_candidates(shop->arena, shop->ir, &candidates);
    assert_int_equal(candidates.count, 0);
}

static void settle(struct arena *arena, const struct ir_schema *schema,
                   const char *question, const struct ir_values *values,
                   struct beam_candidates *candidates)
{
    struct tokens words;
    tokens_split(arena, question, &words);
    settle_candidates(arena, schema, question, &words, values, candidates);
}

/* A candidate for this question is put right before it is judged. */
static void settles(struct ir_shop *shop, const char *question, const char *before,
                    const char *after)
{
    struct ir_values values = {0};
    struct beam_candidates candidates = {0};
    struct beam_candidate *first = VEC_ADD(shop->arena, &candidates);
    ir_shop_read(shop, before, &first->tokens, &values);
    settle(shop->arena, shop->ir, question, &values, &candidates);
    assert_string_equal(ir_shop_print(shop, &candidates.items[0].tokens, &values), after);
}

static void takes_the_key_that_is_named(void **state)
{
    static const struct {
        const char *question;
        const char *before;
        const char *after;
    } cases[] = {
        {"to which cities were orders shipped? ship addresses only",
         "select addresses.city from addresses orders via orders.bill_address_id",
         "select addresses.city from addresses orders via orders.ship_address_id"},
        {"cities of bill addresses",
         "select addresses.city from addresses orders via orders.bill_address_id",
         "select addresses.city from addresses orders via orders.bill_address_id"},
        {"cities of the ship and bill addresses",
         "select addresses.city from addresses orders via orders.bill_address_id",
         "select addresses.city from addresses orders via orders.bill_address_id"},
        {"cities of addresses of orders",
         "select addresses.city from addresses orders via orders.bill_address_id",
         "select addresses.city from addresses orders via orders.bill_address_id"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        settles(*state, cases[i].question, cases[i].before, cases[i].after);
    }
}

/* The hour of a time of day is compared with an hour, not with an amount. */
static void drops_amounts_for_times_of_day(void **state)
{
    struct ir_shop *shop = *state;
    struct ir_values values = {0};
    struct beam_candidates candidates = {0};
    static const char *const texts[] = {
        "select orders.id from orders where orders.total > 17",
        "select orders.id from orders where hour_of orders.ordered_at >= 17"};
    for (size_t i = 0; i < 2; i++) {
        struct beam_candidate *item = VEC_ADD(shop->arena, &candidates);
        ir_shop_read(shop, texts[i], &item->tokens, &values);
    }
    struct beam_candidates all = candidates;
    settle(shop->arena, shop->ir, "orders with a total over 17", &values, &all);
    assert_int_equal(all.count, 2);
    settle(shop->arena, shop->ir, "orders after 17:00", &values, &candidates);
    assert_int_equal(candidates.count, 1);
    assert_string_equal(ir_shop_print(shop, &candidates.items[0].tokens, &values),
                        texts[1]);
}

static void drops_what_makes_no_sense(void **state)
{
    struct ir_shop *shop = *state;
    struct ir_values values = {0};
    struct beam_candidates candidates = {0};
    static const char *const texts[] = {
        "select avg orders.shipped_at from orders",
        "select orders.id from orders where orders.total < orders.total",
        "select avg days orders.shipped_at orders.ordered_at from orders"};
    for (size_t i = 0; i < 3; i++) {
        struct beam_candidate *item = VEC_ADD(shop->arena, &candidates);
        ir_shop_read(shop, texts[i], &item->tokens, &values);
    }
    settle(shop->arena, shop->ir, "how long on average", &values, &candidates);
    assert_int_equal(candidates.count, 1);
    assert_string_equal(ir_shop_print(shop, &candidates.items[0].tokens, &values),
                        texts[2]);
    ir_shop_read(shop, texts[0], &candidates.items[0].tokens, &values);
    settle(shop->arena, shop->ir, "how long on average", &values, &candidates);
    assert_int_equal(candidates.count, 1); /* better than nothing */
}

/* "Not" that the network did not hear, and two dates where one is meant. */
static void takes_what_is_denied(void **state)
{
    static const struct {
        const char *question;
        const char *before;
        const char *after;
    } cases[] = {
        {"who wasnt seen since 2024",
         "select customers.city from customers where customers.created_on since 2024",
         "select customers.city from customers where customers.created_on before 2024"},
        {"who was seen since 2024",
         "select customers.city from customers where customers.created_on since 2024",
         "select customers.city from customers where customers.created_on since 2024"},
        {"orders not shipped within 2 days",
         "select orders.id from orders where days orders.shipped_at orders.ordered_at <= "
         "2",
         "select orders.id from orders where days orders.shipped_at orders.ordered_at > "
         "2"},
        {"shipped ones per month 2024",
         "select month orders.ordered_at count .* from orders where orders.shipped_at "
         "during 2024 group month orders.ordered_at",
         "select month orders.shipped_at count .* from orders where orders.shipped_at "
         "during 2024 group month orders.shipped_at"},
        {"shipped in 2024 by month ordered",
         "select month orders.ordered_at count .* from orders where orders.shipped_at "
         "during 2024 group month orders.ordered_at",
         "select month orders.ordered_at count .* from orders where orders.shipped_at "
         "during 2024 group month orders.ordered_at"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        settles(*state, cases[i].question, cases[i].before, cases[i].after);
    }
}

/* Durations are averaged unless a total is asked for; growth goes from early to late. */
static void takes_what_can_be_meant(void **state)
{
    static const char back[] =
        "select percent - sum if orders.ordered_at during 2023 then orders.total sum "
        "if orders.ordered_at during 2024 then orders.total sum if orders.ordered_at "
        "during 2024 then orders.total from orders";
    static const char forth[] =
        "select percent - sum if orders.ordered_at during 2024 then orders.total sum "
        "if orders.ordered_at during 2023 then orders.total sum if orders.ordered_at "
        "during 2023 then orders.total from orders";
    static const char added[] =
        "select orders.status sum days orders.shipped_at orders.ordered_at from orders "
        "group orders.status";
    static const char averaged[] =
        "select orders.status avg days orders.shipped_at orders.ordered_at from orders "
        "group orders.status";
    static const char minus[] =
        "select - sum if orders.ordered_at during 2023 then orders.total sum if "
        "orders.ordered_at during 2024 then orders.total from orders";
    static const struct {
        const char *question;
        const char *before;
        const char *after;
    } cases[] = {
        {"sales growth 2024 vs 2023", back, forth},
        {"sales growth from 2023 to 2024", forth, forth},
        {"2023 minus 2024", minus, minus},
        {"time to ship in days by status", added, averaged},
        {"total days to ship by status", added, added},
        {"stars of reviews", "select sum reviews.stars from reviews",
         "select avg reviews.stars from reviews"},
        {"sum of stars", "select sum reviews.stars from reviews",
         "select sum reviews.stars from reviews"},
        {"stars", "select ratio sum reviews.stars count .* from reviews",
         "select ratio sum reviews.stars count .* from reviews"},
        {"top cities",
         "select customers.city from customers order customers.city desc limit1",
         "select customers.city from customers order customers.city desc"},
        {"top five cities",
         "select customers.city from customers order customers.city desc limit1",
         "select customers.city from customers order customers.city desc limit1"},
        {"top status",
         "select customers.city from customers order customers.city desc limit1",
         "select customers.city from customers order customers.city desc limit1"},
        {"orders", "select sum orders.total from orders",
         "select sum orders.total from orders"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        settles(*state, cases[i].question, cases[i].before, cases[i].after);
    }
}

/* how long a lap took may be averaged, whatever the type is called */
static void keeps_averages_of_times(void **state)
{
    struct ir_shop *shop = *state;
    static const struct column took = {.name = "lap", .type = "TIME"};
    static struct ir_column columns[] = {
        {.name = "*", .table = -1},
        {.name = "lap", .type = IR_TYPE_TIME, .source = &took}};
    const struct ir_schema laps = {.columns = columns};
    const struct ir_values values = {0};
    struct beam_candidates candidates = {0};
    for (int column = 0; column < 2; column++) {
        struct beam_candidate *item = VEC_ADD(shop->arena, &candidates);
        VEC_PUSH(shop->arena, &item->tokens, ir_word(IR_SELECT));
        VEC_PUSH(shop->arena, &item->tokens, ir_word(IR_AVG));
        VEC_PUSH(shop->arena, &item->tokens, ((struct ir_token){IR_COLUMN, column}));
    }
    settle(shop->arena, &laps, "average lap", &values, &candidates);
    assert_int_equal(candidates.count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varies),
        cmocka_unit_test(adds_nothing_twice),
        cmocka_unit_test(takes_the_key_that_is_named),
        cmocka_unit_test(takes_what_can_be_meant),
        cmocka_unit_test(takes_what_is_denied),
        cmocka_unit_test(drops_amounts_for_times_of_day),
        cmocka_unit_test(drops_what_makes_no_sense),
        cmocka_unit_test(keeps_averages_of_times),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
