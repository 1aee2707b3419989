/* Words of a question beside the SQL that answers it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "model/schema.h"
#include "parser/coverage/coverage.h"
#include "parser/parser.h"
#include "unit/parser/features_shop.h"

/* The words without a place, as "word role"; those that a part may stand for as
 * "word = part", and those beside a condition that no word asked for as "word ? part". */
static const char *left(struct features_shop *shop, const char *question, const char *sql)
{
    struct arena *arena = shop->shop.arena;
    struct coverage_words words;
    const struct coverage_request request = {.schema = shop->schema,
                                             .index = shop->index,
                                             .question = question,
                                             .today = "2024-05-15",
                                             .statement =
                                                 ir_shop_statement(&shop->shop, sql)};
    struct texts texts = {0};
    if (!coverage_find(arena, &request, &words)) {
        return NULL;
    }
    for (size_t i = 0; i < words.count; i++) {
        const struct coverage_word *word = &words.items[i];
        assert_true(strncmp(question + word->position, word->text, strlen(word->text)) ==
                    0);
        VEC_PUSH(
            arena, &texts,
            word->taken_for ? arena_format(arena, "%s = %s", word->text, word->taken_for)
            : word->unasked ? arena_format(arena, "%s ? %s", word->text, word->unasked)
                            : arena_format(arena, "%s %s", word->text,
                                           coverage_role_name(word->role)));
    }
    return str_join(arena, &texts, ", ");
}

struct expected {
    const char *question, *sql, *left;
};

static void check(struct features_shop *shop, const struct expected *cases, size_t count)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const char *got = left(shop, cases[i].question, cases[i].sql);
        if (!str_equal(got, cases[i].left)) {
            wrong++;
            print_error("%s: %s\n", cases[i].question, got ? got : "(not read)");
        }
    }
    assert_int_equal(wrong, 0);
}

/* Words whose neighbours, numbers or keys give them a place, and the same words without. */
static void places_words_by_what_stands_around(void **state)
{
    static const struct expected cases[] = {
        {"the average total of each customer",
         "SELECT customer_id, AVG(total) FROM orders GROUP BY customer_id", ""},
        {"all customer members", "SELECT first_name FROM customers", ""},
        {"all members", "SELECT first_name FROM customers", "members subject"},
        {"products heavier than 2 kg", "SELECT name FROM products WHERE price > 2",
         "heavier ? price > 2"},
        {"how much does a customer receive", "SELECT SUM(total) FROM orders", ""},
        {"customers who signed up in Berlin",
         "SELECT first_name FROM customers WHERE city = 'Berlin'", "signed restriction"},
        {"customers who signed up for the city",
         "SELECT first_name FROM customers WHERE city = 'Berlin'", ""},
        {"the value of our inventory", "SELECT SUM(price) FROM products", ""},
        {"how many customers are on our books", "SELECT COUNT(*) FROM customers", ""},
        {"customers on file", "SELECT first_name FROM customers", ""},
        {"customers with books", "SELECT first_name FROM customers", "books restriction"},
        {"guests from Berlin", "SELECT first_name FROM customers WHERE city = 'Berlin'",
         ""},
        {"the total of a status problem",
         "SELECT total FROM orders WHERE status = 'open'", ""},
        {"parts with the highest price",
         "SELECT name FROM products ORDER BY price DESC LIMIT 1", ""},
        {"parts with the highest total",
         "SELECT id FROM orders ORDER BY total DESC LIMIT 1", "parts subject"},
        {"participants from Berlin",
         "SELECT first_name FROM customers WHERE city = 'Berlin'", ""},
        {"dentists from Berlin", "SELECT first_name FROM customers WHERE city = 'Berlin'",
         "dentists restriction"},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

/* Verbs of everyday, with who does it before them and what it is done to after them. */
static void places_everyday_verbs(void **state)
{
    static const struct expected cases[] = {
        {"which customers need the most orders",
         "SELECT customer_id FROM orders GROUP BY customer_id ORDER BY COUNT(*) DESC "
         "LIMIT "
         "1",
         ""},
        {"how many customers eat lamps",
         "SELECT COUNT(DISTINCT customer_id) FROM orders JOIN order_items ON order_id = "
         "orders.id JOIN products ON products.id = product_id JOIN categories ON "
         "categories.id = category_id WHERE categories.name = 'Lamps'",
         ""},
        {"which customer brings in the most money",
         "SELECT customer_id FROM orders GROUP BY customer_id ORDER BY SUM(total) DESC "
         "LIMIT 1",
         ""},
        {"orders answered by customers in Berlin",
         "SELECT orders.id FROM orders JOIN customers ON customers.id = customer_id "
         "WHERE "
         "city = 'Berlin'",
         ""},
        {"which customer offers the most orders",
         "SELECT customer_id FROM orders GROUP BY customer_id ORDER BY COUNT(*) DESC "
         "LIMIT "
         "1",
         ""},
        {"the highest price we pay", "SELECT MAX(price) FROM products", ""},
        /* nobody does it, or what it is done to is not there */
        {"how many treated customers are there", "SELECT COUNT(*) FROM customers",
         "treated restriction"},
        {"customers who eat elephants", "SELECT first_name FROM customers",
         "eat restriction, elephants restriction"},
        {"customers who were treated", "SELECT first_name FROM customers",
         "treated restriction"},
        {"what do we pay for orders", "SELECT COUNT(*) FROM orders", "pay restriction"},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

/* What lies in the schema and not in the SQL is told with its place; words of kind give way to a table's own name. */
static void tells_where_a_name_is(void **state)
{
    struct features_shop *shop = *state;
    static const struct {
        const char *question, *sql, *table, *column;
    } cases[] = {
        {"quantity of all products", "SELECT price FROM products", "order_items",
         "quantity"},
        {"addresses with a price", "SELECT price FROM products", "addresses", NULL},
        {"banned products", "SELECT price FROM products", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct coverage_words words;
        const struct coverage_request request = {
            .schema = shop->schema,
            .index = shop->index,
            .question = cases[i].question,
            .statement = ir_shop_statement(&shop->shop, cases[i].sql)};
        assert_true(coverage_find(shop->shop.arena, &request, &words));
        assert_int_equal(words.count, 1);
        assert_true(str_equal(words.items[0].elsewhere, cases[i].table));
        assert_true(str_equal(words.items[0].elsewhere_column, cases[i].column));
    }
}

static void finds_words_that_are_left_over(void **state)
{
    static const struct expected cases[] = {
        {"how many banned customers are there", "SELECT COUNT(*) FROM customers",
         "banned restriction"},
        {"how many elephants are there", "SELECT COUNT(*) FROM customers",
         "elephants subject"},
        {"how many customers does Zorbex have", "SELECT COUNT(*) FROM customers",
         "Zorbex name"},
        {"orders over 500", "SELECT COUNT(*) FROM orders", "500 number"},
        {"customers in march", "SELECT first_name FROM customers", "march period"},
        {"average price of products", "SELECT price FROM products", "average operation"},
        /* a cell that nothing is compared with */
        {"customers from Berlin", "SELECT first_name FROM customers", "Berlin name"},
        /* a name of the schema that is not used */
        {"customers by city", "SELECT first_name FROM customers", "city restriction"},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

/* A word that asks for an operation says which rows where the SQL does no such thing. */
static void finds_operations_that_are_not_done(void **state)
{
    static const struct expected cases[] = {
        {"how many group orders were there", "SELECT COUNT(*) FROM orders",
         "group restriction"},
        {"orders grouped by status",
         "SELECT status, COUNT(*) FROM orders GROUP BY status", ""},
        /* the order of one row is no order */
        {"how many first orders were there",
         "SELECT COUNT(*) FROM orders ORDER BY order_date LIMIT 1", "first restriction"},
        {"the first orders", "SELECT id FROM orders ORDER BY order_date LIMIT 5", ""},
        {"how many unique customers", "SELECT COUNT(*) FROM customers",
         "unique restriction"},
        {"how many unique cities", "SELECT COUNT(DISTINCT city) FROM customers", ""},
        {"list the single customers", "SELECT first_name FROM customers",
         "single restriction"},
        {"list every single customer", "SELECT first_name FROM customers", ""},
        {"the full customers list", "SELECT first_name FROM customers", ""},
        /* "how many" counts: that does not make the customers regular */
        {"how many regular customers are there", "SELECT COUNT(*) FROM customers",
         "regular restriction"},
        {"regular customers",
         "SELECT customer_id FROM orders GROUP BY customer_id HAVING COUNT(*) > 3", ""},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

static void leaves_plain_questions_alone(void **state)
{
    static const struct expected cases[] = {
        {"how many customers are there?", "SELECT COUNT(*) FROM customers", ""},
        {"hi, could you please show me all customers from Berlin? thanks",
         "SELECT * FROM customers WHERE city = 'Berlin'", ""},
        {"what is the average price of our products", "SELECT AVG(price) FROM products",
         ""},
        {"the 3 most expensive products",
         "SELECT name FROM products ORDER BY price DESC LIMIT 3", ""},
        {"how many clients do we have", "SELECT COUNT(*) FROM customers", ""},
        {"who lives in new york",
         "SELECT first_name FROM customers WHERE city = 'New York'", ""},
        {"customers who never ordered",
         "SELECT first_name FROM customers WHERE id NOT IN (SELECT customer_id FROM "
         "orders)",
         ""},
        {"which customers never placed an order nor opened any order",
         "SELECT first_name FROM customers WHERE id NOT IN (SELECT customer_id FROM "
         "orders)",
         ""},
        {"orders per month in 2024",
         "SELECT strftime('%Y-%m', order_date), COUNT(*) FROM orders WHERE order_date >= "
         "'2024-01-01' GROUP BY 1",
         ""},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

/* Before the name of a thing, what else is a verb or a period says which ones. */
static void takes_words_before_a_thing_for_conditions(void **state)
{
    static const struct expected cases[] = {
        {"how many living customers are there", "SELECT COUNT(*) FROM customers",
         "living restriction"},
        {"customers living in Berlin",
         "SELECT first_name FROM customers WHERE city = 'Berlin'", ""},
        {"how many available products are there", "SELECT COUNT(*) FROM products",
         "available restriction"},
        {"how many first orders were there in 2024",
         "SELECT COUNT(*) FROM orders WHERE order_date >= '2024-01-01'",
         "first restriction"},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

/* A condition that no other word asked for was written because of the word. */
static void tells_what_a_word_was_taken_for(void **state)
{
    static const struct expected cases[] = {
        {"unfinished orders", "SELECT COUNT(*) FROM orders WHERE status <> 'Shipped'",
         "unfinished ? status <> 'Shipped'"},
        {"vip customers", "SELECT COUNT(*) FROM customers WHERE city = 'Berlin'",
         "vip ? city = 'Berlin'"},
        {"backstage customers",
         "SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM "
         "orders)",
         "backstage ? id NOT IN (SELECT customer_id FROM orders)"},
        /* a word with the column's stem, or one that says no, may have asked for it */
        {"unpriced products", "SELECT COUNT(*) FROM products WHERE price IS NULL",
         "unpriced = price IS NULL"},
        {"customers never served",
         "SELECT first_name FROM customers WHERE id NOT IN (SELECT customer_id FROM "
         "orders)",
         ""},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

/* An amount or a number, and a condition on something else than the word is related to. */
static void tells_averages_and_conditions_apart(void **state)
{
    static const char counted[] = "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT customer_id) "
                                  "FROM orders";
    static const struct expected cases[] = {
        {"average order per customer", counted,
         "average order = the number of orders, not their total"},
        {"average number of orders per customer", counted, ""},
        {"average orders per customer", counted, ""},
        {"average order per customer",
         "SELECT SUM(total) / COUNT(DISTINCT customer_id) FROM orders",
         "average order = the total of orders"},
        {"average number of orders per month",
         "SELECT strftime('%m', order_date), AVG(total) FROM orders GROUP BY 1",
         "number restriction"},
        {"number of reviews and total price by category",
         "SELECT c.name, COUNT(*), SUM(p.price) FROM categories c JOIN products p ON "
         "p.category_id = c.id GROUP BY c.id",
         "reviews subject"},
        {"free products", "SELECT * FROM products WHERE category_id IS NULL",
         "free ? category_id IS NULL"},
        {"free products", "SELECT * FROM products WHERE price = 0", "free = price = 0"},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

/* Numbers that the SQL holds as a day. */
static void places_numbers_counted_from_today(void **state)
{
    static const struct expected cases[] = {
        {"orders of the last 30 days",
         "SELECT id FROM orders WHERE order_date >= '2024-04-15'", ""},
        {"orders placed 30 days ago",
         "SELECT id FROM orders WHERE order_date >= '2024-04-15'", ""},
        {"orders older than 2 years",
         "SELECT id FROM orders WHERE order_date < '2022-05-15'", ""},
        {"orders older than 2 years",
         "SELECT id FROM orders WHERE order_date < '2024-05-01'", "2 number"},
        {"orders until 2025", "SELECT id FROM orders WHERE order_date < '2026-01-01'",
         ""},
        {"orders until 2025", "SELECT id FROM orders WHERE order_date < '2024-01-01'",
         "2025 number"},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

/* Open and usual periods are told, and names of seasons that stand alone. */
static void tells_what_periods_leave_open(void **state)
{
    static const struct expected cases[] = {
        {"orders in early 2024",
         "SELECT id FROM orders WHERE order_date >= '2024-01-01' AND order_date < "
         "'2025-01-01'",
         "in early 2024 period"},
        {"orders in summer 2024",
         "SELECT id FROM orders WHERE order_date >= '2024-06-01' AND order_date < "
         "'2024-09-01'",
         "in summer 2024 = June to August 2024"},
        {"orders in summer 2024",
         "SELECT id FROM orders WHERE order_date >= '2024-01-01' AND order_date < "
         "'2025-01-01'",
         "in summer 2024 period"},
        {"orders at 14:30", "SELECT id FROM orders WHERE total BETWEEN 14 AND 30",
         "at 14:30 restriction"},
        {"orders at 14:30", "SELECT id FROM orders WHERE order_date LIKE '%14:30'", ""},
        {"orders after 5 pm",
         "SELECT id FROM orders WHERE strftime('%H', order_date) >= 17", ""},
        {"orders after 5 pm",
         "SELECT id FROM orders WHERE strftime('%H', order_date) >= 5",
         "after 5 pm restriction"},
        {"orders of tomorrow", "SELECT id FROM orders", "tomorrow restriction"},
        {"orders of tomorrow", "SELECT id FROM orders WHERE order_date >= '2024-01-01'",
         "tomorrow restriction"},
        {"summer orders in 2024",
         "SELECT id FROM orders WHERE order_date >= '2024-01-01' AND order_date < "
         "'2025-01-01'",
         "summer restriction"},
        {"orders in summer 2024 (june to august)",
         "SELECT id FROM orders WHERE order_date >= '2024-06-01' AND order_date < "
         "'2024-09-01'",
         ""},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

static void says_so_when_the_sql_cannot_be_read(void **state)
{
    assert_null(left(*state, "how many customers", "SELECT FROM WHERE"));
}

/* A word that stands for a value in other words, and one that does not: the values are looked for
 * only then, and only in SQL that has some. */
static void looks_for_values_in_other_words(void **state)
{
    static const struct expected cases[] = {
        {"german customers", "SELECT COUNT(*) FROM customers WHERE city = 'Germany'", ""},
        {"german customers", "SELECT COUNT(*) FROM customers", "german restriction"},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

/* Schemas are prepared once; more of them than are kept do no harm. */
static void keeps_schemas_from_question_to_question(void **state)
{
    struct features_shop *shop = *state;
    struct arena *arena = shop->shop.arena;
    const struct coverage_request request = {
        .question = "how many banned customers",
        .statement = ir_shop_statement(&shop->shop, "SELECT COUNT(*) FROM customers")};
    struct parser_schemas *schemas = parser_schemas_new();
    struct schema *made[40] = {0};
    for (size_t i = 0; i < 2 * sizeof made / sizeof *made; i++) {
        size_t at = i % (sizeof made / sizeof *made);
        struct coverage_words words;
        if (i == at) {
            made[at] = schema_new();
            (void)table_add_column(made[at], schema_add_table(made[at], "customers"),
                                   "name", "TEXT");
            schema_normalize(made[at]);
        }
        assert_true(parser_cover(schemas, arena, made[at], &request, &words));
        assert_int_equal(words.count, 1);
        assert_string_equal(words.items[0].text, "banned");
    }
    parser_schemas_free(schemas);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        schema_unref(made[i]);
    }
}

/* What a left-over word is taken to mean, or "asked" where it may say which rows. */
static const char *weighed(struct features_shop *shop, const struct parser *parser,
                           struct parser_schemas *schemas, const struct expected *asked)
{
    struct schema *schema = schema_new();
    struct coverage_words words;
    (void)table_add_column(schema, schema_add_table(schema, "artworks"), "title", "TEXT");
    schema_normalize(schema);
    const struct coverage_request request = {
        .question = asked->question,
        .parser = parser,
        .statement = ir_shop_statement(&shop->shop, asked->sql)};
    assert_true(parser_cover(schemas, shop->shop.arena, schema, &request, &words));
    schema_unref(schema);
    return words.count == 0 ? "" : words.items[0].taken_for ? "told" : "asked";
}

static void weighs_words_that_are_left_over(void **state)
{
    static const struct expected cases[] = {
        {"which artwork attracted the most visitors", "SELECT title FROM artworks",
         "told"},
        {"how many volcanoes are there", "SELECT COUNT(*) FROM artworks", "asked"},
        {"haunted artworks", "SELECT title FROM artworks", "asked"},
        {"artworks with a skylight", "SELECT title FROM artworks", "asked"},
        {"artworks by qwertz", "SELECT title FROM artworks", "asked"},
    };
    struct err err;
    struct parser *parser = parser_built_in(&err);
    struct parser_schemas *schemas = parser_schemas_new();
    int wrong = 0;
    for (size_t i = 0; parser && i < sizeof cases / sizeof *cases; i++) {
        const char *got = weighed(*state, parser, schemas, &cases[i]);
        if (!str_equal(got, cases[i].left)) {
            wrong++;
            print_error("%s: %s\n", cases[i].question, got);
        }
    }
    parser_schemas_free(schemas);
    parser_close(parser);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_words_by_what_stands_around),
        cmocka_unit_test(places_everyday_verbs),
        cmocka_unit_test(tells_where_a_name_is),
        cmocka_unit_test(finds_words_that_are_left_over),
        cmocka_unit_test(leaves_plain_questions_alone),
        cmocka_unit_test(takes_words_before_a_thing_for_conditions),
        cmocka_unit_test(finds_operations_that_are_not_done),
        cmocka_unit_test(tells_what_a_word_was_taken_for),
        cmocka_unit_test(tells_averages_and_conditions_apart),
        cmocka_unit_test(looks_for_values_in_other_words),
        cmocka_unit_test(weighs_words_that_are_left_over),
        cmocka_unit_test(keeps_schemas_from_question_to_question),
        cmocka_unit_test(places_numbers_counted_from_today),
        cmocka_unit_test(tells_what_periods_leave_open),
        cmocka_unit_test(says_so_when_the_sql_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, features_shop_setup, features_shop_teardown);
}
