/* Tables that are known to be empty: not for longer than nothing is committed, by whichever store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "store/sqlite/sqlite_backend.h"
#include "unit/store/file_store.h"

static size_t lessons_of(struct fixture *fixture, struct store *store,
                         const char *account)
{
    struct store_lessons all;
    assert_true(
        store_lesson_list(store, fixture->arena, account, "shop", &all, &fixture->err));
    return all.count;
}

static void lesson_put(struct fixture *fixture, struct store *store, char id[ID_SIZE])
{
    const struct store_lesson lesson = {.account = "ann",
                                        .datasource = "shop",
                                        .kind = "table_mapping",
                                        .subject = "customers",
                                        .source = "manual",
                                        .confidence = 0.5,
                                        .json = "{}"};
    assert_true(store_lesson_put(store, &lesson, 10, id, &fixture->err));
}

static void must_know(struct store *store, bool known)
{
    assert_int_equal(store_empty_known(store, STORE_LESSONS), known);
}

static void test_known_until_something_is_committed(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = open_store(fixture);
    const struct store_question question = {
        .id = "q-1", .account = "ann", .state = "FINISHED", .text = "t", .updated_at = 1};
    must_know(store, false);
    assert_int_equal(lessons_of(fixture, store, "ann"), 0);
    must_know(store, true);
    assert_false(store_empty_known(store, STORE_DATASETS));
    store_question_save(store, &question);
    assert_true(store_flush(store, &fixture->err));
    must_know(store, false);
    assert_int_equal(lessons_of(fixture, store, "ann"), 0);
    must_know(store, true);
    store_close(store);
}

/* A command beside the server: what it adds counts for the next question of the server. */
static void test_another_store_adds_and_removes(void **state)
{
    struct fixture *fixture = *state;
    struct store *server = open_store(fixture);
    struct store *command = open_store(fixture);
    char id[ID_SIZE];
    assert_int_equal(lessons_of(fixture, server, "ann"), 0);
    must_know(server, true);
    lesson_put(fixture, command, id);
    must_know(server, false);
    assert_int_equal(lessons_of(fixture, server, "ann"), 1);
    assert_int_equal(lessons_of(fixture, server, "bob"), 0);
    must_know(server, false); /* the table has a row, although none of his */
    assert_true(store_lesson_delete(command, "ann", id, &fixture->err));
    assert_int_equal(lessons_of(fixture, server, "ann"), 0);
    must_know(server, true);
    store_close(command);
    must_know(server, true);
    lesson_put(fixture, server, id);
    assert_int_equal(lessons_of(fixture, server, "ann"), 1);
    store_close(server);
}

static void test_a_store_in_memory_is_asked(void **state)
{
    struct fixture *fixture = *state;
    fixture->options.store_url = "memory:";
    struct store *store = open_store(fixture);
    char id[ID_SIZE];
    assert_int_equal(lessons_of(fixture, store, "ann"), 0);
    must_know(store, false);
    lesson_put(fixture, store, id);
    assert_int_equal(lessons_of(fixture, store, "ann"), 1);
    store_close(store);
}

static void test_datasets_as_well(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = open_store(fixture);
    struct store_datasets all;
    assert_true(store_dataset_list(store, fixture->arena, "ann", &all, &fixture->err));
    assert_true(store_empty_known(store, STORE_DATASETS));
    assert_true(store_dataset_list(store, fixture->arena, "ann", &all, &fixture->err));
    assert_int_equal(all.count, 0);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_known_until_something_is_committed, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_another_store_adds_and_removes, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_a_store_in_memory_is_asked, setup, teardown),
        cmocka_unit_test_setup_teardown(test_datasets_as_well, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
