/* The SQLite file itself: who may read it, what survives, what is refused and how. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "store/migrate.h"
#include "store/sqlite/sqlite_backend.h"
#include "unit/store/file_store.h"

static struct store_question question_of(const char *id)
{
    return (struct store_question){
        .id = id, .account = "ada", .state = "FINISHED", .text = "t", .updated_at = 1};
}

static void test_file_is_private(void **state)
{
    struct fixture *fixture = *state;
    mode_t before = umask(0);
    store_close(open_store(fixture));
    (void)umask(before);
    struct stat info;
    assert_int_equal(stat(fixture->options.store_folder, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    assert_int_equal(stat(fixture->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

static void test_reopens(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = open_store(fixture);
    struct store_question question = question_of("q-1");
    store_question_save(store, &question);
    store_close(store); /* writes what is queued */
    store = open_store(fixture);
    struct store_question got;
    assert_true(store_question_get(store, fixture->arena, "q-1", &got, &fixture->err));
    store_close(store);
}

static void refused(struct fixture *fixture, const char *message, const char *hint)
{
    assert_null(store_open(&fixture->options, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_STORE);
    if (!strstr(fixture->err.message, message) || !strstr(fixture->err.hint, hint)) {
        fail_msg("'%s' / '%s'", fixture->err.message, fixture->err.hint);
    }
    assert_null(strstr(fixture->err.message, fixture->root));
    assert_null(strstr(fixture->err.detail, fixture->root));
}

static void put_file(struct fixture *fixture, const char *text, size_t size)
{
    assert_true(folder_create(fixture->options.store_folder, &fixture->err));
    assert_true(file_write(fixture->path, text, size, &fixture->err));
}

static void test_foreign_files_are_refused(void **state)
{
    struct fixture *fixture = *state;
    char text[4096];
    memset(text, 'x', sizeof text);
    put_file(fixture, text, sizeof text);
    refused(fixture, "not created by dragoman", "Move dragoman.db out");
    (void)unlink(fixture->path);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE mine(a)", NULL, NULL, NULL),
                     SQLITE_OK);
    (void)sqlite3_close(db);
    refused(fixture, "not created by dragoman", "restore a backup");
}

static void test_newer_version_is_refused(void **state)
{
    struct fixture *fixture = *state;
    store_close(open_store(fixture));
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL),
                     SQLITE_OK);
    (void)sqlite3_close(db);
    refused(fixture, "newer dragoman", "Upgrade");
}

static void test_damage_is_told(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = open_store(fixture);
    for (int i = 0; i < 200; i++) {
        struct store_question question =
            question_of(arena_format(fixture->arena, "q-%d", i));
        question.answer = "a long enough answer to fill a few pages of the file";
        store_question_save(store, &question);
    }
    store_close(store);
    size_t size = 0;
    char *data = file_read(fixture->arena, fixture->path, 1 << 24, &size, &fixture->err);
    assert_non_null(data);
    memset(data + 4096, 0xa5, size - 4096); /* the header page stays */
    put_file(fixture, data, size);
    store = store_open(&fixture->options, &fixture->err);
    bool ok = store != NULL;
    struct store_question *list;
    size_t count;
    ok = ok && store_question_list(store, fixture->arena, "ada", 500, &list, &count,
                                   &fixture->err);
    assert_false(ok);
    assert_int_equal(fixture->err.code, ERR_STORE);
    assert_non_null(strstr(fixture->err.message, "damaged"));
    assert_non_null(strstr(fixture->err.hint, "restore a backup"));
    store_close(store);
}

static void test_unwritable_folder_is_told(void **state)
{
    struct fixture *fixture = *state;
    assert_true(file_write(arena_format(fixture->arena, "%s/a", fixture->root), "", 0,
                           &fixture->err)); /* a file where the folder should be */
    refused(fixture, "cannot be opened", "--data");
}

static void test_unknown_url(void **state)
{
    struct fixture *fixture = *state;
    fixture->options.store_url = "oracle://x";
    assert_null(store_open(&fixture->options, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_CONFIG);
}

static int tables_of(sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    (void)sqlite3_prepare_v2(
        db, "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'", -1,
        &statement, NULL);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int count = sqlite3_column_int(statement, 0);
    (void)sqlite3_finalize(statement);
    return count;
}

/* Every step leads down to nothing and up again, and the version says where it stands. */
static void test_migrations_both_ways(void **state)
{
    struct fixture *fixture = *state;
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    int version = -1;
    for (int round = 0; round < 2; round++) {
        for (int target = 1; target <= store_migrate_latest(); target++) {
            assert_true(store_sqlite_migrate(db, target, &fixture->err));
            assert_true(store_sqlite_version(db, &version, &fixture->err));
            assert_int_equal(version, target);
        }
        assert_true(tables_of(db) > 10);
        for (int target = store_migrate_latest() - 1; target >= 0; target--) {
            assert_true(store_sqlite_migrate(db, target, &fixture->err));
        }
        assert_int_equal(tables_of(db), 0);
        assert_true(store_sqlite_version(db, &version, &fixture->err));
        assert_int_equal(version, 0);
    }
    (void)sqlite3_close(db);
}

static void test_audit_cannot_be_rewritten(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = open_store(fixture);
    assert_true(store_audit(store, "ada", "ask", "x", &fixture->err));
    sqlite3 *db = ((struct sqlite_connection *)store->connections[0])->db;
    assert_int_not_equal(sqlite3_exec(db, "DELETE FROM audit", NULL, NULL, NULL),
                         SQLITE_OK);
    assert_int_not_equal(
        sqlite3_exec(db, "UPDATE audit SET action = ''", NULL, NULL, NULL), SQLITE_OK);
    store_close(store);
}

/* The child says how far it flushed, then is killed while it goes on saving. */
static void child_saves(struct fixture *fixture, int pipe_out)
{
    struct store *store = store_open(&fixture->options, &fixture->err);
    for (int i = 0; store; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "q-%d", i);
        struct store_question question = question_of(id);
        store_question_save(store, &question);
        if (i % 10 == 9 && (!store_flush(store, &fixture->err) ||
                            write(pipe_out, &i, sizeof i) != sizeof i)) {
            break;
        }
    }
    _exit(1);
}

static void test_kill_loses_nothing_flushed(void **state)
{
    struct fixture *fixture = *state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        child_saves(fixture, ends[1]);
    }
    (void)close(ends[1]);
    int acknowledged = -1;
    while (acknowledged < 200) {
        assert_int_equal(read(ends[0], &acknowledged, sizeof acknowledged),
                         sizeof acknowledged);
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    int later = 0;
    while (read(ends[0], &later, sizeof later) == sizeof later) {
        acknowledged = later; /* said before the blow */
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    (void)close(ends[0]);
    struct store *store = open_store(fixture);
    for (int i = 0; i <= acknowledged; i++) {
        struct store_question got;
        assert_true(store_question_get(store, fixture->arena,
                                       arena_format(fixture->arena, "q-%d", i), &got,
                                       &fixture->err));
    }
    store_close(store);
}

static void child_writes(struct fixture *fixture, int number)
{
    struct store *store = store_open(&fixture->options, &fixture->err);
    bool ok = store != NULL;
    for (int i = 0; ok && i < 100; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "q-%d-%d", number, i);
        struct store_question question = question_of(id);
        store_question_save(store, &question);
        ok = store_audit(store, "ada", "ask", id, &fixture->err) &&
             (i % 10 || store_flush(store, &fixture->err));
    }
    store_close(store);
    _exit(ok ? 0 : 1);
}

/* Also the very first opening, at once: one makes the tables, the others wait. */
static void test_processes_share_the_file(void **state)
{
    struct fixture *fixture = *state;
    enum { CHILDREN = 4 };
    pid_t children[CHILDREN];
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            child_writes(fixture, i);
        }
    }
    for (int i = 0; i < CHILDREN; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    struct store *store = open_store(fixture);
    struct store_question *list;
    size_t count;
    assert_true(store_question_list(store, fixture->arena, "ada", 1000, &list, &count,
                                    &fixture->err));
    assert_int_equal(count, CHILDREN * 100);
    store_close(store);
}

/* A page limit stands in for a full disk. */
static void test_writes_that_fail_are_reported(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = open_store(fixture);
    sqlite3 *db = ((struct sqlite_connection *)store->connections[0])->db;
    assert_int_equal(sqlite3_exec(db, "PRAGMA max_page_count = 60", NULL, NULL, NULL),
                     SQLITE_OK);
    size_t size = (size_t)1 << 20;
    char *large = calloc(1, size + 1);
    memset(large, 'x', size);
    struct store_question question = question_of("q-large");
    question.answer = large;
    store_question_save(store, &question);
    struct store_question small = question_of("q-small");
    store_question_save(store, &small);
    assert_false(store_flush(store, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_DISK_FULL);
    assert_false(store_schema_put(store, "d", "s", large, size, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_DISK_FULL);
    free(large);
    struct store_question got; /* the small one was not taken down with the large one */
    assert_true(
        store_question_get(store, fixture->arena, "q-small", &got, &fixture->err));
    assert_false(
        store_question_get(store, fixture->arena, "q-large", &got, &fixture->err));
    assert_true(store_flush(store, &fixture->err));
    store_close(store);
}

static void test_restore(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = open_store(fixture);
    struct store_question question = question_of("q-1");
    store_question_save(store, &question);
    const char *copy = arena_format(fixture->arena, "%s/copy.db", fixture->root);
    assert_true(store_backup(store, copy, &fixture->err));
    question = question_of("q-2");
    store_question_save(store, &question);
    store_close(store);
    assert_true(store_restore(copy, &fixture->options, &fixture->err));
    store = open_store(fixture);
    struct store_question got;
    assert_true(store_question_get(store, fixture->arena, "q-1", &got, &fixture->err));
    assert_false(store_question_get(store, fixture->arena, "q-2", &got, &fixture->err));
    store_close(store);
    /* Over a damaged one, which is kept beside it. */
    put_file(fixture,
             "damaged beyond repair, and long enough to be read as a header: "
             "damaged beyond repair, and long enough to be read as one.",
             120);
    assert_null(store_open(&fixture->options, &fixture->err));
    assert_true(store_restore(copy, &fixture->options, &fixture->err));
    store = open_store(fixture);
    assert_true(store_question_get(store, fixture->arena, "q-1", &got, &fixture->err));
    store_close(store);
}

static void test_restore_checks_first(void **state)
{
    struct fixture *fixture = *state;
    struct store *store = open_store(fixture);
    struct store_question question = question_of("q-1");
    store_question_save(store, &question);
    const char *copy = arena_format(fixture->arena, "%s/copy.db", fixture->root);
    assert_true(store_backup(store, copy, &fixture->err));
    store_close(store);
    const char *text = arena_format(fixture->arena, "%s/text", fixture->root);
    assert_true(file_write(text, "no database", 11, &fixture->err));
    size_t size = 0;
    char *data = file_read(fixture->arena, copy, 1 << 24, &size, &fixture->err);
    memset(data + 4096 * 2, 0x5a, size - 4096 * 2);
    assert_true(file_write(copy, data, size, &fixture->err));
    const char *bad[] = {text, copy, "/nonexistent/backup.db"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(store_restore(bad[i], &fixture->options, &fixture->err));
        assert_int_equal(fixture->err.code, ERR_STORE);
        assert_non_null(strstr(fixture->err.message, "cannot be restored"));
    }
    fixture->options.store_url = "memory:";
    assert_false(store_restore(copy, &fixture->options, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_USAGE);
    fixture->options.store_url = "";
    store = open_store(fixture);
    struct store_question got;
    assert_true(store_question_get(store, fixture->arena, "q-1", &got, &fixture->err));
    store_close(store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_file_is_private),
        TEST(test_reopens),
        TEST(test_foreign_files_are_refused),
        TEST(test_newer_version_is_refused),
        TEST(test_damage_is_told),
        TEST(test_unwritable_folder_is_told),
        TEST(test_unknown_url),
        TEST(test_migrations_both_ways),
        TEST(test_audit_cannot_be_rewritten),
        TEST(test_kill_loses_nothing_flushed),
        TEST(test_processes_share_the_file),
        TEST(test_writes_that_fail_are_reported),
        TEST(test_restore),
        TEST(test_restore_checks_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
