/* Datasources that are removed: whoever has one keeps it, the last one closes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <dirent.h>
#include <sqlite3.h>

#include "agent/sources/sources.h"
#include "base/arena.h"
#include "model/options/options.h"

struct folder {
    char path[64];
    char file[96];
    struct options *options;
    struct sources *sources;
};

static int set_up(void **state)
{
    struct folder *folder = calloc(1, sizeof *folder);
    sqlite3 *db = NULL;
    *state = folder;
    (void)snprintf(folder->path, sizeof folder->path, "/tmp/dragoman-sources-XXXXXX");
    if (!mkdtemp(folder->path)) {
        return -1;
    }
    (void)snprintf(folder->file, sizeof folder->file, "%s/shop.db", folder->path);
    bool ok =
        sqlite3_open(folder->file, &db) == SQLITE_OK &&
        sqlite3_exec(db, "CREATE TABLE item (id INTEGER)", NULL, NULL, NULL) == SQLITE_OK;
    (void)sqlite3_close(db);
    folder->options = options_new();
    folder->sources = sources_new(folder->options);
    return ok ? 0 : -1;
}

static int tear_down(void **state)
{
    struct folder *folder = *state;
    sources_free(folder->sources);
    options_free(folder->options);
    (void)unlink(folder->file);
    (void)rmdir(folder->path);
    free(folder);
    return 0;
}

/* How many descriptors of this process mean the file. */
static int handles(const struct folder *folder)
{
    int count = 0;
    DIR *all = opendir("/proc/self/fd");
    assert_non_null(all);
    for (const struct dirent *one = NULL; (one = readdir(all));) {
        char link[300];
        char target[200] = "";
        (void)snprintf(link, sizeof link, "/proc/self/fd/%s", one->d_name);
        (void)!readlink(link, target, sizeof target - 1);
        count += strncmp(target, folder->file, strlen(folder->file)) == 0;
    }
    (void)closedir(all);
    return count;
}

static struct datasource *look(struct folder *folder, struct arena *keeper)
{
    struct err err;
    char signature[33];
    err_clear(&err);
    struct datasource *source = sources_open(folder->sources, keeper, "shop", NULL, &err);
    if (!source || !datasource_signature(source, NULL, signature, &err)) {
        fail_msg("%s", err.message);
    }
    return source;
}

static void add(struct folder *folder)
{
    struct datasource_setting setting = {.id = "shop", .url = folder->file};
    /* what is added at run time is held to a list; a dataset's way in is not */
    setting.owner = "";
    (void)sources_lend(folder->sources, &setting);
}

static void the_last_one_closes_it(void **state)
{
    struct folder *folder = *state;
    struct arena *first = arena_new();
    struct arena *second = arena_new();
    char signature[33];
    struct err err;
    add(folder);
    struct datasource *source = look(folder, first);
    assert_ptr_equal(look(folder, second), source);
    assert_ptr_equal(look(folder, second), source);
    assert_true(handles(folder) > 0);
    sources_return(folder->sources, "shop");
    arena_free(second);
    err_clear(&err);
    assert_true(datasource_signature(source, NULL, signature, &err));
    assert_true(handles(folder) > 0);
    assert_null(sources_open(folder->sources, first, "shop", NULL, &err));
    arena_free(first);
    assert_int_equal(handles(folder), 0);
}

static void what_nobody_has_is_closed_at_once(void **state)
{
    struct folder *folder = *state;
    struct arena *keeper = arena_new();
    add(folder);
    (void)look(folder, keeper);
    arena_free(keeper);
    assert_true(handles(folder) > 0); /* it stays open for the next one */
    sources_return(folder->sources, "shop");
    assert_int_equal(handles(folder), 0);
    add(folder); /* and one of the same name is another */
    keeper = arena_new();
    (void)look(folder, keeper);
    assert_true(handles(folder) > 0);
    arena_free(keeper);
}

/* Without a keeper it is there as long as the sources are. */
static void what_nobody_keeps_stays(void **state)
{
    struct folder *folder = *state;
    struct err err;
    char signature[33];
    add(folder);
    struct datasource *source = look(folder, NULL);
    sources_return(folder->sources, "shop");
    err_clear(&err);
    assert_true(datasource_signature(source, NULL, signature, &err));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_last_one_closes_it),
        TEST(what_nobody_has_is_closed_at_once),
        TEST(what_nobody_keeps_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
