/* Queries written anew in forms that the network does not write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "unit/parser/mend_read.h"

static void adds_up_what_has_many_rows(void **state)
{
    static const char status[] =
        "select orders.status from orders order orders.total desc limit1";
    static const char product[] = "select products.name from products order_items order "
                                  "order_items.quantity desc limit1";
    static const struct read_as cases[] = {
        {"which status has the highest total", status,
         "select orders.status from orders group orders.status order sum orders.total "
         "desc limit1"},
        {"which product sold the largest quantity", product,
         "select products.name from products order_items group products.id order sum "
         "order_items.quantity desc limit1"},
        {"product and its amount, the 3 with the lowest quantity",
         "select products.name order_items.quantity from products order_items order "
         "order_items.quantity asc limit 3",
         "select products.name sum order_items.quantity from products order_items group "
         "products.id order sum order_items.quantity asc limit 3"},
        /* one row is meant, or no amount, or each row is one thing already */
        {"which product has the highest quantity in a single order", product, NULL},
        {"which product had the largest order line", product, NULL},
        {"which product was reviewed best",
         "select products.name from products reviews order reviews.stars desc limit1",
         NULL},
        {"which order has the highest total",
         "select orders.id from orders order orders.total desc limit1", NULL},
        {"which customer has the highest price quantity",
         "select products.name from products order products.price desc limit1", NULL},
    };
    CHECK(state, cases);
}

static void only_leaves_no_others(void **state)
{
#define OPEN  "orders.status = \"open\""
#define OTHER "orders.status != \"open\""
    static const char joined[] =
        "select distinct customers.first_name from customers orders where " OPEN;
    static const char counted[] =
        "select count_d orders.customer_id from orders where " OPEN;
    static const char listed[] =
        "select customers.last_name from customers where customers.id in ( select "
        "orders.customer_id from orders where " OPEN " )";
    static const char rome[] =
        "select orders.id from customers orders where customers.city = \"Rome\"";
    static const struct read_as cases[] = {
        {"customers who only have open orders", joined,
         "select customers.first_name from customers orders where " OPEN
         " and customers.id notin ( select customers.id from customers orders "
         "where " OTHER " ) group customers.id"},
        {"how many customers have exclusively open orders", counted,
         "select count_d orders.customer_id from orders where " OPEN
         " and orders.customer_id notin ( select orders.customer_id from orders "
         "where " OTHER " and orders.customer_id notnull )"},
        {"customers that placed only open orders", listed,
         "select customers.last_name from customers where customers.id in ( select "
         "orders.customer_id from orders where " OPEN
         " ) and customers.id notin ( select orders.customer_id from orders where " OTHER
         " and orders.customer_id notnull )"},
        {"customers who ordered only in 2024",
         "select customers.last_name from customers orders where orders.ordered_at "
         "during 2024",
         "select customers.last_name from customers orders where orders.ordered_at "
         "during 2024 and customers.id notin ( select customers.id from customers orders "
         "where not [ orders.ordered_at during 2024 ] ) group customers.id"},
        /* an order has one customer; and what "only" does not say */
        {"orders that come only from Rome", rome, NULL},
        {"show only customers with open orders", joined, NULL},
        {"the only customers with open orders", joined, NULL},
        {"customers with only 2 open orders", joined, NULL},
        {"customers with open orders only", joined, NULL},
        {"customers with open orders", joined, NULL},
    };
    CHECK(state, cases);
}

static void counts_for_each(void **state)
{
    static const char all[] = "select ( select count .* from order_items ) ( select "
                              "count .* from reviews ) from order_items limit1";
    static const char each[] =
        "select products.name ( select count .* from order_items where "
        "order_items.product_id = outer products.id ) ( select count .* from reviews "
        "where reviews.product_id = outer products.id ) from products";
    static const struct read_as cases[] = {
        {"number of order items and number of reviews per product", all, each},
        {"how many order items and reviews does each product have", all, each},
        {"number of order items and number of reviews", all, NULL},
        {"number of order items and number of reviews per customer", all, NULL},
        {"ratio of reviews to order items per product",
         "select ratio ( select count .* from reviews ) ( select count .* from "
         "order_items ) from reviews limit1",
         "select products.name ratio ( select count .* from reviews where "
         "reviews.product_id = outer products.id ) ( select count .* from order_items "
         "where order_items.product_id = outer products.id ) from products"},
    };
    CHECK(state, cases);
}

/* Before candidates are judged: only with values that are there. */
static void denies_what_is_denied(void **state)
{
    static const char ends[] = "select count .* from customers orders where "
                               "customers.city = \"Rome\" and orders.shipped_at isnull";
    static const struct read_as cases[] = {
        {"orders that did not ship to Rome", ends,
         "select count .* from customers orders where customers.city != \"Rome\""},
        {"orders from Rome that have not been shipped", ends, NULL},
        {"stars in march 2024",
         "select sum reviews.stars from reviews where reviews.review_month = \"March\" "
         "and reviews.review_year = \"2024-03\"",
         NULL},
        {"stars in march of 2024",
         "select sum reviews.stars from reviews where reviews.review_month = \"March\" "
         "and reviews.review_year = \"2024-03\" and reviews.stars = 2024",
         "select sum reviews.stars from reviews where reviews.review_month = \"March\" "
         "and reviews.review_year = 2024 and reviews.stars = 2024"},
    };
    check(*state, cases, sizeof cases / sizeof *cases, true);
}

/* In a table that refers to itself. */
static void takes_the_named_side(void **state)
{
    static const char with[] =
        "select customers.last_name from customers where customers.referrer_id notnull";
    static const char without[] =
        "select customers.last_name from customers where customers.referrer_id isnull";
    static const char named[] =
        "select customers.last_name from customers where customers.id in ( select "
        "customers.referrer_id from customers where customers.referrer_id notnull )";
    static const char none[] =
        "select customers.last_name from customers where customers.id notin ( select "
        "customers.referrer_id from customers where customers.referrer_id notnull )";
    static const struct read_as cases[] = {
        {"customers who referred someone", with, named},
        {"customers who are also referrers", with, named},
        {"customers who never referred anyone", with, none},
        {"customers who referred nobody", without, none},
        {"how many customers referred no one?", without, none},
        {"customers who have never referred a customer", without, none},
        {"customers who referred no other", without, none},
        {"which customers were never a referrer?", without, none},
        {"customers who have never been referrers", without, none},
        {"customers nobody referred", without, NULL},
        {"customers who were referred by nobody", without, NULL},
        {"customers without a referrer", without, NULL},
        {"customers who were never referred by a customer", without, NULL},
        {"how many referred customers are there?", with, NULL},
        {"customers who were referred by someone", with, NULL},
        {"customers with a referrer", with, NULL},
    };
    CHECK(state, cases);
}

/* Levels are averaged, what people add up is not. */
static void averages_levels(void **state)
{
#define STARS_IN(period) "if reviews.posted_time during \"" period "\" then reviews.stars"
    static const char stars[] = "select - sum " STARS_IN(
        "2024") " else \"0\" sum " STARS_IN("2023") " else \"0\" from reviews";
    static const char totals[] =
        "select - sum if orders.ordered_at during \"2024\" then orders.total else \"0\" "
        "sum "
        "if orders.ordered_at during \"2023\" then orders.total else \"0\" from orders";
    static const struct read_as cases[] = {
        {"change of the stars from 2023 to 2024", stars,
         "select - avg " STARS_IN("2024") " avg " STARS_IN("2023") " from reviews"},
        {"change of the total stars from 2023 to 2024", stars, NULL},
        {"change of the orders from 2023 to 2024", totals, NULL},
    };
    CHECK(state, cases);
}

static void finds_the_side_of_a_condition(void **state)
{
#define UPPER  "customers via t2 customers.referrer_id t2 customers"
#define RANKED " group customers.id order count .* desc limit1"
    static const char most[] = "select customers.last_name from " UPPER
                               " where customers.city = \"partner\"" RANKED;
    static const char both[] = "select count .* from customers t2 customers where t2 "
                               "customers.last_name = \"Lang\" and t2 customers.city = "
                               "\"partner\"";
    static const char lower[] = "select customers.last_name from customers t2 customers "
                                "where t2 customers.city = \"partner\"";
    static const struct read_as cases[] = {
        {"who refers the most partners", most,
         "select customers.last_name from " UPPER
         " where t2 customers.city = \"partner\"" RANKED},
        {"which partner refers the most customers", most, NULL},
        {"how many partners does Lang refer", both,
         "select count .* from customers t2 customers where t2 customers.last_name = "
         "\"Lang\" and customers.city = \"partner\""},
        {"customers who refer partners", lower,
         "select customers.last_name from " UPPER
         " where t2 customers.city = \"partner\" group customers.id"},
        {"customers whose referrer is a partner", lower, NULL},
        /* each of those who are named once */
        {"referrers in Rome",
         "select customers.last_name from " UPPER " where customers.city = \"Rome\"",
         "select customers.last_name from " UPPER
         " where customers.city = \"Rome\" group customers.id"},
    };
    CHECK(state, cases);
}

static void adds_up_each_document(void **state)
{
    static const char lines[] = "select avg order_items.price from order_items";
    static const char whole[] = "select ratio sum order_items.price count_d "
                                "order_items.order_id from order_items";
    static const char counted[] =
        "select ratio count .* count_d orders.customer_id from orders";
    static const struct read_as cases[] = {
        {"average revenue per order", lines, whole},
        {"average order value", lines, whole},
        {"average price per order", lines, NULL},
        {"average revenue per product", lines, NULL},
        {"average value of order lines", lines, NULL},
        {"average revenue per order",
         "select order_items.order_id avg order_items.price from order_items group "
         "order_items.order_id",
         whole},
        {"average order per customer", counted,
         "select ratio sum orders.total count_d orders.customer_id from orders"},
        {"average number of orders per customer", counted, NULL},
        {"average orders per customer", counted, NULL},
        {"average spend per customer",
         "select customers.last_name avg orders.total from orders customers group "
         "customers.id",
         "select ratio sum orders.total count_d customers.id from orders customers"},
        {"average price per customer",
         "select customers.last_name avg orders.total from orders customers group "
         "customers.id",
         NULL},
        {"average spend per customer, the top 3",
         "select customers.last_name avg orders.total from orders customers group "
         "customers.id order avg orders.total desc limit 3",
         NULL},
    };
    CHECK(state, cases);
}

static void takes_free_for_a_price_of_zero(void **state)
{
    static const char all[] = "select .* from products";
    static const char zero[] = "select .* from products where products.price = 0";
    static const char missing[] =
        "select percent count if products.stock isnull then .* count .* from products";
    static const char share[] =
        "select percent count if products.price = 0 then .* count .* from products";
    static const struct read_as cases[] = {
        {"free products", all, zero},
        {"products that are free of charge",
         "select .* from products where products.price isnull", zero},
        {"products free of sugar", all, NULL},
        {"gluten-free products", all, NULL},
        {"products with free seats", all, NULL},
        {"free orders", "select .* from orders", NULL}, /* no price */
        {"what fraction of the products were free", missing, share},
        {"share of free products", missing, share},
        {"what percentage of products were free",
         "select percent count if products.price = 0 then .* count .* from products",
         share},
        {"what percentage of free products was sold", missing,
         "select percent count if products.stock isnull then .* count .* from products "
         "where products.price = 0"},
    };
    CHECK(state, cases);
}

/* Of a thing that has the most of something per something else. */
static void orders_by_the_ratio(void **state)
{
    static const char cities[] = "select customers.city from customers orders group "
                                 "customers.city order count .* desc limit1";
    static const char open[] =
        "select customers.city from customers orders where orders.status = \"open\" "
        "group customers.city order count .* desc limit1";
    static const struct read_as cases[] = {
        {"which city has the most orders per customer", cities,
         "select customers.city ratio count orders.id count_d customers.id from "
         "customers left orders group customers.city order ratio count orders.id count_d "
         "customers.id desc limit1"},
        {"which city has the most open orders per order", open,
         "select customers.city ratio count if orders.status = \"open\" then .* count "
         ".* from customers orders group customers.city order ratio count if "
         "orders.status = \"open\" then .* count .* desc limit1"},
        {"which city has the most orders", cities, NULL},
        {"which city has the most orders per month", cities, NULL},
        /* one of each group */
        {"which product has the most reviews per category",
         "select products.name from products reviews group products.id order count .* "
         "desc limit1",
         NULL},
    };
    CHECK(state, cases);
}

static void shows_the_things_asked_for(void **state)
{
    static const char count[] =
        "select count .* from products where products.stock isnull";
    static const char newest[] = "select customers.last_name from customers order "
                                 "customers.created_on desc limit1";
    static const char months[] =
        "select month orders.ordered_at max orders.total from orders group month "
        "orders.ordered_at";
    static const struct read_as cases[] = {
        {"products without a stock count", count,
         "select .* from products where products.stock isnull"},
        {"count of products without stock", count, NULL},
        {"how many products are without a stock count", count, NULL},
        {"newest customers", newest,
         "select customers.last_name from customers order customers.created_on desc"},
        {"newest customer", newest, NULL},
        {"which is the newest of the customers", newest, NULL},
        {"highest monthly total", months,
         "select month orders.ordered_at sum orders.total from orders group month "
         "orders.ordered_at order sum orders.total desc limit1"},
        {"highest total per month", months, NULL},
    };
    CHECK(state, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_up_what_has_many_rows),
        cmocka_unit_test(only_leaves_no_others),
        cmocka_unit_test(counts_for_each),
        cmocka_unit_test(denies_what_is_denied),
        cmocka_unit_test(takes_the_named_side),
        cmocka_unit_test(shows_the_things_asked_for),
        cmocka_unit_test(averages_levels),
        cmocka_unit_test(finds_the_side_of_a_condition),
        cmocka_unit_test(adds_up_each_document),
        cmocka_unit_test(takes_free_for_a_price_of_zero),
        cmocka_unit_test(orders_by_the_ratio),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
