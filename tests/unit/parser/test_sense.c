/* What a question can only mean, where the network wrote something else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/search/vary.h"
#include "parser/words/tokens.h"
#include "unit/parser/ir_shop.h"

struct read_as {
    const char *question;
    const char *before;
    const char *after;
};

static void check(struct ir_shop *shop, const struct read_as *cases, size_t count)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        struct ir_values values = {0};
        struct beam_candidates candidates = {0};
        struct beam_candidate *first = VEC_ADD(shop->arena, &candidates);
        struct tokens words;
        tokens_split(shop->arena, cases[i].question, &words);
        ir_shop_read(shop, cases[i].before, &first->tokens, &values);
        settle_candidates(shop->arena, shop->ir, cases[i].question, &words, &values,
                          &candidates);
        const char *got = ir_shop_print(shop, &candidates.items[0].tokens, &values);
        if (!str_equal(got, cases[i].after)) {
            wrong++;
            print_error("%s: %s\n", cases[i].question, got);
        }
    }
    assert_int_equal(wrong, 0);
}

#define AGO(side, rest)                                                                  \
    "select orders.id from orders where orders.ordered_at " side " ago " rest

static void knows_the_side_of_a_day_before_today(void **state)
{
    static const char before[] = AGO("before", "6 u_month");
    static const char since[] = AGO("since", "6 u_month");
    static const char during[] = AGO("during", "6 u_month");
    static const char until[] = AGO("until", "6 u_month");
    static const struct read_as cases[] = {
        {"orders placed less than 6 months ago", before, since},
        {"orders placed under 6 months ago", before, since},
        {"orders placed no more than 6 months ago", before, since},
        {"orders newer than 6 months", before, since},
        {"orders more recent than 6 months", before, since},
        {"orders not older than 6 months", before, since},
        {"orders placed no later than 6 months ago", before, until},
        {"orders placed at least 6 months ago", before, until},
        {"orders placed more than 6 months ago", since, before},
        {"orders older than 6 months", before, before},
        {"orders placed 6 months ago", before, during},
        {"orders placed about six months ago", before, during},
        {"orders placed before 6 months ago", during, before},
        /* another unit, or no single day */
        {"orders placed less than 6 weeks ago", before, before},
        {"orders placed 3 to 6 months ago", before, before},
        {"orders of the last 6 months", since, since},
    };
    static const char last[] =
        "select orders.id from orders where orders.ordered_at during last 7 u_day";
    static const char next[] =
        "select orders.id from orders where orders.ordered_at during next 7 u_day";
    static const struct read_as ahead[] = {
        {"orders of the next 7 days", last, next},
        {"orders in the coming 7 days", last, next},
        {"orders of the last 7 days", last, last},
        {"the next step of orders in the past 7 days", last, last},
    };
    static const struct read_as two[] = {
        {"orders placed more than 3 months and less than 6 months ago",
         AGO("before", "3 u_month and orders.ordered_at before ago 6 u_month"),
         AGO("before", "3 u_month and orders.ordered_at since ago 6 u_month")},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
    check(*state, two, 1);
    check(*state, ahead, sizeof ahead / sizeof *ahead);
}

static void denies_the_state_or_the_period(void **state)
{
#define IN_2024 "orders.ordered_at during 2024"
    static const char paid[] =
        "select orders.id from orders where orders.status = \"paid\" and " IN_2024;
    static const char not_paid[] =
        "select orders.id from orders where orders.status != \"paid\" and " IN_2024;
    static const char elsewhen[] =
        "select orders.id from orders where orders.status = \"paid\" and not [ " IN_2024
        " ]";
    static const struct read_as cases[] = {
        {"orders that were not paid in 2024", paid, not_paid},
        {"orders that were not paid in 2024", not_paid, not_paid},
        {"paid orders not in 2024", paid, elsewhen},
        {"paid orders not in 2024", not_paid, elsewhen},
        {"paid orders that were not placed in 2024", paid, elsewhen},
        {"paid orders in 2024", paid, paid},
        /* the state of a column that is named */
        {"orders not shipped in 2024",
         "select orders.id from orders where orders.shipped_at = \"no\" and " IN_2024,
         "select orders.id from orders where orders.shipped_at = \"no\" and " IN_2024},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

static void leaves_the_month_out(void **state)
{
#define IN_MARCH "orders.ordered_at during --03"
    static const char both[] =
        "select count .* from orders where orders.ordered_at during 2024 and " IN_MARCH;
    static const char without[] = "select count .* from orders where orders.ordered_at "
                                  "during 2024 and not [ " IN_MARCH " ]";
    static const struct read_as cases[] = {
        {"orders in 2024 except march", both, without},
        {"orders in 2024 other than in march", both, without},
        {"orders in 2024 apart from march", both, without},
        {"orders in 2024, leaving out march", both, without},
        {"orders in 2024 but not in march", both, without},
        {"orders in march 2024", both, both},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

static void knows_what_has_ended(void **state)
{
    static const char paid[] =
        "select orders.id from orders where orders.status = \"completed\"";
    static const char not_paid[] =
        "select orders.id from orders where orders.status != \"completed\"";
    static const struct read_as cases[] = {
        {"incomplete orders", paid, not_paid},
        {"uncompleted orders", paid, not_paid},
        {"completed orders", paid, paid},
        {"complete orders", paid, paid},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

/* reviews.review_year stands for a year of birth: its least cell is a year. */
static void reckons_ages_by_years(void **state)
{
#define REVIEWS(condition) "select reviews.id from reviews where " condition
    static const char age[] = REVIEWS("- year now reviews.review_year > 3");
    static const char younger[] = REVIEWS("- year now reviews.review_year < 3");
    static const struct read_as cases[] = {
        {"reviews older than 3 years", REVIEWS("reviews.review_year < 3"), age},
        {"reviews older than 3 years", REVIEWS("years now reviews.review_year > 3"), age},
        {"reviews over 3 years old with the most stars",
         REVIEWS("reviews.review_year > 3"), age},
        {"reviews younger than 3", REVIEWS("reviews.review_year > 3"), younger},
        {"average age of reviews",
         "select avg years now reviews.review_year from reviews",
         "select avg - year now reviews.review_year from reviews"},
        {"reviews older than 2010", REVIEWS("reviews.review_year < 2010"),
         REVIEWS("reviews.review_year < 2010")},
        {"reviews with 3 stars", REVIEWS("reviews.review_year > 3"),
         REVIEWS("reviews.review_year > 3")},
    };
    struct ir_shop *shop = *state;
    for (int i = 1; i < shop->ir->column_count; i++) {
        if (str_equal(shop->ir->columns[i].name, "review_year")) {
            ((struct column *)(uintptr_t)shop->ir->columns[i].source)->least = "1998";
        }
    }
    check(shop, cases, sizeof cases / sizeof *cases);
}

static void leaves_a_month_out(void **state)
{
#define YEAR "select count .* from orders where orders.ordered_at during 2024"
    static const char both[] = YEAR " and orders.ordered_at during \"--12\"";
    static const char without[] = YEAR " and not [ orders.ordered_at during \"--12\" ]";
    static const struct read_as cases[] = {
        {"orders in 2024 except december", both, without},
        {"orders in 2024 excluding December", both, without},
        {"orders in 2024 but not in december", both, without},
        {"orders in 2024 in december", both, both},
        {"orders in 2024 except june", both, both},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_the_side_of_a_day_before_today),
        cmocka_unit_test(knows_what_has_ended),
        cmocka_unit_test(reckons_ages_by_years),
        cmocka_unit_test(leaves_a_month_out),
        cmocka_unit_test(denies_the_state_or_the_period),
        cmocka_unit_test(leaves_the_month_out),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
