/* A SQLite store of one's own in folders of its own, which are gone afterwards. */
#ifndef DGM_TESTS_STORE_FILE_STORE_H
#define DGM_TESTS_STORE_FILE_STORE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "store/store.h"

struct fixture {
    struct arena *arena;
    struct err err;
    char root[64];
    struct options options;
    const char *path;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    (void)memcpy(fixture->root, "/tmp/dragoman-sqlite-XXXXXX", 28);
    fixture->arena = arena_new();
    *state = fixture;
    if (!mkdtemp(fixture->root)) {
        return -1;
    }
    fixture->options.store_url = "";
    fixture->options.store_folder = arena_format(fixture->arena, "%s/a/b", fixture->root);
    fixture->options.store_commit_ms = 20;
    fixture->path =
        arena_format(fixture->arena, "%s/dragoman.db", fixture->options.store_folder);
    return 0;
}

static void empty_folder(struct arena *arena, const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry = NULL;
    while (directory && (entry = readdir(directory))) {
        if (entry->d_name[0] != '.') {
            char *path = arena_format(arena, "%s/%s", folder, entry->d_name);
            if (folder_exists(path)) {
                empty_folder(arena, path);
            }
            (void)remove(path);
        }
    }
    if (directory) {
        (void)closedir(directory);
    }
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    empty_folder(fixture->arena, fixture->root);
    int rc = rmdir(fixture->root);
    arena_free(fixture->arena);
    free(fixture);
    return rc;
}

static struct store *open_store(struct fixture *fixture)
{
    struct store *store = store_open(&fixture->options, &fixture->err);
    if (!store) {
        fail_msg("%s: %s", err_name(fixture->err.code), fixture->err.message);
    }
    return store;
}

#endif
