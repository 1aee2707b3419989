/* IR into SQL: every keyword, the joins, and what must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "parser/to_sql/rebuild.h"
#include "sql/guard.h"
#include "unit/parser/ir_shop.h"

static const struct {
    const char *ir;
    const char *sql;
} cases[] = {
#include "unit/parser/rebuild_cases.def"
};

enum { CASE_COUNT = sizeof cases / sizeof *cases };

static bool rebuild(struct ir_shop *shop, const char *ir, enum dialect dialect,
                    struct rebuild_result *result, struct err *err)
{
    struct ir_tokens tokens;
    struct ir_values values;
    ir_shop_read(shop, ir, &tokens, &values);
    struct rebuild_request request = {
        .schema = shop->ir, .values = &values, .dialect = dialect, .today = "2024-05-15"};
    return rebuild_sql(shop->arena, &request, &tokens, result, err);
}

static void writes_sqlite(void **state)
{
    struct ir_shop shop;
    struct rebuild_result result;
    struct err err;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        if (!rebuild(&shop, cases[i].ir, DIALECT_SQLITE, &result, &err)) {
            fail_msg("%s: %s", cases[i].ir, err.message);
        }
        assert_string_equal(result.sql, cases[i].sql);
    }
    ir_shop_release(&shop);
}

/* The other dialects: the guard, which reads each of them, must find nothing wrong. */
static void passes_the_guard(void **state)
{
    (void)state;
    for (int dialect = 0; dialect < DIALECT_ODBC; dialect++) {
        struct ir_shop shop;
        struct rebuild_result result;
        struct guard_result guard;
        struct err err;
        ir_shop_init(&shop, (enum dialect)dialect);
        for (size_t i = 0; i < CASE_COUNT; i++) {
            if (!rebuild(&shop, cases[i].ir, (enum dialect)dialect, &result, &err)) {
                fail_msg("%s: %s", cases[i].ir, err.message);
            }
            guard_check(shop.arena, (enum dialect)dialect, result.sql, strlen(result.sql),
                        shop.schema, &guard);
            if (guard.verdict != GUARD_READ || guard.unknown.count) {
                fail_msg("%s: %s\n%s", dialect_name((enum dialect)dialect), result.sql,
                         guard.unknown.count ? guard.unknown.items[0] : guard.reason);
            }
        }
        ir_shop_release(&shop);
    }
}

/* Ranges are cut and called as the question says. */
static void cuts_as_asked(void **state)
{
    static const struct {
        const char *cuts;
        const char *question;
        const char *ranges;
    } asked[] = {
        {"10 50", NULL,
         "price < 10 THEN 'under 10' WHEN price < 50 THEN '10 to under 50' WHEN "
         "price >= 50 THEN '50 and over'"},
        {"10 50", "products under 10, 10 to 50 and over 50",
         "price < 10 THEN 'under 10' WHEN price <= 50 THEN '10 to 50' WHEN price > 50 "
         "THEN 'over 50'"},
        {"10 50", "products up to $10, more than $ 10 up to $50, and above",
         "price <= 10 THEN 'up to 10' WHEN price <= 50 THEN 'over 10 to 50' WHEN price > "
         "50 THEN 'over 50'"},
        {"10 50", "products below 10, between 10 and 50, 50+",
         "price < 10 THEN 'under 10' WHEN price < 50 THEN '10 to under 50' WHEN price >= "
         "50 THEN '50 and over'"},
        {"10 50", "how many small (<10), medium (10-50) and large (>50) products",
         "price < 10 THEN 'small' WHEN price <= 50 THEN 'medium' WHEN price > 50 THEN "
         "'large'"},
        {"50 49 10", "below 10, 10 to 49, 50 and more",
         "price < 10 THEN 'under 10' WHEN price < 50 THEN '10 to under 50' WHEN price >= "
         "50 THEN '50 and over'"},
        {"40000 80000", "under 40k, 40k to 80k, more than 80k",
         "price < 40000 THEN 'under 40000' WHEN price <= 80000 THEN '40000 to 80000' "
         "WHEN price > 80000"},
        {"10 50", "by price: 0 - 9, 10 to 49, 50 and more",
         "price < 10 THEN 'under 10' WHEN "
         "price < 50 THEN '10 to under 50'"},
        {"10 50", "large, medium and small ones: 50 or more, from 10, less than 10",
         "price < 10 THEN 'under 10' WHEN price < 50 THEN '10 to under 50' WHEN price >= "
         "50 THEN '50 and over'"},
        {"10 50", "10",
         "price < 10 THEN 'under 10' WHEN price < 50 THEN '10 to under 50' WHEN "
         "price >= 50 THEN '50 and over'"},
    };
    struct ir_shop shop;
    struct ir_tokens tokens;
    struct ir_values values;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct rebuild_request request = {.schema = shop.ir,
                                          .values = &values,
                                          .dialect = DIALECT_SQLITE,
                                          .question = asked[i].question};
        struct rebuild_result result;
        struct err err;
        char ir[100];
        (void)snprintf(ir, sizeof ir, "select bucket products.price %s from products",
                       asked[i].cuts);
        ir_shop_read(&shop, ir, &tokens, &values);
        assert_true(rebuild_sql(shop.arena, &request, &tokens, &result, &err));
        if (!strstr(result.sql, asked[i].ranges)) {
            fail_msg("%s: %s", asked[i].question, result.sql);
        }
    }
    ir_shop_release(&shop);
}

static void has_every_keyword(void **state)
{
    bool seen[IR_KEYWORD_COUNT] = {[IR_PAD] = true, [IR_BEGIN] = true, [IR_END] = true};
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        struct ir_tokens tokens;
        struct ir_values values;
        ir_shop_read(&shop, cases[i].ir, &tokens, &values);
        for (size_t j = 0; j < tokens.count; j++) {
            if (tokens.items[j].kind == IR_KEYWORD) {
                seen[tokens.items[j].index] = true;
            }
        }
    }
    for (int i = 0; i < IR_KEYWORD_COUNT; i++) {
        if (!seen[i]) {
            fail_msg("no case has '%s'", ir_keyword_text(i));
        }
    }
    ir_shop_release(&shop);
}

static const struct dialect_case {
    enum dialect dialect;
    const char *ir;
    const char *sql;
} dialect_cases[] = {
    {DIALECT_POSTGRES,
     "select month orders.ordered_at count .* from orders group month "
     "orders.ordered_at",
     "SELECT to_char(ordered_at, 'YYYY-MM') AS month, COUNT(*) FROM orders GROUP BY "
     "month"},
    {DIALECT_POSTGRES, "select round avg orders.total from orders",
     "SELECT ROUND(CAST(AVG(total) AS NUMERIC), 2) FROM orders"},
    {DIALECT_POSTGRES,
     "select customers.last_name from customers where customers.active = "
     "!1 and customers.city like_c \"x\"",
     "SELECT last_name FROM customers WHERE active = TRUE AND city ILIKE '%x%'"},
    {DIALECT_POSTGRES,
     "select categories.name count .* from categories products group "
     "categories.id",
     "SELECT categories.name, COUNT(*) FROM categories JOIN products ON categories.id = "
     "products.category_id GROUP BY categories.id, categories.name"},
    {DIALECT_POSTGRES, "select ratio sum orders.total count .* from orders",
     "SELECT 1.0 * SUM(total) / NULLIF(COUNT(*), 0) FROM orders"},
    {DIALECT_MYSQL, "select quarter orders.ordered_at from orders",
     "SELECT CONCAT(YEAR(ordered_at), '-Q', QUARTER(ordered_at)) FROM orders"},
    {DIALECT_MYSQL,
     "select addresses.postal~code from addresses where addresses.city = "
     "\"a\\b'c\"",
     "SELECT `postal code` FROM addresses WHERE city = 'a\\\\b''c'"},
    {DIALECT_BIGQUERY,
     "select orders.id from orders union select reviews.id from reviews",
     "SELECT id FROM orders UNION DISTINCT SELECT id FROM reviews"},
    {DIALECT_BIGQUERY,
     "select percent count if orders.status = \"it's\" then .* count .* "
     "from orders",
     "SELECT 100 * SAFE_DIVIDE(COUNT(CASE WHEN status = 'it\\'s' THEN 1 END), COUNT(*)) "
     "FROM orders"},
    {DIALECT_CLICKHOUSE, "select week orders.ordered_at from orders",
     "SELECT toMonday(ordered_at) FROM orders"},
    {DIALECT_DUCKDB,
     "select month reviews.posted_time from reviews where "
     "reviews.posted_time during 2024",
     "SELECT strftime(to_timestamp(posted_time), '%Y-%m') FROM reviews WHERE posted_time "
     ">= 1704067200 AND posted_time < 1735689600"},
};

static void writes_other_dialects(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof dialect_cases / sizeof *dialect_cases; i++) {
        const struct dialect_case *row = &dialect_cases[i];
        struct ir_shop shop;
        struct rebuild_result result;
        struct err err;
        ir_shop_init(&shop, row->dialect);
        if (!rebuild(&shop, row->ir, row->dialect, &result, &err)) {
            fail_msg("%s: %s", row->ir, err.message);
        }
        assert_string_equal(result.sql, row->sql);
        ir_shop_release(&shop);
    }
}

/* Sound in shape, but without a meaning. */
static const char *const refused[] = {
    "select orders.id from orders where orders.status = !<unknown>",
    "select orders.id from orders limit \"many\"",
    "select orders.id from orders limit -1",
    "select item1 from orders",
    "select item2 from ( select orders.id from orders )",
    "select orders.id from ( select orders.id from orders )",
    "select t2 orders.id from orders",
    "select orders.id from t2 orders",
    "select orders.id from orders orders",
    "select products from orders",
    "select orders.id from orders where orders.id in ( select .* from orders )",
    "select orders.id from orders where orders.id in ( select outer products.id from "
    "reviews )",
    "select orders.id from orders products via customers.city",
    "select orders.id from orders on orders.id orders.total",
    "select orders.id from orders union select orders.id orders.total from orders",
    "select orders.id from orders union select orders.id from orders order orders.total "
    "asc",
    "select prev sum orders.total from orders",
    "select orders.id from orders where orders.ordered_at during \"soon\"",
    "select orders.id from orders where orders.ordered_at during \"2024-13\"",
    "select orders.id from orders where orders.ordered_at during \"2023-02-29\"",
    "select orders.id from orders where orders.ordered_at during last 999999 u_year",
    "select reviews.id from reviews where reviews.review_year during last u_month",
};

static void refuses(void **state)
{
    struct ir_shop shop;
    struct rebuild_result result;
    struct err err;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (rebuild(&shop, refused[i], DIALECT_SQLITE, &result, &err)) {
            fail_msg("%s became %s", refused[i], result.sql);
        }
        assert_true(err.message[0] != '\0');
    }
    ir_shop_release(&shop);
}

static void uses_words_of_the_question(void **state)
{
    struct ir_shop shop;
    struct ir_tokens tokens;
    struct ir_values values;
    struct rebuild_result result;
    struct err err;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    ir_shop_read(&shop, "select addresses.city from addresses orders", &tokens, &values);
    struct rebuild_request request = {
        .schema = shop.ir, .values = &values, .question = "where do we ship to?"};
    assert_true(rebuild_sql(shop.arena, &request, &tokens, &result, &err));
    assert_non_null(strstr(result.sql, "ship_address_id"));
    request.question = "cities of the bills";
    assert_true(rebuild_sql(shop.arena, &request, &tokens, &result, &err));
    assert_non_null(strstr(result.sql, "bill_address_id"));
    ir_shop_release(&shop);
}

/* "lamp" is near the cell Lamps, but what a name contains is what was said. */
static void looks_for_what_was_said(void **state)
{
    struct ir_shop shop;
    struct ir_tokens tokens;
    struct ir_values values;
    struct rebuild_result result;
    struct err err;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    ir_shop_read(&shop,
                 "select products.name from products where products.name like_c "
                 "\"Lamps\" or products.name = \"Lamps\"",
                 &tokens, &values);
    values.items[0].said = "lamp";
    struct rebuild_request request = {.schema = shop.ir, .values = &values};
    assert_true(rebuild_sql(shop.arena, &request, &tokens, &result, &err));
    assert_non_null(strstr(result.sql, "LIKE '%lamp%' OR name = 'Lamps'"));
    ir_shop_release(&shop);
}

/* Names for people, where they say it all and are no column's. */
static void gives_headings(void **state)
{
    static const struct {
        const char *ir, *sql;
    } named[] = {
        {"select customers.city count .* from customers group customers.city order count "
         ".* desc",
         "SELECT city, COUNT(*) AS count FROM customers GROUP BY city ORDER BY count "
         "DESC"},
        {"select sum orders.total count_d orders.customer_id from orders",
         "SELECT SUM(total) AS sum_total, COUNT(DISTINCT customer_id) AS "
         "count_customer_id FROM orders"},
        {"select sum * order_items.quantity order_items.price from order_items",
         "SELECT SUM(quantity * price) AS total FROM order_items"},
        {"select orders.id from orders where orders.total = ( select max orders.total "
         "from "
         "orders )",
         "SELECT id FROM orders WHERE total = (SELECT MAX(total) FROM orders)"},
    };
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        struct ir_tokens tokens;
        struct ir_values values;
        struct rebuild_result result;
        struct err err;
        ir_shop_read(&shop, named[i].ir, &tokens, &values);
        struct rebuild_request request = {
            .schema = shop.ir, .values = &values, .headings = true};
        assert_true(rebuild_sql(shop.arena, &request, &tokens, &result, &err));
        assert_string_equal(result.sql, named[i].sql);
    }
    ir_shop_release(&shop);
}

static void says_it_in_words(void **state)
{
    static const struct {
        const char *ir;
        const char *words;
    } rows[] = {
        {"select count .* from orders where orders.ordered_at during last u_month",
         "The number of orders, where ordered at is in the previous month."},
        {"select count .* from orders where orders.ordered_at during ago 2 u_month",
         "The number of orders, where ordered at is in the month 2 months ago."},
        {"select customers.last_name sum orders.total from customers orders group "
         "customers.id order sum orders.total desc limit 5",
         "Last name of customers and the sum of total of orders, for each of the "
         "customers, sorted by the sum of total of orders, highest first, only the first "
         "5."},
        {"select products.name from products where products.id notin ( select "
         "reviews.product_id from reviews )",
         "Name of products, where there are no reviews for the id."},
        {"select orders.status share sum orders.total from orders where "
         "orders.ordered_at since \"2024-03\" group orders.status",
         "Status and the sum of total as a percentage of the total of orders, for each "
         "status, where ordered at is in March 2024 or later."},
        {"select products.name from products where [ products.price > 5 or "
         "products.stock "
         "= 0 ] and products.name like_c \"lamp\" except select products.name from "
         "products "
         "where products.stock between 1 3",
         "Name of products, where (price is more than 5 or stock is 0) and name contains "
         "lamp; but without: name of products, where stock is between 1 and 3."},
    };
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ir_tokens tokens;
        struct ir_values values;
        struct err err;
        const char *words;
        ir_shop_read(&shop, rows[i].ir, &tokens, &values);
        struct rebuild_request request = {.schema = shop.ir, .values = &values};
        assert_true(rebuild_words(shop.arena, &request, &tokens, &words, &err));
        assert_string_equal(words, rows[i].words);
    }
    ir_shop_release(&shop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_sqlite),
        cmocka_unit_test(passes_the_guard),
        cmocka_unit_test(cuts_as_asked),
        cmocka_unit_test(has_every_keyword),
        cmocka_unit_test(writes_other_dialects),
        cmocka_unit_test(refuses),
        cmocka_unit_test(uses_words_of_the_question),
        cmocka_unit_test(says_it_in_words),
        cmocka_unit_test(looks_for_what_was_said),
        cmocka_unit_test(gives_headings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
