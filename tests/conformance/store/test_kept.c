/* What accounts keep, over every store: records, history, keys, datasources, datasets. */
#include <string.h>

#include "base/clock.h"
#include "conformance/store/opened.h"
#include "store/store.h"

static void test_records(void **state)
{
    struct fixture *fixture = *state;
    struct err *err = &fixture->err;
    struct store_record row = {
        .kind = "query", .account = "ada", .scope = "shop", .name = "Sales", .json = "1"};
    char id[ID_SIZE];
    char other[ID_SIZE];
    must(store_record_put(fixture->store, &row, false, 2, id, err), err);
    row.name = "SALES"; /* the same name */
    assert_false(store_record_put(fixture->store, &row, false, 2, other, err));
    assert_int_equal(err->code, ERR_OK);
    row.json = "2";
    must(store_record_put(fixture->store, &row, true, 2, other, err), err);
    assert_string_equal(id, other);
    row.name = "b_%";
    must(store_record_put(fixture->store, &row, false, 2, other, err), err);
    row.name = "third";
    assert_false(store_record_put(fixture->store, &row, false, 2, other, err));
    assert_int_equal(err->code, ERR_OK);
    struct store_record found = {0};
    struct store_record like = {
        .kind = "query", .account = "ada", .scope = "shop", .name = "sales"};
    must(store_record_get(fixture->store, fixture->arena, &like, &found, err), err);
    assert_string_equal(found.name, "Sales");
    assert_string_equal(found.json, "2");
    struct store_record change = {.id = id,
                                  .kind = "query",
                                  .account = "ada",
                                  .scope = "shop",
                                  .name = "B_%",
                                  .json = "3"};
    assert_false(store_record_change(fixture->store, &change, err)); /* taken */
    assert_int_equal(err->code, ERR_OK);
    change.name = "zales";
    must(store_record_change(fixture->store, &change, err), err);
    struct store_records all;
    like.scope = NULL;
    must(store_record_list(fixture->store, fixture->arena, &like, &all, err), err);
    assert_int_equal(all.count, 2);
    assert_string_equal(all.items[0].name, "b_%");
    assert_string_equal(all.items[1].json, "3");
    change.account = "ben";
    assert_false(store_record_delete(fixture->store, &change, err));
    change.account = "ada";
    must(store_record_delete(fixture->store, &change, err), err);
}

static void save_past(struct fixture *fixture, const char *id, const char *text,
                      int64_t at)
{
    struct store_question question = {.id = id,
                                      .account = "ada",
                                      .state = "FINISHED",
                                      .text = text,
                                      .checkpoint = "{}",
                                      .answer = "{}",
                                      .updated_at = at,
                                      .status = "finished",
                                      .datasource = "shop",
                                      .sql = "SELECT 1",
                                      .brain = "parser",
                                      .row_count = 7};
    store_question_save(fixture->store, &question);
}

static size_t total(struct fixture *fixture, const char *search)
{
    struct store_past_query query = {.account = "ada", .search = search, .most = 10};
    struct store_pasts found;
    size_t count = 0;
    must(store_past_list(fixture->store, fixture->arena, &query, &found, &count,
                         &fixture->err),
         &fixture->err);
    assert_int_equal(found.count, count);
    return count;
}

static void test_history(void **state)
{
    struct fixture *fixture = *state;
    struct err *err = &fixture->err;
    int64_t now = clock_wall_s();
    save_past(fixture, "q-1", "How many Customers", now - 100);
    save_past(fixture, "q-2", "100% of it", now - 50);
    save_past(fixture, "q-3", "a_b", now);
    assert_int_equal(total(fixture, NULL), 3);
    assert_int_equal(total(fixture, "customers"), 1); /* letters of either case */
    assert_int_equal(total(fixture, "0%"), 1);
    assert_int_equal(total(fixture, "_"), 1);
    assert_int_equal(total(fixture, "select"), 3);
    size_t gone = 0;
    must(store_past_delete(fixture->store, "ben", "q-1", &gone, err), err);
    assert_int_equal(gone, 0);
    must(store_past_delete(fixture->store, "ada", "q-1", &gone, err), err);
    assert_int_equal(gone, 1);
    must(store_past_clean(fixture->store, now - 10, err), err);
    assert_int_equal(total(fixture, NULL), 1);
    must(store_past_delete(fixture->store, "ada", NULL, &gone, err), err);
    assert_int_equal(gone, 1);
}

static void test_keys(void **state)
{
    struct fixture *fixture = *state;
    struct err *err = &fixture->err;
    struct store_key key = {.id = "k1",
                            .hash = "h",
                            .account = "ada",
                            .scopes = 3,
                            .rate_per_minute = 10,
                            .created_at = 5};
    must(store_key_put(fixture->store, &key, 1, err), err);
    key.id = "k2";
    assert_false(store_key_put(fixture->store, &key, 1, err));
    assert_int_equal(err->code, ERR_INVALID_DATA);
    must(store_key_used(fixture->store, "k1", 100, err), err);
    must(store_key_used(fixture->store, "k1", 90, err), err);
    must(store_key_spend(fixture->store, "k1", 3, 40, err), err);
    must(store_key_spend(fixture->store, "k1", 3, 2, err), err);
    int64_t tokens = 0;
    must(store_key_spent(fixture->store, "k1", 3, &tokens, err), err);
    assert_int_equal(tokens, 42);
    must(store_key_spent(fixture->store, "k1", 4, &tokens, err), err);
    assert_int_equal(tokens, 0);
    struct store_key found;
    must(store_key_get(fixture->store, fixture->arena, "k1", &found, err), err);
    assert_int_equal(found.last_used_at, 100);
    assert_int_equal(found.scopes, 3);
    assert_null(found.label);
    struct store_keys all;
    must(store_key_list(fixture->store, fixture->arena, &all, err), err);
    assert_int_equal(all.count, 1);
    must(store_key_delete(fixture->store, "k1", err), err);
    assert_false(store_key_get(fixture->store, fixture->arena, "k1", &found, err));
    assert_int_equal(err->code, ERR_KEY_NOT_FOUND);
}

/* Found by hash or id until it expires; counted; bounded per account. */
static void test_shares(void **state)
{
    struct fixture *fixture = *state;
    struct err *err = &fixture->err;
    int64_t now = clock_wall_s();
    struct store_share share = {.id = "s1",
                                .hash = "h1",
                                .account = "ada",
                                .key = "k1",
                                .kind = "answer",
                                .subject = "q-1",
                                .title = "Größe",
                                .datasources = "shop",
                                .json = "{\"version\":1}",
                                .created_at = now,
                                .expires_at = now + 1000};
    must(store_share_put(fixture->store, &share, 1, err), err);
    share.id = "s2";
    share.hash = "h2";
    assert_false(store_share_put(fixture->store, &share, 1, err));
    assert_int_equal(err->code, ERR_QUOTA);
    share.account = "ben";
    share.expires_at = now - 1; /* expired: is there for nobody */
    must(store_share_put(fixture->store, &share, 1, err), err);
    struct store_share found = {0};
    assert_false(
        store_share_get(fixture->store, fixture->arena, "h2", NULL, &found, err));
    assert_int_equal(err->code, ERR_OK);
    assert_false(
        store_share_get(fixture->store, fixture->arena, "s1", NULL, &found, err));
    must(store_share_get(fixture->store, fixture->arena, "h1", NULL, &found, err), err);
    assert_string_equal(found.json, "{\"version\":1}");
    assert_string_equal(found.title, "Größe");
    assert_int_equal(found.opens, 0);
    must(store_share_opened(fixture->store, "s1", now + 1, err), err);
    must(store_share_opened(fixture->store, "s1", now + 2, err), err);
    must(store_share_get(fixture->store, fixture->arena, NULL, "s1", &found, err), err);
    assert_int_equal(found.opens, 2);
    assert_int_equal(found.last_opened_at, now + 2);
    struct store_shares all;
    must(store_share_list(fixture->store, fixture->arena, NULL, &all, err), err);
    assert_int_equal(all.count, 1);
    assert_null(all.items[0].json);
    must(store_share_list(fixture->store, fixture->arena, "ben", &all, err), err);
    assert_int_equal(all.count, 0);
    must(store_clean(fixture->store, 1000, err), err);
    share.id = "s3";
    must(store_share_put(fixture->store, &share, 1, err),
         err); /* its hash is free again */
    must(store_share_delete(fixture->store, "s1", err), err);
    assert_false(store_share_delete(fixture->store, "s1", err));
    assert_int_equal(err->code, ERR_OK);
}

static void test_sources(void **state)
{
    struct fixture *fixture = *state;
    struct err *err = &fixture->err;
    struct store_source row = {.id = "shop", .sealed = "s1"};
    must(store_source_put(fixture->store, &row, err), err);
    row.sealed = "s2";
    row.description = "the shop";
    must(store_source_put(fixture->store, &row, err), err);
    struct store_sources all = {0};
    must(store_source_list(fixture->store, fixture->arena, &all, err), err);
    assert_int_equal(all.count, 1);
    assert_string_equal(all.items[0].sealed, "s2");
    must(store_source_delete(fixture->store, "shop", err), err);
    must(store_audit(fixture->store, "ada", "did", "this", err), err);
}

/* One for each name of an account; no other account sees it, by name or by id. */
static void test_datasets(void **state)
{
    struct fixture *fixture = *state;
    struct err *err = &fixture->err;
    struct store_dataset dataset = {
        .account = "ada", .name = "sales", .file = "a.csv", .bytes = 5, .json = "{}"};
    struct store_dataset found;
    struct store_datasets list;
    must(store_dataset_put(fixture->store, &dataset, err), err);
    dataset.file = "b.csv";
    must(store_dataset_put(fixture->store, &dataset, err), err);
    must(store_dataset_get(fixture->store, fixture->arena, "ada", "sales", &found, err),
         err);
    assert_string_equal(found.file, "b.csv");
    const char *id = found.id;
    must(store_dataset_get(fixture->store, fixture->arena, "ada", id, &found, err), err);
    must(store_dataset_list(fixture->store, fixture->arena, "ada", &list, err), err);
    assert_int_equal(list.count, 1);
    static const char *const others[] = {NULL, "ben"};
    for (size_t i = 0; i < 2; i++) {
        assert_false(store_dataset_get(fixture->store, fixture->arena, others[i], id,
                                       &found, err));
        assert_int_equal(err->code, ERR_DATASET_NOT_FOUND);
        assert_false(store_dataset_delete(fixture->store, others[i], "sales", err));
        must(store_dataset_list(fixture->store, fixture->arena, others[i], &list, err),
             err);
        assert_int_equal(list.count, 0);
    }
    must(store_dataset_delete(fixture->store, "ada", "sales", err), err);
    assert_false(
        store_dataset_get(fixture->store, fixture->arena, "ada", "sales", &found, err));
    assert_string_equal(err->message, "Dataset not found");
}

static void part_is(struct fixture *fixture, const char *version, int64_t part,
                    const char *wanted, size_t size)
{
    char id[STORE_DATASET_ID];
    const char *bytes = NULL;
    size_t got = 0;
    store_dataset_id("ada", "sales", id);
    must(store_dataset_part_get(fixture->store, fixture->arena, id, version, part, &bytes,
                                &got, &fixture->err),
         &fixture->err);
    assert_int_equal(got, size);
    assert_int_equal(bytes != NULL, wanted != NULL);
    assert_true(!wanted || memcmp(bytes, wanted, size) == 0);
}

/* Any bytes, version by version; the last one that is named stays, and goes with its
 * dataset. */
static void test_dataset_parts(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = fixture->store;
    struct err *err = &fixture->err;
    static const char odd[] = {0, (char)0xff, '\'', 0, '\n', (char)0x80};
    char id[STORE_DATASET_ID];
    store_dataset_id("ada", "sales", id);
    must(store_dataset_part_put(store, id, "v1", 0, odd, sizeof odd, err), err);
    must(store_dataset_part_put(store, id, "v1", 1, "x", 1, err), err);
    must(store_dataset_part_put(store, id, "v2", 0, "new", 3, err), err);
    assert_false(store_dataset_part_put(store, id, "v2", 0, "twice", 5, err));
    part_is(fixture, "v1", 0, odd, sizeof odd);
    part_is(fixture, "v1", 1, "x", 1);
    part_is(fixture, "v1", 2, NULL, 0);
    const struct store_dataset dataset = {.account = "ada",
                                          .name = "sales",
                                          .file = "a.csv",
                                          .bytes = 3,
                                          .json = "{}",
                                          .version = "v2"};
    struct store_datasets all;
    must(store_dataset_put(store, &dataset, err), err);
    must(store_dataset_all(store, fixture->arena, &all, err), err);
    assert_int_equal(all.count, 1);
    assert_string_equal(all.items[0].version, "v2");
    assert_string_equal(all.items[0].id, id);
    must(store_dataset_part_drop(store, id, "v2", err), err);
    part_is(fixture, "v1", 0, NULL, 0);
    part_is(fixture, "v2", 0, "new", 3);
    must(store_dataset_delete(store, "ada", "sales", err), err);
    part_is(fixture, "v2", 0, NULL, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_records),       TEST(test_history), TEST(test_keys),
        TEST(test_shares),        TEST(test_sources), TEST(test_datasets),
        TEST(test_dataset_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
