/* Questions and choices that a schema suggests by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "agent/suggest/suggest.h"
#include "agent/suggest/suggest_columns.h"
#include "base/arena.h"
#include "base/str.h"
#include "sql/statement.h"
#include "unit/agent/small_schema.h"

static const char *const shop[] = {
    ("orders(id* INTEGER, customer_id INTEGER -> customers.id, status TEXT, amount REAL, "
     "ordered_on DATE)"),
    "customers(id* INTEGER, name TEXT)",
    "notes(text TEXT)",
};

static struct schema *shop_schema(void)
{
    struct schema *schema = small_schema(shop, sizeof shop / sizeof *shop);
    struct table *orders = schema_table(schema, "orders");
    orders->row_count = 40;
    struct column *status = table_column(orders, "status");
    status->distinct = 2;
    VEC_PUSH(schema->arena, &status->samples, "open");
    VEC_PUSH(schema->arena, &status->samples, "paid");
    struct column *day = table_column(orders, "ordered_on");
    day->least = "2024-01-01";
    day->greatest = "2025-06-30 12:00:00";
    struct table *customers = schema_table(schema, "customers");
    customers->row_count = 3;
    struct column *name = table_column(customers, "name");
    name->distinct = 3; /* every value once: a name, not a category */
    VEC_PUSH(schema->arena, &name->samples, "Ana");
    return schema;
}

static const struct suggest_range no_range;

static bool has_option(const struct clarification *back, const char *value)
{
    for (size_t i = 0; i < back->options.count; i++) {
        if (strcmp(back->options.items[i].value, value) == 0) {
            return true;
        }
    }
    return false;
}

static void details_begin_with_all(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct clarification back = {0};
    struct suggest_range range = {
        table_column(schema_table(schema, "orders"), "ordered_on"), "", "", "2026-01-01"};
    suggest_details(arena, schema_table(schema, "orders"), &range, &back);
    assert_string_equal(back.message, "Which orders?");
    assert_string_equal(back.options.items[0].value, "all orders");
    assert_string_equal(back.options.items[0].label, "All orders (40 rows)");
    assert_true(has_option(&back, "orders whose status is open"));
    assert_true(has_option(&back, "orders with ordered on in this month"));
    assert_true(has_option(&back, "how many orders there are"));
    assert_int_equal(back.tables.count, 1);
    struct clarification ended = {0};
    struct suggest_range known = {range.column, "2024-01-01", "2025-06-30", "2026-01-01"};
    suggest_details(arena, schema_table(schema, "orders"), &known, &ended);
    assert_string_equal(
        ended.message,
        "Which orders? Their ordered on runs from 2024-01-01 to 2025-06-30.");
    assert_true(has_option(&ended, "orders with ordered on since 2025-06-01"));
    arena_free(arena);
    schema_unref(schema);
}

static void unique_names_are_no_choice(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct clarification back = {0};
    suggest_details(arena, schema_table(schema, "customers"), &no_range, &back);
    assert_false(has_option(&back, "customers whose name is Ana"));
    assert_int_equal(back.options.count, 2);
    arena_free(arena);
    schema_unref(schema);
}

static void a_table_about_which_nothing_is_known(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct clarification back = {0};
    suggest_details(arena, schema_table(schema, "notes"), &no_range, &back);
    assert_string_equal(back.options.items[0].value, "all notes");
    assert_string_equal(back.options.items[0].label, "All notes");
    arena_free(arena);
    schema_unref(schema);
}

static void periods_tell_what_the_data_have(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct clarification back = {0};
    struct suggest_range range = {
        table_column(schema_table(schema, "orders"), "ordered_on"), "2024-01-01",
        "2025-06-30", "2026-01-01"};
    suggest_periods(arena, schema_table(schema, "orders"), &range, &back);
    assert_string_equal(back.message,
                        "Which date range? Orders run from 2024-01-01 to 2025-06-30.");
    assert_true(has_option(&back, "since 2025-06-01"));
    assert_true(has_option(&back, "in 2025"));
    struct clarification plain = {0};
    suggest_periods(arena, NULL, &no_range, &plain);
    assert_string_equal(plain.message, "Which date range?");
    assert_int_equal(plain.options.count, 3);
    arena_free(arena);
    schema_unref(schema);
}

static void questions_worth_asking(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct texts questions = {0};
    suggest_questions(arena, schema, 3, &questions);
    assert_int_equal(questions.count, 3);
    struct clarification back = {0};
    suggest_start(arena, schema, &back);
    assert_int_equal(back.options.count, 4);
    assert_string_equal(back.message, "What would you like to know?");
    assert_true(has_option(&back, "What is the total amount of all orders?"));
    struct clarification nothing = {0};
    suggest_start(arena, NULL, &nothing);
    assert_int_equal(nothing.options.count, 0);
    assert_non_null(nothing.message);
    arena_free(arena);
    schema_unref(schema);
}

static void a_table_by_all_four_rules(void **unused)
{
    (void)unused;
    static const char *const expected[] = {
        "How many orders are there?",
        "What is the total amount of all orders?",
        "What is the total amount of orders for each status?",
        "How many orders are there for each status?",
        "Show all orders whose status is open",
    };
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct suggestions all = {0};
    suggest_table(arena, schema_table(schema, "orders"), &all);
    assert_int_equal(all.count, 5);
    for (size_t i = 0; i < all.count; i++) {
        assert_string_equal(all.items[i].question, expected[i]);
    }
    /* An empty table can only be counted; a value that reads like a word is quoted. */
    struct table *orders = schema_table(schema, "orders");
    table_column(orders, "status")->samples.items[0] = "all";
    struct suggestions again = {0};
    suggest_table(arena, orders, &again);
    assert_string_equal(again.items[4].question,
                        "Show all orders whose status is \"all\"");
    orders->row_count = 0;
    struct suggestions one = {0};
    suggest_table(arena, orders, &one);
    assert_int_equal(one.count, 1);
    arena_free(arena);
    schema_unref(schema);
}

static const char *follow(struct arena *arena, const struct schema *schema,
                          const char *question, const char *sql, const struct rows *rows)
{
    struct sql_parts parts;
    struct texts tables = {0};
    struct texts out = {0};
    VEC_PUSH(arena, &tables, "orders");
    struct sql_statement statement;
    (void)sql_statement_read(arena, DIALECT_SQLITE, sql, strlen(sql), &statement);
    sql_parts_read(arena, &statement, &parts);
    struct suggest_answer about = {schema, question, &tables, &parts, rows};
    suggest_follow_ups(arena, &about, 3, &out);
    return str_join(arena, &out, " | ");
}

static void an_answer_leads_on(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct rows rows;
    rows_init(&rows, arena);
    rows_set_columns(&rows, (struct rows_column[]){{"status", "TEXT"}, {"n", "INTEGER"}},
                     2);
    struct value cells[2] = {{.kind = VALUE_TEXT}, {.kind = VALUE_INT, .integer = 3}};
    cells[0].text.data = "paid";
    cells[0].text.size = 4;
    rows_add(&rows, cells);
    /* counted: by group, and the amount */
    assert_string_equal(
        follow(arena, schema, "how many orders are there", "SELECT COUNT(*) FROM orders",
               NULL),
        "How many orders are there for each status? | What is the total amount of all "
        "orders? | What is the total amount of orders for each status?");
    /* grouped: into the first group */
    assert_string_equal(follow(arena, schema, "orders per status",
                               "SELECT status, COUNT(*) AS n FROM orders GROUP BY status",
                               &rows),
                        "Show all orders whose status is paid | What is the total amount "
                        "of all orders? | What is the total amount of orders for each "
                        "status?");
    /* filtered: by another value; it is worth knowing how many there are */
    assert_string_equal(follow(arena, schema, "open orders",
                               "SELECT * FROM orders WHERE status = 'open'", NULL),
                        "Show all orders whose status is paid | How many orders are "
                        "there? | What is the total amount of all orders?");
    assert_string_equal(follow(arena, schema, "x", "SELECT 1", NULL),
                        "How many orders are there for each status? | How many orders "
                        "are there? | What is the total amount of all orders?");
    arena_free(arena);
    schema_unref(schema);
}

static void names_become_words(void **unused)
{
    (void)unused;
    static const char *const names[][2] = {
        {"user", "users"},
        {"order_items", "order items"},
        {"OrderLine", "order lines"},
        {"category", "categories"},
        {"staff", "staff"},
        {"address", "addresses"},
        {"day", "days"},
        {"box", "boxes"},
        {"t1", "t1"},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct table table = {.name = names[i][0], .bare_name = names[i][0]};
        assert_string_equal(suggest_things(arena, &table), names[i][1]);
    }
    arena_free(arena);
}

static void assert_texts(const struct texts *texts, const char *const *expected)
{
    size_t count = 0;
    for (; expected[count]; count++) {
        assert_true(count < texts->count);
        assert_string_equal(texts->items[count], expected[count]);
    }
    assert_int_equal(texts->count, count);
}

static void beginnings_are_trends_leaders_and_comparisons(void **unused)
{
    (void)unused;
    struct schema *schema = shop_schema();
    struct arena *arena = arena_new();
    struct texts out = {0};
    static const char *const few[] = {
        "What is the total amount of orders per month in 2025?",
        "How many orders were there per status in 2024 and 2025?",
        "What is the total amount of orders for each status?",
        "How many orders are there for each status?", NULL};
    suggest_beginnings(arena, schema, 6, &out);
    assert_texts(&out, few);
    /* somebody's own figure comes first; enough customers can be ranked */
    schema_table(schema, "customers")->row_count = 30;
    VEC_PUSH(schema->arena, &schema_table(schema, "orders")->metrics,
             ((struct metric){.name = "net_revenue", .expression = "SUM(amount)"}));
    static const char *const three[] = {
        "What is the net revenue per month in 2025?",
        "Top 5 customers by number of orders",
        "How many orders were there per status in 2024 and 2025?", NULL};
    out = (struct texts){0};
    suggest_beginnings(arena, schema, 3, &out);
    assert_texts(&out, three);
    arena_free(arena);
    schema_unref(schema);
}

/* The name of a file's table may be any word, so nothing is made of it. */
static void the_only_table_has_rows(void **unused)
{
    (void)unused;
    static const char *const file[] = {"bad(score REAL, city TEXT)"};
    struct schema *schema = small_schema(file, 1);
    struct arena *arena = arena_new();
    struct texts out = {0};
    schema->tables.items[0].row_count = 9;
    static const char *const expected[] = {
        "How many rows are there?", "What is the average score of all rows?", NULL};
    suggest_beginnings(arena, schema, 6, &out);
    assert_texts(&out, expected);
    arena_free(arena);
    schema_unref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beginnings_are_trends_leaders_and_comparisons),
        cmocka_unit_test(the_only_table_has_rows),
        cmocka_unit_test(details_begin_with_all),
        cmocka_unit_test(unique_names_are_no_choice),
        cmocka_unit_test(a_table_about_which_nothing_is_known),
        cmocka_unit_test(periods_tell_what_the_data_have),
        cmocka_unit_test(questions_worth_asking),
        cmocka_unit_test(a_table_by_all_four_rules),
        cmocka_unit_test(an_answer_leads_on),
        cmocka_unit_test(names_become_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
