/* What the SQLite store does beside its one writer: reads, and copies of other pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "store/sqlite/sqlite_backend.h"
#include "unit/store/file_store.h"

/* Backups: of a store as it is made now, and as it was before. */
static const char *large(const struct fixture *fixture)
{
    return arena_format(fixture->arena, "%s/large.db", fixture->root);
}

static const char *small(const struct fixture *fixture)
{
    return arena_format(fixture->arena, "%s/small.db", fixture->root);
}

static void save_one(struct fixture *fixture, struct store *store)
{
    struct store_question question = {
        .id = "q-1", .account = "ada", .state = "FINISHED", .text = "t", .updated_at = 1};
    store_question_save(store, &question);
    assert_true(store_flush(store, &fixture->err));
}

static void must_have_it(struct fixture *fixture)
{
    struct store *store = open_store(fixture);
    struct store_question got;
    assert_true(store_question_get(store, fixture->arena, "q-1", &got, &fixture->err));
    store_close(store);
}

/* A question that only reads does not wait for the disk of those that are written. */
static void test_reads_beside_the_writer(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = open_store(fixture);
    struct store_question got;
    struct store_lessons lessons;
    save_one(fixture, store);
    (void)pthread_mutex_lock(&store->connections[0]->lock);
    assert_true(store_question_get(store, fixture->arena, "q-1", &got, &fixture->err));
    assert_true(
        store_lesson_list(store, fixture->arena, "ada", "d", &lessons, &fixture->err));
    (void)pthread_mutex_unlock(&store->connections[0]->lock);
    store_close(store);
    assert_int_not_equal(
        access(arena_format(fixture->arena, "%s-wal", fixture->path), F_OK),
        0); /* nobody has it open any more */
}

/* Stores of before had pages of 4 KB; a WAL file takes its own size alone. */
static void test_restore_between_page_sizes(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = open_store(fixture);
    save_one(fixture, store);
    assert_true(store_backup(store, large(fixture), &fixture->err));
    store_close(store);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "DELETE FROM questions; PRAGMA journal_mode = DELETE;"
                                  "PRAGMA page_size = 4096; VACUUM;"
                                  "PRAGMA journal_mode = WAL",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    (void)sqlite3_close(db);
    assert_true(store_restore(large(fixture), &fixture->options, &fixture->err));
    must_have_it(fixture);
    store = open_store(fixture);
    assert_true(store_backup(store, small(fixture), &fixture->err));
    store_close(store);
    assert_int_equal(unlink(fixture->path), 0);
    assert_true(store_restore(small(fixture), &fixture->options, &fixture->err));
    must_have_it(fixture);
    assert_int_equal(unlink(fixture->path), 0);
    assert_int_equal(rmdir(fixture->options.store_folder), 0); /* nothing else is left */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reads_beside_the_writer),
        TEST(test_restore_between_page_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
