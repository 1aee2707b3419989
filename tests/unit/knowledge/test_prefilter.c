/* The prefilter: the right tables first, bridges found, large schemas bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "knowledge/prefilter/prefilter.h"
#include "knowledge/value_index/value_index.h"
#include "shop.h"

struct fixture {
    struct arena *arena;
    struct schema *schema;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->arena = arena_new();
    fixture->schema = shop_new();
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    schema_unref(fixture->schema);
    arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static const char *names_of(struct fixture *fixture, const struct ranked_tables *ranked)
{
    struct texts names = {0};
    for (size_t i = 0; i < ranked->count; i++) {
        VEC_PUSH(fixture->arena, &names, ranked->items[i].table->name);
    }
    return str_join(fixture->arena, &names, " ");
}

struct rank_case {
    const char *question;
    const char *history;
    size_t most;
    const char *tables;
};

static const struct rank_case ranks[] = {
    {"How many orders are there?", NULL, 1, "orders"},
    {"order items", NULL, 1, "order_items"},
    {"the customer with the longest name", NULL, 1, "customers"},
    {"who lives in Berlin?", NULL, 1, "customers"}, /* a sample value */
    {"what did people buy", NULL, 1, "orders"},     /* a comment */
    {"total quantity", NULL, 1, "order_items"},     /* an abbreviation */
    {"priciest product", NULL, 1, "products"},
    {"custmers", NULL, 1, "customers"}, /* a typo */
    {"and in Oslo?", "how many products are there", 1,
     "customers"}, /* history counts less */
    {"and how many?", "how many products are there", 1, "products"},
    {"customers by product", NULL, 4, "products customers order_items orders"},
};

static void test_ranks(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
        struct ranked_tables ranked;
        prefilter_rank(fixture->arena, fixture->schema, ranks[i].question,
                       ranks[i].history, ranks[i].most, &ranked);
        assert_true(ranked.matched);
        if (!str_equal(names_of(fixture, &ranked), ranks[i].tables)) {
            fail_msg("%s: %s", ranks[i].question, names_of(fixture, &ranked));
        }
    }
}

/* A view comes after the tables that it is made of, unless the question calls it by its name. */
static void test_views_come_later(void **state)
{
    static const struct rank_case all[] = {
        {"How many customers have we?", NULL, 4, "customers active_customers"},
        {"name of the customers who are active in Oslo", NULL, 4,
         "customers active_customers"},
        {"How many active customers have we?", NULL, 4, "active_customers customers"},
        {"amount of the orders of each customer", NULL, 4,
         "orders customer_orders customers active_customers"},
        {"total amount in customer orders", NULL, 2, "customer_orders orders"},
        {"bonus of each month", NULL, 1, "bonuses"}, /* no table has these words */
    };
    static const char *const columns[][2] = {
        {"customers", "id name city"},
        {"orders", "id customer_id amount status"},
        {"active_customers", "id name city active"},
        {"customer_orders", "name city amount status"},
        {"bonuses", "customer_id month bonus"},
    };
    struct fixture *fixture = *state;
    struct schema *schema = schema_new();
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        struct table *table = schema_add_table(schema, columns[i][0]);
        struct texts names = {0};
        str_split(fixture->arena, arena_text(fixture->arena, columns[i][1]), ' ', &names);
        table->is_view = i > 1;
        for (size_t k = 0; k < names.count; k++) {
            (void)table_add_column(schema, table, names.items[k], "TEXT");
        }
    }
    schema_normalize(schema);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct ranked_tables ranked;
        prefilter_rank(fixture->arena, schema, all[i].question, NULL, 5, &ranked);
        const char *names = names_of(fixture, &ranked);
        if (!str_starts(names, all[i].tables)) {
            fail_msg("%s: %s", all[i].question, names);
        }
    }
    schema_unref(schema);
}

static void test_words_are_told(void **state)
{
    struct fixture *fixture = *state;
    struct ranked_tables ranked;
    prefilter_rank(fixture->arena, fixture->schema, "Orders placed by customers", NULL, 2,
                   &ranked);
    assert_int_equal(ranked.count, 2);
    assert_string_equal(ranked.items[0].table->name, "orders");
    assert_string_equal(str_join(fixture->arena, &ranked.items[0].words, " "),
                        "Orders placed customers");
    assert_false(ranked.items[0].bridge);
}

/* order_items has no word of the question but is the way from one table to the other. */
static void test_bridges(void **state)
{
    struct fixture *fixture = *state;
    struct table *items = schema_table(fixture->schema, "order_items");
    assert_non_null(items);
    items->columns.count = 1; /* no order_id, no product_id: only the keys tell */
    struct ranked_tables ranked;
    prefilter_rank(fixture->arena, fixture->schema, "purchases and products, placed at",
                   NULL, 4, &ranked);
    size_t at = 0;
    while (at < ranked.count && ranked.items[at].table != items) {
        at++;
    }
    assert_true(at < ranked.count);
    assert_true(ranked.items[at].bridge);
    assert_int_equal(ranked.items[at].words.count, 0);
}

/* In a large schema many tables share two words with the question; the one between the
 * two best shares none and still comes before them. */
static void test_bridge_among_many(void **state)
{
    struct fixture *fixture = *state;
    struct schema *schema = schema_new();
    static const char *const names[] = {"lisbon_bakery_products", "lisbon_bakery_orders",
                                        "xref_1"};
    for (size_t i = 0; i < 3; i++) {
        struct table *table = schema_add_table(schema, names[i]);
        (void)table_add_column(schema, table, "id", "INTEGER");
    }
    for (int i = 0; i < 60; i++) {
        struct table *table = schema_add_table(
            schema,
            arena_format(fixture->arena, "%s_%c%c_%s", i % 2 ? "lisbon" : "bakery",
                         'a' + i % 26, 'a' + i / 26, i % 3 ? "products" : "orders"));
        (void)table_add_column(schema, table, "id", "INTEGER");
    }
    struct table *bridge = schema_table(schema, "xref_1");
    for (size_t i = 0; i < 2; i++) {
        struct foreign_key *key = VEC_ADD(schema->arena, &bridge->foreign_keys);
        key->table = names[i];
        VEC_PUSH(schema->arena, &key->columns, i ? "right_id" : "left_id");
        VEC_PUSH(schema->arena, &key->references, "id");
    }
    schema_normalize(schema);
    struct ranked_tables ranked;
    prefilter_rank(fixture->arena, schema,
                   "Which products of the Lisbon bakery are in which orders?", NULL, 8,
                   &ranked);
    assert_string_equal(ranked.items[2].table->name, "xref_1");
    assert_true(ranked.items[2].bridge);
    schema_unref(schema);
}

static void test_nothing_matches(void **state)
{
    struct fixture *fixture = *state;
    static const char *const questions[] = {"zebra?", "", "how many of the"};
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        struct ranked_tables ranked;
        prefilter_rank(fixture->arena, fixture->schema, questions[i], NULL, 3, &ranked);
        assert_false(ranked.matched);
        assert_string_equal(names_of(fixture, &ranked), "order_items orders products");
        assert_true(ranked.items[0].score == 0);
    }
}

static void test_all_when_all_fit(void **state)
{
    struct fixture *fixture = *state;
    struct ranked_tables ranked;
    prefilter_rank(fixture->arena, fixture->schema, "customers", NULL, 24, &ranked);
    assert_int_equal(ranked.count, 6);
    assert_string_equal(ranked.items[0].table->name, "customers");
    struct schema *empty = schema_new();
    prefilter_rank(fixture->arena, empty, "customers", NULL, 24, &ranked);
    assert_int_equal(ranked.count, 0);
    prefilter_rank(fixture->arena, fixture->schema, "customers", NULL, 0, &ranked);
    assert_int_equal(ranked.count, 0);
    schema_unref(empty);
}

/* One table among thousands that look alike. */
static void test_many_tables(void **state)
{
    struct fixture *fixture = *state;
    struct schema *large = schema_new();
    for (int i = 0; i < 3000; i++) {
        struct table *table =
            schema_add_table(large, arena_format(large->arena, "archive_part_%d", i));
        for (int j = 0; j < 5; j++) {
            shop_column(large, table, arena_format(large->arena, "field_%d", j), "TEXT");
        }
    }
    struct table *wanted = schema_add_table(large, "employee_salaries");
    shop_column(large, wanted, "id", "INTEGER");
    schema_normalize(large);
    struct prefilter_index *index = prefilter_index_new(large);
    struct ranked_tables ranked;
    prefilter_index_rank(index, fixture->arena, "average salary per employee", NULL, 24,
                         &ranked);
    assert_string_equal(names_of(fixture, &ranked), "employee_salaries");
    prefilter_index_rank(index, fixture->arena, "archive part 77", NULL, 24, &ranked);
    assert_int_equal(ranked.count, 24);
    assert_string_equal(ranked.items[0].table->name, "archive_part_77");
    prefilter_index_free(index);
    schema_unref(large);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* Many tables that are alike; only cells tell which one is meant. */
static void test_cells(void **state)
{
    struct fixture *fixture = *state;
    enum { TABLES = 400, MOST = 3 };
    static const struct {
        const char *question;
        const char *first; /* or NULL: no cell is named */
    } cases[] = {
        {"how many entries for Lisbon?", "log_123"},
        {"entries of new york, please", "log_77"},
        {"entries of NEW-YORK", "log_77"},
        {"show the entries of everywhere", NULL}, /* all tables hold it */
        {"the entries for all", NULL},            /* common words */
        {"entries for Lisboa", NULL},
    };
    struct schema *schema = schema_new();
    struct value_index *values = value_index_new(NULL);
    for (uint32_t i = 0; i < TABLES; i++) {
        struct table *table = VEC_ADD(schema->arena, &schema->tables);
        table->name = arena_format(schema->arena, "log_%u", (unsigned)i);
        struct column *column = VEC_ADD(schema->arena, &table->columns);
        column->name = "entry";
        (void)value_index_add(values, (struct value_place){i, 0}, "Everywhere", 10);
        (void)value_index_add(values, (struct value_place){i, 0}, "all", 3);
    }
    (void)value_index_add(values, (struct value_place){123, 0}, "Lisbon", 6);
    (void)value_index_add(values, (struct value_place){77, 0}, "New York", 8);
    (void)value_index_add(values, (struct value_place){78, 0}, "York", 4);
    value_index_freeze(values);
    struct prefilter_index *index = prefilter_index_new(schema);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ranked_tables with;
        struct ranked_tables without;
        prefilter_index_rank_cells(index, values, fixture->arena, cases[i].question, NULL,
                                   MOST, &with);
        prefilter_index_rank(index, fixture->arena, cases[i].question, NULL, MOST,
                             &without);
        assert_int_equal(with.count, MOST);
        assert_string_equal(with.items[0].table->name,
                            cases[i].first ? cases[i].first
                                           : without.items[0].table->name);
    }
    struct ranked_tables none;
    prefilter_index_rank_cells(index, values, fixture->arena, NULL, NULL, MOST, &none);
    assert_false(none.matched);
    prefilter_index_free(index);
    value_index_unref(values);
    schema_unref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_ranks),
        TEST(test_words_are_told),
        TEST(test_bridges),
        TEST(test_views_come_later),
        TEST(test_nothing_matches),
        TEST(test_all_when_all_fit),
        TEST(test_many_tables),
        TEST(test_cells),
        TEST(test_bridge_among_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
