/* A SQLite file of one's own in a folder of its own, for the tests of the driver. */
#ifndef DGM_TESTS_DATASOURCE_SQLITE_BENCH_H
#define DGM_TESTS_DATASOURCE_SQLITE_BENCH_H

#include <sqlite3.h>

#include "unit/datasource/bench.h"

static int setup(void **state)
{
    *state = bench_begin("shop.db");
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    static const char *const tails[] = {"-wal", "-shm", "-journal", ".other"};
    struct bench *bench = *state;
    datasource_close(bench->source);
    bench->source = NULL;
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        (void)unlink(arena_format(bench->arena, "%s%s", bench->path, tails[i]));
    }
    (void)bench_end(bench);
    return 0;
}

static void script(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) {
        fail_msg("%s", message);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

#endif
