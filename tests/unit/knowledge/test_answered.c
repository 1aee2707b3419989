/* Questions answered before, and signatures of several datasources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "knowledge/answered.h"
#include "knowledge/signature.h"
#include "store/store.h"

struct fixture {
    struct store *store;
    struct answered *answered;
    struct arena *arena;
    struct err err;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct options options = {.store_url = "memory:", .store_commit_ms = 1};
    fixture->store = store_open(&options, &fixture->err);
    fixture->answered = answered_new(fixture->store, 2);
    fixture->arena = arena_new();
    *state = fixture;
    return fixture->store ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    answered_free(fixture->answered);
    store_close(fixture->store);
    arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static struct answered_question shop(const char *text)
{
    return (struct answered_question){"shop", "hash", text};
}

static const char *get(struct fixture *fixture, struct answered *answered,
                       const char *text)
{
    struct answered_question question = shop(text);
    const char *sql = NULL;
    if (!answered_get(answered, fixture->arena, &question, &sql, &fixture->err)) {
        assert_int_equal(fixture->err.code, ERR_OK);
        return NULL;
    }
    return sql;
}

static void put(struct fixture *fixture, const char *text, const char *sql)
{
    struct answered_question question = shop(text);
    assert_true(answered_put(fixture->answered, &question, sql, false, &fixture->err));
}

static void test_equal_questions(void **state)
{
    (void)state;
    static const char *const same[] = {
        "How many  orders are there?", "how many orders are there",
        "  HOW MANY orders are there ?! ", "how many orders are there…",
        "how many orders are there？"};
    static const char *const other[] = {"how many orders were there", "how many orders",
                                        "how many orders are \"there\""};
    char key[33];
    char again[33];
    struct answered_question question = shop(same[0]);
    answered_key(&question, key);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        question.text = same[i];
        answered_key(&question, again);
        assert_string_equal(again, key);
    }
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        question.text = other[i];
        answered_key(&question, again);
        assert_string_not_equal(again, key);
    }
    question = shop(same[0]);
    question.schema_hash = "other";
    answered_key(&question, again);
    assert_string_not_equal(again, key);
    question = shop(same[0]);
    question.datasource = "other";
    answered_key(&question, again);
    assert_string_not_equal(again, key);
    /* What is quoted is a value, and values keep their case. */
    struct answered_question upper = shop("orders with code 'AB' or the customer's name");
    struct answered_question lower = shop("orders with code 'ab' or the customer's name");
    struct answered_question shout = shop("ORDERS with code 'AB' or the customer's NAME");
    answered_key(&upper, key);
    answered_key(&lower, again);
    assert_string_not_equal(again, key);
    answered_key(&shout, again);
    assert_string_equal(again, key);
}

static void test_put_get_drop(void **state)
{
    struct fixture *fixture = *state;
    assert_null(get(fixture, fixture->answered, "q one"));
    put(fixture, "q one", "SELECT 1");
    assert_string_equal(get(fixture, fixture->answered, "Q ONE?"), "SELECT 1");
    put(fixture, "q one", "SELECT 11");
    assert_string_equal(get(fixture, fixture->answered, "q one"), "SELECT 11");
    struct answered_question question = shop("q one");
    assert_true(answered_drop(fixture->answered, &question, &fixture->err));
    assert_null(get(fixture, fixture->answered, "q one"));
}

/* Two fit in memory; the third pushes one out, and the store still has it. */
static void test_memory_is_bounded(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "q one", "SELECT 1");
    put(fixture, "q two", "SELECT 2");
    assert_non_null(get(fixture, fixture->answered, "q one"));
    put(fixture, "q three", "SELECT 3");
    store_fail_at(fixture->store, 1, ERR_STORE); /* only memory can answer now */
    assert_string_equal(get(fixture, fixture->answered, "q one"), "SELECT 1");
    assert_string_equal(get(fixture, fixture->answered, "q three"), "SELECT 3");
    struct answered_question two = shop("q two");
    const char *sql = NULL;
    assert_false(
        answered_get(fixture->answered, fixture->arena, &two, &sql, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_STORE);
    assert_string_equal(get(fixture, fixture->answered, "q two"), "SELECT 2");
    struct answered *later = answered_new(fixture->store, 0); /* the next process */
    assert_string_equal(get(fixture, later, "q three"), "SELECT 3");
    answered_free(later);
}

static void test_clock_made_sql_is_not_kept(void **state)
{
    struct fixture *fixture = *state;
    struct answered_question question = shop("orders of last month");
    assert_true(answered_put(fixture->answered, &question,
                             "SELECT 1 WHERE d >= '2026-10-01'", true, &fixture->err));
    assert_null(get(fixture, fixture->answered, "orders of last month"));
}

static void test_without_store(void **state)
{
    struct fixture *fixture = *state;
    struct answered *alone = answered_new(NULL, 0);
    struct answered_question question = shop("q");
    assert_null(get(fixture, alone, "q"));
    assert_true(answered_put(alone, &question, "SELECT 1", false, &fixture->err));
    assert_string_equal(get(fixture, alone, "q"), "SELECT 1");
    assert_true(answered_drop(alone, &question, &fixture->err));
    assert_null(get(fixture, alone, "q"));
    answered_free(alone);
}

static void test_signatures(void **state)
{
    (void)state;
    char one[33];
    char two[33];
    struct signature_part parts[] = {{"a", "11"}, {"b", "22"}};
    struct signature_part turned[] = {{"b", "22"}, {"a", "11"}};
    signature_combine(parts, 0, one);
    assert_string_equal(one, "");
    signature_combine(parts, 1, one);
    assert_string_equal(one, "11");
    signature_combine(parts, 2, one);
    signature_combine(turned, 2, two);
    assert_int_equal(strlen(one), 32);
    assert_string_equal(one, two);
    turned[0].signature = "23";
    signature_combine(turned, 2, two);
    assert_string_not_equal(one, two);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_equal_questions),   TEST(test_put_get_drop),
        TEST(test_memory_is_bounded), TEST(test_clock_made_sql_is_not_kept),
        TEST(test_without_store),     TEST(test_signatures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
