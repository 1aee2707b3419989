/* A SQLite file of one's own in a folder of its own, for the tests of the driver. */
#ifndef DGM_TESTS_DATASOURCE_SQLITE_BENCH_H
#define DGM_TESTS_DATASOURCE_SQLITE_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "datasource/datasource.h"

struct bench {
    char folder[40];
    char path[80];
    struct options *options;
    struct datasource *source;
    struct arena *arena;
};

static int setup(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    (void)snprintf(bench.folder, sizeof bench.folder, "/tmp/dragoman-XXXXXX");
    if (!mkdtemp(bench.folder)) {
        return -1;
    }
    (void)snprintf(bench.path, sizeof bench.path, "%s/shop.db", bench.folder);
    bench.options = options_new();
    bench.arena = arena_new();
    *state = &bench;
    return 0;
}

static int teardown(void **state)
{
    static const char *const tails[] = {"", "-wal", "-shm", "-journal", ".other"};
    struct bench *bench = *state;
    datasource_close(bench->source);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        (void)unlink(arena_format(bench->arena, "%s%s", bench->path, tails[i]));
    }
    (void)rmdir(bench->folder);
    options_free(bench->options);
    arena_free(bench->arena);
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
