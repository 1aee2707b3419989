/* Queries written anew in forms that the network does not write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/search/mend/mend.h"
#include "parser/words/tokens.h"
#include "unit/parser/ir_shop.h"

struct read_as {
    const char *question;
    const char *before;
    const char *after; /* NULL: the same */
};

static void check(struct ir_shop *shop, const struct read_as *cases, size_t count,
                  bool known)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        struct ir_values values = {0};
        struct ir_tokens before = {0};
        struct ir_tokens after = {0};
        struct tokens words;
        tokens_split(shop->arena, cases[i].question, &words);
        ir_shop_read(shop, cases[i].before, &before, &values);
        const struct mend_request request = {.schema = shop->ir,
                                             .question = cases[i].question,
                                             .words = &words,
                                             .today = "2026-11-19",
                                             .values = &values,
                                             .adds = !known};
        after = before;
        if (known) {
            mend_known(shop->arena, &request, &after);
        } else {
            mend_query(shop->arena, &request, &before, &after);
        }
        const char *got = ir_shop_print(shop, &after, &values);
        const char *wanted = cases[i].after ? cases[i].after : cases[i].before;
        if (!str_equal(got, wanted)) {
            wrong++;
            print_error("%s: %s\n", cases[i].question, got);
        }
    }
    assert_int_equal(wrong, 0);
}

#define CHECK(state, cases)                                                              \
    check(*(state), (cases), sizeof(cases) / sizeof *(cases), false)

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

static void add_statistics(struct schema *schema)
{
    static const struct {
        const char *table, *column;
        int64_t distinct;
    } columns[] = {{"orders", "status", 4},
                   {"orders", "customer_id", 20},
                   {"orders", "id", 100},
                   {"order_items", "product_id", 10},
                   {"reviews", "product_id", 10}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        for (size_t t = 0; t < schema->tables.count; t++) {
            struct table *table = &schema->tables.items[t];
            table->row_count = 100;
            for (size_t c = 0; c < table->columns.count; c++) {
                struct column *column = &table->columns.items[c];
                bool same = str_equal(table->name, columns[i].table) &&
                            str_equal(column->name, columns[i].column);
                column->distinct = same ? columns[i].distinct : column->distinct;
                column->least = str_equal(column->name, "price") ? "0" : column->least;
            }
        }
    }
}

static int set_up(void **state)
{
    static struct ir_shop shop;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t t = 0; t < shop.schema->tables.count; t++) {
        struct table *table = &shop.schema->tables.items[t];
        if (str_equal(table->name, "reviews")) {
            struct column *column =
                table_add_column(shop.schema, table, "review_month", "TEXT");
            column->is_text = true;
            VEC_PUSH(shop.schema->arena, &column->samples, "May");
            VEC_PUSH(shop.schema->arena, &column->samples, "January");
        }
    }
    add_statistics(shop.schema);
    shop.ir = ir_schema_new(shop.arena, shop.schema);
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
        cmocka_unit_test(adds_up_what_has_many_rows),
        cmocka_unit_test(only_leaves_no_others),
        cmocka_unit_test(counts_for_each),
        cmocka_unit_test(parts_month_and_year),
        cmocka_unit_test(goes_as_far_last_year),
        cmocka_unit_test(denies_what_is_denied),
        cmocka_unit_test(takes_the_named_hour),
        cmocka_unit_test(ends_a_span_at_its_hour),
        cmocka_unit_test(compares_in_the_unit_of_the_number),
        cmocka_unit_test(begins_what_is_left_today),
        cmocka_unit_test(takes_the_named_side),
        cmocka_unit_test(shows_the_things_asked_for),
        cmocka_unit_test(adds_up_a_month),
        cmocka_unit_test(averages_levels),
        cmocka_unit_test(compares_days),
        cmocka_unit_test(finds_the_side_of_a_condition),
        cmocka_unit_test(adds_up_each_document),
        cmocka_unit_test(takes_free_for_a_price_of_zero),
        cmocka_unit_test(orders_by_the_ratio),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
