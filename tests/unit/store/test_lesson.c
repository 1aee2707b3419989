/* Lessons in the store: one account never reaches another's, figures add up. */
#include "conformance/store/opened.h"
#include "store/store.h"

static struct store_lesson lesson(const char *account, const char *subject)
{
    return (struct store_lesson){.account = account,
                                 .datasource = "shop",
                                 .kind = "table_mapping",
                                 .subject = subject,
                                 .source = "manual",
                                 .confidence = 0.5,
                                 .json = "{}"};
}

static void put(struct fixture *fixture, const char *account, const char *subject,
                char id[ID_SIZE])
{
    struct store_lesson row = lesson(account, subject);
    assert_true(store_lesson_put(fixture->store, &row, 10, id, &fixture->err));
}

static size_t count(struct fixture *fixture, const char *account, const char *datasource)
{
    struct store_lessons all;
    assert_true(store_lesson_list(fixture->store, fixture->arena, account, datasource,
                                  &all, &fixture->err));
    return all.count;
}

static void an_equal_one_takes_the_place(void **state)
{
    struct fixture *fixture = *state;
    char first[ID_SIZE];
    char second[ID_SIZE];
    put(fixture, "ann", "customers", first);
    put(fixture, "ann", "customers", second);
    assert_string_equal(first, second);
    put(fixture, "ann", "orders", second);
    assert_string_not_equal(first, second);
    assert_int_equal(count(fixture, "ann", "shop"), 2);
    assert_int_equal(count(fixture, "ann", NULL), 2);
    assert_int_equal(count(fixture, "ann", "other"), 0);
}

static void accounts_do_not_meet(void **state)
{
    struct fixture *fixture = *state;
    struct store_lesson got;
    struct store_lesson_use use = {true, 0.9, 0.1};
    char id[ID_SIZE];
    put(fixture, "ann", "customers", id);
    static const char *const others[] = {"bob", NULL, "", "ANN", "ann ", "%"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(count(fixture, others[i], NULL), 0);
        assert_false(store_lesson_get(fixture->store, fixture->arena, others[i], id, &got,
                                      &fixture->err));
        assert_int_equal(fixture->err.code, ERR_LESSON_NOT_FOUND);
        assert_false(
            store_lesson_used(fixture->store, others[i], id, &use, &fixture->err));
        assert_false(store_lesson_delete(fixture->store, others[i], id, &fixture->err));
        assert_int_equal(fixture->err.code, ERR_LESSON_NOT_FOUND);
    }
    assert_true(
        store_lesson_get(fixture->store, fixture->arena, "ann", id, &got, &fixture->err));
    assert_int_equal(got.usage_count, 0);
    char other[ID_SIZE];
    put(fixture, "bob", "customers", other);
    assert_string_not_equal(id, other);
    assert_true(store_lesson_delete(fixture->store, "bob", other, &fixture->err));
    assert_int_equal(count(fixture, "ann", NULL), 1);
}

static void use_is_counted(void **state)
{
    struct fixture *fixture = *state;
    struct store_lesson got;
    char id[ID_SIZE];
    put(fixture, NULL, "customers", id);
    struct store_lesson_use worked = {true, 0.9, 0.1};
    struct store_lesson_use failed = {false, 0.7, 0};
    assert_true(store_lesson_used(fixture->store, NULL, id, &worked, &fixture->err));
    assert_true(store_lesson_used(fixture->store, NULL, id, &failed, &fixture->err));
    assert_true(
        store_lesson_get(fixture->store, fixture->arena, NULL, id, &got, &fixture->err));
    assert_int_equal(got.usage_count, 2);
    assert_int_equal(got.success_count, 1);
    assert_true(got.confidence > 0.384 && got.confidence < 0.386); /* (.5*.9+.1)*.7 */
}

static void there_is_a_limit(void **state)
{
    struct fixture *fixture = *state;
    char id[ID_SIZE];
    for (int i = 0; i < 10; i++) {
        put(fixture, "ann", arena_format(fixture->arena, "table %d", i), id);
    }
    struct store_lesson row = lesson("ann", "one more");
    assert_false(store_lesson_put(fixture->store, &row, 10, id, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_INVALID_DATA);
    put(fixture, "ann", "table 3", id); /* an old one may still change */
    put(fixture, "bob", "one more", id);
    assert_int_equal(count(fixture, "ann", NULL), 10);
}

static void faults_are_reported(void **state)
{
    struct fixture *fixture = *state;
    struct store_lesson row = lesson("ann", "customers");
    char id[ID_SIZE];
    store_fail_at(fixture->store, 1, ERR_DISK_FULL);
    assert_false(store_lesson_put(fixture->store, &row, 10, id, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_DISK_FULL);
    assert_int_equal(count(fixture, "ann", NULL), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_equal_one_takes_the_place),
        TEST(accounts_do_not_meet),
        TEST(use_is_counted),
        TEST(there_is_a_limit),
        TEST(faults_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
