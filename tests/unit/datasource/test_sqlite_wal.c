/* Databases in WAL mode: nothing is left beside them, a read-only folder will do, and
 * what is written meanwhile is never read in halves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "datasource/datasource.h"
#include "datasource/sqlite/sqlite_driver.h"
#include "unit/datasource/sqlite_bench.h"

enum { NOBODY = 65534 };

#define WAL_ITEMS                                                                        \
    "PRAGMA journal_mode = WAL; CREATE TABLE item (id INTEGER, note TEXT);"              \
    "INSERT INTO item VALUES (1, 'a'), (2, 'b')"

/* Somebody who may read the folder and not write into it. For root that is another user.
 */
static void become_reader(struct bench *bench)
{
    assert_int_equal(chmod(bench->folder, 0555), 0);
    assert_int_equal(chmod(bench->path, 0444), 0);
    if (getuid() == 0) {
        assert_int_equal(seteuid(NOBODY), 0);
    }
}

static void become_owner(struct bench *bench)
{
    if (getuid() == 0) {
        assert_int_equal(seteuid(0), 0);
    }
    assert_int_equal(chmod(bench->folder, 0755), 0);
    assert_int_equal(chmod(bench->path, 0644), 0);
}

static void open_source(struct bench *bench)
{
    struct err err;
    const struct datasource_setting setting = {.id = "shop", .url = bench->path};
    bench->source = datasource_open(&setting, bench->options, &err);
    if (!bench->source) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
}

static void close_source(struct bench *bench)
{
    datasource_close(bench->source);
    bench->source = NULL;
}

static int64_t count(struct bench *bench)
{
    struct rows rows;
    struct err err;
    rows_init(&rows, bench->arena);
    if (!datasource_execute(bench->source, "SELECT COUNT(*) FROM item", NULL, NULL, &rows,
                            &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    return rows_cell(&rows, 0, 0)->integer;
}

static bool beside(struct bench *bench, const char *tail)
{
    return access(arena_format(bench->arena, "%s%s", bench->path, tail), F_OK) == 0;
}

static bool is_frozen(struct bench *bench)
{
    struct err err;
    struct sqlite_connection *connection =
        sqlite_take(bench->source, SQLITE_FOR_READING, NULL, &err);
    bool frozen = connection->frozen;
    sqlite_give(bench->source, connection);
    return frozen;
}

static void nothing_is_left_beside_it(void **state)
{
    struct bench *bench = *state;
    script(bench->path, WAL_ITEMS);
    assert_false(beside(bench, "-wal"));
    open_source(bench);
    assert_int_equal(count(bench), 2);
    assert_false(is_frozen(bench)); /* others may come and write */
    script(bench->path, "INSERT INTO item VALUES (3, 'c')");
    assert_int_equal(count(bench), 3);
    script(bench->path, "PRAGMA wal_checkpoint(TRUNCATE)");
    close_source(bench);
    assert_false(beside(bench, "-wal"));
    assert_false(beside(bench, "-shm"));
}

static void what_others_use_stays(void **state)
{
    struct bench *bench = *state;
    sqlite3 *other = NULL;
    script(bench->path, WAL_ITEMS);
    open_source(bench);
    assert_int_equal(count(bench), 2);
    assert_int_equal(sqlite3_open(bench->path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "SELECT * FROM item", NULL, NULL, NULL), 0);
    close_source(bench); /* the -wal is empty, but in use */
    assert_true(beside(bench, "-wal"));
    assert_int_equal(
        sqlite3_exec(other, "INSERT INTO item VALUES (3, 'c')", NULL, NULL, NULL), 0);
    open_source(bench);
    assert_int_equal(count(bench), 3);
    close_source(bench); /* somebody's rows are in it */
    assert_true(beside(bench, "-wal"));
    assert_int_equal(
        sqlite3_exec(other, "INSERT INTO item VALUES (4, 'd')", NULL, NULL, NULL), 0);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
    assert_false(beside(bench, "-wal"));
    open_source(bench);
    assert_int_equal(count(bench), 4);
}

/* A program that was killed left rows in the -wal: they are read, and stay where they
 * are. */
static void rows_that_somebody_left_are_read(void **state)
{
    struct bench *bench = *state;
    sqlite3 *other = NULL;
    struct stat before;
    struct stat after;
    script(bench->path, WAL_ITEMS);
    assert_int_equal(sqlite3_open(bench->path, &other), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(other, "INSERT INTO item VALUES (3, 'c')", NULL, NULL, NULL), 0);
    int on = 1;
    (void)sqlite3_db_config(other, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on, NULL);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
    assert_true(beside(bench, "-wal"));
    assert_int_equal(stat(bench->path, &before), 0);
    open_source(bench);
    assert_int_equal(count(bench), 3);
    close_source(bench);
    assert_int_equal(stat(bench->path, &after), 0);
    assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof before.st_mtim);
    assert_true(beside(bench, "-wal"));
}

static void a_read_only_folder_will_do(void **state)
{
    struct bench *bench = *state;
    script(bench->path, WAL_ITEMS);
    become_reader(bench);
    open_source(bench);
    assert_int_equal(count(bench), 2);
    assert_true(is_frozen(bench));
    become_owner(bench); /* who has it open now, and writes */
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(bench->path, &other), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(other, "INSERT INTO item VALUES (3, 'c')", NULL, NULL, NULL), 0);
    become_reader(bench);
    assert_int_equal(count(bench), 3); /* as everybody else reads it */
    assert_false(is_frozen(bench));
    close_source(bench);
    become_owner(bench);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
    become_reader(bench);
    open_source(bench);
    assert_int_equal(count(bench), 3);
    become_owner(
        bench); /* from the first insert to the last close between two questions */
    script(bench->path, "INSERT INTO item VALUES (4, 'd')");
    become_reader(bench);
    assert_int_equal(count(bench), 4);
    close_source(bench);
    become_owner(bench);
    assert_false(beside(bench, "-wal"));
    assert_false(beside(bench, "-shm"));
}

static void odd_names_are_found(void **state)
{
    struct bench *bench = *state;
    (void)snprintf(bench->path, sizeof bench->path, "%s/a%%41 ?x#y&immutable=0.db",
                   bench->folder);
    script(bench->path, WAL_ITEMS);
    become_reader(bench);
    open_source(bench);
    assert_int_equal(count(bench), 2);
    assert_true(is_frozen(bench));
    close_source(bench);
    become_owner(bench);
}

struct disturber {
    struct bench *bench;
    size_t rows;
};

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count == 2;
}

/* After the first row the owner rewrites the whole file, below the reader's feet. */
static bool take_row(void *context, const struct value *cells)
{
    struct disturber *disturber = context;
    (void)cells;
    if (disturber->rows++ == 0) {
        become_owner(disturber->bench);
        script(disturber->bench->path, "UPDATE item SET note = note || 'x'; VACUUM");
        become_reader(disturber->bench);
    }
    return true;
}

static void a_change_while_it_is_read_is_told(void **state)
{
    struct bench *bench = *state;
    struct disturber disturber = {.bench = bench};
    struct datasource_sink sink = {
        .context = &disturber, .columns = take_columns, .row = take_row};
    struct err err;
    script(bench->path, WAL_ITEMS
           ";WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n LIMIT 20000)"
           "INSERT INTO item SELECT i, 'a note of some length' FROM n");
    become_reader(bench);
    open_source(bench);
    assert_true(is_frozen(bench));
    bool ok = datasource_stream(bench->source, "SELECT id, note FROM item", NULL, NULL,
                                &sink, &err);
    become_owner(bench);
    assert_false(ok);
    assert_int_equal(err.code, ERR_DATABASE_LOCKED);
    assert_non_null(strstr(err.message, "was changed while it was read"));
    become_reader(bench);
    assert_int_equal(count(bench), 20002); /* and the next one is right */
    close_source(bench);
    become_owner(bench);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(nothing_is_left_beside_it),
        BENCH_TEST(what_others_use_stays),
        BENCH_TEST(rows_that_somebody_left_are_read),
        BENCH_TEST(a_read_only_folder_will_do),
        BENCH_TEST(odd_names_are_found),
        BENCH_TEST(a_change_while_it_is_read_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
