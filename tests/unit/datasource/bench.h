/* A database file of one's own in a folder of its own, for the tests of drivers. */
#ifndef DGM_TESTS_DATASOURCE_BENCH_H
#define DGM_TESTS_DATASOURCE_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
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

/* Nothing is in the folder yet. NULL: it could not be made. */
static struct bench *bench_begin(const char *name)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    (void)snprintf(bench.folder, sizeof bench.folder, "/tmp/dragoman-XXXXXX");
    if (!mkdtemp(bench.folder)) {
        return NULL;
    }
    (void)snprintf(bench.path, sizeof bench.path, "%s/%s", bench.folder, name);
    bench.options = options_new();
    bench.arena = arena_new();
    return &bench;
}

/* Closes the source; not 0 when more than the file is left in the folder. */
static int bench_end(struct bench *bench)
{
    datasource_close(bench->source);
    (void)unlink(bench->path);
    int left = rmdir(bench->folder);
    options_free(bench->options);
    arena_free(bench->arena);
    return left;
}

#endif
