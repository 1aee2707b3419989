/* The binder: wrong names put right where only one can be meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/bind.h"
#include "sql/statement.h"

static struct schema *schema;
static struct arena *arena;
static struct bind_result result;

static void add_table(const char *name, const char *columns)
{
    struct table *table = schema_add_table(schema, name);
    struct texts names = {0};
    str_split(arena, columns, ' ', &names);
    for (size_t i = 0; i < names.count; i++) {
        struct column *column = VEC_ADD(schema->arena, &table->columns);
        column->name = arena_text(schema->arena, names.items[i]);
        column->type = "TEXT";
    }
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    schema = schema_new();
    add_table("customers", "id first_name last_name city");
    add_table("orders", "id customer_id total_amount ordered_at status");
    add_table("order_items", "order_id product_id quantity unit_price");
    add_table("PROD_Invoices", "id order_id due");
    add_table("odd", "group two");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    schema_unref(schema);
    arena_free(arena);
    return 0;
}

static void bind_text(struct arena *room, enum dialect dialect, const char *sql,
                      struct bind_result *out)
{
    struct sql_statement statement;
    (void)sql_statement_read(room, dialect, sql, strlen(sql), &statement);
    bind_check(room, &statement, schema, out);
}

static const char *mended(const char *sql)
{
    bind_text(arena, DIALECT_SQLITE, sql, &result);
    return result.sql;
}

static void one_meaning_is_put_in(void **state)
{
    (void)state;
    static const struct {
        const char *wrong;
        const char *right;
    } pairs[] = {
        {"SELECT staus FROM orders", "SELECT status FROM orders"},
        {"SELECT CustomerID FROM orders", "SELECT customer_id FROM orders"},
        {"SELECT cities FROM customers", "SELECT city FROM customers"},
        {"SELECT AVG(price) FROM order_items", "SELECT AVG(unit_price) FROM order_items"},
        {"SELECT order_id FROM orders", "SELECT id FROM orders"},
        {"SELECT order_status FROM orders", "SELECT status FROM orders"},
        {"SELECT COUNT(*) FROM order", NULL}, /* a word of the grammar */
        {"SELECT COUNT(*) FROM customer", "SELECT COUNT(*) FROM customers"},
        {"SELECT COUNT(*) FROM OrderItems", "SELECT COUNT(*) FROM order_items"},
        {"SELECT COUNT(*) FROM invoices", "SELECT COUNT(*) FROM PROD_Invoices"},
        {"SELECT customer.city FROM customer", "SELECT customers.city FROM customers"},
        {"SELECT customers.city FROM customers c", "SELECT c.city FROM customers c"},
        {"SELECT x.city FROM customers c", "SELECT c.city FROM customers c"},
        {"SELECT o.city FROM orders o JOIN customers c ON c.id = o.customer_id",
         "SELECT c.city FROM orders o JOIN customers c ON c.id = o.customer_id"},
        {"SELECT staus, staus FROM orders WHERE staus = 'staus'",
         "SELECT status, status FROM orders WHERE status = 'staus'"},
        {"SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customer WHERE "
         "citty = 'x')",
         "SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE "
         "city = 'x')"},
        {"SELECT groups FROM odd", "SELECT \"group\" FROM odd"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *sql = mended(pairs[i].wrong);
        if (!pairs[i].right) {
            assert_null(sql);
        } else {
            assert_non_null(sql);
            assert_string_equal(sql, pairs[i].right);
        }
    }
}

static void two_meanings_are_told(void **state)
{
    (void)state;
    assert_null(mended("SELECT name FROM customers"));
    assert_int_equal(result.names.count, 1);
    assert_string_equal(str_join(arena, &result.names.items[0].near, " "),
                        "first_name last_name");
    assert_string_equal(
        bind_message(arena, &result.names.items[0]),
        "Column 'name' doesn't exist. Did you mean 'first_name' or 'last_name'?");
    assert_int_equal(result.names.items[0].position, 7);
    /* both have an id: which one is not said */
    assert_null(mended("SELECT idd FROM orders JOIN customers ON 1 = 1"));
    assert_null(mended("SELECT total_amount, name FROM orders, customers"));
}

static void a_table_out_of_reach_is_named(void **state)
{
    (void)state;
    assert_null(mended("SELECT city FROM orders"));
    assert_string_equal(result.names.items[0].holders.items[0], "customers");
    assert_string_equal(bind_message(arena, &result.names.items[0]),
                        "Column 'city' doesn't exist.");
}

static void right_names_and_no_sql_are_left_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "SELECT city FROM customers", "SELECT COUNT(* FROM orders", "",
        "DROP TABLE orders", "WITH t AS (SELECT id AS k FROM orders) SELECT k FROM t"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_null(mended(texts[i]));
        assert_int_equal(result.names.count, 0);
    }
    /* a write is not made out of a wrong name */
    assert_null(mended("DELETE FROM custmers"));
}

/* Attacks and odd queries of every dialect: what comes out only reads. */
static void nothing_harmful_is_made(void **state)
{
    (void)state;
    static const char *const endings[] = {"refused", "allowed"};
    size_t made = 0;
    for (int dialect = 0; dialect < DIALECT_COUNT * 2; dialect++) {
        enum dialect spoken = (enum dialect)(dialect / 2);
        struct arena *room = arena_new();
        struct texts lines = {0};
        struct err err;
        size_t size = 0;
        char *path = arena_format(room, "tests/fixtures/guard/%s.%s.sql",
                                  dialect_name(spoken), endings[dialect % 2]);
        char *text = file_read(room, path, 1 << 20, &size, &err);
        assert_non_null(text);
        str_split(room, text, '\n', &lines);
        for (size_t i = 0; i < lines.count; i++) {
            struct bind_result bound;
            bind_text(room, spoken, lines.items[i], &bound);
            if (bound.sql) {
                struct guard_result judged;
                guard_check(room, spoken, bound.sql, strlen(bound.sql), schema, &judged);
                assert_int_equal(judged.verdict, GUARD_READ);
                made++;
            }
        }
        arena_free(room);
    }
    assert_true(made > 0);
}

static void names_of_a_dictionary_are_put_right(void **state)
{
    (void)state;
    struct table *table = schema_table(schema, "PROD_Invoices");
    VEC_PUSH(schema->arena, &table->synonyms, "bills");
    VEC_PUSH(schema->arena, &table_column(table, "due")->synonyms, "pay by");
    assert_string_equal(mended("SELECT pay_by FROM bills"),
                        "SELECT due FROM PROD_Invoices");
    assert_string_equal(mended("SELECT bills.pay_by FROM bills WHERE bills.id = 1"),
                        "SELECT PROD_Invoices.due FROM PROD_Invoices WHERE "
                        "PROD_Invoices.id = 1");
    VEC_PUSH(schema->arena, &schema_table(schema, "orders")->synonyms, "bills");
    assert_null(mended("SELECT id FROM bills")); /* either may be meant */
    assert_int_equal(result.names.items[0].near.count, 2);
    struct guard_result guard;
    guard_check(arena, DIALECT_SQLITE, "SELECT id FROM bills", 20, schema, &guard);
    assert_null(strstr(guard.reason, "Did you mean"));
    VEC_PUSH(schema->arena, &schema_table(schema, "orders")->synonyms, "purchases");
    guard_check(arena, DIALECT_SQLITE, "SELECT id FROM purchases", 24, schema, &guard);
    assert_non_null(strstr(guard.reason, "Did you mean 'orders'?"));
}

static void nearness_knows_other_words(void **state)
{
    (void)state;
    assert_int_equal(bind_nearness("date", "rate", NULL), BIND_PART);
    assert_int_equal(bind_nearness("total", "total_tax", NULL), BIND_PART);
    assert_int_equal(bind_nearness("price", "unitPrice", NULL), BIND_HEAD);
    assert_int_equal(bind_nearness("prices", "unit_price", NULL), BIND_PART);
    assert_int_equal(bind_nearness("user_name", "name", "users"), BIND_OWNED);
    assert_int_equal(bind_nearness("name", "user_name", "users"), BIND_OWNED);
    assert_int_equal(bind_nearness("id", "ad", NULL), BIND_FAR);
    assert_int_equal(bind_nearness("", "id", NULL), BIND_FAR);
    char long_name[400];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_int_equal(bind_nearness(long_name, long_name, NULL), BIND_FAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_meaning_is_put_in, setup, teardown),
        cmocka_unit_test_setup_teardown(two_meanings_are_told, setup, teardown),
        cmocka_unit_test_setup_teardown(a_table_out_of_reach_is_named, setup, teardown),
        cmocka_unit_test_setup_teardown(right_names_and_no_sql_are_left_alone, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(nothing_harmful_is_made, setup, teardown),
        cmocka_unit_test_setup_teardown(names_of_a_dictionary_are_put_right, setup,
                                        teardown),
        cmocka_unit_test(nearness_knows_other_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
