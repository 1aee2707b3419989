/* Questions back, and the corrections that answer them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "model/clarification.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static void kinds_have_names(void **state)
{
    (void)state;
    static const char *const names[] = {"intent",         "datasource", "table_selection",
                                        "join_inference", "detail",     "approval"};
    for (size_t i = 0; i < 6; i++) {
        enum clarification_kind kind = clarification_kind_find(names[i]);
        assert_int_not_equal(kind, CLARIFY_NONE);
        assert_string_equal(clarification_kind_name(kind), names[i]);
    }
    assert_int_equal(clarification_kind_find("join_clarification"), CLARIFY_JOIN);
    assert_int_equal(clarification_kind_find("nonsense"), CLARIFY_NONE);
    assert_int_equal(clarification_kind_find(NULL), CLARIFY_NONE);
}

static char *dump(struct arena *arena, const struct clarification *clarification)
{
    struct buf out;
    struct writer writer;
    buf_init(&out, 10000);
    writer_init(&writer, &out);
    clarification_write(clarification, &writer);
    char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

static void it_is_written_and_read_back(void **state)
{
    struct arena *arena = *state;
    struct clarification asked = {.kind = CLARIFY_TABLES, .message = "Which table?"};
    struct clarification_option *option = VEC_ADD(arena, &asked.options);
    option->value = "Customers";
    option->label = "The current customers";
    VEC_ADD(arena, &asked.options)->value = "PROD_Customers";
    VEC_PUSH(arena, &asked.tables, "Customers");
    const char *text = dump(arena, &asked);
    assert_string_equal(
        text, "{\"error\":\"ambiguity\",\"type\":\"table_selection\",\"message\":\"Which "
              "table?\",\"options\":[{\"value\":\"Customers\",\"label\":\"The current "
              "customers\"},{\"value\":\"PROD_Customers\",\"label\":\"PROD_Customers\"}],"
              "\"context\":{\"tables\":[\"Customers\"]}}");
    struct err err;
    struct clarification again;
    clarification_read(&again, arena, json_parse(arena, text, strlen(text), &err));
    assert_string_equal(dump(arena, &again), text);
}

static void reading_takes_what_it_gets(void **state)
{
    struct arena *arena = *state;
    static const char *const texts[] = {
        "{}", "[]", "5", "{\"options\":5,\"context\":[]}",
        "{\"type\":7,\"options\":[{},1,\"plain\"],\"context\":{\"tables\":[2]}}"};
    struct clarification read;
    for (size_t i = 0; i < 5; i++) {
        struct err err;
        clarification_read(&read, arena,
                           json_parse(arena, texts[i], strlen(texts[i]), &err));
        assert_int_equal(read.kind, CLARIFY_NONE);
    }
    assert_int_equal(read.options.count, 1);
    assert_string_equal(read.options.items[0].label, "plain");
    clarification_read(&read, arena, NULL);
    assert_int_equal(read.options.count, 0);
}

struct example {
    const char *text;
    const char *use; /* joined with ", " */
    const char *reject;
    const char *joins;
};

static const struct example examples[] = {
    {"use table CustomersPROD", "CustomersPROD", "", ""},
    {"Use the table CustomersPROD.", "CustomersPROD", "", ""},
    {"TABLE customers", "customers", "", ""},
    {"use customers", "customers", "", ""},
    {"please use the customers table instead", "customers", "", ""},
    {"select CustomersPROD not Customers", "CustomersPROD", "Customers", ""},
    {"use orders, not orders_old or orders_2019", "orders", "orders_old, orders_2019",
     ""},
    {"use X1 instead of Y1", "X1", "Y1", ""},
    {"use new_users rather than old_users", "new_users", "old_users", ""},
    {"not Customers_Archive", "", "Customers_Archive", ""},
    {"don't use Customers_Archive", "", "Customers_Archive", ""},
    {"do not use the table Customers_Archive!", "", "Customers_Archive", ""},
    {"use tables orders and customers", "orders, customers", "", ""},
    {"use table \"Order Details\" not 'Order Notes'", "Order Details", "Order Notes", ""},
    {"use `sales`.`orders`", "sales.orders", "", ""},
    {"use [dbo].[Order Items]", "dbo.Order Items", "", ""},
    {"use table \"all\"", "all", "", ""},
    {"Customers, not PROD_Customers", "Customers", "PROD_Customers", ""},
    {"Customers not PROD_Customers", "Customers", "PROD_Customers", ""},
    {"PROD_Customers instead of Customers", "PROD_Customers", "Customers", ""},
    {"I do not want Customers", "", "Customers", ""},
    {"i don't want the Customers table.", "", "Customers", ""},
    {"I meant orders, not order_items", "orders", "order_items", ""},
    {"Customers is old, use PROD_Customers", "PROD_Customers", "Customers", ""},
    {"Customers is the old one; use PROD_Customers", "PROD_Customers", "Customers", ""},
    {"Customers is outdated", "", "Customers", ""},
    {"Customers is not the right table, use PROD_Customers", "PROD_Customers",
     "Customers", ""},
    {"use gr\xC3\xB6\xC3\x9F"
     "en",
     "gr\xC3\xB6\xC3\x9F"
     "en",
     "", ""},
    {"join Orders.customer_id with Customers.id", "", "",
     "Orders.customer_id = Customers.id"},
    {"A.id = B.a_id", "", "", "A.id = B.a_id"},
    {"a.id=b.a_id", "", "", "a.id = b.a_id"},
    {"Join \"A\".\"id\" to B.a_id.", "", "", "A.id = B.a_id"},
    {"join orders with customers on orders.customer_id == customers.id", "", "",
     "orders.customer_id = customers.id"},
    {"a.x = b.x and b.y = c.y", "", "", "a.x = b.x, b.y = c.y"},
    {"join sales.orders.cid with crm.people.id", "", "",
     "sales.orders.cid = crm.people.id"},
    {"{\"type\":\"table_selection\",\"selected_table\":\"CustomersPROD\","
     "\"rejected_tables\":[\"Customers\",\"Customers_Archive\"]}",
     "CustomersPROD", "Customers, Customers_Archive", ""},
    {"{\"type\":\"table_selection\",\"rejected_tables\":[\"Customers\"]}", "",
     "Customers", ""},
    {"{\"type\":\"join_inference\",\"join\":\"A.id = B.a_id\"}", "", "", "A.id = B.a_id"},
    {" {\"type\":\"join_clarification\",\"join\":\"join A.id with B.a_id\"}", "", "",
     "A.id = B.a_id"},
};

static void corrections_are_understood(void **state)
{
    struct arena *arena = *state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *example = &examples[i];
        struct correction correction;
        if (!correction_parse(&correction, arena, example->text)) {
            fail_msg("not understood: %s", example->text);
        }
        assert_string_equal(str_join(arena, &correction.use_tables, ", "), example->use);
        assert_string_equal(str_join(arena, &correction.reject_tables, ", "),
                            example->reject);
        assert_string_equal(str_join(arena, &correction.joins, ", "), example->joins);
        assert_string_equal(correction.text, example->text);
    }
}

static void other_words_are_left_alone(void **state)
{
    static const char *const others[] = {
        "",
        "   ",
        "the active ones",
        "use last month",
        "use both",
        "not sure",
        "not really",
        "all users",
        "select all active users",
        "select name and age",
        "use",
        "table",
        "not",
        "use orders customers",
        "customers",
        "status = open",
        "orders.status = 'a.b'",
        "orders.total = 5.5",
        "join orders and customers",
        "a.id = ",
        "= b.id",
        "a.x = b.x or maybe not",
        "use 2023",
        "only those with orders.total > 5",
        "{",
        "{\"type\":\"table_selection\"}",
        "{\"type\":\"join_inference\",\"join\":\"whatever\"}",
        "{\"type\":\"other\",\"selected_table\":\"x\"}",
        "{\"selected_table\":\"x\"}",
        "use \"unclosed",
        "Customers",
        "customers not in Rome",
        "Customers is open",
        "the old customers",
        "orders is not old",
        "I want customers",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct correction correction;
        if (correction_parse(&correction, *state, others[i])) {
            fail_msg("taken for a correction: %s", others[i]);
        }
        assert_int_equal(correction.use_tables.count + correction.reject_tables.count +
                             correction.joins.count,
                         0);
    }
}

static void options_are_counted(void **state)
{
    static const struct {
        const char *text;
        size_t number;
    } said[] = {
        {"2", 2},
        {"2.", 2},
        {"#2", 2},
        {"(2)", 2},
        {"2)", 2},
        {"option 2", 2},
        {"second", 2},
        {"The second one.", 2},
        {"the 2nd", 2},
        {"two", 2},
        {"number two", 2},
        {"option one please", 1},
        {"I mean the first one", 1},
        {"the last one", 3},
        {"last", 3},
        {"3rd option", 3},
        {"option 7", 7},
        {"7", 7},
        {"2023", 0},
        {"last month", 0},
        {"2 days", 0},
        {"the second quarter", 0},
        {"one of these", 0},
        {"second-hand", 0},
        {"", 0},
        {"2 3", 0},
        {"no", 0},
        {"option", 0},
    };
    struct clarification asked = {.kind = CLARIFY_DETAIL};
    for (int i = 0; i < 3; i++) {
        VEC_ADD((struct arena *)*state, &asked.options)->value = "x";
    }
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        size_t number = clarification_number(&asked, said[i].text);
        if (number != said[i].number) {
            fail_msg("'%s' is %zu", said[i].text, number);
        }
    }
    asked.options.count = 0;
    assert_int_equal(clarification_number(&asked, "2"), 0);
}

static void endless_corrections_are_refused(void **state)
{
    struct buf text;
    buf_init(&text, 100000);
    (void)buf_text(&text, "use a0");
    for (int i = 1; i < 100; i++) {
        (void)buf_format(&text, ", a%d", i);
    }
    struct correction correction;
    assert_false(correction_parse(&correction, *state, buf_get(&text)));
    for (int i = 0; i < 1000; i++) {
        (void)buf_text(&text, "aaaaaaaa");
    }
    assert_false(correction_parse(&correction, *state, buf_get(&text)));
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(it_is_written_and_read_back),
        cmocka_unit_test(reading_takes_what_it_gets),
        cmocka_unit_test(corrections_are_understood),
        cmocka_unit_test(other_words_are_left_alone),
        cmocka_unit_test(options_are_counted),
        cmocka_unit_test(endless_corrections_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
