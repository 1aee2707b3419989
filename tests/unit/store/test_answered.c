/* Questions answered before, as the store keeps them. */
#include "conformance/store/opened.h"
#include "store/store.h"

static void test_answered(void **state)
{
    struct fixture *fixture = *state;
    struct store_answered row = {.key = "k",
                                 .account = "ada",
                                 .datasource = "shop",
                                 .schema_hash = "h",
                                 .question = "q?",
                                 .sql = "SELECT 1"};
    struct store_answered out = {0};
    assert_false(
        store_answered_get(fixture->store, fixture->arena, "k", &out, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_OK);
    must(store_answered_put(fixture->store, &row, &fixture->err), &fixture->err);
    row.sql = "SELECT 2";
    row.explanation = "Two.";
    row.verdict = STORE_VERDICT_WRONG;
    must(store_answered_put(fixture->store, &row, &fixture->err), &fixture->err);
    must(store_answered_get(fixture->store, fixture->arena, "k", &out, &fixture->err),
         &fixture->err);
    assert_string_equal(out.sql, "SELECT 2");
    assert_string_equal(out.explanation, "Two.");
    assert_string_equal(out.account, "ada");
    assert_int_equal(out.verdict, STORE_VERDICT_WRONG);
    assert_true(out.stored_at > 0);
    must(store_answered_drop(fixture->store, "k", &fixture->err), &fixture->err);
    must(store_answered_drop(fixture->store, "k", &fixture->err), &fixture->err);
    assert_false(
        store_answered_get(fixture->store, fixture->arena, "k", &out, &fixture->err));
}

static size_t count_answered(struct fixture *fixture, const struct store_answered *like,
                             int64_t since, size_t most)
{
    struct store_answereds rows = {0};
    must(store_answered_list(fixture->store, fixture->arena, like, since, most, &rows,
                             &fixture->err),
         &fixture->err);
    return rows.count;
}

/* No list leads into another account, datasource or schema. */
static void test_answered_list(void **state)
{
    struct fixture *fixture = *state;
    struct store_answered row = {.datasource = "shop",
                                 .account = "ada",
                                 .schema_hash = "h",
                                 .question = "q?",
                                 .sql = "SELECT 1"};
    static const char *const keys[] = {"k1", "k2", "k3"};
    for (size_t i = 0; i < 3; i++) {
        row.key = keys[i];
        must(store_answered_put(fixture->store, &row, &fixture->err), &fixture->err);
    }
    struct store_answereds rows = {0};
    must(store_answered_list(fixture->store, fixture->arena, &row, 0, 2, &rows,
                             &fixture->err),
         &fixture->err);
    assert_int_equal(rows.count, 2);
    assert_string_equal(rows.items[0].key, "k3"); /* newest first */
    assert_int_equal(count_answered(fixture, &row, 0, 100), 3);
    assert_int_equal(count_answered(fixture, &row, INT64_MAX, 100), 0);
    row.account = NULL;
    assert_int_equal(count_answered(fixture, &row, 0, 100), 0);
    row.account = "ada";
    row.schema_hash = "other";
    assert_int_equal(count_answered(fixture, &row, 0, 100), 0);
    row.schema_hash = "h";
    row.datasource = "other";
    assert_int_equal(count_answered(fixture, &row, 0, 100), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_answered), TEST(test_answered_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
