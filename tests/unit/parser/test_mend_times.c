/* The same for periods, hours and durations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "unit/parser/mend_read.h"

static void parts_month_and_year(void **state)
{
    static const struct read_as cases[] = {
        {"stars in march 2024",
         "select sum reviews.stars from reviews where reviews.review_year = \"2024-03\"",
         "select sum reviews.stars from reviews where reviews.review_year = 2024 and "
         "reviews.review_month = \"March\""},
        {"stars in the first quarter of 2024",
         "select sum reviews.stars from reviews where reviews.review_year = \"2024-Q1\"",
         "select sum reviews.stars from reviews where reviews.review_year = 2024 and "
         "reviews.review_month in \"January\" \"February\" \"March\""},
        {"stars in 2024",
         "select sum reviews.stars from reviews where reviews.review_year = \"2024\"",
         NULL},
    };
    CHECK(state, cases);
}

static void goes_as_far_last_year(void **state)
{
    static const char both[] =
        "select orders.id from orders where orders.ordered_at during this u_year or "
        "orders.ordered_at during last u_year";
    static const struct read_as cases[] = {
        {"orders year to date vs same period last year", both,
         "select orders.id from orders where orders.ordered_at during this u_year or "
         "orders.ordered_at during \"2025-01-01/2025-11-19\""},
        {"orders this year vs last year", both, NULL},
    };
    CHECK(state, cases);
}

static void takes_the_named_hour(void **state)
{
    static const char later[] =
        "select count .* from orders where hour_of orders.ordered_at >= 15";
    static const char named[] =
        "select count .* from orders where hour_of orders.ordered_at = 15";
    static const struct read_as cases[] = {
        {"how many orders start at 15:00?", later, named},
        {"how many orders begin at 3 pm?", later, named},
        {"how many orders start at 15:00 or later?", later, NULL},
        {"how many orders came after 15:00?", later, NULL},
        {"how many orders start at 15:30?", later, NULL},
    };
    CHECK(state, cases);
}

/* An hour stands for all its minutes: a span ends before the second one. */
static void ends_a_span_at_its_hour(void **state)
{
#define HOUR                "hour_of orders.ordered_at"
#define AT_HOUR(comparison) "select count .* from orders where " HOUR " " comparison
    static const char open[] = AT_HOUR(">= 7 and " HOUR " < 9");
    static const struct read_as cases[] = {
        {"orders between 7 and 9 in the morning", AT_HOUR("between 7 9"), open},
        {"orders from 7 to 9", AT_HOUR("between 7 9"), open},
        {"orders from 7 am to 9 am", AT_HOUR(">= 7 and " HOUR " <= 9"), open},
        {"orders between 14:00 and 16:00", AT_HOUR("between 14 16"),
         AT_HOUR(">= 14 and " HOUR " < 16")},
        {"orders between 9 and noon", AT_HOUR("between 9 12"),
         AT_HOUR(">= 9 and " HOUR " < 12")},
        {"orders between 10 pm and 2 am", AT_HOUR("between 22 2"),
         AT_HOUR(">= 22 or " HOUR " < 2")},
        {"orders after 5 pm", AT_HOUR("> 17"), AT_HOUR(">= 17")},
        {"orders after noon", AT_HOUR("> 12"), AT_HOUR(">= 12")},
        /* whole hours, or no span of them */
        {"orders in the hours 7 to 9", AT_HOUR("between 7 9"), NULL},
        {"orders from 7 to 9 inclusive", AT_HOUR("between 7 9"), NULL},
        {"orders between 7:00 and 9:30", AT_HOUR("between 7 9"), NULL},
        {"orders whose hour is more than 17", AT_HOUR("> 17"), NULL},
    };
    CHECK(state, cases);
}

/* A number of weeks is no number of days; months are those of the calendar. */
static void compares_in_the_unit_of_the_number(void **state)
{
#define SHIPPED           "days orders.shipped_at orders.ordered_at"
#define LATER(comparison) "select count .* from orders where " SHIPPED " " comparison
#define BY_DAY(comparison, rest)                                                         \
    "select count .* from orders where day orders.shipped_at " comparison                \
    " shift day orders.ordered_at " rest
    static const struct read_as cases[] = {
        {"orders that took longer than 2 weeks to ship", LATER("> 2"), LATER("> 14")},
        {"orders shipped within two weeks", LATER("<= 2"), LATER("<= 14")},
        {"orders that took more than a week", LATER("> \"1\""), LATER("> 7")},
        {"orders that took 2 to 3 weeks", LATER("between 2 3"), LATER("between 14 21")},
        {"orders shipped within 1.5 months", LATER("<= 1.5"), LATER("<= 46")},
        {"orders that took more than a month", LATER("> \"1\""),
         BY_DAY(">", "\"1\" u_month")},
        {"orders shipped within 2 years", LATER("<= 2"), BY_DAY("<=", "2 u_year")},
        {"customers who ordered more than 2 quarters after they came",
         "select customers.id from customers orders where hours orders.ordered_at "
         "customers.created_on > 2",
         "select customers.id from customers orders where day orders.ordered_at > shift "
         "customers.created_on 2 u_quarter"},
        {"share of orders shipped within two weeks",
         "select count if " SHIPPED " <= 2 then .* from orders",
         "select count if " SHIPPED " <= 14 then .* from orders"},
        /* another number, or its unit is the right one */
        {"orders of the last 2 weeks that took more than 2 days", LATER("> 2"), NULL},
        {"orders that took more than 36 hours in 2 weeks", LATER("> 36"), NULL},
        {"orders shipped within a week", LATER("<= 7"), NULL},
        /* how many there are of a unit */
        {"average number of weeks to ship", "select avg " SHIPPED " from orders",
         "select avg ratio " SHIPPED " 7 from orders"},
        {"how many months does shipping take on average?",
         "select avg " SHIPPED " from orders",
         "select avg months orders.shipped_at orders.ordered_at from orders"},
        {"average time to ship of the last 3 weeks", "select avg " SHIPPED " from orders",
         NULL},
    };
    CHECK(state, cases);
}

/* What is left goes from today, 19 November 2026, to the end of the period. */
static void begins_what_is_left_today(void **state)
{
#define ORDERS_IN(period)                                                                \
    "select count .* from orders where orders.ordered_at during " period
    static const char month[] = ORDERS_IN("this u_month");
    static const char rest[] = ORDERS_IN("\"2026-11-19/2026-11-30\"");
    static const struct read_as cases[] = {
        {"how many orders are left this month?", month, rest},
        {"orders that remain this month", month, rest},
        {"the remaining orders of this month", month, rest},
        {"orders for the rest of the month", month, rest},
        {"how many orders do we have left in november?", ORDERS_IN("\"--11\""), rest},
        {"orders left: how many are left in november 2026", ORDERS_IN("\"2026-11\""),
         rest},
        {"how many orders this week are left?", ORDERS_IN("this u_week"),
         ORDERS_IN("\"2026-11-19/2026-11-22\"")},
        {"how many orders are left this quarter?", ORDERS_IN("this u_quarter"),
         ORDERS_IN("\"2026-11-19/2026-12-31\"")},
        {"how many orders are left in Q4 2026?", ORDERS_IN("\"2026-Q4\""),
         ORDERS_IN("\"2026-11-19/2026-12-31\"")},
        {"how many orders are left in 2026?", ORDERS_IN("\"2026\""),
         ORDERS_IN("\"2026-11-19/2026-12-31\"")},
        {"how many orders are left in 2025?", ORDERS_IN("\"2025\""), NULL},
        {"how many orders are left of last month?", ORDERS_IN("last u_month"), NULL},
        {"how many customers left this month?", month, NULL},
        {"how many customers have left this month?", month, NULL},
        {"which orders remain open this month?", month, NULL},
        {"how many orders this month?", month, NULL},
    };
    CHECK(state, cases);
}

static void adds_up_a_month(void **state)
{
#define MAY "where reviews.review_month = \"May\" and reviews.review_year = \"2024\""
    static const char all[] =
        "select order_items.quantity from order_items products reviews " MAY;
    static const struct read_as cases[] = {
        {"quantity sold in may 2024", all,
         "select sum order_items.quantity from order_items products reviews " MAY},
        {"list the quantity sold in may 2024", all, NULL},
        {"quantity of each order in may 2024", all, NULL},
        {"stars in may 2024", "select reviews.stars from reviews " MAY, NULL},
    };
    CHECK(state, cases);
}

static void compares_days(void **state)
{
    static const char counted[] = "select count .* from orders customers where days "
                                  "orders.ordered_at customers.created_on <= \"1\"";
    static const char before[] = "select orders.id from orders customers where "
                                 "orders.ordered_at < customers.created_on";
    static const char same[] = "select count .* from orders customers where day "
                               "orders.ordered_at = day customers.created_on";
    static const struct read_as cases[] = {
        {"how many orders were placed on the day of the registration", counted, same},
        {"how many orders on the same day as the registration", counted, same},
        {"orders before the day of the registration", before,
         "select orders.id from orders customers where day orders.ordered_at < day "
         "customers.created_on"},
        {"orders before the registration", before, NULL},
        {"orders on the day of 3 may", counted, NULL},
    };
    CHECK(state, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_month_and_year),
        cmocka_unit_test(goes_as_far_last_year),
        cmocka_unit_test(takes_the_named_hour),
        cmocka_unit_test(ends_a_span_at_its_hour),
        cmocka_unit_test(compares_in_the_unit_of_the_number),
        cmocka_unit_test(begins_what_is_left_today),
        cmocka_unit_test(adds_up_a_month),
        cmocka_unit_test(compares_days),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
