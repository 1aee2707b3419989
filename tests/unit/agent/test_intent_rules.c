/* What can be told of a question without a model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "agent/understand/intent_rules.h"
#include "agent/understand/parsing.h"
#include "base/arena.h"
#include "unit/agent/small_schema.h"

static const char *const people[] = {
    "users(id* INTEGER, name TEXT, status TEXT)",
    "order_items(id* INTEGER, order_id INTEGER)",
    "categories(id* INTEGER, title TEXT)",
};

static void check_guess(const char *const *questions, size_t count, enum intent wanted)
{
    for (size_t i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        enum intent guess = intent_guess(arena, questions[i]);
        if (guess != wanted) {
            fail_msg("'%s' is %s, not %s", questions[i], intent_name(guess),
                     intent_name(wanted));
        }
        arena_free(arena);
    }
}

#define CHECK_GUESS(list, wanted) check_guess(list, sizeof(list) / sizeof *(list), wanted)

static void questions_for_data(void **unused)
{
    (void)unused;
    static const char *const list[] = {
        "How many users are there?",
        "show me users",
        "list the names of all customers in both tables",
        "show me the data in the table users",
        "Which table has the most rows?",
        "how many tables were booked?",
        "how many tables seat four guests",
        "how many fields were sown in spring",
        "what data did we get in March",
        "total revenue per month",
        "what is the average age by column",
        "users",
        "Wie viele Kunden gibt es?",
        "which football tables did we sell with a discount",
        "list the fields planted in spring that were sold to farmers",
    };
    CHECK_GUESS(list, INTENT_TEXT_TO_SQL);
}

/* What no data can answer gets a reply; days and periods are no sums, and a question may hold a hard word. */
static void chatter(void **unused)
{
    (void)unused;
    static const char *const list[] = {
        "2+2?",       "what is 17 * 3",     "what is 5 times 3?", "you are stupid",
        "this sucks", "How are you today?", "are you a robot",    "cool, you are smart",
    };
    static const char *const data[] = {
        "03/04/2025",
        "2024 - 2025",
        "price times quantity",
        "total of stupid questions per user",
        "which great users are there",
        "15",
    };
    CHECK_GUESS(list, INTENT_GENERAL);
    CHECK_GUESS(data, INTENT_TEXT_TO_SQL);
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        assert_non_null(strstr(intent_small_talk(arena, list[i]), "data"));
    }
    arena_free(arena);
}

static void questions_about_the_schema(void **unused)
{
    (void)unused;
    static const char *const list[] = {
        "what tables are there?",
        "how many tables are there?",
        "How many tables does the shop database have?",
        "how many columns has orders?",
        "number of columns in the order items",
        "what data do you have?",
        "desc orders",
        "What's in the database?",
        "What tables are there in planes?",
        "which tables exist in the shop database?",
        "list tables",
        "Show me all tables please",
        "describe users",
        "describe the table users",
        "which columns does the table orders have?",
        "show the schema",
        "what is in this database?",
        "What data does this database contain?",
        "show me the structure of users",
    };
    CHECK_GUESS(list, INTENT_SCHEMA_QUERY);
}

static void small_talk(void **unused)
{
    (void)unused;
    static const char *const list[] = {"hi",           "Hello there!", "thanks a lot",
                                       "Good morning", "help",         "what can you do?",
                                       "who are you?", "bye"};
    CHECK_GUESS(list, INTENT_GENERAL);
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        assert_non_null(intent_small_talk(arena, list[i]));
    }
    assert_string_equal(intent_small_talk(arena, "thank you"), "You are welcome.");
    assert_null(intent_small_talk(arena, "hello, how many users are there?"));
    assert_null(intent_small_talk(arena, ""));
    arena_free(arena);
}

static void no_words_at_all(void **unused)
{
    (void)unused;
    static const char *const list[] = {"", "   ", "???", "!?.", "- -"};
    CHECK_GUESS(list, INTENT_CLARIFICATION);
}

struct clear_case {
    const char *question;
    enum clarity clarity;
    const char *subject;
};

static void clarity_is_measured_against_the_schema(void **unused)
{
    (void)unused;
    static const struct clear_case list[] = {
        {"show me users", CLARITY_AMBIGUOUS, "users"},
        {"Users", CLARITY_AMBIGUOUS, "users"},
        {"list the user", CLARITY_AMBIGUOUS, "users"},
        {"order items please", CLARITY_AMBIGUOUS, "order_items"},
        {"show category", CLARITY_AMBIGUOUS, "categories"},
        {"all users", CLARITY_CLEAR, NULL},
        {"active users", CLARITY_CLEAR, NULL},
        {"how many users are there", CLARITY_CLEAR, NULL},
        {"show me something", CLARITY_VAGUE, NULL},
        {"give me some data", CLARITY_VAGUE, NULL},
        {"recent users", CLARITY_AMBIGUOUS, NULL},
        {"the most recent users", CLARITY_CLEAR, NULL},
        {"users of the last 3 days", CLARITY_CLEAR, NULL},
    };
    struct schema *schema = small_schema(people, sizeof people / sizeof *people);
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const struct table *subject = NULL;
        enum clarity clarity =
            intent_clarity(arena, list[i].question, schema, false, &subject);
        if (clarity != list[i].clarity) {
            fail_msg("'%s' is %d, not %d", list[i].question, clarity, list[i].clarity);
        }
        if (list[i].subject) {
            assert_non_null(subject);
            assert_string_equal(subject->name, list[i].subject);
        } else {
            assert_null(subject);
        }
        clarity = intent_clarity(arena, list[i].question, schema, true, &subject);
        assert_int_equal(clarity, CLARITY_CLEAR); /* the conversation says the rest */
    }
    const struct table *subject = NULL;
    assert_int_equal(intent_clarity(arena, "show me users", NULL, false, &subject),
                     CLARITY_CLEAR);
    arena_free(arena);
    schema_unref(schema);
}

static void times_without_a_measure(void **unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    assert_true(intent_vague_time(arena, "What has been sold lately?"));
    assert_true(intent_vague_time(arena, "recent orders"));
    assert_false(intent_vague_time(arena, "the most recent order"));
    assert_false(intent_vague_time(arena, "recent orders, last 7 days"));
    assert_false(intent_vague_time(arena, "recentness of orders"));
    arena_free(arena);
}

static void words_that_mean_today(void **unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    static const char *const now[] = {"orders of last month", "who is absent today?",
                                      "since January", "how old are the users",
                                      "revenue this year"};
    static const char *const never[] = {"orders of 2024", "how many users are there",
                                        "nowhere to be seen"};
    for (size_t i = 0; i < sizeof now / sizeof *now; i++) {
        assert_true(intent_uses_clock(arena, now[i]));
    }
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        assert_false(intent_uses_clock(arena, never[i]));
    }
    arena_free(arena);
}

static void texts_that_name_a_table(void **unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    static const char *const tables[] = {"customers(id* INTEGER)",
                                         "order_items(id* INTEGER)"};
    struct schema *schema = small_schema(tables, 2);
    assert_true(intent_names_table(arena, "customers in Berlin", schema));
    assert_true(intent_names_table(arena, "the oldest customer", schema));
    assert_true(intent_names_table(arena, "how many order items?", schema));
    assert_false(intent_names_table(arena, "in Berlin", schema));
    assert_false(intent_names_table(arena, "order", schema));
    assert_false(intent_names_table(arena, "", schema));
    assert_true(intent_leans(arena, "only those in Rome", schema));
    assert_true(intent_leans(arena, "and the customers?", schema));
    assert_true(intent_leans(arena, "how many?", schema));
    assert_true(intent_leans(arena, "customers with their orders", schema));
    assert_true(intent_leans(arena, "", schema));
    assert_false(intent_leans(arena, "how many customers are there?", schema));
    schema_unref(schema);
    arena_free(arena);
}

static void orders_to_change_data(void **unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    static const char *const changes[] = {
        "delete all orders",        "Please drop the table users",
        "could you update prices?", "'; DROP TABLE users; --",
        "I want to remove Ada",     "insert a user named Bo",
        "TRUNCATE orders",
    };
    static const char *const reads[] = {
        "drop in sales per month",
        "how many rows were deleted?",
        "update frequency by table",
        "orders with status removed",
        "delete",
        "",
        "drop rate by country",
        "which users did not update their address?",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        assert_true(intent_asks_change(arena, changes[i]));
    }
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        assert_false(intent_asks_change(arena, reads[i]));
    }
    arena_free(arena);
}

static void whole_questions(void **unused)
{
    (void)unused;
    static const char *const whole[] = {
        "How many orders are there?", "list the customers of Rome",
        "which users are active", "ok, show me all the products",
        "what is the average price?"};
    static const char *const parts[] = {
        "all of them", "the active ones", "2", "only 2024", "customers.id",    "yes",
        "how many?",   "which one",       "",  "by city",   "use table orders"};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        assert_true(intent_is_full(arena, whole[i]));
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_false(intent_is_full(arena, parts[i]));
    }
    assert_true(intent_off_topic(arena, "What will the weather be like?"));
    assert_false(intent_off_topic(arena, "How many users are there?"));
    arena_free(arena);
}

static void words_that_name_a_time(void **unused)
{
    (void)unused;
    static const struct {
        const char *question;
        const char *time;
    } all[] = {
        {"orders in March 2024", "in march 2024"},
        {"orders of the last 3 months by city", "the last 3 months"},
        {"sales since 2023", "since 2023"},
        {"sales between 2022 and 2023 per customer", "between 2022 and 2023"},
        {"who came yesterday?", "yesterday"},
        {"users of this year", "this year"},
        {"orders from 30 days ago", "from 30 days ago"},
        {"sales per month", NULL},
        {"the last name of customers", NULL},
        {"users that may pay", NULL},
        {"how many users are there?", NULL},
        {"", NULL},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *time = parsing_time(arena, all[i].question);
        if (!time != !all[i].time || (time && strcmp(time, all[i].time) != 0)) {
            fail_msg("%s: %s", all[i].question, time ? time : "(none)");
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_for_data),
        cmocka_unit_test(chatter),
        cmocka_unit_test(questions_about_the_schema),
        cmocka_unit_test(small_talk),
        cmocka_unit_test(no_words_at_all),
        cmocka_unit_test(clarity_is_measured_against_the_schema),
        cmocka_unit_test(times_without_a_measure),
        cmocka_unit_test(words_that_mean_today),
        cmocka_unit_test(texts_that_name_a_table),
        cmocka_unit_test(orders_to_change_data),
        cmocka_unit_test(whole_questions),
        cmocka_unit_test(words_that_name_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
