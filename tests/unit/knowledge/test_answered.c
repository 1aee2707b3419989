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
    fixture->answered = answered_new(fixture->store, 2, 0);
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
    return (struct answered_question){
        .datasource = "shop", .schema_hash = "hash", .text = text, .taught = text};
}

static const char *get(struct fixture *fixture, struct answered *answered,
                       const char *text)
{
    struct answered_question question = shop(text);
    struct answered_pair pair = {0};
    if (!answered_get(answered, fixture->arena, &question, &pair, &fixture->err)) {
        assert_int_equal(fixture->err.code, ERR_OK);
        return NULL;
    }
    return pair.sql;
}

static void put(struct fixture *fixture, const char *text, const char *sql)
{
    struct answered_question question = shop(text);
    struct answered_pair pair = {.sql = sql};
    assert_true(answered_put(fixture->answered, &question, &pair, false, &fixture->err));
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
    question.account = "ada";
    answered_key(&question, again);
    assert_string_not_equal(again, key);
    question = shop(same[0]);
    question.constraints = "use orders";
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
    struct answered_pair pair = {0};
    assert_false(
        answered_get(fixture->answered, fixture->arena, &two, &pair, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_STORE);
    assert_string_equal(get(fixture, fixture->answered, "q two"), "SELECT 2");
    struct answered *later = answered_new(fixture->store, 0, 0); /* the next process */
    assert_string_equal(get(fixture, later, "q three"), "SELECT 3");
    answered_free(later);
}

static void test_clock_made_sql_is_not_kept(void **state)
{
    struct fixture *fixture = *state;
    struct answered_question question = shop("orders of last month");
    struct answered_pair pair = {.sql = "SELECT 1 WHERE d >= '2026-10-01'"};
    assert_true(answered_put(fixture->answered, &question, &pair, true, &fixture->err));
    assert_null(get(fixture, fixture->answered, "orders of last month"));
}

static void test_without_store(void **state)
{
    struct fixture *fixture = *state;
    struct answered *alone = answered_new(NULL, 0, 0);
    struct answered_question question = shop("q");
    assert_null(get(fixture, alone, "q"));
    struct answered_pair pair = {.sql = "SELECT 1"};
    assert_true(answered_put(alone, &question, &pair, false, &fixture->err));
    assert_string_equal(get(fixture, alone, "q"), "SELECT 1");
    assert_true(answered_drop(alone, &question, &fixture->err));
    assert_null(get(fixture, alone, "q"));
    answered_free(alone);
}

static void judge(struct fixture *fixture, const char *text, const char *sql,
                  enum store_verdict verdict)
{
    char key[33];
    struct answered_question question = shop(text);
    answered_key(&question, key);
    struct store_answered row = {.key = key,
                                 .datasource = "shop",
                                 .schema_hash = "hash",
                                 .question = text,
                                 .sql = sql,
                                 .verdict = verdict};
    assert_true(answered_judge(fixture->answered, &row, &fixture->err));
}

/* What a person said of an answer outlasts what is made later. */
static void test_verdicts(void **state)
{
    struct fixture *fixture = *state;
    struct answered_question question = shop("q one");
    struct answered_pair pair = {0};
    put(fixture, "q one", "SELECT 1");
    judge(fixture, "q one", "SELECT 1", STORE_VERDICT_WRONG);
    put(fixture, "q one", "SELECT 1");
    assert_true(
        answered_get(fixture->answered, fixture->arena, &question, &pair, &fixture->err));
    assert_int_equal(pair.verdict, STORE_VERDICT_WRONG);
    put(fixture, "q one", "SELECT 2"); /* another one is a new chance */
    assert_string_equal(get(fixture, fixture->answered, "q one"), "SELECT 2");
    judge(fixture, "q one", "SELECT 3", STORE_VERDICT_GOOD);
    put(fixture, "q one", "SELECT 4");
    assert_string_equal(get(fixture, fixture->answered, "q one"), "SELECT 3");
    judge(fixture, "q one", "SELECT 3", STORE_VERDICT_WRONG);
    put(fixture, "q one", "SELECT 4");
    assert_string_equal(get(fixture, fixture->answered, "q one"), "SELECT 4");
}

static size_t near(struct fixture *fixture, const char *text, const char **first)
{
    struct answered_question question = shop(text);
    struct answered_examples examples = {0};
    assert_true(answered_near(fixture->answered, fixture->arena, &question,
                              DIALECT_SQLITE, 3, &examples, &fixture->err));
    *first = examples.count ? examples.items[0].question : NULL;
    return examples.count;
}

static void test_near_questions(void **state)
{
    struct fixture *fixture = *state;
    const char *first = NULL;
    put(fixture, "How many orders did customers from Rome make?", "SELECT 1");
    put(fixture, "How many orders did customers from Paris make?", "SELECT 2");
    put(fixture, "orders by customers", "SELECT 3");
    put(fixture, "names of all suppliers", "SELECT 4");
    put(fixture, "HOW many orders did customers of Rome make", "select  1;");
    assert_int_equal(near(fixture, "orders of customers from Paris", &first), 3);
    assert_string_equal(first, "How many orders did customers from Paris make?");
    assert_int_equal(near(fixture, "the weather", &first), 0);
    assert_int_equal(near(fixture, "", &first), 0);
    judge(fixture, "orders by customers", "SELECT 3", STORE_VERDICT_GOOD);
    (void)near(fixture, "customers and orders", &first);
    assert_string_equal(first, "orders by customers");
    judge(fixture, "orders by customers", "SELECT 3", STORE_VERDICT_WRONG);
    (void)near(fixture, "customers and orders", &first);
    assert_string_not_equal(first, "orders by customers");
}

/* The words of a follow-up teach nobody: its full wording does, or nothing. */
static void test_follow_ups_are_no_examples(void **state)
{
    struct fixture *fixture = *state;
    const char *first = NULL;
    struct answered_question question = shop("orders of each customer");
    struct answered_pair pair = {.sql = "SELECT 1"};
    question.constraints = "after customers from Rome";
    question.taught = NULL;
    assert_true(answered_put(fixture->answered, &question, &pair, false, &fixture->err));
    assert_int_equal(near(fixture, "orders of each customer", &first), 0);
    question.taught = "orders of each customer from Rome";
    pair.sql = "SELECT 2";
    assert_true(answered_put(fixture->answered, &question, &pair, false, &fixture->err));
    assert_int_equal(near(fixture, "orders of each customer", &first), 1);
    assert_string_equal(first, "orders of each customer from Rome");
}

/* What was kept too long ago is not known any more, in memory and in the store. */
static void test_age(void **state)
{
    struct fixture *fixture = *state;
    struct answered *young = answered_new(fixture->store, 0, -1); /* old at once */
    struct answered_question question = shop("q");
    struct answered_pair pair = {.sql = "SELECT 1"};
    assert_true(answered_put(young, &question, &pair, false, &fixture->err));
    assert_null(get(fixture, young, "q"));
    assert_string_equal(get(fixture, fixture->answered, "q"), "SELECT 1");
    answered_free(young);
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
        TEST(test_equal_questions),
        TEST(test_put_get_drop),
        TEST(test_memory_is_bounded),
        TEST(test_clock_made_sql_is_not_kept),
        TEST(test_without_store),
        TEST(test_verdicts),
        TEST(test_near_questions),
        TEST(test_age),
        TEST(test_follow_ups_are_no_examples),
        TEST(test_signatures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
